/**
 * A shop with a limit per actor, and worlds of it with a history of a chosen size.
 *
 * Reads  a seed, a size and a policy.
 * Gives  a world in which so many proposals were taken in, and the next steps when they are asked for.
 * Never  times anything, and never takes a number that the seed does not give.
 */
import * as z from 'zod';
import { decide, defineOntology, fn, gt, invariant, open, program, row, RowId, rule, ruleset, together } from '../src/index.ts';
import type { Outcome, Report, World } from '../src/index.ts';
import { integers } from './measure.ts';

const Cents = z.int().nonnegative();
const shop = defineOntology({
  observation: { said: { text: z.string() } },
  candidate: { note: { text: z.string() } },
  action: { refund: { in: { order: z.string(), amount: Cents }, receipt: {} }, letter: { in: { order: z.string() }, identity: ['order'] } },
  candidateView: { long: { length: z.int() } },
});
const { order, amount, actor, text } = shop.vars;
const { observation, candidate, proposal } = shop;

const judged = decide('refunds', proposal.refund({ order, amount, actor }));
const refunds = judged
  .rejects('more than any order costs', gt(amount, 1_000))
  .limits('more than one actor may give', { sum: amount, per: { actor }, max: 1_000_000_000 })
  .approvesWithoutConditions('the limit is what is measured');
const patient = judged
  .awaits('somebody names the order', observation.said({ text: order }))
  .approvesWithoutConditions('how long it waits is what is measured');
const quiet = invariant('something was said that may not be').never(observation.said({ text: 'no' }));
const letters = ruleset('letters', { one: rule(shop.intent.letter({ order })).when(shop.started.refund({ order })) });
/** It fails for one text, and the note with that text is then set aside. */
const lengthOf = fn('lengthOf', '1', [z.string()], z.int(), (given) => {
  if (given === 'no') throw new Error('no length');
  return given.length;
});
const { length } = shop.vars;
const notes = ruleset('notes', {
  long: rule(shop.candidateView.long({ length })).when(candidate.note({ text }), lengthOf(text).as(length)),
});

const parts = { name: 'shop', ontologies: [shop], invariants: [quiet] };
export const policies = {
  plain: program({ ...parts, rules: [refunds, notes] }),
  /** Every started refund leads to a letter: an act that rests on an act. */
  letters: program({ ...parts, rules: [refunds, letters] }),
  /** Rows wait until somebody names their order. */
  waiting: program({ ...parts, rules: [patient] }),
  /** As before, and the rows of one capture stand or fall together. */
  together: program({ ...parts, rules: [patient, together({ sources: [proposal.refund] })] }),
};

const capturesPerBatch = 10;

export class Shop {
  readonly world: World;
  readonly #actors: number;
  readonly #below: (bound: number) => number;
  #captures = 0;

  constructor(world: World, actors: number, seed: number) {
    this.world = world;
    this.#actors = actors;
    this.#below = integers(seed);
  }

  observe(...reports: Report[]): Promise<Outcome> {
    return this.world.observe({ session: 'session-1', actor: 'ada', reports });
  }

  /** The proposals of one reply, by the actor whose turn it is. */
  capture(rows: number): Report {
    const capture = `reply-${++this.#captures}`;
    // One wish in eleven is above what any order costs.
    const wish = (i: number) => row(proposal.refund, { order: `order-${this.#captures}-${i}`, amount: this.#below(1_100) });
    return { capture, actor: `actor-${this.#captures % this.#actors}`, rows: Array.from({ length: rows }, (_, i) => wish(i)) };
  }

  propose(): Promise<Outcome> {
    return this.observe(this.capture(1));
  }

  say(said: string): Promise<Outcome> {
    return this.observe({ rows: [row(observation.said, { text: said })] });
  }

  note(said: string): Promise<Outcome> {
    return this.observe({ capture: `note-${++this.#captures}`, rows: [row(candidate.note, { text: said })] });
  }

  /** Proposes until an act is admitted, and gives what starts it and what reports that it failed. */
  async admitted(): Promise<{ readonly start: () => Promise<Outcome>; readonly fail: () => Promise<Outcome> }> {
    for (;;) {
      const outcome = await this.propose();
      const [act] = outcome.status === 'committed' ? outcome.admitted : [];
      if (act === undefined) continue;
      const { order: its, amount: cents, id } = act.row;
      const receipt = row(shop.receipt.refund, { order: String(its), amount: Number(cents), act: RowId.parse(id), outcome: 'failed' });
      return { start: () => this.world.start('refund', act.key), fail: () => this.observe({ rows: [receipt] }) };
    }
  }
}

/** A shop with a history of proposals, `perCapture` of them in one reply. */
export async function shopOf(policy: unknown, rows: number, actors: number, seed: number, perCapture = 100): Promise<Shop> {
  const shop = new Shop(await open(policy, { openRowsMax: 1_000_000 }), actors, seed);
  for (let done = 0; done < rows; done += perCapture * capturesPerBatch) {
    const count = Math.ceil(Math.min(rows - done, perCapture * capturesPerBatch) / perCapture);
    await shop.observe(...Array.from({ length: count }, () => shop.capture(perCapture)));
  }
  return shop;
}

/** Errors  when a row of the history was not decided: then something else would be measured. */
export function checkDecided({ world }: Shop, rows: number): void {
  const decided = world.model().count('decision.approved.refund') + world.model().count('decision.rejected.refund');
  if (decided < rows) throw new Error(`${decided} of ${rows} rows were decided`);
}
