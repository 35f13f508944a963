/** What a person reads of each way in which a row can be decided or wait, and in which an act can go: one sentence, with its numbers. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  ActorId,
  decide,
  defineOntology,
  fn,
  goneText,
  gt,
  gte,
  invariant,
  keyed,
  load,
  memory,
  not,
  open,
  program,
  proofMermaid,
  proofText,
  row,
  RowId,
  rule,
  ruleset,
  together,
  type Program,
  type Report,
  type ReportRow,
  type Row,
} from '../../src/index.ts';
import type { World } from './shop.ts';

const text = z.string();
const cents = z.int().nonnegative();
const desk = defineOntology({
  observation: {
    order: keyed({ order: text }, { paid: cents }),
    limit: keyed({}, { most: cents }),
    today: keyed({}, { day: z.int() }),
    manager: keyed({ user: ActorId }, {}),
    shop: keyed({}, { isOpen: z.boolean() }),
    blocked: keyed({ order: text }, {}),
  },
  candidate: { mood: { order: text, mood: text }, age: { order: text, years: z.int() } },
  proposal: { note: { text } },
  action: {
    refund: { in: { order: text, amount: cents }, records: { day: z.int() } },
    letter: { in: { order: text } },
    parcel: { in: { order: text } },
    call: { in: { order: text, number: text }, identity: ['order'] },
  },
  fact: { risk: { order: text, points: z.int() } },
});
const { id, order, amount, day, most, paid, by, mood, years, number, points } = desk.vars;
const { observation, candidate, proposal, decision, due, fact } = desk;
const later = day.as('later');
const risk = fn('risk', '1', [z.int()], z.int(), (given) => {
  if (given > 100) throw new Error(`${given} is beyond the scale`);
  return given;
});

const refunds = decide('refunds', proposal.refund({ order, amount }))
  .needs('the order is known', observation.order({ order, paid }))
  .needsEvidence('nobody has told a mood', candidate.mood({ order, mood }))
  .awaits('a date', observation.today({ day }))
  .needs('no limit is set', observation.limit({ most }))
  .records({ day })
  .rejects('more than was paid', gt(amount, paid))
  .rejects('too risky', risk(amount).as(points), gt(points, 90))
  .limits('daily budget', { sum: amount, per: { day }, max: most })
  .limits('three a day', { per: { day }, max: 3 })
  .asks('above 50', gt(amount, 50), { by: observation.manager({ user: by }) })
  .asks('blocked before', observation.blocked({ order }), { by: observation.manager({ user: by }) })
  .expires('too late', observation.today({ day: later }), gte(later, 9))
  .stillNeeds('the shop is open', observation.shop({ isOpen: true }))
  .otherwiseApproves();
const letters = decide('letters', proposal.letter({ order })).needs('no such order', observation.order({ order })).otherwiseApproves();
const parcels = decide('parcels', proposal.parcel({ order }))
  .needs('no such order', observation.order({ order }))
  .awaits('a date', observation.today({ day }))
  .stillNeeds('it is not blocked', not(observation.blocked({ order })))
  .otherwiseApproves();
const calls = decide('calls', proposal.call({ order, number })).approvesWithoutConditions('a call costs nothing');
const ages = decide('ages', candidate.age({ order, years })).acceptsWithoutConditions('the carrier checks it again');
const byHand = ruleset('hand', {
  moods: rule(decision.accepted.mood({ id, order, mood })).when(observation.order({ order }), candidate.mood({ id, order, mood })),
  before: rule(decision.rejected.letter({ id, order, reason: 'is blocked' })).when(
    observation.blocked({ order }),
    proposal.letter({ id, order }),
  ),
  after: rule(decision.revoked.letter({ id, order, reason: 'was blocked' })).when(
    observation.blocked({ order }),
    decision.approved.letter({ id, order }),
  ),
  risk: rule(fact.risk({ order, points })).when(decision.accepted.age({ order, years }), risk(years).as(points)),
});
const dear = invariant('a refund above the limit is due').never(due.refund({ amount }), observation.limit({ most }), gt(amount, most));
const lonely = invariant('a call to a blocked order is due').never(due.call({ order }), observation.blocked({ order }));
const parts = { name: 'desk', ontologies: [desk], rules: [refunds, letters, parcels, calls, ages, byHand], invariants: [dear, lonely] };
const apart = program(parts);
const grouped = program({ ...parts, rules: [...parts.rules, together({ sources: [proposal.letter, proposal.parcel] })] });

const orderOf = (of: string, cost = 1_000) => row(observation.order, { order: of, paid: cost });
const limitOf = (cost: number) => row(observation.limit, { most: cost });
const todayIs = (date: number) => row(observation.today, { day: date });
const blocked = (of: string) => row(observation.blocked, { order: of });
const isOpen = (yes: boolean) => row(observation.shop, { isOpen: yes });
const boss = row(observation.manager, { user: ActorId.parse('boss') });
const refund = (of: string, cost: number) => row(proposal.refund, { order: of, amount: cost });
const letter = (of: string) => row(proposal.letter, { order: of });
const parcel = (of: string) => row(proposal.parcel, { order: of });
const call = (of: string, to: string) => row(proposal.call, { order: of, number: to });
const calm = row(candidate.mood, { order: 'o1', mood: 'calm' });
const age = (of: string, count: number) => row(candidate.age, { order: of, years: count });

/** What happens, in the words of a table. */
type Event =
  | readonly ReportRow[]
  | { readonly says: string; readonly rows: readonly ReportRow[]; readonly beside?: readonly ReportRow[] }
  | { readonly ends: ReportRow }
  | { readonly answers: 'yes' | 'no'; readonly to: string; readonly reason: string }
  | { readonly starts: string; readonly intent: string }
  | { readonly adopts: Program };
