/**
 * The shapes that the ledger keeps: what is reported, what is recorded about it, and one entry per transition.
 *
 * Reads  nothing; types only.
 * Gives  the vocabulary that ledger, world, runtime and replay share.
 * Never  a clock or a random id: position, capture and ordinal are the only order there is.
 */
import type { Value } from './ir.ts';

export type Row = Readonly<Record<string, Value>>;

/** One row of a report: its relation's name and its declared columns. Stamps are the runtime's. */
export interface ReportRow {
  readonly relation: string;
  readonly columns: Row;
}
/**
 * What came in at once. With a `capture` it holds evidence (candidates, proposals, query results) and is taken whole or not at all;
 * without one it holds trusted rows (observations, confirmations, receipts, lifecycle) and a fault refuses the batch.
 */
export interface Report {
  readonly capture?: string;
  /** Who it is from; the batch's actor where left out. */
  readonly actor?: string;
  readonly rows: readonly ReportRow[];
  /** Keys of keyed observations that hold no longer. */
  readonly ends?: readonly ReportRow[];
  /** What was wrong with a capture before it came here: it is kept, and leaves no rows. */
  readonly malformed?: readonly string[];
}
export interface Batch {
  readonly session: string;
  readonly actor: string;
  readonly reports: readonly Report[];
}

/** A question about one row of evidence. */
export interface Card {
  /** The row of evidence that is held: "reply-1.1". */
  readonly id: string;
  /** The clause that asks, in its author's words. */
  readonly reason: string;
  /** The digest of everything that the question is about: an answer is to this card and to no later one. */
  readonly shown: string;
  /** Where its answer goes: "confirmed.refund". */
  readonly relation: string;
  /** The held row, as it was reported. */
  readonly row: Row;
}

export type TransitionEvent =
  | ({ readonly event: 'batch' } & Batch)
  | { readonly event: 'start'; readonly intent: string; readonly key: string }
  | { readonly event: 'adopt'; readonly program: string; readonly admitOld: readonly string[] };

export type Verdict = 'accepted' | 'approved' | 'rejected' | 'revoked';

/** A decision about one source row, made once, with its reasons. */
export interface DecisionRecord {
  readonly record: 'decision';
  readonly verdict: Verdict;
  /** "refund" of proposal.refund, "queryRequested.ordersOf" of a request. */
  readonly source: string;
  readonly id: string;
  /** In order; empty for an acceptance or approval. */
  readonly reasons: readonly string[];
  /** The columns that `records` keeps with the decision. */
  readonly recorded: Row;
}
export interface IntentRecord {
  readonly record: 'admitted' | 'started' | 'withdrawn' | 'conflict';
  readonly intent: string;
  /** The idempotency key: digest of program name, tenant, intent and identity columns. */
  readonly key: string;
  /** The act's id and its full bindings. */
  readonly row: Row;
  /** The source rows whose decisions it rests on, sorted. */
  readonly restsOn: readonly string[];
}
/** An answer that was to no card on the table, or by someone who may not answer: kept, and in no rule. */
export interface IgnoredRecord {
  readonly record: 'ignored';
  readonly relation: string;
  readonly row: Row;
  readonly why: 'no such card' | 'not admissible';
}
/** A capture that was refused at ingress and left no rows. */
export interface CaptureRefusedRecord {
  readonly record: 'captureRefused';
  readonly capture: string;
  readonly class: 'malformed' | 'too many open';
  readonly issues: readonly string[];
}
/** An evidence row that left the model for good, since a view could not be computed with it. */
export interface SetAsideRecord {
  readonly record: 'setAside';
  readonly id: string;
  readonly reason: string;
}
/** Identities that a newly adopted program derives and that will never be admitted. */
export interface DormantRecord {
  readonly record: 'dormant';
  readonly intent: string;
  readonly key: string;
}
export type LedgerRecord = DecisionRecord | IntentRecord | IgnoredRecord | CaptureRefusedRecord | SetAsideRecord | DormantRecord;

/** Why a transition was refused: a violated invariant with its witness, or something that cannot be computed on trusted rows alone. */
export interface Refusal {
  readonly invariant: string;
  /** The variables of the impossible state, by name. */
  readonly witness: Row;
  readonly detail: string;
}

/** One position of the ledger. A refusal is an entry of its own: it has no records and does not move the head. */
export interface LedgerEntry {
  readonly position: number;
  /** The last committed transition: this entry's position when it committed, the one before otherwise. */
  readonly head: number;
  readonly program: string;
  readonly event: TransitionEvent;
  readonly records: readonly LedgerRecord[];
  readonly refusal?: Refusal;
  /** SHA-256 over the previous entry's digest and this entry's canonical JSON. */
  readonly digest: string;
}
