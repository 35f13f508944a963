import clingo from 'clingo-wasm';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { load } from '../../src/load/load.ts';
import { read } from '../oracle/book.ts';
import { derive } from '../oracle/evaluate.ts';
import { Model } from '../oracle/model.ts';
import { programIR } from './driver.ts';
import { bodies, edgeText, isStratified, programOfRules, smallPrograms, solverText, type Edges, type SmallProgram } from './enumerate.ts';

const GRAPHS: readonly Edges[] = [
  [
    [1, 1],
    [1, 2],
    [2, 3],
    [3, 2],
  ],
  [
    [1, 2],
    [2, 3],
    [3, 4],
  ],
  [],
];

const programs = [...smallPrograms(2, 2)];
const stratified = programs.filter(isStratified);

describe('every program of up to two rules with up to two atoms each', () => {
  test('is there once: the bodies are the safe ones, and the programs all sets of them', () => {
    const count = bodies(2).length;
    expect(count).toBe(safeBodiesOfTwo());
    expect(programs.length).toBe(2 * count + (2 * count * (2 * count - 1)) / 2);
    expect(new Set(programs.map((rules) => solverText(rules, ''))).size).toBe(programs.length);
  });

  test('is refused exactly where a view depends on its own negation', () => {
    const refused = programs.filter((rules) => !isStratified(rules));
    expect(refused.length).toBeGreaterThan(100);
    for (const rules of refused) expect(() => viewsByOracle(rules, []), solverText(rules, '')).toThrow('depends on its own negation');
  }, 120_000);

  test.each(GRAPHS.map((edges): [string, Edges] => [edgeText(edges) || 'no edge', edges]))(
    'has the views of its one stable model, over %s',
    async (_text, edges) => {
      const wanted = await viewsBySolver(stratified, edges);
      stratified.forEach((rules, index) => expect(viewsByOracle(rules, edges), solverText(rules, '')).toEqual(wanted[index]));
    },
    120_000,
  );
});

describe('the engine, on every such program', () => {
  test.each(GRAPHS.map((edges): [string, Edges] => [edgeText(edges) || 'no edge', edges]))(
    'R46 R56 has the views of the one stable model, edge by edge, with others that came and went, over %s',
    async (_text, edges) => {
      const wanted = await viewsBySolver(stratified, edges);
      stratified.forEach((rules, index) => expect(viewsByEngine(rules, edges), solverText(rules, '')).toEqual(wanted[index]));
    },
    120_000,
  );
});

/** Counted apart from the enumeration: of one atom, three edges that name x, and two views of x; of two, what binds x and all that is negated. */
function safeBodiesOfTwo(): number {
  const atoms = ['xy', 'yx', 'xx', 'x', 'y', 'x', 'y'];
  const single = atoms.filter((terms) => terms.includes('x')).length;
  let pairs = 0;
  for (let left = 0; left < atoms.length; left++) {
    for (let right = left + 1; right < atoms.length; right++) if (`${atoms[left] ?? ''}${atoms[right] ?? ''}`.includes('x')) pairs++;
    for (const negated of atoms) {
      const positive = atoms[left] ?? '';
      if (positive.includes('x') && [...negated].every((term) => positive.includes(term))) pairs++;
    }
  }
  return single + pairs;
}

function viewsByOracle(rules: SmallProgram, edges: Edges): string[] {
  const base = new Model();
  edges.forEach(([from, to], index) => base.put('observation.edge', { from, to, id: `report:1.0.${index}` }));
  const { model } = derive(base, read(programIR(programOfRules(rules))));
  return ['p', 'q'].flatMap((view) => model.tuples(`fact.${view}`).map(({ row }) => `${view}(${String(row['at'])})`)).sort();
}

/** Edges come one by one; two that are not of the graph come first, and go between them. */
function viewsByEngine(rules: SmallProgram, edges: Edges): string[] {
  const plan = load(programOfRules(rules));
  const engine = new Engine(plan);
  const table = plan.tableOf.get('observation.edge') ?? -1;
  const columns = plan.tables[table]?.columns ?? [];
  const change = ([from, to]: readonly [number, number], index: number, sign: 1 | -1) => {
    const row = { from, to, id: `report:1.0.${index}`, session: 's', actor: 'a', capture: 'report:1.0', ordinal: index, seq: index };
    engine.change(
      table,
      columns.map((column) => row[column as keyof typeof row]),
      sign,
    );
    engine.settle();
  };
  change([3, 1], 98, 1);
  change([2, 2], 99, 1);
  edges.forEach((edge, index) => {
    change(edge, index, 1);
    if (index === 0) change([3, 1], 98, -1);
  });
  if (edges.length === 0) change([3, 1], 98, -1);
  change([2, 2], 99, -1);
  return ['p', 'q']
    .flatMap((view) => [...engine.rows(plan.tableOf.get(`fact.${view}`) ?? -1)].map(([at]) => `${view}(${String(at)})`))
    .sort();
}

/** All programs in one run, each with views of its own name; more than one model would mean that one of them is not stratified. */
async function viewsBySolver(all: readonly SmallProgram[], edges: Edges): Promise<string[][]> {
  const text = [
    edgeText(edges),
    '#defined edge/2.',
    ...all.map((rules, index) => `${solverText(rules, `_${index}`)}\n#defined p_${index}/1. #defined q_${index}/1.`),
  ].join('\n');
  const result = await clingo.run(text, 0);
  if (result.Result === 'ERROR') throw new Error(result.Error);
  const models = result.Call.flatMap((call) => call.Witnesses ?? []);
  expect(models).toHaveLength(1);
  const views = all.map((): string[] => []);
  for (const atom of models[0]?.Value ?? []) {
    const [, view = '', index = '', at = ''] = /^([pq])_(\d+)\((-?\d+)\)$/.exec(atom) ?? [];
    views[Number(index)]?.push(`${view}(${at})`);
  }
  return views.map((own) => [...new Set(own)].filter((atom) => !atom.startsWith('(')).sort());
}
