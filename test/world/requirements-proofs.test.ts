/** What a person can be told at three in the morning: by which rule, from which reports, with which numbers; and what may not be. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  countOf,
  decide,
  defineOntology,
  ended,
  gt,
  invariant,
  keyed,
  lt,
  not,
  open,
  program,
  proofMermaid,
  proofText,
  row,
  RowId,
  rule,
  ruleset,
  type Why,
} from '../../src/index.ts';
import { listLedger, reported, replied, shown, type World } from './shop.ts';

const cents = z.int().nonnegative();
const office = defineOntology({
  observation: {
    offer: keyed({ item: z.string() }, { asked: cents }),
    floor: keyed({ item: z.string() }, { least: cents }),
    customer: keyed({ name: z.string() }, {}),
    // What a mail server says that it sent, by whatever it was asked.
    sent: { act: RowId },
  },
  fact: { sold: { item: z.string() } },
  action: { mail: { in: { name: z.string(), price: cents }, receipt: { message: z.string() } } },
});
const { observation, decision, started, receipt, proposal, fact } = office;
const { item, asked, least, name, price, act } = office.vars;

const mails = decide('mails', proposal.mail({ name, price }))
  .needs('is no customer', observation.customer({ name }))
  .rejects('is below the floor', observation.floor({ item: 'mail', least }), lt(price, least))
  .otherwiseApproves();
const invariants = [
  invariant('an offer below the floor').never(observation.offer({ item, asked }), observation.floor({ item, least }), lt(asked, least)),
  invariant('sent without an act that was started').never(observation.sent({ act }), not(started.mail({ id: act }))),
  invariant('a receipt without canonical approval').never(
    receipt.mail({ act, name, price }),
    not(decision.approved.mail({ id: act, name, price })),
  ),
  invariant('a receipt of an act that was never started').never(receipt.mail({ act }), not(started.mail({ id: act }))),
];
const policy = program({ name: 'office', ontologies: [office], rules: [mails], invariants });

const customer = (of: string) => row(observation.customer, { name: of });
const floorOf = (count: number, of = 'tea') => row(observation.floor, { item: of, least: count });
const offerOf = (count: number) => row(observation.offer, { item: 'tea', asked: count });
const mail = (to: string, count: number) => row(proposal.mail, { name: to, price: count });
const receiptOf = (of: string, to: string, count: number) =>
  row(receipt.mail, { act: RowId.parse(of), name: to, price: count, message: 'm1', outcome: 'succeeded' });

async function opened(): Promise<World> {
  const world = await open(policy, { ledger: listLedger() });
  await world.observe(reported(customer('ada'), floorOf(100), floorOf(5, 'mail')));
  return world;
}

/** A world in which one mail is approved, admitted and started. */
async function mailed(): Promise<World> {
  const world = await opened();
  const outcome = await world.observe(replied('c1', mail('ada', 10)));
  const [admitted] = outcome.status === 'committed' ? outcome.admitted : [];
  await world.start('mail', admitted?.key ?? '');
  return world;
}

function textOf(why: Why | undefined): string[] {
  return why === undefined
    ? []
    : proofText(why)
        .replace(/, \S+\.ts:\d+:\d+/g, '')
        .split('\n');
}

