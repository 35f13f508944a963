/**
 * The relations as they were before some changes: what went is there again, what came is not.
 *
 * Reads  the changes, and the relations as they are.
 * Gives  the rows that went, whether a row has come, and what an aggregate was.
 * Never  moves the engine back: questions about the past are asked beside it.
 */
import type { TableId } from '../load/load.ts';
import { Aggregate } from './aggregate.ts';
import type { Change } from './change.ts';
import type { Store } from './join.ts';
import { NOW, Relation } from './relation.ts';

export class Past {
  readonly #store: Store;
  readonly #gone = new Map<TableId, Relation>();
  readonly #come = new Map<TableId, Set<number>>();
  readonly #values = new Map<string, number>();

  /** Of net changes: a row comes or goes once. */
  constructor(changes: Iterable<Change>, store: Store) {
    this.#store = store;
    for (const { table, row, sign } of changes) {
      const values = Int32Array.from(row, (value) => store.dictionary.intern(value));
      const relation = store.relations[table] as Relation;
      if (sign > 0) this.#come.set(table, (this.#come.get(table) ?? new Set()).add(relation.find(values)));
      else {
        const gone = this.#gone.get(table) ?? new Relation(relation.name, relation.arity);
        gone.add(values, 1);
        this.#gone.set(table, gone);
      }
    }
  }

  /** The rows of a table that went. */
  gone(table: TableId): Relation | undefined {
    return this.#gone.get(table);
  }

  hasCome(table: TableId, row: number): boolean {
    return this.#come.get(table)?.has(row) === true;
  }

  /** What an aggregate gave for a group. Cost  the rows of the group, once. */
  value(aggregate: Aggregate, key: Int32Array): number {
    const { source } = aggregate.plan;
    if (!this.#gone.has(source) && !this.#come.has(source)) return aggregate.value(key, NOW);
    const name = `${aggregate.plan.id} ${key.join(' ')}`;
    const known = this.#values.get(name) ?? this.#valueThen(aggregate, key);
    this.#values.set(name, known);
    return known;
  }

  #valueThen({ plan }: Aggregate, key: Int32Array): number {
    const now = this.#store.relations[plan.source] as Relation;
    const gone = this.#gone.get(plan.source);
    const then = new Relation(now.name, now.arity);
    const aggregate = new Aggregate(plan, this.#store.dictionary);
    const add = (from: Relation, row: number) =>
      aggregate.change(then, then.add(from.rows.subarray(row * from.arity, (row + 1) * from.arity), 1), 1);
    for (const row of now.select(plan.group, key)) if (!this.hasCome(plan.source, row)) add(now, row);
    for (const row of gone?.select(plan.group, key) ?? []) add(gone as Relation, row);
    aggregate.settle();
    return aggregate.value(key, NOW);
  }
}
