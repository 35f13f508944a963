/**
 * Functions of your own in rules: pure, synchronous, versioned.
 *
 * Reads  column types for its arguments and its result, and an implementation.
 * Gives  a function that builds a call, as data; the implementation hangs on the call out of sight of every digest.
 * Never  runs here. Its identity is name, version and types: a change of behaviour is a change of version.
 */
import type * as z from 'zod';
import { expressionIR } from './carry.ts';
import { DEFINITION, type Call, type FunctionDefinition } from './ir.ts';
import { expression, type Expr, type Schema, type Sort, type Val } from './term.ts';

/** Called with values or variables of its input types. */
export interface Fn<Input extends readonly Schema[], Output extends Schema> {
  <Reads extends string = never, Used extends string = never>(
    ...args: { [K in keyof Input]: Argument<Reads, Used, z.output<Input[K]>> }
  ): Expr<Reads, Used, Sort<z.output<Output>>>;
  readonly definition: FunctionDefinition;
}
export type Argument<Reads extends string, Used extends string, T> = T | Val<Reads, Used, Sort<T>>;

export function fn<const Input extends readonly Schema[], Output extends Schema>(
  name: string,
  version: string,
  input: Input,
  output: Output,
  implementation: (...args: { [K in keyof Input]: z.output<Input[K]> }) => z.output<Output>,
): Fn<Input, Output> {
  const ir = { name, version, input: Object.freeze([...input]), output, implementation };
  // The types of the parameters are checked above; arguments and results are checked whenever it is called.
  const definition = Object.freeze(ir) as never as FunctionDefinition;
  const call = (...args: unknown[]) => expression(callIR(definition, args));
  return Object.freeze(Object.assign(call, { definition })) as unknown as Fn<Input, Output>;
}

function callIR(definition: FunctionDefinition, args: readonly unknown[]): Call {
  const { name, version } = definition;
  const ir = { call: name, version, args: Object.freeze(args.map((arg, index) => expressionIR(arg, `argument ${index + 1} of ${name}`))) };
  return Object.defineProperty(ir, DEFINITION, { value: definition });
}
