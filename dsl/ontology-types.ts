/**
 * The type of an ontology, computed from its declaration: which relations there are, and the columns and the grade of each.
 *
 * Reads  a declaration's type, once for each ontology.
 * Gives  `Ontology<D>`, namespace by namespace, and one variable per column name.
 * Never  costs anything per rule: rules see finished relations.
 */
import type { Namespace } from './law.ts';
import type { ReadsOf } from './reads.ts';
import type { KeyedRelation, Observation, Relation, Source } from './relation.ts';
import type { Action, Declarations, Keyed, Query, Recorded } from './shape.ts';
import type { ActorId, CaptureId, RowId, SessionId, Stamps } from './stamp.ts';
import type { Shape, Sort, Values, Var } from './term.ts';

/** What every ontology has in common, for `program`. */
export interface AnyOntology {
  readonly '~ontology': true;
}

export interface Ontology<D> extends AnyOntology {
  /** One logic variable per column name. A name that is used with two sorts fits neither: make such variables with `vars`. */
  readonly vars: Variables<D>;
  readonly observation: Observations<Part<D, 'observation'>, StampsOf<D>>;
  readonly candidate: {
    readonly [K in keyof Candidates<D> & string]: Source<`candidate.${K}`, CandidateRow<D, K>>;
  };
  readonly proposal: {
    readonly [K in keyof Proposals<D> & string]: Source<`proposal.${K}`, ProposalRow<D, K>>;
  } & { readonly queryRequested: Requests<D, Part<D, 'query'>> };
  readonly confirmed: Answers<keyof (Candidates<D> & Results<D>) & string, Answered<D>, ' (candidate)'> &
    Answers<keyof Proposals<D> & string, Answered<D>> &
    Answers<'queryExecute', Answered<D>, '', QueryName>;
  readonly decision: Decisions<D>;
  readonly fact: Relations<'fact', Part<D, 'fact'>, {}>;
  /** What follows from approvals: a view, so it falls when they do. An act starts once its row is admitted. */
  readonly intent: Acts<'intent', D>;
  /** Acts let through. A record: it stays when its intent falls. */
  readonly admitted: ActRecords<'admitted', D>;
  readonly started: ActRecords<'started', D>;
  readonly withdrawn: ActRecords<'withdrawn', D>;
  /** Rows whose identity another act has, with other bindings. */
  readonly conflict: ActRecords<'conflict', D>;
  /** Acts of an intent that have not started. For invariants. */
  readonly due: Acts<'due', D>;
  readonly receipt: Receipts<Part<D, 'action'>, StampsOf<D>>;
  readonly queryresult: {
    readonly [K in keyof Results<D> & string]: Source<`queryresult.${K}`, ResultRow<D, K>>;
  } & {
    readonly outcome: Told<'queryresult.outcome', { req: RowId; query: string; outcome: 'succeeded' | 'failed' | 'expired' }, StampsOf<D>>;
  };
  /** Rules of a declared query have these heads. They are evaluated on demand. */
  readonly query: QueryHeads<Part<D, 'query'>>;
  readonly approvedView: Relations<'approvedView', Part<D, 'approvedView'>, {}>;
  readonly candidateView: Relations<'candidateView', Part<D, 'candidateView'>, {}>;
  readonly proposalView: Relations<'proposalView', Part<D, 'proposalView'>, {}>;
  /** How work went, in closed classes: it may open nothing by itself. */
  readonly lifecycle: Lifecycle<StampsOf<D>>;
}
type Decisions<D> = {
  readonly accepted: Kept<'decision.accepted', D, Candidates<D> & Results<D>>;
  readonly approved: Kept<'decision.approved', D, Proposals<D> & Results<D>> & Executions<'decision.approved', {}, D>;
  readonly rejected: Verdicts<'decision.rejected', D, { reason: string }>;
  /** A status of open rows: what is asked about them now. For evidence views and contexts. */
  readonly held: Verdicts<'decision.held', D, { reason: string; shown: string }>;
  readonly revoked: Relations<'decision.revoked', Candidates<D> & Proposals<D> & Results<D>, StampsOf<D>, { reason: string }> &
    Executions<'decision.revoked', { reason: string }, D>;
};

