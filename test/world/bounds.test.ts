/** Whatever grows has a bound with a name, and reaching it is a refusal that names it and leaves everything as it was. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  defineOntology,
  gt,
  keyed,
  lt,
  minus,
  open,
  plus,
  program,
  row,
  rule,
  ruleset,
  vars,
  type Batch,
  type ReportRow,
} from '../../src/index.ts';
import { batch, issuesOf, listLedger, lively, note, price, replied, reported, shop, shown, today, told, type World } from './shop.ts';

/** Refused with these issues, and nothing to be seen of it. */
async function refused(world: World, given: Batch, ...issues: readonly string[]): Promise<void> {
  const before = shown(world);
  expect(await issuesOf(() => world.observe(given))).toEqual(issues);
  expect(shown(world)).toEqual(before);
}

const many = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

describe('a batch', () => {
  test('has at most reportsMax reports', async () => {
    const world = await lively();
    const empty = (count: number) => batch(...many(count, () => ({ rows: [] })));
    expect((await world.observe(empty(1_000))).status).toBe('committed');
    await refused(world, empty(1_001), 'world/batch-malformed: reports: 1001 are more than reportsMax = 1000');
  });

  test('has at most rowsMax rows in a report, and as many ends', async () => {
    const world = await lively();
    const rows = (count: number) => many(count, () => today(1));
    await refused(world, reported(...rows(100_001)), 'world/batch-malformed: report 0: rows: 100001 are more than rowsMax = 100000');
    await refused(
      world,
      batch({ rows: [], ends: rows(100_001) }),
      'world/batch-malformed: report 0: ends: 100001 are more than rowsMax = 100000',
    );
    await world.observe(replied('many', ...many(100_001, () => note('x'))));
    expect(told(world).at(-1)).toBe('refused many: malformed');
    const said = many(100_000, (i) => row(shop.observation.weight, { grams: i }));
    expect((await world.observe(reported(...said))).status).toBe('committed');
    expect(world.model().count('observation.weight')).toBe(100_000);
  }, 60_000);

  test('has at most columnsMax columns in a row', async () => {
    const world = await lively();
    const columns = (count: number) => Object.fromEntries(many(count, (i) => [`c${i}`, 1]));
    const wide = (count: number): ReportRow => ({ relation: 'observation.today', columns: columns(count) });
    await refused(world, reported(wide(1_001)), 'world/batch-malformed: report 0, row 0: 1001 columns are more than columnsMax = 1000');
    const issues = await issuesOf(() => world.observe(reported(wide(1_000))));
    expect(issues).toContain('world/report-refused: observation.today.day is missing');
  });

  test('has texts of at most stringLengthMax, and names of at most nameLengthMax', async () => {
    const world = await lively();
    const said = (length: number) => reported(row(shop.observation.said, { text: 'x'.repeat(length) }));
    expect((await world.observe(said(1_048_576))).status).toBe('committed');
    const long = 'a string of 1048577 characters is longer than stringLengthMax = 1048576';
    await refused(world, said(1_048_577), `world/batch-malformed: report 0, row 0: observation.said.text: ${long}`);
    await refused(world, { ...reported(), session: 'x'.repeat(1_048_577) }, `world/batch-malformed: session: ${long}`);
    await refused(world, replied('x'.repeat(1_048_577)), `world/batch-malformed: report 0: capture: ${long}`);
    const [issue, ...more] = await issuesOf(() => world.observe(reported({ relation: 'x'.repeat(201), columns: {} })));
    expect(issue).toMatch(/relation: "x+\.\.\." is longer than nameLengthMax = 200$/);
    expect(more).toEqual([]);
  });

  test('is read no further after faultsMax faults of a report', async () => {
    const world = await lively();
    const wrong = many(50_000, () => ({ relation: 'observation.ordr', columns: {} }));
    const issues = await issuesOf(() => world.observe(reported(...wrong)));
    expect(issues).toHaveLength(100);
    await world.observe(replied('wrong', ...wrong));
    const record = world.records().at(-1);
    expect(record?.record === 'captureRefused' ? record.issues : []).toHaveLength(100);
  });
});

describe('a session', () => {
  const quiet = program({ name: 'quiet', ontologies: [shop] });

  test('has at most openRowsMax open rows: a further capture of its is kept without rows, as too many open', async () => {
    const world = await open(quiet, { openRowsMax: 3 });
    await world.observe(replied('a', note('1'), note('2')));
    await world.observe(replied('b', note('3'), note('4')));
    await world.observe(replied('c', note('3')));
    await world.observe(replied('d', price('o1', 1)));
    expect(told(world)).toEqual(['refused b: too many open', 'refused d: too many open']);
    expect(
      world
        .model()
        .rows('proposal.note')
        .map((one) => one['text'])
        .sort(),
    ).toEqual(['1', '2', '3']);
  });

  test('that is full keeps out neither another session nor the clock, and has room again when rows are decided', async () => {
    const { proposal, decision, observation } = shop;
    const { id, text } = shop.vars;
    const said = rule(decision.approved.note({ id, text })).when(proposal.note({ id, text }), observation.said({ text }));
    const world = await open(program({ name: 'quiet', ontologies: [shop], rules: [ruleset('notes', { said })] }), { openRowsMax: 2 });
    await world.observe(replied('a', note('1'), note('2')));
    const outcome = await world.observe(batch({ capture: 'b', rows: [note('3')] }, { rows: [today(4)] }));
    expect(outcome).toMatchObject({ status: 'committed', captures: [{ capture: 'b', refused: { class: 'too many open' } }] });
    expect(world.model().rows('observation.today')).toMatchObject([{ day: 4 }]);
    await world.observe({ session: 'other', actor: 'a', reports: [{ capture: 'c', rows: [note('5'), note('6')] }] });
    expect(world.model().count('proposal.note')).toBe(4);
    await world.observe(reported(row(observation.said, { text: '1' })));
    await world.observe(replied('d', note('7')));
    expect(world.model().statusOf('d.1')).toBe('pending');
  });

  test('has 256 open rows where nobody says otherwise', async () => {
    const world = await open(quiet);
    await world.observe(replied('a', ...many(256, () => note('x'))));
    await world.observe(replied('b', note('y')));
    expect(told(world)).toEqual(['refused b: too many open']);
  });
});

