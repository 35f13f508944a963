/**
 * The shapes that a declaration is written in: columns, keyed columns, columns with records, actions and queries.
 *
 * Reads  zod schemas by column name.
 * Gives  `keyed` and `recorded`, and the type of what `defineOntology` takes, with its own words for reserved columns.
 * Never  refuses at run time: what types were cast away is told by the loader with the rest.
 */
import { frozen } from './carry.ts';
import type { Scope } from './stamp.ts';
import type { Schema, Shape } from './term.ts';

/** Under which a keyed or recorded shape says what it is; a column may have any name, so none of its keys could. */
export const SHAPE: unique symbol = Symbol.for('countersign.shape');

export interface Keyed<Key, Columns> {
  readonly [SHAPE]: 'keyed';
  readonly key: Key;
  readonly columns: Columns;
  readonly more: { readonly rising?: readonly string[] };
}
export interface Recorded<Columns, Records> {
  readonly [SHAPE]: 'recorded';
  readonly columns: Columns;
  readonly records: Records;
}

/**
 * An observation of which a newer report of the same key replaces the row.
 *
 * Shape   the key may hold the scope's `session` or `actor`: the stamp is the key. Columns that are `rising` never fall: a report with
 *         less than the row has is refused, and the row cannot end. A clock is `keyed({}, { now: Instant }, { rising: ['now'] })`.
 */
export function keyed<const Key extends Shape, const Columns extends Reported>(
  key: Key,
  columns: Columns,
  more: { readonly rising?: readonly (keyof Columns & string)[] } = {},
): Keyed<Key, Columns> {
  return frozen({ [SHAPE]: 'keyed', key, columns, more });
}

/** A candidate or proposal whose decision keeps values that were true when it was made: `recorded({ order: OrderId }, { day: Day })`. */
export function recorded<const Columns extends Judged, const Records extends Judged>(
  columns: Columns,
  records: Records,
): Recorded<Columns, Records> {
  return frozen({ [SHAPE]: 'recorded', columns, records });
}

type Stamped = 'is stamped by the runtime on every row: read it, and name your own column otherwise';
/** The columns of a report. */
export type Reported = Shape & {
  readonly id?: `id ${Stamped}`;
  readonly session?: `session ${Stamped}`;
  readonly actor?: `actor ${Stamped}`;
  readonly capture?: `capture ${Stamped}`;
  readonly ordinal?: `ordinal ${Stamped}`;
  readonly seq?: `seq ${Stamped}`;
};
type Generated = 'is generated on decisions, confirmations and results: name your own column otherwise';
/** The columns of what is judged. */
export type Judged = Reported & {
  readonly reason?: `reason ${Generated}`;
  readonly by?: `by ${Generated}`;
  readonly act?: `act ${Generated}`;
  readonly req?: `req ${Generated}`;
  readonly outcome?: `outcome ${Generated}`;
  readonly shown?: `shown ${Generated}`;
  readonly answer?: `answer ${Generated}`;
};

export interface Action {
  readonly in: Judged;
  /** What is kept with its approval. */
  readonly records?: Judged;
  /** What its receipt says besides `in`: the word of the handler. */
  readonly receipt?: Judged;
  /** What came back from outside: a candidate, `candidate.<action>Result`. */
  readonly evidence?: Judged;
  /** The columns of `in` that make two intents one act; the proposal's id where left out. */
  readonly identity?: readonly string[];
  /** The capability that carries it out. */
  readonly capability?: string;
}
export interface Query {
  readonly in: Judged;
  readonly out: Judged;
}
type Named<T> = Readonly<Record<string, T>>;

export interface Declarations {
  /** What the stamps `session` and `actor` hold. */
  readonly scope?: { readonly [Stamp in keyof Scope]?: Schema };
  readonly observation?: Named<Reported | Keyed<Shape, Shape>>;
  readonly candidate?: Named<Judged | Recorded<Shape, Shape>>;
  readonly proposal?: Named<Judged | Recorded<Shape, Shape>>;
  readonly action?: Named<Action>;
  readonly fact?: Named<Shape>;
  readonly approvedView?: Named<Shape>;
  readonly candidateView?: Named<Shape>;
  readonly proposalView?: Named<Shape>;
  readonly query?: Named<Query>;
}
