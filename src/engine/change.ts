/**
 * One row that came or went: what settlements give, and what questions about the past are asked with.
 *
 * Reads  nothing; a type only.
 * Gives  the shape that engine and proofs share.
 * Never  says why: that is asked of the prover.
 */
import type { Value } from '../../dsl/ir.ts';
import type { TableId } from '../load/load.ts';

/** A row that came (1) or went (-1). */
export interface Change {
  readonly table: TableId;
  readonly row: readonly Value[];
  readonly sign: 1 | -1;
}
