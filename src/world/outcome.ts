/**
 * What came of a transition, as its caller sees it.
 *
 * Reads  the entry that the ledger took, and the state after it.
 * Gives  decisions and acts of this transition apart, what became of each capture, and the refusal where there is one.
 * Never  holds more than the record: whoever reads the ledger can tell the same.
 */
import type { CaptureRefusedRecord, DecisionRecord, IntentRecord, LedgerEntry, LedgerRecord, Refusal } from '../../dsl/record.ts';
import type { Change } from '../engine/engine.ts';
import { differenceOf, type RowChange } from './net.ts';
import type { State } from './state.ts';
import type { Why } from './proof.ts';

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
  | { readonly status: 'refused'; readonly head: number; readonly position: number; readonly refusal: Refusal; readonly why?: Why };

export function outcomeOf(
  state: State,
  { position, head, records, refusal }: LedgerEntry,
  captures: readonly { readonly capture: string; readonly position: number }[],
  changes: readonly Change[],
): Outcome {
  const why = state.refusals.get(position);
  if (refusal !== undefined) return { status: 'refused', head, position, refusal, ...(why === undefined ? {} : { why }) };
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

export function captureOutcomes(
  state: State,
  captures: readonly { readonly capture: string; readonly position: number }[],
): CaptureOutcome[] {
  return captures.map(({ capture, position }) => {
    const refused = state.refusedCaptures.get(capture);
    return { capture, position, ...(refused === undefined ? {} : { refused }) };
  });
}
