/** Counterexamples about budgets, and about rows that stand or fall together. */
import * as z from 'zod';
import { sumOf } from '../../dsl/aggregate.ts';
import { decide } from '../../dsl/decide.ts';
import { fn } from '../../dsl/fn.ts';
import { eq, gt } from '../../dsl/literal.ts';
import { together } from '../../dsl/program.ts';
import { row } from '../../dsl/report.ts';
import { rule, ruleset } from '../../dsl/rule.ts';
import { plus, vars } from '../../dsl/term.ts';
import { RowId } from '../../dsl/stamp.ts';
import { bank, bankProgram, blocked, boss, open, order, pay, today } from './bank.ts';
import { reports, says, starts } from './driver.ts';
import type { Hole } from './holes.ts';

const { decision, observation, proposal, proposalView, receipt } = bank;
const { id, to, n, day, actor, capture, paid, by } = bank.vars;
const { z: score } = vars({ z: z.int() });

const payments = () => decide('pay', proposal.pay({ id, to, n, actor, capture }));
const hundred = { sum: n, per: { actor }, max: 100 } as const;
const budgeted = payments().limits('budget', hundred).records({ day: 0 }).approvesWithoutConditions('a test');
const dailyBudget = payments()
  .awaits('a day', observation.today({ day }))
  .records({ day })
  .limits('budget', { sum: n, per: { actor, day }, max: 100 })
  .approvesWithoutConditions('a test');
const whileOpen = payments()
  .limits('budget', hundred)
  .records({ day: 0 })
  .stillNeeds('open', observation.open({ isOpen: true }))
  .approvesWithoutConditions('a test');
const asksForY = payments()
  .limits('budget', hundred)
  .records({ day: 0 })
  .asks('to y', eq(to, 'y'), { by: observation.boss({ user: by }) })
  .approvesWithoutConditions('a test');

const age = fn('age', '1', [z.int(), z.int()], z.int(), (now, then) => {
  if (now - then > 50) throw new Error('too old');
  return now - then;
});
const ages = ruleset('ages', {
  age: rule(proposalView.age({ n, z: score })).when(proposal.pay({ n }), observation.today({ day }), age(day, n).as(score)),
});
const failed = (act: string, payee: string, amount: number) =>
  row(receipt.pay, { to: payee, n: amount, act: RowId.parse(act), outcome: 'failed' });

const awaitsDay = payments().awaits('a day', observation.today({ day })).records({ day }).approvesWithoutConditions('a test');
const whileOpenAlone = payments()
  .records({ day: 0 })
  .stillNeeds('open', observation.open({ isOpen: true }))
  .approvesWithoutConditions('a test');
const revokes = ruleset('blocks', {
  later: rule(decision.revoked.pay({ id, to, n, reason: 'blocked' })).when(
    decision.approved.pay({ id, to, n }),
    observation.blocked({ to }),
  ),
});
const whilePaid = payments().records({ day: 0 }).stillNeeds('an order', observation.order({ to })).approvesWithoutConditions('a test');
const asOne = together({ sources: [proposal.pay] });

