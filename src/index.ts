/**
 * The published face: the language, the loader and the world.
 *
 * Reads  everything below.
 * Gives  the names that an application imports.
 * Never  adds behaviour: what it exports is owned by the file that it comes from.
 */
export { countOf, maxOf, minOf, sumOf } from '../dsl/aggregate.ts';
export { decide } from '../dsl/decide.ts';
export { useDigest } from '../dsl/digest.ts';
export { capability, projection, reportKind } from '../dsl/declaration.ts';
export { fn } from '../dsl/fn.ts';
export { CountersignError, isCountersignError } from '../dsl/issue.ts';
export { always, and, eq, gt, gte, lt, lte, neq, not, oneOf, or } from '../dsl/literal.ts';
export { defineOntology } from '../dsl/ontology.ts';
export { program, together } from '../dsl/program.ts';
export { answer, ended, row } from '../dsl/report.ts';
export { evidenceInvariant, invariant, rule, ruleset } from '../dsl/rule.ts';
export { keyed, recorded } from '../dsl/shape.ts';
export { ActorId, CaptureId, RowId, SessionId } from '../dsl/stamp.ts';
export { minus, plus, times, vars } from '../dsl/term.ts';
export { brand } from '../dsl/value.ts';
export { memory } from './ledger/ledger.ts';
export { dependencies, load, reasons, rulesOf } from './load/load.ts';
export { goneText, open, premiseText, proofMermaid, proofText } from './world.ts';

export type { Decide, Decision } from '../dsl/decide-types.ts';
export type { Capability, Projection, ReportKind } from '../dsl/declaration.ts';
export type { Fn } from '../dsl/fn.ts';
export type { Value } from '../dsl/ir.ts';
export type { Issue, IssueCode } from '../dsl/issue.ts';
export type { AnyAtom, AnyLit, Atom, Comparison, Lit, SourceAtom } from '../dsl/literal.ts';
export type { Ontology } from '../dsl/ontology-types.ts';
export type { Program, Together } from '../dsl/program.ts';
export type { Ledger } from './ledger/ledger.ts';
export type { GivenReason, Reach, RuleInWords } from './load/load.ts';
export type {
  Activity,
  Authorization,
  Difference,
  Gone,
  Model,
  OpenOptions,
  Outcome,
  Premise,
  Reason,
  Standing,
  Verdict,
  Why,
  WhyNot,
  World,
  WorldSnapshot,
} from './world.ts';
export type { Batch, Card, LedgerEntry, LedgerRecord, Report, ReportRow, Row } from '../dsl/record.ts';
export type { KeyedRelation, Relation, Source } from '../dsl/relation.ts';
export type { Head, Invariant, Rule, Ruleset } from '../dsl/rule.ts';
export type { Action, Declarations, Keyed, Query, Recorded } from '../dsl/shape.ts';
export type { Expr, Sort, Term, Val, Var } from '../dsl/term.ts';
