/**
 * What else may not grow with what is past or waits: starting acts, failed receipts, refusals, rows set aside, groups that wait.
 *
 * Gives  the time of one transition, as a ratio to the same where less is past or waits.
 * Never  names a cause; the README does.
 */
import type { Outcome } from '../src/index.ts';
import { compared, medians, SEED, thousands, type Line } from './measure.ts';
import { policies, shopOf, type Shop } from './shop.ts';

const sizes = [1_000, 10_000] as const;
const waiting = [50, 500] as const;
const samples = 40;

export async function history(): Promise<Line[]> {
  const plain = await Promise.all(sizes.map((size) => shopOf(policies.plain, size, 100, SEED)));
  const letters = await Promise.all(sizes.map((size) => shopOf(policies.letters, size, 100, SEED)));
  return [
    ...(await ofShops('an act is started', sizes, plain, async (shop) => (await shop.admitted()).start)),
    ...(await ofShops('an act is started, and one rests on it', sizes, letters, async (shop) => (await shop.admitted()).start)),
    ...(await ofShops('an act is reported as failed', sizes, plain, failing)),
    ...(await ofShops('a batch is refused by an invariant', sizes, plain, async (shop) => () => shop.say('no'), 'refused')),
    ...(await ofShops('a note is set aside', sizes, plain, async (shop) => () => shop.note('no'))),
    ...(await ofWaiting('said beside rows that wait', policies.waiting)),
    ...(await ofWaiting('said beside groups that wait', policies.together)),
  ];
}

async function failing(shop: Shop): Promise<() => Promise<Outcome>> {
  const { start, fail } = await shop.admitted();
  await start();
  return fail;
}

async function ofWaiting(name: string, policy: unknown): Promise<Line[]> {
  const shops = await Promise.all(waiting.map((size) => shopOf(policy, size, 10, SEED, 1)));
  return ofShops(name, waiting, shops, async (shop) => () => shop.say('hello'));
}

/** Each act is prepared while no clock runs. */
async function ofShops(
  name: string,
  counts: readonly number[],
  shops: readonly Shop[],
  prepare: (shop: Shop) => Promise<() => Promise<Outcome>>,
  expected: Outcome['status'] = 'committed',
): Promise<Line[]> {
  const ready = await Promise.all(shops.map(prepare));
  let next = 0;
  const acts = shops.map((_, i) => async () => {
    next = i;
    const { status } = await (ready[i] as () => Promise<Outcome>)();
    if (status !== expected) throw new Error(`${name}: ${status}`);
  });
  const times = await medians(acts, samples, async () => (ready[next] = await prepare(shops[next] as Shop)));
  const [base = Number.NaN] = times;
  return counts.map((count, i) => compared(name, thousands(count), times[i] ?? 0, base, '1'));
}
