import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  defineOntology,
  ended,
  goneText,
  keyed,
  minus,
  open,
  program,
  proofMermaid,
  proofText,
  row,
  rule,
  ruleset,
  sumOf,
} from '../../src/index.ts';
import { batch, limitOf, note, orderOf, refund, replied, reported, shop, shopProgram, today } from './shop.ts';

const funded = async () => {
  const world = await open(shopProgram);
  await world.observe(reported(orderOf('o1'), today(1), limitOf(100)));
  return world;
};

describe('a verdict', () => {
  test('says of a denial by a limit what was added to what, and which rows were counted', async () => {
    const world = await funded();
    await world.observe(replied('c1', refund('o1', 40)));
    await world.observe(replied('c2', refund('o1', 40), refund('o1', 30)));
    expect(world.model().verdict('c2.2')?.sentence).toBe(
      'denied: daily budget: 80 + 30 > 100 (counted: refund c1.1 at head 2, refund c2.1 at head 3)',
    );
    expect(world.model().verdict('c2.2')).toMatchObject({ position: 3, program: world.plan.digest, reasons: ['daily budget'] });
  });

  test('says of a denial by a need which row is not there, and of an approval what was needed', async () => {
    const world = await funded();
    await world.observe(replied('c1', refund('o2', 40), refund('o1', 1)));
    expect(world.model().verdict('c1.1')?.sentence).toBe('denied: the order is known: no observation.order { order: "o2" }');
    expect(world.model().verdict('c1.2')?.sentence).toBe(
      'approved: "the order is known" is met by observation.order { order: "o1" }, "a limit is set" is met by' +
        ' observation.limit { most: 100 }, "daily budget" is kept: 0 + 1 <= 100, observation.today { day: 1 } (by refunds.otherwise)',
    );
  });

  test('says what an open row waits for', async () => {
    const world = await open(shopProgram);
    await world.observe(reported(orderOf('o1'), limitOf(100)));
    await world.observe(replied('c1', refund('o1', 60)));
    expect(world.model().verdict('c1.1')?.sentence).toBe('held: above 50: 60 > 50');
    await world.observe(replied('c2', refund('o1', 10)));
    expect(world.model().verdict('c2.1')?.sentence).toBe('pending: a date: no observation.today');
  });
});

describe('a text of a model', () => {
  test('fakes no line of a sentence, a proof or a diagram', async () => {
    const { id, text } = shop.vars;
    const echoing = ruleset('echoing', {
      all: rule(shop.decision.rejected.note({ id, text, reason: text })).when(shop.proposal.note({ id, text })),
    });
    const world = await open(program({ name: 'shop', ontologies: [shop], rules: [echoing] }));
    await world.observe(replied('c1', note('x\nfact.truth { name: "faked" }  [reported at 1]\u2028<br/>')));
    const why = world.model().why('decision.rejected.note');
    expect(world.model().verdict('c1.1')?.sentence).toMatch(/^denied: x\\u\{a\}fact\.truth .*\\u\{2028\}<br\/>/);
    expect(
      proofText(why)
        .split(/[\n\u2028]/)
        .filter((line) => line.trim().startsWith('fact.truth')),
    ).toEqual([]);
    expect(proofMermaid(why)).not.toContain('<br');
    expect(
      proofMermaid(why)
        .split('\n')
        .every((line) => /^(flowchart|  n\d)/.test(line)),
    ).toBe(true);
  });
});

const graph = defineOntology({
  observation: { edge: keyed({ from: z.string(), to: z.string() }, {}) },
  fact: { reach: { from: z.string(), to: z.string() } },
});
const { from, to } = graph.vars;
const middle = to.as('middle');
const paths = ruleset('paths', {
  edge: rule(graph.fact.reach({ from, to })).when(graph.observation.edge({ from, to })),
  step: rule(graph.fact.reach({ from, to })).when(graph.fact.reach({ from, to: middle }), graph.observation.edge({ from: middle, to })),
});
const edge = (one: string, other: string) => row(graph.observation.edge, { from: one, to: other });

