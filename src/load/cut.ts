/**
 * The graph cut: no path may carry a model's word to a fact or an act without passing the decision that lets it through.
 *
 * Reads  relation-level edges, from a program (the loader) or from source (the linter).
 * Gives  one issue for each source and sink that a path connects, with its shortest trail.
 * Never  evaluates a rule, and never stops at the first issue.
 */
import { issue, type Issue } from '../../dsl/issue.ts';
import { CUTS, namespaceOf, ownName, type Cut, type GradeOfSource, type Namespace, type Origin } from '../../dsl/law.ts';

/** A rule reads `from` somewhere in its body and has the head `to`; or the runtime writes `to` from `from`. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The rule's id, or "runtime". */
  readonly by: string;
}

/** A way around a decision: the issue, and the edges of its trail. */
export interface Bypass {
  readonly issue: Issue;
  readonly path: readonly Edge[];
}

/**
 * Tries the five cuts.
 *
 * Shape   `edges` may repeat and form cycles; their order decides among trails of one length, and the order of the issues. `consulting`
 *         are the intents, "intent.ask", that only capabilities with model consultation carry.
 * Cost    O(sources x edges) for each cut; programs have hundreds of relations, not millions.
 * Errors  none thrown: an empty list means that every cut holds.
 */
export function cut(edges: readonly Edge[], gradeOfSource: GradeOfSource, consulting: ReadonlySet<string> = new Set()): readonly Issue[] {
  return bypasses(edges, gradeOfSource, consulting).map((bypass) => bypass.issue);
}

export function bypasses(edges: readonly Edge[], gradeOfSource: GradeOfSource, consulting: ReadonlySet<string>): readonly Bypass[] {
  const graph = graphOf(edges, gradeOfSource);
  const told = new Set<string>();
  return CUTS.flatMap((one: Cut) => violations(one, graph, one.passes === undefined ? NONE : consulting)).filter(({ path }) => {
    const pair = `${path[0]?.from} ${path.at(-1)?.to}`;
    const isTold = told.has(pair);
    told.add(pair);
    return !isTold;
  });
}
const NONE: ReadonlySet<string> = new Set();

interface Graph {
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>;
  readonly namespaces: ReadonlyMap<string, Namespace | undefined>;
  readonly origins: ReadonlyMap<string, Origin | undefined>;
}

function graphOf(edges: readonly Edge[], gradeOfSource: GradeOfSource): Graph {
  const outgoing = new Map<string, Edge[]>();
  const namespaces = new Map<string, Namespace | undefined>();
  for (const edge of edges) {
    const known = outgoing.get(edge.from);
    if (known === undefined) outgoing.set(edge.from, [edge]);
    else known.push(edge);
    for (const relation of [edge.from, edge.to]) if (!namespaces.has(relation)) namespaces.set(relation, namespaceOf(relation));
  }
  const origins = new Map([...outgoing.keys()].map((relation) => [relation, originOf(relation, namespaces.get(relation), gradeOfSource)]));
  return { outgoing, namespaces, origins };
}

/** A rejection or a held card is evidence of the grade of what it is about. */
export function originOf(relation: string, namespace: Namespace | undefined, gradeOfSource: GradeOfSource): Origin | undefined {
  return namespace === 'decision.rejected' || namespace === 'decision.held' ? `refused ${gradeOfSource(ownName(relation))}` : namespace;
}

/** Edges that no rule writes: what the runtime makes of one relation in another, for the relations that there are. */
export function runtimeEdges(relations: Iterable<string>): Edge[] {
  const known = new Set(relations);
  return [...known]
    .flatMap((relation) => writtenFrom(relation, known))
    .flatMap(([from, to]) => (known.has(from) && known.has(to) ? [{ from, to, by: 'runtime' }] : []));
}

