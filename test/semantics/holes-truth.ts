/** Counterexamples about truth and evidence: what cannot be computed, who is blamed, and what may never be kept out. */
import * as z from 'zod';
import { countOf, sumOf } from '../../dsl/aggregate.ts';
import { decide } from '../../dsl/decide.ts';
import { fn } from '../../dsl/fn.ts';
import { eq, gt, lt, neq } from '../../dsl/literal.ts';
import { invariant, rule, ruleset } from '../../dsl/rule.ts';
import { vars } from '../../dsl/term.ts';
import { RowId } from '../../dsl/stamp.ts';
import { bank, bankProgram, first, lie, limit, open, pay, scan, seen, today } from './bank.ts';
import { reports, says, starts } from './driver.ts';
import type { Hole } from './holes.ts';

const { candidate, candidateView, decision, fact, observation, proposal } = bank;
const { id, to, n, day, most } = bank.vars;
const {
  z: score,
  a,
  b,
  other,
  there,
  count,
} = vars({ z: z.int(), a: z.int().nonnegative(), b: z.int().nonnegative(), other: RowId, there: z.string(), count: z.int() });

const refuses = (limitOf: number) => (left: number, right: number) => {
  if (left + right > limitOf) throw new Error('too much');
  return left;
};
const small = fn('small', '1', [z.int()], z.int(), (value) => {
  if (value > 9) throw new Error('too large');
  return value;
});
const both = fn('both', '1', [z.int(), z.int()], z.int(), refuses(900));
const acceptSeen = rule(decision.accepted.seen({ id, to, n })).when(candidate.seen({ id, to, n }));
const acceptSmall = rule(decision.accepted.seen({ id, to, n })).when(candidate.seen({ id, to, n }), lt(n, 100));
const payKnown = decide('pay', proposal.pay({ id, to, n }))
  .awaits('known', fact.known({ to }))
  .records({ day: 0 })
  .approvesWithoutConditions('a test');
const knows = rule(fact.known({ to })).when(decision.accepted.seen({ to }));

