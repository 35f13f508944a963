/**
 * Arbitraries: what is called valid is taken by a world, and what a hostile model says covers what it may say.
 */
import fc from 'fast-check';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { brand, defineOntology, fn, keyed, open, program, type Batch, type ReportRow } from '../../src/index.ts';
import { hostileReplies, repliesOf, rowsOf } from '../../src/testing/fast-check.ts';
import { drive, policy } from '../../examples/drive-through/policy.ts';
import { app, Cents, shop } from '../programs/refund.ts';
import { given } from './shop.ts';

const Even = brand(
  'Even',
  z.int().refine((n) => n % 2 === 0),
);
const odd = defineOntology({
  observation: {
    ranged: { n: z.int().min(3).max(9).multipleOf(3), share: z.number().gt(0).lt(1), any: z.number(), wide: z.int() },
    spelt: { code: z.string().regex(/^[a-z]{3}\d$/), day: z.iso.date(), id2: z.uuid(), short: z.string().min(2).max(3), free: z.string() },
    closed: keyed({ even: Even }, { state: z.enum(['on', 'off']), yes: z.boolean() }),
  },
  candidate: { seen: { even: Even } },
});
const every = program({ name: 'odd', ontologies: [odd] });
const batch = (...rows: readonly ReportRow[]): Batch => ({ session: 's', actor: 'a', reports: [{ rows }] });

describe('rows of a relation', () => {
  test.each([
    ['ranged', rowsOf(odd.observation.ranged)],
    ['spelt', rowsOf(odd.observation.spelt)],
    ['closed', rowsOf(odd.observation.closed)],
  ] as const)('are taken by a world, whatever the ranges of its columns: %s', async (_name, rows) => {
    const world = await open(every);
    await fc.assert(
      fc.asyncProperty(rows, async (one) => {
        expect(await world.observe(batch(one))).toMatchObject({ status: 'committed' });
      }),
      { numRuns: 60 },
    );
  });

  test('have the values that the author gives a column', () => {
    const rows = fc.sample(rowsOf(shop.proposal.refund, { columns: { amount: fc.constant(Cents.parse(7)) } }), 20);
    expect(new Set(rows.map(({ columns }) => columns['amount']))).toEqual(new Set([7]));
  });

  test('meet one another, and the ends of their range', () => {
    const rows = fc.sample(rowsOf(odd.observation.ranged), { numRuns: 200, seed: 1 });
    expect(new Set(rows.map(({ columns }) => columns['n']))).toEqual(new Set([3, 6, 9]));
    const orders = fc.sample(rowsOf(shop.observation.order), { numRuns: 100, seed: 1 }).map(({ columns }) => columns['order']);
    expect(new Set(orders).size).toBeLessThan(60);
    expect(orders).toContain('orderid-1');
  });

  test('say that a schema takes next to nothing, rather than search for ever', () => {
    const rare = defineOntology({ observation: { rare: { one: z.string().refine((text) => text === 'open sesame') } } });
    expect(() => rowsOf(rare.observation.rare)).toThrow('observation.rare.one: next to no value that could be made passes its schema');
    const rows = rowsOf(rare.observation.rare, { columns: { one: fc.constant('open sesame') } });
    expect(fc.sample(rows, 1)).toEqual([{ relation: 'observation.rare', columns: { one: 'open sesame' } }]);
  });
});

