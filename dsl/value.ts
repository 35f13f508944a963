/**
 * Sorts and values: what a column may hold, under which name it unifies, and whether a given value is one of its own.
 *
 * Reads  a zod schema, once, when a relation is declared.
 * Gives  its sort (the name that two columns must share to meet in one variable), and checks with a reason.
 * Never  coerces: a value is stored as it came or refused, and a schema that would change it is refused at declaration.
 */
import type * as z from 'zod';
import type { Value } from './ir.ts';
import { CountersignError, issue } from './issue.ts';

const BRAND = 'countersign.brand';

/** What a logic variable ranges over. Two columns unify when `sortName` prints the same for both. */
export interface Sort {
  readonly base: 'string' | 'boolean' | 'integer' | 'number' | 'enum';
  readonly brand?: string;
  /** Of an enum, sorted. */
  readonly members?: readonly string[];
}

/** A zod brand whose name is also known at run time: a UserId never unifies with an OrderId, in the editor or in the loader. */
export function brand<const Name extends string, Schema extends Brandable>(name: Name, schema: Schema): z.core.$ZodBranded<Schema, Name> {
  const faults = [
    ...(typeof name === 'string' && name !== '' ? [] : [issue('dsl/argument-type', `brand: its name is ${describe(name)}, and no text`)]),
    ...(isSchema(schema) && typeof schema.meta === 'function'
      ? []
      : [issue('dsl/argument-type', `brand: what ${describe(name)} brands is ${describe(schema)}, and no zod schema`)]),
  ];
  if (faults.length > 0) throw new CountersignError(faults);
  try {
    // zod's own `brand` exists in types only; the metadata carries the name to the loader.
    return (schema as unknown as z.ZodType).meta({ [BRAND]: name }).brand<Name>() as unknown as z.core.$ZodBranded<Schema, Name>;
  } catch (cause) {
    throw new CountersignError([issue('dsl/argument-type', `brand: what ${describe(name)} brands throws when it is branded`)], { cause });
  }
}
/** A schema that takes metadata. Asked for by its core type: comparing one schema with `ZodType` costs the compiler 75 000 instantiations. */
type Brandable = z.core.$ZodType & { readonly meta: unknown };

/** A zod schema, by structure: two copies of zod are common. Never throws, also on exotic objects. */
export function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const { _zod: core, safeParse } = value as { readonly _zod?: { readonly def?: unknown }; readonly safeParse?: unknown };
    return typeof core?.def === 'object' && core.def !== null && typeof safeParse === 'function';
  } catch {
    return false;
  }
}

