/** Ways to launder a model's word into a fact or an act: each must fail to load, also when the compiler was told to look away. */
import { describe, expect, test } from 'vitest';
import { IR } from '../../dsl/ir.ts';
import {
  admitted,
  amount,
  approvedView,
  by,
  candidate,
  candidateView,
  codes,
  confirmed,
  decision,
  fact,
  found,
  id,
  intent,
  issuesOf,
  K,
  k,
  lifecycle,
  observation,
  programOf,
  programWith,
  proposal,
  proposalView,
  query,
  queryresult,
  req,
  scope,
  small,
  told,
} from './fixture.ts';
import { always, countOf, decide, defineOntology, eq, gt, maxOf, minOf, not, or, program, rule, ruleset } from './language.ts';

const seen = observation.seen({ k });
const reaches = (value: unknown) => issuesOf(value, 'load/cut-bypassed').map((issue) => issue.trail.join(' > '));

describe('laundering into a fact', () => {
  test.each<[string, object, string]>([
    ['A04 directly', { r: rule(fact.a({ k })).when(candidate.order({ k })) }, 'candidate.order > fact.a'],
    [
      'through a helper relation',
      { v: rule(candidateView.c({ k })).when(candidate.order({ k })), r: rule(fact.b({ k })).when(candidateView.c({ k })) },
      'candidate.order > candidateView.c > fact.b',
    ],
    [
      'through a view of a better grade',
      { v: rule(approvedView.v({ k })).when(candidate.order({ k })), r: rule(fact.b({ k })).when(approvedView.v({ k })) },
      'candidate.order > approvedView.v > fact.b',
    ],
    ['A28 under not', { r: rule(fact.a({ k })).when(seen, not(candidate.order({ k }))) }, 'candidate.order > fact.a'],
    ['A28 by a count', { r: rule(fact.a({ k })).when(seen, gt(countOf(candidate.order, { per: { k } }), 1)) }, 'candidate.order > fact.a'],
    ['by the least', { r: rule(fact.a({ k })).when(seen, gt(minOf(candidate.quote, { of: 'amount' }), 1)) }, 'candidate.quote > fact.a'],
    [
      'by the greatest, inside an expression',
      { r: rule(fact.a({ k })).when(seen, maxOf(candidate.quote, { of: 'amount' }).as(amount), eq(amount, 3)) },
      'candidate.quote > fact.a',
    ],
    [
      'with constants in the head only, so that no column flows',
      { r: rule(fact.a({ k: 'x' })).when(candidate.order({})) },
      'candidate.order > fact.a',
    ],
    ['inside a branch of an or', { r: rule(fact.a({ k })).when(or(seen, candidate.order({ k }))) }, 'candidate.order > fact.a'],
    ['by recursion', { r: rule(fact.a({ k })).when(fact.a({ k }), candidate.order({ k })) }, 'candidate.order > fact.a'],
    ['by a rejection', { r: rule(fact.a({ k })).when(decision.rejected.order({ k })) }, 'decision.rejected.order > fact.a'],
    ['by a held card', { r: rule(fact.a({ k })).when(decision.held.order({ k })) }, 'decision.held.order > fact.a'],
    ['A27 by rows of a read', { r: rule(fact.a({ k })).when(queryresult.find({ found: k })) }, 'queryresult.find > fact.a'],
    [
      'by a row that a lifecycle name lends its grade to',
      { r: rule(fact.loud({ text: 'called' })).when(lifecycle.modelCalled({ class: 'answered' })) },
      'lifecycle.modelCalled > fact.loud',
    ],
    [
      'by the bindings of an act that no one approved',
      { i: rule(intent.ping({ id, k })).when(proposal.hint({ id, k })), r: rule(fact.a({ k })).when(admitted.ping({ k })) },
      'proposal.hint > intent.ping > admitted.ping > fact.a',
    ],
  ])('%s does not load', (_way, rules, trail) => {
    expect(reaches(programOf(rules))).toContain(trail);
  });

  test('A12 beside a correct gate does not load', () => {
    const rules = {
      accept: rule(decision.accepted.order({ k })).when(candidate.order({ k }), seen),
      gated: rule(fact.a({ k })).when(decision.accepted.order({ k })),
      bypass: rule(fact.a({ k })).when(candidate.order({ k })),
    };
    expect(issuesOf(programOf(rules), 'load/cut-bypassed').map((issue) => issue.what)).toEqual([
      'candidate.order reaches fact.a without decision.accepted.*: candidate.order -[m.bypass]-> fact.a',
    ]);
  });

  test('in another module does not load', () => {
    const module = defineOntology({ scope, fact: { z: { k: K } } });
    const rules = ruleset('late', { z: rule(module.fact.z({ k })).when(candidate.order({ k })) });
    expect(reaches(program({ name: 'two', ontologies: [small, module], rules: [rules] }))).toEqual(['candidate.order > fact.z']);
  });

  test("through a query's body does not load", () => {
    const finds = ruleset('finds', { all: rule(query.find({ k, found })).when(candidate.order({ k }), candidate.order({ k: found })) });
    const value = programOf({ r: rule(fact.a({ k })).when(queryresult.find({ k })) }, { queries: [finds] });
    expect(reaches(value)).toContain('candidate.order > query.find > queryresult.find > fact.a');
  });
});

