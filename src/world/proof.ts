/**
 * Proofs as plain data: where a row comes from, where rules fail that could give another, and how one row is written.
 *
 * Reads  nothing; shapes, and the text of a row.
 * Gives  what `why`, `whyNot` and `verdict` give, which JSON.stringify prints as it is.
 * Never  holds a row of the engine: a proof outlives the rows that it shows.
 */
import type { Value } from '../../dsl/ir.ts';
import type { LedgerRecord, Row } from '../../dsl/record.ts';
import { lineText, valueText } from '../engine/engine.ts';

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
      /** Of a decision that was taken back since: when, and for what. */
      readonly revoked?: { readonly position: number; readonly reasons: readonly string[] };
      /** Decisions that an act rests on. */
      readonly restsOn: readonly Why[];
    }
  /** Shown elsewhere in this proof; or one row more than `proofRowsMax`, or than a search found. */
  | { readonly is: 'seen' | 'cut' };

/** An instance of a rule, with its values. Of a record they are those of the moment at which it was made. */
export interface Reason {
  readonly rule: string;
  /** What the author called the clause: `needs "the order is yours"`. */
  readonly clause?: string;
  /** The reason that it gives, or that its clause has. */
  readonly reason?: string;
  readonly location?: string;
  readonly premises: readonly Premise[];
  /** Of a rule that gives nothing, as a limit that is kept: the last premise is what it fails at. */
  readonly isMiss?: true;
}

/** One step of a rule's body. `holds` and `now` are as things are now; left out of a rule of an earlier program. */
export type Premise = {
  readonly holds?: boolean;
  /** It only says what is judged, or what earlier clauses found. */
  readonly isGround?: true;
  /** The reason of the clause that it is of, in a rule that is made of several. */
  readonly reason?: string;
} & (
  | { readonly is: 'row'; readonly relation: string; readonly columns: Row; readonly why?: Why }
  /** With the row that is there, where it does not hold. */
  | { readonly is: 'absent'; readonly relation: string; readonly columns: Row; readonly why?: Why }
  | {
      readonly is: 'counted';
      /** `sum(refund.amount)`. */
      readonly text: string;
      readonly per: Row;
      /** Left out where there is none, as of the least of nothing. */
      readonly value?: Value;
      readonly now?: Value;
      /**
       * The newest of the rows that it goes over, in a word each, and how many more there are; where `isCut`, the newest of those that were
       * looked at, and at least so many more. Of a record only rows that are known to have been there.
       */
      readonly counted: readonly string[];
      readonly more: number;
      readonly isCut?: true;
      /** Of a record: some of what was counted then is there no longer. */
      readonly isLess?: true;
    }
  /** `instead` is what is so where it does not hold, and `pass` what would hold in its place. */
  | {
      readonly is: 'compared' | 'computed';
      readonly text: string;
      readonly values: string;
      readonly instead?: string;
      readonly pass?: string;
    }
  /** That the judged row waits, or is answered: what only rules that the runtime writes can say. */
  | { readonly is: 'status'; readonly text: string; readonly pass?: string }
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
  /** What would have let that premise pass, and how many steps of the rule would have come after it. */
  readonly wouldPass: string;
  readonly left: number;
  /** A premise that is itself derived, followed one step further. */
  readonly since?: WhyNot;
}

/** A row in one line: what is quoted is written out and cut, so that no value can pass for a line of its own. */
export function rowText(relation: string, columns: Row): string {
  const values = Object.entries(columns).map(([name, value]) => `${name}: ${valueText(value)}`);
  return lineText(values.length === 0 ? relation : `${relation} { ${values.join(', ')} }`);
}
