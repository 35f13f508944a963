/** Counterexamples about the order of decisions: which row goes first, what it may see, and that deciding ends. */
import * as z from 'zod';
import { countOf } from '../../dsl/aggregate.ts';
import { decide } from '../../dsl/decide.ts';
import { fn } from '../../dsl/fn.ts';
import { always, gt, lt, not } from '../../dsl/literal.ts';
import { rule, ruleset, invariant } from '../../dsl/rule.ts';
import { vars } from '../../dsl/term.ts';
import { bank, bankProgram, first, leave, noise, pay, second, seen, step, today } from './bank.ts';
import { follow } from './bank.ts';
import { reports, says } from './driver.ts';
import type { Hole } from './holes.ts';

const { candidate, decision, observation, proposal, proposalView } = bank;
const { id, to, n, day, capture, ordinal, session } = bank.vars;
const { later, z: score, count } = vars({ later: z.int(), z: z.int(), count: z.int() });

const small = fn('small', '1', [z.int()], z.int(), (value) => {
  if (value > 9) throw new Error('too large');
  return value;
});

const stepsProgram = bankProgram({
  rules: [
    ruleset('steps', {
      one: rule(decision.approved.step({ id, k: 1 })).when(proposal.step({ id, k: 1 }), decision.approved.step({ k: 2 })),
      two: rule(decision.approved.step({ id, k: 2 })).when(proposal.step({ id, k: 2 })),
      three: rule(decision.approved.step({ id, k: 3 })).when(proposal.step({ id, k: 3 })),
      never: rule(decision.rejected.step({ id, k: 3, reason: 'one is not approved' })).when(
        proposal.step({ id, k: 3 }),
        not(decision.approved.step({ k: 1 })),
      ),
    }),
  ],
});

const paymentsOf = (...clauses: readonly ('superseded' | 'day')[]) => {
  const source = decide('pay', proposal.pay({ id, to, n, capture, ordinal }));
  if (clauses.includes('day'))
    return source.awaits('a day', observation.today({ day })).records({ day }).approvesWithoutConditions('a test');
  return source
    .rejects('superseded', proposal.leave({ capture, to, ordinal: later }), gt(later, ordinal))
    .records({ day: 0 })
    .approvesWithoutConditions('a test');
};
const literalOrder = (...body: readonly ('f' | 'below five')[]) => {
  const literals = { f: small(n).as(score), 'below five': lt(n, 5) };
  return bankProgram({
    rules: [
      ruleset('seen', {
        accept: rule(decision.accepted.seen({ id, to, n })).when(
          candidate.seen({ id, to, n }),
          ...body.map((literal) => literals[literal]),
        ),
      }),
    ],
  });
};