describe('laundering into an act', () => {
  test.each<[string, object, string]>([
    ['A06 a proposal directly', { r: rule(intent.ping({ id, k })).when(proposal.ping({ id, k })) }, 'proposal.ping > intent.ping'],
    [
      'a proposal through an acceptance that rests on it',
      {
        v: rule(candidateView.c({ k })).when(proposal.hint({ k })),
        a: rule(decision.accepted.order({ k })).when(candidate.order({ k }), candidateView.c({ k })),
        r: rule(intent.ping({ id: 'i', k })).when(decision.accepted.order({ k })),
      },
      'proposal.hint > candidateView.c > decision.accepted.order > intent.ping',
    ],
    [
      'a proposal through a view of wishes',
      { v: rule(proposalView.p({ k })).when(proposal.hint({ k })), r: rule(intent.ping({ id: 'i', k })).when(proposalView.p({ k })) },
      'proposal.hint > proposalView.p > intent.ping',
    ],
    [
      'a proposal through its confirmation',
      { r: rule(intent.ping({ id, k: 'x' })).when(confirmed.ping({ id, by })) },
      'proposal.ping > confirmed.ping > intent.ping',
    ],
    [
      'A27 accepted rows of a read, through a fact',
      {
        a: rule(decision.accepted.find({ k, found, req })).when(queryresult.find({ k, found, req }), seen),
        f: rule(fact.a({ k: found })).when(decision.accepted.find({ found })),
        r: rule(intent.ping({ id: 'i', k })).when(fact.a({ k })),
      },
      'queryresult.find > decision.accepted.find > fact.a > intent.ping',
    ],
    [
      'the outcome of a read',
      { r: rule(intent.ping({ id: 'i', k })).when(seen, queryresult.outcome({ outcome: 'failed' })) },
      'queryresult.outcome > intent.ping',
    ],
    [
      'an unknown effect',
      { r: rule(intent.ping({ id: 'i', k })).when(seen, lifecycle.effectUnknown({ class: 'timeout' })) },
      'lifecycle.effectUnknown > intent.ping',
    ],
    [
      'a rejection of a proposal',
      { r: rule(intent.ping({ id, k })).when(decision.rejected.ping({ id, k })) },
      'decision.rejected.ping > intent.ping',
    ],
  ])('%s does not load', (_way, rules, trail) => {
    expect(reaches(programOf(rules))).toContain(trail);
  });

  test('an execution of a read that no one approved does not load', () => {
    expect(codes(programOf({ r: rule(intent.queryExecute({ id: 'i', query: 'find' })).when(seen) }))).toEqual(['load/unfaithful']);
    const swapped = rule(intent.queryExecute({ id, query: 'other' })).when(decision.approved.queryExecute({ id, query: 'find' }));
    expect(told(programOf({ r: swapped }))).toEqual([
      'load/unfaithful: rule m.r: intent.queryExecute must restate decision.approved.queryExecute, with its id and query',
    ]);
  });
});