const says = (capture: string, ...rows: readonly ReportRow[]): Event => ({ says: capture, rows });
const answers = (answer: 'yes' | 'no', to: string, reason: string): Event => ({ answers: answer, to, reason });
const starts = (intent: string, act: string): Event => ({ starts: act, intent });

/** A desk with an order, a limit, a date and a mood. */
const ready: readonly Event[] = [[orderOf('o1'), limitOf(100), todayIs(1), boss], says('m', calm)];

async function played(given: Program, events: readonly Event[]): Promise<World> {
  const world = await open(given);
  for (const event of events) await happen(world, event);
  return world;
}

async function happen(world: World, event: Event): Promise<void> {
  const report = (rows: readonly ReportRow[], more: object = {}, actor = 'ada', beside: readonly Report[] = []) =>
    world.observe({ session: 's', actor, reports: [{ rows, ...more }, ...beside] });
  if ('says' in event) await report(event.rows, { capture: event.says }, 'ada', event.beside === undefined ? [] : [{ rows: event.beside }]);
  else if ('ends' in event) await report([], { ends: [event.ends] });
  else if ('starts' in event) await world.start(event.intent, keyOf(world, event.intent, event.starts));
  else if ('adopts' in event) await world.adopt(event.adopts);
  else if ('answers' in event) {
    const [card] = world.model().rows('decision.held.refund', { id: event.to, reason: event.reason });
    const its = { id: RowId.parse(event.to), reason: event.reason, shown: String(card?.['shown']), answer: event.answers };
    await report([row(desk.confirmed.refund, its)], {}, 'boss');
  } else await report(event);
}

function keyOf(world: World, intent: string, act: string): string {
  const found = world.records().findLast((record) => record.record === 'admitted' && record.intent === intent && record.row['id'] === act);
  return found?.record === 'admitted' ? found.key : '';
}

const met = (cost = '0 + 10 <= 100', count = '0 + 1 <= 3', counted = '') =>
  'approved: "the order is known" is met by observation.order { order: "o1", paid: 1000 }, "nobody has told a mood" is met by' +
  ' candidate.mood { order: "o1", mood: "calm" }, "no limit is set" is met by observation.limit { most: 100 },' +
  ` "daily budget" is kept: ${cost}${counted}, "three a day" is kept: ${count}${counted}`;

