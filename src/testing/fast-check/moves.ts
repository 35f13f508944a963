/**
 * What happens to a world under test: replies of a hostile model, trusted reports, answers of people, and acts that are carried out.
 *
 * Reads  a program, and what the author gives to begin with.
 * Gives  an arbitrary of histories, and one line for each move.
 * Never  names an act or a card by its key: which one is meant is found when the move is made.
 */
import fc from 'fast-check';
import type { Program } from '../../../dsl/program.ts';
import type { ReportRow } from '../../../dsl/record.ts';
import type { RelationIR } from '../../../dsl/ir.ts';
import { rowText } from '../../world/proof.ts';
import { hostileReplies, type HostileReply } from './hostile.ts';
import { poolOf, relationsIn, rowsIn, type ColumnArbitraries } from './rows.ts';
import { NO_POOL } from './values.ts';

export type Move =
  /** A reply, by itself or in one batch with what a system reports. */
  | { readonly is: 'reply'; readonly reply: HostileReply; readonly by: Speaker; readonly beside: readonly ReportRow[] }
  | { readonly is: 'report'; readonly rows: readonly ReportRow[] }
  /** Someone answers the n-th card on the table. */
  | { readonly is: 'answer'; readonly nth: number; readonly answer: 'yes' | 'no'; readonly actor: string }
  /** The n-th act that waits is started, and comes out like this, or nobody hears of it. */
  | {
      readonly is: 'act';
      readonly nth: number;
      readonly outcome: 'succeeded' | 'failed' | 'unknown';
      readonly receipts: readonly ReportRow[];
    };

export interface Speaker {
  readonly session: string;
  readonly actor: string;
}

export interface MoveOptions {
  readonly given: readonly ReportRow[];
  readonly columns: ColumnArbitraries;
  readonly actors: readonly string[];
  readonly sessions: readonly string[];
  readonly movesMax: number;
}

export function histories(program: Program, options: MoveOptions): fc.Arbitrary<readonly Move[]> {
  const { given, columns, actors, sessions, movesMax } = options;
  const rows = trustedRows(program, options);
  const nth = fc.nat({ max: 5 });
  const reply = fc.record(
    {
      is: fc.constant('reply' as const),
      reply: hostileReplies(program, { given, columns }),
      by: fc.record({ session: first(sessions), actor: first(actors) }, { noNullPrototype: true }),
      beside: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: rows }),
    },
    { noNullPrototype: true },
  );
  const report = rows.map((all): Move => ({ is: 'report', rows: all }));
  const answer = fc.tuple(nth, fc.constantFrom('yes' as const, 'yes' as const, 'no' as const), fc.constantFrom(...actors));
  const act = fc.tuple(nth, fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const), receiptRows(program, columns));
  const move = fc.oneof<fc.MaybeWeightedArbitrary<Move>[]>(
    { weight: 5, arbitrary: reply },
    { weight: 2, arbitrary: report },
    { weight: 1, arbitrary: answer.map(([n, yes, actor]) => ({ is: 'answer', nth: n, answer: yes, actor })) },
    { weight: 2, arbitrary: act.map(([n, outcome, own]) => ({ is: 'act', nth: n, outcome, receipts: own })) },
  );
  return fc.array(move, { minLength: 1, maxLength: movesMax, size: 'max' });
}

/** Mostly the first, so that what is whose does not keep everything apart. */
function first(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...names.slice(0, 1)) }, { weight: 1, arbitrary: fc.constantFrom(...names) });
}

/** What systems report: rows of observations, at most one of each key in one report. */
function trustedRows(program: Program, { given, columns }: MoveOptions): fc.Arbitrary<readonly ReportRow[]> {
  const observations = relationsIn(program).filter(({ name }) => name.startsWith('observation.'));
  if (observations.length === 0) return fc.constant([]);
  const pool = poolOf(program, given);
  const row = fc.oneof(...observations.map((ir) => rowsIn(ir, pool, columns[ir.name])));
  const keys = new Map(observations.map((ir) => [ir.name, ir]));
  return fc
    .array(row, { minLength: 1, maxLength: 4 })
    .map((rows) => [...new Map(rows.map((one, i) => [keyOf(keys.get(one.relation), one, i), one])).values()]);
}

function keyOf(ir: RelationIR | undefined, { relation, columns }: ReportRow, place: number): string {
  return JSON.stringify([relation, ...(ir?.key?.map((name) => columns[name] ?? null) ?? [place])]);
}

/** One receipt of each intent, by what its columns may hold; the act and its bindings are those of the act that was started. */
function receiptRows(program: Program, columns: ColumnArbitraries): fc.Arbitrary<readonly ReportRow[]> {
  const receipts = relationsIn(program).filter(({ name }) => name.startsWith('receipt.'));
  return fc.tuple(...receipts.map((ir) => rowsIn(ir, NO_POOL, columns[ir.name])));
}

const lineLengthMax = 200;

export function moveText(move: Move): string {
  const cut = (text: string) => (text.length > lineLengthMax ? `${text.slice(0, lineLengthMax - 3)}...` : text);
  switch (move.is) {
    case 'reply': {
      const beside = move.beside.length === 0 ? '' : ` beside ${rowsText(move.beside)}`;
      return cut(`reply ${move.reply.capture} by ${move.by.actor} in ${move.by.session}${beside}: ${replyText(move.reply)}`);
    }
    case 'report':
      return cut(`report ${rowsText(move.rows)}`);
    case 'answer':
      return `${move.actor} answers ${move.answer} to card ${move.nth + 1}`;
    case 'act':
      return `act ${move.nth + 1} starts: ${move.outcome}`;
  }
}

function rowsText(rows: readonly ReportRow[]): string {
  return rows.map(({ relation, columns }) => rowText(relation, columns)).join(', ');
}

/** Data that may be anything, and as long as it likes. */
function replyText({ rows }: HostileReply): string {
  const all = rows as unknown;
  if (!Array.isArray(all)) return fc.stringify(all).slice(0, lineLengthMax);
  const [first, ...more] = all.slice(0, 8).map((one) => fc.stringify(one).slice(0, lineLengthMax));
  return `${all.length} rows: ${[first, ...more].join(', ')}`;
}