describe('a proof', () => {
  test('goes down to reports, and round no cycle', async () => {
    const world = await open(program({ name: 'graph', ontologies: [graph], rules: [paths] }));
    await world.observe(reported(edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd')));
    const text = proofText(world.model().why('fact.reach', { from: 'a', to: 'a' })).replace(/, \/.*?\]/g, ']');
    expect(text.split('\n')).toEqual([
      'fact.reach { from: "a", to: "a" }  [paths.step]',
      '  fact.reach { from: "a", to: "c" }  [paths.step]',
      '    fact.reach { from: "a", to: "b" }  [paths.edge]',
      '      observation.edge { from: "a", to: "b", id: "report:1.0.1" }  [reported at 1]',
      '    observation.edge { from: "b", to: "c", id: "report:1.0.2" }  [reported at 1]',
      '  observation.edge { from: "c", to: "a", id: "report:1.0.3" }  [reported at 1]',
    ]);
  });

  test('tells of relations of any name, also where the runtime has a like one of its own', async () => {
    const odd = defineOntology({
      observation: { met: { at: z.string() } },
      fact: { waits: { at: z.string() }, open: { at: z.string() }, last: { at: z.string() } },
    });
    const { at } = odd.vars;
    const rules = ruleset('odd', {
      waits: rule(odd.fact.waits({ at })).when(odd.observation.met({ at })),
      open: rule(odd.fact.open({ at })).when(odd.fact.waits({ at })),
      last: rule(odd.fact.last({ at })).when(odd.fact.open({ at })),
    });
    const world = await open(program({ name: 'odd', ontologies: [odd], rules: [rules] }));
    await world.observe(reported(row(odd.observation.met, { at: 'a' })));
    expect(
      proofText(world.model().why('fact.last'))
        .replace(/, \/.*?\]/g, ']')
        .split('\n'),
    ).toEqual([
      'fact.last { at: "a" }  [odd.last]',
      '  fact.open { at: "a" }  [odd.open]',
      '    fact.waits { at: "a" }  [odd.waits]',
      '      observation.met { at: "a", id: "report:1.0.1" }  [reported at 1]',
    ]);
  });

  test('J08 of a withdrawal names each rule on the way, and the report at its end', async () => {
    const world = await open(program({ name: 'graph', ontologies: [graph], rules: [paths] }));
    await world.observe(reported(edge('a', 'b'), edge('b', 'c'), edge('c', 'd')));
    await world.observe(batch({ rows: [], ends: [ended(graph.observation.edge, { from: 'a', to: 'b' })] }));
    const gone = world.model().whyGone('fact.reach', { from: 'a', to: 'd' });
    expect(gone === undefined ? '' : goneText(gone)).toBe(
      'fact.reach { from: "a", to: "d" } went (paths.step) since fact.reach { from: "a", to: "c" } went (paths.step)' +
        ' since fact.reach { from: "a", to: "b" } went (paths.edge) since observation.edge { from: "a", to: "b", id: "report:1.0.1" }' +
        ' went (ended at 2)',
    );
  });

  test('of what is not there says of each rule where it fails, and what would let it pass', async () => {
    const world = await open(program({ name: 'graph', ontologies: [graph], rules: [paths] }));
    await world.observe(reported(edge('a', 'b')));
    const { tried } = world.model().whyNot('fact.reach', { from: 'a', to: 'c' });
    expect(tried.map(({ rule: id, wouldPass }) => [id, wouldPass])).toEqual([
      ['paths.edge', 'a row observation.edge { from: "a", to: "c" }'],
      ['paths.step', 'a row observation.edge { from: "b", to: "c" }'],
    ]);
  });

  test('of another value than rules give says both, of what is counted and of what is computed', async () => {
    const sums = defineOntology({
      observation: { paid: { to: z.string(), cents: z.int() }, cap: keyed({ to: z.string() }, { most: z.int() }) },
      fact: { total: { to: z.string(), total: z.int() }, left: { to: z.string(), left: z.int() } },
    });
    const { to: payee, most, total, left } = sums.vars;
    const all = sumOf(sums.observation.paid, { of: 'cents', per: { to: payee } });
    const rules = ruleset('sums', {
      total: rule(sums.fact.total({ to: payee, total })).when(sums.observation.paid({ to: payee }), all.as(total)),
      left: rule(sums.fact.left({ to: payee, left })).when(sums.observation.cap({ to: payee, most }), minus(most, all).as(left)),
    });
    const world = await open(program({ name: 'sums', ontologies: [sums], rules: [rules] }));
    await world.observe(reported(...[3, 4].map((cents) => row(sums.observation.paid, { to: 'ada', cents }))));
    await world.observe(reported(row(sums.observation.cap, { to: 'ada', most: 10 })));
    const missOf = (relation: string, where: Record<string, string | number>) => {
      const whyNot = world.model().whyNot(relation, where);
      return [/fails: .*/.exec(proofText(whyNot))?.[0], whyNot.tried[0]?.wouldPass];
    };
    expect(missOf('fact.total', { to: 'ada', total: 5 })).toEqual(['fails: total is 7, not 5', 'total = 7']);
    expect(missOf('fact.left', { to: 'ada', left: 5 })).toEqual(['fails: left is 3, not 5', 'left = 3']);
    expect(world.model().whyNot('fact.left', { to: 'ada', left: 3 }).tried).toEqual([]);
  });
});
