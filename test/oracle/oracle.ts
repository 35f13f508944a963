/**
 * The oracle: a slow and obvious world, to compare the product with.
 *
 * Reads  a program's plain IR, batches, starts and adoptions.
 * Gives  statuses, records and rows as SEMANTICS has them.
 * Never  shares a line with the product: only types, the law's tables, values and the digest.
 */
import type { ProgramIR, Value } from '../../dsl/ir.ts';
import type { Batch, LedgerRecord, Row } from '../../dsl/record.ts';
import { canonicalJson } from '../../dsl/digest.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { statusOf, type OracleState } from './state.ts';
import { empty, transition, type OracleEvent, type Outcome } from './transition.ts';

export type { Outcome } from './transition.ts';
export type { Card, OracleState } from './state.ts';

export class Oracle {
  #state: OracleState;

  constructor(program: ProgramIR, limits: { readonly tenant?: string; readonly openMax?: number } = {}) {
    this.#state = empty(program, limits);
  }

  observe(batch: Batch): Outcome {
    return this.#step({ event: 'batch', ...batch });
  }

  start(intent: string, key: string): Outcome {
    return this.#step({ event: 'start', intent, key });
  }

  adopt(program: ProgramIR, admitOld: readonly string[] = []): Outcome {
    return this.#step({ event: 'adopt', program, admitOld });
  }

  get state(): OracleState {
    return this.#state;
  }

  /** accepted, approved, rejected, revoked, held or pending; undefined for a row that is not known. */
  statusOf(id: string): string | undefined {
    return statusOf(this.#state, id);
  }

  records(): LedgerRecord[] {
    return this.#state.made.map(({ record }) => record);
  }

  /** The rows of a relation, in the order of their canonical JSON. */
  rows(relation: string): Row[] {
    return [...(this.#state.views.get(relation) ?? [])].sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right)));
  }

  has(relation: string, columns: Readonly<Record<string, Value>>): boolean {
    return this.rows(relation).some((row) => Object.entries(columns).every(([column, value]) => row[column] === value));
  }

  #step(event: OracleEvent): Outcome {
    const { state, outcome } = transition(this.#state, event);
    this.#state = state;
    return outcome;
  }
}
