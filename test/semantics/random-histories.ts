/**
 * Random histories: what may come to a program, written so that each event finds what it is about when it happens.
 *
 * Gives  fast-check arbitraries of wishes, and the concrete events that they became on a driver.
 * Never  depends on a driver's insides: cards and keys are read from rows and records.
 */
import fc from 'fast-check';
import { row } from '../../dsl/report.ts';
import type { Batch, IntentRecord, Report, ReportRow, Row } from '../../dsl/record.ts';
import { ActorId, RowId } from '../../dsl/stamp.ts';
import type { Came, Driver } from './driver.ts';
import { choices, programOf, world, type Choice } from './random-programs.ts';

/** What somebody wants to happen; `pick` chooses among what there is then. */
export type Wish =
  | { readonly wish: 'reply'; readonly session: string; readonly rows: readonly ReportRow[]; readonly beside: readonly ReportRow[] }
  | { readonly wish: 'report'; readonly session: string; readonly rows: readonly ReportRow[]; readonly ends: readonly ReportRow[] }
  | { readonly wish: 'answer'; readonly pick: number; readonly by: string; readonly answer: 'yes' | 'no'; readonly isStale: boolean }
  | { readonly wish: 'start'; readonly pick: number }
  | { readonly wish: 'receipt'; readonly pick: number; readonly outcome: 'succeeded' | 'failed' }
  | { readonly wish: 'again'; readonly pick: number }
  | { readonly wish: 'adopt'; readonly choice: Choice; readonly isOldAdmitted: boolean };

/** An event as it happened, to be played again. */
export type Happened =
  | { readonly event: 'batch'; readonly batch: Batch }
  | { readonly event: 'start'; readonly intent: string; readonly key: string }
  | { readonly event: 'adopt'; readonly choice: Choice; readonly admitOld: readonly string[] };

const payees = fc.constantFrom('x', 'y', 'z');
const amounts = fc.integer({ min: 1, max: 9 }).map((tens) => tens * 10);
const sessions = fc.constantFrom('s', 't');
const { observation, proposal, candidate } = world;

const evidence: fc.Arbitrary<ReportRow> = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(payees, amounts).map(([to, n]) => row(proposal.pay, { to, n })) },
  { weight: 10, arbitrary: payees.map((to) => row(proposal.plan, { to })) },
  { weight: 20, arbitrary: fc.tuple(payees, amounts).map(([to, n]) => row(candidate.seen, { to, n })) },
  { weight: 4, arbitrary: payees.map((to) => row(proposal.visit, { to })) },
  { weight: 4, arbitrary: payees.map((from) => row(proposal.queryRequested.linksOf, { from })) },
  {
    weight: 4,
    arbitrary: fc.tuple(payees, payees).map(([from, to]) => row(world.queryresult.linksOf, { from, to, req: RowId.parse('c0.1') })),
  },
  { weight: 1, arbitrary: fc.constant({ relation: 'candidate.seen', columns: { to: 'x', n: -1 } }) },
);
const keyedRows: fc.Arbitrary<ReportRow> = fc.oneof(
  payees.map((to) => row(observation.payee, { to })),
  fc.constantFrom('s', 'm').map((user) => row(observation.boss, { user: ActorId.parse(user) })),
  fc.integer({ min: 1, max: 5 }).map((day) => row(observation.today, { day })),
  fc.integer({ min: 1, max: 5 }).map((now) => row(observation.clock, { now })),
  fc.boolean().map((isOpen) => row(observation.open, { isOpen })),
  fc.tuple(payees, payees).map(([from, to]) => row(observation.link, { from, to })),
);
const logRows: fc.Arbitrary<ReportRow> = fc.oneof(
  payees.map((to) => row(observation.blocked, { to })),
  fc.constant(row(observation.noise, { text: 'noise' })),
);
/** Keyed by nothing: one row in all. */
const SINGLE: ReadonlySet<string> = new Set(['observation.today', 'observation.open', 'observation.clock']);
/** One row of a key in a report; a second one would refuse the batch. */
const keyOf = ({ relation, columns }: ReportRow) => [relation, SINGLE.has(relation) ? '' : JSON.stringify(columns)].join();
const trusted = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: keyedRows }, { weight: 1, arbitrary: logRows }), {
  minLength: 1,
  maxLength: 3,
  selector: keyOf,
});
const ends = keyedRows.map(({ relation, columns }): ReportRow => ({
  relation,
  columns: SINGLE.has(relation) ? {} : columns,
}));

