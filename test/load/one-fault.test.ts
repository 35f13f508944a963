/** One fault, one issue: what follows from what was told already is not told again in other words. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { IR } from '../../dsl/ir.ts';
import { isCountersignError } from '../../dsl/issue.ts';
import { examplesOfPage } from '../house/examples.ts';
import {
  accept,
  actor,
  admitted,
  amount,
  approvedView,
  by,
  candidate,
  candidateView,
  confirmed,
  day,
  decision,
  due,
  fact,
  found,
  id,
  intent,
  K,
  k,
  lifecycle,
  max,
  n,
  observation,
  other,
  pays,
  programOf,
  programWith,
  proposal,
  proposalView,
  query,
  queryresult,
  receipt,
  scope,
  SessionId,
  small,
  told,
  x,
} from './fixture.ts';
import {
  always,
  brand,
  capability,
  countOf,
  decide,
  defineOntology,
  eq,
  fn,
  gt,
  invariant,
  keyed,
  not,
  oneOf,
  or,
  plus,
  program,
  projection,
  reportKind,
  rule,
  ruleset,
  sumOf,
  times,
  together,
} from './language.ts';

const seen = observation.seen({ k });
const pings = () => decide('pings', proposal.ping({ k, actor })).needs('seen', seen);
const of = (r: unknown) => programOf({ r });
const unknown = (relation: string, columns: object = {}) => ({ [IR]: { kind: 'atom', relation, columns } });
const merged = (...ontologies: unknown[]) => program({ name: 'merged', ontologies, rules: [] });
const mapping = (relation: string) =>
  programOf({}, { declarations: [reportKind('m', '1', { payload: {}, writes: [{ relation }], mapper: () => [] })] });
const double = fn('double', '1', [z.int()], z.int(), (value: number) => 2 * value);

/** Each program has one fault; the text is how its one issue begins. */
const FAULTS: readonly (readonly [fault: string, program: () => unknown, issue: string])[] = [
  // What a rule reads.
  [
    'a fact reads a candidate',
    () => of(rule(fact.a({ k })).when(candidate.order({ k }))),
    'load/cut-bypassed: candidate.order reaches fact.a',
  ],
  [
    'a fact reads a held card',
    () => of(rule(fact.a({ k })).when(decision.held.order({ k }))),
    'load/cut-bypassed: decision.held.order reaches',
  ],
  [
    'a fact reads a view of a held card',
    () =>
      programOf({ v: rule(candidateView.c({ k })).when(decision.held.order({ k })), r: rule(fact.a({ k })).when(candidateView.c({ k })) }),
    'load/cut-bypassed: decision.held.order reaches fact.a',
  ],
  [
    'an act reads an answer',
    () => of(rule(intent.ping({ id, k: 'x' })).when(confirmed.ping({ id, by }))),
    'load/cut-bypassed: proposal.ping reaches',
  ],
  [
    'an approved view reads a candidate, and an act the view',
    () =>
      programOf({
        v: rule(approvedView.v({ k })).when(candidate.order({ k })),
        r: rule(intent.ping({ id: 'i', k })).when(approvedView.v({ k })),
      }),
    'load/cut-bypassed: candidate.order reaches intent.ping',
  ],
  ['a fact reads a query', () => of(rule(fact.a({ k })).when(query.find({ k }))), 'load/cut-bypassed: query.find reaches fact.a'],
  ['a fact reads how a call ended', () => of(rule(fact.loud({ text: 'x' })).when(lifecycle.modelCalled({}))), 'load/cut-bypassed'],
  ['a fact reads an approval', () => of(rule(fact.a({ k })).when(decision.approved.ping({ k }))), 'load/grade-exceeded'],
  ['a fact reads a due act', () => of(rule(fact.a({ k })).when(due.ping({ k }))), 'load/reader-refused'],
  ['an approved view reads a held card', () => of(rule(approvedView.v({ k })).when(decision.held.order({ k }))), 'load/reader-refused'],
  ['an approved view reads an answer', () => of(rule(approvedView.v({ k: 'x' })).when(confirmed.pay({ by }))), 'load/reader-refused'],
  [
    'an approval reads an answer to another',
    () => of(rule(decision.approved.ping({ id, k })).when(proposal.ping({ id, k }), confirmed.pay({ by }))),
    'load/reader-refused',
  ],
  ['a candidate view reads a wish', () => of(rule(candidateView.c({ k })).when(proposal.hint({ k }))), 'load/grade-exceeded'],
  ['a view reads a query', () => of(rule(candidateView.c({ k })).when(query.find({ k }))), 'load/query-read'],
  [
    'an invariant reads a candidate',
    () => programOf({}, { invariants: [invariant('i').never(candidate.order({ k }))] }),
    'load/invariant-evidence',
  ],
  [
    'an invariant reads a held card',
    () => programOf({}, { invariants: [invariant('i').never(decision.held.order({ k }))] }),
    'load/reader-refused',
  ],
  ['a rule reads a name that there is not', () => of(rule(fact.a({ k: 'x' })).when(unknown('open.order'))), 'load/relation-unknown'],
  ['a rule reads a misspelt observation', () => of(rule(fact.a({ k: 'x' })).when(unknown('observation.sen'))), 'load/relation-unknown'],
  // Heads.
  [
    'a rule writes an observation, and a fact reads it',
    () => programOf({ w: rule(observation.seen({ k })).when(candidate.order({ k })), r: rule(fact.a({ k })).when(seen) }),
    'load/not-derivable',
  ],
  [
    'a rule writes a held card',
    () => of(rule(decision.held.order({ k, reason: 'x', shown: 'y' })).when(candidate.order({ k }))),
    'load/not-derivable',
  ],
  [
    'a rule writes a receipt',
    () => of(rule(receipt.ping({ k, act: id, outcome: 'failed' })).when(admitted.ping({ k, id }))),
    'load/not-derivable',
  ],
  ['a head misses a column', () => of(rule(fact.total({ k })).when(seen)), 'load/column-missing'],
  [
    'a head misspells a column',
    () => of(rule(fact.total({ k, amuont: amount })).when(observation.limit({ k, max: amount }))),
    'load/column-unknown',
  ],
  [
    'a body misspells a column',
    () => of(rule(fact.total({ k, amount })).when(observation.limit({ k, mx: amount }))),
    'load/column-unknown',
  ],
  [
    'a decision misses a column of its source',
    () => of(rule(decision.rejected.order({ id, reason: 'x' })).when(candidate.order({ id, k }))),
    'load/column-missing',
  ],
  ['a decision misses its reason', () => of(rule(decision.rejected.order({ k })).when(candidate.order({ k }))), 'load/column-missing'],
  [
    'a decision misspells a column of its source',
    () => of(rule(decision.rejected.pay({ k, amuont: amount, reason: 'x' })).when(proposal.pay({ k, amount }))),
    'load/column-unknown',
  ],
  [
    'a decision reads its source with a misspelt column',
    () => of(rule(decision.rejected.pay({ k, amount, reason: 'x' })).when(proposal.pay({ k, amuont: amount }))),
    'load/column-unknown',
  ],
  ['a decision does not read its source', () => of(rule(decision.accepted.order({ k })).when(observation.today({}))), 'load/unfaithful'],
  [
    'a decision lets another value through',
    () => of(rule(decision.accepted.order({ k: other })).when(candidate.order({ k }), observation.seen({ k: other }))),
    'load/unfaithful',
  ],
  [
    'a revocation reads what was refused',
    () => of(rule(decision.revoked.hint({ k, reason: 'x' })).when(decision.rejected.hint({ k }))),
    'load/unfaithful',
  ],
  [
    'a revocation reads the rows of a read',
    () => of(rule(decision.revoked.find({ k, found, req: 'r', reason: 'x' })).when(queryresult.find({ k, found, req: 'r' }))),
    'load/unfaithful',
  ],
  [
    'an execution of a read restates no approval',
    () => of(rule(intent.queryExecute({ id: 'i', query: 'find' })).when(seen)),
    'load/unfaithful',
  ],
  ['an act has no identity', () => of(rule(intent.ping({ k })).when(seen)), 'load/no-identity'],
  ['a query rule stands among the rules', () => of(rule(query.find({ k, found })).when(query.find({ k, found }))), 'load/query-place'],
  [
    'a rule stands among the queries',
    () => programOf({}, { queries: [ruleset('m', { r: rule(fact.a({ k })).when(seen) })] }),
    'load/query-place',
  ],
  // Variables and sorts.
  [
    'a head takes a variable that nothing binds',
    () => of(rule(fact.total({ k, amount })).when(seen)),
    'load/variable-unbound: rule m.r: variable amount',
  ],
  [
    'a binding waits for a variable that nothing binds',
    () => of(rule(fact.n({ k, n })).when(seen, countOf(observation.limit, { per: { max: amount } }).as(n))),
    'load/variable-unbound: rule m.r: variable amount',
  ],
  [
    'a chain of bindings waits for a variable that nothing binds',
    () => of(rule(fact.n({ k, n })).when(seen, plus(n.as('b'), 1).as(n), plus(n.as('a'), 1).as(n.as('b')), gt(n, 3))),
    'load/variable-unbound: rule m.r: variable a ',
  ],
  [
    'an or binds in one branch only',
    () => of(rule(fact.total({ k, amount })).when(or(observation.limit({ k, max: amount }), seen))),
    'load/variable-unbound',
  ],
  ['a variable has two sorts', () => of(rule(fact.a({ k })).when(observation.today({ day: k }), seen)), 'load/sort-clash'],
  [
    'a variable has another sort in two places',
    () => of(rule(fact.b({ k })).when(observation.seen({ k }), observation.level({ k, text: k }), observation.level({ text: k }))),
    'load/sort-clash',
  ],
  [
    'a variable of two sorts is compared',
    () => of(rule(fact.a({ k: 'x' })).when(observation.limit({ max }), observation.level({ text: max }), gt(max, 3), eq(max, 'x'))),
    'load/sort-clash',
  ],
  ['a constant is of another type', () => of(rule(fact.a({ k: 3 })).when(seen)), 'load/constant-type'],
  ['a comparison is of two types', () => of(rule(fact.a({ k })).when(seen, eq(k, 3))), 'load/comparison-type'],
  ['a member is of another type', () => of(rule(fact.a({ k })).when(seen, oneOf(k, 3))), 'load/comparison-type'],
  ['a string is multiplied', () => of(rule(fact.n({ k, n })).when(seen, times(k, 2).as(n))), 'load/arithmetic-type'],
  ['a string is added up', () => of(rule(fact.n({ k, n })).when(seen, sumOf(observation.seen, { of: 'k' }).as(n))), 'load/aggregate-type'],
  [
    'a column that there is not is added up',
    () => of(rule(fact.n({ k, n })).when(seen, sumOf(observation.limit, { of: 'mx' }).as(n))),
    'load/column-unknown',
  ],
  ['a function takes another number of arguments', () => of(rule(fact.n({ k, n })).when(seen, double(1, 2).as(n))), 'load/call-type'],
  ['a function takes another type', () => of(rule(fact.n({ k, n })).when(seen, double(k).as(n))), 'load/call-type'],
  ['a float fills an integer', () => of(rule(fact.n({ k, n: x })).when(observation.level({ k, x }))), 'load/sort-clash'],
  // Decides.
  [
    'a candidate is approved',
    () => programWith(decide('orders', candidate.order({ k })).needs('seen', seen).otherwiseApproves()),
    'load/decide-end',
  ],
  [
    'a proposal is accepted',
    () => programWith(decide('hints', proposal.hint({ k })).needs('seen', seen).otherwiseAccepts()),
    'load/decide-end',
  ],
  [
    'an action with clauses of every kind is accepted',
    () =>
      programWith(
        pays()
          .awaits('later', observation.seen({ k }))
          .limits('much', { sum: amount, per: { actor, day }, max })
          .asks('sure?', always)
          .stillNeeds('still', seen)
          .otherwiseAccepts(),
      ),
    'load/decide-end',
  ],
  [
    'a candidate with a wish in its needs is approved',
    () => programWith(decide('orders', candidate.order({ k })).rejects('x', candidate.quote({ k })).otherwiseApproves()),
    'load/decide-end',
  ],
  [
    'a request is accepted',
    () => programWith(decide('finds', proposal.queryRequested.find({ k })).needs('seen', seen).otherwiseAccepts()),
    'load/decide-end',
  ],
  ['an approval needs nothing', () => programWith(decide('hints', proposal.hint({ k })).otherwiseApproves()), 'load/no-needs'],
  ['a fact is judged', () => programWith(decide('facts', fact.a({ k })).needs('seen', seen).otherwiseAccepts()), 'load/decide-source'],
  [
    'a misspelt source is judged',
    () => programWith(decide('x', unknown('proposal.pin')).needs('seen', seen).otherwiseApproves()),
    'load/relation-unknown',
  ],
  [
    'a need is evidence',
    () => programWith(decide('pings', proposal.ping({ k })).needs('x', candidate.order({ k })).otherwiseApproves()),
    'load/needs-evidence',
  ],
  [
    'what must still hold is evidence',
    () => programWith(pings().stillNeeds('x', candidate.order({ k })).otherwiseApproves()),
    'load/cut-bypassed',
  ],
  [
    'what must still hold starts no act',
    () => programWith(decide('hints', proposal.hint({ k })).needs('seen', seen).stillNeeds('x', seen).otherwiseApproves()),
    'load/still-needs',
  ],
  [
    'a source misspells a column that a limit sums',
    () =>
      programWith(
        decide('pings', proposal.pay({ k, amuont: amount }))
          .needs('seen', seen)
          .limits('much', { sum: amount, per: { k }, max: 3 })
          .records({ day: 'd' })
          .otherwiseApproves(),
      ),
    'load/column-unknown: decide pings: proposal.pay has no column amuont (did you mean amount?)',
  ],
  [
    'a limit sums no column of the source',
    () => programWith(pays().limits('much', { sum: max, per: { k }, max }).otherwiseApproves()),
    'load/limits-column',
  ],
  [
    'a limit groups by no column of the source',
    () =>
      programWith(
        pays()
          .limits('much', { sum: amount, per: { nope: k }, max })
          .otherwiseApproves(),
      ),
    'load/limits-column',
  ],
  [
    'a limit sums a text',
    () => programWith(pays().limits('much', { sum: k, per: { actor }, max }).otherwiseApproves()),
    'load/aggregate-type: decide pays: limits "much": proposal.pay.k',
  ],
  [
    'a limit groups by another sort',
    () =>
      programWith(
        pays()
          .limits('much', { sum: amount, per: { actor: k }, max })
          .otherwiseApproves(),
      ),
    'load/sort-clash: decide pays: limits "much": variable k has two sorts: string<K> in proposal.pay.k, string<ActorId> in proposal.pay.actor',
  ],
  [
    'a limit has a maximum that is not bound',
    () => programWith(pings().limits('much', { per: { k }, max }).otherwiseApproves()),
    'load/variable-unbound',
  ],
  ['a record that is not declared', () => programWith(pays().records({ dey: day }).otherwiseApproves()), 'load/records-column'],
  [
    'a record that nothing binds',
    () => programWith(decide('pays', proposal.pay({ k, amount })).needs('seen', seen).records({ day }).otherwiseApproves()),
    'load/variable-unbound: decide pays: variable day',
  ],
  [
    'a record that is not given',
    () => programWith(decide('pays', proposal.pay({ k, amount })).needs('seen', seen).otherwiseApproves()),
    'load/records-column',
  ],
  [
    'one decide listed twice',
    () => {
      const one = pings().otherwiseApproves();
      return programWith(one, one);
    },
    'load/decide-twice',
  ],
  [
    'two decides of one name',
    () =>
      programWith(
        pings().otherwiseApproves(),
        decide('pings', proposal.hint({ k })).needs('seen', seen).needs('again', seen).otherwiseApproves(),
      ),
    'load/rule-twice: decide pings is used twice',
  ],
  [
    'one ruleset listed twice',
    () => {
      const one = ruleset('m', { accept, b: rule(fact.b({ k })).when(seen) });
      return programWith(one, one);
    },
    'load/rule-twice: rule ids m.accept, m.b are used twice',
  ],
  ['two asks of one reason', () => programWith(pings().asks('x', always).asks('x', seen).otherwiseApproves()), 'load/asks-twice'],
  ['a reason that says nothing', () => programWith(pings().rejects(' \u200b', seen).otherwiseApproves()), 'load/no-reason'],
  ['an expiry of nothing', () => programWith(pings().expires('x', seen).otherwiseApproves()), 'load/expires'],
  // Cycles.
  [
    'a view rests on its own absence',
    () => programOf({ r: rule(approvedView.v({ k })).when(seen, not(approvedView.v({ k }))) }),
    'load/unstratified',
  ],
  [
    'an act rests on the absence of its admission',
    () => of(rule(intent.ping({ id, k })).when(decision.approved.ping({ id, k }), not(admitted.ping({ id })))),
    'load/self-withdrawing',
  ],
  // Declarations.
  [
    'a column is no schema',
    () => {
      const own = defineOntology({ observation: { a: { t: 'string' }, b: { k: K } }, fact: { c: { k: K } } });
      return program({
        name: 'own',
        ontologies: [own],
        rules: [ruleset('m', { r: rule(own.fact.c({ k })).when(own.observation.a({}), own.observation.b({ k })) })],
      });
    },
    'dsl/column-type: observation.a.t',
  ],
  [
    'a column of an action is no schema',
    () => {
      const own = defineOntology({ action: { a: { in: { t: 'string', u: K } } } });
      return program({ name: 'own', ontologies: [own], rules: [decide('as', own.proposal.a({})).approvesWithoutConditions('x')] });
    },
    'dsl/column-type: action.a.t',
  ],
  [
    'a kind is misspelt',
    () => {
      const own = defineOntology({ facts: { a: { k: K } } });
      return program({ name: 'own', ontologies: [own] });
    },
    'dsl/kind-unknown',
  ],
  ['a stamp is a column', () => merged(defineOntology({ candidate: { c: { session: z.string() } } })), 'dsl/column-reserved'],
  ['a judgement is a column', () => merged(defineOntology({ action: { c: { in: { reason: z.string() } } } })), 'dsl/column-reserved'],
  ['a name is reserved', () => merged(defineOntology({ query: { outcome: { in: { k: K }, out: {} } } })), 'dsl/name-reserved'],
  ['a name is reserved of an action', () => merged(defineOntology({ action: { queryExecute: { in: { k: K } } } })), 'dsl/name-reserved'],
  [
    'a name is two kinds',
    () => merged(defineOntology({ candidate: { c: { k: K } }, proposal: { c: { a: z.string() } } })),
    'dsl/kind-twice',
  ],
  [
    'a name is two kinds in two ontologies',
    () => merged(small, defineOntology({ scope, candidate: { hint: { k: K } } })),
    'dsl/kind-twice: hint',
  ],
  [
    'a name is an action and a query in two ontologies',
    () => merged(small, defineOntology({ scope, query: { ping: { in: { k: K }, out: {} } } })),
    'dsl/kind-twice: ping',
  ],
  [
    'a name is an action and a candidate in two ontologies',
    () => merged(small, defineOntology({ scope, candidate: { pay: { k: K } } })),
    'dsl/kind-twice: pay',
  ],
  [
    'two scopes',
    () => merged(small, defineOntology({ scope: { session: SessionId, actor: brand('Other', z.string()) }, fact: { z: { k: K } } })),
    'dsl/scope-mismatch',
  ],
  [
    'a candidate is declared twice',
    () => merged(small, defineOntology({ scope, candidate: { order: { n: z.int() } } })),
    'load/relation-twice: candidate.order',
  ],
  [
    'an action is declared twice',
    () => merged(small, defineOntology({ scope, action: { pay: { in: { n: z.int() }, evidence: { e: K } } } })),
    'load/relation-twice: proposal.pay',
  ],
  [
    'a query is declared twice',
    () => merged(small, defineOntology({ scope, query: { find: { in: { n: z.int() }, out: {} } } })),
    'load/relation-twice: query.find',
  ],
  ['a fact is declared twice', () => merged(small, defineOntology({ scope, fact: { a: { n: z.int() } } })), 'load/relation-twice: fact.a'],
  [
    'a brand has two schemas',
    () => merged(small, defineOntology({ scope, fact: { z: { k: brand('K', z.string().min(2)) } } })),
    'load/brand-twice',
  ],
  ['an identity is no column', () => merged(defineOntology({ action: { a: { in: { k: K }, identity: ['x'] } } })), 'dsl/identity-unknown'],
  [
    'a column stands in two parts',
    () => merged(defineOntology({ action: { a: { in: { k: K }, receipt: { k: K } } } })),
    'dsl/column-twice',
  ],
  ['a column stands in the key too', () => merged(defineOntology({ observation: { a: keyed({ k: K }, { k: K }) } })), 'dsl/column-twice'],
  ['a name is none', () => merged(defineOntology({ action: { 'a b': { in: { k: K } } } })), 'dsl/name-malformed'],
  ['a column is no name', () => merged(defineOntology({ action: { a: { in: { 'a b': K } } } })), 'dsl/name-malformed'],
  ['a group has an unknown member', () => programWith(together({ sources: [observation.seen] })), 'load/together-source'],
  [
    'a projection of what there is not',
    () => programOf({}, { declarations: [projection('p', [{ relation: 'fact.zz' }])] }),
    'load/declaration',
  ],
  ['a mapper writes what there is not', () => mapping('observation.zz'), 'load/declaration: reportKind m: unknown relation observation.zz'],
  ['a mapper writes what is in no namespace', () => mapping('open.zz'), 'load/declaration: reportKind m: unknown relation open.zz'],
  [
    'a mapper writes evidence that there is not',
    () => mapping('candidate.zz'),
    'load/declaration: reportKind m: a mapper writes observations',
  ],
  [
    'a capability declared twice',
    () => programOf({}, { declarations: [capability('c', { carries: [intent.pay] }), capability('c', { carries: [intent.pay] })] }),
    'load/declaration',
  ],
];

