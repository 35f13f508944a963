/**
 * Values of a column, from its schema: what a report may hold there, with the values that matter more likely than the rest.
 *
 * Reads  the column's zod schema, and values that other rows and rules have.
 * Gives  an arbitrary of which every value passes the check that ingress makes.
 * Never  tries for ever: where a schema takes next to nothing of what can be made, it says so and asks for an arbitrary.
 */
import fc from 'fast-check';
import * as z from 'zod';
import type { Value } from '../../../dsl/ir.ts';
import { sortName, sortOf, valueFault, type Sort } from '../../../dsl/value.ts';

/** Values that rows and rules have, by the name of their sort: "string<OrderId>". Rows that hold them meet in joins. */
export type Pool = ReadonlyMap<string, readonly Value[]>;

export const NO_POOL: Pool = new Map();
/** Numbers that rules compare with, whatever their sort. */
export const CONSTANTS = '(constants)';

/** Sampled when the arbitrary is made: of a schema that takes fewer of them, `filter` would search for long. */
const samples = 200;
const takenMin = 4;

/** `where` names the column in the error. */
export function valuesOf(schema: z.ZodType, where: string, pool: Pool = NO_POOL): fc.Arbitrary<Value> {
  const sort = sortOf(schema);
  if (sort === undefined) throw new Error(`${where} has no type of a column`);
  const isTaken = (value: Value) => valueFault(schema, sort, value) === undefined;
  const own = (pool.get(sortName(sort)) ?? []).filter(isTaken);
  const near = nearBy(sort, schema, pool).filter(isTaken);
  const made = madeOf(sort, schema);
  const some = (weight: number, values: readonly Value[]) =>
    values.length === 0 ? [] : [{ weight, arbitrary: fc.constantFrom(...values) }];
  const taken = fc.sample(made, { numRuns: samples, seed: 1 }).filter(isTaken);
  if (taken.length >= takenMin)
    return fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: made }, ...some(6, own), ...some(2, near)).filter(isTaken);
  // The values that it met are the only ones that are known to be taken.
  if (own.length + near.length > 0) return fc.constantFrom(...own, ...near);
  throw new Error(`${where}: next to no value that could be made passes its schema; give an arbitrary for it in \`columns\``);
}

/** Values around those that the program compares with and around the ends of the range; names of a fixed spelling, so that two rows meet. */
function nearBy(sort: Sort, schema: z.ZodType, pool: Pool): Value[] {
  if (sort.base === 'string') return ['1', '2', '3'].map((n) => `${(sort.brand ?? 'text').toLowerCase()}-${n}`);
  if (sort.base !== 'integer' && sort.base !== 'number') return [];
  const { least, most } = boundsOf(schema);
  const known = [...(pool.get(sortName(sort)) ?? []), ...(pool.get(CONSTANTS) ?? [])];
  const numbers = known.filter((one) => typeof one === 'number');
  // Parts of what is known fit where the whole does not: several of them fill a budget.
  return [...numbers, least, most, 0]
    .flatMap((one) => [one - 1, one, one + 1])
    .concat(numbers.flatMap((one) => [2, 3, 10].map((n) => Math.floor(one / n))));
}

function madeOf(sort: Sort, schema: z.ZodType): fc.Arbitrary<Value> {
  switch (sort.base) {
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...(sort.members ?? []));
    case 'integer': {
      const { least, most } = boundsOf(schema);
      return fc.integer({ min: Math.ceil(least), max: Math.floor(most) });
    }
    case 'number': {
      const { least, most } = boundsOf(schema);
      return fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    }
    case 'string':
      return stringsOf(schema);
  }
}

function stringsOf(schema: z.ZodType): fc.Arbitrary<string> {
  const { minLength, maxLength, pattern, allOf = [] } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const patterns = [pattern, ...allOf.map((one) => one.pattern)].filter((one) => one !== undefined);
  const [first] = patterns;
  if (first !== undefined) {
    try {
      return fc.stringMatching(new RegExp(first, 'u'));
    } catch {
      // fast-check knows most patterns and not all: what it makes without one is filtered.
    }
  }
  return fc.string({
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    unit: 'grapheme',
  });
}

function boundsOf(schema: z.ZodType): { readonly least: number; readonly most: number } {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const [low, high] = [
    Number(minimum ?? exclusiveMinimum ?? Number.MIN_SAFE_INTEGER),
    Number(maximum ?? exclusiveMaximum ?? Number.MAX_SAFE_INTEGER),
  ];
  return { least: Math.max(low, Number.MIN_SAFE_INTEGER), most: Math.min(high, Number.MAX_SAFE_INTEGER) };
}
