/**
 * Scenarios as a tool: what they expect, what they say when it is not so, and where they point.
 */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { ActorId, answer, decide, defineOntology, ended, gt, keyed, program, row } from '../../src/index.ts';
import { scenario, type Scenario } from '../../src/testing/testing.ts';
import { app, Cents, shop, UserId } from '../programs/refund.ts';
import { ROOT, textOf } from '../house/source.ts';
import { address, doors, limitOf, opened, orderOf, refund, today } from './shop.ts';

const EUR = 100;

/** Two questions about one wish, of which one shows a rate. */
const desk = defineOntology({
  observation: { boss: keyed({ user: ActorId, k: z.string() }, {}), rate: keyed({}, { now: z.int() }) },
  action: { pay: { in: { k: z.string(), n: z.int().nonnegative() } } },
});
const { k, n, now, by } = desk.vars;
const desks = program({
  name: 'desks',
  ontologies: [desk],
  rules: [
    decide('pays', desk.proposal.pay({ k, n }))
      .needs('a rate', desk.observation.rate({ now }))
      .asks('above the rate', gt(n, now), { by: desk.observation.boss({ user: by, k }) })
      .asks('above 200', gt(n, 200), { by: desk.observation.boss({ user: by, k }) })
      .otherwiseApproves(),
  ],
});

/** What a scenario fails with; one that holds has none. */
async function failureOf(told: Scenario): Promise<Error> {
  const failed: unknown = await told.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failed instanceof Error) return failed;
  throw new Error('the scenario holds');
}
const messageOf = async (told: Scenario) => (await failureOf(told)).message.replaceAll(ROOT, '');

describe('a scenario', () => {
  test('holds when every step does, and gives the world that it came to', async () => {
    const { world, ids, outcome } = await opened()
      .proposes({ first: refund(300 * EUR), second: refund(1) })
      .row('first')
      .isHeld('above 100 EUR')
      .confirmedBy('mia')
      .isApproved()
      .runs(shop.intent.refund, { amount: Cents.parse(300 * EUR) })
      .succeeds({ providerRef: 'p-1' })
      .holds(shop.fact.refundable, { left: Cents.parse(200 * EUR) });
    expect(ids).toEqual({ first: 'reply-1.1', second: 'reply-1.2' });
    expect(world.model().count('receipt.refund')).toBe(1);
    expect(outcome).toMatchObject({ status: 'committed' });
  });

  test('is a value: two that go on from one do not meet, and each await is a world of its own', async () => {
    const begun = opened().proposes(refund(1));
    const closed = begun.given(doors(false)).starts().isWithdrawn();
    const done = begun.runs('refund').succeeds({ providerRef: 'p' });
    await Promise.all([done, closed, done]);
    const [one, other] = await Promise.all([begun, begun]);
    expect(one.world).not.toBe(other.world);
    expect(one.world.digest).toBe(other.world.digest);
  });

  test('of a program that does not load fails with all of its issues', async () => {
    await expect(scenario(program({ name: 'no name', ontologies: [shop] })).given()).rejects.toThrow(/^dsl\/name-malformed/);
  });
});

