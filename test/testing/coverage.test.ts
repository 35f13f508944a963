/**
 * Coverage: what has fired, what never did, and what a test forgot to await.
 */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  decide,
  defineOntology,
  evidenceInvariant,
  gt,
  invariant,
  keyed,
  open,
  program,
  row,
  rule,
  ruleset,
  together,
} from '../../src/index.ts';
import { coverage, scenario, type Coverage } from '../../src/testing/testing.ts';
import { app, orders, shop, UserId } from '../programs/refund.ts';
import { ROOT, textOf } from '../house/source.ts';
import { address, doors, given, limitOf, opened, orderOf, refund } from './shop.ts';

const unfired = (seen: Coverage) => seen.report().unfired.map(({ id }) => id);
const messageOf = (act: () => void) => {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error : undefined;
  }
  return undefined;
};

describe('coverage', () => {
  test('begins with every rule, clause, group and invariant of the program, in its author’s words', () => {
    const { unfired: all, fired } = coverage(app).report();
    expect(fired).toEqual([]);
    expect(all.map(({ id, what }) => `${id}: ${what}`)).toEqual([
      'books.refunded: fact.refunded',
      'books.left: fact.refundable',
      'books.shipTo: fact.shipTo',
      'books.shouting: decision.rejected.refund',
      'ordersOf.all: query.ordersOf',
      'refunds.needs1: needs "the order is yours"',
      'refunds.needs2: needs "a limit is set"',
      'refunds.awaits1: awaits "a date"',
      'refunds.rejects1: rejects "not delivered or returned"',
      'refunds.limits1: limits "more than was paid"',
      'refunds.limits2: limits "daily budget"',
      'refunds.asks1: asks "above 100 EUR"',
      'refunds.asks1.answer: asks "above 100 EUR", answered',
      'refunds.asks1.declined: asks "above 100 EUR", declined',
      'refunds.stillNeeds1: stillNeeds "the shop is open"',
      'refunds.otherwise: otherwise approves',
      'refunds.intent: the act may start',
      'notes.otherwise: otherwise approves',
      'addresses.needs1: needs "the order is yours"',
      'addresses.otherwise: otherwise accepts',
      'invariant an open refund above the limit: violated',
    ]);
    for (const { location } of all) expect(location?.replace(ROOT, '')).toMatch(/^test\/programs\/refund\.ts:\d+:\d+$/);
  });

  test('places a clause at the clause, and what else a decision can do at the decision', () => {
    const lines = textOf('test/programs/refund.ts').split('\n');
    const found = coverage(app)
      .report()
      .unfired.flatMap(({ id, location = '' }) => {
        const [, line = '', column = ''] = /:(\d+):(\d+)$/.exec(location) ?? [];
        const written = lines[Number(line) - 1]?.slice(Number(column) - 1) ?? '';
        return id.startsWith('refunds.') ? [`${id}: ${/^\w+\('[^']*'/.exec(written)?.[0]}`] : [];
      });
    expect(found).toEqual([
      "refunds.needs1: needs('the order is yours'",
      "refunds.needs2: needs('a limit is set'",
      "refunds.awaits1: awaits('a date'",
      "refunds.rejects1: rejects('not delivered or returned'",
      "refunds.limits1: limits('more than was paid'",
      "refunds.limits2: limits('daily budget'",
      "refunds.asks1: asks('above 100 EUR'",
      "refunds.asks1.answer: asks('above 100 EUR'",
      "refunds.asks1.declined: asks('above 100 EUR'",
      "refunds.stillNeeds1: stillNeeds('the shop is open'",
      "refunds.otherwise: decide('refunds'",
      "refunds.intent: decide('refunds'",
    ]);
  });

  test('is full when each of them has been made to fire', async () => {
    const seen = coverage(app);
    const begun = opened({ coverage: seen });
    await begun
      .proposes(refund(1))
      .runs('refund')
      .succeeds({ providerRef: 'p' })
      .holds('fact.refunded')
      .proposes(refund(49_999), refund(50_000));
    await begun.by('bob').replies(refund(1), address('Elm')).isDenied('the order is yours');
    await begun
      .claims(address('Elm'))
      .isAccepted()
      .proposes(row(shop.proposal.note, { text: 'hm' }));
    await begun
      .given(row(shop.observation.said, { text: 'REFUND NOW' }))
      .proposes(refund(1))
      .isDenied('the shopper shouted');
    await begun
      .given(orderOf('ada', 50_000, 'placed'))
      .proposes(refund(1))
      .isDenied('not delivered or returned');
    await begun.proposes(refund(20_000)).confirmedBy('mia').isApproved();
    await begun.proposes(refund(20_000)).declinedBy('mia').isDenied('declined: above 100 EUR');
    // An approval that waits at the door falls when the limit is lowered below it.
    await begun.given(doors(false)).proposes(refund(900)).isApproved().given(doors(true), limitOf(500)).isRevoked();
    const world = await seen.open();
    expect(world.model().ask('ordersOf', { user: 'ada' })).toEqual([]);
    expect(unfired(seen)).toEqual(['ordersOf.all', 'refunds.needs2', 'refunds.awaits1']);

    await world.observe({ session: 's', actor: 'ada', reports: [{ rows: [orderOf('ada', 1)] }, { capture: 'c', rows: [refund(1)] }] });
    expect(world.model().ask('ordersOf', { user: UserId.parse('ada') })).toHaveLength(1);
    await scenario(app, { coverage: seen, actor: 'ada' }).given(orderOf('ada', 1), limitOf(1)).proposes(refund(1)).isPending('a date');
    seen.expectFull();
    expect(seen.text()).toBe('21 of 21 rules, clauses and invariants have fired');
  });

  test('takes no rule that derives nothing for one that fired, and a denied row for no approval', async () => {
    const seen = coverage(app);
    await opened({ coverage: seen }).proposes(refund(60_000)).isDenied('more than was paid', 'daily budget');
    expect(seen.report().fired).toEqual(['books.left', 'refunds.limits1', 'refunds.limits2', 'refunds.asks1']);
  });

  test('takes in worlds that were opened elsewhere', async () => {
    const seen = coverage(app);
    const world = await open(app, { fired: seen.fired });
    await world.observe({ session: 's', actor: 'ada', reports: [{ rows: given }, { capture: 'c', rows: [refund(1)] }] });
    expect(seen.report().fired).not.toContain('refunds.otherwise');
    seen.add(world);
    expect(seen.report().fired).toEqual(['books.left', 'refunds.otherwise', 'refunds.intent']);
  });
});

