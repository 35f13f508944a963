/**
 * Deciding costs what changes: one more proposal after a short history and after a long one, and the rows of one batch.
 *
 * Gives  the time of one `observe`, as a ratio to the same at the shortest history.
 * Never  times the history itself, except for scale.
 */
import { compared, median, medians, milliseconds, SEED, shown, thousands, type Line } from './measure.ts';
import { checkDecided, policies, type Shop, shopOf } from './shop.ts';

const samples = 300;
const batchSamples = 5;

export async function deciding(): Promise<Line[]> {
  return [
    ...(await ofHistories('one more proposal, 100 actors', [1_000, 10_000, 50_000], 100)),
    ...(await ofHistories('one more proposal, all of one actor', [1_000, 10_000], 1)),
    ...(await ofBatch('proposals of one reply, per row', [100, 1_000])),
  ];
}

async function ofHistories(name: string, sizes: readonly number[], actors: number): Promise<Line[]> {
  const shops: Shop[] = [];
  const built: Line[] = [];
  for (const size of sizes) {
    const time = await milliseconds(async () => shops.push(await shopOf(policies.plain, size, actors, SEED)));
    built.push({ name: '  its history, per row', size: thousands(size), value: shown(time / size), near: 'for scale' });
  }
  shops.forEach((shop, i) => checkDecided(shop, sizes[i] ?? 0));
  const times = await medians(
    shops.map((shop) => () => shop.propose()),
    samples,
  );
  const [base = Number.NaN] = times;
  return sizes.flatMap((size, i) => [compared(name, thousands(size), times[i] ?? 0, base, '1'), ...built.slice(i, i + 1)]);
}

/** Rows of one actor that come together: each decision changes the sum that all those still open are judged by. */
async function ofBatch(name: string, sizes: readonly number[]): Promise<Line[]> {
  const shop = await shopOf(policies.plain, 1_000, 1, SEED);
  const times: number[][] = sizes.map(() => []);
  for (let sample = 0; sample < batchSamples; sample++) {
    for (const [i, size] of sizes.entries()) {
      const reply = shop.capture(size);
      times[i]?.push((await milliseconds(() => shop.observe(reply))) / size);
    }
  }
  const [base = Number.NaN, ...rest] = times.map(median);
  return [base, ...rest].map((time, i) => compared(name, thousands(sizes[i] ?? 0), time, base, '1'));
}
