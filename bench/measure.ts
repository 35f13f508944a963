/**
 * Measuring: medians of acts that take turns, seeded numbers, and the memory that something holds.
 *
 * Reads  acts, as functions without arguments.
 * Gives  milliseconds and bytes; numbers that are the same for the same seed.
 * Never  judges a figure: a line says what its ratio should be near, and a reader compares.
 */
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One line of the table. */
export interface Line {
  readonly name: string;
  readonly size: string;
  readonly value: string;
  /** This line's figure over that of what it is compared with; none where the line is only for scale. */
  readonly ratio?: number;
  readonly near: string;
}

export const SEED = 20_240_611;

/** Numbers from 0 to below 1 by mulberry32: the same seed gives the same ones on every machine. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whole numbers from 0 to below a bound. */
export function integers(seed: number): (below: number) => number {
  const next = numbers(seed);
  return (below) => Math.floor(next() * below);
}

export async function milliseconds(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/**
 * The median time of each act, in milliseconds.
 *
 * Shape  the acts take turns, so that whatever else the machine does falls on all of them alike; the first tenth is not counted,
 *        since it also compiles. `between` runs after each act and is not timed.
 */
export async function medians(acts: readonly (() => unknown)[], samples: number, between: () => unknown = () => undefined) {
  const times: number[][] = acts.map(() => []);
  const warm = Math.ceil(samples / 10);
  for (let sample = 0; sample < samples + warm; sample++) {
    for (const [i, act] of acts.entries()) {
      const time = await milliseconds(act);
      if (sample >= warm) times[i]?.push(time);
      await between();
    }
  }
  return times.map(median);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** The bytes that what `make` gives keeps alive: objects and typed arrays. */
export async function bytesOf(make: () => unknown): Promise<number> {
  const before = await heldBytes();
  // In a list, so that it is alive while the second figure is taken.
  const held = [await make()];
  const bytes = (await heldBytes()) - before;
  held.length = 0;
  return bytes;
}

async function heldBytes(): Promise<number> {
  // Typed arrays are given back beside the program, some time after a collection has found them dead.
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await setTimeout(20);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

let collector: (() => void) | undefined;

/** Collects garbage. Node offers that only behind a flag, and a flag can be set from inside. */
export function collect(): void {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  // Twice, since what the first one finds dead may have kept typed arrays alive.
  collector();
  collector();
}

/** A time in a unit in which it has digits. */
export function shown(time: number): string {
  if (time >= 100) return `${time.toFixed(0)} ms`;
  return time >= 1 ? `${time.toFixed(1)} ms` : `${(time * 1_000).toFixed(time >= 0.01 ? 0 : 1)} us`;
}

/** A line that compares a time with another one. */
export function compared(name: string, size: string, time: number, base: number, near: string): Line {
  return { name, size, value: shown(time), ratio: time / base, near };
}

/** A size in rows, as short as it reads. */
export function thousands(count: number): string {
  return count >= 1_000 && count % 1_000 === 0 ? `${count / 1_000}k` : String(count);
}
