/**
 * What may be called while source is read: the builders of the language, zod, and what plain JavaScript has for lists and texts.
 *
 * Gives  values by the names that source has for them.
 * Never  lets source reach a constructor, the platform or its own functions: those are read, not run.
 */
import * as z from 'zod';
import { countOf, maxOf, minOf, sumOf } from '../dsl/aggregate.ts';
import { capability, projection, reportKind } from '../dsl/declaration.ts';
import { decide } from '../dsl/decide.ts';
import { fn } from '../dsl/fn.ts';
import { always, and, eq, gt, gte, lt, lte, neq, not, oneOf, or } from '../dsl/literal.ts';
import { defineOntology } from '../dsl/ontology.ts';
import { program, together } from '../dsl/program.ts';
import { evidenceInvariant, invariant, rule, ruleset } from '../dsl/rule.ts';
import { keyed, recorded } from '../dsl/shape.ts';
import { ActorId, CaptureId, RowId, SessionId } from '../dsl/stamp.ts';
import { minus, plus, times, vars } from '../dsl/term.ts';
import { brand } from '../dsl/value.ts';

/** What takes a program and runs: it is not run here, and what it is given must be a program. */
const RUNNING = Object.fromEntries(['load', 'open', 'dependencies', 'reasons', 'rulesOf'].map((name) => [name, runner(name)]));
export const RUNNERS: ReadonlySet<unknown> = new Set(Object.values(RUNNING));

function runner(name: string): () => never {
  return () => {
    throw new Error(`${name} runs, and is not read`);
  };
}

/** By the name under which the face exports them; `vars` and the identities are values, not functions. */
export const BUILDERS: Readonly<Record<string, unknown>> = Object.freeze({
  ...RUNNING,
  ...{ countOf, maxOf, minOf, sumOf, decide, capability, projection, reportKind, fn },
  ...{ always, and, eq, gt, gte, lt, lte, neq, not, oneOf, or },
  ...{ defineOntology, program, together, evidenceInvariant, invariant, rule, ruleset, keyed, recorded },
  ...{ ActorId, CaptureId, RowId, SessionId, minus, plus, times, vars, brand },
});

/** Builders of whole parts: one of these that nothing reaches is told. */
export const PARTS: ReadonlySet<unknown> = new Set([
  defineOntology,
  program,
  decide,
  rule,
  ruleset,
  invariant,
  evidenceInvariant,
  together,
]);

/** Parts that are judged without what cannot be followed in them. */
export const WHOLES: ReadonlySet<unknown> = new Set([program, ruleset]);

export const ZOD: Readonly<Record<string, unknown>> = { ...z, z };

/** What gives the same for the same numbers. */
const MATHS = {
  abs: (x: number) => Math.abs(x),
  ceil: (x: number) => Math.ceil(x),
  floor: (x: number) => Math.floor(x),
  max: (...all: number[]) => Math.max(...all),
  min: (...all: number[]) => Math.min(...all),
  round: (x: number) => Math.round(x),
  trunc: (x: number) => Math.trunc(x),
};

/** Globals that are values, or namespaces of functions without effects. */
export const GLOBALS: Readonly<Record<string, unknown>> = Object.freeze({
  undefined,
  NaN,
  Infinity,
  Object,
  Array,
  Math: MATHS,
  Number,
  String,
  Boolean,
  JSON,
});

const LISTS = [
  ...['at', 'concat', 'every', 'filter', 'find', 'findLast', 'flat', 'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'map', 'push'],
  ...['reduce', 'reverse', 'slice', 'some', 'sort', 'unshift'],
];
const TEXTS = [
  ...['at', 'charAt', 'concat', 'endsWith', 'includes', 'indexOf', 'lastIndexOf', 'replace', 'replaceAll', 'slice', 'split', 'startsWith'],
  ...['substring', 'toLowerCase', 'toString', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'],
];

const NATIVES: ReadonlySet<unknown> = new Set([
  ...[Number, String, Boolean],
  ...membersOf(Array.prototype, LISTS),
  ...membersOf(String.prototype, TEXTS),
  ...membersOf(Number.prototype, ['toFixed', 'toString']),
  ...membersOf(Array, ['from', 'isArray', 'of']),
  ...membersOf(JSON, ['stringify']),
  ...Object.values(MATHS),
  ...membersOf(Number, ['isFinite', 'isInteger', 'isSafeInteger', 'parseFloat', 'parseInt']),
  ...membersOf(Object, ['assign', 'entries', 'freeze', 'fromEntries', 'keys', 'values']),
]);

function membersOf(holder: object, names: readonly string[]): unknown[] {
  return names.map((name) => (holder as Readonly<Record<string, unknown>>)[name]);
}

/** What leads from a value to the platform. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...['__proto__', 'apply', 'arguments', 'bind', 'call', 'callee', 'caller', 'constructor', 'prototype'],
  ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'],
]);

/** A member of a value, as far as source may read it. */
export function memberOf(value: unknown, name: string): { readonly value: unknown } | undefined {
  if (value === null || value === undefined || FORBIDDEN.has(name)) return undefined;
  const holder = Object(value) as Readonly<Record<string, unknown>>;
  return { value: holder[name] };
}

/**
 * Whether a function may be called while source is read: natives by the list above, and whatever the language or zod has made.
 * Methods of a schema are bound, so they look like natives; of a list, a text or a namespace only those of the list are meant.
 */
export function mayCall(called: (...args: never[]) => unknown, receiver: unknown): boolean {
  if (NATIVES.has(called)) return true;
  const isNative = String(called).includes('[native code]');
  return !isNative || (typeof receiver === 'object' && receiver !== null && '_zod' in receiver);
}
