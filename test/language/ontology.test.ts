import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { irOf, type OntologyIR, type RelationIR } from '../../dsl/ir.ts';
import { brand, defineOntology, ended, keyed, recorded, row, RowId } from '../../src/index.ts';
import { issuesOf } from './issues.ts';

const UserId = brand('UserId', z.string());
const SessionId = brand('SessionId', z.string());
const Day = brand('Day', z.string());
const shop = defineOntology({
  scope: { session: SessionId, actor: UserId },
  observation: {
    price: keyed({ item: z.string() }, { cents: z.int() }),
    lane: keyed({ session: SessionId }, { open: z.boolean() }),
    said: { text: z.string() },
  },
  candidate: { heard: { item: z.string() } },
  proposal: { note: recorded({ text: z.string() }, { day: Day }) },
  action: {
    pay: {
      in: { to: z.string(), cents: z.int() },
      records: { day: Day },
      receipt: { ref: z.string() },
      evidence: { reply: z.string() },
      identity: ['to'],
    },
    ping: { in: {}, capability: 'http' },
  },
  fact: { sold: { session: SessionId, item: z.string() } },
  approvedView: { live: { item: z.string() } },
  query: { find: { in: { item: z.string() }, out: { place: z.string() } } },
});
const ir = irOf(shop) as OntologyIR;
const STAMPS = 'id session actor capture ordinal seq';

function columnsOf(name: string): string {
  const relation = ir.relations[name];
  return relation === undefined
    ? 'no relation'
    : `${Object.keys(relation.columns).join(' ')} | ${Object.keys(relation.reserved).join(' ')}`;
}

