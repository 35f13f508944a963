/**
 * A graph whose edges come and go, with views of every kind over it: two recursions, a mutual one, negation, aggregates, branches.
 *
 * Gives  the program, and fast-check arbitraries of what is reported of it.
 * Never  a decision: what is derived here is derived from trusted rows alone.
 */
import fc from 'fast-check';
import * as z from 'zod';
import {
  and,
  countOf,
  defineOntology,
  eq,
  fn,
  gt,
  keyed,
  maxOf,
  minOf,
  neq,
  not,
  or,
  plus,
  program,
  row,
  rule,
  ruleset,
  sumOf,
} from '../../src/index.ts';
import type { Batch, ReportRow } from '../../src/index.ts';

const node = z.string();
export const graph = defineOntology({
  observation: { edge: keyed({ from: node, to: node }, { weight: z.int() }), closed: keyed({ at: node }, {}) },
  fact: {
    reach: { from: node, to: node },
    odd: { from: node, to: node },
    even: { from: node, to: node },
    apart: { from: node, to: node },
    way: { from: node, to: node, by: node },
    told: { at: node, word: node, value: z.int() },
    near: { from: node, to: node },
  },
});
const { observation, fact } = graph;
const { from, to, weight, value, at } = graph.vars;
const middle = from.as('middle');
const far = fn('far', '1', [z.int()], z.int(), (given) => given * 10);

const views = ruleset('views', {
  edge: rule(fact.reach({ from, to })).when(observation.edge({ from, to }), not(observation.closed({ at: to }))),
  step: rule(fact.reach({ from, to })).when(fact.reach({ from, to: middle }), fact.reach({ from: middle, to })),
  odd: rule(fact.odd({ from, to })).when(observation.edge({ from, to })),
  again: rule(fact.odd({ from, to })).when(fact.even({ from, to: middle }), observation.edge({ from: middle, to })),
  even: rule(fact.even({ from, to })).when(fact.odd({ from, to: middle }), observation.edge({ from: middle, to })),
  // A wildcard within a cycle: any row from there will do, and a younger one would rest on this one.
  around: rule(fact.even({ from, to })).when(fact.odd({ from: to }), observation.edge({ from, to })),
  apart: rule(fact.apart({ from, to })).when(observation.edge({ from }), observation.edge({ to }), not(fact.reach({ from, to }))),
  way: rule(fact.way({ from, to, by: middle })).when(
    observation.edge({ from, to: middle }),
    or(observation.edge({ from: middle, to }), and(eq(middle, 'a'), observation.closed({ at: to }))),
    neq(from, to),
  ),
  out: rule(fact.told({ at, word: 'out', value })).when(
    observation.closed({ at }),
    countOf(observation.edge, { per: { from: at } }).as(value),
  ),
  sum: rule(fact.told({ at, word: 'sum', value })).when(
    observation.closed({ at }),
    plus(sumOf(observation.edge, { of: 'weight', per: { to: at } }), countOf(fact.reach, { per: { from: at } })).as(value),
    gt(value, 0),
  ),
  least: rule(fact.told({ at, word: 'least', value })).when(
    observation.edge({ from: at }),
    minOf(observation.edge, { of: 'weight', per: { from: at } }).as(value),
  ),
  most: rule(fact.told({ at, word: 'most', value })).when(
    fact.reach({ from: at }),
    far(maxOf(observation.edge, { of: 'weight' })).as(value),
  ),
  near: rule(fact.near({ from, to })).when(
    observation.edge({ from, to, weight }),
    minOf(observation.edge, { of: 'weight', per: { from } }).as(value),
    eq(weight, value),
  ),
});
export const graphProgram = program({ name: 'graph', ontologies: [graph], rules: [views] });

const nodes = fc.constantFrom('a', 'b', 'c', 'd');
const edges = fc
  .tuple(nodes, nodes, fc.integer({ min: 1, max: 3 }))
  .map(([one, other, w]) => row(observation.edge, { from: one, to: other, weight: w }));
const closings = nodes.map((one) => row(observation.closed, { at: one }));
const keyText = ({ relation, columns: { weight: _, ...key } }: ReportRow) => relation + JSON.stringify(key);

/** Rows that come and keys that end, in one batch. */
export const graphBatches: fc.Arbitrary<Batch> = fc
  .tuple(
    fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: edges }, { weight: 1, arbitrary: closings }), { maxLength: 4, selector: keyText }),
    fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: edges }, { weight: 1, arbitrary: closings }), { maxLength: 4, selector: keyText }),
  )
  .map(([rows, gone]) => {
    const came = new Set(rows.map(keyText));
    const ends = gone
      .filter((one) => !came.has(keyText(one)))
      .map(({ relation, columns: { weight: _, ...key } }) => ({ relation, columns: key }));
    return { session: 's', actor: 'a', reports: [{ rows, ends }] };
  });
