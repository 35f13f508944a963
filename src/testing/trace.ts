/**
 * The place of a step in the author's test, so that a failure points at the line where the step was written.
 *
 * Reads  the stack at the moment when the step is added.
 * Gives  an error whose trace begins there, and the place as text.
 * Never  formats a stack before it is needed: most steps hold.
 */
import { locationIn } from '../../dsl/location.ts';

export interface Trace {
  readonly stack?: string | undefined;
}

/** Frames above the author's: `traced`, what adds a step, and the method that was called. */
const OWN = 3;

export function traced(): Trace {
  return new Error();
}

/** The error with the author's frames for its own; `own` are those above them. */
export function pointedAt<E extends Error>(error: E, trace: Trace, own = OWN): E {
  const frames = framesOf(trace, own);
  if (frames.length > 0) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}

/** "file:line:column", or nothing where the engine tells nothing. */
export function placeOf(trace: Trace): string {
  const [first] = framesOf(trace);
  return first === undefined ? '' : (locationIn(first.trim()) ?? '');
}

function framesOf({ stack = '' }: Trace, own = OWN): string[] {
  return stack
    .split('\n')
    .filter((line) => line.trim().startsWith('at ') || line.includes('@'))
    .slice(own);
}
