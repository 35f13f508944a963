/** Requirements about what is not there: absent attributes, absent clocks, empty relations, values that are no values. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  and,
  decide,
  defineOntology,
  fn,
  gt,
  gte,
  keyed,
  lt,
  lte,
  not,
  open,
  program,
  row,
  rule,
  ruleset,
  times,
  type ReportRow,
} from '../../src/index.ts';
import { batch, issuesOf, orderOf, replied, reported, shop, shown, told, type World } from './shop.ts';

const loans = defineOntology({
  observation: {
    score: keyed({ who: z.string() }, { score: z.int() }),
    today: keyed({}, { day: z.int() }),
    blocked: { who: z.string() },
    never: { who: z.string() },
  },
  action: { lend: { in: { who: z.string(), amount: z.int().nonnegative() } } },
  fact: { clear: { who: z.string() } },
});
const { observation, proposal } = loans;
const { who, amount, score, day } = loans.vars;
const risk = fn('risk', '1', [z.int()], z.int(), (value) => {
  if (value > 1_000_000) throw new Error('off the scale');
  return value;
});
const lend = (cents: number) => row(proposal.lend, { who: 'ann', amount: cents });
const scored = (value: unknown): ReportRow => ({ relation: 'observation.score', columns: { who: 'ann', score: value as number } });

describe('a denial over an attribute', () => {
  const lends = decide('lends', proposal.lend({ who, amount }))
    .needs('a score is known', observation.score({ who, score }))
    .rejects('too risky', gt(times(score, amount), 10_000))
    .rejects('risk cannot be judged', gt(risk(score), 900_000))
    .otherwiseApproves();
  const world = () => open(program({ name: 'loans', ontologies: [loans], rules: [lends] }));
  const verdict = async (of: World) => {
    await of.observe(replied('c', lend(10)));
    return told(of).filter((line) => !line.startsWith('admitted'));
  };

  const cases: [string, readonly unknown[], string][] = [
    ['is missing', [], 'rejected lend c.1 a score is known'],
    ['has the wrong type', ['5'], 'rejected lend c.1 a score is known'],
    ['is null', [null], 'rejected lend c.1 a score is known'],
    ['is NaN', [NaN], 'rejected lend c.1 a score is known'],
    ['is infinite', [-Infinity], 'rejected lend c.1 a score is known'],
    ['is beyond the safe integers', [2 ** 60], 'rejected lend c.1 a score is known'],
    [
      'overflows what is computed from it',
      [Number.MAX_SAFE_INTEGER],
      'rejected lend c.1 too risky undecidable: lends.rejects2: off the scale',
    ],
    ['is too high', [1001], 'rejected lend c.1 too risky'],
    ['is at the limit', [1000], 'approved lend c.1'],
    ['is low, and a wrong type after it is refused', [5, 'x'], 'approved lend c.1'],
    ['is high, and a NaN after it is refused', [5000, NaN], 'rejected lend c.1 too risky'],
  ];
  test.each(cases)('R43 denies or says so: the attribute %s', async (_claim, reports, expected) => {
    const own = await world();
    for (const value of reports) {
      const issues = await issuesOf(() => own.observe(reported(scored(value))));
      expect(issues.length).toBe(Number.isSafeInteger(value) ? 0 : 1);
    }
    expect(await verdict(own)).toEqual([expected]);
  });

  test('R43 denies when its row has ended', async () => {
    const own = await world();
    await own.observe(reported(scored(5)));
    await own.observe(batch({ rows: [], ends: [{ relation: 'observation.score', columns: { who: 'ann' } }] }));
    expect(await verdict(own)).toEqual(['rejected lend c.1 a score is known']);
  });
});

describe('a clock that is not there', () => {
  const late = gt(day, 10);
  const needing = decide('lends', proposal.lend({ who, amount }))
    .needs('a date', observation.today({ day }))
    .rejects('too late', late)
    .otherwiseApproves();
  const awaiting = decide('lends', proposal.lend({ who, amount }))
    .awaits('a date', observation.today({ day }))
    .rejects('too late', late)
    .approvesWithoutConditions('a test');
  const worldOf = (clause: 'needs' | 'awaits') =>
    open(program({ name: 'loans', ontologies: [loans], rules: [clause === 'needs' ? needing : awaiting] }));

  test('R47 is a denial, or leaves the wish waiting, and never an approval', async () => {
    const [needs, awaits] = [await worldOf('needs'), await worldOf('awaits')];
    for (const own of [needs, awaits]) await own.observe(replied('c', lend(1)));
    expect(told(needs)).toEqual(['rejected lend c.1 a date']);
    expect(told(awaits)).toEqual([]);
    for (const own of [needs, awaits]) await own.observe(reported(row(observation.today, { day: 11 })));
    expect(told(needs)).toEqual(['rejected lend c.1 a date']);
    expect(told(awaits)).toEqual(['rejected lend c.1 too late']);
  });

  test('R47 is a clock that was ended, too', async () => {
    const own = await worldOf('needs');
    await own.observe(reported(row(observation.today, { day: 1 })));
    await own.observe(batch({ rows: [], ends: [{ relation: 'observation.today', columns: {} }] }, { capture: 'c', rows: [lend(1)] }));
    expect(told(own)).toEqual(['rejected lend c.1 a date']);
  });
});

describe('a clock that never falls', () => {
  const station = defineOntology({ observation: { clock: keyed({ zone: z.string() }, { now: z.int() }, { rising: ['now'] }) } });
  const { clock } = station.observation;
  const at = (now: number, zone = 'utc') => reported(row(clock, { zone, now }));
  const world = async () => {
    const own = await open(program({ name: 'station', ontologies: [station] }));
    await own.observe(at(7));
    return own;
  };
  const nowOf = (own: World) =>
    own
      .model()
      .rows('observation.clock')
      .map((one) => one['now']);

  test('R47 is refused when it goes backwards, and nothing of the batch is kept', async () => {
    const own = await world();
    const before = own.digest;
    expect(
      await issuesOf(() =>
        own.observe(batch({ rows: [row(clock, { zone: 'cet', now: 9 })] }, { rows: [row(clock, { zone: 'utc', now: 6 })] })),
      ),
    ).toEqual(['world/report-refused: observation.clock.now: 6 is less than 7, and it never falls']);
    expect(own.digest).toBe(before);
    expect(nowOf(own)).toEqual([7]);
  });

  test('R47 may stand still and go on, each key by itself, also within a batch', async () => {
    const own = await world();
    for (const step of [at(7), at(8), at(1, 'cet'), batch(...[9, 10].map((now) => ({ rows: [row(clock, { zone: 'utc', now })] })))])
      expect(await own.observe(step)).toMatchObject({ status: 'committed' });
    expect(nowOf(own).sort()).toEqual([1, 10]);
    const back = batch(...[12, 11].map((now) => ({ rows: [row(clock, { zone: 'utc', now })] })));
    expect(await issuesOf(() => own.observe(back))).toHaveLength(1);
    expect(nowOf(own).sort()).toEqual([1, 10]);
  });

  test('R47 cannot be ended, which would let it begin again from anywhere', async () => {
    const own = await world();
    expect(
      await issuesOf(() => own.observe(batch({ rows: [], ends: [{ relation: 'observation.clock', columns: { zone: 'utc' } }] }))),
    ).toEqual(['world/report-refused: observation.clock cannot end: now would begin again from anywhere']);
    expect(nowOf(own)).toEqual([7]);
  });
});

describe('a relation without rows', () => {
  test('R55 is absent for everybody: its negation holds before, between and after its rows', async () => {
    const clear = rule(loans.fact.clear({ who })).when(
      observation.score({ who }),
      not(observation.blocked({ who })),
      not(observation.never({ who })),
    );
    const own = await open(program({ name: 'loans', ontologies: [loans], rules: [ruleset('books', { clear })] }));
    await own.observe(reported(scored(1)));
    expect(own.model().rows('fact.clear')).toEqual([{ who: 'ann' }]);
    await own.observe(reported(row(observation.blocked, { who: 'ann' })));
    expect(own.model().rows('fact.clear')).toEqual([]);
  });
});

describe('an update', () => {
  test('R59 of a keyed row is one row less and one more in one batch: counts and differences see no third state', async () => {
    const own = await open(program({ name: 'shop', ontologies: [shop] }));
    await own.observe(reported(orderOf('o1', 100)));
    const outcome = await own.observe(reported(orderOf('o1', 80)));
    const orders = outcome.status === 'committed' ? outcome.difference().filter(({ relation }) => relation === 'observation.order') : [];
    expect(orders.map(({ sign, row: { paid } }) => [sign, paid]).sort()).toEqual([
      [-1, 100],
      [1, 80],
    ]);
    expect(own.model().count('observation.order')).toBe(1);
    expect(own.model().rows('observation.order', { paid: 100 })).toEqual([]);
    const before = shown(own);
    for (const nothing of [null, undefined]) {
      expect(
        await issuesOf(() =>
          own.observe(reported({ relation: 'observation.order', columns: { order: 'o1', paid: nothing as never, state: 'placed' } })),
        ),
      ).toHaveLength(1);
    }
    expect(shown(own)).toEqual(before);
  });
});

describe('a negated comparison', () => {
  const scale = defineOntology({
    observation: { sample: { x: z.number() }, mark: keyed({}, { at: z.number() }) },
    fact: { below: { x: z.number() }, notBelow: { x: z.number() }, above: { x: z.number() }, between: { x: z.number() } },
  });
  const { x, at } = scale.vars;
  const both = [scale.observation.sample({ x }), scale.observation.mark({ at })] as const;
  const rules = ruleset('scale', {
    below: rule(scale.fact.below({ x })).when(...both, lt(x, at)),
    notBelow: rule(scale.fact.notBelow({ x })).when(...both, not(lt(x, at))),
    above: rule(scale.fact.above({ x })).when(...both, gte(x, at)),
    between: rule(scale.fact.between({ x })).when(...both, and(not(gt(x, at)), not(lt(x, at)), lte(x, at))),
  });

  test('R61 is the opposite comparison for every number that a column can hold, and NaN is none of them', async () => {
    const own = await open(program({ name: 'scale', ontologies: [scale], rules: [rules] }));
    const samples = [Number.MIN_SAFE_INTEGER, -1.5, -Number.MIN_VALUE, 0, Number.MIN_VALUE, 0.1 + 0.2, 0.3, 1.5, Number.MAX_SAFE_INTEGER];
    await own.observe(reported(...samples.map((value) => row(scale.observation.sample, { x: value }))));
    const numbers = (relation: string) =>
      own
        .model()
        .rows(relation)
        .map((one) => Number(one['x']))
        .sort((a, b) => a - b);
    for (const mark of samples) {
      await own.observe(reported(row(scale.observation.mark, { at: mark })));
      expect(numbers('fact.below')).toEqual(samples.filter((value) => value < mark).sort((a, b) => a - b));
      expect(numbers('fact.notBelow')).toEqual(numbers('fact.above'));
      expect(numbers('fact.between')).toEqual([mark]);
    }
    const before = shown(own);
    for (const value of [NaN, -0, Infinity, -Infinity]) {
      expect(await issuesOf(() => own.observe(reported(row(scale.observation.sample, { x: value }))))).toHaveLength(1);
      expect(await issuesOf(() => own.observe(reported(row(scale.observation.mark, { at: value }))))).toHaveLength(1);
    }
    expect(shown(own)).toEqual(before);
  });
});