export const orderHoles: readonly Hole[] = [
  {
    title: 'what is held is a status: an evidence view reads it, no record is made of it, and deciding ends',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n }))
          .records({ day: 0 })
          .asks('always', always)
          .approvesWithoutConditions('a person is asked'),
        ruleset('views', { waiting: rule(proposalView.waiting({ to })).when(decision.held.pay({ to })) }),
      ],
    }),
    events: [says('s', 'c', pay('x', 1), pay('y', 2))],
    expected: { statuses: { 'c.1': 'held', 'c.2': 'held' }, rows: { 'proposalView.waiting': [{ to: 'x' }, { to: 'y' }] }, acts: [] },
  },
  {
    title: 'the first row by seq that has a verdict is decided next: what it was waiting for is recorded before a later row is judged',
    program: stepsProgram,
    events: [says('s', 'c', step(1), step(2), step(3))],
    expected: { statuses: { 'c.1': 'approved', 'c.2': 'approved', 'c.3': 'approved' } },
  },
  {
    title: 'a row that awaits the admission of another in its reply is judged in the same transition',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n })).records({ day: 0 }).approvesWithoutConditions('a test'),
        decide('follow', proposal.follow({ id, to })).awaits('a payment', bank.admitted.pay({ to })).approvesWithoutConditions('a test'),
      ],
    }),
    events: [says('s', 'c', pay('x', 1), follow('x'))],
    expected: { statuses: { 'c.1': 'approved', 'c.2': 'approved' }, acts: ['admitted pay c.1', 'admitted follow c.2'] },
  },
  {
    title: 'what is taken back in the same capture is superseded; taken back in a later one it is too late',
    program: bankProgram({ rules: [paymentsOf('superseded')] }),
    events: [says('s', 'c', pay('x', 1), leave('x')), says('s', 'd', pay('x', 1)), says('s', 'e', leave('x'))],
    expected: { statuses: { 'c.1': 'rejected', 'd.1': 'approved' }, reasons: { 'c.1': ['superseded'] } },
  },
  {
    title: 'a need on a decision that comes later in the same reply rejects for good',
    program: bankProgram({
      rules: [
        decide('first', proposal.first({ id, session })).needs('the second', decision.approved.second({ session })).otherwiseApproves(),
        decide('second', proposal.second({ id })).approvesWithoutConditions('a test'),
      ],
    }),
    events: [says('s', 'c', first, second)],
    expected: { statuses: { 'c.1': 'rejected', 'c.2': 'approved' }, reasons: { 'c.1': ['the second'] } },
  },
  {
    title: 'two rows that await each other wait for ever, and deciding ends',
    program: bankProgram({
      rules: [
        decide('first', proposal.first({ id, session }))
          .awaits('the second', decision.approved.second({ session }))
          .approvesWithoutConditions('a test'),
        decide('second', proposal.second({ id, session }))
          .awaits('the first', decision.approved.first({ session }))
          .approvesWithoutConditions('a test'),
      ],
    }),
    events: [says('s', 'c', first, second), reports('s', noise)],
    expected: { statuses: { 'c.1': 'pending', 'c.2': 'pending' } },
  },
  {
    title: 'a function that would fail on a row that another literal excludes fails nothing (function first)',
    program: literalOrder('f', 'below five'),
    events: [says('s', 'c', seen('x', 10), seen('x', 4))],
    expected: { statuses: { 'c.1': 'pending', 'c.2': 'accepted' } },
  },
  {
    title: 'a function that would fail on a row that another literal excludes fails nothing (function last)',
    program: literalOrder('below five', 'f'),
    events: [says('s', 'c', seen('x', 10), seen('x', 4))],
    expected: { statuses: { 'c.1': 'pending', 'c.2': 'accepted' } },
  },
  {
    title: 'rows that waited cannot keep out the truth that they waited for: the last of them is rejected by the invariant',
    program: bankProgram({
      rules: [paymentsOf('day')],
      invariants: [invariant('at most two').never(countOf(bank.admitted.pay).as(count), gt(count, 2))],
    }),
    events: [says('s', 'a', pay('x', 1), pay('x', 1), pay('x', 1)), reports('s', today(1)), reports('s', today(1))],
    expected: {
      statuses: { 'a.1': 'approved', 'a.2': 'approved', 'a.3': 'rejected' },
      reasons: { 'a.3': ['invariant: at most two'] },
      came: ['committed', 'committed', 'committed'],
      rows: { 'observation.today': [{ day: 1 }] },
    },
  },
  {
    title: 'a reply that violates an invariant by its own rows alone is refused whole, and sent again it gets the same answer',
    program: bankProgram({
      rules: [paymentsOf('day')],
      invariants: [invariant('at most two').never(countOf(bank.admitted.pay).as(count), gt(count, 2))],
    }),
    events: [
      reports('s', today(1)),
      says('s', 'a', pay('x', 1), pay('x', 1), pay('x', 1)),
      says('s', 'a', pay('x', 1), pay('x', 1), pay('x', 1)),
    ],
    expected: { statuses: { 'a.1': undefined }, acts: [], came: ['committed', 'refused', 'answered'] },
  },
];
