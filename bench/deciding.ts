/**
 * Deciding costs what changes: one more proposal after a short history and after a long one.
 *
 * Gives  the time of one `observe`, as a ratio to the same at the shortest history.
 * Never  times the history itself, except for scale.
 */
import { compared, medians, milliseconds, SEED, shown, thousands, type Line } from './measure.ts';
import { shopOf, type Shop } from './shop.ts';

const samples = 300;

export async function deciding(): Promise<Line[]> {
  return [
    ...(await ofHistories('one more proposal, 100 actors', [1_000, 10_000, 50_000], 100)),
    ...(await ofHistories('one more proposal, all of one actor', [1_000, 10_000], 1)),
  ];
}

async function ofHistories(name: string, sizes: readonly number[], actors: number): Promise<Line[]> {
  const shops: Shop[] = [];
  const built: Line[] = [];
  for (const size of sizes) {
    const time = await milliseconds(async () => shops.push(await shopOf(size, actors, SEED)));
    built.push({ name: '  its history, per row', size: thousands(size), value: shown(time / size), near: 'for scale' });
  }
  const times = await medians(
    shops.map(({ propose }) => propose),
    samples,
  );
  const [base = Number.NaN] = times;
  return sizes.flatMap((size, i) => [compared(name, thousands(size), times[i] ?? 0, base, '1'), ...built.slice(i, i + 1)]);
}