describe('a person who asks what became of a row is told that it', () => {
  test.each<[claim: string, id: string, events: readonly Event[], sentence: string]>([
    [
      'was denied by a need, whose row is not there',
      'c.1',
      [...ready, says('c', refund('o2', 10))],
      'denied: nobody has told a mood: no candidate.mood { order: "o2" }; the order is known: no observation.order { order: "o2" }',
    ],
    [
      'was denied by a comparison, with both numbers',
      'c.1',
      [[orderOf('o1', 60)], ...ready.slice(1), [limitOf(100), todayIs(1)], says('c', refund('o1', 70))],
      'denied: more than was paid: 70 > 60',
    ],
    [
      'was denied by a budget, with what was counted',
      'c.2',
      [...ready, says('c', refund('o1', 50), refund('o1', 51))],
      'denied: daily budget: 50 + 51 > 100 (counted: refund c.1 at head 3)',
    ],
    [
      'was denied by a count',
      'd.2',
      [...ready, says('c', refund('o1', 1), refund('o1', 2)), says('d', refund('o1', 3), refund('o1', 4))],
      'denied: three a day: 3 + 1 > 3 (counted: refund c.1 at head 3, refund c.2 at head 3, refund d.1 at head 4)',
    ],
    [
      'was denied for two reasons, each with its own numbers',
      'c.1',
      [...ready, says('c', refund('o1', 2_000))],
      'denied: daily budget: 0 + 2000 > 100; more than was paid: 2000 > 1000; undecidable: refunds.rejects2: 2000 is beyond the scale',
    ],
    [
      'was denied since a function gave no value',
      'c.1',
      [...ready, [limitOf(1_000)], says('c', refund('o1', 101))],
      'denied: undecidable: refunds.rejects2: 101 is beyond the scale',
    ],
    [
      'was denied by somebody who said no',
      'c.1',
      [...ready, says('c', refund('o1', 60)), answers('no', 'c.1', 'above 50')],
      'denied: declined: above 50: "boss" said no',
    ],
    [
      'was denied since it waited too long',
      'c.1',
      [...ready, says('c', refund('o1', 60)), [todayIs(9)]],
      'denied: too late: observation.today { day: 9 }, 9 >= 9',
    ],
    [
      'was denied by a rule that was written by hand, whatever its literals begin with',
      'c.1',
      [[orderOf('o1'), blocked('o1')], says('c', letter('o1'))],
      'denied: is blocked: observation.blocked { order: "o1" }',
    ],
    [
      'was set aside, with what could not be computed',
      'c.1',
      [says('c', age('o1', 101))],
      'denied: set aside: hand.risk: 101 is beyond the scale: decision.accepted.age { order: "o1", years: 101 }',
    ],
    [
      'was denied to keep an invariant, with its witness',
      'c.1',
      [{ says: 'c', rows: [call('o1', '1')], beside: [blocked('o1')] }],
      'denied: invariant: a call to a blocked order is due: due.call { order: "o1" }, observation.blocked { order: "o1" }',
    ],
    [
      'was revoked by a rule, and that its act has not started',
      'c.1',
      [[orderOf('o1')], says('c', letter('o1')), [blocked('o1')]],
      'revoked: was blocked: observation.blocked { order: "o1" }; its act has not started',
    ],
    [
      'was revoked by a rule, and that its act had started',
      'c.1',
      [[orderOf('o1')], says('c', letter('o1')), starts('letter', 'c.1'), [blocked('o1')]],
      'revoked: was blocked: observation.blocked { order: "o1" }; its act had started',
    ],
    [
      'was revoked to keep an invariant, with its witness',
      'c.1',
      [...ready, [isOpen(true)], says('c', refund('o1', 40)), [limitOf(30)]],
      'revoked: invariant: a refund above the limit is due: due.refund { amount: 40 }, observation.limit { most: 30 }, 40 > 30; its act has not started',
    ],
    ['is held, with the card', 'c.1', [...ready, says('c', refund('o1', 60))], 'held: above 50: 60 > 50'],
    [
      'is held, with both cards',
      'c.1',
      [...ready, [blocked('o1')], says('c', refund('o1', 60))],
      'held: above 50: 60 > 50; blocked before: observation.blocked { order: "o1" }',
    ],
    [
      'is held by the card that is left',
      'c.1',
      [...ready, [blocked('o1')], says('c', refund('o1', 60)), answers('yes', 'c.1', 'above 50')],
      'held: blocked before: observation.blocked { order: "o1" }',
    ],
    [
      'is held although a yes was said, when what is asked about has come only now',
      'c.1',
      [...ready, says('c', refund('o1', 10)), [blocked('o1')], says('d', refund('o1', 10))],
      `${met()}, observation.today { day: 1 } (by refunds.otherwise); its act waits: the shop is open: no observation.shop { isOpen: true }`,
    ],
    [
      'was approved after a yes, and who said it',
      'c.1',
      [...ready, [isOpen(true)], says('c', refund('o1', 60)), answers('yes', 'c.1', 'above 50')],
      `${met('0 + 60 <= 100')}, "above 50": "boss" said yes, observation.today { day: 1 } (by refunds.otherwise)`,
    ],
    [
      'was approved within what is left of a budget',
      'd.1',
      [...ready, [isOpen(true)], says('c', refund('o1', 40)), says('d', refund('o1', 10))],
      `${met('40 + 10 <= 100', '1 + 1 <= 3', ' (counted: refund c.1 at head 4)')}, observation.today { day: 1 } (by refunds.otherwise)`,
    ],
    [
      'was approved without conditions, and why',
      'c.1',
      [says('c', call('o1', '1'))],
      'approved: a call costs nothing (by calls.otherwise)',
    ],
    [
      'was accepted without conditions, and why',
      'c.1',
      [says('c', age('o1', 7))],
      'accepted: the carrier checks it again (by ages.otherwise)',
    ],
    ['was accepted by a rule that was written by hand', 'm.1', ready, 'accepted: observation.order { order: "o1" } (by hand.moods)'],
    ['waits for a row', 'c.1', [[orderOf('o1')], says('c', parcel('o1'))], 'pending: a date: no observation.today'],
    ['is decided by no rule', 'c.1', [says('c', row(proposal.note, { text: 'x' }))], 'pending: no rule decides it yet'],
    [
      'was approved, and that its act waits',
      'c.1',
      [[orderOf('o1'), blocked('o1'), todayIs(1)], says('c', parcel('o1'))],
      'approved: "no such order" is met by observation.order { order: "o1" } (by parcels.otherwise);' +
        ' its act waits: it is not blocked: there is observation.blocked { order: "o1" }',
    ],
    [
      'was approved, and that its act is in conflict',
      'c.2',
      [says('c', call('o1', '1'), call('o1', '2'))],
      'approved: a call costs nothing (by calls.otherwise); its act is in conflict with call c.1 { order: "o1", number: "1" }',
    ],
  ])('%s', async (_claim, of, events, sentence) => {
    const world = await played(apart, events);
    expect(world.model().verdict(of)?.sentence ?? '').toBe(sentence);
  });
});

