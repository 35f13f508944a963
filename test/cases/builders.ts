/**
 * The language's public builders as a converter sees them: names and columns come from a file, so no type can know them.
 *
 * Reads  the package's own entry.
 * Gives  the same functions under types that take any name.
 * Never  reaches past the entry: what a program on paper cannot say, a converted one does not say either.
 */
import type * as z from 'zod';
import * as countersign from '../../src/index.ts';

/** A literal, an atom, a rule, a program: what a builder gives is opaque, and only another builder takes it. */
export interface Built {
  readonly built: unique symbol;
}
export interface BuiltVariable extends Built {
  readonly name: string;
}
export interface BuiltExpression extends Built {
  as(variable: BuiltVariable): Built;
}
export type Operand = BuiltVariable | BuiltExpression | string | number | boolean;
export type BuiltColumns = Readonly<Record<string, BuiltVariable | string | number>>;
export type BuiltRelation = Built & ((columns: BuiltColumns) => Built);
export type BuiltFunction = (...args: readonly Operand[]) => BuiltExpression;
export interface BuiltOntology extends Built {
  readonly observation: Readonly<Record<string, BuiltRelation>>;
  readonly fact: Readonly<Record<string, BuiltRelation>>;
}
type Shape = Readonly<Record<string, z.ZodType>>;
type Compare = (left: Operand, right: Operand) => Built;
type Compute = (left: Operand, right: Operand) => BuiltExpression;
type AggregateOver = (relation: BuiltRelation, range: { readonly of?: string; readonly per: BuiltColumns }) => BuiltExpression;

export interface Builders {
  defineOntology(declarations: {
    readonly observation: Readonly<Record<string, Built>>;
    readonly fact: Readonly<Record<string, Shape>>;
  }): BuiltOntology;
  keyed(key: Shape, columns: Shape): Built;
  vars(shape: Shape): Readonly<Record<string, BuiltVariable>>;
  fn(name: string, version: string, input: readonly z.ZodType[], output: z.ZodType, run: (...args: never[]) => unknown): BuiltFunction;
  rule(head: Built): { when(...body: readonly Built[]): Built };
  ruleset(name: string, rules: Readonly<Record<string, Built>>): Built;
  program(parts: { readonly name: string; readonly ontologies: readonly Built[]; readonly rules: readonly Built[] }): countersign.Program;
  not(literal: Built): Built;
  readonly eq: Compare;
  readonly neq: Compare;
  readonly gt: Compare;
  readonly gte: Compare;
  readonly lt: Compare;
  readonly lte: Compare;
  readonly plus: Compute;
  readonly minus: Compute;
  readonly times: Compute;
  readonly countOf: AggregateOver;
  readonly sumOf: AggregateOver;
  readonly minOf: AggregateOver;
  readonly maxOf: AggregateOver;
}

// One cast for all: the types above are weaker than the language's own, which would want every name at compile time.
export const builders = countersign as unknown as Builders;
