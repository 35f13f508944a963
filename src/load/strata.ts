/**
 * Strata: nothing depends on its own negation or aggregate, and no intent on the absence of its own admission.
 *
 * Reads  the author's graph; decisions are read as recorded, so their rules are no part of it.
 * Gives  one issue for each cycle through a negation or an aggregate, printed, and one for each intent that would withdraw itself.
 * Never  orders anything for the engine: the plan does, once no such cycle is left.
 */
import { issue, type Issue } from '../../dsl/issue.ts';
import { readsIn, type Authored } from './authored.ts';
import type { Read } from './walk.ts';

interface Dependency {
  readonly from: string;
  readonly to: string;
  readonly isStrict: boolean;
  readonly rule: string;
}

/** A rule of a view, with what it reads. */
interface Derivation {
  readonly id: string;
  readonly head: string;
  readonly reads: readonly Read[];
}

export function stratumIssues(authored: readonly Authored[], intents: Iterable<string>): Issue[] {
  const derivations = authored.flatMap((one): Derivation[] => {
    const head = one.head?.relation;
    return head === undefined || head.startsWith('decision.') ? [] : [{ id: one.id, head, reads: readsIn(one) }];
  });
  const dependencies = derivations.flatMap(({ id, head, reads }) =>
    reads.map(({ relation, isStrict }) => ({ from: relation, to: head, isStrict, rule: id })),
  );
  const graph = graphOf(derivations);
  return [...cycleIssues(dependencies), ...[...intents].flatMap((intent) => withdrawalIssues(intent, graph))];
}

function cycleIssues(dependencies: readonly Dependency[]): Issue[] {
  const outgoing = new Map<string, Dependency[]>();
  for (const dependency of dependencies) {
    const known = outgoing.get(dependency.from);
    if (known === undefined) outgoing.set(dependency.from, [dependency]);
    else known.push(dependency);
  }
  const told = new Set<string>();
  return dependencies.flatMap((dependency) => {
    const back = dependency.isStrict ? shortest(dependency.to, dependency.from, outgoing) : undefined;
    if (back === undefined) return [];
    const cycle = [dependency, ...back];
    // Each cycle once, wherever it is entered.
    const key = [...cycle]
      .map(({ from, rule }) => `${from} ${rule}`)
      .sort()
      .join(';');
    if (told.has(key)) return [];
    told.add(key);
    const path = `${dependency.from}${cycle.map(({ to, rule }) => ` -[${rule}]-> ${to}`).join('')}`;
    const what = `rule ${dependency.rule}: ${dependency.to} depends on its own negation or aggregate: ${path}`;
    return [issue('load/unstratified', what, [dependency.from, ...cycle.map(({ to }) => to)])];
  });
}

/** The shortest way from one relation to another; the empty way where they are one. */
function shortest(from: string, to: string, outgoing: ReadonlyMap<string, readonly Dependency[]>): Dependency[] | undefined {
  const came = new Map<string, Dependency | undefined>([[from, undefined]]);
  const queue = [from];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (next === to) {
      const path: Dependency[] = [];
      for (let step = came.get(to); step !== undefined; step = came.get(step.from)) path.unshift(step);
      return path;
    }
    for (const dependency of outgoing.get(next) ?? []) {
      if (came.has(dependency.to)) continue;
      came.set(dependency.to, dependency);
      queue.push(dependency.to);
    }
  }
  return undefined;
}

/** Admitted, an intent must not stop holding for that reason: its own records stand under no negation and in no aggregate above it. */
function withdrawalIssues(intent: string, { derivations, inputs, outputs }: Graph): Issue[] {
  const above = reachable([`intent.${intent}`], inputs);
  const after = reachable(
    ['admitted', 'started', 'withdrawn'].map((kind) => `${kind}.${intent}`),
    outputs,
  );
  return derivations.flatMap(({ id, head, reads }) => {
    if (!above.has(head)) return [];
    const memory = reads.find(({ relation, isStrict }) => isStrict && after.has(relation));
    if (memory === undefined) return [];
    return [
      issue(
        'load/self-withdrawing',
        `rule ${id}: intent.${intent} rests on the absence or the total of ${memory.relation}, which its own admission changes`,
      ),
    ];
  });
}

interface Graph {
  readonly derivations: readonly Derivation[];
  /** What the rules of a relation read, and the relations whose rules read it. */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
  readonly outputs: ReadonlyMap<string, readonly string[]>;
}

function graphOf(derivations: readonly Derivation[]): Graph {
  const inputs = new Map<string, string[]>();
  const outputs = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, key: string, value: string) => {
    const known = to.get(key);
    if (known === undefined) to.set(key, [value]);
    else known.push(value);
  };
  for (const { head, reads } of derivations) {
    for (const { relation } of reads) {
      add(inputs, head, relation);
      add(outputs, relation, head);
    }
  }
  return { derivations, inputs, outputs };
}

/** These relations, and all that follow from them along the edges. */
function reachable(relations: readonly string[], edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = new Set(relations);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const relation of all) for (const next of edges.get(relation) ?? []) all.add(next);
  return all;
}