describe('a person who asks what became of a row of a group is told that it', () => {
  const both = says('c', letter('o1'), parcel('o1'));
  test.each<[claim: string, id: string, events: readonly Event[], sentence: string]>([
    [
      'was denied beside another row, and for what that one was denied',
      'c.2',
      [[orderOf('o2')], says('c', letter('o1'), parcel('o2'))],
      'denied: stands with c.1: no such order: no observation.order { order: "o1" }',
    ],
    [
      'waits beside another row, and what that one waits for',
      'c.1',
      [[orderOf('o1')], both],
      'pending: stands with c.2, which is pending: a date: no observation.today',
    ],
    [
      'was revoked beside another row, and for what that one was revoked',
      'c.2',
      [[orderOf('o1'), todayIs(1)], both, [blocked('o1')]],
      'revoked: stands with c.1: was blocked: observation.blocked { order: "o1" }; its act has not started',
    ],
  ])('%s', async (_claim, of, events, sentence) => {
    const world = await played(grouped, events);
    expect(world.model().verdict(of)?.sentence ?? '').toBe(sentence);
  });
});

describe('a person who asks what came of an act is told that it', () => {
  const waiting = [[orderOf('o1'), todayIs(1)], says('c', parcel('o1'))] as const;
  test.each<[claim: string, id: string, given: Program, events: readonly Event[], sentences: readonly string[]]>([
    ['was admitted, by which rule', 'c.1', apart, waiting, ['admitted: parcel c.1 { order: "o1" } (by parcels.intent)']],
    [
      'was admitted and started',
      'c.1',
      apart,
      [...waiting, starts('parcel', 'c.1')],
      ['admitted: parcel c.1 { order: "o1" } (by parcels.intent)', 'started: parcel c.1 { order: "o1" } (by parcels.intent)'],
    ],
    [
      'was withdrawn when it was to start, since what it still needs did not hold',
      'c.1',
      apart,
      [...waiting, [blocked('o1')], starts('parcel', 'c.1')],
      [
        'admitted: parcel c.1 { order: "o1" } (by parcels.intent)',
        'withdrawn: parcel c.1 { order: "o1" }: it is not blocked: there is observation.blocked { order: "o1" }',
      ],
    ],
    [
      'was withdrawn, and admitted anew once that held again',
      'c.1',
      apart,
      [...waiting, [blocked('o1')], starts('parcel', 'c.1'), { ends: row(observation.blocked, { order: 'o1' }) }],
      [
        'admitted: parcel c.1 { order: "o1" } (by parcels.intent)',
        'withdrawn: parcel c.1 { order: "o1" }: it is not blocked: there is observation.blocked { order: "o1" }',
        'admitted: parcel c.1 { order: "o1" } (by parcels.intent)',
      ],
    ],
    [
      'was withdrawn since its approval was revoked',
      'c.1',
      apart,
      [[orderOf('o1')], says('c', letter('o1')), [blocked('o1')], starts('letter', 'c.1')],
      ['admitted: letter c.1 { order: "o1" } (by letters.intent)', 'withdrawn: letter c.1 { order: "o1" }: c.1 was revoked: was blocked'],
    ],
    [
      'was withdrawn since another of its group did not hold',
      'c.1',
      program({ ...parts, rules: [letters, parcels, together({ sources: [proposal.letter, proposal.parcel] })] }),
      [[orderOf('o1'), todayIs(1)], says('c', letter('o1'), parcel('o1')), [blocked('o1')], starts('letter', 'c.1')],
      [
        'admitted: letter c.1 { order: "o1" } (by letters.intent)',
        'withdrawn: letter c.1 { order: "o1" }: stands with c.2: it is not blocked: there is observation.blocked { order: "o1" }',
        'admitted: letter c.1 { order: "o1" } (by letters.intent)',
      ],
    ],
    [
      'was withdrawn since another of its group never was admitted',
      'c.1',
      program({ ...parts, rules: [letters, parcels, together({ sources: [proposal.letter, proposal.parcel] })] }),
      [[orderOf('o1'), todayIs(1), blocked('o1')], says('c', letter('o1'), parcel('o1')), starts('letter', 'c.1')],
      [
        'admitted: letter c.1 { order: "o1" } (by letters.intent)',
        'withdrawn: letter c.1 { order: "o1" }: stands with c.2: it is not blocked: there is observation.blocked { order: "o1" }',
        'admitted: letter c.1 { order: "o1" } (by letters.intent)',
      ],
    ],
    [
      'was in conflict with another one of its identity, in one reply',
      'c.1',
      apart,
      [says('c', call('o1', '1'), call('o1', '2'))],
      ['conflict: call c.1 { order: "o1", number: "1" } and call c.2 { order: "o1", number: "2" } have one identity'],
    ],
    [
      'was in conflict with an earlier one of its identity',
      'd.1',
      apart,
      [says('c', call('o1', '1')), says('d', call('o1', '2'))],
      ['conflict: call d.1 { order: "o1", number: "2" } and call c.1 { order: "o1", number: "1" } have one identity'],
    ],
  ])('%s', async (_claim, of, given, events, sentences) => {
    const world = await played(given, events);
    expect(
      world
        .model()
        .verdict(of)
        ?.acts.map(({ sentence }) => sentence),
    ).toEqual(sentences);
  });
});

