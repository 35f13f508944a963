/**
 * The law in types: what a rule may read, and the sentence that the editor shows where it may not.
 *
 * Reads  the table `LAW`; a relation's name in a type is its name, with ` (candidate)` where its grade is its source's and that is one.
 * Gives  checks of a head, of each literal of a body, and of the variables of a whole rule.
 * Never  follows a path through several rules: the loader does, on names alone.
 */
import type { Grade, LAW, Namespace } from './law.ts';
import type { AnyAtom, AnyLit, Atom, Lit } from './literal.ts';

type Law = typeof LAW;
type Names<N extends Namespace> = N extends 'queryresult.outcome' ? N : `${N}.${string}`;
type Marked<Name extends string> = `${Name} (candidate)`;
/** A name as it is told to people. */
export type Plain<Name extends string> = Name extends Marked<infer Own> ? Own : Name;

/** The reads of a relation of this namespace: nothing where it is fully trusted. */
export type ReadsOf<N extends Namespace, Name extends string> = Law[N]['grade'] extends 'trusted' ? never : `${N}.${Name}`;

/** Namespaces of a grade that anyone cleared for it may read. Rules of a query are read on demand only, by each other. */
type Graded<G extends Grade | 'source'> = {
  [N in Namespace]: Law[N] extends { readonly readers: string } ? never : Law[N]['grade'] extends G ? N : never;
}[Exclude<Namespace, 'query'>];
/** Rows that a decision may rest on: trusted ones, which have no name here, and approved ones. */
export type ApprovedNames = Names<Graded<'approved'>>;
export interface Readable {
  trusted: never;
  approved: ApprovedNames;
  candidate: ApprovedNames | Names<Graded<'candidate'>> | Marked<Names<Graded<'source'>>>;
  proposal: ApprovedNames | Names<Graded<'candidate' | 'proposal' | 'source'>>;
  none: never;
}

/** What the law says of a head, by its namespace: two heads of one namespace and grade share all that is computed from it. */
type Class<Head extends string> = Head extends 'invariant' | 'evidenceInvariant'
  ? Head
  : Head extends `decision.${infer Verdict}.${string}`
    ? Head extends Marked<string>
      ? Marked<`decision.${Verdict}`>
      : `decision.${Verdict}`
    : Head extends `${infer First}.${string}`
      ? First
      : never;
type Clearance<C extends string> = C extends 'invariant'
  ? 'approved'
  : C extends Marked<string>
    ? 'candidate'
    : C extends Namespace
      ? Law[C]['reads'] extends infer Reads extends Grade | 'none'
        ? Reads
        : 'proposal'
      : 'none';
/** What `readers` in the law allows. */
type Granted<C extends string> = C extends 'invariant'
  ? Names<'confirmed' | 'due'>
  : C extends 'candidateView'
    ? Marked<Held>
    : C extends 'proposalView'
      ? Held
      : C extends 'query'
        ? Marked<Held> | Names<'query'>
        : never;
type Held = Names<'decision.held'>;
/** Answers are read by the decisions of their own source. */
type OwnAnswer<Head extends string> = Head extends `decision.${string}.${infer Own}`
  ? `confirmed.${Plain<Own>}` | Marked<`confirmed.${Plain<Own>}`>
  : never;

type Allowed<C extends string> = Readable[Clearance<C>] | Granted<C>;
type Unreadable<Head extends string, Reads extends string> = Head extends 'evidenceInvariant'
  ? never
  : Exclude<Reads, Allowed<Class<Head>> | OwnAnswer<Head>>;

/** The cut, one literal at a time. `any` is asked for first, since it answers every other question; it becomes never, which refuses it. */
export type Checked<Head extends string, L> = 0 extends 1 & L
  ? never
  : L extends Lit<infer Reads, string, string>
    ? [Unreadable<Head, Reads>] extends [never]
      ? L
      : Why<Head, Reads>
    : L;

