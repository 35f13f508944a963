/** The language without the loader and the world: what is compiled here pays for the language alone. */
export { countOf, maxOf, minOf, sumOf } from '../../dsl/aggregate.ts';
export { decide } from '../../dsl/decide.ts';
export { fn } from '../../dsl/fn.ts';
export type { AnyLit, Atom, Lit } from '../../dsl/literal.ts';
export { always, and, eq, gt, gte, lt, lte, neq, not, oneOf, or } from '../../dsl/literal.ts';
export { defineOntology } from '../../dsl/ontology.ts';
export { program, together } from '../../dsl/program.ts';
export type { Relation } from '../../dsl/relation.ts';
export { ended, row } from '../../dsl/report.ts';
export type { Rule } from '../../dsl/rule.ts';
export { evidenceInvariant, invariant, rule, ruleset } from '../../dsl/rule.ts';
export { keyed, recorded } from '../../dsl/shape.ts';
export { RowId, SessionId } from '../../dsl/stamp.ts';
export type { Expr } from '../../dsl/term.ts';
export { minus, plus, times, vars } from '../../dsl/term.ts';
export { brand } from '../../dsl/value.ts';
