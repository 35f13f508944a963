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
import type { Change } from './change.ts';
import { Failed } from './compute.ts';
import type { Wide } from './dictionary.ts';
import type { Store } from './join.ts';
import { Past } from './past.ts';
import { NOW, type Relation } from './relation.ts';
import { authorsOrder, inOrder, Search, valuesOf, type Asked, type Missed, type Reached } from './search.ts';
import { Teller, valueText, type Because, type Premise } from './tell.ts';

/** In which order the steps of a rule are tried: what the head gives most of first, or as its author wrote them. */
type Order = 'head first' | 'as written';

export class Prover {
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #rules = new Map<TableId, RulePlan[]>();
  readonly #cycles = new Map<TableId, ReadonlySet<TableId>>();
  readonly #searches = new Map<RulePlan, Map<string, Search>>();

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
   * Each rule that derives the row now, with one instance.
   *
   * Cost    a search for each rule that is asked for; where there is no index by what the head gives, a look through a relation.
   */
  *instances(table: TableId, row: readonly Value[]): Generator<Because> {
    const { dictionary } = this.#store;
    const relation = this.#store.relations[table] as Relation;
    const values = Int32Array.from(row, (value) => dictionary.find(value));
    const place = relation.find(values);
    if (place < 0 || !relation.isNow(place)) return;
    const cycle = this.#cycles.get(table);
    const age = relation.age(place);
    for (const rule of this.rulesOf(table)) {
      const accepts = (step: number, other: number): boolean => {
        const { table: its } = rule.told.steps[step] as Step & { readonly step: 'scan' };
        return cycle?.has(its) !== true || (this.#store.relations[its] as Relation).age(other) < age;
      };
      const found = this.#first(rule, 'head first', (i) => values[i], { accepts });
      if (found !== undefined && !('tried' in found)) yield this.#because(found);
    }
  }

  /** Every rule that derived the row before some changes, with each of its instances, as long as they are asked for. */
  *instancesThen(past: Past, table: TableId, row: readonly Value[]): Generator<Because> {
    for (const rule of this.rulesOf(table)) {
      const given = this.#given(rule, (i) => this.#store.dictionary.intern(row[i] as Value));
      if (given === undefined) continue;
      for (const found of this.#search(rule, 'head first', given).instances(given, { past })) yield this.#because(found);
    }
  }

  /** The relations as they were before these changes. */
  past(changes: Iterable<Change>): Past {
    return new Past(changes, this.#store);
  }

  /** For each of the rules that could give such a row, how far it comes; an instance where it gives one. */
  attempts(table: TableId, columns: ReadonlyMap<number, Value>, isAsked: (rule: RulePlan) => boolean = () => true): Because[] {
    return this.rulesOf(table).flatMap((rule) => {
      // That something could not be computed is no way to a row that anybody asks for.
      if (!isAsked(rule) || rule.told.steps.some(({ step }) => step === 'fails' || step === 'overflows')) return [];
      const valueOf = (i: number) => (columns.has(i) ? this.#store.dictionary.intern(columns.get(i) as Value) : undefined);
      const found = this.#first(rule, 'as written', valueOf);
      return found === undefined ? [] : [this.#because(found)];
    });
  }

  /** For each atom of an instance over one of these tables, how its row is derived: of views that only stand between a rule and its parts. */
  beneath(because: Because, tables: (name: string) => boolean): Because[] {
    return because.rule.told.steps.flatMap((step) => {
      if (step.step !== 'scan' || !tables(this.#plan.tables[step.table]?.name ?? '')) return [];
      const row = this.#rowAt(step, this.#slotsOf(because), new Teller(because));
      const [first] = row === undefined ? [] : this.instances(step.table, row);
      return first === undefined ? [] : [first];
    });
  }

  /** What the head of an instance says, by column; columns without a value are left out. */
  head({ plan, rule, values }: Because): Readonly<Record<string, Wide>> {
    const { columns = [] } = plan.tables[rule.head] ?? {};
    return Object.fromEntries(
      rule.headColumns.flatMap((column, i) => {
        const value = 'constant' in column ? column.constant : values[column.slot];
        return value === undefined ? [] : [[columns[i] ?? '', value] as const];
      }),
    );
  }

  /** The steps of an instance in their author's order, each with its values; of a rule of this program, judged as things are now. */
  premises(because: Because): Premise[] {
    const { plan, rule, tried } = because;
    const teller = new Teller(because);
    const steps = tried?.flatMap((i) => rule.told.steps[i] ?? []) ?? rule.told.steps;
    if (plan !== this.#plan) {
      const failing = tried === undefined || because.gaveUp === true ? -1 : steps.length - 1;
      return steps.map((step, i) => teller.asItWas(step, i === failing));
    }
    const slots = this.#slotsOf(because);
    return steps.map((step) => this.#judged(step, slots, teller));
  }

  /** The rows that have these values, as far as `orderedMax` of them go in the order of their values. */
  *rows(table: TableId, where: Readonly<Record<string, Value>>): Generator<readonly Value[]> {
    const columns = Object.keys(where).map((column) => this.#plan.tables[table]?.columns.indexOf(column) ?? -1);
    const key = Int32Array.from(Object.values(where), (value) => this.#store.dictionary.find(value));
    for (const values of this.#matching(this.#store.relations[table] as Relation, columns, key)) yield this.#decode(values);
  }

  first(table: TableId, where: Readonly<Record<string, Value>>): readonly Value[] | undefined {
    const [first] = this.rows(table, where);
    return first;
  }

  /** The first instance, or how far the search came; undefined where a constant of the head is another. */
  #first(rule: RulePlan, order: Order, valueOf: (column: number) => number | undefined, asked: Asked = {}): Reached | Missed | undefined {
    const given = this.#given(rule, valueOf);
    if (given === undefined) return undefined;
    const found = this.#search(rule, order, given).instances(given, asked);
    const { value } = found.next();
    found.return(value as Missed);
    return value;
  }

  /** A search is prepared once for the slots that are given. */
  #search(rule: RulePlan, order: Order, given: ReadonlyMap<number, number>): Search {
    const slots = [...given.keys()];
    const name = `${order} ${slots.join()}`;
    const searches = this.#searches.get(rule) ?? new Map<string, Search>();
    this.#searches.set(rule, searches);
    const known = searches.get(name);
    if (known?.isBusy === false) return known;
    const search = new Search(rule, slots, order === 'head first' ? rule.told.headFirst : authorsOrder(rule, slots), this.#store);
    searches.set(name, search);
    return search;
  }

  #because(found: Reached | Missed): Because {
    const { rule, bound } = found;
    const values = rule.slots.map((_, slot) => (bound.has(slot) ? this.#store.dictionary.value(found.slots[slot] as number) : undefined));
    const because = { plan: this.#plan, rule, values };
    return 'tried' in found ? { ...because, tried: found.tried, ...(found.gaveUp ? { gaveUp: true } : {}) } : because;
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

  #slotsOf({ rule, values }: Because): Int32Array {
    return Int32Array.from(rule.slots, (_, slot) => {
      const value = values[slot];
      return value === undefined ? -1 : this.#store.dictionary.intern(value);
    });
  }

  #judged(step: Step, slots: Int32Array, teller: Teller): Premise {
    const told = teller.premise(step);
    switch (step.step) {
      case 'scan': {
        const row = this.#rowAt(step, slots, teller);
        return { ...told, ...(row === undefined ? {} : { row }), holds: row !== undefined };
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
        const value = teller.value(step.out) ?? result;
        const name = teller.slot(step.out, 'names');
        const other = { instead: `${name} is ${valueText(result)}, not ${valueText(value)}`, pass: `${name} = ${valueText(result)}` };
        return { ...told, ...(value === result ? {} : other), holds: value === result };
      }
      case 'test': {
        const result = this.#store.calculator.judged(step.test, step.isNegated)(slots);
        if (result instanceof Failed) return { is: 'failed', text: result.what, holds: false };
        return { ...told, ...(result ? {} : { instead: teller.test(step.test, !step.isNegated, 'values') }), holds: result };
      }
      case 'fails':
      case 'overflows':
        return { ...told, holds: true };
    }
  }

  /** The first row that an atom matches; in a cycle the oldest, which rests on none of the others. */
  #rowAt(step: Step & { readonly step: 'scan' }, slots: Int32Array, teller: Teller): Value[] | undefined {
    const relation = this.#store.relations[step.table] as Relation;
    const given = step.args.flatMap((arg, i) => (teller.has(arg) ? [i] : []));
    const args: Argument[] = given.map((i) => step.args[i] as Argument);
    const key = valuesOf(args, slots, this.#store);
    if (!this.#cycles.has(step.table)) {
      const [first] = this.#matching(relation, given, key);
      return first === undefined ? undefined : this.#decode(first);
    }
    let oldest = -1;
    for (const row of relation.select(given, key)) if (oldest < 0 || relation.age(row) < relation.age(oldest)) oldest = row;
    return oldest < 0 ? undefined : this.#decode(this.#valuesAt(relation, oldest));
  }

  *#matching(relation: Relation, columns: readonly number[], key: Int32Array): Generator<Int32Array> {
    const rows = function* (valuesAt: (row: number) => Int32Array) {
      for (const row of relation.select(columns, key)) yield valuesAt(row);
    };
    for (const values of inOrder(
      rows((row) => this.#valuesAt(relation, row)),
      this.#store.dictionary,
    ))
      if (values !== undefined) yield values;
  }

  #valuesAt(relation: Relation, row: number): Int32Array {
    return relation.rows.subarray(row * relation.arity, (row + 1) * relation.arity);
  }

  #decode(values: Int32Array): Value[] {
    return Array.from(values, (value) => this.#store.dictionary.value(value) as Value);
  }
}
