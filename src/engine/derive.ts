/**
 * Derives one component after its inputs have changed: by counting where nothing is recursive, by deleting and rederiving where it is.
 *
 * Reads  the changes of its inputs: rows that came or went, groups whose value changed.
 * Gives  the exact change of its own tables.
 * Never  goes over what did not change, except where a recursive component lost so much that starting again is cheaper.
 */
import type { Component, RulePlan, Step, TableId } from '../load/load.ts';
import type { Aggregate } from './aggregate.ts';
import { NOTHING } from './aggregate.ts';
import { join, type Join, type Start, type Store } from './join.ts';
import { BEFORE, NOW, type Relation } from './relation.ts';

/** When overdeletion has reached this share of a recursive component, it is derived anew. */
const overdeletedShareMax = 0.3;
const overdeletedRowsMin = 1_000;

export interface Limits {
  /** Counts a derived row (1), or one that has a derivation less (-1), or throws when the bound is reached. */
  readonly count: (rule: RulePlan, sign: number) => void;
}

const MODES = ['count', 'delete', 'insert'] as const;
type Mode = (typeof MODES)[number];
type Receive = (head: Int32Array) => void;

export class Derivation {
  readonly component: Component;
  readonly #store: Store;
  readonly #limits: Limits;
  readonly #own: ReadonlySet<TableId>;
  readonly #joins: (Join | undefined)[][];
  readonly #heads: Int32Array[];
  /** Where the rules of this component read a table. */
  readonly #readers: ReadonlyMap<TableId, readonly Reader[]>;
  #receive: Receive = () => undefined;
  #isFresh = true;

  constructor(component: Component, store: Store, limits: Limits) {
    this.component = component;
    this.#store = store;
    this.#limits = limits;
    this.#own = new Set(component.tables);
    this.#readers = new Map(component.tables.map((table) => [table, readersOf(component, table)]));
    this.#joins = component.rules.map(() => []);
    this.#heads = component.rules.map((rule) => new Int32Array(rule.headColumns.length));
  }

  /** Brings the component's tables up to date. */
  run(): void {
    const wasFresh = this.#isFresh;
    this.#isFresh = false;
    if (this.component.isRecursive) this.#cyclic(wasFresh);
    else this.#counting(wasFresh);
  }

  /** Fills tables that are empty, whatever has changed: for a query, asked on demand. */
  fill(): void {
    const fresh: Fresh[] = [];
    this.#everything(fresh);
    this.#closure(fresh);
  }

  /** The next run finds its tables empty. */
  clear(): void {
    this.#isFresh = true;
  }

