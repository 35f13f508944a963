/**
 * The book of tables: every relation gets a number, and so does every projection, aggregation and failure that the rules turn out to need.
 *
 * Reads  relations by name, and requests while rules are flattened.
 * Gives  stable numbers: the same request gives the same table, so that rules share what they have in common.
 * Never  two tables of one name.
 */
import type { AggregateName } from '../../dsl/ir.ts';
import type { Life, Lowered } from './lowered.ts';
import type { Flat } from './flatten.ts';
import type { Step } from './steps.ts';

export type TableId = number;

export interface Table {
  readonly id: TableId;
  readonly name: string;
  readonly columns: readonly string[];
  readonly life: Life;
  /** Sets of columns that hold at most one row for each value: a hint for the join order. */
  readonly keys: readonly (readonly number[])[];
  /** The table whose rows, cut to these columns, this one holds. */
  readonly projects?: TableId;
}

/** An aggregate over one table, grouped by columns, maintained per changed row. */
export interface Aggregation {
  readonly id: number;
  readonly source: TableId;
  readonly aggregate: AggregateName;
  readonly group: readonly number[];
  readonly of?: number;
  /** Sums of floats are exact and rounded once (ruling 25); of integers, exact. */
  readonly isFloat: boolean;
  readonly life: Life;
}

export interface Book {
  /** The table of a relation; undefined for a name that no declaration has. */
  named(relation: string): Table;
  table(id: TableId): Table;
  /** A table of this rule's own making. */
  derived(name: string, columns: readonly string[], life?: Life): TableId;
  /** The distinct values of some columns of a table. */
  projection(source: TableId, columns: readonly number[]): TableId;
  aggregation(source: TableId, aggregate: AggregateName, group: readonly number[], of: number | undefined): number;
  aggregationAt(id: number): Aggregation;
  all(): readonly Table[];
  byName(): ReadonlyMap<string, TableId>;
  aggregations(): readonly Aggregation[];
  /** Whether some instance of these steps exists: a table without columns, with the rule that fills it. */
  existence(steps: readonly Step[], slots: readonly string[]): TableId;
  /** The rules that fill projections and existences. */
  helpers(): readonly Flat[];
}

export function tables(lowered: Lowered): Book {
  const list: Table[] = [];
  const names = new Map<string, TableId>();
  const floats = new Map<TableId, ReadonlySet<number>>();
  const aggregations: Aggregation[] = [];
  const aggregationIds = new Map<string, number>();
  const helpers: Flat[] = [];

  const add = (name: string, columns: readonly string[], life: Life, more: Partial<Pick<Table, 'keys' | 'projects'>> = {}): TableId => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const id = list.length;
    list.push({ id, name, columns, life, keys: [], ...more });
    names.set(name, id);
    return id;
  };
  const table = (id: TableId): Table => {
    const found = list[id];
    if (found === undefined) throw new Error(`no table ${id}`);
    return found;
  };

  for (const relation of lowered.relations.values()) {
    const columns = relation.columns.map((column) => column.name);
    const id = columns.indexOf('id');
    const keys = [...(relation.key === undefined ? [] : [relation.key.map((name) => columns.indexOf(name))]), ...(id < 0 ? [] : [[id]])];
    const added = add(relation.name, columns, relation.life, { keys: relation.life === 'view' ? [] : keys });
    floats.set(added, new Set(relation.columns.flatMap((column, i) => (column.sort.base === 'number' ? [i] : []))));
  }

  return {
    named: (relation) => {
      const id = names.get(relation);
      if (id === undefined) throw new Error(`no relation ${relation}`);
      return table(id);
    },
    table,
    derived: (name, columns, life = 'view') => add(name, columns, life),
    projection: (source, columns) => {
      const from = table(source);
      const name = `project(${from.name};${columns.join(',')})`;
      const known = names.get(name);
      if (known !== undefined) return known;
      const head = add(
        name,
        columns.map((column) => from.columns[column] ?? ''),
        from.life === 'query' ? 'query' : 'view',
        { projects: source },
      );
      const args = from.columns.map((_, column) => {
        const slot = columns.indexOf(column);
        return slot < 0 ? { wildcard: true as const } : { slot };
      });
      const slots = columns.map((column) => from.columns[column] ?? '');
      helpers.push({
        id: name,
        head,
        headColumns: slots.map((_, slot) => ({ slot })),
        slots,
        steps: [{ step: 'scan', table: source, args }],
      });
      return head;
    },
    aggregation: (source, aggregate, group, of) => {
      const key = `${aggregate}(${source};${group.join(',')};${of ?? ''})`;
      const known = aggregationIds.get(key);
      if (known !== undefined) return known;
      const isFloat = of !== undefined && floats.get(source)?.has(of) === true;
      const added: Aggregation = {
        id: aggregations.length,
        source,
        aggregate,
        group,
        isFloat,
        life: table(source).life,
        ...(of === undefined ? {} : { of }),
      };
      aggregations.push(added);
      aggregationIds.set(key, added.id);
      return added.id;
    },
    all: () => list,
    byName: () => names,
    aggregations: () => aggregations,
    aggregationAt: (id) => {
      const found = aggregations[id];
      if (found === undefined) throw new Error(`no aggregation ${id}`);
      return found;
    },
    existence: (steps, slots) => {
      const name = `some(${JSON.stringify(steps)})`;
      const known = names.get(name);
      if (known !== undefined) return known;
      const isAsked = steps.some((step) => step.step === 'scan' && table(step.table).life === 'query');
      const head = add(name, [], isAsked ? 'query' : 'view');
      helpers.push({ id: name, head, headColumns: [], slots, steps });
      return head;
    },
    helpers: () => helpers,
  };
}
