/**
 * A program: ontologies, rules, queries and invariants under one name.
 *
 * Reads  what the other builders returned.
 * Gives  frozen data with every part's IR in it, and groups of sources that stand or fall as one.
 * Never  judges: a program is a value until it is loaded, and a wrong one is a value too.
 */
import { carry, listOf, optionsOf, relationName } from './carry.ts';
import type { Capability, Projection, ReportKind } from './declaration.ts';
import type { Decision } from './decide-types.ts';
import { irOf, type ProgramIR, type TogetherIR } from './ir.ts';
import type { AnyOntology } from './ontology-types.ts';
import type { Invariant, Ruleset } from './rule.ts';

export interface Program {
  readonly kind: 'program';
  readonly name: string;
}

export interface ProgramParts {
  /** Letters, digits and dashes. It is part of the keys that the outside world sees, so it outlives versions of the program. */
  readonly name: string;
  readonly ontologies: readonly AnyOntology[];
  readonly rules?: readonly (Ruleset | Decision | Together)[];
  /** The rules of declared queries, run on demand. */
  readonly queries?: readonly Ruleset[];
  readonly invariants?: readonly Invariant[];
  /** Kinds of reports, projections and capabilities. */
  readonly declarations?: readonly (ReportKind | Projection | Capability)[];
}

export function program(parts: ProgramParts): Program {
  const given = optionsOf(parts, 'program', ['name', 'ontologies', 'rules', 'queries', 'invariants', 'declarations']);
  const { ontologies = [], rules = [], queries = [], invariants = [], declarations = [] } = given;
  // A name that is none is told when the program loads.
  const name = given.name as string;
  const ir: ProgramIR = {
    kind: 'program',
    name,
    ontologies: irsOf(ontologies, 'ontologies'),
    rules: irsOf(rules, 'rules'),
    queries: irsOf(queries, 'queries'),
    invariants: irsOf(invariants, 'invariants'),
    declarations: irsOf(declarations, 'declarations'),
  };
  return carry({ kind: 'program', name }, Object.freeze(ir));
}

/** What carries no IR stands as null, so that the loader refuses it by its place. */
function irsOf<T>(values: unknown, part: string): readonly T[] {
  return Object.freeze(listOf(values, `program: ${part}`).map((value) => (irOf(value) ?? null) as T));
}

export interface Together {
  readonly kind: 'together';
}
/** Evidence that may stand in a group. */
export interface GroupedSource {
  readonly relation: `proposal.${string}` | `candidate.${string}`;
}

/** Rows of these sources that came in one capture stand or fall as one. */
export function together(group: { readonly sources: readonly GroupedSource[] }): Together {
  const { sources: given } = optionsOf(group, 'together', ['sources']);
  const sources = Object.freeze(listOf(given, 'together: sources').map((source) => relationName(source, 'together')));
  const ir: TogetherIR = { kind: 'together', sources };
  return carry({ kind: 'together' }, Object.freeze(ir));
}
