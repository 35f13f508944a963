/**
 * Options of the testing kit: every function refuses a name that it does not know, and a value that says nothing.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCountersignError, open } from '../../src/index.ts';
import { containment, hostileReplies, repliesOf, rowsOf } from '../../src/testing/fast-check.ts';
import { coverage, scenario } from '../../src/testing/testing.ts';
import { app, shop } from '../programs/refund.ts';
import { given, refund } from './shop.ts';

/** Whatever an untyped caller may write. */
type Options = Readonly<Record<string, unknown>>;

const seen = coverage(app);
const FUNCTIONS: Readonly<Record<string, (options: never) => unknown>> = {
  scenario: (options) => scenario(app, options),
  containment: (options) => containment(app, options),
  hostileReplies: (options) => hostileReplies(app, options),
  repliesOf: (options) => repliesOf(app, options),
  rowsOf: (options) => rowsOf(shop.proposal.refund, options),
  'open of a coverage': (options) => seen.open(options),
  expectFull: (options) => {
    seen.expectFull(options);
  },
};

/** Codes and what is said, of a call that throws or rejects. */
async function told(act: () => unknown): Promise<readonly string[]> {
  try {
    await act();
  } catch (error) {
    if (isCountersignError(error)) return error.issues.map(({ code, what }) => `${code}: ${what}`);
    throw error;
  }
  return ['it is taken'];
}
const toldOf = (name: string, options: unknown) => told(() => FUNCTIONS[name]?.(options as never));

describe('an option that is unknown', () => {
  test.each<[name: string, options: Options, says: string]>([
    ['scenario', { actorr: 'ada' }, 'actorr (did you mean actor?)'],
    ['containment', { givn: [], numRuns: 0 }, 'givn (did you mean given?)'],
    ['hostileReplies', { rowMax: 1 }, 'rowMax (did you mean rowsMax?)'],
    ['repliesOf', { column: {} }, 'column (did you mean columns?)'],
    ['rowsOf', { colums: {} }, 'colums (did you mean columns?)'],
    ['open of a coverage', { tennant: 't' }, 'tennant (did you mean tenant?)'],
    ['open of a coverage', { fired: () => undefined }, 'fired'],
    ['expectFull', { exept: [] }, 'exept (did you mean except?)'],
  ])('of %s is refused: %o', async (name, options, says) => {
    expect(await toldOf(name, options)).toEqual([`dsl/argument-type: ${name} takes no ${says}`]);
  });

  test.each(Object.keys(FUNCTIONS))('of %s is told with every other, and so are options that are none', async (name) => {
    expect(await toldOf(name, { one: 1, other: 2 })).toEqual([
      `dsl/argument-type: ${name} takes no one`,
      `dsl/argument-type: ${name} takes no other`,
    ]);
    for (const odd of [null, 3, 'options', [], new Date(0), () => undefined])
      expect(await toldOf(name, odd)).toEqual([expect.stringMatching(new RegExp(`^dsl/argument-type: ${name}: .* is no record of `))]);
  });
});

