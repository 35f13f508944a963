/**
 * What came of a transition, as its caller sees it.
 *
 * Reads  the entry that the ledger took, and the state after it.
 * Gives  decisions and acts of this transition apart, what became of each capture, and the refusal where there is one.
 * Never  holds more than the record: whoever reads the ledger can tell the same.
 */
import type { Value } from '../../dsl/ir.ts';
import type { CaptureRefusedRecord, DecisionRecord, IntentRecord, LedgerEntry, LedgerRecord, Refusal, Row } from '../../dsl/record.ts';
import type { Change } from '../engine/engine.ts';
import type { Plan } from '../load/load.ts';
import type { State } from './state.ts';

export interface CaptureOutcome {
  readonly capture: string;
  /** The transition that took it in, this one or an earlier one: a capture is taken once. */
  readonly position: number;
  readonly refused?: CaptureRefusedRecord;
}
/** Acts and decisions that this transition recorded. */
export interface Difference {
  readonly decisions: readonly DecisionRecord[];
  readonly admitted: readonly IntentRecord[];
  readonly started: readonly IntentRecord[];
  readonly withdrawn: readonly IntentRecord[];
  readonly conflicts: readonly IntentRecord[];
}
/** A row that came (1) or went (-1). */
export interface RowChange {
  readonly relation: string;
  readonly row: Row;
  readonly sign: 1 | -1;
}
export type Outcome =
  | (Difference & {
      readonly status: 'committed';
      readonly head: number;
      readonly position: number;
      readonly captures: readonly CaptureOutcome[];
      readonly records: readonly LedgerRecord[];
      /** Exactly which rows of which relations came and went. Computed when it is asked for. */
      readonly difference: () => readonly RowChange[];
    })
  /** Every report of the batch was a capture that the ledger has: nothing happened again. */
  | { readonly status: 'answered'; readonly head: number; readonly position: number; readonly captures: readonly CaptureOutcome[] }
  /** The state is as it was; the refusal and the refused reports are an entry of their own. */
  | { readonly status: 'refused'; readonly head: number; readonly position: number; readonly refusal: Refusal };

export function outcomeOf(
  state: State,
  { position, head, records, refusal }: LedgerEntry,
  captures: readonly { readonly capture: string; readonly position: number }[],
  changes: readonly Change[],
): Outcome {
  if (refusal !== undefined) return { status: 'refused', head, position, refusal };
  const acts = (kind: IntentRecord['record']) => records.filter((record): record is IntentRecord => record.record === kind);
  return {
    status: 'committed',
    head,
    position,
    records,
    captures: captureOutcomes(state, captures),
    decisions: records.filter((record): record is DecisionRecord => record.record === 'decision'),
    admitted: acts('admitted'),
    started: acts('started'),
    withdrawn: acts('withdrawn'),
    conflicts: acts('conflict'),
    difference: () => differenceOf(state.plan, changes),
  };
}

/** What came and what went, in net: a row that came while rows were tried out, and went again, is in neither. */
function differenceOf(plan: Plan, changes: readonly Change[]): RowChange[] {
  const net = new Map<string, RowChange & { count: number }>();
  for (const { table, row, sign } of changes) {
    const { name, columns } = plan.tables[table] ?? { name: '', columns: [] };
    if (!plan.relations.has(name)) continue;
    const key = JSON.stringify([table, row]);
    const known = net.get(key) ?? {
      relation: name,
      row: Object.fromEntries(columns.map((column, i) => [column, row[i] as Value])),
      sign,
      count: 0,
    };
    known.count += sign;
    net.set(key, known);
  }
  return [...net.values()].flatMap(({ relation, row, count }) => (count === 0 ? [] : [{ relation, row, sign: count > 0 ? 1 : -1 }]));
}

export function captureOutcomes(
  state: State,
  captures: readonly { readonly capture: string; readonly position: number }[],
): CaptureOutcome[] {
  return captures.map(({ capture, position }) => {
    const refused = state.refusedCaptures.get(capture);
    return { capture, position, ...(refused === undefined ? {} : { refused }) };
  });
}
