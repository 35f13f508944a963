import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { DEFINITION, IR, irOf } from '../../dsl/ir.ts';
import {
  always,
  and,
  brand,
  countOf,
  defineOntology,
  eq,
  fn,
  gt,
  gte,
  lt,
  lte,
  maxOf,
  minOf,
  minus,
  neq,
  not,
  oneOf,
  or,
  plus,
  row,
  sumOf,
  times,
  together,
  vars,
} from '../../src/index.ts';
import { issuesOf } from './issues.ts';

const ItemId = brand('ItemId', z.string());
const { observation, vars: columns } = defineOntology({
  observation: { stock: { item: ItemId, count: z.int(), price: z.int(), state: z.enum(['new', 'old']) } },
});
const { item, count, price, state } = columns;
const double = fn('double', '2', [z.int()], z.int(), (value) => value * 2);
const countIR = { var: 'count' };

describe('the IR of a term', () => {
  test.each<[string, unknown, unknown]>([
    ['a variable is its name', count, countIR],
    ['a renamed variable is its new name', count.as('other'), { var: 'other' }],
    ['a private variable is its name', vars({ mine: z.string() }).mine, { var: 'mine' }],
    ['plus has two sides', plus(count, 1), { arithmetic: 'plus', left: countIR, right: { const: 1 } }],
    ['minus has two sides', minus(price, count), { arithmetic: 'minus', left: { var: 'price' }, right: countIR }],
    [
      'arithmetic nests',
      times(plus(count, 1), 3),
      { arithmetic: 'times', left: { arithmetic: 'plus', left: countIR, right: { const: 1 } }, right: { const: 3 } },
    ],
    ['a call has name, version and arguments', double(count), { call: 'double', version: '2', args: [countIR] }],
    [
      'a count groups by per',
      countOf(observation.stock, { per: { item } }),
      { aggregate: 'count', relation: 'observation.stock', per: { item: { var: 'item' } } },
    ],
    ['a count without per is over all rows', countOf(observation.stock), { aggregate: 'count', relation: 'observation.stock', per: {} }],
    [
      'a sum names its column',
      sumOf(observation.stock, { of: 'count', per: { state: 'new' } }),
      { aggregate: 'sum', relation: 'observation.stock', of: 'count', per: { state: { const: 'new' } } },
    ],
    [
      'a least value names its column',
      minOf(observation.stock, { of: 'price' }),
      { aggregate: 'min', relation: 'observation.stock', of: 'price', per: {} },
    ],
    [
      'a greatest value names its column',
      maxOf(observation.stock, { of: 'item' }),
      { aggregate: 'max', relation: 'observation.stock', of: 'item', per: {} },
    ],
  ])('%s', (_claim, value, ir) => {
    expect(irOf(value)).toEqual(ir);
    expectFrozen(value);
  });

  test('a call carries its function where no digest looks', () => {
    const call = irOf(double(count)) as object;
    expect(Reflect.get(call, DEFINITION)).toMatchObject({ name: 'double', version: '2' });
    expect(Object.keys(call)).toEqual(['call', 'version', 'args']);
    expect(JSON.stringify(call)).not.toContain('implementation');
  });

  test('an implementation that is changed in the array of types later changes nothing', () => {
    const input = [z.int()] as [z.ZodInt];
    const call = fn('keep', '1', input, z.int(), (value) => value);
    input.pop();
    expect(call.definition.input).toHaveLength(1);
  });
});

describe('the IR of a literal', () => {
  const atom = { kind: 'atom', relation: 'observation.stock', columns: { item: { var: 'item' } } };
  const above = { kind: 'comparison', comparison: 'gt', left: countIR, right: { const: 1 } };

  test.each<[string, unknown, unknown]>([
    ['an atom has the columns that were given', observation.stock({ item }), atom],
    ['a constant stands as it is', observation.stock({ state: 'new' }), { ...atom, columns: { state: { const: 'new' } } }],
    ['gt', gt(count, 1), above],
    ['gte', gte(count, 1), { ...above, comparison: 'gte' }],
    ['lt', lt(count, 1), { ...above, comparison: 'lt' }],
    ['lte', lte(count, 1), { ...above, comparison: 'lte' }],
    ['eq', eq(count, 1), { ...above, comparison: 'eq' }],
    ['neq', neq(count, 1), { ...above, comparison: 'neq' }],
    ['oneOf has its members in order', oneOf(state, 'old', 'new'), { kind: 'oneOf', value: { var: 'state' }, members: ['old', 'new'] }],
    ['not wraps an atom', not(observation.stock({ item })), { kind: 'not', literal: atom }],
    ['not wraps a comparison', not(gt(count, 1)), { kind: 'not', literal: above }],
    ['and keeps the order', and(observation.stock({ item }), gt(count, 1)), { kind: 'and', literals: [atom, above] }],
    ['or keeps the order', or(observation.stock({ item }), gt(count, 1)), { kind: 'or', literals: [atom, above] }],
    ['always is the empty conjunction', always, { kind: 'and', literals: [] }],
    [
      'as binds an expression',
      plus(count, 1).as(price),
      { kind: 'bind', variable: 'price', expression: { arithmetic: 'plus', left: countIR, right: { const: 1 } } },
    ],
  ])('%s', (_claim, value, ir) => {
    expect(irOf(value)).toEqual(ir);
    expectFrozen(value);
  });

  test('the IR is out of sight of keys and of JSON', () => {
    const value = gt(count, 1);
    expect(Reflect.ownKeys(value)).toEqual([IR]);
    expect(JSON.stringify(value)).toBe('{}');
  });
});

