/** Requirements about what a program is: its names and kinds, what can be inspected, and what it may hold. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import {
  countOf,
  defineOntology,
  eq,
  fn,
  gt,
  gte,
  invariant,
  keyed,
  load,
  lt,
  lte,
  maxOf,
  minOf,
  minus,
  neq,
  not,
  oneOf,
  open,
  or,
  plus,
  program,
  row,
  rule,
  ruleset,
  sumOf,
  times,
  vars,
} from '../../src/index.ts';
import { issuesOf, lively, refunds, reported, shop, shopProgram } from './shop.ts';

const text = { k: z.string() };

describe('a name', () => {
  const reserved: [string, object, string][] = [
    ['a fact that is called a candidate', { fact: { 'candidate.order': text } }, 'candidate.order'],
    ['an observation that is called a decision', { observation: { 'decision.approved.refund': text } }, 'decision.approved.refund'],
    ['a candidate that is called an intent', { candidate: { 'intent.refund': text } }, 'intent.refund'],
    ['a candidate with the name of outcomes', { candidate: { outcome: text } }, 'outcome'],
    ['a proposal with the name of requests', { proposal: { queryRequested: text } }, 'queryRequested'],
    ['an action with the name of executions', { action: { queryExecute: { in: text } } }, 'queryExecute'],
    ['decisions', { decision: { approved: text } }, 'decision'],
    ['intents', { intent: { refund: text } }, 'intent'],
    ['results of queries', { queryresult: { find: text } }, 'queryresult'],
    ['receipts', { receipt: { refund: text } }, 'receipt'],
  ];
  test.each(reserved)('A07 that the library generates is declared by nobody: %s', async (_claim, declarations, name) => {
    const issues = await issuesOf(() => load(program({ name: 'names', ontologies: [defineOntology(declarations as never)] })));
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.join('\n')).toContain(name);
    expect(issues.join('\n')).toMatch(/^dsl\/(name|kind)-/);
  });
});

describe('a kind', () => {
  const declared = (kind: 'observation' | 'candidate' | 'proposal' | 'fact', more: object = {}) =>
    program({ name: 'kinds', ontologies: [defineOntology({ [kind]: { order: text }, ...more } as never)] });

  test('A13 is part of the name and of the digest of a program, and a name that is judged has one', async () => {
    const digests = (['observation', 'candidate', 'proposal', 'fact'] as const).map((kind) => load(declared(kind)).digest);
    expect(new Set(digests).size).toBe(4);
    expect(load(declared('fact')).digest).toBe(digests[3]);
    expect([...load(declared('fact')).relations.keys()]).toContain('fact.order');
    expect(await issuesOf(() => load(declared('candidate', { proposal: { order: text } })))).toEqual([
      expect.stringMatching(/^dsl\/kind-twice: .*order/),
    ]);
  });
});

describe('a plan', () => {
  test('A09 names every rule that was written, its place in the source and its body', async () => {
    const { plan } = await lively();
    const written = plan.rules.filter(({ location }) => location !== undefined);
    expect(written.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['prices.accept', 'prices.priced', 'refunds.needs1', 'refunds.limits1', 'refunds.asks1', 'refunds.otherwise']),
    );
    for (const { id, body, location } of written) {
      const [, file = '', line = ''] = /^(.*):(\d+):\d+$/.exec(location ?? '') ?? [];
      expect(file, id).toMatch(/shop\.ts$/);
      const source = readFileSync(file, 'utf8').split('\n')[Number(line) - 1];
      const clause = /^refunds\.([a-zA-Z]+)\d/.exec(id)?.[1];
      const begins = clause === undefined ? /decide\('refunds'/ : new RegExp(`\\.${clause}\\(`);
      expect(source, id).toMatch(id.startsWith('prices.') ? /rule\(|\.when\(/ : begins);
      expect(body.length, id).toBeGreaterThan(0);
    }
    const accept = written.find(({ id }) => id === 'prices.accept');
    expect(accept?.body.map((literal) => (literal.kind === 'atom' ? literal.relation : literal.kind))).toEqual([
      'open.price',
      'observation.order',
    ]);
  });

  test('A01 A02 has nothing to run in it but declared functions: a rule, a clause or a row that is a function is refused', async () => {
    const act = () => true;
    const tries: (() => unknown)[] = [
      () => load(program({ name: 'x', ontologies: [shop], rules: [ruleset('r', { a: act as never })] })),
      () =>
        load(program({ name: 'x', ontologies: [shop], rules: [ruleset('r', { a: rule(shop.fact.count({ n: 1 })).when(act as never) })] })),
      () => load(program({ name: 'x', ontologies: [shop], rules: [act as never] })),
      () => load(act),
      () => lively().then((world) => world.observe(act as never)),
      () => lively().then((world) => world.observe(reported({ relation: 'admitted.refund', columns: {} }))),
      () => lively().then((world) => world.start('refund', 'by hand')),
    ];
    for (const one of tries) expect(await issuesOf(one)).not.toEqual([]);
  });
});

describe('a program', () => {
  const all = defineOntology({
    observation: { item: keyed({ name: z.string() }, { count: z.int(), weight: z.number(), isNew: z.boolean() }) },
    fact: {
      light: { name: z.string() },
      odd: { name: z.string() },
      sums: { count: z.int(), all: z.int(), least: z.int(), most: z.number() },
      twice: { name: z.string(), count: z.int() },
    },
  });
  const { observation, fact } = all;
  const { name, count, weight } = all.vars;
  const { sum, least, most, other } = vars({ sum: z.int(), least: z.int(), most: z.number(), other: z.int() });
  const double = fn('double', '1', [z.int()], z.int(), (value) => 2 * value);

  test('J06 has texts, integers, floats and booleans, negation, four aggregates, comparisons, helpers, invariants and wildcards', async () => {
    const rules = ruleset('all', {
      light: rule(fact.light({ name })).when(
        observation.item({ name, weight, isNew: true }),
        lt(weight, 1.5),
        gte(weight, 0),
        neq(name, 'none'),
      ),
      odd: rule(fact.odd({ name })).when(observation.item({ name }), not(fact.light({ name })), or(eq(name, 'c'), oneOf(name, 'd', 'e'))),
      sums: rule(fact.sums({ count, all: sum, least, most })).when(
        countOf(observation.item).as(count),
        sumOf(observation.item, { of: 'count' }).as(sum),
        minOf(observation.item, { of: 'count' }).as(least),
        maxOf(observation.item, { of: 'weight' }).as(most),
      ),
      twice: rule(fact.twice({ name, count: other })).when(
        observation.item({ name, count }),
        lte(count, 3),
        double(minus(plus(count, times(count, 1)), count)).as(other),
      ),
    });
    const invariants = [invariant('no item weighs a ton').never(observation.item({ weight }), gt(weight, 1000))];
    const world = await open(program({ name: 'all', ontologies: [all], rules: [rules], invariants }));
    const item = (of: string, howMany: number, heavy: number, fresh: boolean) =>
      row(observation.item, { name: of, count: howMany, weight: heavy, isNew: fresh });
    await world.observe(reported(item('a', 1, 0.5, true), item('b', 2, 1.5, true), item('c', 4, 0.25, false)));
    expect(world.model().rows('fact.light')).toEqual([{ name: 'a' }]);
    expect(world.model().rows('fact.odd')).toEqual([{ name: 'c' }]);
    expect(world.model().rows('fact.sums')).toEqual([{ count: 3, all: 7, least: 1, most: 1.5 }]);
    expect(world.model().rows('fact.twice', { name: 'b' })).toEqual([{ name: 'b', count: 4 }]);
    expect(world.model().count('fact.twice')).toBe(2);
    expect(await world.observe(reported(item('d', 1, 1000.5, true)))).toMatchObject({
      status: 'refused',
      refusal: { witness: { weight: 1000.5 } },
    });
  });

  test('J07 has a digest that goes with name, version and types of its functions, and not with their text', () => {
    const digestOf = (helper: typeof double) =>
      load(
        program({
          name: 'all',
          ontologies: [all],
          rules: [
            ruleset('r', { r: rule(fact.twice({ name, count: other })).when(observation.item({ name, count }), helper(count).as(other)) }),
          ],
        }),
      ).digest;
    const before = digestOf(double);
    expect(digestOf(fn('double', '1', [z.int()], z.int(), (value) => value + value))).toBe(before);
    expect(digestOf(fn('double', '2', [z.int()], z.int(), (value) => 2 * value))).not.toBe(before);
    expect(digestOf(fn('twice', '1', [z.int()], z.int(), (value) => 2 * value))).not.toBe(before);
    expect(digestOf(fn('double', '1', [z.number()], z.int(), (value) => 2 * value) as never)).not.toBe(before);
  });

  const refused: [string, () => unknown, RegExp][] = [
    [
      'an aggregate of itself',
      () =>
        program({
          name: 'x',
          ontologies: [shop],
          rules: [ruleset('r', { r: rule(shop.fact.count({ n: shop.vars.n })).when(countOf(shop.fact.count).as(shop.vars.n)) })],
        }),
      /^load\/unstratified: /,
    ],
    [
      'its own negation',
      () =>
        program({
          name: 'x',
          ontologies: [shop],
          rules: [ruleset('r', { r: rule(shop.fact.count({ n: 1 })).when(shop.observation.said({}), not(shop.fact.count({ n: 1 }))) })],
        }),
      /^load\/unstratified: /,
    ],
    [
      'a call out of a rule',
      () => program({ name: 'x', ontologies: [shop], rules: [ruleset('r', { r: rule(shop.fact.count({ n: 1 })).when(fetch as never) })] }),
      /^load\//,
    ],
    ['rules as text', () => 'fact.count(n) :- observation.said(n).', /^load\/not-ours: /],
    ['rules that came as JSON', () => JSON.parse(JSON.stringify(shopProgram)), /^load\/not-ours: /],
  ];
  test.each(refused)('J05 does not load with %s', async (_claim, made, code) => {
    const issues = await issuesOf(() => load(made()));
    expect(issues.length).toBeGreaterThan(0);
    for (const one of issues) expect(one).toMatch(code);
    const world = await lively();
    expect(await issuesOf(() => world.adopt(made()))).toEqual(issues);
    expect(world.plan.digest).toBe(load(shopProgram).digest);
  });

  test('B37 keeps the same digest wherever its rules are written', () => {
    expect(load(program({ name: 'x', ontologies: [shop], rules: [refunds] })).digest).toBe(
      load(program({ name: 'x', ontologies: [shop], rules: [refunds] })).digest,
    );
  });
});