// Parts of a declaration.
type Part<D, Kind extends string> = Kind extends keyof D ? D[Kind] : {};
type ColumnsOf<S> = S extends Recorded<infer Columns, unknown> ? Columns : S;
type InOf<A> = A extends { in: infer Columns } ? Columns : {};
type OutOf<Q> = Q extends { out: infer Columns } ? Columns : {};
type ReceiptOf<A> = A extends { receipt: infer Columns } ? Columns : {};
type EvidenceOf<A> = A extends { evidence: infer Columns } ? Columns : {};
type RecordsOf<S> = S extends Recorded<unknown, infer Records> ? Records : S extends { in: Shape; records: infer Records } ? Records : {};
type Plain<S> = { readonly [K in keyof S & string]: ColumnsOf<S[K]> };
type Ins<S> = { readonly [K in keyof S & string]: InOf<S[K]> };
type Candidates<D> = Plain<Part<D, 'candidate'>> & Evidence<Part<D, 'action'>>;
type Evidence<A> = {
  readonly [K in keyof A & string as A[K] extends { evidence: unknown } ? `${K}Result` : never]: EvidenceOf<A[K]> & { act: typeof RowId };
};
type Proposals<D> = Plain<Part<D, 'proposal'>> & Ins<Part<D, 'action'>>;
type Results<D> = ResultsOf<Part<D, 'query'>>;
type ResultsOf<Q> = { readonly [K in keyof Q & string]: InOf<Q[K]> & OutOf<Q[K]> & { req: typeof RowId } };
type RecordsAt<D, K extends string> = K extends keyof Part<D, 'candidate'>
  ? Values<RecordsOf<Part<D, 'candidate'>[K]>>
  : K extends keyof Part<D, 'proposal'>
    ? Values<RecordsOf<Part<D, 'proposal'>[K]>>
    : K extends keyof Part<D, 'action'>
      ? Values<RecordsOf<Part<D, 'action'>[K]>>
      : {};

/** The rows of sources. */
interface CandidateRow<D, K extends keyof Candidates<D> & string> {
  readonly declared: Values<Candidates<D>[K]>;
  readonly stamped: StampsOf<D>;
  readonly recorded: RecordsAt<D, K>;
}
interface ProposalRow<D, K extends keyof Proposals<D> & string> {
  readonly declared: Values<Proposals<D>[K]>;
  readonly stamped: StampsOf<D>;
  readonly recorded: RecordsAt<D, K>;
}
interface ResultRow<D, K extends keyof Results<D> & string> {
  readonly declared: Values<Results<D>[K]>;
  readonly stamped: StampsOf<D>;
  readonly recorded: {};
}
interface RequestRow<D, Q> {
  readonly declared: Values<InOf<Q>>;
  readonly stamped: StampsOf<D>;
  readonly recorded: {};
}

// Stamps.
type Scope<D> = Part<D, 'scope'>;
type SessionOf<D> = Scope<D> extends { session: { _zod: { output: infer T } } } ? T : SessionId;
type ActorOf<D> = Scope<D> extends { actor: { _zod: { output: infer T } } } ? T : ActorId;
type StampsOf<D> = Stamps<SessionOf<D>, ActorOf<D>>;

// Relations.
type Relations<N extends Namespace, S, X, More = {}> = {
  readonly [K in keyof S & string]: Relation<`${N}.${K}`, ReadsOf<N, K>, Values<S[K]> & More, X>;
};
type Observations<S, X> = {
  readonly [K in keyof S & string]: S[K] extends Keyed<infer Key, infer Columns>
    ? KeyedRelation<`observation.${K}`, Values<Omit<Key, 'session' | 'actor'> & Columns>, X, keyof Key & string>
    : Observation<`observation.${K}`, Values<S[K]>, X>;
};
type Kept<N extends Namespace, D, S> = {
  readonly [K in keyof S & string]: Relation<`${N}.${K}`, ReadsOf<N, K>, Values<S[K]> & RecordsAt<D, K>, StampsOf<D>>;
};
type MarkedRelations<N extends Namespace, S, X, More> = {
  readonly [K in keyof S & string]: Relation<`${N}.${K}`, `${N}.${K} (candidate)`, Values<S[K]> & More, X>;
};
type Verdicts<N extends Namespace, D, More> = MarkedRelations<N, Candidates<D> & Results<D>, StampsOf<D>, More> &
  Relations<N, Proposals<D>, StampsOf<D>, More> &
  Executions<N, More, D>;
