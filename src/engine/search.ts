/**
 * Searches for one instance of a rule, step by step, and remembers how far it came.
 *
 * Reads  relations and aggregates as they are now.
 * Gives  the first instance there is, or the furthest that the search came before a step held for nothing.
 * Never  looks for all: one instance proves, and a search that takes more than `visitsMax` steps gives up and says so.
 */
import type { Argument, RulePlan, Step, TableId } from '../load/load.ts';
import { bindsOf, needsOf } from '../load/load.ts';
import { Aggregate, NOTHING } from './aggregate.ts';
import { Failed } from './compute.ts';
import { failing, overflowing, type Store } from './join.ts';
import { NOW, Relation } from './relation.ts';

/** Steps that one search may try. */
export const visitsMax = 100_000;

/** Slots as a search left them, and which of them are bound. */
export interface Reached {
  readonly rule: RulePlan;
  readonly slots: Int32Array;
  readonly bound: ReadonlySet<number>;
}
export type Found =
  | (Reached & { readonly is: 'instance' })
  /** The steps that were tried, in order: the last one held for nothing, or the search gave up there. */
  | (Reached & { readonly is: 'miss'; readonly tried: readonly number[]; readonly gaveUp: boolean });

export interface Wanted {
  readonly rule: RulePlan;
  /** Values of slots that are given. */
  readonly given: ReadonlyMap<number, number>;
  readonly order: readonly number[];
  /** Which rows an atom may match: a proof in a cycle only goes to older ones. */
  readonly accepts?: (step: number, row: number) => boolean;
  /** What came and went since the moment that is searched. */
  readonly since?: Since;
}

/** Rows of a table that came after a moment, and those that were there and went. */
export interface Since {
  readonly went: (table: TableId) => readonly Int32Array[];
  readonly hasCome: (table: TableId, row: number) => boolean;
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

export function search({ rule, given, order, accepts, since }: Wanted, store: Store): Found {
  const { steps } = rule.told;
  const slots = new Int32Array(rule.slots.length);
  for (const [slot, value] of given) slots[slot] = value;
  const bound: Set<number>[] = [new Set(given.keys())];
  for (const i of order) bound.push(new Set([...(bound.at(-1) as Set<number>), ...bindsOf(steps[i] as Step)]));
  let visits = 0;
  let furthest = -1;
  let reached: Reached = { rule, slots: slots.slice(), bound: bound[0] as Set<number> };
  const tries = order.map((i, depth) => attempt(steps[i] as Step, i, bound[depth] as Set<number>, slots, store, { accepts, since }));

  function walk(depth: number): boolean {
    if (depth > furthest) {
      furthest = depth;
      reached = { rule, slots: slots.slice(), bound: bound[depth] as Set<number> };
    }
    if (depth === order.length) return true;
    return (tries[depth] as Try)(() => {
      if (++visits > visitsMax) throw new GivesUp();
      return walk(depth + 1);
    });
  }

  try {
    return walk(0) ? { is: 'instance', ...reached } : { is: 'miss', ...reached, tried: order.slice(0, furthest + 1), gaveUp: false };
  } catch (error) {
    if (error instanceof GivesUp) return { is: 'miss', ...reached, tried: order.slice(0, furthest + 1), gaveUp: true };
    throw error;
  }
}

class GivesUp extends Error {}

/** Goes on with each way in which a step holds, until going on succeeds. */
type Try = (goOn: () => boolean) => boolean;

function attempt(
  step: Step,
  place: number,
  bound: ReadonlySet<number>,
  slots: Int32Array,
  store: Store,
  { accepts, since }: { readonly accepts: Wanted['accepts']; readonly since: Since | undefined },
): Try {
  switch (step.step) {
    case 'scan': {
      const relation = store.relations[step.table] as Relation;
      const given = step.args.flatMap((arg, i) => ('constant' in arg || ('slot' in arg && bound.has(arg.slot)) ? [i] : []));
      const args = given.map((i) => step.args[i] as Argument);
      return (goOn) => {
        const key = valuesOf(args, slots, store);
        for (const row of relation.select(given, key)) {
          if (accepts?.(place, row) === false || since?.hasCome(step.table, row) === true) continue;
          if (enters(step.args, bound, relation.rows, row * relation.arity, slots) && goOn()) return true;
        }
        const went = since?.went(step.table).filter((row) => given.every((column, i) => row[column] === key[i])) ?? [];
        return went.some((row) => enters(step.args, bound, row, 0, slots) && goOn());
      };
    }
    case 'absent': {
      const relation = store.relations[step.table] as Relation;
      return (goOn) => {
        const values = valuesOf(step.args, slots, store);
        const row = relation.find(values);
        const isThere = row >= 0 && relation.isNow(row) && since?.hasCome(step.table, row) !== true;
        const was = since?.went(step.table).some((gone) => gone.every((value, i) => value === values[i])) === true;
        return !isThere && !was && goOn();
      };
    }
    case 'group': {
      const aggregate = store.aggregates[step.aggregation] as Aggregate;
      return binding(step.out, bound, slots, () => {
        const key = valuesOf(step.args, slots, store);
        return since === undefined ? aggregate.value(key, NOW) : valueThen(aggregate, key, since, store);
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
      return (goOn) => holds(slots) === true && goOn();
    }
    case 'fails':
      return binding(step.out, bound, slots, failing(step, slots, store));
    case 'overflows':
      return binding(step.out, bound, slots, overflowing(step, slots, store));
  }
}

function binding(out: number, bound: ReadonlySet<number>, slots: Int32Array, give: () => number): Try {
  return (goOn) => {
    const value = give();
    if (value === NOTHING || (bound.has(out) && slots[out] !== value)) return false;
    slots[out] = value;
    return goOn();
  };
}

/** A value that no row has is in no row: it is looked for in vain, and not kept. */
export function valuesOf(args: readonly Argument[], slots: Int32Array, { dictionary }: Store): Int32Array {
  return Int32Array.from(args, (arg) =>
    'slot' in arg ? (slots[arg.slot] as number) : 'constant' in arg ? dictionary.find(arg.constant) : -1,
  );
}

/** What an aggregate gave for a group before rows came and went. */
function valueThen({ plan }: Aggregate, key: Int32Array, since: Since, store: Store): number {
  const source = store.relations[plan.source] as Relation;
  const then = new Relation(source.name, source.arity);
  const aggregate = new Aggregate(plan, store.dictionary);
  const add = (values: Int32Array) => aggregate.change(then, then.add(values, 1), 1);
  for (const row of source.select(plan.group, key))
    if (!since.hasCome(plan.source, row)) add(source.rows.slice(row * source.arity, (row + 1) * source.arity));
  for (const row of since.went(plan.source)) if (plan.group.every((column, i) => row[column] === key[i])) add(row);
  aggregate.settle();
  return aggregate.value(key, NOW);
}

/** Takes a row's values into the free slots; false where a variable that stands twice has two values. */
function enters(args: readonly Argument[], bound: ReadonlySet<number>, values: Int32Array, offset: number, slots: Int32Array): boolean {
  const own = new Set<number>();
  for (const [i, arg] of args.entries()) {
    if (!('slot' in arg) || bound.has(arg.slot)) continue;
    const value = values[offset + i] as number;
    if (own.has(arg.slot) && slots[arg.slot] !== value) return false;
    own.add(arg.slot);
    slots[arg.slot] = value;
  }
  return true;
}
