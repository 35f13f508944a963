/**
 * Functions of your own in rules: pure, synchronous, versioned.
 *
 * Reads  column types for its arguments and its result, and an implementation.
 * Gives  a function that builds a call, as data; the implementation hangs on the call out of sight of every digest.
 * Never  runs here. Its identity is name, version and types: a change of behaviour is a change of version.
 */
import type * as z from 'zod';
import { called, expressionIR, listOf } from './carry.ts';
import { DEFINITION, type Call, type FunctionDefinition } from './ir.ts';
import { CountersignError, issue } from './issue.ts';
import { expression, type Expr, type Schema, type Sort, type Val } from './term.ts';
import { describe, isSchema, isList } from './value.ts';

/** Called with values or variables of its input types. */
export interface Fn<Input extends readonly Schema[], Output extends Schema> {
  <Reads extends string = never, Used extends string = never>(
    ...args: { [K in keyof Input]: Argument<Reads, Used, z.output<Input[K]>> }
  ): Expr<Reads, Used, Sort<z.output<Output>>>;
  readonly definition: FunctionDefinition;
}
/** A value of no other sort has the second one: the compiler shows it where an argument has another. */
export type Argument<Reads extends string, Used extends string, T> = T | Val<Reads, Used, Sort<T> | DeclaredSort<Sort<T>>>;
type DeclaredSort<S extends string> = `the function declares ${S} for this argument`;

export function fn<const Input extends readonly Schema[], Output extends Schema>(
  name: string,
  version: string,
  input: Input,
  output: Output,
  implementation: (...args: { [K in keyof Input]: z.output<Input[K]> }) => z.output<Output>,
): Fn<Input, Output> {
  const types = typesOf(name, version, input, output, implementation);
  const ir = { name, version, input: Object.freeze(types), output, implementation };
  // The types of the parameters are checked above; arguments and results are checked whenever it is called.
  const definition = Object.freeze(ir) as never as FunctionDefinition;
  const call = (...args: unknown[]) => expression(callIR(definition, args));
  return Object.freeze(Object.assign(call, { definition })) as unknown as Fn<Input, Output>;
}

/** What a function needs to be one: all that is wrong is told at once. Whether its types are those of columns is told where it is called. */
function typesOf(name: unknown, version: unknown, input: unknown, output: unknown, implementation: unknown): readonly unknown[] {
  const place = typeof name === 'string' ? `fn ${describe(name)}` : 'fn';
  const types = isList(input) ? listOf(input, `${place}: its argument types`) : [];
  const faults = [
    ...(isText(name) ? [] : [`fn: its name is ${describe(name)}, and no text`]),
    ...(isText(version) ? [] : [`${place}: its version is ${describe(version)}, and no text`]),
    ...(isList(input) ? [] : [`${place}: its argument types are ${called(input)}, and no list of zod schemas`]),
    ...types.flatMap((type, index) =>
      isSchema(type) ? [] : [`${place}: the type of argument ${index + 1} is ${called(type)}, and no zod schema`],
    ),
    ...(isSchema(output) ? [] : [`${place}: the type of its result is ${called(output)}, and no zod schema`]),
    ...(typeof implementation === 'function' ? [] : [`${place}: its implementation is ${called(implementation)}, and no function`]),
  ];
  if (faults.length > 0) throw new CountersignError(faults.map((what) => issue('dsl/argument-type', what)));
  return types;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function callIR(definition: FunctionDefinition, args: readonly unknown[]): Call {
  const { name, version } = definition;
  const ir = { call: name, version, args: Object.freeze(args.map((arg, index) => expressionIR(arg, `argument ${index + 1} of ${name}`))) };
  return Object.defineProperty(ir, DEFINITION, { value: definition });
}
