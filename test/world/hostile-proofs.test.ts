/** Proofs of what is large, round, deep, or written to mislead whoever reads them. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  countOf,
  decide,
  defineOntology,
  ended,
  fn,
  goneText,
  gt,
  keyed,
  not,
  open,
  program,
  proofMermaid,
  proofText,
  row,
  rule,
  ruleset,
  sumOf,
  type Gone,
  type ReportRow,
  type Why,
  type WhyNot,
} from '../../src/index.ts';
import { textLengthMax, valueLengthMax, visitsMax } from '../../src/engine/engine.ts';
import { goneStepsMax } from '../../src/world/gone.ts';
import { missesMax } from '../../src/world/why-not.ts';
import { proofRowsMax } from '../../src/world/why.ts';
import { batch, replied, reported } from './shop.ts';

const place = z.int();
const map = defineOntology({
  observation: {
    edge: keyed({ from: place, to: place }, {}),
    start: keyed({ at: place }, {}),
    sale: { shop: z.string(), cents: place },
    pair: { left: place, right: place },
  },
  fact: {
    on: { at: place },
    reach: { from: place, to: place },
    off: { at: place },
    total: { shop: z.string(), cents: place },
    odd: { left: place },
  },
});
const { observation, fact } = map;
const { from, to, at, shop, cents, left, right } = map.vars;
const middle = from.as('middle');
const total = cents.as('total');

const walking = ruleset('walking', {
  start: rule(fact.on({ at })).when(observation.start({ at })),
  next: rule(fact.on({ at: to })).when(fact.on({ at: from }), observation.edge({ from, to })),
  off: rule(fact.off({ at: to })).when(observation.edge({ to }), not(fact.on({ at: to }))),
});
const reaching = ruleset('reaching', {
  edge: rule(fact.reach({ from, to })).when(observation.edge({ from, to })),
  step: rule(fact.reach({ from, to })).when(fact.reach({ from, to: middle }), fact.reach({ from: middle, to })),
});
const summing = ruleset('summing', {
  total: rule(fact.total({ shop, cents: total })).when(
    observation.sale({ shop }),
    sumOf(observation.sale, { of: 'cents', per: { shop } }).as(total),
  ),
  odd: rule(fact.odd({ left })).when(
    observation.pair({ left, right }),
    gt(right, left),
    countOf(observation.pair, { per: { left: right } }).as(total),
    gt(total, 99),
  ),
});
const worldOf = (...rules: readonly (typeof walking)[]) => open(program({ name: 'map', ontologies: [map], rules: [...rules] }));
const edge = (one: number, other: number) => row(observation.edge, { from: one, to: other });
const start = (one: number) => row(observation.start, { at: one });
const sale = (of: string, price: number) => row(observation.sale, { shop: of, cents: price });
const ends = (...rows: readonly ReportRow[]) => batch({ rows: [], ends: rows });
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** The rows that a proof tells of, each time that it does. */
function nodesOf(why: Why): Why[] {
  const nodes: Why[] = [why];
  for (const { from: origin } of nodes) {
    const reasons = origin.is === 'rule' ? [origin] : origin.is === 'record' ? origin.because : [];
    for (const { premises } of reasons) for (const one of premises) if ('why' in one && one.why !== undefined) nodes.push(one.why);
  }
  return nodes;
}
const isOpen = ({ from: { is } }: Why) => is !== 'seen' && is !== 'cut';

describe('a proof', () => {
  test('of a row at the end of a long chain shows what is nearest, says where it stops, and takes no stack', async () => {
    const length = 5_000;
    const world = await worldOf(walking);
    await world.observe(reported(start(0), ...times(length, (i) => edge(i, i + 1))));
    const why = world.model().why('fact.on', { at: length });
    const nodes = nodesOf(why);
    expect(nodes.filter(isOpen)).toHaveLength(proofRowsMax);
    expect(nodes.filter(({ from: { is } }) => is === 'cut').length).toBeGreaterThan(0);
    // Level by level: each row on the way comes with its edge.
    expect(nodes.filter((one) => isOpen(one) && one.relation === 'observation.edge').length).toBeGreaterThan(proofRowsMax / 3);
    expect(proofText(why).split('\n')).toHaveLength(nodes.length);
    expect(proofMermaid(why).split('\n')).toHaveLength(2 * nodes.length);
    expect(JSON.parse(JSON.stringify(why))).toEqual(why);
  });

  test('of a row in one giant cycle goes round it once and ends at the report', async () => {
    const size = 1_000;
    const world = await worldOf(walking);
    await world.observe(reported(start(0), ...times(size, (i) => edge(i, (i + 1) % size))));
    const nodes = nodesOf(world.model().why('fact.on', { at: 50 }));
    expect(nodes.filter((one) => one.relation === 'observation.start')).toHaveLength(1);
    expect(nodes.every(isOpen)).toBe(true);
    expect(nodesOf(world.model().why('fact.on', { at: size - 1 })).filter(isOpen)).toHaveLength(proofRowsMax);
  });

  test('of a row of a dense graph is short', async () => {
    const size = 40;
    const world = await worldOf(reaching);
    await world.observe(reported(...times(size * size, (i) => edge(Math.floor(i / size), i % size))));
    expect(nodesOf(world.model().why('fact.reach', { from: 3, to: 4 }))).toHaveLength(2);
  });

  test('of a sum over ten thousand rows names a few of them, and how many more there are', async () => {
    const world = await worldOf(summing);
    await world.observe(reported(...times(10_000, (i) => sale('a', i))));
    const { from: origin } = world.model().why('fact.total', { shop: 'a' });
    const counted = origin.is === 'rule' ? origin.premises.find(({ is }) => is === 'counted') : undefined;
    expect(counted).toMatchObject({ text: 'sum(observation.sale.cents)', value: 49_995_000, isCut: true });
    expect(proofText(world.model().why('fact.total', { shop: 'a' }))).toMatch(
      /\(counted, for example: (sale report:\S+ at head 1, ){7}sale report:\S+ at head 1 and \d+ or more others\)/,
    );
  });
});