const wishes: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 80,
    arbitrary: fc.record({
      wish: fc.constant('reply' as const),
      session: sessions,
      rows: fc.array(evidence, { minLength: 1, maxLength: 3 }),
      beside: fc.oneof({ weight: 40, arbitrary: fc.constant([]) }, { weight: 10, arbitrary: trusted }),
    }),
  },
  { weight: 60, arbitrary: fc.record({ wish: fc.constant('report' as const), session: sessions, rows: trusted, ends: fc.constant([]) }) },
  {
    weight: 10,
    arbitrary: fc.record({ wish: fc.constant('report' as const), session: sessions, rows: fc.constant([]), ends: fc.tuple(ends) }),
  },
  {
    weight: 30,
    arbitrary: fc.record({
      wish: fc.constant('answer' as const),
      pick: fc.nat(5),
      by: fc.constantFrom('s', 't', 'm'),
      answer: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const),
      isStale: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 30, arbitrary: fc.record({ wish: fc.constant('start' as const), pick: fc.nat(5) }) },
  {
    weight: 20,
    arbitrary: fc.record({
      wish: fc.constant('receipt' as const),
      pick: fc.nat(5),
      outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ wish: fc.constant('again' as const), pick: fc.nat(5) }) },
  { weight: 7, arbitrary: fc.record({ wish: fc.constant('adopt' as const), choice: choices(), isOldAdmitted: fc.boolean() }) },
);

/** A program and what happens to it. */
export interface History {
  readonly choice: Choice;
  readonly wishes: readonly Wish[];
}
export function histories(
  size: { readonly minLength: number; readonly maxLength: number } = { minLength: 6, maxLength: 14 },
): fc.Arbitrary<History> {
  return fc.record({ choice: choices(), wishes: fc.array(wishes, size) });
}

/** What a wish comes to now; undefined where there is nothing that it could be about. */
export async function happeningOf(wish: Wish, driver: Driver, past: readonly Happened[]): Promise<Happened | undefined> {
  const batch = (session: string, actor: string, ...reports: readonly Report[]): Happened => ({
    event: 'batch',
    batch: { session, actor, reports },
  });
  switch (wish.wish) {
    case 'reply':
      return batch(
        wish.session,
        wish.session,
        { capture: `c${past.length}`, rows: wish.rows },
        ...(wish.beside.length === 0 ? [] : [{ rows: wish.beside }]),
      );
    case 'report':
      return batch(wish.session, wish.session, { rows: wish.rows, ends: wish.ends });
    case 'answer': {
      const cards = (
        await Promise.all(
          ['pay', 'seen', 'queryExecute'].map(async (source) =>
            (await driver.rows(`decision.held.${source}`)).map((card) => ({ source, card })),
          ),
        )
      ).flat();
      const one = pick(cards, wish.pick);
      if (one === undefined) return undefined;
      const { id, reason, shown } = one.card as Record<'id' | 'reason' | 'shown', string>;
      const query = one.source === 'queryExecute' ? { query: 'linksOf' } : {};
      return batch('desk', wish.by, {
        rows: [
          {
            relation: `confirmed.${one.source}`,
            columns: { id, reason, shown: wish.isStale ? 'another card' : shown, answer: wish.answer, ...query },
          },
        ],
      });
    }
    case 'start': {
      const one = pick(waiting(await actsOf(driver)), wish.pick);
      return one === undefined ? undefined : { event: 'start', intent: one.intent, key: one.key };
    }
    case 'receipt': {
      const receipts = await driver.rows('receipt.pay');
      const begun = (await actsOf(driver)).filter(
        (act) => act.record === 'started' && act.intent === 'pay' && !receipts.some((receipt) => receipt['act'] === act.row['id']),
      );
      const one = pick(begun, wish.pick);
      return one === undefined ? undefined : batch('desk', 'runner', { rows: [receiptOf(one.row, wish.outcome)] });
    }
    case 'again':
      return pick(
        past.filter((one) => one.event === 'batch'),
        wish.pick,
      );
    case 'adopt':
      return { event: 'adopt', choice: wish.choice, admitOld: wish.isOldAdmitted ? ['pay'] : [] };
  }
}

export function happen(driver: Driver, happened: Happened): Promise<Came> {
  if (happened.event === 'batch') return driver.observe(happened.batch);
  return happened.event === 'start'
    ? driver.start(happened.intent, happened.key)
    : driver.adopt(programOf(happened.choice), happened.admitOld);
}

function receiptOf(act: Row, outcome: 'succeeded' | 'failed'): ReportRow {
  return row(world.receipt.pay, { to: String(act['to']), n: Number(act['n']), act: RowId.parse(act['id']), outcome });
}

async function actsOf(driver: Driver): Promise<IntentRecord[]> {
  return (await driver.records()).filter((record): record is IntentRecord => 'intent' in record && record.record !== 'dormant');
}

/** Admitted acts that nothing has become of. */
function waiting(acts: readonly IntentRecord[]): IntentRecord[] {
  return acts.filter(
    (act) => act.record === 'admitted' && acts.filter((other) => other.key === act.key && other.record !== 'conflict').at(-1) === act,
  );
}

function pick<T>(items: readonly T[], which: number): T | undefined {
  return items[which % Math.max(items.length, 1)];
}
