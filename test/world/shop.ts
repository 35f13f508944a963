/**
 * The shop that the world's tests are about: refunds within a limit, prices that models read, and a few odd columns.
 *
 * Gives  its ontology, a program, rows of its reports, a ledger to look into, and everything that shows of a world at once.
 * Never  reaches behind the published face.
 */
import * as z from 'zod';
import {
  ActorId,
  decide,
  defineOntology,
  gt,
  invariant,
  isCountersignError,
  keyed,
  open,
  program,
  row,
  rule,
  ruleset,
  type Batch,
  type LedgerEntry,
  type Program,
  type Report,
  type ReportRow,
  type Row,
} from '../../src/index.ts';

export type World = Awaited<ReturnType<typeof open>>;
export type Outcome = Awaited<ReturnType<World['observe']>>;

const cents = z.int().nonnegative();

export const shop = defineOntology({
  observation: {
    order: keyed({ order: z.string() }, { paid: cents, state: z.enum(['placed', 'delivered']) }),
    today: keyed({}, { day: z.int() }),
    limit: keyed({}, { most: cents }),
    manager: keyed({ user: ActorId }, {}),
    mine: keyed({ actor: ActorId }, { open: z.boolean() }),
    weight: { grams: z.number() },
    said: { text: z.string() },
  },
  candidate: { price: { order: z.string(), amount: z.int() } },
  proposal: { note: { text: z.string() } },
  action: { refund: { in: { order: z.string(), amount: cents }, records: { day: z.int() }, receipt: { reference: z.string() } } },
  fact: { priced: { order: z.string(), amount: z.int() }, count: { n: z.int() } },
  query: { pricesOf: { in: { order: z.string() }, out: { amount: z.int() } } },
});

const { observation, candidate, proposal, decision, fact, query, due } = shop;
const { id, order, amount, day, most, by } = shop.vars;

export const refunds = decide('refunds', proposal.refund({ order, amount }))
  .needs('the order is known', observation.order({ order }))
  .awaits('a date', observation.today({ day }))
  .needs('a limit is set', observation.limit({ most }))
  .records({ day })
  .limits('daily budget', { sum: amount, per: { day }, max: most })
  .asks('above 50', gt(amount, 50), { by: observation.manager({ user: by }) })
  .otherwiseApproves();

export const prices = ruleset('prices', {
  accept: rule(decision.accepted.price({ id, order, amount })).when(candidate.price({ id, order, amount }), observation.order({ order })),
  priced: rule(fact.priced({ order, amount })).when(decision.accepted.price({ order, amount })),
});

export const pricesOf = ruleset('pricesOf', {
  all: rule(query.pricesOf({ order, amount })).when(decision.accepted.price({ order, amount })),
});

export const withinLimit = invariant('an open refund above the limit').never(
  due.refund({ amount }),
  observation.limit({ most }),
  gt(amount, most),
);

export const shopProgram: Program = program({
  name: 'shop',
  ontologies: [shop],
  rules: [refunds, prices],
  queries: [pricesOf],
  invariants: [withinLimit],
});

export const orderOf = (order: string, paid = 100) => row(shop.observation.order, { order, paid, state: 'delivered' });
export const today = (day: number) => row(shop.observation.today, { day });
export const limitOf = (most: number) => row(shop.observation.limit, { most });
export const weight = (grams: number) => row(shop.observation.weight, { grams });
export const price = (order: string, amount: number) => row(shop.candidate.price, { order, amount });
export const refund = (order: string, amount: number) => row(shop.proposal.refund, { order, amount });
export const note = (text: string) => row(shop.proposal.note, { text });

export const reported = (...rows: readonly ReportRow[]): Batch => batch({ rows });
export const replied = (capture: string, ...rows: readonly ReportRow[]): Batch => batch({ capture, rows });
export const batch = (...reports: readonly Report[]): Batch => ({ session: 's', actor: 'a', reports });

/** A ledger that keeps what it is given and freezes nothing: whoever writes to it afterwards has tampered with it. */
export interface ListLedger {
  readonly entries: LedgerEntry[];
  read: (from: number) => Promise<readonly LedgerEntry[]>;
  append: (entry: LedgerEntry) => Promise<void>;
}
export function listLedger(entries: LedgerEntry[] = []): ListLedger {
  return {
    entries,
    read: async (from) => entries.slice(from - 1),
    append: async (entry) => {
      if (entry.position !== entries.length + 1) throw new Error('somebody else was first');
      entries.push(structuredClone(entry));
    },
  };
}

/** A shop in which something of every kind has happened: an act that waits, one that was done, a held one, an accepted price. */
export async function lively(ledger: ListLedger = listLedger()): Promise<World> {
  const world = await open(shopProgram, { ledger });
  await world.observe(reported(orderOf('o1'), today(1), limitOf(100), row(shop.observation.manager, { user: ActorId.parse('boss') })));
  const done = await world.observe(replied('c1', refund('o1', 10)));
  await world.observe(replied('c2', refund('o1', 20), refund('o1', 60), note('later'), price('o1', 7)));
  if (done.status !== 'committed') throw new Error('the first refund of the shop was not committed');
  for (const { intent, key } of done.admitted) await world.start(intent, key);
  return world;
}

/** Everything that shows of a world. */
export function shown(world: World) {
  const relations = [...world.plan.relations.values()].filter(({ life, name }) => life !== 'query' && !INTERNAL.test(name));
  return {
    head: world.head,
    position: world.position,
    digest: world.digest,
    program: world.plan.digest,
    records: structuredClone(world.records()),
    rows: Object.fromEntries(relations.map(({ name }) => [name, sorted(world.model().rows(name))])),
  };
}

/** What the loader writes for itself is in no answer of a model. */
const INTERNAL = /^(open|verdict|answer|exposure|standing)\.|View\.\w+\./;

export function sorted(rows: readonly Row[]): string[] {
  return rows.map((one) => JSON.stringify(Object.entries(one).sort(([left], [right]) => (left < right ? -1 : 1)))).sort();
}

/** The issues with which something was refused, as `code: what`. Anything but an error of ours is thrown on. */
export async function issuesOf(act: () => unknown): Promise<string[]> {
  try {
    await act();
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return error.issues.map(({ code, what }) => `${code}: ${what}`);
  }
  return [];
}

/** The records of a world as one line each. */
export function told(world: World): string[] {
  return world.records().map((record) => {
    if (record.record === 'decision') return [record.verdict, record.source, record.id, ...record.reasons].join(' ');
    if ('intent' in record) return [record.record, record.intent, 'row' in record ? record.row['id'] : ''].join(' ').trim();
    return record.record === 'captureRefused' ? `refused ${record.capture}: ${record.class}` : record.record;
  });
}