describe('laundering by what a rule is written in', () => {
  const forged = (ir: unknown) => ({ [IR]: ir });
  const atom = (relation: string, columns: object = {}) => ({ kind: 'atom', relation, columns });

  test('a hand-built rule under a hand-built program is judged by its names', () => {
    const one = { kind: 'rule', head: atom('fact.a', { k: { const: 'x' } }), body: [atom('candidate.order')] };
    const ontology = (small as { [IR]?: unknown })[IR];
    const value = forged({
      kind: 'program',
      name: 'forged',
      ontologies: [ontology],
      rules: [{ kind: 'ruleset', name: 'm', rules: { r: one } }],
      queries: [],
      invariants: [],
      declarations: [],
    });
    expect(reaches(value)).toEqual(['candidate.order > fact.a']);
  });

  test('a program that carries no IR of ours is refused', () => {
    expect(codes({ kind: 'program', name: 'x', ontologies: [], rules: [], queries: [], invariants: [] })).toEqual(['load/not-ours']);
    expect(codes(forged({ kind: 'ontology' }))).toEqual(['load/not-ours']);
  });

  test('a relation by a string is judged by that string', () => {
    const named = forged(atom('candidate.order', { k: { var: 'k' } }));
    expect(reaches(programOf({ r: rule(fact.a({ k })).when(named) }))).toEqual(['candidate.order > fact.a']);
    expect(told(programOf({ r: rule(forged(atom('fact.zzz'))).when(candidate.order({ k })) }))).toContain(
      'load/cut-bypassed: candidate.order reaches fact.zzz without decision.accepted.*: candidate.order -[m.r]-> fact.zzz',
    );
  });

  test.each([
    'open.order',
    'verdict.approved.pay',
    'verdict.accepted.order',
    'answer.pay',
    'exposure.pay',
    'standing.ping',
    'proposalView.pays.needs1',
  ])('a generated relation, %s, has no name that a rule could use', (name) => {
    expect(codes(programOf({ r: rule(fact.a({ k: 'x' })).when(forged(atom(name))) }))).toContain('load/relation-unknown');
    expect(codes(programOf({ r: rule(forged(atom(name))).when(seen) }))).toContain('load/relation-unknown');
    const clause = decide('pays', proposal.pay({ k, amount }))
      .needs('x', seen)
      .rejects('y', forged(atom(name)));
    expect(codes(programWith(clause))).toContain('load/relation-unknown');
  });

  test('an observation that a forged declaration calls a decision of a source is no decision', () => {
    const ontology = (small as { [IR]?: { relations: Record<string, { reserved: object }> } })[IR];
    const ghost = { name: 'decision.accepted.ghost', columns: {}, reserved: ontology?.relations['candidate.order']?.reserved };
    const relations = { ...ontology?.relations, [ghost.name]: ghost };
    const value = forged({
      kind: 'program',
      name: 'forged',
      ontologies: [{ ...ontology, relations }],
      rules: [(ruleset('m', { r: rule(forged(atom('decision.accepted.ghost'))).when(seen) }) as { [IR]?: unknown })[IR]],
      queries: [],
      invariants: [],
      declarations: [],
    });
    expect(told(value)).toEqual([
      'load/unfaithful: rule m.r: decision.accepted.ghost is about ghost, which is no candidate, proposal, action or query',
    ]);
  });

  test('a forged decision relation that drops a column of its source is refused', () => {
    const ontology = (small as { [IR]?: { relations: Record<string, object> } })[IR];
    const approved = { ...ontology?.relations['decision.approved.pay'], columns: {}, recorded: [] };
    const value = forged({
      kind: 'program',
      name: 'forged',
      ontologies: [{ ...ontology, relations: { ...ontology?.relations, 'decision.approved.pay': approved } }],
      rules: [],
      queries: [],
      invariants: [],
      declarations: [],
    });
    expect(told(value)).toContain('load/malformed: decision.approved.pay lacks the columns k, amount of proposal.pay');
  });

  test('a candidate that borrows a lifecycle name is a candidate all the same', () => {
    const own = defineOntology({ candidate: { modelCalled: { k: K } }, fact: { z: { k: K } } });
    const rules = ruleset('m', { r: rule(own.fact.z({ k })).when(own.candidate.modelCalled({ k })) });
    expect(reaches(program({ name: 'own', ontologies: [own], rules: [rules] }))).toEqual(['candidate.modelCalled > fact.z']);
  });

  test('a query that borrows a generated name is refused', () => {
    const own = defineOntology({ query: { outcome: { in: { k: K }, out: {} }, queryExecute: { in: { k: K }, out: {} } } });
    expect(codes(program({ name: 'own', ontologies: [own], rules: [] }))).toContain('dsl/name-reserved');
  });

  test('a decide over evidence by another is told where it stands', () => {
    const needs = decide('pays', proposal.pay({ k, amount }))
      .needs('a word', candidate.order({ k }))
      .records({ day: 'd' })
      .otherwiseApproves();
    expect(told(programWith(needs))).toContain(
      'load/needs-evidence: decide pays: needs "a word": candidate.order is evidence: what a decision rests on is a trusted or approved row',
    );
    const awaits = decide('pings', proposal.ping({ k })).awaits('a word', proposal.hint({ k })).approvesWithoutConditions('it is harmless');
    expect(codes(programWith(awaits))).toEqual(['load/needs-evidence']);
    const answers = decide('pings', proposal.ping({ k }))
      .needs('x', seen)
      .asks('sure?', always, { by: candidate.order({ k, actor: by }) })
      .otherwiseApproves();
    expect(codes(programWith(answers))).toEqual(['load/needs-evidence']);
    const still = decide('pings', proposal.ping({ k })).needs('x', seen).stillNeeds('a word', candidate.order({ k })).otherwiseApproves();
    expect(codes(programWith(still))).toEqual(['load/cut-bypassed']);
  });

  test('a count in a limit over the decisions of another source is not written at all', () => {
    const limited = decide('pings', proposal.ping({ k })).needs('x', seen).limits('one', { per: { k }, max: 1 }).otherwiseApproves();
    expect(told(programWith(limited))).toEqual([]);
  });
});