  #counting(isFirst: boolean): void {
    this.component.rules.forEach((rule, i) => {
      if (rule.armedBy !== undefined && !this.#store.armed.has(rule.armedBy)) return;
      const head = this.#relation(rule.head);
      const take =
        (sign: number): Receive =>
        (values) => {
          this.#limits.count(rule, sign);
          head.add(values, sign);
        };
      // Rules without a positive atom hold before anything has come in; later their changes are changes like any other.
      if (isFirst && !rule.steps.some((step) => step.step === 'scan')) {
        this.#receive = take(1);
        this.#join(i, 'whole', 'insert').whole();
        return;
      }
      rule.steps.forEach((step, at) => this.#changes(step, at, i, 'count', (sign) => (this.#receive = take(sign))));
    });
  }

  /** Runs the join that starts at a step once for each change of its input. */
  #changes(step: Step, at: number, rule: number, mode: Mode, before: (sign: number) => void, only?: 1 | -1): void {
    if (step.step === 'scan' || step.step === 'absent') {
      const relation = this.#relation(step.table);
      const direction = step.step === 'absent' ? -1 : 1;
      const { touched } = relation;
      for (let i = 0; i < touched.length; i++) {
        const row = touched[i] as number;
        const flags = (relation.flags[row] as number) & (NOW | BEFORE);
        if (flags !== NOW && flags !== BEFORE) continue;
        const sign = flags === NOW ? direction : -direction;
        if (only !== undefined && sign !== only) continue;
        before(sign);
        this.#join(rule, at, mode).fromRow(row);
      }
    } else if (step.step === 'group') {
      (this.#store.aggregates[step.aggregation] as Aggregate).forEachChange((group, was, is) => {
        for (const [sign, value] of [[-1, was] as const, [1, is] as const]) {
          if (value === NOTHING || (only !== undefined && sign !== only)) continue;
          before(sign);
          this.#join(rule, at, mode).fromGroup(group, value);
        }
      });
    }
  }

  #cyclic(isFirst: boolean): void {
    const fresh: Fresh[] = [];
    const lost = isFirst ? [] : this.#overdelete();
    if (lost === 'too many') {
      for (const table of this.component.tables) this.#empty(table);
      this.#everything(fresh);
    } else {
      for (const { table, row } of lost) this.#relation(table).set(row, 0);
      this.#rederive(lost, fresh);
      if (isFirst) this.#everything(fresh);
      else this.#external(fresh);
    }
    this.#closure(fresh);
  }

  /** Rows that had a derivation through something that went. They are marked, not yet removed: joins run on what was before. */
  #overdelete(): Lost[] | 'too many' {
    const lost: Lost[] = [];
    const marked = new Map<TableId, Set<number>>(this.component.tables.map((table) => [table, new Set()]));
    const size = this.component.tables.reduce((sum, table) => sum + this.#relation(table).count, 0);
    const max = Math.max(overdeletedRowsMin, size * overdeletedShareMax);
    const mark =
      (table: TableId): Receive =>
      (values) => {
        const row = this.#relation(table).find(values);
        const known = marked.get(table) as Set<number>;
        if (row < 0 || !this.#relation(table).isNow(row) || known.has(row)) return;
        known.add(row);
        lost.push({ table, row });
      };
    this.component.rules.forEach((rule, i) => {
      rule.steps.forEach((step, at) => {
        if (!this.#isOwn(step)) this.#changes(step, at, i, 'delete', () => (this.#receive = mark(rule.head)), -1);
      });
    });
    for (let next = 0; next < lost.length; next++) {
      if (lost.length > max) return 'too many';
      const { table, row } = lost[next] as Lost;
      for (const { rule, at } of this.#readers.get(table) ?? []) {
        this.#receive = mark((this.component.rules[rule] as RulePlan).head);
        this.#join(rule, at, 'delete').fromRow(row);
      }
    }
    return lost;
  }

  /** What was lost and still has a derivation comes back. */
  #rederive(lost: readonly Lost[], fresh: Fresh[]): void {
    for (const { table, row } of lost) {
      const relation = this.#relation(table);
      const values = relation.rows.slice(row * relation.arity, (row + 1) * relation.arity);
      let isDerived = false;
      this.#receive = () => (isDerived = true);
      this.component.rules.forEach((rule, i) => {
        if (!isDerived && rule.head === table) this.#join(i, 'head', 'insert').fromHead(values);
      });
      if (isDerived) {
        relation.set(row, ++this.#store.clock.age);
        fresh.push({ table, row });
      }
    }
  }

  /** Every instance whose new input is from outside. */
  #external(fresh: Fresh[]): void {
    this.component.rules.forEach((rule, i) => {
      const inserts = this.#buffer(rule, fresh);
      rule.steps.forEach((step, at) => {
        if (!this.#isOwn(step)) this.#changes(step, at, i, 'insert', () => (this.#receive = inserts.receive), 1);
      });
      inserts.flush();
    });
  }

  /** Every instance there is, from tables that are empty. */
  #everything(fresh: Fresh[]): void {
    this.component.rules.forEach((rule, i) => {
      const inserts = this.#buffer(rule, fresh);
      this.#receive = inserts.receive;
      this.#join(i, 'whole', 'insert').whole();
      inserts.flush();
    });
  }

  /** Semi-naive: each new row is joined once with all that is there, until none is new. */
  #closure(fresh: Fresh[]): void {
    const inserts = this.component.rules.map((rule) => this.#buffer(rule, fresh));
    for (let next = 0; next < fresh.length; next++) {
      const { table, row } = fresh[next] as Fresh;
      if (!this.#relation(table).isNow(row)) continue;
      for (const { rule, at } of this.#readers.get(table) ?? []) {
        const { receive, flush } = inserts[rule] as Inserts;
        this.#receive = receive;
        this.#join(rule, at, 'insert').fromRow(row);
        flush();
      }
    }
  }

  /** Rows that a join finds wait until it has ended, since it walks the very relation they go into. */
  #buffer(rule: RulePlan, fresh: Fresh[]): Inserts {
    const relation = this.#relation(rule.head);
    const waiting: Int32Array[] = [];
    return {
      receive: (values) => {
        const row = relation.find(values);
        if (row >= 0 && relation.isNow(row)) return;
        waiting.push(values.slice());
      },
      flush: () => {
        for (const values of waiting) {
          const row = relation.place(values);
          if (relation.isNow(row)) continue;
          this.#limits.count(rule, 1);
          relation.set(row, ++this.#store.clock.age);
          fresh.push({ table: rule.head, row });
        }
        waiting.length = 0;
      },
    };
  }

  #empty(table: TableId): void {
    const relation = this.#relation(table);
    for (let row = 0; row < relation.end; row++) if (relation.isNow(row)) relation.set(row, 0);
  }

  #isOwn(step: Step): boolean {
    return step.step === 'scan' && this.#own.has(step.table);
  }

  #relation(table: TableId): Relation {
    return this.#store.relations[table] as Relation;
  }

  /** A compiled join, made when it is first needed. */
  #join(rule: number, start: Start, mode: Mode): Join {
    const place = (typeof start === 'number' ? start + 2 : start === 'head' ? 1 : 0) * 3 + MODES.indexOf(mode);
    const joins = this.#joins[rule] as (Join | undefined)[];
    const known = joins[place];
    if (known !== undefined) return known;
    const plan = this.component.rules[rule] as RulePlan;
    const made = join(plan, start, versionOf(mode, start), this.#store, this.#emitter(plan, this.#heads[rule] as Int32Array));
    joins[place] = made;
    return made;
  }

  /** Writes the head of an instance, unless it holds what no column can: that instance has a failure rule of its own. */
  #emitter(plan: RulePlan, head: Int32Array): (slots: Int32Array) => void {
    const { dictionary } = this.#store;
    const from = plan.headColumns.map((column) => ('slot' in column ? column.slot : -1));
    plan.headColumns.forEach((column, i) => {
      if ('constant' in column) head[i] = dictionary.intern(column.constant);
    });
    return (slots) => {
      for (const slot of plan.mayOverflow) {
        if (!dictionary.isWide(slots[slot] as number)) continue;
        if (plan.arms !== undefined) this.#store.armed.add(plan.arms);
        return;
      }
      for (let i = 0; i < from.length; i++) if ((from[i] as number) >= 0) head[i] = slots[from[i] as number] as number;
      this.#receive(head);
    };
  }
}

/** A positive atom of a rule. */
interface Reader {
  readonly rule: number;
  readonly at: number;
}
interface Inserts {
  readonly receive: Receive;
  readonly flush: () => void;
}
interface Lost {
  readonly table: TableId;
  readonly row: number;
}
type Fresh = Lost;

function readersOf({ rules }: Component, table: TableId): Reader[] {
  return rules.flatMap(({ steps }, rule) =>
    steps.flatMap((step, at) => (step.step === 'scan' && step.table === table ? [{ rule, at }] : [])),
  );
}

/** Counting joins a change with the new state of the steps before it and the old state of those after: every instance is seen once. */
function versionOf(mode: Mode, start: Start): (position: number) => number {
  if (mode === 'delete') return () => BEFORE;
  if (mode === 'insert' || typeof start !== 'number') return () => NOW;
  return (position) => (position < start ? NOW : BEFORE);
}
