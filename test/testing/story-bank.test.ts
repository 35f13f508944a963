/**
 * A bank, told as scenarios: budgets that do not lag, questions that are answered one by one, receipts that can be counted on.
 *
 * A model wishes payments. Each day has a budget, a payment above 50 and one to a new payee are asked about, and the books are kept by
 * receipts alone.
 */
import * as z from 'zod';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ActorId,
  countOf,
  decide,
  defineOntology,
  gt,
  gte,
  invariant,
  keyed,
  neq,
  not,
  plus,
  program,
  proofText,
  row,
  RowId,
  rule,
  ruleset,
  sumOf,
} from '../../src/index.ts';
import { coverage, scenario } from '../../src/testing/testing.ts';

const text = z.string();
const Cents = z.int().nonnegative();
const bank = defineOntology({
  observation: {
    today: keyed({}, { day: z.int() }, { rising: ['day'] }),
    limit: keyed({ user: text }, { perDay: Cents }),
    payee: keyed({ to: text }, { isNew: z.boolean() }),
    clerk: keyed({ clerk: ActorId }, {}),
    owner: keyed({ account: text }, { holder: text }),
    account: keyed({ account: text }, {}),
  },
  proposal: { reminder: { user: text, about: text } },
  action: { pay: { in: { user: text, to: text, amount: Cents }, records: { day: z.int() }, receipt: { reference: text } } },
  fact: { spent: { user: text, total: Cents } },
});
const { id, act, user, to, amount, day, perDay, about, by, account, total } = bank.vars;
const { observation, proposal, decision, receipt, started, fact, intent } = bank;
const [sum, sent, other] = [total.as('sum'), bank.vars.ordinal.as('sent'), id.as('other')];

const payments = decide('payments', proposal.pay({ user, to, amount }))
  .needs('has no limit', observation.limit({ user, perDay }))
  .needs('unknown payee', observation.payee({ to }))
  .awaits('a date', observation.today({ day }))
  .records({ day })
  .limits('daily budget', { sum: amount, per: { user, day }, max: perDay })
  .asks('above 50', gt(amount, 50), { by: observation.clerk({ clerk: by }) })
  .asks('to a new payee', observation.payee({ to, isNew: true }), { by: observation.clerk({ clerk: by }) })
  .otherwiseApproves();
const reminders = decide('reminders', proposal.reminder({ user, about }))
  .needs('has no limit', observation.limit({ user }))
  .otherwiseApproves();

/** A budget by hand: a count over what was approved, a comparison, and a reason in the head of a rejection. */
const budgets = ruleset('budgets', {
  reminders: rule(decision.rejected.reminder({ id, user, about, reason: 'two reminders are enough' })).when(
    proposal.reminder({ id, user, about }),
    countOf(decision.approved.reminder, { per: { user } }).as(sent),
    gte(sent, 2),
  ),
});
const books = ruleset('books', {
  spent: rule(fact.spent({ user, total: sum })).when(
    observation.limit({ user }),
    sumOf(receipt.pay, { of: 'amount', per: { user, outcome: 'succeeded' } }).as(sum),
  ),
});

const policy = program({
  name: 'bank',
  ontologies: [bank],
  rules: [payments, reminders, budgets, books],
  invariants: [
    // With the bindings in it: a receipt for another amount is a receipt of what was never started.
    invariant('a receipt of what was not started').never(
      receipt.pay({ act, user, to, amount }),
      not(started.pay({ id: act, user, to, amount })),
    ),
    // A receipt is a row like any other: whoever sums receipts says that an act has one.
    invariant('a second receipt of one act').never(receipt.pay({ act, id }), receipt.pay({ act, id: other }), neq(id, other)),
    invariant('an account that nobody owns').never(observation.account({ account }), not(observation.owner({ account }))),
  ],
});

const seen = coverage(policy);
const today = (n: number) => row(observation.today, { day: n });
const limit = (most: number) => row(observation.limit, { user: 'ada', perDay: most });
const payee = (name: string, isNew = false) => row(observation.payee, { to: name, isNew });
const clerk = row(observation.clerk, { clerk: ActorId.parse('mia') });
const pay = (cents: number, name = 'baker') => row(proposal.pay, { user: 'ada', to: name, amount: cents });
const remind = (of: string) => row(proposal.reminder, { user: 'ada', about: of });