describe('replies', () => {
  test.each([
    ['an ontology', repliesOf(drive), policy],
    ['a program', repliesOf(app), app],
  ] as const)('of %s are taken whole', async (_name, replies, loaded) => {
    const world = await open(loaded);
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const outcome = await world.observe({ session: 's', actor: 'a', reports: [reply] });
        expect(outcome.status === 'refused' ? outcome : outcome.captures.flatMap(({ refused }) => refused?.issues ?? [])).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('hostile replies', () => {
  const replies = fc.sample(hostileReplies(app, { given }), { numRuns: 8_000, seed: 3 });
  const rows = replies.flatMap((reply) => (Array.isArray(reply.rows) ? (reply.rows.slice(0, 20) as unknown[]) : []));
  const objects = rows.flatMap((one) =>
    typeof one === 'object' && one !== null ? [one as { relation?: unknown; columns?: unknown }] : [],
  );
  const columns = objects.flatMap((one) =>
    typeof one.columns === 'object' && one.columns !== null ? [one.columns as Record<string, unknown>] : [],
  );
  const values = columns.flatMap((one) => Object.values(one));
  const relations = new Set(objects.map(({ relation }) => relation));
  const has = (name: string) => columns.some((one) => Object.hasOwn(one, name));

  test.each<[kind: string, isThere: () => boolean]>([
    [
      'sound rows alone',
      () =>
        replies.some(({ rows: all }) => Array.isArray(all) && all.length > 0 && all.every((one) => one?.relation === 'proposal.refund')),
    ],
    ['the same row again', () => replies.some(({ rows: all }) => Array.isArray(all) && all.length === 3 && all[0] === all[1])],
    ['hundreds of rows', () => replies.some(({ rows: all }) => Array.isArray(all) && all.length > 256)],
    ['thousands of rows', () => replies.some(({ rows: all }) => Array.isArray(all) && all.length > 2_000)],
    ['no rows', () => replies.some(({ rows: all }) => Array.isArray(all) && all.length === 0)],
    ['no list of rows', () => replies.some(({ rows: all }) => !Array.isArray(all))],
    ['what is no row', () => rows.some((one) => typeof one !== 'object' || one === null)],
    ['columns that are none', () => objects.some((one) => typeof one.columns !== 'object')],
    ['NaN', () => values.some((value) => Number.isNaN(value))],
    ['-0', () => values.some((value) => Object.is(value, -0))],
    ['Infinity', () => values.includes(Infinity)],
    ['an unsafe integer', () => values.includes(2 ** 53)],
    ['a value of another type', () => columns.some((one) => typeof one['amount'] === 'string')],
    ['null', () => values.includes(null)],
    ['a lone surrogate', () => values.some((value) => typeof value === 'string' && /\p{Surrogate}/u.test(value))],
    ['a huge string', () => values.some((value) => typeof value === 'string' && value.length > 1_000_000)],
    ['a forged id', () => has('id')],
    ['a forged session', () => has('session')],
    ['a forged actor', () => has('actor')],
    ['a forged place', () => has('seq')],
    ['a reserved name', () => has('reason')],
    ['a prototype name among columns', () => has('__proto__')],
    ['a prototype name as a relation', () => relations.has('__proto__')],
    ['an unknown relation', () => relations.has('proposal.constructor')],
    ['a relation that looks like another', () => relations.has('pr\u043ep\u043es\u0430l.r\u0435fund')],
    ['an observation', () => relations.has('observation.refundLimit')],
    ['an answer', () => relations.has('confirmed.refund')],
    ['a receipt', () => relations.has('receipt.refund')],
    ['a decision', () => relations.has('decision.approved.refund')],
    ['an admission', () => relations.has('admitted.refund')],
    ['a fact', () => relations.has('fact.refunded')],
    ['a value of the given rows', () => columns.some((one) => one['order'] === 'o1' && one['amount'] === 40_000)],
    ['a value just above what a rule compares with', () => columns.some((one) => one['amount'] === 10_001)],
    ['a reason that looks like one of the program', () => values.includes('d\u0430ily budg\u0435t')],
    ['a capture that is named as a report', () => replies.some(({ capture }) => capture.startsWith('report:'))],
    ['a capture that came before', () => new Set(replies.map(({ capture }) => capture)).size < 200],
    ['ends of a key', () => replies.some((reply) => reply.ends !== undefined)],
  ])('hold %s', (_kind, isThere) => {
    expect(isThere()).toBe(true);
  });

  test('are asked of programs that can be spoken to', () => {
    const silent = program({ name: 'silent', ontologies: [defineOntology({ observation: { said: { text: z.string() } } })] });
    expect(() => hostileReplies(silent)).toThrow('nothing can be said to it');
    expect(() => repliesOf(silent)).toThrow('declares a candidate, a proposal or an action');
    expect(() => repliesOf({} as never)).toThrow('neither a program nor an ontology');
    expect(() => rowsOf(fn('f', '1', [], z.int(), () => 1) as never)).toThrow('no relation');
  });
});
