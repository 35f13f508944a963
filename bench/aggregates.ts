/**
 * Aggregates: one more row into a small group and into a large one.
 *
 * Gives  the time of one row in and its settlement, as a ratio to the same in the small group.
 * Never  has another group beside them: what is compared is the size of one.
 */
import * as z from 'zod';
import { countOf, defineOntology, maxOf, minOf, program, rule, ruleset, sumOf } from '../src/index.ts';
import { Engine } from '../src/engine/engine.ts';
import { load, type Plan } from '../src/load/load.ts';
import { compared, integers, medians, SEED, thousands, type Line } from './measure.ts';

const shop = defineOntology({
  observation: { sale: { region: z.string(), cents: z.int(), weight: z.number() }, region: { region: z.string() } },
  fact: { told: { region: z.string(), cents: z.int() }, heavy: { region: z.string(), weight: z.number() } },
});
const { region, cents, weight } = shop.vars;
const { observation, fact } = shop;
const per = { region };
const told = rule(fact.told({ region, cents }));
const heads = {
  count: told.when(observation.region({ region }), countOf(observation.sale, { per }).as(cents)),
  sum: told.when(observation.region({ region }), sumOf(observation.sale, { of: 'cents', per }).as(cents)),
  'sum of floats': rule(fact.heavy({ region, weight })).when(
    observation.region({ region }),
    sumOf(observation.sale, { of: 'weight', per }).as(weight),
  ),
  min: told.when(observation.region({ region }), minOf(observation.sale, { of: 'cents', per }).as(cents)),
  max: told.when(observation.region({ region }), maxOf(observation.sale, { of: 'cents', per }).as(cents)),
};

const sizes = [1_000, 50_000] as const;
const samples = 200;
/** Acts of one sample: a single one is shorter than what a clock tells apart. */
const repeats = 20;

export async function aggregates(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [name, one] of Object.entries(heads)) {
    const plan = load(program({ name: 'sales', ontologies: [shop], rules: [ruleset('totals', { one })] }));
    const groups = sizes.map((size) => groupOf(plan, size));
    const isExtreme = name === 'min' || name === 'max';
    const adding = groups.map(({ add }) => add);
    lines.push(...(await ofGroups(`${name}: one more row`, isExtreme ? ofHeap : '1', adding)));
    if (!isExtreme) continue;
    const passing = groups.map(
      ({ pass }) =>
        () =>
          pass(name === 'min' ? -1 : 1),
    );
    lines.push(...(await ofGroups(`${name}: it comes and goes`, ofHeap, passing)));
  }
  return lines;
}

/** The levels of a heap of 50,000 over those of one of 1,000. */
const ofHeap = '1 to 1.6: a heap has levels';

async function ofGroups(name: string, near: string, acts: readonly (() => void)[]): Promise<Line[]> {
  const repeated = acts.map((act) => () => {
    for (let i = 0; i < repeats; i++) act();
  });
  const times = await medians(repeated, samples);
  const [base = Number.NaN] = times;
  return sizes.map((size, i) => compared(name, thousands(size), (times[i] ?? 0) / repeats, base / repeats, near));
}

interface Group {
  readonly add: () => void;
  /** A row beyond all others comes, and goes again: the value is then the one before. */
  readonly pass: (sign: 1 | -1) => void;
}

function groupOf(plan: Plan, size: number): Group {
  const engine = new Engine(plan);
  const table = plan.tableOf.get('observation.sale') as number;
  const columns = plan.tables[table]?.columns ?? [];
  const below = integers(SEED);
  let ids = 0;
  const sale = (price: number) => {
    const values: Readonly<Record<string, string | number>> = { region: 'north', cents: price, weight: price / 7, id: `c.${++ids}` };
    return columns.map((column) => values[column] ?? 0);
  };
  const regions = plan.tableOf.get('observation.region') as number;
  engine.change(
    regions,
    (plan.tables[regions]?.columns ?? []).map((column) => (column === 'region' ? 'north' : 0)),
    1,
  );
  for (let i = 0; i < size; i++) engine.change(table, sale(below(1_000_000)), 1);
  engine.settle();
  return {
    add: () => {
      engine.change(table, sale(below(1_000_000)), 1);
      engine.settle();
    },
    pass: (sign) => {
      const row = sale(sign * 2_000_000);
      engine.change(table, row, 1);
      engine.settle();
      engine.change(table, row, -1);
      engine.settle();
    },
  };
}