describe('a step that does not hold', () => {
  test('says what was expected, what happened, the story up to there, and the proof', async () => {
    const message = await messageOf(
      opened()
        .replies(refund(500 * EUR), address('Elm'))
        .row(2)
        .isAccepted()
        .row(1)
        .isApproved()
        .lacks('fact.shipTo'),
    );
    expect(message.replaceAll(/, \/?test\/programs\/refund\.ts:\d+:\d+|program \w+/g, '').split('\n')).toEqual([
      'step 6, isApproved: reply-1.1 is not approved',
      '  denied: daily budget: 0 + 50000 > 40000',
      '',
      expect.stringMatching(/^ {3}1 given {6}observation\.order \{ order: "o1", user: "ada", state: "delivered", paid: 50000 \}.*\.\.\.$/),
      '   2 replies    proposal.refund { order: "o1", amount: 50000 }, candidate.address { order: "o1", street: "Elm" } -> denied, accepted',
      '   3 row        2',
      '   4 isAccepted',
      '   5 row        1',
      '>  6 isApproved',
      '',
      'decision.rejected.refund { order: "o1", amount: 50000, reason: "daily budget", id: "reply-1.1" }  [recorded at 2 by : daily budget]',
      '  because refunds.limits2, limits "daily budget"',
      '    proposal.refund { order: "o1", amount: 50000, id: "reply-1.1" }  [reported at 2]',
      ...(Array.from({ length: 4 }, () => expect.any(String)) as string[]),
    ]);
  });

  test('is pointed at by the first line of the stack, which a test runner shows', async () => {
    const error = await failureOf(opened().proposes(refund(1)).isDenied('daily budget'));
    const [frame = ''] = (error.stack ?? '').split('\n').filter((line) => line.trim().startsWith('at '));
    const [, line = '', column = ''] = /scenario\.test\.ts:(\d+):(\d+)\)?$/.exec(frame) ?? [];
    const written = textOf('test/testing/scenario.test.ts').split('\n')[Number(line) - 1] ?? '';
    expect(written.slice(Number(column) - 1)).toMatch(/^isDenied\('daily budget'\)/);
    expect(error.name).toBe('ScenarioError');
  });

  test.each<[says: string, told: Scenario, text: string | RegExp]>([
    [
      'that a reason is none of the program',
      opened().proposes(refund(1)).isDenied('dayly budget'),
      'no rule gives the reason "dayly budget" (did you mean daily budget?)',
    ],
    [
      'which other reason there was',
      opened()
        .proposes(refund(600 * EUR))
        .isDenied('not delivered or returned'),
      'reply-1.1 is denied, but not for "not delivered or returned"',
    ],
    [
      'that an answer was ignored, and why, where that was expected',
      opened()
        .proposes(refund(300 * EUR))
        .confirmedBy('ada')
        .isIgnored()
        .isApproved(),
      '  held: above 100 EUR: 30000 > 10000\n  the answer was ignored: not admissible',
    ],
    ['that there is no card', opened().proposes(refund(1)).confirmedBy('mia'), 'there is no card to answer\n  reply-1.1 is approved'],
    [
      'that no card was seen under a name',
      opened()
        .proposes(refund(300 * EUR))
        .confirmedBy('mia', { card: 'old' }),
      'no card was seen as "old"',
    ],
    [
      'why an act does not start',
      opened().given(doors(false)).proposes(refund(1)).runs('refund'),
      /no act refund was admitted[^]*refunds\.intent, \S+\n[^]*fails: no observation\.shopOpen \{ open: true \}/,
    ],
    [
      'that what was denied does not run, whatever ran before',
      opened().proposes(refund(1)).runs('refund').proposes(refund(60_000)).runs('refund'),
      /^step 5, runs: no act refund was admitted\n {2}reply-2\.1 is denied/,
    ],
    [
      'that two acts are meant',
      opened().proposes(refund(1), refund(2)).runs('refund'),
      '2 acts are refund: row(...) or more columns say which',
    ],
    ['that nothing has started', opened().proposes(refund(1)).succeeds(), 'no act has started that there could be a receipt of'],
    ['which columns a receipt lacks', opened().proposes(refund(1)).runs('refund').succeeds(), 'receipt.refund.providerRef is missing'],
    [
      'why a row is not there',
      opened().holds('fact.shipTo', { street: 'Elm' }),
      /there is no fact\.shipTo \{ street: "Elm" \}[^]*it would pass with a row decision\.accepted\.address/,
    ],
    ['why a row is there', opened().claims(address('Elm')).lacks('fact.shipTo'), /there is 1 fact\.shipTo[^]*decision\.accepted\.address/],
    ['the nearest relation', opened().lacks('fact.shipsTo'), 'no relation "fact.shipsTo" (did you mean fact.shipTo?)'],
    ['the nearest column', opened().never('refund', { amont: 1 }), 'no column "amont" (did you mean amount?)'],
    [
      'the nearest label',
      opened()
        .proposes({ first: refund(1) })
        .row('frist'),
      'no row was labelled "frist" (did you mean first?)',
    ],
    ['how many rows a reply has', opened().proposes(refund(1)).row(2), 'the last reply has 1 rows, and no row 2'],
    ['that a claim is no wish', opened().proposes(address('Elm')), 'candidate.address is no proposal: claims takes candidates'],
    ['that nothing was said', opened().isApproved(), 'nothing was said yet that this could be about'],
  ])('says %s', async (_says, told, text) => {
    expect(await messageOf(told)).toMatch(text);
  });
});

