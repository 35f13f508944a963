/** Cycles: recursion is a rule like any other, and what depends on its own absence or total does not load. */
import { describe, expect, test } from 'vitest';
import {
  admitted,
  approvedView,
  at,
  candidateView,
  decision,
  fact,
  found,
  id,
  intent,
  issuesOf,
  k,
  n,
  observation,
  other,
  programOf,
  proposal,
  proposalView,
  query,
  started,
  told,
  withdrawn,
} from './fixture.ts';
import { and, countOf, gt, maxOf, not, or, plus, rule, ruleset, sumOf } from './language.ts';

const seen = observation.seen({ k });
const cycles = (value: unknown) => issuesOf(value, 'load/unstratified').map((issue) => issue.trail.join(' > '));

describe('cycles', () => {
  test('positive recursion loads', () => {
    const rules = {
      base: rule(fact.a({ k })).when(seen),
      step: rule(fact.a({ k })).when(fact.a({ k: other }), observation.seen({ k }), observation.seen({ k: other })),
      back: rule(fact.b({ k })).when(fact.a({ k })),
      forth: rule(fact.a({ k })).when(fact.b({ k })),
    };
    expect(told(programOf(rules))).toEqual([]);
  });

  test('negation of something below loads', () => {
    expect(told(programOf({ a: rule(fact.a({ k })).when(seen, not(fact.b({ k }))), b: rule(fact.b({ k })).when(seen) }))).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['R50 a relation that negates itself', { a: rule(fact.a({ k })).when(seen, not(fact.a({ k }))) }, 'fact.a > fact.a'],
    [
      'R50 two relations that negate each other',
      { p: rule(fact.a({ k })).when(seen, not(fact.b({ k }))), q: rule(fact.b({ k })).when(seen, not(fact.a({ k }))) },
      'fact.b > fact.a > fact.b',
    ],
    [
      'R50 two relations, one negation',
      { p: rule(fact.a({ k })).when(seen, not(fact.b({ k }))), q: rule(fact.b({ k })).when(fact.a({ k })) },
      'fact.b > fact.a > fact.b',
    ],
    [
      'R50 three relations',
      {
        p: rule(fact.a({ k })).when(seen, not(fact.b({ k }))),
        q: rule(fact.b({ k })).when(fact.c({ k })),
        r: rule(fact.c({ k })).when(fact.a({ k })),
      },
      'fact.b > fact.a > fact.c > fact.b',
    ],
    ['R50 R52 a count of itself', { a: rule(fact.n({ k, n })).when(seen, countOf(fact.n, { per: { k } }).as(n)) }, 'fact.n > fact.n'],
    [
      'R52 a sum of itself, one hop away',
      {
        a: rule(fact.n({ k, n })).when(seen, sumOf(candidateView.n, { of: 'n' }).as(n)),
        b: rule(candidateView.n({ n })).when(fact.n({ n })),
      },
      'candidateView.n > fact.n > candidateView.n',
    ],
    [
      'R50 an aggregate inside an expression inside a comparison',
      { a: rule(fact.a({ k })).when(seen, gt(plus(countOf(fact.b), 1), 2)), b: rule(fact.b({ k })).when(fact.a({ k })) },
      'fact.b > fact.a > fact.b',
    ],
    [
      'R50 a negation in one branch of an or',
      { a: rule(fact.a({ k })).when(seen, or(seen, and(seen, not(fact.b({ k }))))), b: rule(fact.b({ k })).when(fact.a({ k })) },
      'fact.b > fact.a > fact.b',
    ],
    ['R50 the greatest of itself', { a: rule(fact.n({ k, n })).when(seen, maxOf(fact.n, { of: 'n' }).as(n)) }, 'fact.n > fact.n'],
  ])('%s does not load', (_claim, rules, trail) => {
    expect(cycles(programOf(rules))).toEqual([trail]);
  });

  test('R50 the cycle is printed, with its rules', () => {
    const rules = { p: rule(fact.a({ k })).when(seen, not(fact.b({ k }))), q: rule(fact.b({ k })).when(fact.a({ k })) };
    expect(told(programOf(rules))).toEqual([
      'load/unstratified: rule m.p: fact.a depends on its own negation or aggregate: fact.b -[m.p]-> fact.a -[m.q]-> fact.b',
    ]);
  });

  test('R50 a cycle through the rules of a query does not load', () => {
    const finds = ruleset('finds', {
      a: rule(query.find({ k, found })).when(seen, observation.seen({ k: found }), not(query.find({ k: found, found: k }))),
    });
    expect(cycles(programOf({}, { queries: [finds] }))).toEqual(['query.find > query.find']);
  });

  test('a decision is read as recorded, so verdicts may count and negate verdicts', () => {
    const rules = {
      yes: rule(decision.approved.hint({ k })).when(proposal.hint({ k }), not(decision.rejected.hint({ k }))),
      no: rule(decision.rejected.hint({ k, reason: 'enough' })).when(proposal.hint({ k }), gt(countOf(decision.approved.hint), 2)),
      view: rule(proposalView.p({ k })).when(proposal.hint({ k }), not(decision.approved.hint({ k }))),
      more: rule(decision.rejected.hint({ k, reason: 'seen' })).when(proposal.hint({ k }), proposalView.p({ k })),
    };
    expect(told(programOf(rules))).toEqual([]);
  });
});

describe('an intent and its own admission', () => {
  const selfWithdrawing = (rules: object) => issuesOf(programOf(rules), 'load/self-withdrawing').map((issue) => issue.what);

  test.each<[string, object]>([
    [
      'negates its own admission',
      { r: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), not(admitted.call({ k }))) },
    ],
    ['counts its own starts', { r: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), countOf(started.call).as(n)) }],
    [
      'negates its own withdrawal',
      { r: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), not(withdrawn.call({ k }))) },
    ],
    [
      'negates a view of its own admission',
      {
        v: rule(approvedView.v({ k })).when(admitted.call({ k })),
        r: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), not(approvedView.v({ k }))),
      },
    ],
    [
      'reads a view that negates it',
      {
        v: rule(approvedView.v({ k })).when(seen, not(admitted.call({ k }))),
        r: rule(intent.call({ k, at })).when(approvedView.v({ k }), observation.today({ day: at })),
      },
    ],
  ])('does not load where it %s', (_claim, rules) => {
    expect(selfWithdrawing(rules)).toHaveLength(1);
  });

  test('names the rule, the intent and what it rests on', () => {
    const rules = { r: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), not(admitted.call({ k }))) };
    expect(selfWithdrawing(rules)).toEqual([
      'rule m.r: intent.call rests on the absence or the total of admitted.call, which its own admission changes',
    ]);
  });

  test('loads where it waits for the absence of another act, or for the presence of its own', () => {
    const rules = {
      other: rule(intent.call({ k, at })).when(seen, observation.today({ day: at }), not(admitted.ping({ k }))),
      own: rule(intent.ping({ id, k })).when(seen, admitted.ping({ id, k })),
    };
    expect(selfWithdrawing(rules)).toEqual([]);
  });

  test('loads where only a decision rests on the absence of its admission, since it is made once', () => {
    const rules = {
      r: rule(decision.approved.ping({ id, k })).when(proposal.ping({ id, k }), not(admitted.ping({ k }))),
      i: rule(intent.ping({ id, k })).when(decision.approved.ping({ id, k })),
    };
    expect(told(programOf(rules))).toEqual([]);
  });
});
