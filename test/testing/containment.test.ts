/**
 * Containment over whole programs: it holds for those of the project, and breaks for each that lets a model do what no rule meant.
 */
import * as z from 'zod';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ActorId,
  decide,
  defineOntology,
  evidenceInvariant,
  gt,
  keyed,
  program,
  row,
  rule,
  ruleset,
  type Program,
} from '../../src/index.ts';
import { World } from '../../src/world.ts';
import { containment, type ContainmentOptions } from '../../src/testing/fast-check.ts';
import { Cents, drive, policy, Sku } from '../../examples/drive-through/policy.ts';
import { app, shop } from '../programs/refund.ts';
import { given } from './shop.ts';

const SEED = { seed: 20_261, numRuns: 40 };

const menu = (sku: string, price: number) =>
  row(drive.observation.menuItem, { sku: Sku.parse(sku), price: Cents.parse(price), mostPerOrder: 20 });
const morning = [
  menu('burger', 600),
  menu('water', 150),
  row(drive.observation.offerFloor, { sku: Sku.parse('water'), floor: Cents.parse(100) }),
  row(drive.observation.atWindow, { guest: ActorId.parse('guest') }),
];

async function brokenBy(tested: Program, options: ContainmentOptions = {}): Promise<string> {
  const error: unknown = await containment(tested, { ...SEED, ...options }).then(
    () => undefined,
    (failed: unknown) => failed,
  );
  return error instanceof Error ? error.message : 'it holds';
}

describe('containment', () => {
  test.each<[name: string, tested: Program, options: ContainmentOptions]>([
    ['the drive-through', policy, { given: morning }],
    ['the refund shop', app, { given }],
  ])(
    'holds for %s, of which acts were let through and started',
    async (_name, tested, options) => {
      const counts = await containment(tested, { ...SEED, ...options });
      expect(counts.histories).toBe(SEED.numRuns);
      for (const count of [counts.replies, counts.malformed, counts.approved, counts.denied, counts.held, counts.admitted, counts.started])
        expect(count, JSON.stringify(counts)).toBeGreaterThan(0);
    },
    120_000,
  );

  test('needs given rows that the program takes', async () => {
    await expect(containment(app, { given: [row(shop.observation.said, { text: 1 as never })] })).rejects.toThrow('world/report-refused');
  });
});

const n = z.int().nonnegative();
const bank = defineOntology({
  observation: { limit: keyed({}, { most: n }), today: keyed({}, { day: n }) },
  candidate: { mood: { mood: z.enum(['calm', 'angry']) } },
  proposal: { note: { text: z.string() } },
  action: { pay: { in: { n } } },
  fact: { calm: { mood: z.enum(['calm', 'angry']) } },
});
const { id, n: amount, most, text, mood, actor } = bank.vars;
const { observation, candidate, proposal, decision, fact } = bank;
const bankOf = (...rules: NonNullable<Parameters<typeof program>[0]['rules']>) => program({ name: 'bank', ontologies: [bank], rules });
const pays = decide('pays', proposal.pay({ n: amount }))
  .needs('a limit', observation.limit({ most }))
  .rejects('above it', gt(amount, most))
  .otherwiseApproves();
const limit = row(observation.limit, { most: 100 });

describe('a program is broken', () => {
  test('by a rule that approves everything: a model alone opens something', async () => {
    const everything = ruleset('lazy', {
      approves: rule(decision.approved.pay({ id, n: amount })).when(proposal.pay({ id, n: amount })),
    });
    const message = await brokenBy(bankOf(everything), { given: [limit] });
    expect(message).toMatch(
      /^a model alone opens nothing: proposal\.pay reply-\d+\.\d+ is approved: by lazy\.approves, in a world that knows nothing\n/,
    );
    // The shortest history, the rule that let it through with its place, and how to see it again.
    expect(message).toMatch(
      /\n {2}1 reply reply-\d+ by nobody in session-1: 1 rows: \{"relation":"proposal\.pay","columns":\{"n":\d+\}\}\n\n/,
    );
    expect(message).toMatch(/because lazy\.approves, \S*containment\.test\.ts:\d+:\d+/);
    const [, seed = '', path = ''] = /again with \{ seed: (-?\d+), path: "([\d:]+)" \}$/.exec(message) ?? [];
    expect(await brokenBy(bankOf(everything), { given: [limit], seed: Number(seed), path })).toContain('a model alone opens nothing');
  });

  test('by a gate that the model fills itself', async () => {
    const gullible = ruleset('gullible', {
      approves: rule(decision.approved.pay({ id, n: amount })).when(
        proposal.pay({ id, n: amount, actor }),
        candidate.mood({ mood: 'calm', actor }),
      ),
    });
    expect(await brokenBy(bankOf(gullible))).toMatch(/^a model alone opens nothing: proposal\.pay/);
    expect(await brokenBy(bankOf(gullible), { freely: ['proposal.pay'] })).toBe('it holds');
  });

  test('by nothing where the author said that it is safe without conditions', async () => {
    const free = decide('free', proposal.note({ text })).approvesWithoutConditions('a note does nothing');
    expect(await brokenBy(bankOf(pays, free), { given: [limit] })).toBe('it holds');
  });

  test('by an invariant over evidence, with which a model keeps truth out', async () => {
    const vetoed = program({
      name: 'bank',
      ontologies: [bank],
      rules: [pays],
      invariants: [evidenceInvariant('nobody is angry').never(candidate.mood({ mood: 'angry' }))],
    });
    const message = await brokenBy(vetoed, { given: [limit] });
    expect(message).toMatch(/^truth is not kept out: the invariant "nobody is angry" refuses it/);
    expect(message).toContain('beside observation.');
  });

  test('by a reason that the model words', async () => {
    const parrot = ruleset('parrot', {
      denies: rule(decision.rejected.note({ id, text, reason: text })).when(proposal.note({ id, text }), observation.limit({})),
    });
    expect(await brokenBy(bankOf(pays, parrot), { given: [limit] })).toMatch(
      /^reasons are the author's words: reply-\d+\.\d+ was denied for "/,
    );
  });

  test('by nothing where a claim becomes a fact through a decision', async () => {
    const calm = decide('calm', candidate.mood({ mood })).needs('a limit', observation.limit({})).otherwiseAccepts();
    const books = ruleset('books', { calm: rule(fact.calm({ mood })).when(decision.accepted.mood({ mood })) });
    expect(await brokenBy(bankOf(calm, books), { given: [limit] })).toBe('it holds');
  });
});