describe('an operator who goes around the rules', () => {
  test('J28 A19 cannot report that something was sent that no act stands for: the invariant has a name, a witness and a proof', async () => {
    const world = await opened();
    const before = shown(world);
    const outcome = await world.observe(reported(row(observation.sent, { act: RowId.parse('c1.1') })));
    expect(outcome).toMatchObject({
      status: 'refused',
      refusal: { invariant: 'sent without an act that was started', witness: { act: 'c1.1' } },
    });
    expect(textOf(outcome.status === 'refused' ? outcome.why : undefined)).toEqual([
      'invariant "sent without an act that was started" { act: "c1.1" }  [invariant "sent without an act that was started"]',
      '  observation.sent { act: "c1.1", id: "report:2.0.1" }  [reported at 2]',
      '  no started.mail { id: "c1.1" }',
    ]);
    expect([shown(world).rows, shown(world).head]).toEqual([before.rows, before.head]);
  });

  test('J28 can report it once the act has started', async () => {
    const world = await mailed();
    expect((await world.observe(reported(row(observation.sent, { act: RowId.parse('c1.1') })))).status).toBe('committed');
  });

  test.each<[claim: string, of: string, to: string, count: number, invariant: string, missing: string]>([
    ['of an act that nobody approved', 'c9.1', 'ada', 10, 'a receipt of an act that was never started', 'no started.mail { id: "c9.1" }'],
    [
      'of another amount than was approved',
      'c1.1',
      'ada',
      1_000,
      'a receipt without canonical approval',
      'no decision.approved.mail { name: "ada", price: 1000, id: "c1.1" }',
    ],
    [
      'to another than was approved',
      'c1.1',
      'bob',
      10,
      'a receipt without canonical approval',
      'no decision.approved.mail { name: "bob", price: 10, id: "c1.1" }',
    ],
  ])('A19 A48 cannot report a receipt %s', async (_claim, of, to, count, refused, missing) => {
    const world = await mailed();
    const outcome = await world.observe(reported(receiptOf(of, to, count)));
    expect(outcome).toMatchObject({ status: 'refused', refusal: { invariant: refused } });
    expect(textOf(outcome.status === 'refused' ? outcome.why : undefined).at(-1)).toBe(`  ${missing}`);
  });
});

describe('an act', () => {
  test('A47 A48 leaves its start and its receipt, under the key and the bindings of the decision that approved it', async () => {
    const world = await mailed();
    expect((await world.observe(reported(receiptOf('c1.1', 'ada', 10)))).status).toBe('committed');
    const acts = world.model().verdict('c1.1')?.acts ?? [];
    expect(acts.map(({ record, position }) => [record, position])).toEqual([
      ['admitted', 2],
      ['started', 3],
    ]);
    expect(new Set(acts.map(({ key }) => key)).size).toBe(1);
    expect(world.model().rows('receipt.mail', { act: 'c1.1' })).toEqual([expect.objectContaining({ name: 'ada', price: 10 })]);
    expect(textOf(world.model().why('started.mail', { id: 'c1.1' }))).toEqual([
      `started.mail { name: "ada", price: 10, id: "c1.1" }  [recorded at 3 by program ${world.plan.digest.slice(0, 12)}]`,
      '  because mails.intent',
      `    decision.approved.mail { name: "ada", price: 10, id: "c1.1" }  [recorded at 2 by program ${world.plan.digest.slice(0, 12)}]`,
      '      because mails.otherwise',
      '        proposal.mail { name: "ada", price: 10, id: "c1.1" }  [reported at 2]',
      '      because mails.needs1.met, needs "is no customer"',
      '        proposal.mail { name: "ada", price: 10, id: "c1.1" }  [shown elsewhere]',
      '        observation.customer { name: "ada", id: "report:1.0.1" }  [reported at 1]',
    ]);
  });
});

describe('an invariant', () => {
  test('A20 A22 lets the boundary pass and refuses what is one below it, with both numbers and the reports that they are from', async () => {
    const world = await opened();
    expect((await world.observe(reported(offerOf(100)))).status).toBe('committed');
    const outcome = await world.observe(reported(offerOf(99)));
    expect(outcome).toMatchObject({
      status: 'refused',
      head: 2,
      position: 3,
      refusal: { invariant: 'an offer below the floor', witness: { item: 'tea', asked: 99, least: 100 } },
    });
    expect(textOf(outcome.status === 'refused' ? outcome.why : undefined)).toEqual([
      'invariant "an offer below the floor" { asked: 99, item: "tea", least: 100 }  [invariant "an offer below the floor"]',
      '  observation.offer { item: "tea", asked: 99, id: "report:3.0.1" }  [reported at 3]',
      '  observation.floor { item: "tea", least: 100, id: "report:1.0.2" }  [reported at 1]',
      '  99 < 100',
    ]);
    expect(world.model().whyRefused(3)).toEqual(outcome.status === 'refused' ? outcome.why : undefined);
    // The position of a commit has none, and that of a refusal keeps it.
    await world.observe(reported(offerOf(101)));
    expect(world.model().whyRefused(4)).toBeUndefined();
    expect(world.model().whyRefused(3)).toBeDefined();
  });

  test('A22 is told of also where a ledger that fails keeps the refusal out, and by a world that was opened again', async () => {
    const ledger = listLedger();
    const world = await open(policy, { ledger });
    await world.observe(reported(floorOf(100)));
    const { append } = ledger;
    ledger.append = async () => {
      throw new Error('the disk is full');
    };
    await expect(world.observe(reported(offerOf(99)))).rejects.toThrow(/the disk is full/);
    ledger.append = append;
    await world.observe(reported(offerOf(100)));
    expect(world.model().whyRefused(2)).toBeUndefined();
    await world.observe(reported(offerOf(99)));
    const again = await open(policy, { ledger });
    expect(again.model().whyRefused(3)).toEqual(world.model().whyRefused(3));
    await again.adopt(program({ name: 'office', ontologies: [office], rules: [mails] }));
    expect(again.model().whyRefused(3)).toEqual(world.model().whyRefused(3));
  });
});

