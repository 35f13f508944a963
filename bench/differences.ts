/**
 * The exact difference of a transition, against finding it by comparing all rows before and after.
 *
 * Gives  the time of `difference()`, as a ratio to the comparison and to the same after a shorter history.
 * Never  compares unless both find the same: otherwise they would not be the same work.
 */
import type { Model, Outcome } from '../src/index.ts';
import { compared, medians, SEED, thousands, type Line } from './measure.ts';
import { policies, shopOf } from './shop.ts';

const sizes = [1_000, 10_000] as const;
const samples = 5;
const askedSamples = 100;
/** Acts of one sample: a single one is shorter than what a clock tells apart. */
const repeats = 50;

export async function differences(): Promise<Line[]> {
  const shops = await Promise.all(
    sizes.map(async (size) => {
      const { world, propose } = await proposing(size);
      const relations = [...world.plan.relations.keys()].filter(
        (name) => !/^(open|verdict|answer|exposure|standing)\.|View\.\w+\./.test(name),
      );
      const before = allRows(world.model(), relations);
      const outcome = await propose();
      const scan = () => changesBetween(before, allRows(world.model(), relations));
      if (outcome.status !== 'committed' || outcome.difference().length !== scan()) throw new Error('the two differences differ');
      return { ask: repeated(outcome.difference), scan };
    }),
  );
  const asked = await medians(
    shops.map(({ ask }) => ask),
    askedSamples,
  );
  const scanned = await medians(
    shops.map(({ scan }) => scan),
    samples,
  );
  const [base = Number.NaN] = asked;
  return sizes.flatMap((size, i) => {
    const time = (asked[i] ?? 0) / repeats;
    return [
      compared('difference(), to comparing all rows', thousands(size), time, scanned[i] ?? 0, 'far below 1'),
      compared('difference(), to that of the shorter history', thousands(size), time, base / repeats, '1'),
    ];
  });
}

async function proposing(size: number) {
  const shop = await shopOf(policies.plain, size, 100, SEED);
  return { world: shop.world, propose: () => shop.propose() };
}

function repeated(difference: (Outcome & { readonly status: 'committed' })['difference']): () => void {
  return () => {
    for (let i = 0; i < repeats; i++) difference();
  };
}

function allRows(model: Model, relations: readonly string[]): Set<string> {
  return new Set(relations.flatMap((relation) => model.rows(relation).map((row) => JSON.stringify([relation, row]))));
}

function changesBetween(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  let changes = 0;
  for (const row of after) if (!before.has(row)) changes++;
  for (const row of before) if (!after.has(row)) changes++;
  return changes;
}
