/**
 * A program after its declarations are merged and its decisions are written out as rules: what checks, plan and world read.
 *
 * Reads  nothing; types only.
 * Gives  relations by name with their sorts, sources and intents, and rules whose heads are views or verdicts.
 * Never  holds builder values: names, sorts and IR only, so that a cast has nothing to hide behind.
 */
import type { Columns, DeclarationIR, FunctionDefinition, Literal, Location, Term, Value } from '../../dsl/ir.ts';
import type { Sort } from '../../dsl/value.ts';
import type { ZodType } from 'zod';

export interface Column {
  readonly name: string;
  readonly sort: Sort;
  readonly schema: ZodType;
  /** Stamped by the runtime: optional in an atom, absent from a report. */
  readonly isReserved: boolean;
}

/**
 * How a relation comes by its rows.
 * `report` base rows from reports · `record` rows the world writes from records, `open.*` and `exposure.*` and `standing.*` among them ·
 * `view` derived by rules · `query` derived on demand.
 */
export type Life = 'report' | 'record' | 'view' | 'query';

export interface Relation {
  readonly name: string;
  readonly life: Life;
  /** Declared columns in order, then reserved ones. This order is the order of the engine's columns. */
  readonly columns: readonly Column[];
  readonly key?: readonly string[];
  /** Columns of a keyed one that never fall. */
  readonly rising?: readonly string[];
}

/** What is judged: a candidate, a proposal, an action, a query's rows or a request. */
export interface Source {
  /** "refund"; "queryRequested.ordersOf" for a request. */
  readonly name: string;
  /** "proposal.refund". Its open rows are mirrored in `open.<name>`, with the same columns. */
  readonly relation: string;
  readonly grade: 'candidate' | 'proposal';
  /** What follows `decision.<verdict>.`: "refund"; "queryExecute" for every request. */
  readonly decided: string;
  /** Columns that a decision restates (declared ones of the evidence), id and stamps apart. */
  readonly payload: readonly string[];
  /** Columns of the decision with a fixed value: `{ query: "ordersOf" }` of a request. */
  readonly constants: Readonly<Record<string, Value>>;
  /** Columns that `records` fills. */
  readonly recorded: readonly string[];
  /** The intent that its approval leads to, if any: "refund", "queryExecute". */
  readonly intent?: string;
}

export interface Intent {
  readonly name: string;
  /** Identity columns; `["id"]` by default. */
  readonly identity: readonly string[];
  /** Columns of `intent.<name>` in order: `id` first, then the action's `in` columns. */
  readonly columns: readonly string[];
}

/**
 * A rule whose head is a view, a verdict or an invariant's violation. The body is the author's, with decisions' source atoms
 * replaced by `open.<source>` (for accepted, approved, rejected, held) and heads `decision.<v>.<s>` by `verdict.<v>.<source name>`.
 */
export interface LoweredRule {
  readonly id: string;
  readonly head: { readonly relation: string; readonly columns: Columns };
  readonly body: readonly Literal[];
  /** The source that this rule judges: a failure in it rejects the row whose `id` is bound to `judged`. */
  readonly decides?: string;
  /** The variable or constant that holds the judged row's id. */
  readonly judged?: Term;
  /** Of a clause: what its author called it, as in `needs "the order is yours"`, and how many steps of its body earlier clauses gave. */
  readonly clause?: { readonly kind: string; readonly reason: string; readonly grounds: number };
  /** Of an intent: the literals that `stillNeeds` put into its body, each with the reason of its clause. */
  readonly still?: ReadonlyMap<Literal, string>;
  readonly location?: Location;
}

export interface LoweredInvariant {
  readonly name: string;
  readonly evidence: boolean;
  readonly body: readonly Literal[];
  readonly location?: Location;
}

export interface LoweredQuery {
  readonly name: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
  readonly rules: readonly LoweredRule[];
  /** SHA-256 of the canonical IR of its rules: what an admission pins. */
  readonly digest: string;
}

/**
 * Relations that lowering generates, besides those of the ontology. `S` is a source's name, `I` an intent's, `D` a decide's.
 *
 * | relation | columns | life | meaning |
 * |---|---|---|---|
 * | `open.S` | as the evidence | record | rows of the source without a final decision |
 * | `verdict.accepted|approved.S` | id, recorded columns | view | what rules would endorse |
 * | `verdict.rejected.S`, `verdict.revoked.S` | id, reason | view | |
 * | `verdict.held.S` | id, reason, shown | view | the cards of a row |
 * | `answer.S` | id, reason, shown, by, answer | view | admissible answers to a card as it is now |
 * | `decision.held.<decided>` | as declared | view | verdict.held of rows that no rule rejects (a status) |
 * | `exposure.S` | as decision.approved or accepted | record | rows that `limits` counts |
 * | `standing.I` | as intent.I | record | acts that were admitted and have not started |
 * | `due.I` | as intent.I | view | rows of intent.I that are standing |
 * | `<candidateView or proposalView>.D.<clause>` | id, variables | view | helpers of a decide: met, waits |
 * | `violation.<n>` | variables of the n-th invariant | view | its witnesses |
 */
export interface Lowered {
  readonly name: string;
  readonly digest: string;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly sources: ReadonlyMap<string, Source>;
  readonly intents: ReadonlyMap<string, Intent>;
  readonly rules: readonly LoweredRule[];
  readonly queries: ReadonlyMap<string, LoweredQuery>;
  readonly invariants: readonly LoweredInvariant[];
  /** `together`: names of sources. */
  readonly groups: readonly (readonly string[])[];
  /** Kinds of reports, projections and capabilities, for those that use them. */
  readonly declarations: readonly DeclarationIR[];
  /** By "name@version". */
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly scope: { readonly session: ZodType; readonly actor: ZodType };
}
