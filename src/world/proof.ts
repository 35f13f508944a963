/**
 * Proofs as plain data: where a row comes from, where rules fail that could give another, and how one row is written.
 *
 * Reads  nothing; shapes, and the text of a row.
 * Gives  what `why` and `whyNot` give, which JSON.stringify prints as it is.
 * Never  holds a row of the engine: a proof outlives the rows that it shows.
 */
import type { Value } from '../../dsl/ir.ts';
import type { LedgerRecord, Row } from '../../dsl/record.ts';

/** A row and where it comes from. */
export interface Why {
  readonly relation: string;
  readonly row: Row;
  readonly from: Origin;
}
export type Origin =
  /** A report, trusted or evidence. */
  | { readonly is: 'report'; readonly position: number }
  | ({ readonly is: 'rule' } & Reason)
  /** A record: when and under which program it was made, for what, and whether that still holds. */
  | {
      readonly is: 'record';
      readonly record: LedgerRecord['record'];
      readonly position: number;
      readonly program: string;
      readonly reasons: readonly string[];
      readonly because: readonly Reason[];
      /** Decisions that an act rests on. */
      readonly restsOn: readonly Why[];
    }
  /** Shown elsewhere in this proof, or one row more than `proofRowsMax`. */
  | { readonly is: 'seen' | 'cut' };

/** An instance of a rule, with its values. Of a record they are those of the moment at which it was made. */
export interface Reason {
  readonly rule: string;
  /** What the author called the clause: `needs "the order is yours"`. */
  readonly clause?: string;
  readonly location?: string;
  readonly premises: readonly Premise[];
  /** How many of the premises only say what is judged, and what earlier clauses found. */
  readonly grounds: number;
}

/** One step of a rule's body. `holds` and `now` are as things are now; left out of a rule of an earlier program. */
export type Premise = { readonly holds?: boolean } & (
  | { readonly is: 'row'; readonly relation: string; readonly columns: Row; readonly why?: Why }
  | { readonly is: 'absent'; readonly relation: string; readonly columns: Row }
  | {
      readonly is: 'counted';
      /** `sum(refund.amount)`. */
      readonly text: string;
      readonly per: Row;
      readonly value: Value;
      readonly now?: Value;
      /** The newest of the rows that it goes over now, in a word each. */
      readonly counted: readonly string[];
      readonly more: number;
    }
  | { readonly is: 'compared' | 'computed'; readonly text: string; readonly values: string }
  | { readonly is: 'failed'; readonly text: string }
);

/** For each rule that could give such a row: how far it comes, and what would have let it pass. */
export interface WhyNot {
  readonly relation: string;
  readonly columns: Row;
  readonly tried: readonly Miss[];
  /** What else there is to say, as of a relation that only reports fill. */
  readonly notes: readonly string[];
}
export interface Miss extends Reason {
  /** The premise that holds for nothing first; the ones before it hold. */
  readonly fails: Premise;
  readonly wouldPass: string;
  /** A premise that is itself derived, followed one step further. */
  readonly since?: WhyNot;
}

export function rowText(relation: string, columns: Row): string {
  const values = Object.entries(columns).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return values.length === 0 ? relation : `${relation} { ${values.join(', ')} }`;
}

/** A text that stands in one line: a reason or a value that holds a line break could pass for a line of its own. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
