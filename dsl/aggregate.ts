/**
 * Aggregates over the rows of one relation: count, sum, least and greatest.
 *
 * Reads  one relation; `per` maps its columns to variables bound elsewhere, or to constants.
 * Gives  expressions that stand in bodies like any other.
 * Never  joins outward by a name: only `per` does, so a column called like a variable joins nothing by accident.
 */
import { called, columnsIR, isRecord, optionsOf, refuse, relationName } from './carry.ts';
import type { AggregateName } from './ir.ts';
import { expression, type Expr, type OrderedSort, type Sort, type Term } from './term.ts';

/** Any relation, as far as an aggregate looks at it. */
export interface Aggregated<Reads extends string, Columns> {
  readonly relation: string;
  readonly '~reads': Reads;
  readonly '~columns': Columns;
}

/** How many rows; 0 for none. */
export function countOf<Reads extends string, C, Per extends PerOf<C> = {}>(
  relation: Aggregated<Reads, C>,
  options?: { readonly per?: Only<C, Per> },
): Expr<Reads, VariablesIn<Per>, 'number'> {
  return aggregate('count', relation, options);
}

/** Over rows, so that equal values of two rows both count; 0 for none. */
export function sumOf<Reads extends string, C, Of extends NumberColumns<C>, Per extends PerOf<C> = {}>(
  relation: Aggregated<Reads, C>,
  options: { readonly of: Of; readonly per?: Only<C, Per> },
): Expr<Reads, VariablesIn<Per>, Sort<C[Of]>> {
  return aggregate('sum', relation, options);
}

/** Over no row the literal that it stands in fails. */
export function minOf<Reads extends string, C, Of extends OrderedColumns<C>, Per extends PerOf<C> = {}>(
  relation: Aggregated<Reads, C>,
  options: { readonly of: Of; readonly per?: Only<C, Per> },
): Expr<Reads, VariablesIn<Per>, Sort<C[Of]>> {
  return aggregate('min', relation, options);
}

/** Over no row the literal that it stands in fails. */
export function maxOf<Reads extends string, C, Of extends OrderedColumns<C>, Per extends PerOf<C> = {}>(
  relation: Aggregated<Reads, C>,
  options: { readonly of: Of; readonly per?: Only<C, Per> },
): Expr<Reads, VariablesIn<Per>, Sort<C[Of]>> {
  return aggregate('max', relation, options);
}

type PerOf<C> = { readonly [P in keyof C]?: Term<string, C[P]> };
/** Inferred from `per` as a whole, since a mapping over a type that is itself inferred infers no variables in it. */
type VariablesIn<Per> = {
  [K in keyof Per]-?: Per[K] extends { readonly '~is': 'a variable'; readonly '~used': infer Name extends string } ? Name : never;
}[keyof Per];
/** Refuses other columns; the last part is for the editor, which offers the columns from it. */
type Only<C, Per> = Per & { readonly [K in Exclude<keyof Per, keyof C>]: never } & { readonly [K in keyof C]?: unknown };
type NumberColumns<C> = { [P in keyof C & string]: C[P] extends number ? P : never }[keyof C & string];
type OrderedColumns<C> = { [P in keyof C & string]: Sort<C[P]> extends OrderedSort ? P : never }[keyof C & string];

function aggregate<E>(name: AggregateName, over: unknown, options: unknown = {}): E {
  const place = `${name}Of`;
  const relation = relationName(over, place);
  const { of, per = {} } = optionsOf(options, `${place}(${relation})`, name === 'count' ? ['per'] : ['of', 'per']);
  if (name !== 'count' && typeof of !== 'string') return refuse(`${place}(${relation}): of is ${called(of)}, and no name of a column`);
  if (!isRecord(per)) return refuse(`${place}(${relation}): per is ${called(per)}, and no record of columns`);
  // Types allow no `of` for a count.
  return expression({ aggregate: name, relation, ...(of === undefined ? {} : { of: of as string }), per: columnsIR(relation, per) });
}
