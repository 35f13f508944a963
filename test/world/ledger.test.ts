/** The ledger is the truth: who reads it again gets the same world, and who changed it gets none. */
import { describe, expect, test } from 'vitest';
import { gt, invariant, open, program, rule, ruleset, type LedgerEntry } from '../../src/index.ts';
import {
  batch,
  issuesOf,
  limitOf,
  listLedger,
  lively,
  note,
  orderOf,
  price,
  prices,
  refund,
  refunds,
  replied,
  reported,
  shop,
  shopProgram,
  shown,
  sorted,
  today,
  type ListLedger,
  type World,
} from './shop.ts';

const { proposal, decision } = shop;
const { id, text } = shop.vars;
const notes = ruleset('notes', { approve: rule(decision.approved.note({ id, text })).when(proposal.note({ id, text })) });
const nextProgram = program({ name: 'shop', ontologies: [shop], rules: [refunds, prices, notes] });

const copyOf = ({ entries }: ListLedger) => listLedger(structuredClone(entries));

/** A ledger with every kind of entry: batches, a malformed capture, a start, a refusal, an adoption. */
async function full(): Promise<{ readonly ledger: ListLedger; readonly world: World }> {
  const ledger = listLedger();
  const world = await lively(ledger);
  await world.observe(replied('bad', today(1)));
  await world.observe(reported(limitOf(5)));
  await world.adopt(nextProgram);
  await world.observe(batch({ capture: 'last', rows: [note('more'), price('o1', 3)] }, { rows: [today(2)] }));
  return { ledger, world };
}