describe('expectFull', () => {
  test('lists what is missing with its place, and is pointed at by its stack', async () => {
    const seen = coverage(app);
    await opened({ coverage: seen }).proposes(refund(1)).isApproved();
    const error = messageOf(() => seen.expectFull({ except: ['ordersOf.all'] }));
    expect(error?.message.replaceAll(ROOT, '')).toMatch(
      /^3 of 20 rules, clauses and invariants have fired\nnever fired:\n {2}books\.refunded +fact\.refunded {2}test\/programs\/refund\.ts:\d+:\d+\n/,
    );
    expect(error?.message).not.toContain('ordersOf');
    expect(error?.stack?.split('\n').find((line) => line.trim().startsWith('at '))).toContain('coverage.test.ts');
  });

  test('tells an exception that is none any more, and one that was never one', async () => {
    const seen = coverage(app);
    await opened({ coverage: seen }).proposes(refund(1));
    const text = messageOf(() => seen.expectFull({ except: ['refunds.otherwise', 'refunds.limit1'] }))?.message ?? '';
    expect(text).toContain('except names refunds.otherwise, which has fired');
    expect(text).toContain('except names refunds.limit1, which the program has not (did you mean refunds.limits1?)');
  });

  test('tells a scenario that was written and never awaited', async () => {
    const seen = coverage(program({ name: 'still', ontologies: [shop], queries: [orders] }));
    const base = scenario(app, { coverage: seen });
    void base.given().lacks('fact.shipTo').isHeld();
    await base.given(...given);
    expect(seen.report().unplayed).toEqual([expect.stringMatching(/coverage\.test\.ts:\d+:\d+$/)]);
    expect(messageOf(() => seen.expectFull({ except: ['ordersOf.all'] }))?.message).toMatch(
      /written and never awaited:\n {2}\S*coverage\.test\.ts/,
    );
  });
});