describe('what nobody expects', () => {
  const asked = opened().proposes(refund(300 * EUR));
  const doubled = { relation: 'proposal.refund', columns: { order: 'o1', amount: -1 } };

  test.each<[what: string, told: Scenario, text: string]>([
    [
      'a faulty report',
      opened()
        .given({ relation: 'observation.today', columns: { day: 5 } })
        .isPending(),
      'observation.today.day: 5 is no string',
    ],
    [
      'a malformed reply',
      opened().proposes(doubled).isDenied(),
      'where that is meant, isMalformed() follows\n  proposal.refund.amount: -1 is out of range',
    ],
    [
      'a reply too many',
      opened({ openRowsMax: 1 }).proposes(refund(1), refund(2)).isApproved(),
      'where that is meant, isTooMany() follows',
    ],
    ['a withdrawal', opened().proposes(refund(1)).given(doors(false)).starts(), 'where that is meant, isWithdrawn() follows'],
    [
      'an answer of somebody who may not',
      asked.confirmedBy('mya').isHeld('above 100 EUR'),
      'step 3, confirmedBy: the answer was ignored; where that is meant, isIgnored() follows\n' +
        '  not admissible: "mya" answers yes to the card "above 100 EUR" of reply-1.1, and nobody of that name stands in ' +
        'observation.manager, which says who may (did you mean mia?)',
    ],
    [
      'a no that counts for nothing',
      asked.declinedBy('mya').never('refund'),
      '"mya" answers no to the card "above 100 EUR" of reply-1.1, and',
    ],
    ['an answer at the end', asked.confirmedBy('mya'), 'step 3, confirmedBy: the answer was ignored'],
    [
      'an answer to what is decided',
      asked.seesCard('it').confirmedBy('mia').confirmedBy('mia', { card: 'it' }).isApproved(),
      'step 5, confirmedBy: the answer was ignored; where that is meant, isIgnored() follows\n' +
        '  no such card: "mia" answers yes to the card "above 100 EUR" of reply-1.1, which is decided already: approved',
    ],
    [
      'an answer that is given as a row',
      asked.given({
        relation: 'confirmed.refund',
        columns: { id: 'reply-9.1', reason: 'above 100 EUR', shown: 'x', answer: 'yes' },
      }),
      '"ada" answers yes to the card "above 100 EUR" of reply-9.1, a row that the world does not know',
    ],
  ])('ends it: %s', async (_what, told, text) => {
    expect(await messageOf(told)).toContain(text);
  });

  test('is expected by name, and the scenario goes on', async () => {
    await opened({ openRowsMax: 1 })
      .given({ relation: 'observation.today', columns: { day: 5 } })
      .isFaulty('is no string')
      .proposes(doubled)
      .isMalformed('out of range')
      .malformed('cut off')
      .isMalformed('cut off')
      .proposes(refund(1), refund(2))
      .isTooMany()
      .proposes(refund(3))
      .given(doors(false))
      .starts()
      .isWithdrawn();
  });
});

