/**
 * What the neutral format computes and the language does not: division, powers, floats and strings, as declared functions.
 *
 * Reads  an operator's or function's name and the types of its arguments.
 * Gives  one function of the language for each name and types, made once, so that a program declares it once.
 * Never  gives -0: the language has no such value, and `-0` of the suites equals `0`.
 */
import * as z from 'zod';
import type { Type } from './neutral.ts';
import type { BuiltFunction, Builders } from './builders.ts';

export const schemaOf = { string: z.string(), int: z.int(), float: z.number() } as const satisfies Record<Type, z.ZodType>;

type Implementation = (...args: never[]) => string | number | boolean;
interface Definition {
  readonly name: string;
  readonly gives: Type | 'boolean';
  readonly run: Implementation;
}

export function functionOf(builders: Builders, word: string, types: readonly Type[]): BuiltFunction {
  const definition = definitionOf(word, types);
  const name = `${definition.name}${types.map((type) => type[0]?.toUpperCase() + type.slice(1)).join('')}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const output = definition.gives === 'boolean' ? z.boolean() : schemaOf[definition.gives];
  const built = builders.fn(
    name,
    '1',
    types.map((type) => schemaOf[type]),
    output,
    withoutNegativeZero(definition.run),
  );
  made.set(name, built);
  return built;
}
const made = new Map<string, BuiltFunction>();

function definitionOf(word: string, types: readonly Type[]): Definition {
  const number: Type = types.includes('float') ? 'float' : 'int';
  const first = types[0] ?? 'int';
  const definitions = new Map<string, Definition>([
    // A constant that stands where the language wants a variable or an expression.
    ['same', { name: 'same', gives: first, run: (value: number) => value }],
    ['+', { name: 'add', gives: number, run: (a: number, b: number) => a + b }],
    ['-', { name: 'subtract', gives: number, run: (a: number, b: number) => a - b }],
    ['*', { name: 'multiply', gives: number, run: (a: number, b: number) => a * b }],
    ['neg', { name: 'negate', gives: number, run: (a: number) => -a }],
    [
      '/',
      {
        name: 'divide',
        gives: number,
        run: number === 'float' ? (a: number, b: number) => a / b : (a: number, b: number) => Math.trunc(a / b),
      },
    ],
    ['%', { name: 'remainder', gives: number, run: (a: number, b: number) => a % b }],
    ['^', { name: 'power', gives: number, run: (a: number, b: number) => a ** b }],
    ['min2', { name: 'least', gives: number, run: (...values: number[]) => Math.min(...values) }],
    ['max2', { name: 'greatest', gives: number, run: (...values: number[]) => Math.max(...values) }],
    ['ratio', { name: 'ratio', gives: 'float', run: (sum: number, count: number) => sum / count }],
    ['to_number', { name: 'toNumber', gives: 'int', run: (value: string | number) => Math.trunc(Number(value)) }],
    ['to_string', { name: 'toText', gives: 'string', run: (value: string | number) => String(value) }],
    ['concat', { name: 'concat', gives: 'string', run: (...texts: string[]) => texts.join('') }],
    ['strlen', { name: 'byteLength', gives: 'int', run: (text: string) => bytes(text).length }],
    ['substr', { name: 'substring', gives: 'string', run: substring }],
    ['match', { name: 'matches', gives: 'boolean', run: (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`).test(text) }],
    ['contains', { name: 'contains', gives: 'boolean', run: (part: string, text: string) => text.includes(part) }],
  ]);
  const definition = definitions.get(word);
  if (definition === undefined) throw new Error(`the neutral format has no function ${word}`);
  return definition;
}

function withoutNegativeZero(run: Implementation): Implementation {
  return (...args) => {
    const value = run(...args);
    return typeof value === 'number' ? value + 0 : value;
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Positions and lengths count bytes, as `strlen` does. */
function substring(text: string, start: number, length: number): string {
  return new TextDecoder().decode(bytes(text).slice(start, start + length));
}
