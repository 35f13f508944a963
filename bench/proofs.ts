/**
 * What a question costs: a verdict, a proof, why there is none, what withdrew a row, by the size of the model.
 *
 * Gives  the time of one question, as a ratio to the same at the smallest size; of the first one of a kind too, which finds no index.
 * Never  counts the making of the model, except for scale.
 */
import * as z from 'zod';
import {
  decide,
  defineOntology,
  ended,
  keyed,
  open,
  program,
  row,
  rule,
  ruleset,
  type Ledger,
  type Model,
  type World,
} from '../src/index.ts';
import { compared, integers, medians, milliseconds, SEED, shown, thousands, type Line } from './measure.ts';

const Cents = z.int().nonnegative();
const shop = defineOntology({
  observation: { sale: { item: z.string(), cents: Cents }, closed: keyed({ till: z.string() }, {}) },
  action: { refund: { in: { item: z.string(), amount: Cents } } },
  fact: { sold: { item: z.string(), cents: Cents }, shut: { till: z.string() } },
});
const { item, cents, amount, actor, till } = shop.vars;
const refunds = decide('refunds', shop.proposal.refund({ item, amount, actor }))
  .needs('it was sold', shop.observation.sale({ item, cents }))
  .limits('what one actor may give', { sum: amount, per: { actor }, max: 1_000 })
  .otherwiseApproves();
const views = ruleset('views', {
  sold: rule(shop.fact.sold({ item, cents })).when(shop.observation.sale({ item, cents })),
  shut: rule(shop.fact.shut({ till })).when(shop.observation.closed({ till })),
});
const policy = program({ name: 'shop', ontologies: [shop], rules: [refunds, views] });

const rowsPerBatch = 100_000;
const samples = 200;
/** Questions after which an index is worth its price. */
const warm = 80;

export const proofs = () => ofSizes([10_000, 100_000, 1_000_000]);
/** Only where it is asked for: it takes minutes, and more memory than node takes by itself. */
export const proofs10m = () => ofSizes([100_000, 10_000_000]);

/** A question of a row that is another one each time. */
type Question = (model: Model, which: number) => unknown;

async function ofSizes(sizes: readonly number[]): Promise<Line[]> {
  const lines: Line[] = [];
  const worlds: World[] = [];
  for (const size of sizes) {
    const world = await open(policy, { ledger: forgetful() });
    const made = await milliseconds(() => fill(world, size));
    lines.push({
      name: 'a model of so many reported rows and as many derived, per row',
      size: thousands(size),
      value: shown(made / size),
      near: 'for scale',
    });
    const first = await milliseconds(() => wishFor(world));
    lines.push({
      name: '  its first wishes, and the indexes that judging them takes',
      size: thousands(size),
      value: shown(first),
      near: 'for scale',
    });
    worlds.push(world);
  }
  const [smallest = 0] = sizes;
  const below = integers(SEED);
  for (const [name, ask] of Object.entries(questions(below, smallest))) lines.push(...(await ofQuestion(name, sizes, worlds, ask)));
  return lines;
}

function questions(below: (bound: number) => number, size: number): Readonly<Record<string, Question>> {
  const some = () => `item-${below(size)}`;
  return {
    'verdict of a denial by a limit': (model) => model.verdict('c1.3'),
    'verdict of an approval': (model) => model.verdict('c1.1'),
    'why a row was denied': (model) => model.why('decision.rejected.refund', { id: 'c1.3' }),
    'why not approved': (model) => model.whyNot('decision.approved.refund', { id: 'c1.3' }),
    'why a fact is so': (model) => model.why('fact.sold', { item: some() }),
    'why a fact is not so': (model, which) => model.whyNot('fact.sold', { item: `no-item-${which}` }),
    'what withdrew a fact': (model) => model.whyGone('fact.shut', { till: 'north' }),
  };
}

async function ofQuestion(name: string, sizes: readonly number[], worlds: readonly World[], ask: Question): Promise<Line[]> {
  let which = 0;
  const acts = worlds.map((world) => () => {
    if (ask(world.model(), which++) === undefined) throw new Error(`${name}: nothing is said`);
  });
  const firsts: number[] = [];
  for (const act of acts) firsts.push(await milliseconds(act));
  for (const act of acts) for (let i = 0; i < warm; i++) act();
  const times = await medians(acts, samples);
  const [base = Number.NaN] = times;
  return sizes.flatMap((size, i) => [
    compared(name, thousands(size), times[i] ?? 0, base, '1'),
    { name: '  the first of its kind', size: thousands(size), value: shown(firsts[i] ?? 0), near: 'for scale' },
  ]);
}

/** Sales, of which no item comes twice, and a till that was closed and is open again. */
async function fill(world: World, size: number): Promise<void> {
  const below = integers(SEED);
  for (let done = 0; done < size; done += rowsPerBatch) {
    const rows = Array.from({ length: Math.min(rowsPerBatch, size - done) }, (_, i) =>
      row(shop.observation.sale, { item: `item-${done + i}`, cents: below(10_000) }),
    );
    await world.observe({ session: 's', actor: 'till', reports: [{ rows }] });
  }
}

async function wishFor(world: World): Promise<void> {
  const observe = (reports: Parameters<World['observe']>[0]['reports']) => world.observe({ session: 's', actor: 'ada', reports });
  const wish = (which: number, cost: number) => row(shop.proposal.refund, { item: `item-${which}`, amount: cost });
  await observe([{ capture: 'c1', rows: [wish(1, 400), wish(2, 400), wish(3, 400)] }]);
  await observe([{ rows: [row(shop.observation.closed, { till: 'north' })] }]);
  await observe([{ rows: [], ends: [ended(shop.observation.closed, { till: 'north' })] }]);
}

/** A ledger that keeps nothing: its entries would be the larger part of what is held. */
function forgetful(): Ledger {
  return { append: () => undefined, read: async () => [] };
}
