/**
 * Joins as closures: a rule's steps in one order, each step a function that calls the next.
 *
 * Reads  the relations and aggregates of the engine, now or as they were before this settlement, as the plan asks for each step.
 * Gives  every instance of the rule, one at a time, in the slots of an environment.
 * Never  allocates for an instance, and never generates code from strings.
 */
import type { Argument, HeadColumn, RulePlan, Step } from '../load/load.ts';
import type { Aggregate } from './aggregate.ts';
import { NOTHING } from './aggregate.ts';
import { Failed, type Calculator } from './compute.ts';
import type { Dictionary } from './dictionary.ts';
import { finish, mix } from './index-chain.ts';
import type { Relation } from './relation.ts';

/** What joins run on. */
export interface Store {
  readonly dictionary: Dictionary;
  readonly calculator: Calculator;
  readonly relations: readonly Relation[];
  readonly aggregates: readonly Aggregate[];
  /** Rules that have met a failure: their failure rules run from now on. */
  readonly armed: Set<string>;
  /** The age of the youngest row that was derived in a cycle. */
  readonly clock: { age: number };
}

type Next = () => void;
type Version = (position: number) => number;

export interface Join {
  readonly slots: Int32Array;
  /** Every instance. */
  readonly whole: Next;
  /** Every instance with this row at the step where the join starts. */
  readonly fromRow: (row: number) => void;
  /** Every instance with this group and value at the step where the join starts. */
  readonly fromGroup: (group: number, value: number) => void;
  /** Every instance that gives this head. */
  readonly fromHead: (values: Int32Array) => void;
}

/** Where a join starts: at all, at a given head, or at the step with this position. */
export type Start = 'whole' | 'head' | number;

export function join(rule: RulePlan, start: Start, version: Version, store: Store, found: (slots: Int32Array) => void): Join {
  const slots = new Int32Array(rule.slots.length);
  const order = start === 'whole' ? rule.whole : start === 'head' ? rule.headFirst : (rule.orders.get(start) ?? []).slice(1);
  const bound = new Set<number>();
  const first = typeof start === 'number' ? (rule.steps[start] as Step) : undefined;
  const failed = () => {
    if (rule.arms !== undefined) store.armed.add(rule.arms);
  };
  // What the start binds is settled before the steps are, since each step must know which of its columns are given.
  const enter = matcher(
    start === 'head' ? rule.headColumns : first === undefined || !('args' in first) ? [] : first.args,
    slots,
    bound,
    store,
  );
  const isChecked = first?.step === 'group' && bound.has(first.out);
  if (first?.step === 'group') bound.add(first.out);
  const makers = order.map((position) => stepOf(rule.steps[position] as Step, version(position), slots, bound, store, failed));
  const body = makers.reduceRight<Next>(
    (next, make) => make(next),
    () => found(slots),
  );
  return {
    slots,
    whole: body,
    fromRow: (row) => {
      const relation = relationOf(first as Step, store);
      if (enter(relation.rows, row * relation.arity)) body();
    },
    fromGroup: (group, value) => {
      const { aggregation, out } = first as Step & { readonly step: 'group' };
      const { groups } = store.aggregates[aggregation] as Aggregate;
      if (!enter(groups.rows, group * groups.arity) || (isChecked && slots[out] !== value)) return;
      slots[out] = value;
      body();
    },
    fromHead: (values) => {
      if (enter(values, 0)) body();
    },
  };
}

function relationOf(step: Step, store: Store): Relation {
  return store.relations[(step as Step & { readonly step: 'scan' | 'absent' }).table] as Relation;
}

/** Loads the columns of a given row into the slots; false where a constant, or a slot that comes twice, does not agree. */
function matcher(
  columns: readonly (Argument | HeadColumn)[],
  slots: Int32Array,
  bound: Set<number>,
  store: Store,
): (values: Int32Array, offset: number) => boolean {
  const checks: ((values: Int32Array, offset: number) => boolean)[] = [];
  columns.forEach((column, i) => {
    if ('constant' in column) {
      const constant = store.dictionary.intern(column.constant);
      checks.push((values, offset) => values[offset + i] === constant);
    } else if ('slot' in column) {
      const { slot } = column;
      if (bound.has(slot)) checks.push((values, offset) => values[offset + i] === slots[slot]);
      else {
        bound.add(slot);
        checks.push((values, offset) => {
          slots[slot] = values[offset + i] as number;
          return true;
        });
      }
    }
  });
  return (values, offset) => {
    for (const check of checks) if (!check(values, offset)) return false;
    return true;
  };
}

function stepOf(step: Step, version: number, slots: Int32Array, bound: Set<number>, store: Store, failed: Next): (next: Next) => Next {
  switch (step.step) {
    case 'scan':
      return scan(store.relations[step.table] as Relation, step.args, version, slots, bound, store);
    case 'absent': {
      const has = membership(store.relations[step.table] as Relation, step.args, version, slots, store);
      return (next) => () => {
        if (!has()) next();
      };
    }
    case 'group':
      return group(store.aggregates[step.aggregation] as Aggregate, step, version, slots, bound, store);
    case 'compute': {
      const compute = store.calculator.computed(step.computation);
      return bind(step.out, slots, bound, () => {
        const value = compute(slots);
        if (!(value instanceof Failed)) return store.dictionary.intern(value);
        failed();
        return NOTHING;
      });
    }
    case 'test': {
      const holds = store.calculator.judged(step.test, step.isNegated);
      return (next) => () => {
        const result = holds(slots);
        if (result === true) next();
        else if (result !== false) failed();
      };
    }
    case 'fails':
      return bind(step.out, slots, bound, failing(step, slots, store));
    case 'overflows':
      return bind(step.out, slots, bound, overflowing(step, slots, store));
  }
}

