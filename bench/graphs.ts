/**
 * A view over a chain and over a random graph: everything that can be reached, kept right edge by edge.
 *
 * Gives  what one edge more and one edge fewer cost, as ratios to deriving all anew from the same base rows.
 * Never  leaves an edge changed: each act is taken back before the next one, without being timed.
 */
import * as z from 'zod';
import { defineOntology, program, rule, ruleset } from '../src/index.ts';
import { Engine } from '../src/engine/engine.ts';
import { load } from '../src/load/load.ts';
import { compared, integers, median, milliseconds, SEED, shown, type Line } from './measure.ts';

const node = z.int();
const map = defineOntology({ observation: { edge: { source: node, target: node } }, fact: { reach: { source: node, target: node } } });
const { source, target } = map.vars;
const middle = source.as('middle');
const reaching = ruleset('reaching', {
  direct: rule(map.fact.reach({ source, target })).when(map.observation.edge({ source, target })),
  onward: rule(map.fact.reach({ source, target })).when(
    map.fact.reach({ source, target: middle }),
    map.observation.edge({ source: middle, target }),
  ),
});
const plan = load(program({ name: 'map', ontologies: [map], rules: [reaching] }));
const edges = plan.tableOf.get('observation.edge') as number;
const reached = plan.tableOf.get('fact.reach') as number;

type Edge = readonly [source: number, target: number];
const samples = 9;

export async function graphs(): Promise<Line[]> {
  const length = 500;
  const chain: Edge[] = Array.from({ length }, (_, i) => [i, i + 1]);
  const below = integers(SEED);
  const nodes = 400;
  // Two edges a node: most nodes are then in one cycle, where an edge that goes is hardly missed.
  const random: Edge[] = [
    ...new Map(Array.from({ length: 2 * nodes }, () => [below(nodes), below(nodes)] as const).map((edge) => [edge.join(), edge])).values(),
  ];
  const half = random.length >> 1;
  const ring = edgeOfCycle(random);
  return [
    ...(await ofGraph('chain', chain, [
      { name: 'one more edge at its end', edge: [length, length + 1], sign: 1, near: 'far below 1: 1 / 250' },
      { name: 'its last edge withdrawn', edge: chain[length - 1] as Edge, sign: -1, near: 'far below 1' },
      { name: 'its middle edge withdrawn', edge: chain[length >> 1] as Edge, sign: -1, near: 'at most 1: half of the rows go' },
    ])),
    ...(await ofGraph('random graph', random, [
      { name: 'one more edge within it', edge: [random[0]?.[0] ?? 0, random[half]?.[1] ?? 0], sign: 1, near: 'far below 1' },
      { name: 'one more edge into it', edge: [nodes, random[0]?.[0] ?? 0], sign: 1, near: 'far below 1: 1 / 400' },
      { name: 'an edge of its cycle withdrawn', edge: ring, sign: -1, near: 'a little above 1: tried, then derived anew' },
    ])),
  ];
}

/** The first edge that leads back to where it starts, and is not the only way on: many rows may hang on it, and few do. */
function edgeOfCycle(given: readonly Edge[]): Edge {
  const targets = new Map<number, Edge[]>();
  for (const edge of given) targets.set(edge[0], [...(targets.get(edge[0]) ?? []), edge]);
  const found = given.find(([from, to]) => {
    const seen = new Set([to]);
    for (const at of seen) for (const [, next] of targets.get(at) ?? []) seen.add(next);
    return from !== to && seen.has(from) && (targets.get(from)?.length ?? 0) > 1;
  });
  if (found === undefined) throw new Error('the random graph has no cycle');
  return found;
}

interface Change {
  readonly name: string;
  readonly edge: Edge;
  readonly sign: 1 | -1;
  readonly near: string;
}

async function ofGraph(name: string, given: readonly Edge[], changes: readonly Change[]): Promise<Line[]> {
  const engine = new Engine(plan);
  const put = ([from, to]: Edge, sign: 1 | -1) => engine.change(edges, edgeRow(from, to), sign);
  for (const edge of given) put(edge, 1);
  engine.settle();
  const size = `${given.length} edges, ${engine.count(reached)} reached`;
  const times: number[][] = [[], ...changes.map(() => [])];
  const moved: number[] = [];
  for (let sample = -1; sample < samples; sample++) {
    const scratch = await milliseconds(() => engine.rebuild());
    if (sample >= 0) times[0]?.push(scratch);
    for (const [i, { edge, sign }] of changes.entries()) {
      put(edge, sign);
      let rows = 0;
      const time = await milliseconds(() => (rows = engine.settle().length));
      put(edge, sign === 1 ? -1 : 1);
      engine.settle();
      moved[i] = rows;
      if (sample >= 0) times[i + 1]?.push(time);
    }
  }
  const [scratch = 0, ...others] = times.map(median);
  return [
    { name: `${name}: derived from scratch`, size, value: shown(scratch), near: 'for scale' },
    ...changes.map((change, i) => compared(`${name}: ${change.name}`, `${moved[i]} rows change`, others[i] ?? 0, scratch, change.near)),
  ];
}

const columns = plan.tables[edges]?.columns ?? [];

/** The stamps are the edge's own, so that the same edge is the same row. */
function edgeRow(from: number, to: number) {
  const values: Readonly<Record<string, string | number>> = {
    source: from,
    target: to,
    id: `${from}-${to}`,
    session: 's',
    actor: 'a',
    capture: 'c',
  };
  return columns.map((column) => values[column] ?? 0);
}
