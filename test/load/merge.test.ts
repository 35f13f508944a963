/** Ontologies merged into one table: one declaration, one scope, one kind, one schema for each name. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { IR, type OntologyIR, type RelationIR } from '../../dsl/ir.ts';
import { K, loweredOf, programOf, programWith, scope, SessionId, small, told } from './fixture.ts';
import { brand, defineOntology, keyed, program } from './language.ts';

const merged = (...ontologies: unknown[]) => told(program({ name: 'merged', ontologies, rules: [] }));
const irOf = (ontology: unknown) => (ontology as { readonly [IR]: OntologyIR })[IR];
/** An ontology with some relations changed by hand. */
const forged = (change: Readonly<Record<string, Partial<RelationIR> | undefined>>) => {
  const ir = irOf(small);
  const relations = {
    ...ir.relations,
    ...Object.fromEntries(
      Object.entries(change).map(([name, more]) => [name, { name, columns: {}, reserved: {}, ...ir.relations[name], ...more }]),
    ),
  };
  return {
    [IR]: { kind: 'program', name: 'forged', ontologies: [{ ...ir, relations }], rules: [], queries: [], invariants: [], declarations: [] },
  };
};

describe('ontologies', () => {
  test('merge, also where one is listed twice', () => {
    const module = defineOntology({ scope, fact: { z: { k: K } } });
    expect(merged(small, module, small)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['of one relation, declared alike', { fact: { a: { k: K } } }, 'load/relation-twice: fact.a is declared by two ontologies'],
    ['of one relation, declared otherwise', { fact: { a: { n: z.int() } } }, 'load/relation-twice: fact.a is declared by two ontologies'],
    ['of one name and two kinds', { candidate: { hint: { k: K } } }, 'dsl/kind-twice: hint is declared as proposal and as candidate'],
    [
      'of one name, an action and a query',
      { query: { ping: { in: { k: K }, out: {} } } },
      'dsl/kind-twice: ping is declared as action and as query',
    ],
    [
      'of one brand and two schemas',
      { fact: { z: { k: brand('K', z.string().min(2)) } } },
      'load/brand-twice: brand K has two schemas, one of them in fact.z.k',
    ],
  ])('clash %s', (_how, more, issue) => {
    expect(merged(small, defineOntology({ scope, ...more }))).toContain(issue);
  });

  test('share one scope', () => {
    const other = defineOntology({ scope: { session: SessionId, actor: brand('Other', z.string()) }, fact: { z: { k: K } } });
    expect(merged(small, other)).toContain(
      'dsl/scope-mismatch: two ontologies with two scopes: session string<SessionId>, actor string<ActorId>; session string<SessionId>, actor string<Other>',
    );
  });

  test('share what each of them generates alike', () => {
    const module = defineOntology({ scope, query: { more: { in: { k: K }, out: { n: z.int() } } } });
    expect(merged(small, module)).toEqual([]);
    expect(
      loweredOf(program({ name: 'merged', ontologies: [small, module], rules: [] })).relations.get('lifecycle.modelCalled')?.life,
    ).toBe('report');
  });

  test.each<[string, object]>([
    ['dsl/name-malformed', { candidate: { Bad: { k: K } } }],
    ['dsl/name-reserved', { candidate: { outcome: { k: K } } }],
    ['dsl/column-reserved', { candidate: { c: { id: z.string() } } }],
    ['dsl/column-type', { candidate: { c: { at: z.date() } } }],
    ['dsl/column-twice', { action: { a: { in: { k: K }, receipt: { k: K } } } }],
    ['dsl/kind-twice', { candidate: { c: { k: K } }, proposal: { c: { k: K } } }],
    ['dsl/kind-unknown', { candidates: { c: { k: K } } }],
    ['dsl/identity-unknown', { action: { a: { in: { k: K }, identity: ['x'] } } }],
    ['dsl/rising-unknown', { observation: { o: keyed({ k: K }, { t: K }, { rising: ['t'] }) } }],
    ['dsl/rising-unknown', { observation: { o: keyed({ n: z.int() }, { t: K }, { rising: ['n'] }) } }],
    ['dsl/rising-unknown', { observation: { o: keyed({}, { t: K }, { rising: ['x'] }) } }],
    ['dsl/scope-mismatch', { fact: { f: { session: z.int() } } }],
  ])('tell what their declarations got wrong: %s', (code, wrong) => {
    expect(merged(defineOntology({ scope, ...wrong })).map((line) => line.split(':')[0])).toContain(code);
  });
});

describe('a declaration made by hand', () => {
  test.each<[string, Readonly<Record<string, Partial<RelationIR>>>, string]>([
    ['in no namespace', { 'myth.x': {} }, 'dsl/name-malformed: relation myth.x is in no namespace of the law'],
    ['with a name that is none', { 'fact.B-b': {} }, 'dsl/name-malformed: relation fact.B-b: "B-b" does not match /^[a-z][A-Za-z0-9]*$/'],
    ['with a name of more parts', { 'fact.a.b': {} }, 'dsl/name-malformed: relation fact.a.b: "a.b" does not match /^[a-z][A-Za-z0-9]*$/'],
    [
      'with a column that is a date',
      { 'fact.a': { columns: { at: z.date() } } },
      'dsl/column-type: fact.a.at is no string, boolean, enum, integer or number',
    ],
    [
      'with a column that is optional',
      { 'fact.a': { columns: { k: z.string().optional() } } },
      'dsl/column-type: fact.a.k is no string, boolean, enum, integer or number',
    ],
    ['with a column whose name is none', { 'fact.a': { columns: { 'x y': K } } }, 'dsl/name-malformed: column "x y" of fact.a'],
    ['with a stamp of its own', { 'candidate.order': { columns: { k: K, session: K } } }, 'dsl/column-reserved: candidate.order.session'],
    ['with a judgement of its own', { 'proposal.hint': { columns: { k: K, reason: K } } }, 'dsl/column-reserved: proposal.hint.reason'],
    ['with a generated name', { 'candidate.outcome': {} }, 'dsl/name-reserved: relation candidate.outcome: outcome is a generated name'],
    ['under another name than its own', { 'fact.a': { name: 'fact.b' } }, 'load/malformed: fact.a: the relation is named "fact.b"'],
    [
      'with a key that is no column of it',
      { 'observation.limit': { key: ['nope'] } },
      'load/malformed: observation.limit: nope is no column of it',
    ],
    [
      'with a column that is no schema',
      { 'fact.a': { columns: { k: { _zod: {} } as unknown as z.ZodType } } },
      'dsl/column-type: fact.a.k: an object is no zod schema',
    ],
  ])('%s is refused', (_how, change, issue) => {
    expect(told(forged(change))).toEqual([issue]);
  });
});

describe('the table of declarations', () => {
  const { relations, sources, intents, scope: mergedScope } = loweredOf(programOf({}));

  test('has declared columns first, then stamps', () => {
    expect(relations.get('candidate.order')?.columns.map(({ name, isReserved }) => [name, isReserved])).toEqual([
      ['k', false],
      ...['id', 'session', 'actor', 'capture', 'ordinal', 'seq'].map((name) => [name, true]),
    ]);
    expect(relations.get('observation.limit')).toMatchObject({ life: 'report', key: ['k'] });
    expect(relations.get('observation.mine')?.columns.find(({ name }) => name === 'actor')?.isReserved).toBe(true);
  });

  test('has an act as its id and its bindings', () => {
    expect(relations.get('intent.pay')?.columns.map(({ name, isReserved }) => [name, isReserved])).toEqual([
      ['id', false],
      ['k', false],
      ['amount', false],
    ]);
    expect(intents.get('pay')).toEqual({ name: 'pay', identity: ['id'], columns: ['id', 'k', 'amount'] });
  });

  test('has what is judged, by its own name', () => {
    expect(sources.get('pay')).toEqual({
      name: 'pay',
      relation: 'proposal.pay',
      grade: 'proposal',
      decided: 'pay',
      payload: ['k', 'amount'],
      constants: {},
      recorded: ['day'],
      intent: 'pay',
    });
    expect(sources.get('payResult')).toMatchObject({ relation: 'candidate.payResult', grade: 'candidate', payload: ['reply', 'act'] });
    expect(sources.get('find')).toMatchObject({ relation: 'queryresult.find', grade: 'candidate', decided: 'find' });
    expect([...sources.keys()].sort()).toEqual([
      'call',
      'find',
      'hint',
      'order',
      'other',
      'pay',
      'payResult',
      'ping',
      'queryRequested.find',
      'queryRequested.other',
      'quote',
    ]);
  });

  test('has a life for every relation', () => {
    const lives = (life: string) => [...relations.values()].filter((one) => one.life === life).map((one) => one.name.split('.')[0]);
    expect(new Set(lives('report'))).toEqual(
      new Set(['observation', 'candidate', 'proposal', 'confirmed', 'receipt', 'queryresult', 'lifecycle']),
    );
    expect(new Set(lives('query'))).toEqual(new Set(['query']));
    expect(new Set(lives('record'))).toEqual(
      new Set(['decision', 'admitted', 'started', 'withdrawn', 'conflict', 'open', 'exposure', 'standing']),
    );
    expect(new Set(lives('view'))).toEqual(
      new Set(['fact', 'intent', 'due', 'decision', 'approvedView', 'candidateView', 'proposalView', 'verdict', 'answer']),
    );
    expect(mergedScope).toEqual(scope);
    expect(told(programWith())).toEqual([]);
  });
});
