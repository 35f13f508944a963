/** A function of the author's own that goes wrong: what falls, what stands, and that no row of a model's stops the clock. */
/* eslint-disable @typescript-eslint/only-throw-error -- what functions of others may throw is what these tests are about */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  decide,
  defineOntology,
  fn,
  gt,
  invariant,
  keyed,
  open,
  program,
  row,
  rule,
  ruleset,
  times,
  vars,
  type Ruleset,
} from '../../src/index.ts';
import { issuesOf, replied, reported, shown, told, type World } from './shop.ts';

const numbers = defineOntology({
  observation: { clock: keyed({}, { now: z.int() }), base: keyed({}, { n: z.int() }) },
  candidate: { guess: { n: z.int() } },
  proposal: { wish: { n: z.int() } },
  fact: { known: { n: z.int() }, counted: { n: z.int() } },
  candidateView: { scored: { n: z.int() } },
  query: { scores: { in: { n: z.int() }, out: { score: z.int() } } },
});
const { observation, candidate, proposal, decision, fact, candidateView, query } = numbers;
const { id, n, score } = numbers.vars;
const { out } = vars({ out: z.int() });

/** Wrong for 13, right for everything else. */
type Fails = readonly [name: string, at13: () => unknown, what: string];
const cyclic: unknown[] = [];
cyclic.push(cyclic);
const fails: readonly Fails[] = [
  [
    'throws an error',
    () => {
      throw new Error('no such number');
    },
    'no such number',
  ],
  [
    'throws a text',
    () => {
      throw 'unlucky';
    },
    'unlucky',
  ],
  [
    'throws nothing',
    () => {
      throw undefined;
    },
    'undefined',
  ],
  [
    'throws a symbol',
    () => {
      throw Symbol('s');
    },
    'Symbol(s)',
  ],
  [
    'throws an object without a text',
    () => {
      throw Object.create(null);
    },
    'threw something that cannot be described',
  ],
  [
    'throws an error whose message throws',
    () => {
      throw Object.defineProperty(new Error(), 'message', {
        get: () => {
          throw new Error('again');
        },
      });
    },
    'threw something that cannot be described',
  ],
  [
    'throws a text with a lone surrogate',
    () => {
      throw new Error('half \ud800');
    },
    'half \ufffd',
  ],
  [
    'throws a text that is cut within a character',
    () => {
      throw new Error(`${'x'.repeat(199)}\u{1f600}`);
    },
    `${'x'.repeat(199)}`,
  ],
  [
    'throws a text of a megabyte',
    () => {
      throw new Error('x'.repeat(1_000_000));
    },
    'x'.repeat(200),
  ],
  [
    'has no end of calls',
    function endless(): unknown {
      return [endless()];
    },
    'Maximum call stack size exceeded',
  ],
  ['returns a text', () => '13', 'score returned "13"'],
  ['returns NaN', () => NaN, 'score returned NaN'],
  ['returns -0', () => -0, 'score returned -0'],
  ['returns an infinity', () => Infinity, 'score returned Infinity'],
  ['returns a fraction', () => 1.5, 'score returned 1.5'],
  ['returns an unsafe integer', () => 2 ** 53, 'score returned 9007199254740992'],
  ['returns a bigint', () => 13n, 'score returned 13n'],
  ['returns undefined', () => undefined, 'score returned undefined'],
  ['returns null', () => null, 'score returned null'],
  ['returns a promise', () => Promise.resolve(13), 'score returned an object'],
  ['returns a promise that fails', () => Promise.reject(new Error('later')), 'score returned an object'],
  ['returns a cyclic list', () => cyclic, 'score returned a list'],
];

function scoreOf(at13: () => unknown) {
  const implementation = (value: number) => (value === 13 ? at13() : value * 2);
  return fn('score', '1', [z.int()], z.int(), implementation as never);
}

const guess = (value: number) => row(candidate.guess, { n: value });
const wish = (value: number) => row(proposal.wish, { n: value });
const base = (value: number) => row(observation.base, { n: value });
const clock = (value: number) => row(observation.clock, { now: value });
const accept = rule(decision.accepted.guess({ id, n })).when(candidate.guess({ id, n }));

async function world(rules: readonly Ruleset[], more: object = {}): Promise<World> {
  return open(program({ name: 'numbers', ontologies: [numbers], rules: [...rules], ...more }));
}

/** The clock is the test of a world that goes on. */
async function ticks(of: World): Promise<void> {
  const now = of.position;
  const outcome = await of.observe(reported(clock(now)));
  expect(outcome.status).toBe('committed');
  expect(of.model().rows('observation.clock')).toMatchObject([{ now }]);
}

