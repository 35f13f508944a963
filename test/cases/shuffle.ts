/**
 * Other orders of the same program: its rules and bodies shuffled, its facts piece by piece, a third of them taken back and put in again.
 *
 * Reads  a neutral program or its converted facts, and a seed.
 * Gives  what means the same; the same for the same seed, on every machine.
 * Never  changes what an aggregate ranges over.
 */
import type { Report } from '../../src/index.ts';
import type { Fact } from './convert.ts';
import type { NeutralProgram, Rule } from './neutral.ts';

/** Rules and literals in another order, and in every other rule with a body one literal twice. */
export function shuffled(program: NeutralProgram, seed: number): NeutralProgram {
  const random = randomOf(seed);
  const again = ({ head, body }: Rule): Rule => {
    const some = body[Math.floor(random() * body.length)];
    // An aggregate that stands twice gives its result twice, which is another program.
    const isDoubled = some !== undefined && !('agg' in some) && random() < 0.5;
    return { head, body: inAnyOrder(isDoubled ? [...body, some] : body, random) };
  };
  return { ...program, rules: inAnyOrder(program.rules.map(again), random) };
}

/**
 * Each fact comes; of a third of them it goes and comes again. In any order, cut into batches of any small size.
 *
 * Shape   a report for each change: of two changes of one key in a batch the later holds. `first` come before all others, and stay.
 */
export function changesOf(facts: readonly Fact[], first: ReadonlySet<string>, seed: number): readonly (readonly Report[])[] {
  const random = randomOf(seed);
  const timed = facts.flatMap((fact) => {
    if (first.has(fact.relation)) return [{ time: 0, report: { rows: [fact] } }];
    const times = random() < 1 / 3 ? [random(), random(), random()].sort((a, b) => a - b) : [random()];
    return times.map((time, i) => ({ time, report: i === 1 ? { rows: [], ends: [fact] } : { rows: [fact] } }));
  });
  const reports = timed.sort((a, b) => a.time - b.time).map(({ report }) => report);
  const sizeMax = Math.max(3, Math.ceil(facts.length / 20));
  const batches: Report[][] = [];
  while (reports.length > 0) batches.push(reports.splice(0, 1 + Math.floor(random() * sizeMax)));
  return batches;
}

/** Relations whose absence lets a rule count on: without their facts such a program has no end. */
export function boundsOf(program: NeutralProgram): readonly string[] {
  const counting = program.rules.filter(({ head }) => head.args.some((term) => 'op' in term));
  return counting.flatMap(({ body }) => body.flatMap((literal) => ('atom' in literal && literal.neg === true ? [literal.atom.rel] : [])));
}

function inAnyOrder<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
