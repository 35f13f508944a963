/**
 * Digests: canonical JSON, and SHA-256 over its bytes.
 *
 * Reads  plain data; rejects what JSON cannot say.
 * Gives  the RFC 8785 text of a value, and the hex digest of a text, synchronously on every platform.
 * Never  imports a platform's own crypto: who has a faster one hands it in, and it is tried before it is trusted.
 */
import { sha256 as portable } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CountersignError, issue } from './issue.ts';
import { describe } from './value.ts';

/** UTF-8 text in, 64 lower-case hex digits out. */
export type DigestFunction = (text: string) => string;

/**
 * The one text of a value: keys sorted by UTF-16 units, numbers as ECMAScript prints them (RFC 8785). A member that is undefined is none.
 *
 * Cost    about that of JSON.stringify and a sort of each object's keys; every record of a ledger passes through it.
 * Errors  `dsl/not-canonical` for NaN, infinities, lone surrogates, cycles, functions and other things that JSON has no text for.
 */
export function canonicalJson(value: unknown): string {
  return textOf(value, 0);
}

const PLAIN = /^[ !#-[\]-~]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Deeper than any record of ours; a cycle ends here too. */
const depthMax = 500;

function textOf(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      // Most strings are names: printable ASCII stands as it is.
      if (PLAIN.test(value)) return `"${value}"`;
      return LONE_SURROGATE.test(value) ? refuse('the string holds a lone surrogate') : JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : refuse(`${value} is no number of JSON`);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth > depthMax) refuse(`a cycle, or values nested deeper than ${depthMax}`);
      return Array.isArray(value) ? itemsOf(value, depth) : membersOf(value, depth);
    default:
      return refuse(`a ${typeof value} has no JSON text`);
  }
}

function itemsOf(items: readonly unknown[], depth: number): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '[' : ','}${textOf(item, depth + 1)}`;
  return text === '' ? '[]' : `${text}]`;
}

function membersOf(value: object, depth: number): string {
  let members = '';
  for (const name of inOrder(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members === '' ? '{' : ','}${textOf(name, depth)}:${textOf(member, depth + 1)}`;
  }
  return members === '' ? '{}' : `${members}}`;
}

/** By UTF-16 units, as the RFC asks: the default order of `sort`. Most records have one key, or come in order. */
function inOrder(names: string[]): readonly string[] {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as string) > (names[i] as string)) return names.sort();
  return names;
}

function refuse(what: string): never {
  throw new CountersignError([issue('dsl/not-canonical', what)]);
}

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  return current(text);
}

const portableDigest: DigestFunction = (text) => bytesToHex(portable(utf8ToBytes(text)));
let current: DigestFunction = portableDigest;

/**
 * Puts a faster SHA-256 in place, for the whole process: `useDigest((text) => hash('sha256', text))` with the `hash` of Node's crypto.
 * Without an argument the portable one is back.
 *
 * Errors  `dsl/digest-differs` when it disagrees with the portable one on a probe; what was in use then stays in use.
 */
export function useDigest(digest: DigestFunction = portableDigest): void {
  if (typeof digest !== 'function')
    throw new CountersignError([issue('dsl/argument-type', `useDigest: ${describe(digest)} is no function from a text to its digest`)]);
  for (const probe of PROBES) {
    if (digestOf(digest, probe) === portableDigest(probe)) continue;
    throw new CountersignError([issue('dsl/digest-differs', `the digest handed in is not SHA-256 in lower-case hex of UTF-8 text`)]);
  }
  current = digest;
}

/** What a digest that was handed in gives; one that throws gives nothing. */
function digestOf(digest: DigestFunction, text: string): string | undefined {
  try {
    return digest(text);
  } catch {
    return undefined;
  }
}

/** Empty, short, beyond ASCII and beyond the basic plane, one block and more. */
const PROBES = ['', 'abc', '\u00e9\u20ac\u{1f600}', 'a'.repeat(64), 'b'.repeat(200)];
