/**
 * The types of `decide`: which clause may read what, and which variables are bound by then.
 *
 * Reads  the law, through the head that a clause is written out to.
 * Gives  a chain whose type knows its source, the variables bound so far, and what is still to be recorded.
 * Never  speaks at the end of a chain about a clause: each error sits on the clause that is wrong.
 */
import type { AnyAtom, AnyLit, Atom, Lit, SourceAtom } from './literal.ts';
import type { ApprovedNames, Plain, Readable } from './reads.ts';
import type { NumberSort, Term, Var } from './term.ts';

export interface Decision {
  readonly kind: 'decide';
  readonly name: string;
}

/**
 * `From`: the source. `Own`: its variables. `Known`: variables bound so far. `Met`: "needs" once something trusted is required.
 * `Columns`: what a limit may group by. `Records`: columns that `records` has still to fill.
 */
export interface Decide<
  From extends string,
  Own extends string,
  Known extends string,
  Met extends 'nothing' | 'needs',
  Columns,
  Records,
> extends Decision {
  /** No row: rejected with the reason. Binds its variables for the clauses after it. */
  needs<A>(reason: string, atom: NeedOk<'needs', From, A>): Decide<From, Own, Known | BoundBy<A>, 'needs', Columns, Records>;
  /** Like needs, over evidence. The lint reports it. */
  needsEvidence<A>(reason: string, atom: EvidenceOk<From, A>): Decide<From, Own, Known | BoundBy<A>, Met, Columns, Records>;
  /** No row: pending. Binds its variables for the clauses after it. */
  awaits<A>(reason: string, atom: NeedOk<'awaits', From, A>): Decide<From, Own, Known | BoundBy<A>, Met, Columns, Records>;
  /** Keeps values that are true now with the decision, in the columns that the source's declaration names. */
  records<Used extends string = never>(
    columns: Recordable<Known, Used, { readonly [K in keyof Records]: Term<Used, Records[K]> }>,
  ): Decide<From, Own | Used, Known, Met, Columns, {}>;
  /** Rejected with the reason when all of it holds. */
  rejects<L extends readonly [AnyLit, ...AnyLit[]]>(
    reason: string,
    ...when: { [I in keyof L]: ClauseOk<'rejects', From, Known | L[number]['~binds'], L[I]> }
  ): Decide<From, Own, Known, Met, Columns, Records>;
  /** Rejected with the reason when all of it holds while the row waits for something or for somebody. */
  expires<L extends readonly [AnyLit, ...AnyLit[]]>(
    reason: string,
    ...when: { [I in keyof L]: ClauseOk<'expires', From, Known | L[number]['~binds'], L[I]> }
  ): Decide<From, Own, Known, Met, Columns, Records>;
  /** Rejected when the earlier rows of its group that count, and this one, pass `max`. Without `sum` rows are counted. */
  limits<Used extends string = never, S extends NumberSort = NumberSort>(
    reason: string,
    limit: LimitOk<Known, Used, Limit<Used, S, Columns>>,
  ): Decide<From, Own, Known, Met, Columns, Records>;
  /** Held when it holds, until `by` confirms; anyone, where `by` is left out. `always` asks about every row. */
  asks<L, A = never>(
    reason: string,
    when: ClauseOk<'asks', From, Known, L>,
    who?: { readonly by: ByOk<From, A> },
  ): Decide<From, Own, Known, Met, Columns, Records>;
  /** Not judged now: must hold when the act starts. Of what the decision bound it sees the source and what is recorded. */
  stillNeeds<L extends readonly [AnyLit, ...AnyLit[]]>(
    reason: string,
    ...when: { [I in keyof L]: StillOk<Own | L[number]['~binds'], Exclude<Known, Own>, L[I]> }
  ): Decide<From, Own, Known, Met, Columns, Records>;
  otherwiseApproves(this: Approves<From, Met, Records, this>): Decision;
  otherwiseAccepts(this: Accepts<From, Met, Records, this>): Decision;
  approvesWithoutConditions(this: Approves<From, 'needs', Records, this>, why: string): Decision;
  acceptsWithoutConditions(this: Accepts<From, 'needs', Records, this>, why: string): Decision;
}

type Judged = `proposal.${string}` | `candidate.${string}` | `queryresult.${string}`;
/** Judged whole, so that a union of atoms is refused for any of them. */
export type SourceOk<A> = 0 extends 1 & A
  ? never
  : [A] extends [AnyAtom]
    ? [Undecided<A>] extends [never]
      ? A
      : `${Undecided<A>} is not decided: decide takes a proposal, a candidate or a query result`
    : 'decide takes one atom: the row to be judged';
type Undecided<A> =
  A extends SourceAtom<Judged, string, string, string, unknown, unknown>
    ? never
    : A extends Atom<infer Name, string, string, string>
      ? Name
      : never;
export type SourceOf<A> =
  A extends SourceAtom<infer Name, string, string, string, infer Columns, infer Records>
    ? { name: Name; columns: Columns; records: Records }
    : never;

/** What a refusing clause may read: what a rejection of its source may, by the kind of the source. Shared by all decisions of a kind. */
type Kind<From extends string> = From extends `proposal.${string}` ? 'proposal' : 'candidate';
/** The answers that a decision may read: those about its own source. */
type OwnAnswer<From extends string> = From extends `proposal.queryRequested.${string}`
  ? 'confirmed.queryExecute'
  : From extends `proposal.${infer Own}`
    ? `confirmed.${Own}`
    : From extends `${string}.${infer Own}`
      ? `confirmed.${Own} (candidate)`
      : never;