export const truthHoles: readonly Hole[] = [
  {
    title: 'a sum that no column can hold is blamed on the evidence in it, newest first; decided rows and honest ones that fit stay',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSmall,
          total: rule(candidateView.total({ n: score })).when(observation.open({}), sumOf(candidate.seen, { of: 'n' }).as(score)),
        }),
      ],
    }),
    events: [reports('s', open(true)), says('evil', 'e', seen('x', Number.MAX_SAFE_INTEGER)), says('s', 'h', seen('x', 2))],
    expected: { statuses: { 'e.1': 'pending', 'h.1': 'rejected' }, setAside: ['h.1'] },
  },
  {
    title: 'a sum beyond the safe integers may be compared: only writing it into a head fails',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSmall,
          large: rule(fact.known({ to: 'large' })).when(
            observation.open({}),
            sumOf(decision.accepted.seen, { of: 'n' }).as(score),
            gt(score, 3),
          ),
        }),
      ],
    }),
    events: [reports('s', open(true)), says('s', 'h', seen('x', 2), seen('x', 3))],
    expected: { statuses: { 'h.1': 'accepted', 'h.2': 'accepted' }, rows: { 'fact.known': [{ to: 'large' }] } },
  },
  {
    title: 'a function over two evidence rows lets the older one throw out the newer one, so it does not load',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSmall,
          pair: rule(candidateView.pair({ whose: id, z: score })).when(
            candidate.seen({ id, to, n: a }),
            candidate.seen({ to, n: b }),
            observation.scan({ to }),
            both(a, b).as(score),
          ),
        }),
      ],
    }),
    isRefused: true,
    events: [says('evil', 'e', seen('t', 899)), says('s', 'h', seen('t', 2)), reports('s', scan('t'))],
    expected: { statuses: { 'e.1': 'rejected', 'h.1': 'accepted' }, setAside: ['e.1'] },
  },
  {
    title: 'a rule that compares the judged row with another through a function lets a hostile row reject honest ones, so it does not load',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSeen,
          same: rule(decision.rejected.seen({ id, to, n, reason: 'the same' })).when(
            candidate.seen({ id, to, n }),
            candidate.seen({ id: other, n: b }),
            neq(id, other),
            both(n, b).as(score),
            eq(score, 0),
          ),
        }),
      ],
    }),
    isRefused: true,
    events: [says('evil', 'e', seen('x', 899)), says('s', 'h', seen('x', 2)), says('s', 'i', seen('x', 3))],
    expected: { statuses: { 'e.1': 'accepted', 'h.1': 'rejected', 'i.1': 'rejected' } },
  },
  {
    title: 'a view that fails on what this transition accepted starts it again without that row, and nothing rests on it',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSeen,
          approve: rule(decision.approved.first({ id })).when(proposal.first({ id }), decision.accepted.seen({})),
          score: rule(fact.score({ z: score })).when(decision.accepted.seen({ n }), observation.open({}), small(n).as(score)),
        }),
      ],
    }),
    events: [reports('s', open(true)), says('s', 'c', seen('x', 10), first)],
    expected: {
      statuses: { 'c.1': 'rejected', 'c.2': 'pending' },
      setAside: ['c.1'],
      reasons: { 'c.1': ['set aside: seen.score: too large'] },
    },
  },
  {
    title: 'what cannot be computed about the judged row alone rejects it with rule and cause',
    program: bankProgram({
      rules: [
        ruleset('seen', { accept: rule(decision.accepted.seen({ id, to, n })).when(candidate.seen({ id, to, n }), small(n).as(score)) }),
      ],
    }),
    events: [says('s', 'c', seen('x', 10), seen('x', 9))],
    expected: { statuses: { 'c.1': 'rejected', 'c.2': 'accepted' }, reasons: { 'c.1': ['undecidable: seen.accept: too large'] } },
  },
  {
    title: 'a view that fails on trusted rows alone refuses the transition, and the ledger goes on',
    program: bankProgram({
      rules: [ruleset('days', { score: rule(fact.score({ z: score })).when(observation.today({ day }), small(day).as(score)) })],
    }),
    events: [reports('s', today(3)), reports('s', today(10)), reports('s', today(4))],
    expected: { came: ['committed', 'refused', 'committed'], rows: { 'fact.score': [{ z: 4 }] } },
  },
  {
    title: 'a failure on trusted arguments beside evidence is blamed on the evidence: no truth is refused for a row of a model',
    program: bankProgram({
      rules: [
        ruleset('days', {
          pair: rule(candidateView.pair({ whose: id, z: score })).when(
            candidate.seen({ id }),
            observation.today({ day }),
            small(day).as(score),
          ),
        }),
      ],
    }),
    events: [says('s', 'c', seen('x', 1)), reports('s', today(10))],
    expected: {
      came: ['committed', 'committed'],
      statuses: { 'c.1': 'rejected' },
      setAside: ['c.1'],
      rows: { 'observation.today': [{ day: 10 }] },
    },
  },
  {
    title: 'an approval rests on the model of its day: the acceptance that it needed is revoked, the approval stays and may start',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n })).needs('known', fact.known({ to })).records({ day: 0 }).otherwiseApproves(),
        ruleset('seen', {
          accept: acceptSeen,
          knows,
          lies: rule(decision.revoked.seen({ id, to, n, reason: 'a lie' })).when(
            decision.accepted.seen({ id, to, n }),
            observation.lie({ to }),
          ),
        }),
      ],
    }),
    events: [says('s', 'a', seen('x')), says('s', 'b', pay('x', 1)), reports('s', lie('x')), starts('pay', 'b.1')],
    expected: {
      statuses: { 'a.1': 'revoked', 'b.1': 'approved' },
      rows: { 'fact.known': [] },
      acts: ['admitted pay b.1', 'started pay b.1'],
    },
  },
  {
    title: 'an older row that a new capture brings into an invariant is the one that falls, and honest evidence stays',
    program: bankProgram({
      rules: [payKnown, ruleset('seen', { accept: acceptSeen, knows })],
      invariants: [invariant('one to each').never(countOf(bank.admitted.pay, { per: { to: 'x' } }).as(count), gt(count, 1))],
    }),
    events: [says('evil', 'e', pay('x', 1), pay('x', 2)), says('s', 'h', seen('x')), says('s', 'h', seen('x'))],
    expected: { statuses: { 'e.1': 'approved', 'e.2': 'rejected', 'h.1': 'accepted' }, came: ['committed', 'committed', 'answered'] },
  },
  {
    title: 'policy is compared with what is due: an approved act that no longer fits is revoked, and the new policy enters',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n }))
          .needs('a floor', observation.limit({ most }))
          .rejects('below', lt(n, most))
          .records({ day: 0 })
          .otherwiseApproves(),
      ],
      invariants: [invariant('below the floor').never(bank.due.pay({ n }), observation.limit({ most }), lt(n, most))],
    }),
    events: [reports('s', limit(100)), says('s', 'a', pay('x', 150)), reports('s', limit(200)), reports('s', limit(200))],
    expected: {
      statuses: { 'a.1': 'revoked' },
      came: ['committed', 'committed', 'committed', 'committed'],
      rows: { 'observation.limit': [{ most: 200 }] },
      reasons: { 'a.1': ['invariant: below the floor'] },
    },
  },
  {
    title: 'what has started is not due: a later policy does not reach back',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n }))
          .needs('a floor', observation.limit({ most }))
          .rejects('below', lt(n, most))
          .records({ day: 0 })
          .otherwiseApproves(),
      ],
      invariants: [invariant('below the floor').never(bank.due.pay({ n }), observation.limit({ most }), lt(n, most))],
    }),
    events: [reports('s', limit(100)), says('s', 'a', pay('x', 150)), starts('pay', 'a.1'), reports('s', limit(200))],
    expected: {
      statuses: { 'a.1': 'approved' },
      came: ['committed', 'committed', 'committed', 'committed'],
      rows: { 'observation.limit': [{ most: 200 }] },
    },
  },
  {
    title: 'truth that contradicts an accepted row revokes it',
    program: bankProgram({
      rules: [
        ruleset('seen', {
          accept: acceptSeen,
          at: rule(fact.at({ to })).when(decision.accepted.seen({ to })),
          scanned: rule(fact.at({ to })).when(observation.scan({ to })),
        }),
      ],
      invariants: [invariant('in one place').never(fact.at({ to }), fact.at({ to: there }), neq(to, there))],
    }),
    events: [says('s', 'a', seen('kitchen')), reports('s', scan('bar'))],
    expected: { statuses: { 'a.1': 'revoked' }, came: ['committed', 'committed'], rows: { 'fact.at': [{ to: 'bar' }] } },
  },
  {
    title: 'what may no longer stand is revoked before an open row is judged, whichever came first in the batch',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n })).needs('known', fact.known({ to })).records({ day: 0 }).otherwiseApproves(),
        ruleset('seen', {
          accept: acceptSeen,
          knows,
          lies: rule(decision.revoked.seen({ id, to, n, reason: 'a lie' })).when(
            decision.accepted.seen({ id, to, n }),
            observation.lie({ to }),
          ),
        }),
      ],
    }),
    events: [
      says('s', 'a', seen('x')),
      { observe: { session: 's', actor: 's', reports: [{ capture: 'b', rows: [pay('x', 1)] }, { rows: [lie('x')] }] } },
    ],
    expected: { statuses: { 'a.1': 'revoked', 'b.1': 'rejected' }, reasons: { 'a.1': ['a lie'], 'b.1': ['known'] } },
  },
];