describe('a person who asks why there is no record of an act is told that it', () => {
  const waiting = [[orderOf('o1'), todayIs(1)], says('c', parcel('o1'))] as const;
  const withdrawn = [...waiting, [blocked('o1')], starts('parcel', 'c.1')] as const;
  const when = 'an act is withdrawn when it is to start and its rule no longer holds';
  const lenient = decide('parcels', proposal.parcel({ order })).needs('no such order', observation.order({ order })).otherwiseApproves();
  const slept = program({ ...parts, rules: [lenient], invariants: [] });
  test.each<[claim: string, relation: string, where: Row, events: readonly Event[], notes: readonly string[], fails: readonly string[]]>([
    [
      'is in conflict with which other act',
      'admitted.call',
      { id: 'c.2' },
      [says('c', call('o1', '1'), call('o1', '2'))],
      ['call c.2 { order: "o1", number: "2" } is in conflict with call c.1 { order: "o1", number: "1" }: they have one identity'],
      [],
    ],
    [
      'is one with another act',
      'started.call',
      { id: 'd.1' },
      [says('c', call('o1', '1')), says('d', call('o1', '1'))],
      [
        'call d.1 { order: "o1", number: "1" } is one act with call c.1 { order: "o1", number: "1" }, which was admitted at 1 and has not started',
      ],
      [],
    ],
    [
      'is dormant since which adoption',
      'admitted.parcel',
      { order: 'o1' },
      [[orderOf('o1'), todayIs(1), blocked('o1')], says('c', parcel('o1')), { adopts: slept }],
      [
        `parcel c.1 { order: "o1" } is dormant since the adoption at 3 of program ${load(slept).digest.slice(0, 12)}, which derives it from what was there before`,
      ],
      [],
    ],
    [
      'was admitted and has not started',
      'started.parcel',
      { order: 'o1' },
      waiting,
      ['parcel c.1 { order: "o1" } was admitted at 2 and has not started'],
      [],
    ],
    [
      'was admitted, has not started, and would not now',
      'started.parcel',
      { order: 'o1' },
      [...waiting, [blocked('o1')]],
      ['parcel c.1 { order: "o1" } was admitted at 2 and has not started'],
      ['there is observation.blocked { order: "o1" }'],
    ],
    [
      'waits, and for what',
      'started.parcel',
      { order: 'o1' },
      [[orderOf('o1'), todayIs(1), blocked('o1')], says('c', parcel('o1'))],
      [],
      ['there is observation.blocked { order: "o1" }'],
    ],
    [
      'was withdrawn, and for what',
      'started.parcel',
      { order: 'o1' },
      withdrawn,
      ['parcel c.1 { order: "o1" } was withdrawn at 4: it is not blocked: there is observation.blocked { order: "o1" }'],
      ['there is observation.blocked { order: "o1" }'],
    ],
    [
      'has started and is due no longer',
      'due.parcel',
      { order: 'o1' },
      [...waiting, starts('parcel', 'c.1')],
      ['parcel c.1 { order: "o1" } was started at 3'],
      ['no admitted.parcel { id: "c.1", order: "o1" }'],
    ],
    [
      'was not withdrawn, and when one is',
      'withdrawn.parcel',
      { order: 'o1' },
      waiting,
      [when, 'parcel c.1 { order: "o1" } was admitted at 2 and has not started'],
      [],
    ],
    ['would not be withdrawn with an approval', 'withdrawn.parcel', { order: 'o9' }, waiting, [when], []],
    [
      'is in conflict with none',
      'conflict.parcel',
      {},
      waiting,
      [
        'acts are in conflict when they have one identity and other bindings',
        'parcel c.1 { order: "o1" } was admitted at 2 and has not started',
      ],
      [],
    ],
  ])('%s', async (_claim, relation, where, events, notes, fails) => {
    const world = await played(apart, events);
    const told = world.model().whyNot(relation, where);
    expect(told.notes).toEqual(notes);
    expect(/fails: (.*)/.exec(proofText(told))?.slice(1) ?? []).toEqual(fails);
  });
});