describe('a decision', () => {
  test('A09 names its rule and the place in the source where that is written', async () => {
    const world = await opened();
    await world.observe(replied('c1', mail('ada', 4)));
    const [reason] = world.model().verdict('c1.1')?.because ?? [];
    expect(reason).toMatchObject({ rule: 'mails.rejects1', clause: 'rejects "is below the floor"', reason: 'is below the floor' });
    const [, file = '', line = ''] = /^(.*):(\d+):\d+$/.exec(reason?.location ?? '') ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(".rejects('is below the floor'");
  });

  test('A15 A16 of an absurd wish stays in the record with its numbers, and why nothing came of it', async () => {
    const world = await opened();
    await world.observe(replied('c1', mail('eve', 0)));
    expect(world.model().verdict('c1.1')?.sentence).toBe(
      'denied: is below the floor: observation.floor { item: "mail", least: 5 }, 0 < 5; is no customer: no observation.customer { name: "eve" }',
    );
    expect(textOf(world.model().why('decision.rejected.mail', { id: 'c1.1', reason: 'is no customer' }))).toEqual([
      `decision.rejected.mail { name: "eve", price: 0, reason: "is no customer", id: "c1.1" }  [recorded at 2 by program ${world.plan.digest.slice(0, 12)}: is below the floor; is no customer]`,
      '  because mails.rejects1, rejects "is below the floor"',
      '    proposal.mail { name: "eve", price: 0, id: "c1.1" }  [reported at 2]',
      '    observation.floor { item: "mail", least: 5, id: "report:1.0.3" }  [reported at 1]',
      '    0 < 5',
      '  because mails.needs1, needs "is no customer"',
      '    proposal.mail { name: "eve", price: 0, id: "c1.1" }  [shown elsewhere]',
      '    no observation.customer { name: "eve" }',
    ]);
    const notSent = world.model().whyNot('intent.mail', { id: 'c1.1' });
    expect(proofText(notSent).replace(/, \S+\.ts:\d+:\d+/g, '')).toBe(
      [
        'no intent.mail { id: "c1.1" }',
        '  mails.intent',
        '    fails: no decision.approved.mail { id: "c1.1" }',
        '    it would pass with a row decision.approved.mail { id: "c1.1" }',
        '    no decision.approved.mail { id: "c1.1" }: c1.1 is denied: is below the floor: observation.floor { item: "mail", least: 5 }, 0 < 5; is no customer: no observation.customer { name: "eve" }',
      ].join('\n'),
    );
    expect(proofMermaid(notSent).split('\n')[0]).toBe('flowchart BT');
  });

  test('J26 says of each premise whether it still holds, and goes on saying what was so', async () => {
    const world = await opened();
    await world.observe(replied('c1', mail('ada', 4)));
    const before = world.model().verdict('c1.1')?.sentence;
    await world.observe(reported(floorOf(3, 'mail')));
    expect(world.model().verdict('c1.1')?.sentence).toBe(before);
    expect(textOf(world.model().why('decision.rejected.mail')).slice(2)).toEqual([
      '    proposal.mail { name: "ada", price: 4, id: "c1.1" }  [reported at 2]',
      '    observation.floor { item: "mail", least: 5 }  (no longer so)',
      '    4 < 5',
    ]);
  });

  test('J26 A19 shows no row that was reported later, also where the premise would match it', async () => {
    const anyFloor = decide('mails', proposal.mail({ name, price }))
      .needs('is no customer', observation.customer({ name }))
      .needs('has no floor', observation.floor({ item: 'mail' }))
      .needs('has nothing to sell', fact.sold({ item }))
      .otherwiseApproves();
    const sells = ruleset('sells', { all: rule(fact.sold({ item })).when(observation.offer({ item })) });
    const world = await open(program({ name: 'office', ontologies: [office], rules: [anyFloor, sells] }));
    await world.observe(reported(customer('ada'), floorOf(5, 'mail'), offerOf(1)));
    await world.observe(replied('c1', mail('ada', 10)));
    const groundsOf = () => textOf(world.model().why('decision.approved.mail')).filter((line) => !/proposal|because/.test(line));
    const fact0 = '    fact.sold { item: "tea" }';
    expect(groundsOf().slice(1)).toEqual([
      '    observation.customer { name: "ada", id: "report:1.0.1" }  [reported at 1]',
      '    observation.floor { item: "mail", least: 5, id: "report:1.0.2" }  [reported at 1]',
      `${fact0}  [sells.all]`,
      '      observation.offer { item: "tea", asked: 1, id: "report:1.0.3" }  [reported at 1]',
    ]);
    await world.observe(reported(floorOf(7, 'mail'), offerOf(2)));
    expect(groundsOf().slice(1)).toEqual([
      '    observation.customer { name: "ada", id: "report:1.0.1" }  [reported at 1]',
      '    observation.floor { item: "mail" }',
      `${fact0}  [not shown]`,
    ]);
    expect(textOf(world.model().why('fact.sold')).at(-1)).toBe(
      '  observation.offer { item: "tea", asked: 2, id: "report:3.0.2" }  [reported at 3]',
    );
  });

  test('J26 A15 names of what was counted only what is known to have been there', async () => {
    const many = decide('mails', proposal.mail({ name, price }))
      .needs('is no customer', observation.customer({ name }))
      .rejects('sells too much', gt(countOf(fact.sold, { per: {} }), 1))
      .rejects('has too many floors', gt(countOf(observation.floor, { per: {} }), 1))
      .otherwiseApproves();
    const sells = ruleset('sells', { all: rule(fact.sold({ item })).when(observation.offer({ item })) });
    const world = await open(program({ name: 'office', ontologies: [office], rules: [many, sells] }));
    const offer = (of: string) => row(observation.offer, { item: of, asked: 1 });
    await world.observe(reported(customer('ada'), offer('tea'), offer('milk'), floorOf(1), floorOf(1, 'milk')));
    await world.observe(replied('c1', mail('ada', 10)));
    await world.observe(reported(offer('salt'), offer('rice'), floorOf(1, 'salt')));
    await world.observe({
      session: 's',
      actor: 'a',
      reports: [{ rows: [], ends: [ended(observation.offer, { item: 'tea' }), ended(observation.floor, { item: 'tea' })] }],
    });
    expect(world.model().verdict('c1.1')?.sentence).toBe(
      'denied: has too many floors: 2 > 1 (still there of what was counted: floor report:1.0.5 at head 1); sells too much: 2 > 1',
    );
  });

  test('J26 is not to be had of a wish that was made otherwise, or never', async () => {
    const world = await opened();
    await world.observe(replied('c1', mail('ada', 10)));
    expect(world.model().whyNot('decision.rejected.mail', { name: 'ada' }).notes).toEqual([
      'c1.1 is approved: "is no customer" is met by observation.customer { name: "ada" } (by mails.otherwise)',
    ]);
    expect(world.model().whyNot('decision.approved.mail', { name: 'bob' }).notes).toEqual(['there is no proposal.mail { name: "bob" }']);
    expect(world.model().whyNot('observation.customer', { name: 'bob' }).notes).toEqual(['no report has such a row']);
    expect(world.model().whyNot('observation.customer', { name: 'ada' }).notes).toEqual(['there is such a row']);
  });
});
