/**
 * Why a transition starts again, and what it then does otherwise.
 *
 * Reads  nothing; the signals that rooms of the world raise for the transition to answer.
 * Gives  one class for what could not be computed, one for the caller's mistake, and the corrections that a restart carries.
 * Never  reaches a caller of the world: the transition turns each of them into an outcome or an issue.
 */
import type { Row } from '../../dsl/record.ts';
import type { Because } from '../engine/engine.ts';

/** A view that could not be computed: its evidence is set aside, or without any to blame the transition is refused. */
export class Undecidable extends Error {
  readonly rule: string;
  readonly what: string;
  /** The row to set aside; undefined where trusted rows alone are to blame. */
  readonly id: string | undefined;
  readonly because: readonly Because[];
  constructor(rule: string, what: string, id: string | undefined, because: readonly Because[]) {
    super(`${rule}: ${what}`);
    this.rule = rule;
    this.what = what;
    this.id = id;
    this.because = because;
  }
}

/** A violated invariant with its witness, and the evidence that the witness rests on. */
export interface Violation {
  readonly invariant: string;
  readonly witness: Row;
  readonly detail: string;
  readonly because: readonly Because[];
  readonly restsOn: ReadonlySet<string>;
}

/** What a decision that no rule makes is recorded for. */
export interface Cause {
  readonly reason: string;
  readonly because: readonly Because[];
}

/** What a restart has to do otherwise: rows that leave, rows that may not be endorsed, decisions that are taken back. Each with its reason. */
export interface Corrections {
  readonly aside: Map<string, Cause>;
  readonly forced: Map<string, Cause>;
  readonly undone: Map<string, Cause>;
}
