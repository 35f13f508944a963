/** Where everything stands, and what let it get there. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  ActorId,
  answer,
  decide,
  defineOntology,
  eq,
  gt,
  keyed,
  open,
  program,
  proofText,
  row,
  RowId,
  rule,
  ruleset,
  type Activity,
  type World,
} from '../../src/index.ts';
import { reported, replied } from './shop.ts';

const Cents = z.int().nonnegative();
const bank = defineOntology({
  observation: { open: keyed({}, {}), clerk: keyed({ user: ActorId }, {}), alarm: keyed({ room: z.string() }, {}) },
  candidate: { mood: { mood: z.string() } },
  proposal: { note: { text: z.string() } },
  action: {
    pay: { in: { to: z.string(), amount: Cents }, identity: ['to'] },
    ring: { in: { room: z.string() }, identity: ['room'] },
  },
});
const { to, amount, by, room, text, mood } = bank.vars;
const act = bank.vars.id;
const rules = [
  decide('pays', bank.proposal.pay({ to, amount }))
    .rejects('nothing is paid', eq(amount, 0))
    .asks('a large amount', gt(amount, 100), { by: bank.observation.clerk({ user: by }) })
    .stillNeeds('the bank is open', bank.observation.open({}))
    .approvesWithoutConditions('a test of what follows'),
  decide('notes', bank.proposal.note({ text })).approvesWithoutConditions('a note does nothing'),
  decide('moods', bank.candidate.mood({ mood })).acceptsWithoutConditions('a mood does nothing'),
  ruleset('bells', { rings: rule(bank.intent.ring({ room })).when(bank.observation.alarm({ room })) }),
];
const policy = program({ name: 'bank', ontologies: [bank], rules });
const pay = (name: string, cents: number) => row(bank.proposal.pay, { to: name, amount: cents });

/** A hall in which an approval has more than one act. */
const hall = defineOntology({
  proposal: { note: { guest: z.string() } },
  action: {
    book: { in: { guest: z.string() } },
    ring: { in: { guest: z.string() } },
    call: { in: { guest: z.string(), floor: z.int() }, identity: ['floor'] },
  },
});
const { guest, id } = hall.vars;
const rings = ruleset('rings', {
  booked: rule(hall.intent.ring({ id, guest })).when(hall.decision.approved.book({ id, guest })),
  noted: rule(hall.intent.ring({ id, guest })).when(hall.decision.approved.note({ id, guest })),
});
function hostedBy(name: string, ...more: readonly ReturnType<typeof ruleset>[]) {
  const books = decide('books', hall.proposal.book({ guest })).approvesWithoutConditions('a test of what follows');
  const notes = decide('notes', hall.proposal.note({ guest })).approvesWithoutConditions('a note does nothing');
  return program({ name, ontologies: [hall], rules: [books, notes, ...more] });
}

async function opened(): Promise<World> {
  const world = await open(policy);
  await world.observe(reported(row(bank.observation.open, {}), row(bank.observation.clerk, { user: ActorId.parse('mia') })));
  return world;
}
function told(activity: Activity): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(activity).map(([bucket, all]) => [
      bucket,
      (all as Activity['done']).map((one) => `${one.id} ${one.relation} ${one.is}`),
    ]),
  );
}
const keyOf = (outcome: Awaited<ReturnType<World['observe']>>, nth = 0) =>
  (outcome.status === 'committed' ? outcome.admitted[nth]?.key : undefined) ?? '';

