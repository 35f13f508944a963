import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  decide,
  defineOntology,
  keyed,
  memory,
  open,
  program,
  row,
  RowId,
  rule,
  ruleset,
  type Program,
  type ReportRow,
  type WorldSnapshot,
} from '../../src/index.ts';

const who = z.string();
const withBan = defineOntology({ observation: { ban: { who }, seen: { who } }, proposal: { p: { who } } });
const withoutBan = defineOntology({ observation: { seen: { who } }, proposal: { p: { who } } });
const free = 'a test of what stands against it';
const banning = program({
  name: 'door',
  ontologies: [withBan],
  rules: [
    decide('p', withBan.proposal.p({ who: withBan.vars.who }))
      .rejects('banned', withBan.observation.ban({ who: withBan.vars.who }))
      .approvesWithoutConditions(free),
  ],
});
const lenient = program({
  name: 'door',
  ontologies: [withoutBan],
  rules: [decide('p', withoutBan.proposal.p({ who: withoutBan.vars.who })).approvesWithoutConditions(free)],
});
const batch = (rows: readonly ReportRow[], capture?: string) => ({
  session: 's',
  actor: 'a',
  reports: [capture === undefined ? { rows } : { capture, rows }],
});
const code = async (act: () => Promise<unknown>) =>
  act().then(
    () => 'none',
    (error: unknown) => String(error).split('\n')[0],
  );

describe('a ledger that goes on under another program', () => {
  test('keeps what was reported to a relation that the program lacks, for one that has it again', async () => {
    const world = await open(banning);
    await world.observe(batch([row(withBan.observation.ban, { who: 'eve' })]));
    await world.adopt(lenient);
    expect(world.plan.relations.has('observation.ban')).toBe(false);
    await world.adopt(banning);
    await world.observe(batch([row(withBan.proposal.p, { who: 'eve' })], 'c'));
    expect(world.model().statusOf('c.1')).toBe('rejected');
    expect(world.model().rows('observation.ban')).toMatchObject([{ who: 'eve' }]);
  });

  test('tells of a row whose source the program lacks that it is pending', async () => {
    const none = defineOntology({ observation: { seen: { who } } });
    const world = await open(program({ name: 'door', ontologies: [withBan] }));
    await world.observe(batch([row(withBan.proposal.p, { who: 'eve' })], 'c'));
    await world.adopt(program({ name: 'door', ontologies: [none] }));
    expect(world.model().statusOf('c.1')).toBe('pending');
  });

  test('counts no row as open that the program has no rule for', async () => {
    const world = await open(program({ name: 'door', ontologies: [withBan] }), { openRowsMax: 1 });
    await world.observe(batch([row(withBan.proposal.p, { who: 'eve' })], 'c'));
    const q = defineOntology({ proposal: { q: { who } } });
    await world.adopt(program({ name: 'door', ontologies: [q] }));
    await world.observe(batch([row(q.proposal.q, { who: 'ann' })], 'd'));
    expect(world.model().statusOf('d.1')).toBe('pending');
  });

  const made = async (from: Program, rows: readonly ReportRow[], to: Program, capture?: string) => {
    const world = await open(from);
    await world.observe(batch(rows, capture));
    return code(() => world.adopt(to));
  };
  const wishes = defineOntology({ proposal: { claim: { who } } });
  const claims = defineOntology({ candidate: { claim: { who } } });
  const texts = defineOntology({ observation: { k: { v: z.string() } } });
  const numbers = defineOntology({ observation: { k: { v: z.int() } } });
  const any = defineOntology({ observation: { k: { v: z.int() } } });
  const positive = defineOntology({ observation: { k: { v: z.int().positive() } } });
  const last = defineOntology({ observation: { k: keyed({}, { v: z.int() }) } });
  const of = (ontology: Parameters<typeof program>[0]['ontologies'][number]) => program({ name: 'n', ontologies: [ontology] });

  test('does not take a wish for a claim of the same name', async () => {
    expect(await made(of(wishes), [row(wishes.proposal.claim, { who: 'x' })], of(claims), 'c')).toContain('world/schema-changed');
  });

  test.each([
    ['of another type', of(texts), [row(texts.observation.k, { v: '7' })], of(numbers)],
    ['out of a new range', of(any), [row(any.observation.k, { v: -1 })], of(positive)],
    ['more than one of a key', of(any), [row(any.observation.k, { v: 1 }), row(any.observation.k, { v: 2 })], of(last)],
  ])('does not take rows that are %s', async (_name, from, rows, to) => {
    expect(await made(from, rows, to)).toContain('world/schema-changed');
  });
});