describe('an ontology', () => {
  test.each<[string, string, string]>([
    ['observation.price', 'item cents', STAMPS],
    ['observation.lane', 'open', STAMPS],
    ['observation.said', 'text', STAMPS],
    ['candidate.heard', 'item', STAMPS],
    ['decision.accepted.heard', 'item', STAMPS],
    ['decision.rejected.heard', 'item reason', STAMPS],
    ['decision.held.heard', 'item reason shown', STAMPS],
    ['decision.revoked.heard', 'item reason', STAMPS],
    ['confirmed.heard', 'id reason shown answer by', 'session actor capture ordinal seq'],
    ['proposal.note', 'text', STAMPS],
    ['decision.approved.note', 'text day', STAMPS],
    ['proposal.pay', 'to cents', STAMPS],
    ['decision.approved.pay', 'to cents day', STAMPS],
    ['decision.rejected.pay', 'to cents reason', STAMPS],
    ['intent.pay', 'id to cents', ''],
    ['due.pay', 'id to cents', ''],
    ['admitted.pay', 'to cents', STAMPS],
    ['started.pay', 'to cents', STAMPS],
    ['withdrawn.pay', 'to cents', STAMPS],
    ['conflict.pay', 'to cents', STAMPS],
    ['receipt.pay', 'to cents ref act outcome', STAMPS],
    ['candidate.payResult', 'reply act', STAMPS],
    ['decision.accepted.payResult', 'reply act', STAMPS],
    ['query.find', 'item place', ''],
    ['proposal.queryRequested.find', 'item', STAMPS],
    ['queryresult.find', 'item place req', STAMPS],
    ['decision.accepted.find', 'item place req', STAMPS],
    ['decision.approved.find', 'item place req', STAMPS],
    ['confirmed.find', 'id reason shown answer by', 'session actor capture ordinal seq'],
    ['decision.approved.queryExecute', 'query', STAMPS],
    ['decision.rejected.queryExecute', 'query reason', STAMPS],
    ['confirmed.queryExecute', 'id reason shown answer by query', 'session actor capture ordinal seq'],
    ['intent.queryExecute', 'id query', ''],
    ['due.queryExecute', 'id query', ''],
    ['admitted.queryExecute', 'query', STAMPS],
    ['conflict.queryExecute', 'query', STAMPS],
    ['queryresult.outcome', 'req query outcome', STAMPS],
    ['lifecycle.modelCalled', 'captured class', STAMPS],
    ['lifecycle.captureRefused', 'captured class', STAMPS],
    ['lifecycle.contractViolated', 'captured class', STAMPS],
    ['lifecycle.effectUnknown', 'act class', STAMPS],
    ['fact.sold', 'session item', ''],
    ['approvedView.live', 'item', ''],
  ])('gives %s the columns %s and the stamps %s', (name, columns, stamps) => {
    expect(columnsOf(name)).toBe(`${columns} | ${stamps}`);
  });

  test.each(['decision.accepted.pay', 'decision.approved.heard', 'candidate.pingResult', 'intent.note', 'receipt.note', 'due.find'])(
    'A13 has no %s',
    (name) => {
      expect(columnsOf(name)).toBe('no relation');
    },
  );

  test('says which columns are a key, an identity and recorded', () => {
    const about = (name: string) => {
      const { key, identity, recorded: kept } = ir.relations[name] as RelationIR;
      return { key, identity, kept };
    };
    expect(about('observation.price').key).toEqual(['item']);
    expect(about('observation.lane').key).toEqual(['session']);
    expect(about('observation.said').key).toBeUndefined();
    expect(about('intent.pay').identity).toEqual(['to']);
    expect(about('intent.ping').identity).toBeUndefined();
    expect(about('decision.approved.pay').kept).toEqual(['day']);
    expect(about('decision.accepted.heard').kept).toEqual([]);
    expect(ir.actions).toEqual({
      pay: { name: 'pay', in: ['to', 'cents'], receipt: ['ref'], evidence: ['reply'], identity: ['to'] },
      ping: { name: 'ping', in: [], receipt: [], evidence: [], capability: 'http' },
    });
    expect(ir.queries).toEqual({ find: { name: 'find', in: ['item'], out: ['place'] } });
  });

  test('holds a function for each of its relations, under the name that the relation has', () => {
    for (const [name, relation] of Object.entries(ir.relations)) {
      const found = name.split('.').reduce<unknown>((node, part) => Reflect.get(node as object, part), shop);
      expect(irOf(found)).toBe(relation);
      expect(Object.isFrozen(found)).toBe(true);
    }
  });

  test('has one variable for each column name', () => {
    expect(irOf(shop.vars.cents)).toEqual({ var: 'cents' });
    expect(irOf(shop.vars.by)).toEqual({ var: 'by' });
    expect(Object.keys(shop.vars)).toEqual(expect.arrayContaining(['item', 'day', 'reason', 'shown', 'answer', 'captured', 'seq']));
    expect(Reflect.get(shop.vars, 'misspelt')).toBeUndefined();
  });

  test('that is right has no issues, and is frozen through and through', () => {
    expect(ir.issues).toEqual([]);
    for (const part of [shop, shop.vars, shop.decision, shop.decision.approved, shop.proposal.queryRequested, ir, ir.relations]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('a wrong declaration', () => {
  // The types refuse most of these; a cast, or a program without types, reaches the builder all the same.
  test.each<[string, object, string, string]>([
    [
      'a stamped column is refused on evidence',
      { candidate: { a: { id: z.string() } } },
      'dsl/column-reserved',
      'candidate.a.id: id is stamped by the runtime on every row',
    ],
    [
      'a stamped column is refused on an observation',
      { observation: { a: { seq: z.int() } } },
      'dsl/column-reserved',
      'observation.a.seq: seq is stamped by the runtime on every row',
    ],
    [
      'a generated column is refused on what is judged',
      { proposal: { a: { answer: z.string() } } },
      'dsl/column-reserved',
      'proposal.a.answer: answer is generated on decisions, confirmations and results',
    ],
    [
      'a generated column is refused in a receipt',
      { action: { a: { in: {}, receipt: { act: z.string() } } } },
      'dsl/column-reserved',
      'action.a.act: act is generated on decisions, confirmations and results',
    ],
    [
      'a generated column is refused in what is recorded',
      { action: { a: { in: {}, records: { by: z.string() } } } },
      'dsl/column-reserved',
      'action.a.by: by is generated on decisions, confirmations and results',
    ],
    [
      'A07 a generated name is refused',
      { candidate: { outcome: {} } },
      'dsl/name-reserved',
      'candidate.outcome: outcome is a generated name',
    ],
    [
      'A07 a query may not be called like the shared act',
      { query: { queryExecute: { in: {}, out: {} } } },
      'dsl/name-reserved',
      'query.queryExecute: queryExecute is a generated name',
    ],
    ['A07 a generated kind cannot be declared', { decision: { accepted: {} } }, 'dsl/kind-unknown', 'decision is no kind of declaration'],
    ['a misspelt kind is refused', { facts: { a: {} } }, 'dsl/kind-unknown', 'facts is no kind of declaration (did you mean fact?)'],
    [
      'a misspelt part of an action is refused',
      { action: { a: { in: {}, reciept: {} } } },
      'dsl/kind-unknown',
      'action.a: reciept is no part of an action (did you mean receipt?)',
    ],
    [
      'a misspelt part of a query is refused',
      { query: { a: { in: {}, outs: {} } } },
      'dsl/kind-unknown',
      'query.a: outs is no part of a query (did you mean out?)',
    ],
    [
      'A13 one name is one kind',
      { candidate: { a: {} }, action: { a: { in: {} } } },
      'dsl/kind-twice',
      'a is declared as candidate and as action',
    ],
    [
      'A13 a candidate may not be called like the result of an action',
      { candidate: { aResult: {} }, action: { a: { in: {}, evidence: {} } } },
      'dsl/kind-twice',
      'aResult is declared as candidate and as the result of an action',
    ],
    [
      'R62 __proto__ is no name of a relation',
      { fact: JSON.parse('{"__proto__":{}}') as object },
      'dsl/name-malformed',
      'fact.__proto__: "__proto__" is no name',
    ],
    [
      'R62 __proto__ is no name of a column',
      { fact: { a: Object.fromEntries([['__proto__', z.string()]]) } },
      'dsl/name-malformed',
      'fact.a: the column "__proto__" is no name',
    ],
    ['a name begins with a lower-case letter', { fact: { Bad: {} } }, 'dsl/name-malformed', 'fact.Bad: "Bad" is no name'],
    [
      'an optional is no column',
      { fact: { a: { x: z.string().optional() } } },
      'dsl/column-type',
      'fact.a.x is no string, boolean, enum, integer or number',
    ],
    [
      'what is no schema is no column',
      { fact: { a: { x: 'string' } } },
      'dsl/column-type',
      'fact.a.x is no string, boolean, enum, integer or number',
    ],
    ['a session is a string', { scope: { session: z.int() } }, 'dsl/column-type', 'scope.session is no string or brand of one'],
    [
      'an identity is made of columns of in',
      { action: { a: { in: {}, identity: ['order'] } } },
      'dsl/identity-unknown',
      'action.a: the identity order is no column of in',
    ],
    [
      'a stamp in a fact has the sort of the stamp',
      { fact: { a: { session: z.string() } } },
      'dsl/scope-mismatch',
      'fact.a.session is string, and the stamp session is string<SessionId>',
    ],
    [
      'a stamp in a key has the sort of the stamp',
      { observation: { a: keyed({ actor: z.string() }, {}) } },
      'dsl/scope-mismatch',
      'observation.a.actor is string, and the stamp actor is string<ActorId>',
    ],
    [
      'in and receipt have no column in common',
      { action: { a: { in: { x: z.int() }, receipt: { x: z.int() } } } },
      'dsl/column-twice',
      'action.a.x stands in in and in receipt',
    ],
    [
      'key and columns have no column in common',
      { observation: { a: keyed({ x: z.int() }, { x: z.int() }) } },
      'dsl/column-twice',
      'observation.a.x stands in key and in columns',
    ],
  ])('%s', (_claim, declaration, code, what) => {
    const wrong = defineOntology(declaration as never);
    expect((irOf(wrong) as OntologyIR).issues).toContainEqual({ code, what });
  });

  test('is told whole, not up to its first fault', () => {
    const wrong = defineOntology({ fact: { Bad: { x: z.date() } }, candidate: { a: { id: z.string(), seq: z.int() } } } as never);
    expect((irOf(wrong) as OntologyIR).issues.map(({ code }) => code)).toEqual([
      'dsl/column-reserved',
      'dsl/column-reserved',
      'dsl/name-malformed',
      'dsl/column-type',
    ]);
  });

  test('of no sense at all throws nothing', () => {
    for (const nonsense of [undefined, null, 5, 'x', [], { observation: 5 }, { action: { a: null } }, { fact: [1, 2] }]) {
      expect(() => defineOntology(nonsense as never)).not.toThrow();
    }
  });
});

describe('a row of a report', () => {
  test('has the relation and the columns, frozen', () => {
    const price = row(shop.observation.price, { item: 'tea', cents: 250 });
    expect(price).toEqual({ relation: 'observation.price', columns: { item: 'tea', cents: 250 } });
    expect(Object.isFrozen(price) && Object.isFrozen(price.columns)).toBe(true);
  });

  test('leaves out what is stamped, and gives what the outside says', () => {
    const act = RowId.parse('r1');
    expect(row(shop.observation.lane, { open: true }).columns).toEqual({ open: true });
    expect(row(shop.receipt.pay, { to: 'ann', cents: 5, ref: 'x', act, outcome: 'failed' }).columns).toMatchObject({ outcome: 'failed' });
    expect(row(shop.confirmed.pay, { id: act, reason: 'high', shown: 'd1', answer: 'no' }).relation).toBe('confirmed.pay');
  });

  test('ends a key by its key columns', () => {
    expect(ended(shop.observation.price, { item: 'tea' })).toEqual({ relation: 'observation.price', columns: { item: 'tea' } });
  });

  test('with an undefined column throws', () => {
    expect(issuesOf(() => row(shop.observation.said, { text: undefined as never }))).toEqual([
      { code: 'dsl/column-undefined', what: 'observation.said.text was given as undefined' },
    ]);
  });
});
