/**
 * Memory: bytes that a base row and a derived row keep.
 *
 * Gives  bytes per row, as a ratio to the same rows as plain objects, and to the same at a smaller size.
 * Never  counts what can be collected: garbage is collected before each figure.
 */
import * as z from 'zod';
import { defineOntology, maxOf, open, program, row, rule, ruleset } from '../src/index.ts';
import { Engine } from '../src/engine/engine.ts';
import { load } from '../src/load/load.ts';
import { bytesOf, integers, SEED, thousands, type Line } from './measure.ts';

const shop = defineOntology({
  observation: { sale: { item: z.string(), cents: z.int() } },
  fact: { sold: { sale: z.string(), cents: z.int() }, most: { cents: z.int() } },
});
const { item, cents } = shop.vars;
const parts = { name: 'sales', ontologies: [shop] };
const bare = program(parts);
const sold = ruleset('sold', { sold: rule(shop.fact.sold({ sale: item, cents })).when(shop.observation.sale({ item, cents })) });
const most = ruleset('most', {
  most: rule(shop.fact.most({ cents })).when(maxOf(shop.observation.sale, { of: 'cents', per: {} }).as(cents)),
});
const maximal = program({ ...parts, rules: [most] });
const viewed = program({ ...parts, rules: [sold] });

const large = 100_000;
const small = 20_000;
const rowsPerBatch = 10_000;

export async function memory(): Promise<Line[]> {
  const plain = (await bytesOf(() => Array.from({ length: large }, saleOf(SEED)))) / large;
  const engine = (await bytesOf(() => engineOf(bare, large))) / large;
  const less = (await bytesOf(() => engineOf(bare, small))) / small;
  const derived = (await bytesOf(() => engineOf(viewed, large))) / large - engine;
  const world = (await bytesOf(() => worldOf(large))) / large;
  const empty = await bytesOf(() => engineOf(bare, 0));
  const gone = ((await bytesOf(() => withdrawn(large))) - empty) / large;
  const passed = ((await bytesOf(() => passing(large))) - (await bytesOf(() => passing(0)))) / large;
  const line = (name: string, size: number, bytes: number, base: number, near: string): Line => ({
    name,
    size: thousands(size),
    value: `${bytes.toFixed(0)} bytes`,
    ratio: bytes / base,
    near,
  });
  return [
    line('a row as a plain object with its strings', large, plain, plain, 'what the next ones are compared with'),
    line('a base row in an engine', large, engine, plain, 'about 2: three values of a row are new'),
    line('a base row in an engine, to the line above', small, less, engine, '1, or up to 2 where tables have just grown'),
    line('a derived row in an engine', large, derived, plain, 'below 0.5: its values are shared'),
    line('a base row in an engine that came and went', large, gone, engine, '0'),
    line('one row coming and going under a maximum, each time', large, passed, engine, '0'),
    line('a base row in a world, with its ledger', large, world, plain, 'about 3: row, entry and table'),
  ];
}

interface Sale {
  readonly item: string;
  readonly cents: number;
}

/** Prices come again, items do not. The text of an item is written out flat, as one that was parsed is. */
function saleOf(seed: number): (given: unknown, index: number) => Sale & Readonly<Record<string, string | number>> {
  const below = integers(seed);
  return (_, i) => ({
    item: Buffer.from(`item-${i}`).toString(),
    cents: below(10_000),
    id: Buffer.from(`report:1.0.${i}`).toString(),
    session: 'session-1',
    actor: 'ada',
    capture: 'report:1.0',
    ordinal: (i % rowsPerBatch) + 1,
    seq: i + 1,
  });
}

function engineOf(given: unknown, size: number): Engine {
  const engine = new Engine(load(given));
  const put = putter(engine);
  for (let i = 0; i < size; i++) {
    put(1);
    if (i % rowsPerBatch === rowsPerBatch - 1) engine.settle();
  }
  engine.settle();
  return engine;
}

/** As many rows, of which each batch has gone when the next one comes. */
function withdrawn(size: number): Engine {
  const engine = new Engine(load(bare));
  const [come, go] = [putter(engine), putter(engine)];
  for (let done = 0; done < size; done += rowsPerBatch) {
    for (let i = 0; i < rowsPerBatch; i++) come(1);
    engine.settle();
    for (let i = 0; i < rowsPerBatch; i++) go(-1);
    engine.settle();
  }
  return engine;
}

/** Two rows, of which the lower one comes and goes: the same values again, so that only the aggregate could grow. */
function passing(times: number): Engine {
  const engine = new Engine(load(maximal));
  const sales = [1, 2].map((price) => putter(engine, { cents: price }));
  sales[1]?.(1);
  engine.settle();
  for (let i = 0; i < times; i++) {
    sales[0]?.(1, 0);
    engine.settle();
    sales[0]?.(-1, 0);
    engine.settle();
  }
  return engine;
}

/** Puts the next row in (1) or takes it out (-1); the row with a given number where there is one. */
function putter(engine: Engine, fixed: Readonly<Record<string, number>> = {}): (sign: 1 | -1, number?: number) => void {
  const table = engine.plan.tableOf.get('observation.sale') as number;
  const columns = engine.plan.tables[table]?.columns ?? [];
  const next = saleOf(SEED);
  let count = 0;
  return (sign, number = count++) => {
    const sale: Readonly<Record<string, string | number>> = { ...next(undefined, number), ...fixed };
    engine.change(
      table,
      columns.map((column) => sale[column] ?? 0),
      sign,
    );
  };
}

async function worldOf(size: number) {
  const world = await open(bare);
  const next = saleOf(SEED);
  for (let done = 0; done < size; done += rowsPerBatch) {
    const rows = Array.from({ length: rowsPerBatch }, (_, i) => {
      const sale = next(undefined, done + i);
      return row(shop.observation.sale, { item: sale.item, cents: sale.cents });
    });
    await world.observe({ session: 'session-1', actor: 'ada', reports: [{ rows }] });
  }
  return world;
}