const monday = scenario(policy, { actor: 'ada', coverage: seen }).given(
  today(1),
  limit(100),
  payee('baker'),
  payee('stranger', true),
  clerk,
);

describe('a budget', () => {
  test('B39 R67 does not lag: of two payments in one reply that fit one by one, the second is denied, with the reason', async () => {
    await monday
      .proposes({ first: pay(50), second: pay(50), third: pay(1) })
      .row('first')
      .isApproved()
      .row('second')
      .isApproved()
      .row('third')
      .isDenied('daily budget')
      .never(intent.pay, { amount: 1 });
  });

  test('counts what is approved before anything of it is done, over any number of replies', async () => {
    await monday.proposes(pay(50)).proposes(pay(40)).isApproved().proposes(pay(11)).isDenied('daily budget').proposes(pay(10)).isApproved();
  });

  test('counts for the day on which it was decided, and a new day has its own', async () => {
    await monday.proposes(pay(50), pay(50)).given(today(2)).proposes(pay(50)).isApproved();
  });

  test('gets its share back of what was certainly not done, and of nothing else', async () => {
    const full = monday.proposes(pay(50), pay(50)).row(1).runs('pay');
    await full.proposes(pay(50)).isDenied('daily budget');
    await full.succeeds({ reference: 'r' }).proposes(pay(50)).isDenied('daily budget');
    await full.fails({ reference: 'r' }).proposes(pay(50)).isApproved();
  });

  test('B38 is written by hand as well as by a clause, and reads as well where it denies', async () => {
    await monday
      .proposes(remind('rent'), remind('gym'), remind('book'))
      .row(2)
      .isApproved()
      .row(3)
      .isDenied('two reminders are enough')
      .proposes(remind('tax'))
      .isDenied('two reminders are enough');
  });
});

describe('a budget that sums receipts', () => {
  /** The hole to fall into: receipts come when an act was done, so until then nothing counts. */
  const lagging = ruleset('lagging', {
    budget: rule(decision.rejected.pay({ id, user, to, amount, reason: 'daily budget' })).when(
      proposal.pay({ id, user, to, amount }),
      observation.limit({ user, perDay }),
      sumOf(receipt.pay, { of: 'amount', per: { user, outcome: 'succeeded' } }).as(sum),
      gt(plus(sum, amount), perDay),
    ),
  });
  const pays = decide('pays', proposal.pay({ user, to, amount }))
    .needs('has no limit', observation.limit({ user }))
    .awaits('a date', observation.today({ day }))
    .records({ day })
    .otherwiseApproves();
  const careless = scenario(program({ name: 'careless', ontologies: [bank], rules: [pays, lagging] })).given(today(1), limit(100));

  test('lags: both of two payments pass that only one has money for, and the first receipt comes too late', async () => {
    await careless
      .proposes({ first: pay(60), second: pay(60) })
      .isApproved()
      .row('first')
      .runs('pay')
      .row('second')
      .runs('pay')
      .succeeds({ reference: 'r' })
      .proposes(pay(60))
      .isDenied('daily budget');
    // The clause counts what was approved, and has no such gap.
    await monday
      .proposes({ first: pay(50), second: pay(51) })
      .row('first')
      .isApproved()
      .row('second')
      .isDenied('daily budget');
  });
});

describe('a denial', () => {
  test('R43 says that something is missing, where it is: nobody is let through for what nobody knows', async () => {
    await monday.proposes(pay(1, 'nobody')).isDenied('unknown payee').never('pay');
    await scenario(policy, { coverage: seen }).given(today(1), payee('baker')).proposes(pay(1), remind('rent')).isDenied('has no limit');
  });

  test('B39 is worded by the author of the rules wherever it is read: record, row, sentence and proof', async () => {
    const { world } = await monday.proposes(pay(101)).isDenied('daily budget');
    const model = world.model();
    expect(world.records()).toMatchObject([{ record: 'decision', verdict: 'rejected', reasons: ['daily budget'] }]);
    expect(model.rows('decision.rejected.pay')).toMatchObject([{ id: 'reply-1.1', reason: 'daily budget' }]);
    expect(model.verdict('reply-1.1')?.sentence).toBe('denied: daily budget: 0 + 101 > 100');
    expect(proofText(model.why('decision.rejected.pay'))).toContain('limits "daily budget"');
  });

  test('has every reason that there is, not the first that was found', async () => {
    await scenario(policy).given(today(1)).proposes(pay(1)).isDenied('has no limit', 'unknown payee');
  });
});

