/**
 * Plays a program in a world of its own, twice: as it is written, with all facts at once; and shuffled, with its facts in small batches.
 *
 * Reads  a neutral program and a seed.
 * Gives  every difference from what is expected, each with the way in which it was played.
 * Never  keeps anything between two programs.
 */
import { isCountersignError, open, type Report } from '../../src/index.ts';
import { convert, type Converted } from './convert.ts';
import { differences, type Outcome, type RowsOf, type Said } from './compare.ts';
import type { NeutralProgram, Row } from './neutral.ts';
import { boundsOf, changesOf, shuffled } from './shuffle.ts';

export interface Played {
  readonly id: string;
  readonly failures: readonly string[];
}

export async function play(program: NeutralProgram, seed: number): Promise<Played> {
  const written = convert(program);
  const atOnce = await outcomeOf(written, [[{ rows: written.facts }]]);
  const other = convert(shuffled(program, seed));
  const first = new Set(boundsOf(program).map((relation) => `observation.${other.nameOf(relation)}`));
  const piecemeal = await outcomeOf(other, changesOf(other.facts, first, seed));
  const failures = [
    ...differences(program, atOnce).map((difference) => `at once: ${difference}`),
    ...differences(program, piecemeal).map((difference) => `seed ${seed}: ${difference}`),
  ];
  return { id: program.id, failures };
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

function rowsOf(model: { rows(relation: string): Iterable<object> }, { relations }: Converted): RowsOf {
  return (relation) => {
    const known = relations.find(({ name }) => name === relation);
    if (known === undefined) return [];
    // The neutral format has strings and numbers only.
    const rows = [...model.rows(known.converted)] as Readonly<Record<string, string | number>>[];
    return rows.map((row): Row => known.columns.map((column) => row[column] as string | number));
  };
}