const bank = defineOntology({
  observation: { limit: keyed({}, { max: z.int() }) },
  action: { pay: { in: { amount: z.int().nonnegative() } } },
});
const paying = program({
  name: 'bank',
  ontologies: [bank],
  rules: [
    decide('pays', bank.proposal.pay({ amount: bank.vars.amount }))
      .needs('a limit', bank.observation.limit({ max: bank.vars.max }))
      .limits('over', { sum: bank.vars.amount, per: {}, max: bank.vars.max })
      .otherwiseApproves(),
  ],
});

describe('a snapshot', () => {
  test('goes on as the world that it was taken of, also where a receipt came before the start', async () => {
    const ledger = memory();
    const world = await open(paying, { ledger });
    await world.observe(batch([row(bank.observation.limit, { max: 100 })]));
    const outcome = await world.observe(batch([row(bank.proposal.pay, { amount: 100 })], 'a'));
    await world.observe(batch([row(bank.receipt.pay, { amount: 100, act: RowId.parse('a.1'), outcome: 'failed' })]));
    await world.start('pay', outcome.status === 'committed' ? (outcome.admitted[0]?.key ?? '') : '');
    const restored = await open(paying, { ledger, snapshot: world.snapshot() });
    const forked = await world.fork();
    for (const one of [forked, restored]) await one.observe(batch([row(bank.proposal.pay, { amount: 100 })], 'b'));
    expect([forked, restored].map((one) => one.model().statusOf('b.1'))).toEqual(['approved', 'approved']);
    expect(restored.digest).toBe(forked.digest);
  });

  test('is refused by a ledger that it was not taken of, and by another tenant', async () => {
    const world = await open(paying, { ledger: memory() });
    await world.observe(batch([row(bank.observation.limit, { max: 100 })]));
    const snapshot = world.snapshot();
    expect(await code(() => open(paying, { snapshot }))).toContain('world/replay-differs');
    const other = memory();
    await (await open(paying, { ledger: other })).observe(batch([row(bank.observation.limit, { max: 1 })]));
    expect(await code(() => open(paying, { ledger: other, snapshot }))).toContain('world/replay-differs');
    expect(await code(() => open(paying, { ledger: other, tenant: 'another', snapshot }))).toContain('world/options-malformed');
    expect(await code(() => open(paying, { snapshot: { ...snapshot, state: {} as never } }))).toContain('world/snapshot-altered');
    expect(await code(() => open(paying, { snapshot: { ...snapshot, state: 1 as never } }))).toContain('world/options-malformed');
  });
});

describe('a snapshot that was altered', () => {
  test.each<[string, (snapshot: WorldSnapshot) => object]>([
    ['a start', ({ state }) => ({ state: { ...state, made: state.made.filter(({ record }) => record.record !== 'started') } })],
    ['a head', ({ state }) => ({ state: { ...state, head: state.head + 1 } })],
    ['a number of a row', ({ state }) => ({ state: { ...state, seq: -0.5 } })],
    ['a trusted row', ({ state }) => ({ state: { ...state, trusted: [] } })],
    ['a value that JSON has no text for', ({ state }) => ({ state: { ...state, position: Number.NaN } })],
    ['no position', ({ state }) => ({ state: { ...state, position: undefined } })],
    ['the program', () => ({ program: '0'.repeat(64) })],
    ['the checksum', () => ({ checksum: '0'.repeat(64) })],
  ])('opens nothing: %s', async (_what, alter) => {
    const ledger = memory();
    const world = await open(paying, { ledger });
    await world.observe(batch([row(bank.observation.limit, { max: 100 })]));
    const outcome = await world.observe(batch([row(bank.proposal.pay, { amount: 100 })], 'a'));
    await world.start('pay', outcome.status === 'committed' ? (outcome.admitted[0]?.key ?? '') : '');
    const snapshot = JSON.parse(JSON.stringify(world.snapshot())) as WorldSnapshot;
    const reopened = await open(paying, { ledger, snapshot });
    expect(reopened.digest).toBe(world.digest);
    expect(await code(() => open(paying, { ledger, snapshot: { ...snapshot, ...alter(snapshot) } }))).toContain('world/snapshot-altered');
  });
});

describe('a hand-written rejection', () => {
  test('does not load when its id is that of another row than it restates', async () => {
    const { id, who: name } = withBan.vars;
    const misread = rule(withBan.decision.rejected.p({ id, who: name, reason: 'banned' })).when(
      withBan.proposal.p({ who: name }),
      withBan.observation.ban({ id, who: name }),
    );
    expect(await code(() => open(program({ name: 'door', ontologies: [withBan], rules: [ruleset('x', { misread })] })))).toContain(
      'load/unfaithful',
    );
  });
});
