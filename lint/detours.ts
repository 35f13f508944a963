/**
 * Every edge by which something goes around a decision, where the loader tells the shortest way of each pair.
 *
 * Reads  the graph that the loader judged, and the cuts of the law.
 * Gives  for each edge of a rule that lies on a way around, the shortest way through it.
 * Never  finds a way where the loader finds none.
 */
import { CUTS, namespaceOf, type Cut } from '../dsl/law.ts';
import { bypasses, originOf, type Edge } from '../src/load/cut.ts';
import type { Check } from '../src/load/load.ts';

export interface Detour {
  /** The edge that this one is about. */
  readonly edge: Edge;
  readonly path: readonly Edge[];
}

export function detours({ edges, gradeOfSource, consulting }: Pick<Check, 'edges' | 'gradeOfSource' | 'consulting'>): Detour[] {
  // Most programs have none, and their graphs are walked once.
  if (bypasses(edges, gradeOfSource, consulting).length === 0) return [];
  const found = CUTS.flatMap((one: Cut) =>
    one.to.flatMap((sink) => {
      const gates = new Set<string | undefined>(one.gates[sink] ?? []);
      const passed = one.passes === undefined ? new Set<string>() : consulting;
      const isSink = (relation: string) => namespaceOf(relation) === sink && !passed.has(relation);
      const isSource = (relation: string) => one.from.some((from) => from === originOf(relation, namespaceOf(relation), gradeOfSource));
      return through(
        edges.filter(({ from, to }) => !gates.has(namespaceOf(to)) && !isSink(from)),
        isSource,
        isSink,
      );
    }),
  );
  return [...new Map(found.map((detour) => [`${detour.edge.by} ${detour.edge.from} ${detour.edge.to}`, detour])).values()];
}

function through(edges: readonly Edge[], isSource: (relation: string) => boolean, isSink: (relation: string) => boolean): Detour[] {
  const relations = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const to = nearest(relations.filter(isSource), edges, (edge) => [edge.from, edge.to]);
  const onwards = nearest(relations.filter(isSink), edges, (edge) => [edge.to, edge.from]);
  return edges.flatMap((edge) => {
    if (edge.by === 'runtime' || !to.has(edge.from) || !onwards.has(edge.to)) return [];
    return [
      { edge, path: [...wayBack(edge.from, to, ({ from }) => from).reverse(), edge, ...wayBack(edge.to, onwards, ({ to: next }) => next)] },
    ];
  });
}

/** For each relation that is reached, the edge by which it is reached first; none of those that it begins with. */
function nearest(
  begin: readonly string[],
  edges: readonly Edge[],
  ends: (edge: Edge) => readonly [near: string, far: string],
): ReadonlyMap<string, Edge | undefined> {
  const by = new Map<string, Edge[]>();
  for (const edge of edges) by.set(ends(edge)[0], [...(by.get(ends(edge)[0]) ?? []), edge]);
  const came = new Map<string, Edge | undefined>(begin.map((relation) => [relation, undefined]));
  for (const relation of came.keys())
    for (const edge of by.get(relation) ?? []) if (!came.has(ends(edge)[1])) came.set(ends(edge)[1], edge);
  return came;
}

function wayBack(relation: string, came: ReadonlyMap<string, Edge | undefined>, near: (edge: Edge) => string): Edge[] {
  const way: Edge[] = [];
  for (let edge = came.get(relation); edge !== undefined; edge = came.get(near(edge))) way.push(edge);
  return way;
}
