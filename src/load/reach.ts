/**
 * What can reach what: the dependencies of a program's relations, for reports on how its parts are composed.
 *
 * Reads  the author's rules and the runtime's own edges, by names alone; the same graph that the cuts are judged on.
 * Gives  every edge with the rule that makes it, what a relation reaches, and whether two groups of relations are provably separate.
 * Never  runs a rule: separate means that no row of the one can ever change a row of the other.
 */
import type { Edge } from './cut.ts';

export interface Reach {
  readonly edges: readonly Edge[];
  /** Every relation that a row of this one can change, itself apart, in order of name. */
  reaches(relation: string): readonly string[];
  /** Every relation that can change a row of this one. */
  reachedBy(relation: string): readonly string[];
  /** True when nothing that either group can change is in the other, or is changed by both. */
  areSeparate(left: readonly string[], right: readonly string[]): boolean;
}

export function reach(edges: readonly Edge[]): Reach {
  const forward = adjacency(edges, (edge) => [edge.from, edge.to]);
  const backward = adjacency(edges, (edge) => [edge.to, edge.from]);
  const touched = (relations: readonly string[]) => new Set([...relations, ...relations.flatMap((one) => walk(one, forward))]);
  return {
    edges,
    reaches: (relation) => walk(relation, forward),
    reachedBy: (relation) => walk(relation, backward),
    areSeparate: (left, right) => {
      const own = touched(left);
      return [...touched(right)].every((relation) => !own.has(relation));
    },
  };
}

function adjacency(edges: readonly Edge[], ends: (edge: Edge) => readonly [string, string]): ReadonlyMap<string, ReadonlySet<string>> {
  const next = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [from, to] = ends(edge);
    next.set(from, (next.get(from) ?? new Set<string>()).add(to));
  }
  return next;
}

function walk(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const seen = new Set<string>([start]);
  // A set is walked in the order in which it grows, so what is added is visited too.
  for (const relation of seen) for (const one of next.get(relation) ?? []) seen.add(one);
  seen.delete(start);
  return [...seen].sort();
}
