/**
 * Where in the author's source a rule, a decision or an invariant was written: "file:line:column".
 *
 * Reads  the stack of an Error, in the two forms that engines print it.
 * Gives  a location, or nothing where the engine tells nothing.
 * Never  throws, and never shows in a digest: the same program built elsewhere is the same program.
 */
import type { Location } from './ir.ts';

/**
 * The place that called the builder which calls this function.
 *
 * Cost    a few microseconds: the engine is asked for as many frames as are read, and one line is parsed.
 * Shape   call it in the builder itself, not in tail position, since some engines drop such frames.
 */
export function callerLocation(): Location | undefined {
  if (read !== undefined) return read;
  const frames = framesOf(shortStack());
  return frames[CALLER] === undefined ? undefined : locationIn(frames[CALLER]);
}
/** For tools that read source and build what it says: whatever `build` builds was written at this place. */
export function located<T>(location: Location, build: () => T): T {
  const outer = read;
  read = location;
  try {
    return build();
  } finally {
    read = outer;
  }
}
let read: Location | undefined;

/** Frames above the author's: `shortStack`, `callerLocation` and the builder. */
const CALLER = 3;
const stackLengthMax = 4_000;

/** Engines that let the length of a trace be set do so here. */
const traces: { stackTraceLimit?: unknown; readonly name: string } = Error;

function shortStack(): string {
  const limit = traces.stackTraceLimit;
  try {
    // A shorter trace is cheaper; an engine that freezes Error gives its usual one.
    if (typeof limit === 'number') traces.stackTraceLimit = CALLER + 1;
    const stack: unknown = new Error().stack;
    return typeof stack === 'string' ? stack.slice(0, stackLengthMax) : '';
  } catch {
    return '';
  } finally {
    restore(limit);
  }
}

function restore(limit: unknown): void {
  try {
    if (typeof limit === 'number') traces.stackTraceLimit = limit;
  } catch {
    // Frozen: nothing was changed, so nothing is to be restored.
  }
}

/** Lines that are frames: "at name (file:1:2)" of V8 and Bun, "name@file:1:2" of Firefox and Safari. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') || line.includes('@'));
}

export function locationIn(frame: string): Location | undefined {
  const place = placeIn(frame);
  const column = place.lastIndexOf(':');
  const line = place.lastIndexOf(':', column - 1);
  if (line <= 0 || !isNumber(place.slice(column + 1)) || !isNumber(place.slice(line + 1, column))) return undefined;
  return `${withoutScheme(place.slice(0, line))}${place.slice(line)}`;
}

function placeIn(frame: string): string {
  if (!frame.startsWith('at ')) return frame.slice(frame.indexOf('@') + 1);
  const open = frame.indexOf(' (');
  return open >= 0 && frame.endsWith(')') ? frame.slice(open + 2, -1) : frame.slice(3).replace(/^async /, '');
}

function isNumber(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

function withoutScheme(file: string): string {
  return file.startsWith('file:///') ? file.slice(/^file:\/\/\/[A-Za-z]:/.test(file) ? 8 : 7) : file;
}