describe('what rules derive', () => {
  const counting = defineOntology({
    observation: { from: keyed({}, { n: z.int() }), extra: { n: z.int() }, end: keyed({}, { n: z.int() }) },
    fact: { counted: { n: z.int() }, seen: { n: z.int() } },
    query: { up: { in: { n: z.int() }, out: { m: z.int() } } },
  });
  const { observation, fact, query } = counting;
  const { n, m } = counting.vars;
  const { next, last } = vars({ next: z.int(), last: z.int() });
  const up = ruleset('up', {
    begin: rule(fact.counted({ n })).when(observation.from({ n })),
    on: rule(fact.counted({ n: next })).when(fact.counted({ n }), observation.end({ n: last }), lt(n, last), plus(n, 1).as(next)),
    seen: rule(fact.seen({ n })).when(observation.extra({ n })),
  });
  const queries = [
    ruleset('ups', {
      begin: rule(query.up({ n, m: n })).when(observation.extra({ n })),
      on: rule(query.up({ n, m: next })).when(query.up({ n, m }), plus(m, 1).as(next)),
    }),
  ];
  const upProgram = program({ name: 'up', ontologies: [counting], rules: [up], queries });
  const from = (value: number) => row(observation.from, { n: value });
  const end = (value: number) => row(observation.end, { n: value });
  const extra = (first: number, count: number) => many(count, (i) => row(observation.extra, { n: first + i }));
  const tooMany = (rule: string) => `engine/too-many-rows: rule ${rule} derives more than derivedRowsMax = 100 rows in one transition`;
  const limits = { derivedRowsMax: 100 };

  test('is at most derivedRowsMax rows a transition: a rule that counts up without end is named, and the world goes on', async () => {
    const world = await open(upProgram, { limits });
    await world.observe(reported(from(0), end(10)));
    await refused(world, reported(end(1_000_000)), tooMany('up.on'));
    expect((await world.observe(reported(end(20)))).status).toBe('committed');
    expect(world.model().count('fact.counted')).toBe(21);
    expect((await world.observe(reported(end(5)))).status).toBe('committed');
    expect(world.model().count('fact.counted')).toBe(6);
  });

  test('is counted transition by transition: a model larger than the bound survives a refusal', async () => {
    const world = await open(upProgram, { limits });
    await world.observe(reported(from(0), end(5)));
    for (const first of [0, 60, 120]) await world.observe(reported(...extra(first, 60)));
    expect(world.model().count('fact.seen')).toBe(180);
    await refused(world, reported(end(1_000_000)), tooMany('up.on'));
    expect((await world.observe(reported(...extra(180, 10)))).status).toBe('committed');
    expect(world.model().count('fact.seen')).toBe(190);
  });

  test('is counted transition by transition: a model larger than the bound is opened, forked and adopted again', async () => {
    const ledger = listLedger();
    const world = await open(upProgram, { limits, ledger });
    for (const first of [0, 60, 120]) await world.observe(reported(...extra(first, 60)));
    expect((await open(upProgram, { limits, ledger })).model().count('fact.seen')).toBe(180);
    expect((await world.fork()).model().count('fact.seen')).toBe(180);
    expect((await world.adopt(program({ name: 'up', ontologies: [counting], rules: [up] }))).status).toBe('committed');
    expect(world.model().count('fact.seen')).toBe(180);
  });

  test('for a question is at most as much, and the model does not hear of it', async () => {
    const world = await open(upProgram, { limits });
    await world.observe(reported(...extra(1, 1)));
    const before = shown(world);
    expect(await issuesOf(() => world.model().ask('up', { n: 1 }))).toEqual([tooMany('ups.on')]);
    expect(shown(world)).toEqual(before);
    expect((await world.observe(reported(...extra(2, 1)))).status).toBe('committed');
  });

  test('from the evidence of a model costs that evidence, and never the clock', async () => {
    const far = defineOntology({
      observation: { clock: keyed({}, { now: z.int() }) },
      candidate: { far: { n: z.int() } },
      candidateView: { down: { n: z.int() } },
    });
    const rules = ruleset('far', {
      begin: rule(far.candidateView.down({ n })).when(far.candidate.far({ n }), far.observation.clock({})),
      on: rule(far.candidateView.down({ n: next })).when(far.candidateView.down({ n }), gt(n, 0), minus(n, 1).as(next)),
    });
    const world = await open(program({ name: 'far', ontologies: [far], rules: [rules] }), { limits });
    await world.observe(replied('c', row(far.candidate.far, { n: 1_000_000 })));
    await world.observe(reported(row(far.observation.clock, { now: 1 })));
    expect(world.model().rows('observation.clock')).toMatchObject([{ now: 1 }]);
  });
});