/** Binds a slot to what `give` gives, or compares where the slot is bound; NOTHING is no instance. */
function bind(out: number, slots: Int32Array, bound: Set<number>, give: () => number): (next: Next) => Next {
  const isBound = bound.has(out);
  bound.add(out);
  return (next) => () => {
    const value = give();
    if (value === NOTHING || (isBound && slots[out] !== value)) return;
    slots[out] = value;
    next();
  };
}

/** Says that a slot has a value that no column can hold, as an interned text; NOTHING where none has. */
export function overflowing(step: Step & { readonly step: 'overflows' }, slots: Int32Array, store: Store): () => number {
  return () => {
    const wide = step.slots.filter((slot) => store.dictionary.isWide(slots[slot] as number));
    const what = wide.map((slot) => `${String(store.dictionary.value(slots[slot] as number))} is no safe integer`);
    return what.length === 0 ? NOTHING : store.dictionary.intern(step.prefix + [...new Set(what)].sort().join('; '));
  };
}

/** Says that none of the subjects can be computed, as an interned text; NOTHING where one can. */
export function failing(step: Step & { readonly step: 'fails' }, slots: Int32Array, store: Store): () => number {
  const subjects = step.subjects.map((subject) =>
    'test' in subject ? store.calculator.judged(subject, false) : store.calculator.computed(subject),
  );
  return () => {
    const what: string[] = [];
    for (const subject of subjects) {
      const result = subject(slots);
      if (!(result instanceof Failed)) return NOTHING;
      what.push(result.what);
    }
    return store.dictionary.intern(step.prefix + [...new Set(what)].sort().join('; '));
  };
}

function group(
  aggregate: Aggregate,
  step: Step & { readonly step: 'group' },
  version: number,
  slots: Int32Array,
  bound: Set<number>,
  store: Store,
): (next: Next) => Next {
  const key = new Int32Array(step.args.length);
  const fill = filler(step.args, key, slots, store);
  return bind(step.out, slots, bound, () => {
    fill();
    return aggregate.value(key, version);
  });
}

/** Writes bound arguments into a buffer, in order. */
function filler(args: readonly Argument[], buffer: Int32Array, slots: Int32Array, store: Store): () => void {
  const from = args.map((arg) => ('slot' in arg ? arg.slot : -1));
  args.forEach((arg, i) => {
    if ('constant' in arg) buffer[i] = store.dictionary.intern(arg.constant);
  });
  return () => {
    for (let i = 0; i < from.length; i++) {
      const slot = from[i] as number;
      if (slot >= 0) buffer[i] = slots[slot] as number;
    }
  };
}

function membership(relation: Relation, args: readonly Argument[], version: number, slots: Int32Array, store: Store): () => boolean {
  const values = new Int32Array(args.length);
  const fill = filler(args, values, slots, store);
  return () => {
    fill();
    const row = relation.find(values);
    return row >= 0 && ((relation.flags[row] as number) & version) !== 0;
  };
}

function scan(
  relation: Relation,
  args: readonly Argument[],
  version: number,
  slots: Int32Array,
  bound: Set<number>,
  store: Store,
): (next: Next) => Next {
  const isGiven = (arg: Argument) => 'constant' in arg || ('slot' in arg && bound.has(arg.slot));
  const given = args.flatMap((arg, i) => (isGiven(arg) ? [i] : []));
  if (given.length === args.length) {
    const has = membership(relation, args, version, slots, store);
    return (next) => () => {
      if (has()) next();
    };
  }
  const values = new Int32Array(given.length);
  const fill = filler(
    given.map((i) => args[i] as Argument),
    values,
    slots,
    store,
  );
  const free = args.map((arg, i) => (given.includes(i) ? ({ wildcard: true } as const) : arg));
  const enter = matcher(free, slots, bound, store);
  const { arity } = relation;
  if (given.length === 0) {
    return (next) => () => {
      const { end } = relation;
      for (let row = 0; row < end; row++) {
        if (((relation.flags[row] as number) & version) !== 0 && enter(relation.rows, row * arity)) next();
      }
    };
  }
  const index = relation.index(given);
  return (next) => () => {
    fill();
    let hash = 0;
    for (let i = 0; i < values.length; i++) hash = mix(hash, values[i] as number);
    for (let row = index.first(finish(hash)); row >= 0; row = index.next(row)) {
      if (((relation.flags[row] as number) & version) === 0) continue;
      const offset = row * arity;
      let isMatch = true;
      for (let i = 0; i < given.length; i++) {
        if (relation.rows[offset + (given[i] as number)] !== values[i]) {
          isMatch = false;
          break;
        }
      }
      if (isMatch && enter(relation.rows, offset)) next();
    }
  };
}