describe('an answer that counts for nothing', () => {
  const both = () =>
    scenario(desks)
      .given(row(desk.observation.boss, { user: ActorId.parse('mia'), k: 'a' }), row(desk.observation.rate, { now: 100 }))
      .proposes(row(desk.proposal.pay, { k: 'a', n: 250 }));

  test.each<[why: string, told: Scenario, text: string]>([
    [
      'the card was answered',
      both().seesCard('two').confirmedBy('mia', 'above the rate').confirmedBy('bob', { card: 'two' }),
      'which "mia" has answered already',
    ],
    [
      'what the card shows has changed',
      both()
        .seesCard('old')
        .given(row(desk.observation.rate, { now: 120 }))
        .confirmedBy('mia', { card: 'old' }),
      'another card asks that now: what it shows has changed',
    ],
    [
      'who answers may do so for other rows',
      both()
        .proposes(row(desk.proposal.pay, { k: 'b', n: 150 }))
        .confirmedBy('mia'),
      'who stands in observation.boss and not for this row',
    ],
  ])('says that %s', async (_why, told, text) => {
    expect(await messageOf(told)).toContain(text);
  });

  test('is told with every other of its step, and expected by why it counts for nothing', async () => {
    const message = await messageOf(both().confirmedBy('bob').isHeld());
    expect(message.match(/not admissible: "bob" answers yes to the card "above [^"]*" of reply-1\.1/g)).toHaveLength(2);
    await both().confirmedBy('bob').isIgnored('not admissible').isHeld('above the rate', 'above 200');
    expect(await messageOf(both().confirmedBy('bob').isIgnored('no such card'))).toContain(
      'the step before is ignored, but not for "no such card"',
    );
    expect(await messageOf(both().confirmedBy('mia').isIgnored())).toContain('the step before is not ignored: it was taken in');
  });
});

describe('never', () => {
  test('is about the whole scenario, and points at itself and at the step where it broke', async () => {
    const message = await messageOf(opened().never('refund').proposes(refund(1)).isApproved());
    expect(message).toMatch(/^step 2, never, after step 3: there is 1 intent\.refund/);
    expect(await messageOf(opened().proposes(refund(1)).starts().never('refund'))).toMatch(/^step 4, never, after step 2/);
    await opened().never('refund', { amount: 2 }).proposes(refund(1)).starts().never('conflict.refund');
  });
});

describe('who speaks', () => {
  test('is the actor and the session of what comes in', async () => {
    const { world } = await opened()
      .by('bob')
      .in('another')
      .proposes(refund(1))
      .isDenied('the order is yours')
      .by('ada')
      .claims(address('Elm'));
    expect(world.model().rows('candidate.address')).toMatchObject([{ actor: 'ada', session: 'another' }]);
  });

  test('comes again with the same reply, and nothing happens twice', async () => {
    const { outcome, world } = await opened().proposes(refund(1)).again().isApproved();
    expect(outcome).toMatchObject({ status: 'answered' });
    expect(world.model().count('admitted.refund')).toBe(1);
  });

  test('ends a key', async () => {
    await opened()
      .ends(ended(shop.observation.manager, { user: UserId.parse('mia') }))
      .proposes(refund(300 * EUR))
      .confirmedBy('mia')
      .isIgnored('not admissible')
      .isHeld();
  });
});

describe('cards', () => {
  test('of a world are its questions, and an answer is a row for a report', async () => {
    const { world } = await scenario(app, { actor: 'ada' })
      .given(orderOf('ada', 50_000), limitOf(40_000), today('monday'), row(shop.observation.manager, { user: UserId.parse('mia') }))
      .proposes(refund(300 * EUR), refund(200 * EUR));
    const asked = world.model().cards();
    expect(asked).toMatchObject([
      { id: 'reply-1.1', reason: 'above 100 EUR', relation: 'confirmed.refund', row: { amount: 300 * EUR } },
      { id: 'reply-1.2', reason: 'above 100 EUR', relation: 'confirmed.refund', row: { amount: 200 * EUR } },
    ]);
    const report = { rows: asked.map((card, i) => answer(card, i === 0 ? 'yes' : 'no')) };
    await world.observe({ session: 'desk', actor: 'mia', reports: [report] });
    expect(['reply-1.1', 'reply-1.2'].map((id) => world.model().statusOf(id))).toEqual(['approved', 'rejected']);
    expect(world.model().cards()).toEqual([]);
  });

  test('of a request say which query it is', async () => {
    const { requests } = await import('./requests.ts');
    await requests().isHeld('somebody looks').confirmedBy('mia').isApproved();
    await requests().declinedBy('mia').isDenied('declined: somebody looks');
  });
});