describe('parts that are no plain rules', () => {
  const n = z.int().nonnegative();
  const bank = defineOntology({
    observation: { limit: keyed({}, { most: n }), open: keyed({}, { isOpen: z.boolean() }), staffed: keyed({}, { count: n }) },
    proposal: { plan: { n } },
    action: { pay: { in: { n } } },
    fact: { big: { n } },
  });
  const { most, n: amount, count, id } = bank.vars;
  const { observation, proposal, decision } = bank;
  const pays = decide('pays', proposal.pay({ n: amount }))
    .needs('a limit', observation.limit({ most }))
    .rejects('above it', gt(amount, most))
    .stillNeeds('open', observation.open({ isOpen: true }))
    .stillNeeds('staffed', observation.staffed({ count }), gt(count, 0))
    .otherwiseApproves();
  const plans = decide('plans', proposal.plan({ n: amount })).approvesWithoutConditions('a plan does nothing');
  const rules = ruleset('rules', {
    approved: rule(decision.revoked.plan({ id, n: amount, reason: 'too big by now' })).when(
      decision.approved.plan({ id, n: amount }),
      observation.limit({ most }),
      gt(amount, most),
    ),
  });
  const banking = program({
    name: 'bank',
    ontologies: [bank],
    rules: [pays, plans, rules, together({ sources: [proposal.pay, proposal.plan] })],
    invariants: [
      invariant('a limit of more than 100').never(observation.limit({ most }), gt(most, 100)),
      evidenceInvariant('a plan of 13').never(proposal.plan({ n: 13 })),
    ],
  });
  const limit = (value: number) => row(observation.limit, { most: value });
  const isOpen = (value: boolean) => row(observation.open, { isOpen: value });
  const staff = (value: number) => row(observation.staffed, { count: value });
  const pay = (value: number) => row(proposal.pay, { n: value });
  const plan = (value: number) => row(proposal.plan, { n: value });

  test('of several things that are still needed each is told apart', async () => {
    const seen = coverage(banking);
    await scenario(banking, { coverage: seen }).given(limit(10), isOpen(true), staff(0)).proposes(pay(1)).isApproved().never('pay');
    expect(unfired(seen)).toEqual(expect.arrayContaining(['pays.stillNeeds1', 'pays.intent']));
    expect(unfired(seen)).not.toContain('pays.stillNeeds2');
    await scenario(banking, { coverage: seen })
      .given(limit(10), isOpen(true), staff(1))
      .proposes(pay(1))
      .given(isOpen(false))
      .starts()
      .isWithdrawn();
    expect(unfired(seen)).not.toContain('pays.stillNeeds1');
    expect(seen.report().fired).toContain('pays.intent');
  });

  test('a group has fired when one of it fell with another', async () => {
    const seen = coverage(banking);
    await scenario(banking, { coverage: seen }).given(limit(10)).proposes(pay(11), plan(1)).isDenied();
    expect(seen.report().fired).toContain('together proposal.pay, proposal.plan');
    expect(unfired(seen)).toContain('plans.otherwise');
  });

  test('an invariant has fired when it refused something, and not before', async () => {
    const seen = coverage(banking);
    await scenario(banking, { coverage: seen }).given(limit(100)).proposes(plan(12));
    expect(unfired(seen)).toEqual(expect.arrayContaining(['invariant a limit of more than 100', 'invariant a plan of 13']));
    await scenario(banking, { coverage: seen })
      .given(limit(101))
      .isRefused('a limit of more than 100')
      .proposes(plan(13))
      .isRefused('a plan of 13');
    expect(unfired(seen).filter((one) => one.startsWith('invariant'))).toEqual([]);
  });

  test('an approval that was taken back has been one', async () => {
    const seen = coverage(banking);
    await scenario(banking, { coverage: seen }).given(limit(10)).proposes(plan(5)).given(limit(4)).isRevoked('too big by now');
    expect(seen.report().fired).toEqual(expect.arrayContaining(['rules.approved', 'plans.otherwise']));
  });
});