describe('a ledger', () => {
  test('R17 R46 opened again, entry by entry from JSON, gives the same digest, records and rows', async () => {
    const { ledger, world } = await full();
    const events = new Set(ledger.entries.map(({ event, refusal }) => (refusal === undefined ? event.event : 'refused')));
    expect([...events].sort()).toEqual(['adopt', 'batch', 'start']);
    const entries = JSON.parse(JSON.stringify(ledger.entries)) as LedgerEntry[];
    const again = await open(nextProgram, { ledger: listLedger(entries), earlier: [shopProgram] });
    expect(shown(again)).toEqual(shown(world));
    expect(entries).toHaveLength(world.position);
    await again.observe(reported(today(3)));
    await world.observe(reported(today(3)));
    expect(again.digest).toBe(world.digest);
  });

  test('A22 keeps a refusal as an entry of its own, and replays it', async () => {
    const strict = program({
      name: 'shop',
      ontologies: [shop],
      rules: [refunds, prices],
      invariants: [invariant('limits are small').never(shop.observation.limit({ most: shop.vars.most }), gt(shop.vars.most, 1000))],
    });
    const ledger = listLedger();
    const world = await open(strict, { ledger });
    await world.observe(reported(limitOf(1000)));
    const before = shown(world);
    const outcome = await world.observe(batch({ rows: [limitOf(1001)] }, { capture: 'beside', rows: [note('x')] }));
    expect(outcome).toEqual({
      status: 'refused',
      head: 1,
      position: 2,
      refusal: { invariant: 'limits are small', witness: { most: 1001 }, detail: '' },
      why: world.model().whyRefused(2),
    });
    expect({ ...shown(world), position: 1, digest: before.digest }).toEqual(before);
    expect(ledger.entries[1]).toMatchObject({
      position: 2,
      head: 1,
      records: [],
      refusal: { invariant: 'limits are small' },
      event: { reports: [{}, { capture: 'beside' }] },
    });
    const again = await open(strict, { ledger: copyOf(ledger) });
    expect(shown(again)).toEqual(shown(world));
    expect(await again.observe(replied('beside', note('x')))).toMatchObject({
      status: 'answered',
      captures: [{ capture: 'beside', position: 2 }],
    });
  });

  test('of another tenant or another program is refused', async () => {
    const { ledger } = await full();
    const tenant = await issuesOf(() => open(nextProgram, { ledger: copyOf(ledger), earlier: [shopProgram], tenant: 'other' }));
    expect(tenant).toEqual([expect.stringMatching(/^world\/replay-differs: entry 2 /)]);
    const unknown = await issuesOf(() => open(nextProgram, { ledger: copyOf(ledger) }));
    expect(unknown).toEqual([expect.stringMatching(/^world\/program-unknown: entry 1 /)]);
    const changed = copyOf(ledger);
    expect(await issuesOf(() => open(shopProgram, { ledger: changed, earlier: [nextProgram] }))).toEqual([
      expect.stringMatching(/^world\/program-changed: /),
    ]);
    expect(changed.entries).toEqual(ledger.entries);
  });

  test('goes on under another program where that is asked for', async () => {
    const { ledger, world } = await full();
    const back = await open(shopProgram, { ledger: copyOf(ledger), earlier: [nextProgram], adopt: true });
    expect(back.plan.digest).not.toBe(world.plan.digest);
    expect(back.position).toBe(world.position + 1);
    expect(back.records().slice(0, world.records().length)).toEqual(world.records());
  });

  const tampered: [string, (entries: LedgerEntry[]) => unknown][] = [
    ['a reported value', (all) => patch(all, 0, ['event', 'reports', 0, 'rows', 0, 'columns', 'paid'], 99)],
    ['who reported it', (all) => patch(all, 0, ['event', 'actor'], 'boss')],
    ['a proposed amount', (all) => patch(all, 1, ['event', 'reports', 0, 'rows', 0, 'columns', 'amount'], 11)],
    ['a verdict', (all) => patch(all, 1, ['records', 0, 'verdict'], 'rejected')],
    ['a record that is gone', (all) => patch(all, 1, ['records'], [])],
    ['an admitted binding', (all) => patch(all, 1, ['records', 1, 'row', 'amount'], 1_000)],
    ['the key of a start', (all) => patch(all, 3, ['event', 'key'], '0'.repeat(64))],
    ['the class of a refused capture', (all) => patch(all, 4, ['records', 0, 'class'], 'too many open')],
    ['the program of an entry', (all) => patch(all, 1, ['program'], all.at(-1)?.program)],
    ['the head of an entry', (all) => patch(all, 1, ['head'], 1)],
    ['a position', (all) => patch(all, 1, ['position'], 7)],
    ['a digest', (all) => patch(all, 1, ['digest'], '0'.repeat(64))],
    ['a refusal that never was', (all) => patch(all, 1, ['refusal'], { invariant: 'x', witness: {}, detail: '' })],
    ['a field too many', (all) => patch(all, 1, ['note'], 'x')],
    ['an entry that is gone', (all) => all.splice(1, 1)],
    ['an entry twice', (all) => all.splice(1, 0, all[1]!)],
    ['two entries in another order', (all) => all.splice(0, 2, all[1]!, all[0]!)],
    ['an entry that is none', (all) => all.splice(2, 1, null as never)],
    ['an entry without an event', (all) => patch(all, 2, ['event'], undefined)],
    ['an event of no kind', (all) => patch(all, 2, ['event'], { event: 'undo' })],
    ['reports that are none', (all) => patch(all, 2, ['event', 'reports'], 'x')],
  ];
  test.each(tampered)('that was tampered with is refused: %s', async (_name, tamper) => {
    const { ledger } = await full();
    const copy = copyOf(ledger);
    tamper(copy.entries);
    const issues = await issuesOf(() => open(nextProgram, { ledger: copy, earlier: [shopProgram] }));
    expect(issues.length).toBeGreaterThan(0);
    for (const one of issues) expect(one).toMatch(/^world\/(replay-differs|program-unknown|batch-malformed|not-startable): /);
  });

  test('that was cut off at its end is an earlier world, and who expects the later one is told by the digest', async () => {
    const { ledger, world } = await full();
    const short = await open(nextProgram, { ledger: listLedger(ledger.entries.slice(0, -1)), earlier: [shopProgram] });
    expect(short.position).toBe(world.position - 1);
    expect(short.digest).toBe(ledger.entries.at(-2)?.digest);
  });
});

