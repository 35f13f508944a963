/**
 * What an author hands to the kit, checked where it is handed over: options by their names and values, a program, a world.
 *
 * Reads  whatever was given, each property once.
 * Gives  the options, as they were read; every fault of them at once.
 * Never  takes an option for absent since it is misspelt: a test that asks for less than its author thinks would pass.
 */
import { called, isRecord, optionsOf, reading, refuse } from '../../dsl/carry.ts';
import { irOf } from '../../dsl/ir.ts';
import { CountersignError, issue } from '../../dsl/issue.ts';
import { plainFault, isList } from '../../dsl/value.ts';

/** What is wrong with a value, beginning with where in it; undefined where it is as it should be. */
export type Check = (given: unknown) => string | undefined;
type Checks<Options> = { readonly [Name in keyof Options]-?: Check };

/** The options of `place`. Errors  `dsl/argument-type` for each that is unknown, and for each value that is none. */
export function taken<Options extends object>(given: Options, place: string, checks: Checks<Options>): Options {
  const options: Readonly<Record<string, unknown>> = optionsOf(given, place, Object.keys(checks));
  const faults = Object.entries<Check>(checks).flatMap(([name, check]) => {
    const fault = name in options ? check(options[name]) : undefined;
    return fault === undefined ? [] : [issue('dsl/argument-type', `${place}: ${name}: ${fault}`)];
  });
  if (faults.length > 0) throw new CountersignError(faults);
  // The checks have looked at every value; what they say of its type, the compiler cannot see.
  return options as Options;
}

/** One argument of a method. Errors  `dsl/argument-type`. */
export function check(place: string, given: unknown, is: Check): void {
  const fault = reading(place, () => is(given));
  if (fault !== undefined) refuse(`${place}: ${fault}`);
}

export const text: Check = (given) => (typeof given === 'string' && given !== '' ? plainFault(given) : `${called(given)} is no text`);

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (given) =>
    Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most
      ? undefined
      : `${called(given)} is no whole number ${range}`;
}

/** Most items of any list that an author writes or a test makes. */
const listMax = 100_000;

export function list(each: Check, least = 0): Check {
  return (given) => {
    if (!isList(given)) return `${called(given)} is no list`;
    if (given.length < least) return `the list has ${given.length} items, and ${least} at least are wanted`;
    if (given.length > listMax) return `the list has ${given.length} items, more than listMax = ${listMax}`;
    return first(Array.from(given).map((one, i) => within(`[${i}]`, each(one))));
  };
}

/** A record of which each entry is checked, its name too. */
export function entries(each: (name: string, given: unknown) => string | undefined, what = 'record'): Check {
  return (given) =>
    isRecord(given) ? first(Object.entries(given).map(([name, one]) => within(name, each(name, one)))) : `${called(given)} is no ${what}`;
}

/** A row of a report, whatever its columns hold: the world says what is wrong with those. */
export const reportRow: Check = (given) => {
  if (!isRecord(given)) return `${called(given)} is no row`;
  const { relation, columns } = given as { readonly relation?: unknown; readonly columns?: unknown };
  if (typeof relation !== 'string') return `relation: ${called(relation)} is no text`;
  return isRecord(columns) ? undefined : `columns: ${called(columns)} is no record of columns`;
};

export function oneOf(...known: readonly string[]): Check {
  return (given) => (known.includes(given as string) ? undefined : `${called(given)} is none of ${known.join(', ')}`);
}

/** An object that has these functions. */
export function having(what: string, ...names: readonly string[]): Check {
  return (given) => {
    const own = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : undefined;
    const isWhat = own !== undefined && reading(what, () => names.every((name) => typeof own[name] === 'function'));
    return isWhat ? undefined : `${called(given)} is no ${what}`;
  };
}

/** Errors  `dsl/not-ours` for what is no program. */
export function checkProgram(given: unknown, place: string): void {
  const ir = irOf(given);
  if (typeof ir === 'object' && ir !== null && 'kind' in ir && ir.kind === 'program') return;
  throw new CountersignError([issue('dsl/not-ours', `${place} was given ${called(given)}, which is no program`)]);
}

function within(where: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${where}: ${fault}`;
}

function first(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}
