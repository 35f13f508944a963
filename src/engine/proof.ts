/**
 * Why a row is there, and why one is not: one instance of one rule, told premise by premise, with the values that mattered.
 *
 * Reads  the plan's rules as their authors wrote them, and the relations as they are.
 * Gives  instances as data that outlives the rows (`Because`), and their premises, each judged as it is now.
 * Never  goes in circles: a row of a cycle is proved by rows that were there before it.
 */
import type { Value } from '../../dsl/ir.ts';
import type { Argument, Plan, RulePlan, Step, TableId } from '../load/load.ts';
import { NOTHING, type Aggregate } from './aggregate.ts';
import { Failed } from './compute.ts';
import type { Wide } from './dictionary.ts';
import type { Store } from './join.ts';
import { NOW, type Relation } from './relation.ts';
import type { Change } from './change.ts';
import { authorsOrder, search, valuesOf, type Found, type Since } from './search.ts';
import { Teller, type Premise } from './tell.ts';

/** An instance of a rule, or how far the search for one came: the values by slot, undefined where none was found. */
export interface Because {
  readonly plan: Plan;
  readonly rule: RulePlan;
  readonly values: readonly (Wide | undefined)[];
  /** Of no instance: the steps that were tried, in order. The last one held for nothing, or was one too many to try. */
  readonly tried?: readonly number[];
  readonly gaveUp?: true;
}

export class Prover {
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #rules = new Map<TableId, RulePlan[]>();
  readonly #cycles = new Map<TableId, ReadonlySet<TableId>>();

  constructor(plan: Plan, store: Store) {
    this.#plan = plan;
    this.#store = store;
    for (const { rules, tables, isRecursive } of plan.components) {
      for (const rule of rules) this.#rules.set(rule.head, [...(this.#rules.get(rule.head) ?? []), rule]);
      if (isRecursive) for (const table of tables) this.#cycles.set(table, new Set(tables));
    }
  }

  /** The rules that give rows of a table, failures of them among these. */
  rulesOf(table: TableId): readonly RulePlan[] {
    return this.#rules.get(table) ?? [];
  }

