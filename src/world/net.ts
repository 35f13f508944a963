/**
 * The net change of a transition: a row that came while rows were tried out, and went again, is in none.
 *
 * Reads  every change, in order.
 * Gives  each row that came or went, once.
 * Never  shows a relation that no author has a name for, where it is for callers.
 */
import type { Value } from '../../dsl/ir.ts';
import { namespaceOf } from '../../dsl/law.ts';
import type { Row } from '../../dsl/record.ts';
import type { Change } from '../engine/engine.ts';
import type { Plan } from '../load/load.ts';

/** A row that came (1) or went (-1). */
export interface RowChange {
  readonly relation: string;
  readonly row: Row;
  readonly sign: 1 | -1;
}

export function netOf(changes: readonly Change[]): ReadonlyMap<string, Change> {
  const net = new Map<string, { readonly change: Change; count: number }>();
  for (const change of changes) {
    const key = keyOf(change.table, change.row);
    const known = net.get(key) ?? { change, count: 0 };
    known.count += change.sign;
    net.set(key, known);
  }
  return new Map([...net].flatMap(([key, { change, count }]) => (count === 0 ? [] : [[key, { ...change, sign: count > 0 ? 1 : -1 }]])));
}

/** Whether authors have a name for a relation: what the loader writes for itself is in no answer. */
export function isPublic(relation: string): boolean {
  return namespaceOf(relation) !== undefined && !/^(candidate|proposal)View\.\w+\./.test(relation);
}

/** Rows of what could not be computed hold values beyond those of columns, which JSON has no words for. */
export function keyOf(table: number, row: readonly (Value | bigint)[]): string {
  const plain = row.map((value) =>
    typeof value === 'bigint' || value === Infinity || value === -Infinity ? { wide: String(value) } : value,
  );
  return JSON.stringify([table, plain]);
}

export function differenceOf({ tables, relations }: Plan, changes: readonly Change[]): RowChange[] {
  return [...netOf(changes).values()].flatMap(({ table, row, sign }) => {
    const { name, columns } = tables[table] ?? { name: '', columns: [] };
    if (!relations.has(name) || !isPublic(name)) return [];
    return [{ relation: name, row: Object.fromEntries(columns.map((column, i) => [column, row[i] as Value])), sign }];
  });
}
