/**
 * The digests that the loader writes into rules: what a card shows, and what an act is called that no proposal names.
 *
 * Reads  names and values in turn.
 * Gives  SHA-256 over the canonical JSON of that list.
 * Never  fails on what a column holds: every value of a column has a canonical text.
 */
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { DEFINITION, type Call, type Expression, type FunctionDefinition, type Value } from '../../dsl/ir.ts';

/** An answer is to these values and to no others. */
const SHOWN = digesting('shown');
/** The same identity is the same act, whoever derives it. */
const ACT = digesting('act');

export function shownDigest(args: readonly Expression[]): Call {
  return call(SHOWN, args);
}

export function actId(args: readonly Expression[]): Call {
  return call(ACT, args);
}

/** Whether the loader wrote the call: of these no author wrote a word. */
export function isOwnDigest(definition: FunctionDefinition): boolean {
  return definition === SHOWN || definition === ACT;
}

function digesting(name: string): FunctionDefinition {
  return Object.freeze({
    name,
    version: '1',
    // As many as there are values; the loader writes the call, so there is no arity to check.
    input: Object.freeze([]),
    output: z.string(),
    implementation: (...args: Value[]): string => sha256(canonicalJson(args)),
  });
}

function call(definition: FunctionDefinition, args: readonly Expression[]): Call {
  return Object.defineProperty({ call: definition.name, version: definition.version, args }, DEFINITION, { value: definition });
}