describe.each(fails)('a function that %s', (_name, at13, what) => {
  const short = (text: string) => expect.stringContaining(text.slice(0, 60));

  test('R40 in a decision rejects the row that it is about, with rule and cause, and no other', async () => {
    const double = scoreOf(at13);
    const judged = rule(decision.accepted.guess({ id, n })).when(candidate.guess({ id, n }), gt(double(n), 0));
    const own = await world([ruleset('guesses', { judged })]);
    await own.observe(replied('c', guess(12), guess(13), guess(14)));
    expect(told(own)).toEqual([
      'accepted guess c.1',
      short(`rejected guess c.2 undecidable: guesses.judged: ${what}`),
      'accepted guess c.3',
    ]);
    await ticks(own);
  });

  test('R40 R43 in a rule that rejects is a rejection, never an approval', async () => {
    const double = scoreOf(at13);
    const own = await world([
      ruleset('wishes', {
        approve: rule(decision.approved.wish({ id, n })).when(proposal.wish({ id, n })),
        deny: rule(decision.rejected.wish({ id, n, reason: 'too much' })).when(proposal.wish({ id, n }), gt(double(n), 1000)),
      }),
    ]);
    await own.observe(replied('c', wish(12), wish(13), wish(501)));
    expect(told(own)).toEqual([
      'approved wish c.1',
      short(`rejected wish c.2 undecidable: wishes.deny: ${what}`),
      'rejected wish c.3 too much',
    ]);
    await ticks(own);
  });

  test('in a view over evidence sets that row aside, and the clock of the same batch ticks', async () => {
    const double = scoreOf(at13);
    const scored = rule(candidateView.scored({ n: out })).when(candidate.guess({ n }), double(n).as(out));
    const own = await world([ruleset('views', { accept, scored })]);
    const { reports } = replied('c', guess(12), guess(13));
    const outcome = await own.observe({ session: 's', actor: 'a', reports: [{ rows: [clock(7)] }, ...reports] });
    expect(outcome.status).toBe('committed');
    expect(own.model().rows('candidateView.scored')).toEqual([{ n: 24 }]);
    expect(own.model().statusOf('c.1')).toBe('accepted');
    expect(told(own)).toContainEqual(short(`rejected guess c.2 set aside: views.scored: ${what}`));
    expect(own.model().rows('observation.clock')).toMatchObject([{ now: 7 }]);
    await ticks(own);
  });

  test('in a view that trusted rows reach later takes the accepted row back, not the truth', async () => {
    const double = scoreOf(at13);
    const known = rule(fact.known({ n: out })).when(decision.accepted.guess({ n }), observation.base({}), double(n).as(out));
    const own = await world([ruleset('views', { accept, known })]);
    await own.observe(replied('c', guess(12), guess(13)));
    const outcome = await own.observe(reported(base(1)));
    expect(outcome.status).toBe('committed');
    expect(own.model().rows('fact.known')).toEqual([{ n: 24 }]);
    expect(told(own)).toContainEqual(short(`revoked guess c.2 set aside: views.known: ${what}`));
    await ticks(own);
  });

  test('in a view over trusted rows alone refuses the transition, naming the rule', async () => {
    const double = scoreOf(at13);
    const counted = rule(fact.counted({ n: out })).when(observation.base({ n }), double(n).as(out));
    const own = await world([ruleset('views', { accept, counted })]);
    await own.observe(reported(base(12)));
    const before = shown(own);
    const outcome = await own.observe(reported(base(13)));
    expect(outcome).toMatchObject({ status: 'refused', refusal: { invariant: 'undecidable: views.counted', detail: short(what) } });
    expect({ ...shown(own), position: before.position, digest: before.digest }).toEqual(before);
    expect(own.model().rows('fact.counted')).toEqual([{ n: 24 }]);
    await ticks(own);
  });

  test('A18 in an invariant counts as a violation: the transition is refused', async () => {
    const double = scoreOf(at13);
    const invariants = [invariant('bases are small').never(observation.base({ n }), gt(double(n), 1000))];
    const own = await world([], { invariants });
    const before = shown(own);
    const outcome = await own.observe(reported(base(13)));
    expect(outcome).toMatchObject({
      status: 'refused',
      refusal: { invariant: 'bases are small', witness: { n: 13 }, detail: short(`undecidable: ${what}`) },
    });
    expect({ ...shown(own), position: before.position, digest: before.digest }).toEqual(before);
    expect((await own.observe(reported(base(12)))).status).toBe('committed');
    await ticks(own);
  });

  test('in a query leaves the question without an answer, and the model as it was', async () => {
    const double = scoreOf(at13);
    const queries = [
      ruleset('scores', { all: rule(query.scores({ n, score })).when(decision.accepted.guess({ n }), double(n).as(score)) }),
    ];
    const own = await world([ruleset('guesses', { accept })], { queries });
    await own.observe(replied('c', guess(12)));
    expect(own.model().ask('scores', { n: 12 })).toEqual([{ n: 12, score: 24 }]);
    await own.observe(replied('d', guess(13)));
    const before = shown(own);
    expect(await issuesOf(() => own.model().ask('scores', { n: 12 }))).toEqual([short(`engine/query-failed: query scores: ${what}`)]);
    expect(shown(own)).toEqual(before);
    await ticks(own);
  });
});