describe('the activity of a world', () => {
  test('J27 A47 goes from waiting to done by a receipt, and by nothing less', async () => {
    const world = await opened();
    expect(told(world.model().activity())).toEqual({ done: [], blocked: [], waiting: [] });
    const outcome = await world.observe(replied('c1', pay('ada', 10)));
    expect(told(world.model().activity()).waiting).toEqual(['c1.1 proposal.pay admitted']);
    await world.start('pay', keyOf(outcome));
    expect(told(world.model().activity())).toEqual({ done: [], blocked: [], waiting: ['c1.1 proposal.pay started'] });
    const receipt = { act: RowId.parse('c1.1'), to: 'ada', outcome: 'succeeded' as const };
    await world.observe(reported(row(bank.receipt.pay, { ...receipt, amount: 11 })));
    expect(told(world.model().activity()).waiting).toEqual(['c1.1 proposal.pay started']);
    await world.observe(reported(row(bank.receipt.pay, { ...receipt, amount: 10 })));
    expect(told(world.model().activity())).toEqual({ done: ['c1.1 proposal.pay succeeded'], blocked: [], waiting: [] });
  });

  test('J27 has each wish and claim once, by what became of it', async () => {
    const world = await opened();
    await world.observe(
      replied(
        'c1',
        pay('ada', 10),
        pay('bob', 0),
        pay('cyd', 500),
        pay('ada', 20),
        row(bank.proposal.note, { text: 'n' }),
        row(bank.candidate.mood, { mood: 'angry' }),
      ),
    );
    const { done, blocked, waiting } = told(world.model().activity());
    expect(done).toEqual(['c1.5 proposal.note approved', 'c1.6 candidate.mood accepted']);
    expect(blocked).toEqual(['c1.1 proposal.pay conflict', 'c1.2 proposal.pay rejected', 'c1.4 proposal.pay conflict']);
    expect(waiting).toEqual(['c1.3 proposal.pay held']);
  });

  test('J27 waits with what lost its ground before the start, and blocks what failed', async () => {
    const world = await opened();
    const failing = await world.observe(replied('c1', pay('ada', 10)));
    await world.start('pay', keyOf(failing));
    await world.observe(reported(row(bank.receipt.pay, { act: RowId.parse('c1.1'), to: 'ada', amount: 10, outcome: 'failed' })));
    const falling = await world.observe(replied('c2', pay('bob', 10)));
    await world.observe({ session: 's', actor: 'till', reports: [{ rows: [], ends: [{ relation: 'observation.open', columns: {} }] }] });
    await world.start('pay', keyOf(falling));
    await world.observe(replied('c3', pay('cyd', 10)));
    expect(told(world.model().activity())).toEqual({
      done: [],
      blocked: ['c1.1 proposal.pay failed'],
      waiting: ['c2.1 proposal.pay withdrawn', 'c3.1 proposal.pay approved'],
    });
  });

  test('J27 has acts that none proposed, and of one session only what it said', async () => {
    const world = await opened();
    const outcome = await world.observe(reported(row(bank.observation.alarm, { room: 'r1' })));
    await world.observe({ ...replied('c1', pay('ada', 10)), session: 'other', actor: 'eve' });
    await world.observe(replied('c2', pay('bob', 10)));
    expect(
      world
        .model()
        .activity()
        .waiting.map(({ relation }) => relation),
    ).toEqual(['proposal.pay', 'proposal.pay', 'intent.ring']);
    expect(told(world.model().activity({ session: 'other' })).waiting).toEqual(['c1.1 proposal.pay admitted']);
    expect(told(world.model().activity({ session: 'other', actor: 'nobody' })).waiting).toEqual([]);
    await world.start('ring', keyOf(outcome));
    const [ring] = world.model().activity().waiting.slice(-1);
    expect(ring).toMatchObject({ relation: 'intent.ring', row: { room: 'r1' }, is: 'started' });
  });

  test('J27 has each act on an approval by its own receipt, and not the wish by that of another', async () => {
    const world = await open(hostedBy('hosted', rings));
    await world.observe(replied('c1', row(hall.proposal.book, { guest: 'ada' }), row(hall.proposal.note, { guest: 'bob' })));
    const sides = { done: ['c1.2 proposal.note approved'], blocked: [] };
    expect(told(world.model().activity())).toEqual({
      ...sides,
      waiting: ['c1.1 proposal.book admitted', 'c1.2 intent.ring admitted', 'c1.1 intent.ring admitted'],
    });
    for (const record of world.records()) if (record.record === 'admitted') await world.start(record.intent, record.key);
    await world.observe(reported(row(hall.receipt.ring, { act: RowId.parse('c1.1'), guest: 'ada', outcome: 'succeeded' })));
    await world.observe(reported(row(hall.receipt.ring, { act: RowId.parse('c1.2'), guest: 'bob', outcome: 'failed' })));
    const { done, blocked, waiting } = told(world.model().activity());
    expect(waiting).toEqual(['c1.1 proposal.book started']);
    expect(done).toEqual(['c1.2 proposal.note approved', 'c1.1 intent.ring succeeded']);
    expect(blocked).toEqual(['c1.2 intent.ring failed']);
    expect(told(world.model().activity({ session: 's' }))).toEqual({ done, blocked, waiting });
    expect(told(world.model().activity({ session: 'other' }))).toEqual({ done: [], blocked: [], waiting: [] });
  });

  test('J27 has the dormant act that a later program derives, and the one in conflict, although no row proposed them', async () => {
    const world = await open(hostedBy('hosted'));
    await world.observe(replied('c1', row(hall.proposal.book, { guest: 'ada' })));
    await world.adopt(hostedBy('hosted', rings));
    expect(told(world.model().activity())).toEqual({
      done: [],
      blocked: ['c1.1 intent.ring dormant'],
      waiting: ['c1.1 proposal.book admitted'],
    });
    const calls = rule(hall.intent.call({ id, guest, floor: 1 })).when(hall.decision.approved.book({ id, guest }));
    const calling = await open(hostedBy('calling', ruleset('calls', { calls })));
    await calling.observe(replied('c1', row(hall.proposal.book, { guest: 'ada' })));
    await calling.observe(replied('c2', row(hall.proposal.book, { guest: 'bob' })));
    expect(told(calling.model().activity()).blocked).toEqual(['c2.1 intent.call conflict']);
  });

  test.each<[unknown, string]>([
    [{ sesion: 's' }, 'world/column-unknown'],
    [{ session: 1 }, 'world/value-refused'],
    ['s', 'world/bindings-differ'],
    [null, 'world/bindings-differ'],
  ])('is not asked for by nonsense: %j', async (where, code) => {
    const world = await opened();
    expect(() => world.model().activity(where as never)).toThrow(code);
  });
});

