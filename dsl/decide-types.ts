/**
 * The types of `decide`: which clause may read what, and which variables are bound by then.
 *
 * Reads  the law, through the head that a clause is written out to.
 * Gives  a chain whose type knows its source, the variables bound so far, and what is still to be recorded.
 * Never  speaks at the end of a chain about a clause: each error sits on the clause that is wrong.
 */
import type { AnyAtom, AnyLit, Atom, Lit, SourceAtom, SourceRow } from './literal.ts';
import type { ApprovedNames, Plain, Readable } from './reads.ts';
import type { NumberSort, Term, Var } from './term.ts';

export interface Decision {
  readonly kind: 'decide';
  readonly name: string;
}

/**
 * `From`: the source. `Own`: its variables and those recorded. `Known`: variables bound so far. `Met`: "needs" once something trusted
 * is required. `Records`: "kept" once `records` has filled what the source declares. `Row`: the columns of the source.
 */
export interface Decide<
  From extends string,
  Own extends string,
  Known extends string,
  Met extends 'nothing' | 'needs',
  Records extends 'open' | 'kept',
  Row extends SourceRow,
> extends Decision {
  /** No row: rejected with the reason. Binds its variables for the clauses after it. */
  needs<A extends NeedOk<'needs', From, A> = FirmAtom>(
    reason: string,
    atom: A,
  ): Decide<From, Own, Known | BoundBy<A>, 'needs', Records, Row>;
  /** Like needs, over evidence. The lint reports it. */
  needsEvidence<A extends EvidenceOk<From, A> = ReadableAtom>(
    reason: string,
    atom: A,
  ): Decide<From, Own, Known | BoundBy<A>, Met, Records, Row>;
  /** No row: pending. Binds its variables for the clauses after it. */
  awaits<A extends NeedOk<'awaits', From, A> = FirmAtom>(reason: string, atom: A): Decide<From, Own, Known | BoundBy<A>, Met, Records, Row>;
  /** Keeps values that are true now with the decision, in the columns that the source's declaration names. */
  records<Used extends Known | Unbound<'records'> = never>(
    columns: Recordable<Used, Records, Row['recorded']>,
  ): Decide<From, Own | Used, Known, Met, 'kept', Row>;
  /** Rejected with the reason when all of it holds. */
  rejects<L extends Some<ClauseOk<'rejects', From, Known, L[number]>>>(reason: string, ...when: L): this;
  /** Rejected with the reason when all of it holds while the row waits for something or for somebody. */
  expires<L extends Some<ClauseOk<'expires', From, Known, L[number]>>>(reason: string, ...when: L): this;
  /** Rejected when the earlier rows of its group that count, and this one, pass `max`. Without `sum` rows are counted. */
  limits<Used extends Known | Unbound<'limits'> = never, S extends NumberSort = NumberSort>(
    reason: string,
    limit: Limit<Used, S, Row['declared'] & Row['stamped'] & Row['recorded']>,
  ): this;
  /** Held when it holds, until `by` confirms; anyone, where `by` is left out. `always` asks about every row. */
  asks<L extends ClauseOk<'asks', From, Known, L> = Lit<never, never, never>, A extends ByOk<From, A> = never>(
    reason: string,
    when: L,
    who?: { readonly by: A },
  ): this;
  /** Not judged now: must hold when the act starts. Of what the decision bound it sees the source and what is recorded. */
  stillNeeds<L extends Some<StillOk<Own, Known, L[number]>>>(reason: string, ...when: L): this;
  otherwiseApproves(this: Approves<From, Met, ToRecord<Records, Row['recorded']>, this>): Decision;
  otherwiseAccepts(this: Accepts<From, Met, ToRecord<Records, Row['recorded']>, this>): Decision;
  approvesWithoutConditions(this: Approves<From, 'needs', ToRecord<Records, Row['recorded']>, this>, why: string): Decision;
  acceptsWithoutConditions(this: Accepts<From, 'needs', ToRecord<Records, Row['recorded']>, this>, why: string): Decision;
}

