/**
 * Searches for the instances of a rule, step by step, and remembers how far it came.
 *
 * Reads  relations and aggregates as they are now, or as they were before the changes of a transition.
 * Gives  instances, one at a time; where there is none, the furthest that the search came before a step held for nothing.
 * Never  goes on for ever, or deeper than its own list of steps: one that looks at more than `visitsMax` rows gives up and says so.
 */
import { compareValues } from '../../dsl/value.ts';
import type { Argument, RulePlan, Step } from '../load/load.ts';
import { bindsOf, needsOf } from '../load/load.ts';
import { NOTHING, type Aggregate } from './aggregate.ts';
import { Failed } from './compute.ts';
import type { Dictionary } from './dictionary.ts';
import { failing, overflowing, type Store } from './join.ts';
import type { Past } from './past.ts';
import { NOW, type Relation } from './relation.ts';

/** Rows, and other ways in which a step may hold, that one search looks at. */
export const visitsMax = 100_000;

/** Of so many rows that fit, the first by their values is taken, so that a proof does not hang on the order in which they came. */
export const orderedMax = 64;

/** Slots as a search left them, and which of them are bound. */
export interface Reached {
  readonly rule: RulePlan;
  readonly slots: Int32Array;
  readonly bound: ReadonlySet<number>;
}
/** Of no instance: the steps that were tried, in order. The last one held for nothing, or the search gave up there. */
export interface Missed extends Reached {
  readonly tried: readonly number[];
  readonly gaveUp: boolean;
}

export interface Asked {
  /** Which rows an atom may match: a proof in a cycle only goes to older ones. */
  readonly accepts?: (step: number, row: number) => boolean;
  /** The relations as they were, in place of as they are. */
  readonly past?: Past;
}

/** The steps of a rule as its author wrote them, each put off until what it needs is bound. */
export function authorsOrder({ told: { steps } }: RulePlan, given: Iterable<number>): number[] {
  const bound = new Set(given);
  const left = new Set(steps.keys());
  const order: number[] = [];
  while (left.size > 0) {
    const next = [...left].find((i) => needsOf(steps[i] as Step).every((slot) => bound.has(slot)));
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
    for (const slot of bindsOf(steps[next] as Step)) bound.add(slot);
  }
  return order;
}

/** The search for instances of one rule, from the same slots given each time. One that is under way cannot be begun again. */
export class Search {
  readonly #rule: RulePlan;
  readonly #order: readonly number[];
  readonly #slots: Int32Array;
  readonly #bound: readonly ReadonlySet<number>[];
  readonly #ways: readonly Ways[];
  isBusy = false;

  constructor(rule: RulePlan, given: readonly number[], order: readonly number[], store: Store) {
    this.#rule = rule;
    this.#order = order;
    this.#slots = new Int32Array(rule.slots.length);
    const bound = [new Set(given)];
    for (const i of order) bound.push(new Set([...(bound.at(-1) as Set<number>), ...bindsOf(rule.told.steps[i] as Step)]));
    this.#bound = bound;
    this.#ways = order.map((i, depth) => waysOf(rule.told.steps[i] as Step, i, bound[depth] as Set<number>, this.#slots, store));
  }

  /** Every instance there is, as long as it is asked for the next one; what it gives at its end matters where there was none. */
  *instances(given: ReadonlyMap<number, number>, asked: Asked = {}): Generator<Reached, Missed> {
    this.isBusy = true;
    try {
      for (const [slot, value] of given) this.#slots[slot] = value;
      return yield* this.#walk(asked);
    } finally {
      this.isBusy = false;
    }
  }

