/**
 * An aggregate in memory: one value per group, kept right row by row as its relation changes.
 *
 * Reads  rows of its source that came or went.
 * Gives  the value of a group now and before this settlement, and the groups where the two differ.
 * Never  goes over a group again: counts and sums take one step, minima and maxima a step on a heap.
 */
import { compareValues } from '../../dsl/value.ts';
import type { Aggregation } from '../load/load.ts';
import type { Dictionary } from './dictionary.ts';
import { fromUnits, toUnits } from './float-sum.ts';
import { BEFORE, Relation } from './relation.ts';

/** No value: the minimum or maximum of nothing. */
export const NOTHING = -1;

export class Aggregate {
  readonly plan: Aggregation;
  /** The groups that have a row; their columns are those of the group. */
  readonly groups: Relation;
  readonly #dictionary: Dictionary;
  readonly #empty: number;
  readonly #key: Int32Array;
  #now: number[] = [];
  #before: number[] = [];
  #states: (State | undefined)[] = [];

  constructor(plan: Aggregation, dictionary: Dictionary) {
    this.plan = plan;
    this.#dictionary = dictionary;
    this.groups = new Relation(`aggregate ${plan.id}`, plan.group.length);
    this.#key = new Int32Array(plan.group.length);
    this.#empty = plan.aggregate === 'count' || plan.aggregate === 'sum' ? dictionary.intern(0) : NOTHING;
  }

  /** A row of the source came (1) or went (-1). */
  change(source: Relation, row: number, sign: 1 | -1): void {
    const offset = row * source.arity;
    this.plan.group.forEach((column, i) => {
      this.#key[i] = source.rows[offset + column] as number;
    });
    const group = this.groups.place(this.#key);
    const state = this.#states[group] ?? this.#enter(group);
    state.count += sign;
    if (this.plan.of !== undefined) this.#add(state, source.rows[offset + this.plan.of] as number, sign);
    this.groups.set(group, state.count > 0 ? 1 : 0);
  }

  /** Computes the new value of every group that was touched. */
  settle(): void {
    for (const group of this.groups.touched) this.#now[group] = this.#valueOf(this.#states[group] as State);
  }

  /** The value of a group, by its key. */
  value(key: Int32Array, version: number): number {
    const group = this.groups.find(key);
    if (group < 0) return this.#empty;
    return (version === BEFORE ? this.#before[group] : this.#now[group]) as number;
  }

  /** Groups whose value differs from before, with both values. */
  forEachChange(visit: (group: number, before: number, now: number) => void): void {
    for (const group of this.groups.touched) {
      const before = this.#before[group] as number;
      const now = this.#now[group] as number;
      if (before !== now) visit(group, before, now);
    }
  }

  commit(): void {
    for (const group of this.groups.touched) {
      this.#before[group] = this.#now[group] as number;
      if (!this.groups.isNow(group)) this.#states[group] = undefined;
    }
    this.groups.commit();
  }

  clear(): void {
    this.groups.clear();
    this.#states = [];
    this.#now = [];
    this.#before = [];
  }

  #enter(group: number): State {
    const state: State = { count: 0, sum: this.plan.isFloat ? 0n : 0, held: new Map(), heap: [], waiting: new Set() };
    this.#states[group] = state;
    this.#now[group] = this.#empty;
    this.#before[group] = this.#empty;
    return state;
  }

  #add(state: State, value: number, sign: 1 | -1): void {
    if (this.plan.aggregate === 'sum') {
      const given = this.#dictionary.value(value) as number;
      state.sum = this.plan.isFloat ? (state.sum as bigint) + BigInt(sign) * toUnits(given) : sumOf(state.sum, sign * given);
      return;
    }
    const held = (state.held.get(value) ?? 0) + sign;
    if (held === 0) state.held.delete(value);
    else state.held.set(value, held);
    // A value that comes back while its place in the heap still waits needs no second one.
    if (sign < 0 || held !== 1 || state.waiting.has(value)) return;
    state.waiting.add(value);
    push(state.heap, value, (a, b) => this.#isBetter(a, b));
  }

  #valueOf(state: State): number {
    switch (this.plan.aggregate) {
      case 'count':
        return this.#dictionary.intern(state.count);
      case 'sum':
        return this.#dictionary.intern(this.plan.isFloat ? fromUnits(state.sum as bigint) : state.sum);
      case 'min':
      case 'max': {
        // Values that went wait in the heap until they come to its top.
        while (state.heap.length > 0 && !state.held.has(state.heap[0] as number)) {
          state.waiting.delete(state.heap[0] as number);
          pop(state.heap, (a, b) => this.#isBetter(a, b));
        }
        return state.heap[0] ?? NOTHING;
      }
    }
  }

  #isBetter(left: number, right: number): boolean {
    const order = compareValues(this.#dictionary.value(left), this.#dictionary.value(right));
    return this.plan.aggregate === 'min' ? order < 0 : order > 0;
  }
}

interface State {
  count: number;
  sum: number | bigint;
  readonly held: Map<number, number>;
  readonly heap: number[];
  /** The values in the heap, those that went among them. */
  readonly waiting: Set<number>;
}

/** Exact: in numbers while they are safe, in big integers beyond. */
function sumOf(sum: number | bigint, change: number): number | bigint {
  if (typeof sum === 'number') {
    const near = sum + change;
    return Number.isSafeInteger(near) ? near : BigInt(sum) + BigInt(change);
  }
  const exact = sum + BigInt(change);
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

function push(heap: number[], value: number, isBetter: (a: number, b: number) => boolean): void {
  let child = heap.push(value) - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isBetter(heap[child] as number, heap[parent] as number)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function pop(heap: number[], isBetter: (a: number, b: number) => boolean): void {
  const last = heap.pop() as number;
  if (heap.length === 0) return;
  heap[0] = last;
  for (let parent = 0; ;) {
    let best = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && isBetter(heap[child] as number, heap[best] as number)) best = child;
    }
    if (best === parent) return;
    swap(heap, parent, best);
    parent = best;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
}