/** The answers that a decision may read: those about its own source. */
type OwnAnswer<From extends string> = From extends `proposal.queryRequested.${string}`
  ? 'confirmed.queryExecute'
  : From extends `proposal.${infer Own}`
    ? `confirmed.${Own}`
    : From extends `${string}.${infer Own}`
      ? `confirmed.${Own} (candidate)`
      : never;

export type AnySource = SourceAtom<`${'proposal' | 'candidate' | 'queryresult'}.${string}`, string, SourceRow>;
/**
 * What bounds an argument: anything where it may stand, the sentence that refuses it where it may not. `...Ok` asks once, of the whole, so
 * that a union is refused for any of its members; only `No...` looks for the reason. `any` satisfies every other question.
 */
export type SourceOk<A> = unknown extends A ? never : [A] extends [AnySource] ? unknown : NoSource<A>;
type NoSource<A> = [A] extends [AnyAtom]
  ? `${NameOf<Exclude<A, AnySource>>} is not decided: decide takes a proposal, a candidate or a query result`
  : 'decide takes one atom: the row to be judged';
type NameOf<A> = A extends Atom<infer Name, string, string, string> ? Name : never;
export type Decided<A> = [A] extends [SourceAtom<infer Name, infer Own, infer Row>]
  ? Decide<Name, Own, Own, 'nothing', 'open', Row>
  : Decide<string, string, string, 'needs', 'kept', SourceRow>;

/** Without parameters, so that the compiler looks at the long lists in them once for all decisions. */
interface FirmLit extends Lit<ApprovedNames, string, string> {}
interface FirmAtom extends Atom<string, ApprovedNames, string, string> {}
interface ReadableLit extends Lit<Readable['candidate'], string, string> {}
interface ReadableAtom extends Atom<string, Readable['candidate'], string, string> {}

type NeedOk<Clause extends string, From extends string, A> = unknown extends A
  ? never
  : [A] extends [FirmAtom]
    ? unknown
    : NoNeed<Clause, From, A>;
type NoNeed<Clause extends string, From extends string, A> = A extends AnyAtom
  ? Exclude<A['~reads'], ApprovedNames> extends OwnAnswer<From>
    ? A
    : NotFirm<Clause, Exclude<A['~reads'], ApprovedNames>>
  : `${Clause} takes one atom: what refuses goes into rejects(reason, condition)`;
type NotFirm<Clause extends string, Read extends string> = Read extends `confirmed.${string}` | `decision.held.${string}` | `due.${string}`
  ? Unread<Clause, Read>
  : `${Plain<Read>} is evidence: ${Clause} takes trusted or approved rows${Clause extends 'needs' ? OrSay : ''}`;
type OrSay = ". If a model's word is enough here, say needsEvidence";
type EvidenceOk<From extends string, A> = unknown extends A ? never : [A] extends [ReadableAtom] ? unknown : NoEvidence<From, A>;
type NoEvidence<From extends string, A> = A extends AnyAtom
  ? ReadsOk<'needsEvidence', From, A>
  : 'needsEvidence takes one atom: what refuses goes into rejects(reason, condition)';
type ReadsOk<Clause extends string, From extends string, L extends AnyLit> =
  Exclude<L['~reads'], Readable[Kind<From>]> extends OwnAnswer<From> ? L : Unread<Clause, Exclude<L['~reads'], Readable[Kind<From>]>>;
type Kind<From extends string> = From extends `proposal.${string}` ? 'proposal' : 'candidate';
type Unread<Clause extends string, Read extends string> = Read extends `confirmed.${string}`
  ? `${Clause}: ${Plain<Read>} is an answer to another source`
  : Read extends `decision.held.${string}`
    ? `${Clause}: ${Plain<Read>} is a status, which no decision reads`
    : Read extends `due.${string}`
      ? `${Clause}: ${Read} is for invariants. Read intent.* or admitted.* instead`
      : Read extends `query.${string}`
        ? `${Clause}: ${Read} is evaluated on demand. Read queryresult.* instead`
        : `${Clause}: ${Plain<Read>} is a wish, and a candidate is judged on candidates. Go through decision.approved.*`;
type BoundBy<A> = A extends AnyLit ? A['~binds'] : never;

