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
  readonly slots: Int32Array;
  readonly bound: ReadonlySet<number>;
}
/** Of no instance: the steps that were tried, in order. The last one held for nothing, or the search gave up there. */
export interface Missed extends Reached {
  readonly tried: readonly number[];
  readonly gaveUp: boolean;
}

export interface Wanted {
  readonly rule: RulePlan;
  /** Values of slots that are given. */
  readonly given: ReadonlyMap<number, number>;
  readonly order: readonly number[];
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

/** Every instance there is, as long as it is asked for the next one; what it gives at its end matters where there was none. */
export function* instancesOf(wanted: Wanted, store: Store): Generator<Reached, Missed> {
  const { rule, given, order } = wanted;
  const slots = new Int32Array(rule.slots.length);
  for (const [slot, value] of given) slots[slot] = value;
  const bound: Set<number>[] = [new Set(given.keys())];
  for (const i of order) bound.push(new Set([...(bound.at(-1) as Set<number>), ...bindsOf(rule.told.steps[i] as Step)]));
  const ways = order.map((i, depth) => waysOf(i, bound[depth] as Set<number>, slots, wanted, store));
  const open: Generator<boolean>[] = [];
  const reached = (depth: number): Reached => ({ slots: slots.slice(), bound: bound[depth] as Set<number> });
  const missed = (gaveUp: boolean): Missed => ({ ...furthest, tried: order.slice(0, deepest + 1), gaveUp });
  let furthest = reached(0);
  let deepest = 0;
  let visits = 0;
  for (let depth = 0; depth >= 0;) {
    if (depth === order.length) {
      yield reached(depth--);
      continue;
    }
    const way = (open[depth] ??= (ways[depth] as Ways)()).next();
    if (way.done === true) {
      open.length = depth--;
      continue;
    }
    if (++visits > visitsMax) return missed(true);
    if (!way.value) continue;
    depth++;
    if (depth > deepest && depth < order.length) [deepest, furthest] = [depth, reached(depth)];
  }
  return missed(false);
}

/** Binds the free slots of a step in each way in which it holds (true); a row that was looked at in vain counts too (false). */
type Ways = () => Generator<boolean>;

function waysOf(place: number, bound: ReadonlySet<number>, slots: Int32Array, { rule, accepts, past }: Wanted, store: Store): Ways {
  const step = rule.told.steps[place] as Step;
  switch (step.step) {
    case 'scan': {
      const relation = store.relations[step.table] as Relation;
      const given = step.args.flatMap((arg, i) => ('constant' in arg || ('slot' in arg && bound.has(arg.slot)) ? [i] : []));
      const args = given.map((i) => step.args[i] as Argument);
      const isRefused = (row: number) => accepts?.(place, row) === false || past?.hasCome(step.table, row) === true;
      return function* () {
        const key = valuesOf(args, slots, store);
        for (const values of inOrder(rowsOf(relation, given, key, isRefused), store.dictionary))
          yield values !== undefined && enters(step.args, bound, values, slots);
        const gone = past?.gone(step.table);
        if (gone === undefined) return;
        for (const values of inOrder(rowsOf(gone, given, key), store.dictionary))
          yield values !== undefined && enters(step.args, bound, values, slots);
      };
    }
    case 'absent': {
      const relation = store.relations[step.table] as Relation;
      return once(() => {
        const values = valuesOf(step.args, slots, store);
        const row = relation.find(values);
        const isThere = row >= 0 && relation.isNow(row) && past?.hasCome(step.table, row) !== true;
        return !isThere && (past?.gone(step.table)?.find(values) ?? -1) < 0;
      });
    }
    case 'group': {
      const aggregate = store.aggregates[step.aggregation] as Aggregate;
      return binding(step.out, bound, slots, () => {
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

function once(holds: () => boolean): Ways {
  return function* () {
    if (holds()) yield true;
  };
}

function binding(out: number, bound: ReadonlySet<number>, slots: Int32Array, give: () => number): Ways {
  return once(() => {
    const value = give();
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
