/**
 * The options of the arbitraries and of containment, and what they speak of: relations and columns of a program.
 *
 * Reads  the relations that are declared.
 * Gives  a check for each option that more than one function takes.
 * Never  looks at the values of a given row: those that a column does not take are told by the world, or come up in no row.
 */
import type { RelationIR } from '../../../dsl/ir.ts';
import { called } from '../../../dsl/carry.ts';
import { didYouMean } from '../../../dsl/name.ts';
import { entries, having, list, reportRow, whole, type Check } from '../arguments.ts';

/** More rows than a world takes in one reply tell nothing new. */
export const rowsMaxOption = whole(1, 10_000);

/** Rows of relations that are declared. */
export function givenRows(relations: readonly RelationIR[]): Check {
  return list((row) => reportRow(row) ?? unknown('relation', (row as { readonly relation: string }).relation, namesOf(relations)));
}

/** Arbitraries by relation and column. */
export function arbitraries(relations: readonly RelationIR[]): Check {
  return entries((name, columns) => {
    const ir = relations.find((one) => one.name === name);
    return ir === undefined ? unknown('relation', name, namesOf(relations)) : arbitrariesOf(ir)(columns);
  }, 'record of relations');
}

/** Arbitraries by column. */
export function arbitrariesOf({ columns }: RelationIR): Check {
  const isArbitrary = having('arbitrary of fast-check', 'generate', 'filter', 'map');
  return entries((name, given) => unknown('column', name, Object.keys(columns)) ?? isArbitrary(given), 'record of columns');
}

export function relationNames(relations: readonly RelationIR[]): Check {
  return list((name) => unknown('relation', name, namesOf(relations)));
}

function namesOf(relations: readonly RelationIR[]): readonly string[] {
  return relations.map(({ name }) => name);
}

function unknown(kind: string, name: unknown, known: readonly string[]): string | undefined {
  if (typeof name !== 'string') return `${called(name)} is no name of a ${kind}`;
  return known.includes(name) ? undefined : `no ${kind} ${JSON.stringify(name)}${didYouMean(name, known)}`;
}
