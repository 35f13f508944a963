/**
 * A relation as an author holds it: a function from columns to an atom.
 *
 * Reads  a relation's IR.
 * Gives  the type that every declared and generated relation has, and the function itself.
 * Never  checks a column: what does not fit is in the atom, and the loader says so with the rule it stands in.
 */
import { carry, columnsIR } from './carry.ts';
import type { RelationIR } from './ir.ts';
import type { Atom, SourceAtom, SourceRow } from './literal.ts';
import type { Term } from './term.ts';

/**
 * `Reads` is the name as the law sees it, never for what is fully trusted; `C` declared columns; `X` columns that may be left out
 * everywhere, since the runtime fills them.
 */
export interface Relation<Name extends string, Reads extends string, C, X = {}> extends Described<Name, Reads, C, X> {
  /** Give columns by name. In a body a column that is left out is a wildcard; in a head each declared one is needed. */
  <K extends (keyof C | keyof X) & string = never, Used extends string = never>(
    columns: Given<C, X, K, Used>,
  ): Atom<Name, Reads, Used, Exclude<keyof C & string, K>>;
}

/** Evidence: a `decide` may judge its rows. No rule writes them. */
export interface Source<Name extends string, Row extends SourceRow> extends Described<Name, Name, Row['declared'], Row['stamped']> {
  /** Give columns by name; one that is left out is a wildcard. */
  <K extends (keyof Row['declared'] | keyof Row['stamped']) & string = never, Used extends string = never>(
    columns: Given<Row['declared'], Row['stamped'], K, Used>,
  ): SourceAtom<Name, Used, Row>;
}

/** What is reported as true. No rule writes it. */
export interface Observation<Name extends string, C, X> extends Described<Name, never, C, X> {
  /** Give columns by name; one that is left out is a wildcard. */
  <K extends (keyof C | keyof X) & string = never, Used extends string = never>(
    columns: Given<C, X, K, Used>,
  ): Atom<Name, never, Used, never>;
}
/** An observation with a key: a newer report of the key replaces the row. */
export interface KeyedRelation<Name extends string, C, X, Key extends string> extends Observation<Name, C, X> {
  readonly '~key': Key;
}

interface Described<Name extends string, Reads extends string, C, X> {
  readonly relation: Name;
  readonly '~reads': Reads;
  readonly '~columns': C & X;
  /** What a report gives. */
  readonly '~row': C;
}

/** `K` and `Used` are inferred from what is given; the first two parts are for the editor, which offers the columns from them. */
type Given<C, X, K extends string, Used extends string> = { readonly [P in keyof C]?: Term<Used, C[P]> } & {
  readonly [P in keyof X]?: Term<Used, X[P]>;
} & { readonly [P in K]: unknown };

export function relation(ir: RelationIR): unknown {
  const atom = (columns: unknown) => carry({}, Object.freeze({ kind: 'atom', relation: ir.name, columns: columnsIR(ir.name, columns) }));
  return carry(Object.assign(atom, { relation: ir.name }), ir);
}