function writtenFrom(relation: string, known: ReadonlySet<string>): (readonly [string, string])[] {
  const name = ownName(relation);
  switch (namespaceOf(relation)) {
    case 'query':
      return [[relation, `queryresult.${name}`]];
    case 'candidate':
    case 'queryresult':
      return [[relation, `confirmed.${name}`]];
    case 'proposal':
      return [[relation, name.startsWith('queryRequested.') ? 'confirmed.queryExecute' : `confirmed.${name}`]];
    case 'intent':
      return writtenFromAct(relation, name, known);
    default:
      return [];
  }
}

/** An act's records, and what its capability reports: a read gives rows and an outcome, any other act a receipt and evidence. */
function writtenFromAct(relation: string, name: string, known: ReadonlySet<string>): (readonly [string, string])[] {
  const records = ['admitted', 'started', 'withdrawn', 'conflict', 'due'].map((kind) => `${kind}.${name}`);
  const reports =
    name === 'queryExecute' ? [...known].filter((one) => one.startsWith('queryresult.')) : [`receipt.${name}`, `candidate.${name}Result`];
  return [...records, ...reports, 'lifecycle.effectUnknown'].map((to) => [relation, to]);
}

/** `passed` are relations that are no sink of this cut. */
function violations(one: Cut, graph: Graph, passed: ReadonlySet<string>): Bypass[] {
  const sources = [...graph.origins].flatMap(([relation, origin]) => (one.from.some((from) => from === origin) ? [relation] : []));
  const isSink = (relation: string, sink: string) => graph.namespaces.get(relation) === sink && !passed.has(relation);
  const paths = one.to.flatMap((sink) => {
    const gates = one.gates[sink] ?? [];
    const found = sources.flatMap((source) => pathsFrom(source, (relation) => isSink(relation, sink), gates, graph));
    return found.flatMap((path) => (isDetour(path, sources) ? [] : [{ path, gates }]));
  });
  // A view between a source and a sink is no second bypass: the trail that passes through it tells both.
  const isInner = (source: string | undefined, sink: string | undefined) =>
    paths.some(({ path }) => path.at(-1)?.to === sink && path.slice(1).some((edge) => edge.from === source));
  return paths.filter(({ path }) => !isInner(path[0]?.from, path.at(-1)?.to)).map(({ path, gates }) => bypass(path, gates));
}

/** What the runtime makes of a source in another one is told from there: the rows of a query, not its body. */
function isDetour([first]: readonly Edge[], sources: readonly string[]): boolean {
  return first?.by === 'runtime' && sources.includes(first.to);
}

/** The shortest path to every sink that is reached around the gates. Paths end at a sink: what follows from it is told by the other cuts. */
function pathsFrom(
  source: string,
  isSink: (relation: string) => boolean,
  gates: readonly Namespace[],
  { outgoing, namespaces }: Graph,
): Edge[][] {
  const came = new Map<string, Edge | undefined>([[source, undefined]]);
  const queue = [source];
  const found: Edge[][] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (isSink(next)) {
      found.push(pathTo(next, came));
      continue;
    }
    for (const edge of outgoing.get(next) ?? []) {
      const isGate = gates.some((gate) => gate === namespaces.get(edge.to));
      if (isGate || came.has(edge.to)) continue;
      came.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return found;
}

function pathTo(relation: string, came: ReadonlyMap<string, Edge | undefined>): Edge[] {
  const path: Edge[] = [];
  for (let edge = came.get(relation); edge !== undefined; edge = came.get(edge.from)) path.unshift(edge);
  return path;
}

/** Only a decision is named as the way through: a receipt is the world's word, and no rule can write one. */
function bypass(path: readonly Edge[], gates: readonly Namespace[]): Bypass {
  const [source = '', sink = ''] = [path[0]?.from, path.at(-1)?.to];
  const ways = gates.filter((gate) => gate.startsWith('decision.')).map((gate) => `${gate}.*`);
  const steps = path.map(({ to, by }) => ` -[${by}]-> ${to}`).join('');
  const what = `${source} reaches ${sink} without ${ways.join(' or ')}: ${source}${steps}`;
  return { path, issue: issue('load/cut-bypassed', what, [source, ...path.map(({ to }) => to)]) };
}