/** A sentence for each head, since a head may be a union, and for each relation that this head may not read. */
type Why<Head extends string, Reads extends string> = Head extends string ? Sentence<Head, Unreadable<Head, Reads>> : never;
/** What was read, why not, the head, what to do. */
type Sentence<Head extends string, Read extends string> = Read extends string
  ? `${Plain<Read>}${Words[Reason<Class<Head>, Read>][0]}${Plain<Head>}${Words[Reason<Class<Head>, Read>][1]}`
  : never;

interface Words {
  toFact: [' is fallible: it cannot support ', '. Go through decision.accepted.*'];
  toIntent: [' is fallible: it cannot drive ', '. Go through decision.approved.*'];
  toRevocation: [' is fallible: ', ' reads trusted and approved rows, so that no model takes a decision back'];
  toInvariant: [
    " is a model's word, which could block transitions: ",
    ' reads trusted and approved rows. Reject it in a decision, or say evidenceInvariant',
  ];
  toApprovedView: [' is less trusted than ', ': declare a candidateView or a proposalView'];
  wish: [' is a wish: ', ' reads up to candidates. Go through decision.approved.*'];
  wishToFact: [' is a wish: it cannot support ', '. Write it from receipt.*'];
  permissionToFact: [' is about what is permitted, which does not make ', ' true. Write it from receipt.*'];
  outcomeToFact: [' says how work ended, which does not make ', ' true. Go through decision.accepted.*'];
  answerToFact: [' says who agreed, which does not make ', ' true. Write it from receipt.*'];
  answerToIntent: [' says who agreed and permits nothing: ', ' goes through decision.approved.*'];
  answer: [' is an answer to another source: ', ' may not read it. The decisions of its own source and invariants do'];
  held: [' is a status: ', ' may not read it. Evidence views, queries and evidenceInvariant do'];
  due: [' is for invariants: ', ' reads intent.* or admitted.* instead'];
  query: [' is evaluated on demand: ', ' may not read it. Request it, and read its accepted rows'];
}

type Reason<C extends string, Read extends string> =
  Read extends Names<'confirmed'>
    ? C extends 'fact'
      ? 'answerToFact'
      : C extends 'intent' | 'approvedView'
        ? 'answerToIntent'
        : 'answer'
    : Read extends Held
      ? 'held'
      : Read extends Names<'due'>
        ? 'due'
        : Read extends Names<'query'>
          ? 'query'
          : C extends 'fact'
            ? ReasonOfFact<Read>
            : C extends keyof ReasonOfClass
              ? ReasonOfClass[C]
              : 'wish';
interface ReasonOfClass {
  intent: 'toIntent';
  'decision.revoked': 'toRevocation';
  invariant: 'toInvariant';
  approvedView: 'toApprovedView';
}
type ReasonOfFact<Read extends string> =
  Read extends Names<'queryresult.outcome' | 'lifecycle'>
    ? 'outcomeToFact'
    : Read extends ApprovedNames
      ? 'permissionToFact'
      : Read extends Names<'proposal' | 'proposalView'>
        ? 'wishToFact'
        : 'toFact';

/** Range restriction, of the whole rule at once. */
export type Safe<Head extends string, Used extends string, L extends AnyLit, This> = [Unbound<Used, L>] extends [never]
  ? This
  : `${Plain<Head>}: variable ${Unbound<Used, L>} is not bound by any positive body atom`;
type Unbound<Used extends string, L extends AnyLit> = Exclude<Used | L['~needs'], L['~binds']>;

type Derivable = Names<Exclude<{ [N in Namespace]: Law[N]['reads'] extends 'none' ? never : N }[Namespace], never>>;
export type HeadOk<A> =
  A extends Atom<infer Name, string, string, infer Missing>
    ? Name extends Derivable
      ? [Missing] extends [never]
        ? A
        : `${Name}: a head must give every column; missing ${Missing}`
      : `${Name} is not derivable: only the runtime writes it`
    : 'a head is an atom of a relation';
/** The name that the law judges a head by: marked where it is a candidate's rejection. */
export type HeadName<A> =
  A extends Atom<infer Name, infer Reads, string, string>
    ? [Reads] extends [never]
      ? Name
      : Reads extends Marked<Name>
        ? Reads
        : Name
    : never;
export type HeadVariables<A> = A extends AnyAtom & { readonly '~binds': infer Used extends string } ? Used : never;