  /**
   * Every rule that derives the row now, each with one instance.
   *
   * Cost    a search for each rule; the first one from a head may build an index over a relation that the rule reads.
   */
  instances(table: TableId, row: readonly Value[]): Because[] {
    const { dictionary } = this.#store;
    const relation = this.#store.relations[table] as Relation;
    const values = Int32Array.from(row, (value) => dictionary.find(value));
    const place = relation.find(values);
    if (place < 0 || !relation.isNow(place)) return [];
    const cycle = this.#cycles.get(table);
    const age = relation.age(place);
    return this.rulesOf(table).flatMap((rule) => {
      const given = this.#given(rule, (i) => values[i]);
      if (given === undefined) return [];
      const accepts = (step: number, other: number): boolean => {
        const { table: its } = rule.told.steps[step] as Step & { readonly step: 'scan' };
        return cycle?.has(its) !== true || (this.#store.relations[its] as Relation).age(other) < age;
      };
      const found = search({ rule, given, order: rule.told.headFirst, accepts }, this.#store);
      return found.is === 'instance' ? [this.#because(found)] : [];
    });
  }

  /** For each atom of an instance over one of these tables, how its row is derived: of views that only stand between a rule and its parts. */
  beneath({ rule, values }: Because, tables: (name: string) => boolean): Because[] {
    return rule.told.steps.flatMap((step) => {
      if (step.step !== 'scan' || !tables(this.#plan.tables[step.table]?.name ?? '')) return [];
      const relation = this.#store.relations[step.table] as Relation;
      const valueOf = (arg: Argument) => ('constant' in arg ? arg.constant : 'slot' in arg ? values[arg.slot] : undefined);
      const given = step.args.flatMap((arg, i) => (valueOf(arg) === undefined ? [] : [i]));
      const key = Int32Array.from(given, (i) => this.#store.dictionary.intern(valueOf(step.args[i] as Argument) as Wide));
      const row = relation.select(given, key).next().value as number | undefined;
      return row === undefined ? [] : this.instances(step.table, this.#decode(relation, row)).slice(0, 1);
    });
  }

  /** For each rule that could give such a row, how far it comes; an instance where it gives one. */
  attempts(table: TableId, columns: ReadonlyMap<number, Value>): Because[] {
    return this.rulesOf(table).flatMap((rule) => {
      if (rule.armedBy !== undefined || rule.failure !== undefined) return [];
      const given = this.#given(rule, (i) => (columns.has(i) ? this.#store.dictionary.intern(columns.get(i) as Value) : undefined));
      if (given === undefined) return [];
      const found = search({ rule, given, order: authorsOrder(rule, given.keys()) }, this.#store);
      return [this.#because(found)];
    });
  }

  /**
   * Every rule that derived the row before these changes, each with one instance.
   *
   * Cost    as `instances`, and the changes of the tables that are read, for each step that is tried.
   */
  instancesBefore(changes: readonly Change[], table: TableId, row: readonly Value[]): Because[] {
    const since = this.#since(changes);
    return this.rulesOf(table).flatMap((rule) => {
      const given = this.#given(rule, (i) => this.#store.dictionary.intern(row[i] as Value));
      if (given === undefined) return [];
      const found = search({ rule, given, order: rule.told.headFirst, since }, this.#store);
      return found.is === 'instance' ? [this.#because(found)] : [];
    });
  }

  #since(changes: readonly Change[]): Since {
    const went = new Map<TableId, Int32Array[]>();
    const came = new Map<TableId, Set<number>>();
    for (const { table, row, sign } of changes) {
      const values = Int32Array.from(row, (value) => this.#store.dictionary.intern(value));
      if (sign < 0) went.set(table, [...(went.get(table) ?? []), values]);
      else came.set(table, (came.get(table) ?? new Set()).add((this.#store.relations[table] as Relation).find(values)));
    }
    return { went: (table) => went.get(table) ?? [], hasCome: (table, row) => came.get(table)?.has(row) === true };
  }

  /** The steps of an instance in their author's order, each with its values; of a rule of this program, judged as things are now. */
  premises(because: Because): Premise[] {
    const { plan, rule, values, tried } = because;
    const teller = new Teller(plan, rule, values);
    const steps = tried?.flatMap((i) => rule.told.steps[i] ?? []) ?? rule.told.steps;
    if (plan !== this.#plan) return steps.map((step) => teller.premise(step));
    const slots = Int32Array.from(rule.slots, (_, slot) => {
      const value = values[slot];
      return value === undefined ? -1 : this.#store.dictionary.intern(value);
    });
    return steps.map((step) => this.#judged(step, slots, teller));
  }

  /** The rows that an aggregate goes over, the first of them. */
  *counted(table: TableId, per: Readonly<Record<string, Value>>): Generator<readonly Value[]> {
    const columns = Object.keys(per).map((column) => this.#plan.tables[table]?.columns.indexOf(column) ?? -1);
    const key = Int32Array.from(Object.values(per), (value) => this.#store.dictionary.find(value));
    const relation = this.#store.relations[table] as Relation;
    for (const row of relation.select(columns, key)) yield this.#decode(relation, row);
  }

  #because(found: Found): Because {
    const values = found.rule.slots.map((_, slot) =>
      found.bound.has(slot) ? this.#store.dictionary.value(found.slots[slot] as number) : undefined,
    );
    if (found.is === 'instance') return { plan: this.#plan, rule: found.rule, values };
    return { plan: this.#plan, rule: found.rule, values, tried: found.tried, ...(found.gaveUp ? { gaveUp: true } : {}) };
  }

  /** What a head says of its rule's slots; undefined where a constant of the head is another. */
  #given(rule: RulePlan, valueOf: (column: number) => number | undefined): Map<number, number> | undefined {
    const given = new Map<number, number>();
    for (const [i, column] of rule.headColumns.entries()) {
      const value = valueOf(i);
      if (value === undefined) continue;
      const known = 'slot' in column ? given.get(column.slot) : this.#store.dictionary.find(column.constant);
      if (known !== undefined && known !== value) return undefined;
      if ('slot' in column) given.set(column.slot, value);
    }
    return given;
  }

  #judged(step: Step, slots: Int32Array, teller: Teller): Premise {
    const told = teller.premise(step);
    switch (step.step) {
      case 'scan': {
        const relation = this.#store.relations[step.table] as Relation;
        const given = step.args.flatMap((arg, i) => (teller.has(arg) ? [i] : []));
        const key = valuesOf(
          given.map((i) => step.args[i] as Argument),
          slots,
          this.#store,
        );
        const row = this.#oldest(relation, relation.select(given, key), this.#cycles.has(step.table));
        if (row === undefined || told.is !== 'row') return { ...told, holds: false };
        return { ...told, row: this.#decode(relation, row), holds: true };
      }
      case 'absent': {
        const relation = this.#store.relations[step.table] as Relation;
        const row = relation.find(valuesOf(step.args, slots, this.#store));
        return { ...told, holds: row < 0 || !relation.isNow(row) };
      }
      case 'group': {
        const id = (this.#store.aggregates[step.aggregation] as Aggregate).value(valuesOf(step.args, slots, this.#store), NOW);
        const now = id === NOTHING ? undefined : this.#store.dictionary.value(id);
        const value = teller.value(step.out) ?? now;
        return {
          ...told,
          ...(value === undefined ? {} : { value }),
          ...(now === undefined ? {} : { now }),
          holds: now !== undefined && now === value,
        };
      }
      case 'compute': {
        const result = this.#store.calculator.computed(step.computation)(slots);
        if (result instanceof Failed) return { is: 'failed', text: result.what, holds: false };
        return { ...told, holds: (teller.value(step.out) ?? result) === result };
      }
      case 'test': {
        const result = this.#store.calculator.judged(step.test, step.isNegated)(slots);
        return result instanceof Failed ? { is: 'failed', text: result.what, holds: false } : { ...told, holds: result };
      }
      case 'fails':
      case 'overflows':
        return { ...told, holds: true };
    }
  }

  /** The first row; in a cycle the oldest, which rests on none of the others. */
  #oldest(relation: Relation, rows: Iterable<number>, isCyclic: boolean): number | undefined {
    let oldest: number | undefined;
    for (const row of rows) {
      if (oldest === undefined || relation.age(row) < relation.age(oldest)) oldest = row;
      if (!isCyclic) break;
    }
    return oldest;
  }

  #decode(relation: Relation, row: number): Value[] {
    const offset = row * relation.arity;
    return Array.from({ length: relation.arity }, (_, i) => this.#store.dictionary.value(relation.rows[offset + i] as number) as Value);
  }
}