/** Never throws, also on exotic objects. */
export function brandOf(schema: z.ZodType): string | undefined {
  try {
    const name = typeof schema.meta === 'function' ? schema.meta()?.[BRAND] : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly checks?: readonly { readonly _zod?: { readonly def?: { readonly format?: string } } }[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

/** The sort of a schema; undefined where it is no column type (an object, an optional, a date, a transform). */
export function sortOf(schema: unknown): Sort | undefined {
  const base = isSchema(schema) ? baseOfSchema(schema as { readonly _zod: { readonly def: Definition } }) : undefined;
  if (base === undefined) return undefined;
  const brandName = brandOf(schema as z.ZodType);
  return brandName === undefined ? base : { ...base, brand: brandName };
}

/** What throws when it is read says of no value whether it is one. */
function baseOfSchema({ _zod: { def } }: { readonly _zod: { readonly def: Definition } }): Sort | undefined {
  try {
    return baseOf(def);
  } catch {
    return undefined;
  }
}

function baseOf(definition: Definition): Sort | undefined {
  switch (definition.type) {
    case 'string':
      return { base: 'string' };
    case 'boolean':
      return { base: 'boolean' };
    case 'number': {
      const isInteger =
        definition.format === 'safeint' || definition.checks?.some((check) => check._zod?.def?.format === 'safeint') === true;
      return { base: isInteger ? 'integer' : 'number' };
    }
    case 'enum': {
      const members = Object.values(definition.entries ?? {});
      return members.every((member) => typeof member === 'string') ? { base: 'enum', members: [...members].sort(byCodePoint) } : undefined;
    }
    default:
      return undefined;
  }
}

/** `string<OrderId>`, `integer<Cents>`, `'placed' | 'returned'`. */
export function sortName(sort: Sort): string {
  const base = sort.base === 'enum' ? (sort.members ?? []).map((member) => `'${member}'`).join(' | ') : sort.base;
  return sort.brand === undefined ? base : `${base}<${sort.brand}>`;
}

/** Integers and floats of one brand meet in a variable: every integer is a number. */
export function unifies(left: Sort, right: Sort): boolean {
  if (left === right) return true;
  const plain = (base: Sort['base']) => (base === 'integer' ? 'number' : base);
  if (plain(left.base) !== plain(right.base) || left.brand !== right.brand) return false;
  const [one = [], other = []] = [left.members, right.members];
  return one.length === other.length && one.every((member, index) => member === other[index]);
}

/** Strings compare by code point and are never normalised (ruling 25); `<` compares UTF-16 units, which differs above U+FFFF. */
export function byCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    // A surrogate stands for a code point above every unit of the basic plane.
    const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    return isHigh(a) === isHigh(b) ? a - b : isHigh(a) ? 1 : -1;
  }
  return left.length - right.length;
}

/** The largest string that a column takes, in UTF-16 units: 1 MiB. */
export const stringLengthMax = 1_048_576;

/**
 * Why a value may not stand in any column of this kind; undefined when it may. Checks the kind only, no range.
 *
 * Refuses NaN, -0, infinities, unsafe integers and lone surrogates (ruling 25), also where the schema would take them.
 */
export function kindFault(sort: Sort, value: unknown): string | undefined {
  switch (sort.base) {
    case 'string':
      return stringFault(value);
    case 'enum':
      return (
        stringFault(value) ??
        (sort.members?.includes(value as string) === true ? undefined : `${describe(value)} is none of ${sortName(sort)}`)
      );
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${describe(value)} is no boolean`;
    case 'integer':
      return numberFault(value) ?? (Number.isSafeInteger(value) ? undefined : `${describe(value)} is no safe integer`);
    case 'number':
      return numberFault(value);
  }
}

/** Why a value may stand in no column at all; undefined when it is a string, a boolean or a number that some column takes. */
export function plainFault(value: unknown): string | undefined {
  if (typeof value === 'string') return stringFault(value);
  if (typeof value === 'number') return numberFault(value);
  return typeof value === 'boolean' ? undefined : `${describe(value)} is no value of a column`;
}

function stringFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return `${describe(value)} is no string`;
  if (value.length > stringLengthMax) return `a string of ${value.length} characters is longer than stringLengthMax = ${stringLengthMax}`;
  return LONE_SURROGATE.test(value) ? 'the string holds a lone surrogate' : undefined;
}
const LONE_SURROGATE = /\p{Surrogate}/u;

function numberFault(value: unknown): string | undefined {
  if (typeof value !== 'number') return `${describe(value)} is no number`;
  if (!Number.isFinite(value)) return `${String(value)} is no finite number`;
  if (Object.is(value, -0)) return '-0 is no value: write 0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${value} is no safe integer` : undefined;
}

/** Why a value may not stand in this column: its kind, then its range. The reason is for people; the value is shown short. */
export function valueFault(schema: z.ZodType, sort: Sort, value: unknown): string | undefined {
  const fault = kindFault(sort, value);
  if (fault !== undefined) return fault;
  const parsed = parse(schema, value);
  if (parsed === undefined) return `the schema throws on ${describe(value)}`;
  if (!parsed.success) return `${describe(value)} is out of range: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`;
  return Object.is(parsed.data, value)
    ? undefined
    : `the schema changes ${describe(value)} to ${describe(parsed.data)}: a column stores what came`;
}

/** A refinement is the author's code: one that throws, or wants to wait, says no. */
function parse(schema: z.ZodType, value: unknown): ReturnType<z.ZodType['safeParse']> | undefined {
  try {
    return schema.safeParse(value);
  } catch {
    return undefined;
  }
}

/** A value in an error message: its JSON, cut at 60 characters, or its type. Never calls anything of the value's. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return value === null ? 'null' : isList(value) ? 'a list' : 'an object';
    default:
      return `a value of type ${typeof value}`;
  }
}

/** Never throws, also on a revoked proxy. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Total order of values of one kind, as `gt` and `minOf` see it: numbers by size, strings by code point. */
export function compareValues(left: Value | bigint, right: Value | bigint): number {
  if (typeof left === 'string' && typeof right === 'string') return byCodePoint(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}