describe('where a trusted row is from', () => {
  test('no reply changes by what it calls itself', async () => {
    const world = await opened();
    const from = () => world.model().why('observation.open').from;
    expect(from()).toEqual({ is: 'report', position: 1 });
    await world.observe(replied('other', pay('ada', 1)));
    await world.observe(replied('report:1.0', pay('ada', 1)));
    expect(from()).toEqual({ is: 'report', position: 1 });
  });
});

describe('what authorized an act', () => {
  test('C56 is told by its key: the rule, the decision, and who said yes to which card', async () => {
    const world = await opened();
    await world.observe(replied('c1', pay('ada', 500)));
    const [card] = world.model().cards();
    expect(card).toMatchObject({ id: 'c1.1', reason: 'a large amount', relation: 'confirmed.pay', row: { to: 'ada', amount: 500 } });
    if (card === undefined) throw new Error('there is a card');
    // Neither a yes by who may not, nor a yes to what was not shown authorizes anything.
    await world.observe({ session: 's', actor: 'eve', reports: [{ rows: [answer(card, 'yes')] }] });
    await world.observe({ session: 's', actor: 'mia', reports: [{ rows: [answer({ ...card, shown: 'other' }, 'yes')] }] });
    const outcome = await world.observe({ session: 's', actor: 'mia', reports: [{ rows: [answer(card, 'yes')] }] });
    expect(world.model().cards()).toEqual([]);
    const key = keyOf(outcome);
    const authorization = world.model().authorization(key);
    expect(authorization).toMatchObject({
      key,
      intent: 'pay',
      row: { id: 'c1.1', to: 'ada', amount: 500 },
      is: 'admitted',
      position: 5,
      program: world.plan.digest,
      decisions: [{ id: 'c1.1', is: 'approved' }],
      answers: [{ id: 'c1.1', answer: 'yes', by: 'mia', shown: card.shown }],
    });
    await world.start('pay', key);
    expect(world.model().authorization(key)?.is).toBe('started');
  });

  test('C56 J26 stays what it was when the decision is revoked, with the revocation beside it', async () => {
    const alarmed = ruleset('alarms', {
      all: rule(bank.decision.revoked.pay({ id: act, to, amount, reason: 'an alarm' })).when(
        bank.decision.approved.pay({ id: act, to, amount }),
        bank.observation.alarm({}),
      ),
    });
    const world = await open(program({ name: 'bank', ontologies: [bank], rules: [...rules, alarmed] }));
    await world.observe(reported(row(bank.observation.open, {}), row(bank.observation.clerk, { user: ActorId.parse('mia') })));
    await world.observe(replied('c1', pay('ada', 500)));
    const [card] = world.model().cards();
    const yes = card === undefined ? [] : [answer(card, 'yes')];
    const key = keyOf(await world.observe({ session: 's', actor: 'mia', reports: [{ rows: yes }] }));
    await world.start('pay', key);
    const before = world.model().authorization(key);
    expect(before?.decisions[0]?.revoked).toBeUndefined();
    const linesOf = () => proofText(world.model().why('admitted.pay')).split('\n').slice(2);
    const grounds = linesOf();
    await world.observe(reported(row(bank.observation.alarm, { room: 'r1' })));
    expect(world.model().verdict('c1.1')?.is).toBe('revoked');
    const after = world.model().authorization(key);
    expect(after?.answers).toEqual(before?.answers);
    expect(after?.answers).toHaveLength(1);
    expect(after?.decisions[0]).toMatchObject({ is: 'approved', position: 3, sentence: before?.decisions[0]?.sentence });
    expect(after?.decisions[0]?.revoked).toMatchObject({ is: 'revoked', position: 5, reasons: ['an alarm'] });
    expect(linesOf().slice(1)).toEqual(grounds.slice(1));
    expect(linesOf()[0]).toBe(`${grounds[0]?.slice(0, -1) ?? ''}; revoked at 5: an alarm]  (no longer so)`);
  });

  test('C56 of an act that none proposed is a rule over what was reported', async () => {
    const world = await opened();
    const outcome = await world.observe(reported(row(bank.observation.alarm, { room: 'r1' })));
    expect(world.model().authorization(keyOf(outcome))).toMatchObject({
      intent: 'ring',
      decisions: [],
      answers: [],
      because: [{ rule: 'bells.rings', premises: [{ is: 'row', relation: 'observation.alarm', columns: { room: 'r1' } }] }],
    });
    expect(world.model().authorization('no such key')).toBeUndefined();
  });
});