export const budgetHoles: readonly Hole[] = [
  {
    title: 'a rejection that sums receipts is no budget, since receipts lag: two payments of one reply pass it',
    program: bankProgram({
      rules: [
        payments()
          .needs('an order', observation.order({ to, paid }))
          .rejects('more than was paid', gt(plus(sumOf(receipt.pay, { of: 'n', per: { to } }), n), paid))
          .records({ day: 0 })
          .otherwiseApproves(),
      ],
    }),
    events: [reports('s', order('o', 50)), says('s', 'c', pay('o', 50), pay('o', 50))],
    expected: { statuses: { 'c.1': 'approved', 'c.2': 'approved' }, acts: ['admitted pay c.1', 'admitted pay c.2'] },
  },
  {
    title: 'of two payments that each fit a budget and together do not, the second by seq is rejected with the reason',
    program: bankProgram({ rules: [budgeted] }),
    events: [says('s', 'c', pay('x', 60), pay('x', 60), pay('x', 40))],
    expected: { statuses: { 'c.1': 'approved', 'c.2': 'rejected', 'c.3': 'approved' }, reasons: { 'c.2': ['budget'] } },
  },
  {
    title: 'an act that certainly was not done gives its budget back',
    program: bankProgram({ rules: [budgeted] }),
    events: [says('s', 'a', pay('x', 60)), starts('pay', 'a.1'), reports('s', failed('a.1', 'x', 60)), says('s', 'b', pay('x', 60))],
    expected: { statuses: { 'a.1': 'approved', 'b.1': 'approved' } },
  },
  {
    title: 'a receipt of other bindings is no receipt of this act: the budget stays spent',
    program: bankProgram({ rules: [budgeted] }),
    events: [says('s', 'a', pay('x', 60)), starts('pay', 'a.1'), reports('s', failed('a.1', 'x', 59)), says('s', 'b', pay('x', 60))],
    expected: { statuses: { 'a.1': 'approved', 'b.1': 'rejected' } },
  },
  {
    title: 'an act withdrawn and not revoked keeps its budget, since it may be admitted anew',
    program: bankProgram({ rules: [whileOpen] }),
    events: [
      reports('s', open(true)),
      says('s', 'a', pay('x', 60)),
      reports('s', open(false)),
      starts('pay', 'a.1'),
      says('s', 'b', pay('x', 60)),
      reports('s', open(true)),
    ],
    expected: { statuses: { 'a.1': 'approved', 'b.1': 'rejected' }, acts: ['admitted pay a.1', 'withdrawn pay a.1', 'admitted pay a.1'] },
  },
  {
    title: 'a started act that is set aside still counts: a time bomb in a payload opens no budget',
    program: bankProgram({ rules: [budgeted, ages] }),
    events: [
      reports('s', today(100)),
      says('s', 'a', pay('x', 60)),
      starts('pay', 'a.1'),
      reports('s', today(120)),
      says('s', 'b', pay('x', 80)),
    ],
    expected: {
      statuses: { 'a.1': 'revoked', 'b.1': 'rejected' },
      setAside: ['a.1'],
      acts: ['admitted pay a.1', 'started pay a.1'],
      rows: { 'started.pay': [{ id: 'a.1' }], 'admitted.pay': [{ id: 'a.1' }], 'proposal.pay': [{ id: 'b.1' }] },
      reasons: { 'b.1': ['budget'] },
    },
  },
  {
    title: 'a question reserves no budget: what is approved while a person thinks may leave nothing for the held row',
    program: bankProgram({ rules: [asksForY] }),
    events: [reports('s', boss('m')), says('s', 'a', pay('y', 60)), says('s', 'b', pay('x', 60))],
    expected: { statuses: { 'a.1': 'rejected', 'b.1': 'approved' } },
  },
  {
    title: 'a daily budget groups by the day that was recorded, and is new the next day',
    program: bankProgram({ rules: [dailyBudget] }),
    events: [reports('s', today(1)), says('s', 'a', pay('x', 80)), reports('s', today(2)), says('s', 'b', pay('x', 80), pay('x', 80))],
    expected: { statuses: { 'a.1': 'approved', 'b.1': 'approved', 'b.2': 'rejected' } },
  },
  {
    title: 'a negative amount is refused at ingress, so it cannot open a budget',
    program: bankProgram({ rules: [budgeted] }),
    events: [says('s', 'c', pay('me', -1000), pay('x', 1000))],
    expected: { statuses: { 'c.1': undefined, 'c.2': undefined }, came: ['committed'] },
  },
  {
    title: 'rows of one capture that stand together are rejected together, when the second does not fit beside the first',
    program: bankProgram({ rules: [budgeted, asOne] }),
    events: [says('s', 'c', pay('x', 60), pay('y', 60))],
    expected: { statuses: { 'c.1': 'rejected', 'c.2': 'rejected' }, reasons: { 'c.1': ['stands with c.2: budget'], 'c.2': ['budget'] } },
  },
  {
    title: 'a rule about rejected siblings is no group: the first row is approved before the second is judged',
    program: bankProgram({
      rules: [
        payments()
          .limits('budget', hundred)
          .rejects('a sibling', decision.rejected.pay({ capture }))
          .records({ day: 0 })
          .approvesWithoutConditions('a test'),
      ],
    }),
    events: [says('s', 'c', pay('x', 60), pay('y', 60))],
    expected: { statuses: { 'c.1': 'approved', 'c.2': 'rejected' } },
  },
  {
    title: 'a member that is set aside before the decision takes its group along',
    program: bankProgram({ rules: [awaitsDay, ages, asOne] }),
    events: [says('s', 'a', pay('x', 60), pay('y', 10)), reports('s', today(100))],
    expected: {
      statuses: { 'a.1': 'rejected', 'a.2': 'rejected' },
      setAside: ['a.2'],
      reasons: { 'a.1': ['stands with a.2: set aside: ages.age: too old'], 'a.2': ['set aside: ages.age: too old'] },
    },
  },
  {
    title: 'a member that is revoked before the start takes its group along',
    program: bankProgram({ rules: [whileOpenAlone, revokes, asOne] }),
    events: [reports('s', open(true)), says('s', 'a', pay('x', 60), pay('y', 10)), reports('s', blocked('y'))],
    expected: { statuses: { 'a.1': 'revoked', 'a.2': 'revoked' } },
  },
  {
    title: 'a group starts in one record, so a door that closes after it changes nothing',
    program: bankProgram({ rules: [whileOpenAlone, asOne] }),
    events: [
      reports('s', open(true)),
      says('s', 'a', pay('x', 60), pay('y', 10)),
      starts('pay', 'a.1'),
      reports('s', open(false)),
      starts('pay', 'a.2'),
    ],
    expected: {
      came: ['committed', 'committed', 'committed', 'committed', 'faulty'],
      acts: ['admitted pay a.1', 'admitted pay a.2', 'started pay a.1', 'started pay a.2'],
    },
  },
  {
    title: 'a group of which one act is not admitted does not start: what was admitted of it is withdrawn',
    program: bankProgram({ rules: [whilePaid, asOne] }),
    events: [
      reports('s', order('x', 1)),
      says('s', 'a', pay('x', 60), pay('y', 10)),
      starts('pay', 'a.1'),
      reports('s', order('y', 1)),
      starts('pay', 'a.2'),
    ],
    expected: {
      acts: ['admitted pay a.1', 'withdrawn pay a.1', 'admitted pay a.1', 'admitted pay a.2', 'started pay a.1', 'started pay a.2'],
    },
  },
  {
    title: 'what is withdrawn after its row was set aside is in no rule: the row has left the model for good',
    program: bankProgram({ rules: [budgeted, ages] }),
    events: [reports('s', today(100)), says('s', 'a', pay('x', 60)), reports('s', today(120)), starts('pay', 'a.1')],
    expected: {
      setAside: ['a.1'],
      acts: ['admitted pay a.1', 'withdrawn pay a.1'],
      rows: { 'admitted.pay': [], 'withdrawn.pay': [], 'decision.revoked.pay': [] },
    },
  },
];
