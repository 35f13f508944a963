/**
 * Plays a program in a world of its own, twice: all facts at once; and in any order, in small batches, a third of them taken back and put in again.
 *
 * Reads  a neutral program and a seed.
 * Gives  every difference from what is expected, each with the way in which it was played.
 * Never  keeps anything between two programs.
 */
import { isCountersignError, open, type Report } from '../../src/index.ts';
import { convert, type Converted, type Fact } from './convert.ts';
import { differences, type Outcome, type Said } from './compare.ts';
import type { NeutralProgram, Row } from './neutral.ts';

export interface Played {
  readonly id: string;
  readonly failures: readonly string[];
}

export async function play(program: NeutralProgram, seed: number): Promise<Played> {
  const converted = convert(program);
  const atOnce = await outcomeOf(converted, [[{ rows: converted.facts }]]);
  const failures = differences(program, atOnce).map((difference) => `at once: ${difference}`);
  const piecemeal = await outcomeOf(converted, changesOf(converted.facts, seed));
  return { id: program.id, failures: [...failures, ...differences(program, piecemeal).map((difference) => `seed ${seed}: ${difference}`)] };
}

const from = { session: 's1', actor: 'suite' };

async function outcomeOf(converted: Converted, batches: readonly (readonly Report[])[]): Promise<Outcome> {
  try {
    const world = await open(converted.program);
    for (const reports of batches) {
      const outcome = await world.observe({ ...from, reports });
      if (outcome.status === 'refused') return refusal(converted, [{ code: 'refused', text: outcome.refusal.detail, trail: [] }]);
    }
    return { rows: rowsOf(world.model(), converted) };
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return refusal(
      converted,
      error.issues.map(({ code, what, trail }) => ({ code, text: `${code}: ${what}`, trail })),
    );
  }
}

function refusal({ nameOf }: Converted, issues: readonly Said[]): Outcome {
  return { issues, nameOf };
}

function rowsOf(model: { rows(relation: string): Iterable<object> }, { relations }: Converted): ReadonlyMap<string, readonly Row[]> {
  return new Map(
    relations.map(({ name, converted, columns }) => {
      // The neutral format has strings and numbers only.
      const rows = [...model.rows(converted)] as Readonly<Record<string, string | number>>[];
      return [name, rows.map((row): Row => columns.map((column) => row[column] as string | number))];
    }),
  );
}

/**
 * Each fact comes; of a third of them it goes and comes again. In any order, cut into batches of any small size.
 *
 * Shape   a report for each change: of two changes of one key in a batch the later holds.
 */
function changesOf(facts: readonly Fact[], seed: number): readonly (readonly Report[])[] {
  const random = randomOf(seed);
  const timed = facts.flatMap((fact) => {
    const times = random() < 1 / 3 ? [random(), random(), random()].sort((a, b) => a - b) : [random()];
    return times.map((time, i) => ({ time, report: i === 1 ? { rows: [], ends: [fact] } : { rows: [fact] } }));
  });
  const reports = timed.sort((a, b) => a.time - b.time).map(({ report }) => report);
  const sizeMax = Math.max(3, Math.ceil(facts.length / 20));
  const batches: Report[][] = [];
  while (reports.length > 0) batches.push(reports.splice(0, 1 + Math.floor(random() * sizeMax)));
  return batches;
}

/** Mulberry32: the same numbers for the same seed, on every machine. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