describe('what withdrew a row', () => {
  const stepsOf = (gone: Gone | undefined): Gone[] => {
    const steps: Gone[] = [];
    for (let one = gone; one !== undefined; one = one.since) steps.push(one);
    return steps;
  };

  test('is found at the end of a long chain, of which the middle is left out', async () => {
    const length = 5_000;
    const world = await worldOf(walking);
    await world.observe(reported(start(0), ...times(length, (i) => edge(i, i + 1))));
    await world.observe(ends(ended(observation.start, { at: 0 })));
    const steps = stepsOf(world.model().whyGone('fact.on', { at: length }));
    expect(steps).toHaveLength(goneStepsMax);
    expect(steps.reduce((sum, { leftOut = 0 }) => sum + leftOut, steps.length)).toBe(length + 2);
    expect(steps.at(-1)).toMatchObject({ relation: 'observation.start', is: 'went', by: 'ended at 2' });
    expect(goneText(steps[0] as Gone)).toMatch(/, 4902 steps further since .* went \(ended at 2\)$/);
  });

  test('is found for a whole cycle that held itself up', async () => {
    const size = 1_000;
    const world = await worldOf(walking);
    await world.observe(reported(start(0), ...times(size, (i) => edge(i, (i + 1) % size))));
    await world.observe(ends(ended(observation.start, { at: 0 })));
    expect(world.model().count('fact.on')).toBe(0);
    expect(stepsOf(world.model().whyGone('fact.on', { at: 7 })).at(-1)?.relation).toBe('observation.start');
  });

  test('is what came, where a negation fell', async () => {
    const world = await worldOf(walking);
    await world.observe(reported(edge(0, 1)));
    await world.observe(reported(start(0)));
    expect(goneText(world.model().whyGone('fact.off', { at: 1 }) as Gone)).toBe(
      'fact.off { at: 1 } went (walking.off) since fact.on { at: 1 } came (walking.next) since fact.on { at: 0 } came (walking.start)' +
        ' since observation.start { at: 0, id: "report:2.0.1" } came (reported at 2)',
    );
  });

  test('is said of nothing after a transition that the engine gave up on', async () => {
    const world = await open(program({ name: 'map', ontologies: [map], rules: [walking] }), { limits: { derivedRowsMax: 150 } });
    await world.observe(reported(start(0), edge(0, 1)));
    await expect(
      world.observe(batch({ rows: times(99, (i) => edge(i + 1, i + 2)), ends: [ended(observation.edge, { from: 0, to: 1 })] })),
    ).resolves.toBeDefined();
    await expect(world.observe(reported(edge(0, 1)))).rejects.toThrow(/engine\/too-many-rows/);
    expect(world.model().count('fact.on')).toBe(1);
    expect(world.model().whyGone('fact.on')).toBeUndefined();
  });
});

describe('a search', () => {
  test('that finds too much to look at gives up and says so', async () => {
    const world = await worldOf(summing);
    await world.observe(reported(...times(visitsMax / 4, (i) => row(observation.pair, { left: 0, right: i + 1 }))));
    const { tried } = world.model().whyNot('fact.odd', { left: 0 });
    expect(tried.map(({ wouldPass }) => wouldPass)).toEqual(['total > 99']);
    await world.observe(reported(...times(visitsMax / 4, (i) => row(observation.pair, { left: 0, right: i + 1 }))));
    const gaveUp = world
      .model()
      .whyNot('fact.odd', { left: 0 })
      .tried.map(({ wouldPass }) => wouldPass);
    expect(gaveUp).toEqual([`nothing that was found: the search gave up after ${visitsMax} rows`]);
  });

  test('tries no more rules than its bound', async () => {
    const many = ruleset(
      'many',
      Object.fromEntries(times(missesMax + 10, (i) => [`r${i}`, rule(fact.on({ at })).when(observation.edge({ from: i, to: at }))])),
    );
    const world = await worldOf(many);
    const { tried, notes } = world.model().whyNot('fact.on', { at: 1 });
    expect([tried.length, notes]).toEqual([missesMax, [`no more than ${missesMax} rules were tried`]]);
  });
});