describe('an append', () => {
  test('that cannot be read opens nothing and forks nothing, with the cause', async () => {
    const ledger = listLedger();
    const world = await lively(ledger);
    const before = shown(world);
    for (const cause of [new Error('the disk is gone'), 'a text', undefined, Object.create(null) as object]) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a driver may reject with anything
      ledger.read = () => Promise.reject(cause);
      expect(await issuesOf(() => open(shopProgram, { ledger }))).toEqual([
        expect.stringMatching(/^world\/read-failed: entries from 1 on: /),
      ]);
      expect(await issuesOf(() => world.fork(1))).toHaveLength(1);
    }
    ledger.read = () => {
      throw new Error('at once');
    };
    expect(await issuesOf(() => open(shopProgram, { ledger }))).toEqual(['world/read-failed: entries from 1 on: at once']);
    expect(shown(world)).toEqual(before);
  });

  test('that fails leaves the world as it was, with the cause, and the next one may succeed', async () => {
    const ledger = listLedger();
    const world = await lively(ledger);
    const { append } = ledger;
    const before = shown(world);
    const pending = world.model().rows('admitted.refund', { id: 'c2.1' });
    const acts: (() => Promise<unknown>)[] = [
      () => world.observe(reported(today(9), orderOf('o2'))),
      () => world.observe(replied('later', refund('o1', 1), price('o1', 1))),
      () => world.observe(replied('malformed', today(1))),
      () => world.adopt(nextProgram),
      () => world.start('refund', keyOf(world, 'c2.1')),
    ];
    for (const cause of [new Error('the disk is full'), 'a text', undefined, null, Object.create(null) as object]) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a driver may reject with anything
      ledger.append = () => Promise.reject(cause);
      for (const act of acts) {
        expect(await issuesOf(act)).toEqual([expect.stringMatching(/^world\/append-failed: entry 5: /)]);
        expect(shown(world)).toEqual(before);
      }
    }
    ledger.append = () => {
      throw new Error('at once');
    };
    expect(await issuesOf(acts[0]!)).toEqual(['world/append-failed: entry 5: at once']);
    ledger.append = append;
    for (const act of acts) await act();
    expect(pending).toHaveLength(1);
    expect(shown(await open(nextProgram, { ledger: copyOf(ledger), earlier: [shopProgram] }))).toEqual(shown(world));
  });

  test('that another world was faster with is refused, also of our own ledger in memory', async () => {
    const origin = await open(shopProgram);
    const ledger = listLedger();
    const [first, second] = [await open(shopProgram, { ledger }), await open(shopProgram, { ledger })];
    await first.observe(reported(today(1)));
    const before = shown(second);
    expect(await issuesOf(() => second.observe(reported(today(2))))).toEqual(['world/append-failed: entry 1: somebody else was first']);
    expect(shown(second)).toEqual(before);
    const again = await open(shopProgram, { ledger });
    await again.observe(reported(today(2)));
    expect(again.position).toBe(2);
    expect(origin.position).toBe(0);
  });

  test('R29 happens once a transition, in order, however many are asked for at once', async () => {
    const ledger = listLedger();
    const world = await lively(ledger);
    const key = keyOf(world, 'c2.1');
    const starts = await Promise.allSettled(Array.from({ length: 24 }, () => world.start('refund', key)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(world.model().rows('started.refund', { id: 'c2.1' })).toHaveLength(1);
    const captures = await Promise.all(Array.from({ length: 24 }, () => world.observe(replied('once', refund('o1', 1)))));
    expect(captures.map(({ status }) => status).sort()).toEqual([...Array<string>(23).fill('answered'), 'committed']);
    expect(ledger.entries.map(({ position }) => position)).toEqual(ledger.entries.map((_, i) => i + 1));
  });

  test('that takes its time shows nothing before it is done: the model and the records are those of the head', async () => {
    const ledger = listLedger();
    const world = await lively(ledger);
    const before = shown(world);
    const { append } = ledger;
    let finish = (): void => undefined;
    ledger.append = (entry) => new Promise((resolve) => (finish = () => resolve(append(entry))));
    const pending = world.observe(replied('slow', price('o1', 1)));
    for (let i = 0; i < 20; i++) await Promise.resolve();
    const during = shown(world);
    finish();
    await pending;
    expect(during).toEqual(before);
    expect(world.model().statusOf('slow.1')).toBe('accepted');
  });
});