describe('a world that leaks', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const observe = Object.getOwnPropertyDescriptor(World.prototype, 'observe')?.value as World['observe'];
  const leaks = (leak: (world: World, batch: Parameters<World['observe']>[0]) => ReturnType<World['observe']>) =>
    vi.spyOn(World.prototype, 'observe').mockImplementation(function (this: World, batch) {
      const isReply = batch.reports.length === 1 && batch.reports[0]?.capture !== undefined;
      return isReply ? leak(this, batch) : observe.call(this, batch);
    });
  const slip = (relation: string, columns: object) => ({ rows: [{ relation, columns }] }) as never;

  test('breaks the law that a model writes evidence alone', async () => {
    leaks((world, batch) => observe.call(world, { ...batch, reports: [slip('observation.today', { day: 1 }), ...batch.reports] }));
    expect(await brokenBy(bankOf(pays), { given: [limit] })).toMatch(
      /^a model writes evidence alone: observation\.today \{"day":1,.* came/,
    );
  });

  test('breaks the law that facts change by decisions', async () => {
    const counted = defineOntology({ observation: { said: { n } }, fact: { heard: { n } }, proposal: { note: { text: z.string() } } });
    const heard = ruleset('heard', {
      all: rule(counted.fact.heard({ n: counted.vars.n })).when(counted.observation.said({ n: counted.vars.n })),
    });
    // The rows that the world calls its own are left out of what it tells.
    leaks(async (world, batch) => {
      const outcome = await observe.call(world, { ...batch, reports: [slip('observation.said', { n: 1 }), ...batch.reports] });
      if (outcome.status !== 'committed') return outcome;
      return { ...outcome, difference: () => outcome.difference().filter(({ relation }) => !relation.startsWith('observation.')) };
    });
    const message = await brokenBy(program({ name: 'heard', ontologies: [counted], rules: [heard] }));
    expect(message).toMatch(/^facts change by decisions: fact\.heard \{"n":1\} came/);
  });

  test('breaks the law that acts rest on decisions', async () => {
    leaks(async (world, batch) => {
      const outcome = await observe.call(world, batch);
      if (outcome.status !== 'committed') return outcome;
      return { ...outcome, admitted: [{ record: 'admitted', intent: 'pay', key: 'k', row: { id: 'x', n: 1 }, restsOn: ['reply-1.9'] }] };
    });
    expect(await brokenBy(bankOf(pays), { given: [limit] })).toMatch(/^acts rest on decisions: pay \{"id":"x","n":1\} was admitted/);
  });

  test('breaks the law that a reply is taken, whatever it holds', async () => {
    leaks((world, batch) => {
      if (!(batch.reports[0]?.rows as unknown[]).every((one) => typeof one === 'object')) throw new TypeError('a row is no object');
      return observe.call(world, batch);
    });
    expect(await brokenBy(bankOf(pays))).toMatch(/^a reply is taken, or kept as malformed: TypeError: /);
  });

  test('breaks the law that a replay gives the same', async () => {
    vi.spyOn(World.prototype, 'digest', 'get').mockReturnValueOnce('another');
    expect(await brokenBy(bankOf(pays), { movesMax: 1 })).toMatch(/^a replay gives the same: /);
  });
});
