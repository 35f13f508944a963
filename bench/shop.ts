/**
 * A shop with a limit per actor, and worlds of it with a history of a chosen size.
 *
 * Reads  a seed and a size.
 * Gives  a world in which so many proposals were decided, and the next proposal when it is asked for.
 * Never  leaves a row open: what is measured is one more row after many that are done with.
 */
import * as z from 'zod';
import { decide, defineOntology, gt, open, program, row, together, type Batch, type Outcome, type World } from '../src/index.ts';
import { integers } from './measure.ts';

const Cents = z.int().nonnegative();
const shop = defineOntology({
  observation: { said: { text: z.string() } },
  action: { refund: { in: { order: z.string(), amount: Cents }, receipt: {} } },
});
const { order, amount, actor } = shop.vars;

const refunds = decide('refunds', shop.proposal.refund({ order, amount, actor }))
  .rejects('more than any order costs', gt(amount, 1_000))
  .limits('more than one actor may give', { sum: amount, per: { actor }, max: 1_000_000_000 })
  .approvesWithoutConditions('the limit is what is measured');
const parts = { name: 'shop', ontologies: [shop], rules: [refunds] };
export const policy = program(parts);
/** The same shop, where the rows of one capture stand or fall together. */
export const grouped = program({ ...parts, rules: [refunds, together({ sources: [shop.proposal.refund] })] });

const rowsPerCapture = 100;
const capturesPerBatch = 10;

export interface Shop {
  readonly world: World;
  /** One more proposal, of an actor with a history. */
  readonly propose: () => Promise<Outcome>;
}

/** Errors  when a row of the history was not decided, since then something else would be measured. */
export async function shopOf(rows: number, actors: number, seed: number, rules: unknown = policy): Promise<Shop> {
  const world = await open(rules, { openRowsMax: 1_000_000 });
  const below = integers(seed);
  let captures = 0;
  const capture = (length: number) => ({
    capture: `reply-${++captures}`,
    actor: `actor-${captures % actors}`,
    // One wish in eleven is above what any order costs.
    rows: Array.from({ length }, (_, i) => row(shop.proposal.refund, { order: `order-${captures}-${i}`, amount: below(1_100) })),
  });
  const batch = (reports: Batch['reports']): Batch => ({ session: 'session-1', actor: 'ada', reports });
  for (let done = 0; done < rows; done += rowsPerCapture * capturesPerBatch) {
    const count = Math.ceil(Math.min(rows - done, rowsPerCapture * capturesPerBatch) / rowsPerCapture);
    await world.observe(batch(Array.from({ length: count }, () => capture(rowsPerCapture))));
  }
  const model = world.model();
  const decided = model.count('decision.approved.refund') + model.count('decision.rejected.refund');
  if (decided < rows) throw new Error(`${decided} of ${rows} rows were decided`);
  return { world, propose: () => world.observe(batch([capture(1)])) };
}
