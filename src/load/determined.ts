/**
 * What is kept with a decision has one value for the row that is judged, and no model chose it.
 *
 * Reads  the judged row, and the literals of one branch.
 * Gives  the variables that follow from the row through keyed observations and computations.
 * Never  takes a value from a log or from evidence: there one row more is another value.
 */
import type { Atom, Columns, Literal, Term } from '../../dsl/ir.ts';
import type { Declarations } from './merge.ts';
import { aggregatesIn, variablesIn, variablesOfExpression } from './walk.ts';

/** Its own variables, and those of keyed observations whose whole key has one value; in whatever order they stand. */
export function determinedBy(row: Columns, literals: readonly Literal[], { relations }: Declarations): ReadonlySet<string> {
  const determined = new Set(variablesIn(row));
  const isKnown = (term: Term | undefined) => term !== undefined && ('const' in term || determined.has(term.var));
  const isWhole = ({ relation, columns }: Atom) => relations.get(relation)?.key?.every((column) => isKnown(columns[column])) === true;
  const givenBy = (literal: Literal): readonly string[] => {
    if (literal.kind === 'atom') return isWhole(literal) ? variablesIn(literal.columns) : [];
    if (literal.kind !== 'bind' || aggregatesIn(literal.expression).length > 0) return [];
    return variablesOfExpression(literal.expression).every((name) => determined.has(name)) ? [literal.variable] : [];
  };
  for (let size = -1; size !== determined.size;) {
    size = determined.size;
    for (const name of literals.flatMap(givenBy)) determined.add(name);
  }
  return determined;
}