describe('a fork', () => {
  test('J23 at every position is the world as it was, and goes its own way', async () => {
    const ledger = listLedger();
    const world = await lively(ledger);
    const seen = [shown(await open(shopProgram))];
    const steps = [
      () => world.observe(reported(today(2))),
      () => world.observe(replied('d', note('n'), price('o1', 2))),
      () => world.observe(replied('e', today(1))),
      () => world.adopt(nextProgram),
      () => world.observe(reported(limitOf(15))),
    ];
    seen[world.position] = shown(world);
    for (const step of steps) {
      await step();
      seen[world.position] = shown(world);
    }
    for (let position = 4; position <= world.position; position++)
      expect(shown(await world.fork(position)), String(position)).toEqual(seen[position]);
    expect(shown(await world.fork(0)).rows).toEqual(seen[0]?.rows);
    const fork = await world.fork(4);
    const before = shown(world);
    await fork.observe(reported(today(99)));
    await fork.observe(replied('what if', refund('o1', 5)));
    expect(fork.model().statusOf('what if.1')).toBe('approved');
    expect(shown(world)).toEqual(before);
    expect(ledger.entries).toHaveLength(world.position);
    expect(sorted(world.model().rows('observation.today'))).not.toEqual(sorted(fork.model().rows('observation.today')));
  });

  test.each([-1, 0.5, NaN, Infinity, 99, '2', null, {}, Symbol('s')])(
    'is refused where there is no such position: %s',
    async (position) => {
      const world = await lively();
      expect(await issuesOf(() => world.fork(position as never))).toEqual([
        expect.stringMatching(/^world\/position-unknown: .* is no position from 0 to 4$/),
      ]);
    },
  );
});

describe('a record', () => {
  test('is never rewritten: entries, records and outcomes are frozen through and through', async () => {
    const ledger = listLedger();
    const given: LedgerEntry[] = [];
    const { append } = ledger;
    ledger.append = (entry) => (given.push(entry), append(entry));
    const world = await lively(ledger);
    const outcome = await world.observe(replied('f', refund('o1', 10), today(1)));
    await world.observe(replied('g', refund('o1', 30)));
    expect(unfrozen(given)).toEqual([]);
    expect(unfrozen(world.records())).toEqual([]);
    if (outcome.status === 'committed') expect(unfrozen(outcome.records)).toEqual([]);
  });

  test('stays as it was made, whatever the rules become', async () => {
    const { world } = await full();
    const before = structuredClone(world.records());
    await world.adopt(program({ name: 'shop', ontologies: [shop], rules: [refunds] }));
    await world.observe(reported(today(5), limitOf(0)));
    expect(world.records().slice(0, before.length)).toEqual(before);
  });
});

function keyOf(world: World, act: string): string {
  for (const record of world.records()) if (record.record === 'admitted' && record.row['id'] === act) return record.key;
  throw new Error(`no act ${act} was admitted`);
}

/** Paths of objects in these list items that could be written to. */
function unfrozen(list: readonly unknown[]): string[] {
  const open: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) open.push(path);
    for (const [name, part] of Object.entries(value)) visit(part, `${path}.${name}`);
  };
  list.forEach((item, i) => visit(item, String(i)));
  return open;
}

function patch(entries: readonly LedgerEntry[], entry: number, path: readonly (string | number)[], value: unknown): void {
  let at = entries[entry] as unknown as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as typeof at;
  at[path.at(-1)!] = value;
}
