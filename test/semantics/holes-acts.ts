/** Counterexamples about acts: identities, admission, adoption. */
import { decide } from '../../dsl/decide.ts';
import { not } from '../../dsl/literal.ts';
import { rule, ruleset } from '../../dsl/rule.ts';
import { bank, bankByPayee, bankProgram, noise, open, pay, today } from './bank.ts';
import { adopts, reports, says, starts } from './driver.ts';
import type { Hole } from './holes.ts';

const { decision, observation, proposal } = bank;
const { id, to, n, day } = bank.vars;

const byProposal = bankProgram({
  rules: [decide('pay', proposal.pay({ id, to, n })).records({ day: 0 }).approvesWithoutConditions('a test')],
});
const its = bankByPayee.vars;
const byPayee = bankProgram(
  {
    rules: [
      decide('pay', bankByPayee.proposal.pay({ id: its.id, to: its.to, n: its.n }))
        .records({ day: 0 })
        .approvesWithoutConditions('a test'),
    ],
  },
  bankByPayee,
);
const byPayeeWithDay = bankProgram(
  {
    rules: [
      decide('pay', bankByPayee.proposal.pay({ id: its.id, to: its.to, n: its.n }))
        .awaits('a day', bankByPayee.observation.today({ day: its.day }))
        .records({ day: its.day })
        .approvesWithoutConditions('a test'),
    ],
  },
  bankByPayee,
);

export const actHoles: readonly Hole[] = [
  {
    title: 'an adopted program that names acts otherwise does not pay again what was paid under another key',
    program: byProposal,
    events: [says('s', 'a', pay('x', 1)), starts('pay', 'a.1'), adopts(byPayee), reports('s', noise), says('s', 'b', pay('y', 1))],
    expected: {
      acts: ['admitted pay a.1', 'started pay a.1', 'admitted pay b.1'],
      came: ['committed', 'committed', 'committed', 'committed', 'committed'],
    },
  },
  {
    title: 'an adopted program admits what it newly derives only where admitOld names the intent',
    program: byProposal,
    events: [says('s', 'a', pay('x', 1)), starts('pay', 'a.1'), adopts(byPayee, ['pay'])],
    expected: { acts: ['admitted pay a.1', 'started pay a.1', 'admitted pay a.1'] },
  },
  {
    title: 'two approved acts of one identity with different bindings are a conflict, and neither is admitted',
    program: byPayeeWithDay,
    events: [says('s', 'a', pay('o', 10)), says('evil', 'e', pay('o', 11)), reports('s', today(1))],
    expected: { statuses: { 'a.1': 'approved', 'e.1': 'approved' }, acts: ['conflict pay a.1'] },
  },
  {
    title: 'an act against an admitted identity with other bindings is a conflict, recorded once, and the admitted one may start',
    program: byPayee,
    events: [says('s', 'a', pay('o', 10)), says('evil', 'e', pay('o', 11)), reports('s', noise), starts('pay', 'a.1')],
    expected: { acts: ['admitted pay a.1', 'conflict pay e.1', 'started pay a.1'] },
  },
  {
    title: 'an intent that its own admission withdraws never runs, so it does not load',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n })).records({ day: 0 }),
        ruleset('greet', {
          approve: rule(decision.approved.pay({ id, to, n, day: 0 })).when(proposal.pay({ id, to, n })),
          once: rule(bank.intent.pay({ id, to, n })).when(
            decision.approved.pay({ id, to, n }),
            observation.open({}),
            not(bank.admitted.pay({ to })),
          ),
        }),
      ],
    }),
    isRefused: true,
    events: [reports('s', open(true)), says('s', 'a', pay('x', 1)), starts('pay', 'a.1')],
    expected: { acts: ['admitted pay a.1', 'withdrawn pay a.1'] },
  },
  {
    title: 'the same row is admitted once, whatever else is reported',
    program: bankProgram({
      rules: [
        decide('pay', proposal.pay({ id, to, n }))
          .awaits('a day', observation.today({ day }))
          .records({ day })
          .approvesWithoutConditions('a test'),
      ],
    }),
    events: [says('s', 'a', pay('x', 1)), reports('s', today(1)), reports('s', today(2)), starts('pay', 'a.1'), reports('s', today(3))],
    expected: { acts: ['admitted pay a.1', 'started pay a.1'], rows: { 'decision.approved.pay': [{ id: 'a.1', day: 1 }] } },
  },
];
