/**
 * What a confirmation card shows, as one digest: an answer is to these values and to no others.
 *
 * Reads  a reason, then names and values in turn.
 * Gives  SHA-256 over the canonical JSON of that list.
 * Never  fails on what a column holds: every value of a column has a canonical text.
 */
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { FunctionDefinition, Value } from '../../dsl/ir.ts';

export const SHOWN: FunctionDefinition = Object.freeze({
  name: 'shown',
  version: '1',
  // As many as the card has values; the loader writes the call, so there is no arity to check.
  input: Object.freeze([]),
  output: z.string(),
  implementation: (...args: Value[]): string => sha256(canonicalJson(args)),
});
