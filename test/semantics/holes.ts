/**
 * Counterexamples: histories that an earlier wording of the semantics got wrong, each with what has to come of it.
 *
 * Gives  a table for whatever runs programs: a title that is the claim, a program, events, and what is expected after them.
 * Never  depends on how a driver is made.
 */
import type { Program } from '../../dsl/program.ts';
import type { Row } from '../../dsl/record.ts';
import { type Came, type Event } from './driver.ts';
import { actHoles } from './holes-acts.ts';
import { budgetHoles } from './holes-budgets.ts';
import { confirmationHoles } from './holes-confirmations.ts';
import { orderHoles } from './holes-order.ts';
import { truthHoles } from './holes-truth.ts';

export interface Hole {
  /** The claim. */
  readonly title: string;
  readonly program: Program;
  /** The loader refuses this program: what happens if it ran all the same is for an evaluator alone to show. */
  readonly isRefused?: true;
  readonly events: readonly Event[];
  readonly expected: {
    readonly statuses?: Readonly<Record<string, string | undefined>>;
    /** "admitted pay a.1", in the order of the records. */
    readonly acts?: readonly string[];
    /** What came of the last events, in order. */
    readonly came?: readonly Came[];
    readonly reasons?: Readonly<Record<string, readonly string[]>>;
    /** Rows of a relation, as far as their columns are given. */
    readonly rows?: Readonly<Record<string, readonly Row[]>>;
    readonly ignored?: number;
    readonly setAside?: readonly string[];
  };
}

export const holes: readonly Hole[] = [...orderHoles, ...budgetHoles, ...confirmationHoles, ...truthHoles, ...actHoles];
