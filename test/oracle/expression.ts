/**
 * What an expression is worth in a given environment: a value, nothing, or a failure with its words.
 *
 * Reads  an environment and a model.
 * Gives  exact results; an integer beyond the safe ones is a bigint, which may be compared and nothing else.
 * Never  caches, and never lets what a function throws escape.
 */
import { DEFINITION, type Aggregate, type Call, type Comparison, type Expression, type OneOf, type Value } from '../../dsl/ir.ts';
import { compareValues, describe, kindFault, sortOf } from '../../dsl/value.ts';
import type { Model, Tuple } from './model.ts';

/** A value of a body; a bigint only where no safe integer can hold it. */
export type Wide = Value | bigint;
export type Environment = ReadonlyMap<string, Wide>;
export type Computed =
  { readonly is: 'value'; readonly value: Wide } | { readonly is: 'nothing' } | { readonly is: 'failed'; readonly what: string };

const NOTHING: Computed = { is: 'nothing' };
const of = (value: Wide): Computed => ({ is: 'value', value: narrow(value) });
const failed = (what: string): Computed => ({ is: 'failed', what });

/** Every variable of the expression has a value in the environment. */
export function compute(expression: Expression, environment: Environment, model: Model): Computed {
  if ('const' in expression) return of(expression.const);
  if ('var' in expression) {
    const value = environment.get(expression.var);
    if (value === undefined) throw new Error(`${expression.var} has no value where it is needed`);
    return of(value);
  }
  if ('aggregate' in expression) return aggregated(expression, groupOf(expression, environment, model));
  const operands = 'call' in expression ? expression.args : [expression.left, expression.right];
  const results = operands.map((operand) => compute(operand, environment, model));
  const broken = results.find((result) => result.is !== 'value');
  if (broken !== undefined) return broken;
  const values = results.map((result) => (result as { readonly value: Wide }).value);
  return 'call' in expression
    ? called(expression, values)
    : of(arithmetic(expression.arithmetic, values[0] as number, values[1] as number));
}

/** The rows of the aggregate's relation whose columns equal `per`. */
export function groupOf(aggregate: Aggregate, environment: Environment, model: Model): Tuple[] {
  const per = Object.entries(aggregate.per).map(
    ([column, term]) => [column, 'var' in term ? environment.get(term.var) : term.const] as const,
  );
  return model.tuples(aggregate.relation).filter(({ row }) => per.every(([column, value]) => row[column] === value));
}

/** Whether the comparison holds; a failure or nothing is told as it is. */
export function compared(literal: Comparison | OneOf, environment: Environment, model: Model): boolean | Computed {
  const left = compute(literal.kind === 'oneOf' ? literal.value : literal.left, environment, model);
  if (left.is !== 'value') return left;
  if (literal.kind === 'oneOf') return literal.members.some((member) => member === left.value);
  const right = compute(literal.right, environment, model);
  if (right.is !== 'value') return right;
  const order = compareValues(left.value, right.value);
  switch (literal.comparison) {
    case 'eq':
      return order === 0;
    case 'neq':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** Whether no column can hold it: an integer beyond the safe ones, or a sum of floats beyond the finite ones. */
export function isTooWide(value: Wide): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
}

function narrow(value: Wide): Wide {
  if (typeof value === 'bigint' && value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER))
    return Number(value);
  return Object.is(value, -0) ? 0 : value;
}

function arithmetic(operator: 'plus' | 'minus' | 'times', left: number | bigint, right: number | bigint): Wide {
  const [a, b] = [BigInt(left), BigInt(right)];
  return operator === 'plus' ? a + b : operator === 'minus' ? a - b : a * b;
}

function called(call: Call, values: readonly Wide[]): Computed {
  const definition = call[DEFINITION];
  if (definition === undefined) throw new Error(`${call.call} carries no definition`);
  const wide = values.find(isTooWide);
  if (wide !== undefined) return failed(`${String(wide)} is no safe integer`);
  let result: unknown;
  try {
    // The arguments are values of the declared sorts; the loader has judged that.
    result = definition.implementation(...(values as never[]));
  } catch (error) {
    return failed((error instanceof Error ? error.message : String(error)).slice(0, 200));
  }
  const sort = sortOf(definition.output);
  if (sort === undefined || kindFault(sort, result) !== undefined) return failed(`${definition.name} returned ${describe(result)}`);
  return of(result as Value);
}

function aggregated(aggregate: Aggregate, group: readonly Tuple[]): Computed {
  if (aggregate.aggregate === 'count') return of(group.length);
  const values = group.map(({ row }) => row[aggregate.of ?? ''] as Value);
  if (aggregate.aggregate === 'sum') return of(sum(values as number[]));
  if (values.length === 0) return NOTHING;
  const sign = aggregate.aggregate === 'max' ? 1 : -1;
  return of(values.reduce((best, value) => (compareValues(value, best) * sign > 0 ? value : best)));
}

/** Exact: a sum of integers is one bigint, a sum of floats is one count of the smallest float, rounded once. */
function sum(values: readonly number[]): Wide {
  if (values.every(Number.isInteger) && values.every(Number.isSafeInteger))
    return values.reduce((total, value) => total + BigInt(value), 0n);
  const total = values.reduce((units, value) => units + unitsOf(value), 0n);
  return total < 0n ? -nearest(-total) : nearest(total);
}

/** The smallest positive float is 2^-1074, and every float is a whole number of it. */
function unitsOf(value: number): bigint {
  let [mantissa, exponent] = [Math.abs(value), 0];
  while (!Number.isInteger(mantissa)) [mantissa, exponent] = [mantissa * 2, exponent + 1];
  const units = BigInt(mantissa) << BigInt(1074 - exponent);
  return value < 0 ? -units : units;
}

/** A bigint rounds to the nearest float, ties to even, when it is made a number: so that is done on the leading bits, and scaled. */
function nearest(units: bigint): number {
  const dropped = Math.max(units.toString(2).length - 900, 0);
  const sticky = (units >> BigInt(dropped)) << BigInt(dropped) === units ? 0n : 1n;
  let [value, exponent] = [Number((units >> BigInt(dropped)) | sticky), dropped - 1074];
  for (; exponent > 0; exponent--) value *= 2;
  for (; exponent < 0; exponent++) value /= 2;
  return value;
}
