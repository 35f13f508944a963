/**
 * Names: what may be one, and which known name a misspelt one was meant to be.
 *
 * Reads  the pattern of law.ts.
 * Gives  a reason why a name is refused, and the nearest of some candidates.
 * Never  changes a name: nothing is trimmed, folded or normalised.
 */
import { NAME } from './law.ts';
import { describe } from './value.ts';

/** A program's name also goes into idempotency keys and file names: letters, digits and dashes. */
export const PROGRAM_NAME = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

/** The longest name, in characters. */
export const nameLengthMax = 200;

/** Why this is no name of a relation, column, rule or ruleset; undefined when it is one. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return `${describe(name)} is no string`;
  if (name.length > nameLengthMax) return `${describe(name)} is longer than nameLengthMax = ${nameLengthMax}`;
  return NAME.test(name) ? undefined : `${describe(name)} does not match ${String(NAME)}`;
}

/** Why this is no name of a program. */
export function programNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return `${describe(name)} is no string`;
  if (name.length > nameLengthMax) return `${describe(name)} is longer than nameLengthMax = ${nameLengthMax}`;
  return PROGRAM_NAME.test(name) ? undefined : `${describe(name)} does not match ${String(PROGRAM_NAME)}`;
}

/**
 * The candidate that a misspelt name most likely meant; undefined when none is near.
 *
 * Shape   near is a distance of at most a third of the name's length, and at least one edit; ties go to the earlier candidate.
 * Cost    O(candidates x length squared), on the way to an error only.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > nameLengthMax) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` (did you mean "order"?)`, or nothing: to stand right behind the misspelt name. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Insertions, deletions, replacements, and two neighbours that changed places, each one edit. */
function editDistance(left: string, right: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      next[column] = Math.min(
        at(previous, column) + 1,
        at(next, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(older, column - 2) + 1 : Infinity,
      );
    }
    [older, previous] = [previous, next];
  }
  return at(previous, right.length);
}
const at = (distances: readonly number[], index: number): number => distances[index] ?? Infinity;