type NotYet<
  Clause extends string,
  Used extends string,
> = `${Clause}: variable ${Used} is not bound yet. Bind it in the source or in an earlier needs`;
type Unbound<Clause extends string> = `${Clause}: a variable that is not bound yet. Bind it in the source or in an earlier needs`;
/** `Each`: the literals of a clause. One may use what another one binds. */
type ClauseOk<Clause extends string, From extends string, Known extends string, Each> = unknown extends Each
  ? never
  : [Each, Each] extends [ReadableLit, Lit<string, string, Known>]
    ? unknown
    : NoClause<Clause, From, Known, Each, Each>;
type NoClause<Clause extends string, From extends string, Known extends string, Each, All> = Each extends AnyLit
  ? Each['~needs'] extends Known | BoundBy<All>
    ? ReadsOk<Clause, From, Each>
    : NotYet<Clause, Exclude<Each['~needs'], Known | BoundBy<All>>>
  : AnyLit;
type Some<Each> = readonly [Each, ...Each[]];
type Recordable<Used extends string, Records, Columns> =
  ToRecord<Records, Columns> extends never
    ? 'records: the declaration of the source names no column that is still to be recorded'
    : { readonly [K in keyof Columns]: Term<Used, Columns[K]> };
type ToRecord<Records, Columns> = Records extends 'open' ? keyof Columns : never;

export interface Limit<Used extends string, S extends NumberSort, Columns> {
  readonly sum?: Var<Used, S>;
  readonly per: { readonly [K in keyof Columns]?: Term<Used, Columns[K]> };
  readonly max: number | Var<Used, NoInfer<S>>;
}

type ByOk<From extends string, A> = [A] extends [never]
  ? unknown
  : unknown extends A
    ? never
    : UsesBy<A extends FirmAtom ? A : NoNeed<'by', From, A>>;
/** What is refused already stays its sentence. */
type UsesBy<A> = A extends AnyAtom ? ('by' extends A['~binds'] ? A : 'by: use the variable `by`, who confirms, in this atom') : A;

type StillOk<Own extends string, Known extends string, Each> = unknown extends Each
  ? never
  : [Each, Each] extends [FirmLit, Lit<string, Own, Own>]
    ? unknown
    : NoStill<Own, Known, Each, Each>;
/** A variable that is known and not the decision's own was bound when the decision was made, and is not kept with it. */
type NoStill<Own extends string, Known extends string, Each, All> = Each extends AnyLit
  ? Extract<Each['~binds'] | Each['~needs'], Exclude<Known, Own>> extends never
    ? Each['~needs'] extends Own | BoundBy<All>
      ? Each['~reads'] extends ApprovedNames
        ? Each
        : `stillNeeds: ${Plain<Exclude<Each['~reads'], ApprovedNames>>} is fallible: an act starts on trusted and approved rows`
      : NotYet<'stillNeeds', Exclude<Each['~needs'], Own | BoundBy<All>>>
    : IsPast<Extract<Each['~binds'] | Each['~needs'], Exclude<Known, Own>>>
  : AnyLit;
type IsPast<Used extends string> =
  `stillNeeds: variable ${Used} was bound when the decision was made. Record it, or use another variable for what holds at the start`;

type Approves<From extends string, Met, ToRecord, This> = From extends `candidate.${string}`
  ? `${From} is a candidate: it is accepted, not approved. Use otherwiseAccepts()`
  : [Met] extends ['needs']
    ? Complete<From, ToRecord, This>
    : `${From} has no needs: an approval without conditions is written approvesWithoutConditions("why this is safe")`;
type Accepts<From extends string, Met, ToRecord, This> = From extends `proposal.${string}`
  ? `${From} is a proposal: it is approved, not accepted. Use otherwiseApproves()`
  : [Met] extends ['needs']
    ? Complete<From, ToRecord, This>
    : `${From} has no needs: an acceptance without conditions is written acceptsWithoutConditions("why this is safe")`;
type Complete<From extends string, ToRecord, This> = [ToRecord] extends [never]
  ? This
  : `${From} is declared with records: give ${ToRecord & string} with .records({ ... })`;