type NeedOk<Clause extends string, From extends string, A> = 0 extends 1 & A
  ? never
  : A extends Atom<string, infer Reads, string, string>
    ? [Exclude<Reads, ApprovedNames>] extends [OwnAnswer<From>]
      ? A
      : NotFirm<Clause, Exclude<Reads, ApprovedNames>>
    : `${Clause} takes one atom: what refuses goes into rejects(reason, condition)`;
type NotFirm<Clause extends string, Read extends string> = Read extends `confirmed.${string}` | `decision.held.${string}` | `due.${string}`
  ? Unread<Clause, Read>
  : `${Plain<Read>} is evidence: ${Clause} takes trusted or approved rows${Clause extends 'needs' ? OrSay : ''}`;
type OrSay = ". If a model's word is enough here, say needsEvidence";
type EvidenceOk<From extends string, A> = 0 extends 1 & A
  ? never
  : A extends Atom<string, infer Reads, string, string>
    ? [Exclude<Reads, Readable[Kind<From>]>] extends [OwnAnswer<From>]
      ? A
      : Unread<'needsEvidence', Exclude<Reads, Readable[Kind<From>]>>
    : 'needsEvidence takes one atom: what refuses goes into rejects(reason, condition)';
type Unread<Clause extends string, Read extends string> = Read extends `confirmed.${string}`
  ? `${Clause}: ${Plain<Read>} is an answer to another source`
  : Read extends `decision.held.${string}`
    ? `${Clause}: ${Plain<Read>} is a status, which no decision reads`
    : Read extends `due.${string}`
      ? `${Clause}: ${Read} is for invariants. Read intent.* or admitted.* instead`
      : Read extends `query.${string}`
        ? `${Clause}: ${Read} is evaluated on demand. Read queryresult.* instead`
        : `${Clause}: ${Plain<Read>} is a wish, and a candidate is judged on candidates. Go through decision.approved.*`;
type BoundBy<A> = A extends Lit<string, infer Binds, string> ? Binds : never;

type NotYet<
  Clause extends string,
  Used extends string,
> = `${Clause}: variable ${Used} is not bound yet. Bind it in the source or in an earlier needs`;
type ClauseOk<Clause extends string, From extends string, Known extends string, L> = 0 extends 1 & L
  ? never
  : L extends Lit<infer Reads, string, infer Needs>
    ? [Exclude<Needs, Known>] extends [never]
      ? [Exclude<Reads, Readable[Kind<From>]>] extends [OwnAnswer<From>]
        ? L
        : Unread<Clause, Exclude<Reads, Readable[Kind<From>]>>
      : NotYet<Clause, Exclude<Needs, Known>>
    : L;
type Recordable<Known extends string, Used extends string, Columns> = [keyof Columns] extends [never]
  ? 'records: the declaration of the source names no column that is still to be recorded'
  : [Exclude<Used, Known>] extends [never]
    ? Columns
    : NotYet<'records', Exclude<Used, Known>>;

export interface Limit<Used extends string, S extends NumberSort, Columns> {
  readonly sum?: Var<Used, S>;
  readonly per: { readonly [K in keyof Columns]?: Term<Used, Columns[K]> };
  readonly max: number | Var<Used, NoInfer<S>>;
}
/** Before anything is typed, `Used` is any string: the editor is then told what a limit looks like. */
type LimitOk<Known extends string, Used extends string, L> = string extends Used
  ? L
  : [Exclude<Used, Known>] extends [never]
    ? L
    : NotYet<'limits', Exclude<Used, Known>>;

/** Judged whole, so that a union of rows is refused for any of them. */
type ByOk<From extends string, A> = 0 extends 1 & A
  ? never
  : [Extract<NeedOk<'by', From, A>, string>] extends [never]
    ? [WithoutBy<A>] extends [never]
      ? A
      : 'by: use the variable `by`, who confirms, in this atom'
    : Extract<NeedOk<'by', From, A>, string>;
type WithoutBy<A> = A extends Lit<string, infer Binds, string> ? ('by' extends Binds ? never : A) : A;

/** `Past`: variables that were bound when the decision was made, and are not kept with it. */
type StillOk<Known extends string, Past extends string, L> = 0 extends 1 & L
  ? never
  : L extends Lit<infer Reads, infer Binds, infer Needs>
    ? [Extract<Binds | Needs, Past>] extends [never]
      ? [Exclude<Needs, Known>] extends [never]
        ? [Exclude<Reads, ApprovedNames>] extends [never]
          ? L
          : `stillNeeds: ${Plain<Exclude<Reads, ApprovedNames>>} is fallible: an act starts on trusted and approved rows`
        : NotYet<'stillNeeds', Exclude<Needs, Known>>
      : IsPast<Extract<Binds | Needs, Past>>
    : L;

type IsPast<Used extends string> =
  `stillNeeds: variable ${Used} was bound when the decision was made. Record it, or use another variable for what holds at the start`;

type Approves<From extends string, Met, Records, This> = From extends `candidate.${string}`
  ? `${From} is a candidate: it is accepted, not approved. Use otherwiseAccepts()`
  : [Met] extends ['needs']
    ? Complete<From, Records, This>
    : `${From} has no needs: an approval without conditions is written approvesWithoutConditions("why this is safe")`;
type Accepts<From extends string, Met, Records, This> = From extends `proposal.${string}`
  ? `${From} is a proposal: it is approved, not accepted. Use otherwiseApproves()`
  : [Met] extends ['needs']
    ? Complete<From, Records, This>
    : `${From} has no needs: an acceptance without conditions is written acceptsWithoutConditions("why this is safe")`;
type Complete<From extends string, Records, This> = [keyof Records] extends [never]
  ? This
  : `${From} is declared with records: give ${keyof Records & string} with .records({ ... })`;