describe('one fault', () => {
  test.each(FAULTS)('%s: one issue', (_fault, make, issue) => {
    const issues = told(make());
    expect(issues.map((one) => one.slice(0, issue.length))).toEqual([issue]);
  });

  test('beside another one leaves both', () => {
    const both = programOf({
      r: rule(fact.a({ k })).when(candidate.order({ k })),
      again: rule(fact.a({ k })).when(candidate.order({ k })),
      view: rule(candidateView.c({ k })).when(proposal.hint({ k })),
      far: rule(fact.b({ k })).when(candidateView.c({ k })),
      wish: rule(proposalView.p({ k })).when(unknown('observation.sen', { k: { var: 'k' } })),
    });
    expect(told(both).map((issue) => issue.split(':').slice(0, 2).join(':').slice(0, 60))).toEqual([
      'load/relation-unknown: rule m.wish',
      'load/cut-bypassed: candidate.order reaches fact.a without de',
      'load/cut-bypassed: candidateView.c reaches fact.b without de',
      'load/cut-bypassed: proposal.hint reaches fact.b without deci',
      'load/grade-exceeded: rule m.again',
    ]);
  });
});

describe('the wrong program of a page', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/countersign/one-fault');
  const names = ['dsl', 'load'].flatMap((area) => readdirSync(join(root, 'docs/issues', area)).map((name) => `${area}/${name}`));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = names.map((name): [code: string, file: string] => {
    const path = `docs/issues/${name}`;
    const file = join(folder, `${name.replaceAll(/[^\w]+/g, '-')}.ts`);
    writeFileSync(file, `${examplesOfPage(path, readFileSync(join(root, path), 'utf8'))[0]?.code ?? ''}export {};\n`);
    return [name.replace(/\.md$/, ''), file];
  });

  test.each(files)('of %s has one issue', async (code, file) => {
    const thrown: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => error);
    const issues = isCountersignError(thrown) ? thrown.issues.map((issue) => `${issue.code}: ${issue.what}`) : [String(thrown)];
    expect(issues).toEqual([expect.stringMatching(`^${code}: `)]);
  });
});