describe('a constant of a brand', () => {
  const Flag = brand('Flag', z.boolean());
  const Level = brand('Level', z.enum(['low', 'high']));
  const { flag, level } = vars({ flag: Flag, level: Level });

  test('stands beside a variable of the same brand, made by its schema', () => {
    expect(irOf(neq(item, ItemId.parse('tea')))).toMatchObject({ right: { const: 'tea' } });
    expect(irOf(oneOf(item, ItemId.parse('tea'), ItemId.parse('milk')))).toMatchObject({ members: ['tea', 'milk'] });
    expect(irOf(eq(flag, Flag.parse(true)))).toMatchObject({ right: { const: true } });
    expect(irOf(eq(level, Level.parse('low')))).toMatchObject({ right: { const: 'low' } });
  });

  test('is not a plain one, and not one of another brand', () => {
    const Other = brand('Other', z.string());
    // @ts-expect-error: a plain string is no ItemId
    eq(item, 'tea');
    // @ts-expect-error: an Other is no ItemId
    neq(item, Other.parse('tea'));
    // @ts-expect-error: a plain boolean is no Flag
    eq(flag, true);
  });
});

describe('what is no term', () => {
  // Casts: the types refuse these, and programs without types reach the builders all the same.
  const stock = observation.stock as unknown as (columns: unknown) => unknown;

  test.each<[string, () => unknown, string, string]>([
    [
      'a column that is given as undefined throws',
      () => stock({ item: undefined }),
      'dsl/column-undefined',
      'observation.stock.item was given as undefined',
    ],
    [
      'an expression in a column throws',
      () => stock({ count: plus(count, 1) }),
      'dsl/expression-in-column',
      'observation.stock.count was given an expression or a literal',
    ],
    [
      'a literal in a column throws',
      () => stock({ count: gt(count, 1) }),
      'dsl/expression-in-column',
      'observation.stock.count was given an expression or a literal',
    ],
    [
      'a side of a comparison that is undefined throws',
      () => gt(undefined as never, 1),
      'dsl/column-undefined',
      'left of gt was given as undefined',
    ],
    [
      'an argument that is undefined throws',
      () => double(undefined as never),
      'dsl/column-undefined',
      'argument 1 of double was given as undefined',
    ],
    [
      'an aggregate over something that only names itself a relation throws',
      () => countOf({ relation: 'observation.stock' } as never),
      'dsl/not-ours',
      'countOf was given something that is no relation',
    ],
    [
      'a group of names throws',
      () => together({ sources: ['proposal.x' as never] }),
      'dsl/not-ours',
      'together was given something that is no relation',
    ],
    [
      'a row of a name throws',
      () => row('observation.stock' as never, {}),
      'dsl/not-ours',
      'a row was given something that is no relation',
    ],
    [
      'a binding to no variable throws',
      () => plus(count, 1).as('price' as never),
      'dsl/not-ours',
      '.as(...) was given something that is no variable',
    ],
  ])('%s', (_claim, build, code, what) => {
    expect(issuesOf(build)).toEqual([{ code, what }]);
  });

  test('a constant of another kind is left for the loader, which knows the column', () => {
    expect(irOf(stock({ item: null, count: 5n }))).toEqual({
      kind: 'atom',
      relation: 'observation.stock',
      columns: { item: { const: null }, count: { const: 5n } },
    });
  });

  test('a thing that is no literal stands as null, for the loader to refuse by its place', () => {
    expect(irOf(and({ kind: 'atom' } as never, null as never, 'x' as never))).toEqual({ kind: 'and', literals: [null, null, null] });
  });
});

/** The value and everything in its IR. */
function expectFrozen(value: unknown): void {
  expect(Object.isFrozen(value)).toBe(true);
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    expect(Object.isFrozen(part)).toBe(true);
    Object.values(part).forEach(walk);
  };
  walk(irOf(value));
}