describe('a yes', () => {
  const asked = monday.proposes(pay(60, 'stranger')).isHeld('above 50', 'to a new payee');

  test('to one question does not answer two', async () => {
    await asked.confirmedBy('mia', 'above 50').isHeld('to a new payee').confirmedBy('mia', 'to a new payee').isApproved();
  });

  test('to all of them lets the row pass, and a no to one of them ends it', async () => {
    await asked.confirmedBy('mia').isApproved();
    await asked.confirmedBy('mia', 'above 50').declinedBy('mia', 'to a new payee').isDenied('declined: to a new payee');
    await asked.declinedBy('mia', 'above 50').isDenied('declined: above 50').never('pay');
  });

  test('reserves no budget: what was asked about is judged when it was answered', async () => {
    await monday
      .proposes({ asked: pay(60) })
      .isHeld()
      .proposes(pay(50))
      .isApproved()
      .row('asked')
      .isDenied('daily budget');
  });

  test('that comes twice is one yes', async () => {
    await asked
      .seesCard('both')
      .confirmedBy('mia')
      .isApproved()
      .confirmedBy('mia', { card: 'both' })
      .isIgnored('no such card')
      .isApproved();
  });
});

describe('a receipt', () => {
  const done = monday.proposes(pay(30)).isApproved().runs(intent.pay, { amount: 30 }).succeeds({ reference: 'r-1' });
  const receiptOf = (cents: number, of = 'reply-1.1') =>
    row(receipt.pay, { user: 'ada', to: 'baker', amount: cents, reference: 'r-2', act: RowId.parse(of), outcome: 'succeeded' });

  test('A48 for another amount is refused: what was approved is 30, and 1 000 is another act', async () => {
    await monday
      .proposes(pay(30))
      .runs('pay')
      .given(receiptOf(1_000))
      .isRefused('a receipt of what was not started')
      .holds(fact.spent, { total: 0 });
  });

  test('J28 of what was approved and not started is refused too: an approval is not a start', async () => {
    await monday.proposes(pay(30)).isApproved().given(receiptOf(30)).isRefused('a receipt of what was not started').lacks('receipt.pay');
  });

  test('that is replayed is refused, counts once, and starts nothing again', async () => {
    await done
      .holds(fact.spent, { total: 30 })
      .succeeds({ reference: 'r-1' })
      .isRefused('a second receipt of one act')
      .holds(fact.spent, { total: 30 });
  });

  test('that says the contrary of an earlier one is refused as well: what is spent is not free again', async () => {
    await done.fails({ reference: 'r-1' }).isRefused('a second receipt of one act').proposes(pay(71)).isDenied('daily budget');
  });

  test('A47 stands beside the start of its act, under the id of the wish that was approved', async () => {
    await done
      .holds(started.pay, { id: RowId.parse('reply-1.1'), amount: 30 })
      .holds(receipt.pay, { act: RowId.parse('reply-1.1'), outcome: 'succeeded' });
  });
});

describe('an invariant', () => {
  const opened = row(observation.account, { account: 'a1' });
  const owned = row(observation.owner, { account: 'a1', holder: 'ada' });

  test('A21 is judged on the completed model: what is whole at the end may come in any order', async () => {
    await monday.given(opened, owned).holds(observation.account);
    await monday.given(owned, opened).holds(observation.account);
  });

  test('A21 A22 refuses what is not whole at the end, by name, and the world goes on as it was', async () => {
    await monday.given(opened).isRefused('an account that nobody owns').lacks(observation.account).proposes(pay(1)).isApproved();
  });
});

afterAll(() => {
  // A date is given in every story here: what a bank does without one is told in the stories about time.
  seen.expectFull({ except: ['payments.awaits1'] });
});
