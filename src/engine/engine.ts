/**
 * The engine: a plan and its base rows give every view, kept right change by change.
 *
 * Reads  a plan, and base rows that come and go.
 * Gives  the rows of every relation, and after each settlement exactly which rows of which relations came and went.
 * Never  decides, keeps no record, knows no time: the same base rows give the same model, in whatever order they came.
 */
import { CountersignError, issue } from '../../dsl/issue.ts';
import type { Value } from '../../dsl/ir.ts';
import type { Component, Plan, RulePlan, TableId } from '../load/load.ts';
import { Aggregate } from './aggregate.ts';
import type { Change } from './change.ts';
import { Calculator } from './compute.ts';
import { Derivation } from './derive.ts';
import { Dictionary } from './dictionary.ts';
import { Explainer, type LeafOf, type Support } from './explain.ts';
import type { Store } from './join.ts';
import { Prover } from './proof.ts';
import { BEFORE, NOW, Relation } from './relation.ts';

export type { Change } from './change.ts';
export type { LeafOf, Support } from './explain.ts';
export type { Past } from './past.ts';
export type { Prover } from './proof.ts';
export { lineText, plain, textLengthMax, valueLengthMax, valueText, type Because, type Premise } from './tell.ts';
export { orderedMax, visitsMax } from './search.ts';

export interface EngineLimits {
  /** Rows that one settlement may derive. */
  readonly derivedRowsMax: number;
  /** Is told the id of a rule when it holds for more rows than before. */
  readonly fired?: (rule: string) => void;
}
export const engineLimits: EngineLimits = { derivedRowsMax: 5_000_000 };

export class Engine {
  readonly plan: Plan;
  /** Why rows are there, and why others are not. */
  readonly prover: Prover;
  readonly #store: Store & { readonly relations: Relation[]; readonly aggregates: Aggregate[] };
  readonly #derivations: readonly Derivation[];
  readonly #queries: ReadonlyMap<string, readonly Derivation[]>;
  readonly #derived: ReadonlySet<TableId>;
  readonly #aggregatesOf = new Map<TableId, Aggregate[]>();
  readonly #limits: EngineLimits;
  readonly #explainer: Explainer;
  readonly #buffers: readonly Int32Array[];
  /** Of each rule, how many derivations more it has: where somebody is told which have fired. */
  readonly #gained: Map<string, number> | undefined;
  #derivedRows = 0;
  #isCounting = true;
  #overrun: TableId | undefined;
  #isFresh = true;