describe('a person who reads a proof', () => {
  const waiting = [[orderOf('o1'), todayIs(1)], says('c', parcel('o1'))] as const;
  const linesOf = (text: string) => text.replace(/, \S+\.ts:\d+:\d+/g, '').split('\n');

  test('sees that a withdrawn act did not hold, for what, and whether that is still so', async () => {
    const world = await played(apart, [...waiting, [blocked('o1')], starts('parcel', 'c.1')]);
    const withdrawn = () => linesOf(proofText(world.model().why('withdrawn.parcel')));
    expect(withdrawn()[1]).toBe('  because it did not hold: parcels.intent');
    expect(withdrawn().at(-1)).toBe('    there is observation.blocked { order: "o1" }');
    await happen(world, { ends: row(observation.blocked, { order: 'o1' }) });
    expect(withdrawn().at(-1)).toBe('    there is observation.blocked { order: "o1" }  (no longer so)');
    const diagram = proofMermaid(world.model().why('withdrawn.parcel')).split('\n');
    expect(diagram.filter((line) => line.includes('because it did not hold: parcels.intent'))).toHaveLength(1);
    expect(diagram.filter((line) => line.includes('blocked') && line.includes('(no longer so)'))).toHaveLength(1);
  });

  test('is told for what a row waits, by clause, and that to pass one step is not to pass them all', async () => {
    const world = await played(apart, [[orderOf('o1')], says('c', parcel('o1'))]);
    const told = world.model().whyNot('decision.approved.parcel', { id: 'c.1' });
    expect(linesOf(proofText(told)).slice(-2)).toEqual([
      '    fails: c.1 waits: a date: no observation.today',
      '    it would pass with a row observation.today',
    ]);
    expect(proofText(world.model().whyNot('intent.parcel', { order: 'o1' }))).toContain(
      'this step would pass with a row decision.approved.parcel { order: "o1" }',
    );
  });

  test('meets no name that only the runtime has', async () => {
    const world = await played(apart, waiting);
    expect(linesOf(proofText(world.model().why('due.parcel')))[0]).toMatch(/\[due\.parcel\]$/);
    await happen(world, [blocked('o1')]);
    const gone = world.model().whyGone('due.parcel');
    expect(gone === undefined ? '' : goneText(gone)).toMatch(/^due\.parcel \{.*\} went \(due\.parcel\) since intent\.parcel /);
  });

  test('is told which row there is not', async () => {
    const world = await played(apart, waiting);
    expect(() => world.model().why('fact.risk', { order: 'o1' })).toThrow('there is no row fact.risk { order: "o1" }');
  });
});