  *#walk(asked: Asked): Generator<Reached, Missed> {
    const { length } = this.#order;
    const open: Iterator<boolean>[] = [];
    let furthest = this.#reached(0);
    let deepest = 0;
    let visits = 0;
    for (let depth = 0; depth >= 0;) {
      if (depth === length) {
        yield this.#reached(depth--);
        continue;
      }
      const way = (open[depth] ??= (this.#ways[depth] as Ways)(asked)).next();
      if (way.done === true) {
        open.length = depth--;
        continue;
      }
      if (++visits > visitsMax) return this.#missed(furthest, deepest, true);
      if (!way.value) continue;
      depth++;
      if (depth > deepest && depth < length) [deepest, furthest] = [depth, this.#reached(depth)];
    }
    return this.#missed(furthest, deepest, false);
  }

  #reached(depth: number): Reached {
    return { rule: this.#rule, slots: this.#slots.slice(), bound: this.#bound[depth] as ReadonlySet<number> };
  }

  #missed(furthest: Reached, deepest: number, gaveUp: boolean): Missed {
    return { ...furthest, tried: this.#order.slice(0, deepest + 1), gaveUp };
  }
}

/** Binds the free slots of a step in each way in which it holds (true); a row that was looked at in vain counts too (false). */
type Ways = (asked: Asked) => Iterator<boolean>;

function waysOf(step: Step, place: number, bound: ReadonlySet<number>, slots: Int32Array, store: Store): Ways {
  switch (step.step) {
    case 'scan':
      return scanning(step, place, bound, slots, store);
    case 'absent': {
      const relation = store.relations[step.table] as Relation;
      return once(({ past }) => {
        const values = valuesOf(step.args, slots, store);
        const row = relation.find(values);
        const isThere = row >= 0 && relation.isNow(row) && past?.hasCome(step.table, row) !== true;
        return !isThere && (past?.gone(step.table)?.find(values) ?? -1) < 0;
      });
    }
    case 'group': {
      const aggregate = store.aggregates[step.aggregation] as Aggregate;
      return binding(step.out, bound, slots, ({ past }) => {
        const key = valuesOf(step.args, slots, store);
        return past === undefined ? aggregate.value(key, NOW) : past.value(aggregate, key);
      });
    }
    case 'compute': {
      const compute = store.calculator.computed(step.computation);
      return binding(step.out, bound, slots, () => {
        const value = compute(slots);
        return value instanceof Failed ? NOTHING : store.dictionary.intern(value);
      });
    }
    case 'test': {
      const holds = store.calculator.judged(step.test, step.isNegated);
      return once(() => holds(slots) === true);
    }
    case 'fails':
      return binding(step.out, bound, slots, failing(step, slots, store));
    case 'overflows':
      return binding(step.out, bound, slots, overflowing(step, slots, store));
  }
}

function scanning(
  { table, args }: Step & { readonly step: 'scan' },
  place: number,
  bound: ReadonlySet<number>,
  slots: Int32Array,
  store: Store,
): Ways {
  const relation = store.relations[table] as Relation;
  const given = args.flatMap((arg, i) => ('constant' in arg || ('slot' in arg && bound.has(arg.slot)) ? [i] : []));
  const known = given.map((i) => args[i] as Argument);
  return function* ({ accepts, past }) {
    const key = valuesOf(known, slots, store);
    const isRefused = (row: number) => accepts?.(place, row) === false || past?.hasCome(table, row) === true;
    for (const values of inOrder(rowsOf(relation, given, key, isRefused), store.dictionary))
      yield values !== undefined && enters(args, bound, values, slots);
    const gone = past?.gone(table);
    if (gone === undefined) return;
    for (const values of inOrder(rowsOf(gone, given, key), store.dictionary))
      yield values !== undefined && enters(args, bound, values, slots);
  };
}

function once(holds: (asked: Asked) => boolean): Ways {
  return (asked) => (holds(asked) ? ONE : NONE)();
}
const ONE = () => [true].values();
const NONE = () => [].values();

function binding(out: number, bound: ReadonlySet<number>, slots: Int32Array, give: (asked: Asked) => number): Ways {
  return once((asked) => {
    const value = give(asked);
    if (value === NOTHING || (bound.has(out) && slots[out] !== value)) return false;
    slots[out] = value;
    return true;
  });
}

/** The rows with these values, and undefined for each that is refused. */
function* rowsOf(
  relation: Relation,
  columns: readonly number[],
  key: Int32Array,
  isRefused: (row: number) => boolean = () => false,
): Generator<Int32Array | undefined> {
  const { arity } = relation;
  for (const row of relation.select(columns, key))
    yield isRefused(row) ? undefined : relation.rows.subarray(row * arity, (row + 1) * arity);
}

/** The first `orderedMax` rows in the order of their values, and then the others as they come. */
export function* inOrder(rows: Iterable<Int32Array | undefined>, dictionary: Dictionary): Generator<Int32Array | undefined> {
  const first: Int32Array[] = [];
  let isSorted = false;
  for (const values of rows) {
    if (values === undefined) yield undefined;
    else if (first.length < orderedMax) first.push(values);
    else {
      if (!isSorted) yield* first.sort((left, right) => compareRows(left, right, dictionary));
      isSorted = true;
      yield values;
    }
  }
  if (!isSorted) yield* first.sort((left, right) => compareRows(left, right, dictionary));
}

function compareRows(left: Int32Array, right: Int32Array, dictionary: Dictionary): number {
  const column = left.findIndex((value, i) => value !== right[i]);
  return column < 0 ? 0 : compareValues(dictionary.value(left[column] as number), dictionary.value(right[column] as number));
}

/** A value that no row has is in no row: it is looked for in vain, and not kept. */
export function valuesOf(args: readonly Argument[], slots: Int32Array, { dictionary }: Store): Int32Array {
  return Int32Array.from(args, (arg) =>
    'slot' in arg ? (slots[arg.slot] as number) : 'constant' in arg ? dictionary.find(arg.constant) : -1,
  );
}

/** Takes a row's values into the free slots; false where a variable that stands twice has two values. */
function enters(args: readonly Argument[], bound: ReadonlySet<number>, values: Int32Array, slots: Int32Array): boolean {
  const own = new Set<number>();
  for (const [i, arg] of args.entries()) {
    if (!('slot' in arg) || bound.has(arg.slot)) continue;
    const value = values[i] as number;
    if (own.has(arg.slot) && slots[arg.slot] !== value) return false;
    own.add(arg.slot);
    slots[arg.slot] = value;
  }
  return true;
}
