/**
 * Valid rows of declared relations, and replies made of them.
 *
 * Reads  the relations of an ontology or a program, with the ranges of their columns.
 * Gives  arbitraries of rows and of whole captures that a world takes.
 * Never  fills a stamp: who reports a row, and when, is the runtime's to say.
 */
import fc from 'fast-check';
import { called, refuse, relationName } from '../../../dsl/carry.ts';
import { irOf, type OntologyIR, type ProgramIR, type RelationIR, type Value } from '../../../dsl/ir.ts';
import { CountersignError, issue } from '../../../dsl/issue.ts';
import type { AnyOntology } from '../../../dsl/ontology-types.ts';
import type { Program } from '../../../dsl/program.ts';
import type { Reportable } from '../../../dsl/report.ts';
import type { Report, ReportRow } from '../../../dsl/record.ts';
import { sortName, sortOf } from '../../../dsl/value.ts';
import { taken } from '../arguments.ts';
import { arbitraries, arbitrariesOf, rowsMaxOption } from './options.ts';
import { CONSTANTS, NO_POOL, valuesOf, type Pool } from './values.ts';

/** Arbitraries of an author's own, by relation and column: `{ 'observation.order': { order: fc.constantFrom('o1', 'o2') } }`. */
export type ColumnArbitraries = Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<Value>>>>>;

export interface RowOptions<Columns> {
  /** Arbitraries of an author's own, by column: for a schema that random values do not pass, or values that are wanted. */
  readonly columns?: { readonly [K in keyof Columns]?: fc.Arbitrary<Columns[K]> };
}

/**
 * Valid rows of one relation, for a report.
 *
 * Errors  when next to no random value passes a column's schema, and `columns` has no arbitrary for it.
 */
export function rowsOf<Columns>(relation: Reportable<Columns>, options: RowOptions<Columns> = {}): fc.Arbitrary<ReportRow> {
  relationName(relation, 'rowsOf');
  // What has the name of a relation is one.
  const ir = irOf(relation) as RelationIR;
  const { columns = {} } = taken<RowOptions<Columns>>(options, 'rowsOf', { columns: arbitrariesOf(ir) });
  // The arbitraries are of the columns' own values, whatever their brands.
  return rowsIn(ir, NO_POOL, columns);
}

export interface ReplyOptions {
  readonly columns?: ColumnArbitraries;
  /** Rows of one reply. 5 by default. */
  readonly rowsMax?: number;
}

/** Whole replies of valid candidates and proposals, of an ontology or a program. */
export function repliesOf(of: AnyOntology | Program, options: ReplyOptions = {}): fc.Arbitrary<Report & { readonly capture: string }> {
  const checks = { columns: arbitraries(relationsIn(of)), rowsMax: rowsMaxOption };
  const { columns = {}, rowsMax = 5 } = taken<ReplyOptions>(options, 'repliesOf', checks);
  const evidence = evidenceOf(of);
  if (evidence.length === 0) refuse('repliesOf was given nothing that declares a candidate, a proposal or an action');
  const pool = poolOf(of);
  const row = fc.oneof(...evidence.map((ir) => rowsIn(ir, pool, columns[ir.name])));
  return fc.record({ capture: captures, rows: fc.array(row, { minLength: 1, maxLength: rowsMax }) }, { noNullPrototype: true });
}

/** Few names, so that the same capture sometimes comes again. */
export const captures = fc.nat({ max: 99 }).map((n) => `reply-${n}`);

export function rowsIn(ir: RelationIR, pool: Pool, own: Readonly<Record<string, fc.Arbitrary<Value>>> = {}): fc.Arbitrary<ReportRow> {
  // Who answers is stamped.
  const given = Object.entries(ir.columns).filter(([name]) => !(name === 'by' && ir.name.startsWith('confirmed.')));
  const columns = Object.fromEntries(given.map(([name, schema]) => [name, own[name] ?? valuesOf(schema, `${ir.name}.${name}`, pool)]));
  return fc.record(columns, { noNullPrototype: true }).map((row) => ({ relation: ir.name, columns: row }));
}

/** Relations of an ontology, or of all those of a program. */
export function relationsIn(of: AnyOntology | Program): readonly RelationIR[] {
  return ontologiesIn(of).flatMap(({ relations }) => Object.values(relations));
}

export function evidenceOf(of: AnyOntology | Program): readonly RelationIR[] {
  return relationsIn(of).filter(({ name }) => name.startsWith('candidate.') || name.startsWith('proposal.'));
}

export function ontologiesIn(of: AnyOntology | Program): readonly OntologyIR[] {
  const ir = irOf(of) as OntologyIR | ProgramIR | undefined;
  if (ir?.kind === 'program') return ir.ontologies;
  if (ir?.kind === 'ontology') return [ir];
  throw new CountersignError([issue('dsl/not-ours', `neither a program nor an ontology was given: ${called(of)}`)]);
}

/** What rules compare with, and what the given rows hold, by sort: values near a boundary are met often. */
export function poolOf(of: AnyOntology | Program, given: readonly ReportRow[] = []): Pool {
  const pool = new Map<string, Value[]>();
  const add = (sort: string, value: Value) => void pool.set(sort, [...(pool.get(sort) ?? []), value]);
  const relations = new Map(relationsIn(of).map((ir) => [ir.name, ir]));
  for (const { relation, columns } of given) {
    for (const [name, value] of Object.entries(columns)) {
      const sort = sortOf(relations.get(relation)?.columns[name]);
      if (sort !== undefined) add(sortName(sort), value);
    }
  }
  const ir = irOf(of) as OntologyIR | ProgramIR;
  if (ir.kind === 'program')
    for (const value of constantsIn([ir.rules, ir.invariants])) add(typeof value === 'number' ? CONSTANTS : 'string', value);
  return pool;
}

function constantsIn(node: unknown): Value[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('const' in node) return [node.const as Value];
  return Object.values(node).flatMap(constantsIn);
}