type QueryName = { query: string };
type Executions<N extends Namespace, More, D> = {
  readonly queryExecute: Relation<`${N}.queryExecute`, ReadsOf<N, 'queryExecute'>, QueryName & More, StampsOf<D>>;
};
/** An answer names the row that it is about, so `id` is its own column; `by` is stamped. */
type Answers<Names extends string, X, Mark extends string = '', More = {}> = {
  readonly [K in Names]: Relation<
    `confirmed.${K}`,
    `confirmed.${K}${Mark}`,
    { id: RowId; reason: string; shown: string; answer: 'yes' | 'no' } & More,
    X
  >;
};
type Answered<D> = Omit<StampsOf<D>, 'id'> & { by: ActorOf<D> };
/** In a head the id may be left out: it is the approval's. */
type Acts<N extends Namespace, D> = Relations<N, Ins<Part<D, 'action'>>, { id: RowId }> & {
  readonly queryExecute: Relation<`${N}.queryExecute`, ReadsOf<N, 'queryExecute'>, QueryName, { id: RowId }>;
};
type ActRecords<N extends Namespace, D> = Relations<N, Ins<Part<D, 'action'>>, StampsOf<D>> & Executions<N, {}, D>;
type Receipts<A, X> = {
  readonly [K in keyof A & string]: Relation<
    `receipt.${K}`,
    never,
    Values<InOf<A[K]> & ReceiptOf<A[K]>> & { act: RowId; outcome: 'succeeded' | 'failed' },
    X
  >;
};
type Requests<D, Q> = { readonly [K in keyof Q & string]: Source<`proposal.queryRequested.${K}`, RequestRow<D, Q[K]>> };
type QueryHeads<Q> = { readonly [K in keyof Q & string]: Relation<`query.${K}`, `query.${K}`, Values<InOf<Q[K]> & OutOf<Q[K]>>> };
type Told<Name extends string, C, X> = Relation<Name, Name, C, X>;
interface Lifecycle<X> {
  readonly modelCalled: Told<'lifecycle.modelCalled', { captured: CaptureId; class: 'answered' | 'refused' | 'failed' }, X>;
  readonly captureRefused: Told<'lifecycle.captureRefused', { captured: CaptureId; class: 'malformed' | 'too many open' }, X>;
  readonly contractViolated: Told<
    'lifecycle.contractViolated',
    { captured: CaptureId; class: 'precondition' | 'postcondition' | 'invariant' },
    X
  >;
  readonly effectUnknown: Told<'lifecycle.effectUnknown', { act: RowId; class: 'timeout' | 'crash' | 'unknown' }, X>;
}

// Variables.
type Every<S> = S[keyof S];
type Shapes<D> =
  | ColumnsIn<Every<Part<D, 'observation'>>>
  | { [Kind in 'candidate' | 'proposal' | 'fact' | 'approvedView' | 'candidateView' | 'proposalView']: ColumnsIn<Every<Part<D, Kind>>> }[
      'candidate' | 'proposal' | 'fact' | 'approvedView' | 'candidateView' | 'proposalView']
  | ActionShapes<Every<Part<D, 'action'>>>
  | QueryShapes<Every<Part<D, 'query'>>>;
type ColumnsIn<S> =
  S extends Keyed<infer Key, infer Columns> ? Key | Columns : S extends Recorded<infer Columns, infer Records> ? Columns | Records : S;
type ActionShapes<A> = A extends unknown
  ? InOf<A> | ReceiptOf<A> | EvidenceOf<A> | (A extends { records: infer Records } ? Records : never)
  : never;
type QueryShapes<Q> = Q extends unknown ? InOf<Q> | OutOf<Q> : never;
/** Name and schema of every column. Linear, where looking each name up in each shape would be quadratic. */
type Columns<S> = S extends unknown ? { readonly [K in keyof S & string]: [K, S[K]] }[keyof S & string] : never;
type Output<S> = S extends { _zod: { output: infer T } } ? T : never;
/** What the runtime fills, by name; a column that an ontology declares under one of these names has the stamp's own sort. */
interface StampVariables<Session, Actor> {
  readonly id: Var<'id', 'string<RowId>'>;
  readonly act: Var<'act', 'string<RowId>'>;
  readonly req: Var<'req', 'string<RowId>'>;
  readonly session: Var<'session', Sort<Session>>;
  readonly actor: Var<'actor', Sort<Actor>>;
  readonly by: Var<'by', Sort<Actor>>;
  readonly capture: Var<'capture', 'string<CaptureId>'>;
  readonly ordinal: Var<'ordinal', 'number'>;
  readonly seq: Var<'seq', 'position'>;
}
/** Generated columns of one sort; a column that an ontology declares under such a name stands for itself. */
interface GeneratedVariables {
  readonly reason: Var<'reason', 'string'>;
  readonly shown: Var<'shown', 'string'>;
  readonly answer: Var<'answer', Sort<'yes' | 'no'>>;
  readonly query: Var<'query', 'string'>;
  readonly captured: Var<'captured', 'string<CaptureId>'>;
}
type Declared<D> = {
  readonly [P in Columns<Shapes<D>> as Exclude<P[0], keyof StampVariables<unknown, unknown>>]: Var<P[0], Sort<Output<P[1]>>>;
};
type Variables<D> = Declared<D> & StampVariables<SessionOf<D>, ActorOf<D>> & Omit<GeneratedVariables, keyof Declared<D>>;

/** Refuses kinds and parts that do not exist: a misspelt one would declare nothing. */
export type OnlyKnown<D> = { readonly [K in Exclude<keyof D, keyof Declarations>]: `${K & string} is no kind of declaration` } & {
  readonly [K in 'action' & keyof D]: OnlyParts<D[K], Action, 'an action'>;
} & { readonly [K in 'query' & keyof D]: OnlyParts<D[K], Query, 'a query'> };
type OnlyParts<Named, Known, What extends string> = {
  readonly [K in keyof Named]: { readonly [P in Exclude<keyof Named[K], keyof Known>]: `${P & string} is no part of ${What}` };
};