describe('an option that says nothing', () => {
  const NO_TEXT = [null, '', 5, {}, '\ud800'];
  const NO_COUNT = [null, 0, -1, 0.5, NaN, Infinity, '3', 1n];
  const NO_LIST = [null, 'o1', 3, {}, new Set()];
  const rowsOdd = [...NO_LIST, [null], [{}], [refund(1).columns], [{ relation: 'observation.order', columns: null }], [[]]];
  const columnsOdd = [
    null,
    3,
    [],
    { 'proposal.refund': null },
    { 'proposal.refund': { amount: 5 } },
    { 'proposal.refund': { amout: fc.nat() } },
  ];

  test.each<[name: string, option: string, odd: readonly unknown[]]>([
    ['scenario', 'session', NO_TEXT],
    ['scenario', 'actor', NO_TEXT],
    ['scenario', 'tenant', NO_TEXT],
    ['scenario', 'openRowsMax', [null, -1, 0.5, NaN, '3']],
    ['scenario', 'coverage', [null, 3, {}, coverage]],
    ['containment', 'given', rowsOdd],
    ['containment', 'columns', columnsOdd],
    ['containment', 'freely', [...NO_LIST, [null], ['refund'], ['observation.order']]],
    ['containment', 'actors', [...NO_LIST, [], [5], ['']]],
    ['containment', 'sessions', [...NO_LIST, [], [5], ['']]],
    ['containment', 'movesMax', NO_COUNT],
    ['containment', 'numRuns', NO_COUNT],
    ['containment', 'seed', [null, 0.5, NaN, '3']],
    ['containment', 'path', [null, 3, 'a', '1:', ':']],
    ['hostileReplies', 'given', rowsOdd],
    ['hostileReplies', 'columns', columnsOdd],
    ['hostileReplies', 'rowsMax', NO_COUNT],
    ['repliesOf', 'columns', columnsOdd],
    ['repliesOf', 'rowsMax', NO_COUNT],
    ['rowsOf', 'columns', [null, 3, [], { amount: 5 }, { amount: null }, { amout: fc.nat() }]],
    ['expectFull', 'except', [...NO_LIST, [null], [5], ['']]],
  ])('of %s is refused: %s', async (name, option, odd) => {
    for (const value of odd)
      expect(await toldOf(name, { [option]: value })).toEqual([expect.stringContaining(`dsl/argument-type: ${name}: ${option}: `)]);
    expect(await toldOf(name, { [option]: undefined })).toEqual([`dsl/argument-type: ${name}: ${option} was given as undefined`]);
  });

  test('is told by its place, with what was meant, and with every other', async () => {
    const relation = 'observation.ordr';
    expect(await toldOf('containment', { given: [{ relation, columns: {} }], numRuns: 0, freely: ['proposal.refnd'] })).toEqual([
      'dsl/argument-type: containment: given: [0]: no relation "observation.ordr" (did you mean observation.order?)',
      'dsl/argument-type: containment: freely: [0]: no relation "proposal.refnd" (did you mean proposal.refund?)',
      'dsl/argument-type: containment: numRuns: 0 is no whole number of at least 1',
    ]);
    expect(await toldOf('hostileReplies', { columns: { 'proposal.refund': { amout: fc.nat() } } })).toEqual([
      'dsl/argument-type: hostileReplies: columns: proposal.refund: amout: no column "amout" (did you mean amount?)',
    ]);
    expect(await toldOf('open of a coverage', { openRowsMax: -1 })).toEqual([
      expect.stringMatching(/^world\/options-malformed: openRowsMax/),
    ]);
  });
});

describe('what is no program', () => {
  test.each<[name: string, act: (odd: never) => unknown]>([
    ['coverage', (odd) => coverage(odd)],
    ['containment', (odd) => containment(odd)],
    ['hostileReplies', (odd) => hostileReplies(odd)],
    ['repliesOf', (odd) => repliesOf(odd)],
    ['rowsOf', (odd) => rowsOf(odd)],
    ['scenario', (odd) => scenario(odd).given()],
  ])('is refused by %s', async (_name, act) => {
    for (const odd of [undefined, null, 3, 'app', {}, [], () => app])
      expect(await told(() => act(odd as never))).toEqual([expect.stringMatching(/^(dsl|load)\/not-ours: /)]);
  });

  test('nor is a world anything but a world, to a coverage', async () => {
    for (const odd of [undefined, null, 3, {}, app]) {
      expect(await told(() => seen.add(odd as never))).toEqual([expect.stringContaining('dsl/argument-type: add of a coverage: world: ')]);
      expect(await told(() => seen.look(odd as never))).toEqual([
        expect.stringContaining('dsl/argument-type: look of a coverage: world: '),
      ]);
    }
    seen.add(await open(app, { fired: seen.fired }));
  });
});

test('options that say something are taken, each of them', async () => {
  const amount = fc.constantFrom(1, 2);
  const columns = { 'proposal.refund': { amount } };
  await scenario(app, { session: 's', actor: 'ada', tenant: 't', openRowsMax: 0, coverage: seen }).given(...given);
  const options = {
    given,
    columns,
    freely: ['proposal.note'],
    actors: ['ada'],
    sessions: ['s'],
    movesMax: 2,
    numRuns: 2,
    seed: -1,
    path: '',
  };
  expect(await containment(app, options)).toMatchObject({ histories: 2 });
  fc.sample(hostileReplies(app, { given, columns, rowsMax: 1 }), 1);
  fc.sample(repliesOf(app, { columns, rowsMax: 1 }), 1);
  fc.sample(repliesOf(shop, { columns }), 1);
  await (await seen.open({ tenant: 't', openRowsMax: 3 })).observe({ session: 's', actor: 'ada', reports: [{ rows: given }] });
});