// What a model wrote may say anything; what a person reads of it stays one line, in quotes.

const said = defineOntology({
  candidate: { claim: { text: z.string() } },
  fact: { known: { text: z.string() } },
  proposal: { wish: { text: z.string() } },
});
const { text, id } = said.vars;
const unkind = fn('unkind', '1', [z.string()], z.int(), (given) => {
  throw new Error(given);
});
const claims = ruleset('claims', {
  all: rule(said.decision.accepted.claim({ id, text })).when(said.candidate.claim({ id, text })),
  known: rule(said.fact.known({ text })).when(said.decision.accepted.claim({ text })),
});
const wishes = decide('wishes', said.proposal.wish({ text }))
  .rejects('unkind', gt(unkind(text), 1))
  .approvesWithoutConditions('a test');
const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['a line of its own', 'x"\nfact.known { text: "forged" }  [reported at 9]'],
  ['other line ends', 'x\r\u0085\u2028\u2029\u000b\u000cfact.known'],
  ['commands to a terminal', '\u001b[2J\u009b31m\u0007\u0008'],
  ['a turned direction', 'ab\u202edc\u2066\u200f'],
  ['what cannot be seen', 'a\u200b\u200d\ufeff\u00ad\u{e0041}'],
  ['a diagram', '"] --> n9["x"]\n  n8 --> n9 %% #quot; </script> `**` $$x$$ style a:#1; {y} | ~ @'],
  ['a directive', '%%{init: {"securityLevel": "loose"}}%%'],
  ['quotes and backslashes', '\\" \\\\" "'],
];

describe('text that a model wrote', () => {
  test.each(HOSTILE)('is one line of a proof, in quotes, when it holds %s', async (_name, given) => {
    const world = await open(program({ name: 'said', ontologies: [said], rules: [claims] }));
    await world.observe(replied('c', row(said.candidate.claim, { text: given })));
    const why = world.model().why('fact.known');
    const lines = proofText(why).split('\n');
    expect(lines.map((line) => /^ *(because )?[\w.]+/.exec(line)?.[0])).toEqual([
      'fact.known',
      '  decision.accepted.claim',
      '    because claims.all',
      '      candidate.claim',
    ]);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]*$/u);
    // What stands between the quotes is what was said, and nothing after it is.
    const [, quoted = ''] = /^fact\.known \{ text: ("(?:[^"\\]|\\.)*") \} {2}\[/.exec(lines[0] ?? '') ?? [];
    const plain = quoted
      .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
      .replace(/\\(["\\])/g, '$1');
    expect(plain).toBe(`"${given}"`);
  });

  test.each(HOSTILE)('is one label of a diagram when it holds %s', async (_name, given) => {
    const world = await open(program({ name: 'said', ontologies: [said], rules: [claims] }));
    await world.observe(replied('c', row(said.candidate.claim, { text: given })));
    const proofs: (Why | WhyNot)[] = [world.model().why('fact.known'), world.model().whyNot('fact.known', { text: `${given}!` })];
    for (const line of proofs.flatMap((proof) => proofMermaid(proof).split('\n').slice(1))) {
      expect(line).toMatch(/^ {2}(n\d+\["(?:[\p{L}\p{N} _.,:=+()/-]|#\d+;)*"\]|n\d+ --> n\d+)$/u);
      expect(line).not.toMatch(/style.*:\S*#/);
    }
  });

  test.each(HOSTILE)('is one line of a sentence when a function throws %s', async (_name, given) => {
    const world = await open(program({ name: 'said', ontologies: [said], rules: [wishes] }));
    await world.observe(replied('c', row(said.proposal.wish, { text: given })));
    const { sentence = '' } = world.model().verdict('c.1') ?? {};
    expect(sentence).toMatch(/^denied: undecidable: wishes\.rejects1: /);
    expect(sentence).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]*$/u);
  });

  test('is cut where it is long, with its length, and stays whole as data', async () => {
    const long = 'ab'.repeat(500_000);
    const world = await open(program({ name: 'said', ontologies: [said], rules: [claims] }));
    await world.observe(replied('c', row(said.candidate.claim, { text: long })));
    const why = world.model().why('fact.known');
    expect(why.row['text']).toBe(long);
    const [first = ''] = proofText(why).split('\n');
    expect(first).toContain(`${long.slice(0, valueLengthMax)}"... (1000000 characters)`);
    expect(first.length).toBeLessThan(2 * valueLengthMax);
    expect(world.model().verdict('c.1')?.sentence.length).toBeLessThan(2 * valueLengthMax);
  });

  test('leaves a row of many columns readable', async () => {
    const wide = defineOntology({ candidate: { wide: Object.fromEntries(times(200, (i) => [`c${i}`, z.string()])) } });
    const world = await open(program({ name: 'wide', ontologies: [wide] }));
    const columns = Object.fromEntries(times(200, (i) => [`c${i}`, 'x'.repeat(100)]));
    await world.observe(replied('c', { relation: 'candidate.wide', columns }));
    expect(proofText(world.model().why('candidate.wide')).length).toBeLessThan(textLengthMax + 100);
  });
});