describe('what cannot be computed', () => {
  test('R68 is a product that no column can hold: the guess falls, and the sum of the others stands', async () => {
    const scored = rule(candidateView.scored({ n: out })).when(candidate.guess({ n }), times(n, n).as(out));
    const own = await world([ruleset('views', { accept, scored })]);
    await own.observe(replied('c', guess(3), guess(Number.MAX_SAFE_INTEGER)));
    expect(own.model().rows('candidateView.scored')).toEqual([{ n: 9 }]);
    expect(own.model().statusOf('c.2')).toBe('rejected');
    await ticks(own);
  });

  test('is not what only grows while it is compared', async () => {
    const large = rule(decision.accepted.guess({ id, n })).when(candidate.guess({ id, n }), gt(times(n, n), Number.MAX_SAFE_INTEGER));
    const own = await world([ruleset('guesses', { large })]);
    await own.observe(replied('c', guess(3), guess(Number.MAX_SAFE_INTEGER)));
    expect([own.model().statusOf('c.1'), own.model().statusOf('c.2')]).toEqual(['pending', 'accepted']);
  });

  test('a function is asked once for the same arguments, so that a moody one cannot tear a model apart', async () => {
    let calls = 0;
    const moody = fn('moody', '1', [z.int()], z.int(), (value) => value + (calls += 1));
    const first = rule(candidateView.scored({ n: out })).when(candidate.guess({ n }), moody(n).as(out));
    const second = rule(fact.known({ n: out })).when(decision.accepted.guess({ n }), moody(n).as(out));
    const own = await world([ruleset('views', { accept, first, second })]);
    await own.observe(replied('c', guess(5)));
    await own.observe(replied('d', guess(5)));
    expect(own.model().rows('fact.known')).toEqual(own.model().rows('candidateView.scored'));
    expect(calls).toBe(1);
  });

  test('a function sees no evidence of two rows: a decision that would let one row fail another does not load', async () => {
    const sum = fn('sum', '1', [z.int(), z.int()], z.int(), (left, right) => left + right);
    const other = n.as('other');
    const tearing = rule(decision.accepted.guess({ id, n })).when(
      candidate.guess({ id, n }),
      candidate.guess({ n: other }),
      gt(sum(n, other), 0),
    );
    expect(await issuesOf(() => world([ruleset('guesses', { tearing })]))).toEqual([expect.stringMatching(/^load\/function-evidence: /)]);
  });

  test('a function in a decide fails closed in every clause that it stands in', async () => {
    const half = scoreOf(() => {
      throw new Error('no');
    });
    const wishes = decide('wishes', proposal.wish({ n }))
      .rejects('too much', gt(half(n), 1000))
      .approvesWithoutConditions('a test');
    const own = await open(program({ name: 'numbers', ontologies: [numbers], rules: [wishes] }));
    await own.observe(replied('c', wish(12), wish(13)));
    expect(told(own)).toEqual(['approved wish c.1', 'rejected wish c.2 undecidable: wishes.rejects1: no']);
  });
});

describe('a schema of a column that throws', () => {
  const moody = defineOntology({
    observation: {
      odd: {
        text: z.string().refine((text) => {
          if (text === 'x') throw new Error('moody');
          return true;
        }),
      },
      clock: keyed({}, { now: z.int() }),
    },
    candidate: {
      odd: {
        text: z.string().refine((text) => {
          if (text === 'x') throw new Error('moody');
          return true;
        }),
      },
    },
  });

  test('R40 refuses the trusted report and leaves the capture without rows', async () => {
    const own = await open(program({ name: 'moody', ontologies: [moody] }));
    const before = shown(own);
    expect(await issuesOf(() => own.observe(reported(row(moody.observation.odd, { text: 'x' }))))).toEqual([
      expect.stringMatching(/^world\/report-refused: .*odd\.text/),
    ]);
    expect(shown(own)).toEqual(before);
    await own.observe(replied('c', row(moody.candidate.odd, { text: 'x' })));
    expect(told(own)).toEqual(['refused c: malformed']);
    await ticks(own);
  });
});
