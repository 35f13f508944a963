/**
 * Explains a row from what is there now: which rules derive it, from which rows, and which leaves it rests on.
 *
 * Reads  the relations as they are; the joins of the plan, started at a given head.
 * Gives  supports one step deep, the lineage down to the leaves, and whom to blame for what could not be computed.
 * Never  keeps provenance while deriving: a question costs what its answer rests on, and no question costs nothing.
 */
import type { Value } from '../../dsl/ir.ts';
import type { Argument, Plan, RulePlan, Step, TableId } from '../load/load.ts';
import type { Aggregate } from './aggregate.ts';
import { join, type Join, type Store } from './join.ts';
import { NOW, type Relation } from './relation.ts';

/** One derivation of a row: the rule, and the rows that its positive atoms and aggregates matched. */
export interface Support {
  readonly rule: string;
  readonly rows: readonly { readonly table: TableId; readonly row: readonly Value[] }[];
}
/** The leaves that a row is or stands for; undefined where the rules that derive it must be followed. */
export type LeafOf = (table: TableId, row: readonly Value[]) => readonly string[] | undefined;

interface Place {
  readonly table: TableId;
  readonly row: number;
}

export class Explainer {
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #rules = new Map<TableId, RulePlan[]>();
  readonly #joins = new Map<RulePlan, { readonly join: Join; places: Place[][]; steps: readonly number[] | undefined }>();

  constructor(plan: Plan, store: Store) {
    this.#plan = plan;
    this.#store = store;
    for (const component of plan.components) {
      for (const rule of component.rules) this.#rules.set(rule.head, [...(this.#rules.get(rule.head) ?? []), rule]);
    }
  }

  supports(table: TableId, row: readonly Value[]): Support[] {
    const place = this.#find(table, row);
    if (place === undefined) return [];
    return (this.#rules.get(table) ?? []).flatMap((rule) =>
      this.#instances(rule, place).map((places) => ({
        rule: rule.id,
        rows: places.map((one) => ({ table: one.table, row: this.#decode(one) })),
      })),
    );
  }

  lineage(table: TableId, row: readonly Value[], leafOf: LeafOf): Set<string> {
    const place = this.#find(table, row);
    return place === undefined ? new Set() : this.#leaves([place], leafOf);
  }

  /** Of a row of a failure table: what the failing arguments rest on; where that is no evidence, what the whole instance rests on. */
  blame(table: TableId, row: readonly Value[], leafOf: LeafOf): Set<string> {
    const place = this.#find(table, row);
    const rule = this.#plan.failures.get(table);
    if (place === undefined || rule?.failure === undefined) return new Set();
    const own = this.#leaves(this.#instances(rule, place, rule.failure.blamed).flat(), leafOf);
    return own.size > 0 ? own : this.#leaves(this.#instances(rule, place).flat(), leafOf);
  }

  #leaves(from: readonly Place[], leafOf: LeafOf): Set<string> {
    const leaves = new Set<string>();
    const seen = new Set<string>();
    const open = [...from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const key = `${place.table} ${place.row}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const own = leafOf(place.table, this.#decode(place));
      if (own !== undefined) {
        for (const leaf of own) leaves.add(leaf);
        continue;
      }
      for (const rule of this.#rules.get(place.table) ?? []) for (const places of this.#instances(rule, place)) open.push(...places);
    }
    return leaves;
  }

  /** The rows behind each instance of a rule that gives this head. */
  #instances(rule: RulePlan, head: Place, steps?: readonly number[]): Place[][] {
    const known = this.#joins.get(rule) ?? this.#compile(rule);
    known.places = [];
    known.steps = steps;
    const relation = this.#store.relations[head.table] as Relation;
    known.join.fromHead(relation.rows.slice(head.row * relation.arity, (head.row + 1) * relation.arity));
    return known.places;
  }

  #compile(rule: RulePlan): { readonly join: Join; places: Place[][]; steps: readonly number[] | undefined } {
    const made: { join: Join; places: Place[][]; steps: readonly number[] | undefined } = {
      join: join(
        rule,
        'head',
        () => NOW,
        this.#store,
        (slots) => {
          const chosen = made.steps === undefined ? rule.steps : made.steps.map((i) => rule.steps[i] as Step);
          made.places.push(chosen.flatMap((step) => this.#matched(step, slots)));
        },
      ),
      places: [],
      steps: undefined,
    };
    this.#joins.set(rule, made);
    return made;
  }

  #matched(step: Step, slots: Int32Array): Place[] {
    if (step.step === 'scan') return this.#select(step.table, step.args, (i) => i, slots);
    if (step.step !== 'group') return [];
    const { plan } = this.#store.aggregates[step.aggregation] as Aggregate;
    return this.#select(plan.source, step.args, (i) => plan.group[i] as number, slots);
  }

  #select(table: TableId, args: readonly Argument[], columnOf: (i: number) => number, slots: Int32Array): Place[] {
    const given = args.flatMap((arg, i) => ('wildcard' in arg ? [] : [{ column: columnOf(i), arg }]));
    const key = given.map(({ arg }) =>
      'slot' in arg ? (slots[arg.slot] as number) : 'constant' in arg ? this.#store.dictionary.intern(arg.constant) : -1,
    );
    const relation = this.#store.relations[table] as Relation;
    const rows = relation.select(
      given.map(({ column }) => column),
      Int32Array.from(key),
    );
    return [...rows].map((row) => ({ table, row }));
  }

  #find(table: TableId, row: readonly Value[]): Place | undefined {
    const values = Int32Array.from(row, (value) => this.#store.dictionary.find(value));
    const found = (this.#store.relations[table] as Relation).find(values);
    return found < 0 ? undefined : { table, row: found };
  }

  #decode({ table, row }: Place): Value[] {
    const relation = this.#store.relations[table] as Relation;
    return Array.from(
      { length: relation.arity },
      (_, i) => this.#store.dictionary.value(relation.rows[row * relation.arity + i] as number) as Value,
    );
  }
}
