/**
 * The intermediate representation: what every builder of the language leaves behind, as plain frozen data.
 *
 * Reads  nothing; the builders write it, the loader judges it, the engine and the test oracle evaluate it.
 * Gives  the shapes of terms, literals, rules, decisions, declarations and programs, and the symbol under which a value carries its own.
 * Never  holds anything but data: an implementation of a function hangs on its call under a symbol, outside the digest.
 */
import type { ZodType } from 'zod';

/** What a column may hold: a string, a boolean, a safe integer or a finite float (brands are the same values at run time). */
export type Value = string | number | boolean;

/** Every value that this library makes carries its IR under this symbol; `Symbol.for`, so that two copies of the package agree. */
export const IR: unique symbol = Symbol.for('countersign.ir');

/** Under which a `Call` carries its `FunctionDefinition`; not enumerable, so no digest sees it. */
export const DEFINITION: unique symbol = Symbol.for('countersign.function');

export interface Variable {
  readonly var: string;
}
export interface Constant {
  readonly const: Value;
}
export type Term = Variable | Constant;

/** Columns by name; a column that is left out is a wildcard in a body. */
export type Columns = Readonly<Record<string, Term>>;

export type Operator = 'plus' | 'minus' | 'times';
export interface Arithmetic {
  readonly arithmetic: Operator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface Call {
  /** The function's name; its version and types are part of the program's digest (ruling 33). */
  readonly call: string;
  readonly version: string;
  readonly args: readonly Expression[];
  readonly [DEFINITION]?: FunctionDefinition;
}
export type AggregateName = 'count' | 'sum' | 'min' | 'max';
/** Over the distinct rows of one relation whose columns equal `per`. Over nothing: 0, 0, no instance, no instance. */
export interface Aggregate {
  readonly aggregate: AggregateName;
  readonly relation: string;
  /** The column that is summed or compared; absent for a count. */
  readonly of?: string;
  readonly per: Columns;
}
export type Expression = Term | Arithmetic | Call | Aggregate;

export interface Atom {
  readonly kind: 'atom';
  readonly relation: string;
  readonly columns: Columns;
}
export type ComparisonName = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
export interface Comparison {
  readonly kind: 'comparison';
  readonly comparison: ComparisonName;
  readonly left: Expression;
  readonly right: Expression;
}
export interface OneOf {
  readonly kind: 'oneOf';
  readonly value: Expression;
  readonly members: readonly Value[];
}
export interface Negation {
  readonly kind: 'not';
  readonly literal: Atom | Comparison | OneOf;
}
export interface Conjunction {
  readonly kind: 'and';
  readonly literals: readonly Literal[];
}
export interface Disjunction {
  readonly kind: 'or';
  readonly literals: readonly Literal[];
}
/** `expression.as(variable)`: binds the variable, or compares where something else binds it. */
export interface Binding {
  readonly kind: 'bind';
  readonly variable: string;
  readonly expression: Expression;
}
export type Literal = Atom | Comparison | OneOf | Negation | Conjunction | Disjunction | Binding;

export interface FunctionDefinition {
  readonly name: string;
  readonly version: string;
  readonly input: readonly ZodType[];
  readonly output: ZodType;
  readonly implementation: (...args: never[]) => Value;
}

/** Where in the author's source something was written: "file:line:column". Outside every digest (ruling 33). */
export type Location = string;

export interface RuleIR {
  readonly kind: 'rule';
  readonly head: Atom;
  readonly body: readonly Literal[];
  readonly location?: Location;
}
export interface RulesetIR {
  readonly kind: 'ruleset';
  readonly name: string;
  /** A rule's id is `<name>.<key>`. */
  readonly rules: Readonly<Record<string, RuleIR>>;
}

export type ClauseIR = { readonly location?: Location } & (
  | { readonly clause: 'needs' | 'needsEvidence' | 'awaits'; readonly reason: string; readonly atom: Atom }
  | { readonly clause: 'rejects' | 'stillNeeds' | 'expires'; readonly reason: string; readonly literals: readonly Literal[] }
  | { readonly clause: 'limits'; readonly reason: string; readonly sum?: string; readonly per: Columns; readonly max: Term }
  | { readonly clause: 'asks'; readonly reason: string; readonly literals: readonly Literal[]; readonly by?: Atom }
  | { readonly clause: 'records'; readonly columns: Columns }
);
export interface DecideIR {
  readonly kind: 'decide';
  readonly name: string;
  readonly source: Atom;
  readonly clauses: readonly ClauseIR[];
  /** Absent: what no clause refuses stays pending. */
  readonly end?: 'approves' | 'accepts';
  /** The author's words of `approvesWithoutConditions` or `acceptsWithoutConditions`. */
  readonly unconditional?: string;
  readonly location?: Location;
}
/** Rows of these evidence relations ("proposal.refund") that stand in one capture stand or fall as one. */
export interface TogetherIR {
  readonly kind: 'together';
  readonly sources: readonly string[];
}
export interface InvariantIR {
  readonly kind: 'invariant';
  readonly name: string;
  /** True for `evidenceInvariant`: it may read everything, and is reported. */
  readonly evidence: boolean;
  readonly body: readonly Literal[];
  readonly location?: Location;
}

/** One relation of an ontology, declared or generated. */
export interface RelationIR {
  /** "observation.order", "decision.approved.refund", "proposal.queryRequested.ordersOf". */
  readonly name: string;
  /** Declared and generated columns, in order; in a head each must be given (an `id` that a decision restates apart). */
  readonly columns: Readonly<Record<string, ZodType>>;
  /** Stamped columns that an atom may read beside them: id session actor capture ordinal seq, or none. */
  readonly reserved: Readonly<Record<string, ZodType>>;
  /** Of a keyed observation: the columns whose newer report replaces the row. The empty list is one row in all. */
  readonly key?: readonly string[];
  /** Columns of a keyed observation that never fall: a report with less is refused. */
  readonly rising?: readonly string[];
  /** Of an intent and its records: the declared identity; absent means `id`. */
  readonly identity?: readonly string[];
  /** Of `decision.accepted|approved.*`: which of `columns` are filled by `records`. */
  readonly recorded?: readonly string[];
}
/** What an action, a read or a candidate was declared with, where the relations alone do not say it. */
export interface ActionIR {
  readonly name: string;
  readonly in: readonly string[];
  readonly receipt: readonly string[];
  readonly evidence: readonly string[];
  readonly identity?: readonly string[];
  /** The capability that carries the act out, where one is bound. */
  readonly capability?: string;
}
export interface QueryDeclarationIR {
  readonly name: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
}
export interface OntologyIR {
  readonly kind: 'ontology';
  readonly scope: { readonly session: ZodType; readonly actor: ZodType };
  readonly relations: Readonly<Record<string, RelationIR>>;
  readonly actions: Readonly<Record<string, ActionIR>>;
  readonly queries: Readonly<Record<string, QueryDeclarationIR>>;
  /** What the declaration itself got wrong, told with the program's other issues. */
  readonly issues: readonly DeclarationIssue[];
}
export interface DeclarationIssue {
  readonly code: string;
  readonly what: string;
}

/** Under which a `ReportKindIR` carries its mapper; not enumerable, so no digest sees it. */
export const MAPPER: unique symbol = Symbol.for('countersign.mapper');

/** A kind of report: its payload, which fields of it are fallible, and what its mapper may write. */
export interface ReportKindIR {
  readonly kind: 'reportKind';
  readonly name: string;
  readonly version: string;
  readonly payload: Readonly<Record<string, ZodType>>;
  readonly fallible: readonly string[];
  readonly writes: readonly string[];
}
/** The relations that a model-bound interface sees. */
export interface ProjectionIR {
  readonly kind: 'projection';
  readonly name: string;
  readonly shows: readonly string[];
}
/** What carries the acts of some intents out. */
export interface CapabilityIR {
  readonly kind: 'capability';
  readonly name: string;
  readonly intents: readonly string[];
  readonly consultsModel: boolean;
}
export type DeclarationIR = ReportKindIR | ProjectionIR | CapabilityIR;

export interface ProgramIR {
  readonly kind: 'program';
  readonly name: string;
  readonly ontologies: readonly OntologyIR[];
  readonly rules: readonly (RulesetIR | DecideIR | TogetherIR)[];
  readonly queries: readonly RulesetIR[];
  readonly invariants: readonly InvariantIR[];
  readonly declarations: readonly DeclarationIR[];
}

/** The IR that a value of this library carries; undefined for anything else. Never throws, also on exotic objects. */
export function irOf(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as { readonly [IR]?: unknown })[IR];
  } catch {
    return undefined;
  }
}