  constructor(plan: Plan, limits: EngineLimits = engineLimits) {
    this.plan = plan;
    this.#limits = limits;
    this.#gained = limits.fired === undefined ? undefined : new Map();
    const dictionary = new Dictionary();
    this.#store = {
      dictionary,
      calculator: new Calculator(dictionary),
      relations: plan.tables.map((table) => new Relation(table.name, table.columns.length)),
      aggregates: plan.aggregations.map((aggregation) => new Aggregate(aggregation, dictionary)),
      armed: new Set(),
      clock: { age: 0 },
    };
    this.#explainer = new Explainer(plan, this.#store);
    this.prover = new Prover(plan, this.#store);
    const derivation = (component: Component) => new Derivation(component, this.#store, { count: (rule, sign) => this.#count(rule, sign) });
    this.#derivations = plan.components.map(derivation);
    this.#queries = new Map([...plan.queryComponents].map(([name, components]) => [name, components.map(derivation)]));
    this.#derived = new Set(plan.components.flatMap((component) => component.tables));
    this.#buffers = plan.tables.map((table) => new Int32Array(table.columns.length));
    for (const aggregate of this.#store.aggregates) {
      this.#aggregatesOf.set(aggregate.plan.source, [...(this.#aggregatesOf.get(aggregate.plan.source) ?? []), aggregate]);
    }
  }

  /** One more (1) or one fewer (-1) reason for a base row. Takes effect at the next `settle`. */
  change(table: TableId, row: readonly Value[], sign: 1 | -1): void {
    const buffer = this.#buffers[table] as Int32Array;
    row.forEach((value, i) => (buffer[i] = this.#store.dictionary.intern(value)));
    (this.#store.relations[table] as Relation).add(buffer, sign);
  }

  /**
   * Brings every view up to date and gives what came and went, base rows included.
   *
   * Cost    what changes, times what joins with it.
   * Errors  `engine/too-many-rows` when a rule derives without end: the engine must then be rebuilt.
   */
  settle(): Change[] {
    this.#derive();
    const changes: Change[] = [];
    this.#commit((table, relation, row, sign) => changes.push({ table, row: this.#decode(relation, row), sign }));
    return changes;
  }

  #derive(): void {
    this.#derivedRows = 0;
    this.#gained?.clear();
    this.#store.relations.forEach((relation, table) => {
      if (!this.#derived.has(table) && relation.touched.length > 0) this.#aggregate(table);
    });
    for (const derivation of this.#derivations) {
      if (!this.#isFresh && !this.#isTouched(derivation)) continue;
      derivation.run();
      derivation.component.tables.forEach((table) => this.#aggregate(table));
    }
    this.#isFresh = false;
    this.#tellFired();
  }

  #tellFired(): void {
    for (const [rule, gained] of this.#gained ?? []) if (gained > 0) this.#limits.fired?.(rule);
    this.#gained?.clear();
  }

  /**
   * After `engine/too-many-rows`: the leaves that the first rows of the rule that ran away rest on.
   *
   * Shape   to be asked before the engine is rebuilt, while those rows are still there.
   */
  overrun(leafOf: LeafOf): Set<string> {
    const table = this.#overrun;
    const relation = table === undefined ? undefined : (this.#store.relations[table] as Relation);
    if (table === undefined || relation === undefined) return new Set();
    const first = relation.touched.find((row) => ((relation.flags[row] as number) & (NOW | BEFORE)) === NOW);
    return first === undefined ? new Set() : this.#explainer.lineage(table, this.#decode(relation, first), leafOf);
  }

  /** Forgets what was derived and derives it anew from the base rows as they are: after an error, or to load in bulk. */
  rebuild(): void {
    for (const table of this.#derived) (this.#store.relations[table] as Relation).clear();
    for (const aggregate of this.#store.aggregates) aggregate.clear();
    for (const derivation of this.#derivations) derivation.clear();
    this.#store.armed.clear();
    // Base rows that are there count as new, so that every join sees them.
    for (const relation of this.#store.relations) relation.renew();
    this.#isFresh = true;
    // What is derived anew was within the bound when it came, one transition after another.
    this.#isCounting = false;
    try {
      this.#derive();
    } finally {
      this.#isCounting = true;
    }
    this.#commit(() => undefined);
  }

  /** The rows of a table, decoded, in no particular order. */
  *rows(table: TableId): Generator<Value[]> {
    const relation = this.#store.relations[table] as Relation;
    for (let row = 0; row < relation.end; row++) if (relation.isNow(row)) yield this.#decode(relation, row);
  }

  count(table: TableId): number {
    return (this.#store.relations[table] as Relation).count;
  }

  has(table: TableId, row: readonly Value[]): boolean {
    const values = this.#encode(row);
    if (values === undefined) return false;
    const relation = this.#store.relations[table] as Relation;
    const found = relation.find(values);
    return found >= 0 && relation.isNow(found);
  }

  /** The rows whose given columns have these values, by an index. */
  *matching(table: TableId, columns: readonly number[], values: readonly Value[]): Generator<Value[]> {
    const relation = this.#store.relations[table] as Relation;
    const key = this.#encode(values);
    if (key === undefined) return;
    for (const row of relation.select(columns, key)) yield this.#decode(relation, row);
  }

  /** Every way in which the rules derive a row, as the rows each rests on. */
  supports(table: TableId, row: readonly Value[]): Support[] {
    return this.#explainer.supports(table, row);
  }

  /** The leaves that a row rests on, over all its derivations; `leafOf` says where to stop. */
  lineage(table: TableId, row: readonly Value[], leafOf: LeafOf): Set<string> {
    return this.#explainer.lineage(table, row, leafOf);
  }

  /** What the rows at some steps of a failed instance rest on. */
  blame(table: TableId, row: readonly Value[], leafOf: LeafOf): Set<string> {
    return this.#explainer.blame(table, row, leafOf);
  }

  /** The rows of a declared query, derived now and forgotten again. */
  ask(query: string): Value[][] {
    const derivations = this.#queries.get(query) ?? [];
    this.#derivedRows = 0;
    try {
      for (const derivation of derivations) {
        derivation.fill();
        derivation.component.tables.forEach((table) => this.#aggregate(table));
      }
      this.#tellFired();
      for (const derivation of derivations) {
        for (const table of derivation.component.tables) {
          const failed = this.plan.failures.has(table) ? [...this.rows(table)][0] : undefined;
          if (failed !== undefined) throw new CountersignError([issue('engine/query-failed', `query ${query}: ${String(failed[0])}`)]);
        }
      }
      const table = this.plan.tableOf.get(`query.${query}`);
      return table === undefined ? [] : [...this.rows(table)];
    } finally {
      for (const derivation of derivations) {
        for (const table of derivation.component.tables) {
          (this.#store.relations[table] as Relation).clear();
          for (const aggregate of this.#aggregatesOf.get(table) ?? []) aggregate.clear();
        }
      }
    }
  }

  #isTouched(derivation: Derivation): boolean {
    return derivation.component.rules.some((rule) =>
      rule.steps.some((step) => {
        if (step.step === 'scan' || step.step === 'absent') return (this.#store.relations[step.table] as Relation).touched.length > 0;
        return step.step === 'group' && (this.#store.aggregates[step.aggregation] as Aggregate).groups.touched.length > 0;
      }),
    );
  }

  /** Tells the aggregates over a table which of its rows came and went. */
  #aggregate(table: TableId): void {
    const aggregates = this.#aggregatesOf.get(table);
    if (aggregates === undefined) return;
    const relation = this.#store.relations[table] as Relation;
    for (const row of relation.touched) {
      const flags = (relation.flags[row] as number) & (NOW | BEFORE);
      if (flags === NOW) for (const aggregate of aggregates) aggregate.change(relation, row, 1);
      else if (flags === BEFORE) for (const aggregate of aggregates) aggregate.change(relation, row, -1);
    }
    for (const aggregate of aggregates) aggregate.settle();
  }

  #commit(visit: (table: TableId, relation: Relation, row: number, sign: 1 | -1) => void): void {
    this.#store.relations.forEach((relation, table) => {
      for (const row of relation.touched) {
        const flags = (relation.flags[row] as number) & (NOW | BEFORE);
        if (flags === NOW) visit(table, relation, row, 1);
        else if (flags === BEFORE) visit(table, relation, row, -1);
      }
      relation.commit();
    });
    for (const aggregate of this.#store.aggregates) aggregate.commit();
  }

  #encode(row: readonly Value[]): Int32Array | undefined {
    const values = new Int32Array(row.length);
    for (let i = 0; i < row.length; i++) {
      const id = this.#store.dictionary.find(row[i] as Value);
      if (id < 0) return undefined;
      values[i] = id;
    }
    return values;
  }

  #decode(relation: Relation, row: number): Value[] {
    const offset = row * relation.arity;
    return Array.from({ length: relation.arity }, (_, i) => this.#store.dictionary.value(relation.rows[offset + i] as number) as Value);
  }

  #count({ id: rule, head }: RulePlan, sign: number): void {
    // On the way to what is right a negated premise may seem to hold: what a rule has gained is known at the end.
    this.#gained?.set(rule, (this.#gained.get(rule) ?? 0) + sign);
    if (!this.#isCounting || ++this.#derivedRows <= this.#limits.derivedRowsMax) return;
    this.#overrun = head;
    throw new CountersignError([
      issue(
        'engine/too-many-rows',
        `rule ${rule} derives more than derivedRowsMax = ${this.#limits.derivedRowsMax} rows in one transition`,
      ),
    ]);
  }
}