describe('a record of an earlier program', () => {
  test('J26 is told with its clauses and numbers, and the program that made it', async () => {
    const world = await played(apart, [...ready, says('c', refund('o1', 50), refund('o1', 51))]);
    const first = world.plan.digest;
    const before = world.model().verdict('c.2');
    await world.adopt(grouped);
    expect(world.model().verdict('c.2')?.sentence).toBe(before?.sentence);
    expect(world.model().verdict('c.2')).toMatchObject({ position: 3, program: first });
  });

  test('J26 keeps its grounds through worlds that do not know that program, for one that does', async () => {
    const ledger = memory();
    const world = await open(apart, { ledger });
    for (const event of [...ready, says('c', refund('o1', 50), refund('o1', 51))]) await happen(world, event);
    const sentence = world.model().verdict('c.2')?.sentence;
    await world.adopt(grouped);
    const strange = await open(grouped, { ledger, snapshot: world.snapshot() });
    expect(strange.model().verdict('c.2')?.sentence).toBe('denied: daily budget');
    await happen(strange, [orderOf('o2')]);
    await strange.adopt(program({ ...parts, invariants: [] }));
    const again = await open(program({ ...parts, invariants: [] }), { ledger, snapshot: strange.snapshot(), earlier: [apart] });
    expect(again.model().verdict('c.2')?.sentence).toBe(sentence);
  });

  test('J26 says of a limit that was kept what was so, as it did before', async () => {
    const world = await played(apart, [...ready, says('c', refund('o1', 10))]);
    const before = world.model().verdict('c.1')?.sentence;
    await world.adopt(grouped);
    expect(before).toContain('"daily budget" is kept: 0 + 10 <= 100');
    expect(world.model().verdict('c.1')?.sentence).toBe(before);
  });

  test('leaves an act asleep that only a later program derives, and says so', async () => {
    const world = await played(apart, [[orderOf('o1'), todayIs(1), blocked('o1')], says('c', parcel('o1'))]);
    const lenient = decide('parcels', proposal.parcel({ order })).needs('no such order', observation.order({ order })).otherwiseApproves();
    await world.adopt(program({ ...parts, rules: [lenient], invariants: [] }));
    expect(world.model().verdict('c.1')?.sentence).toBe(
      'approved: "no such order" is met by observation.order { order: "o1" } (by parcels.otherwise);' +
        ' its act is dormant: the program that derives it was adopted after the approval',
    );
  });
});
