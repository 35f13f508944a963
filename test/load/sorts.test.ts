/** What meets in a variable, a comparison, an expression, a call or a constant is of one kind and brand. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  amount,
  Cents,
  fact,
  flag,
  K,
  k,
  max,
  n,
  observation,
  other,
  programOf,
  receipt,
  seq,
  state,
  text,
  told,
  user,
  x,
} from './fixture.ts';
import {
  countOf,
  defineOntology,
  eq,
  fn,
  gt,
  gte,
  lt,
  maxOf,
  minOf,
  minus,
  neq,
  oneOf,
  plus,
  program,
  rule,
  ruleset,
  sumOf,
  times,
} from './language.ts';

const seen = observation.seen({ k });
const level = observation.level({ k, x, flag, state, text });
const limit = observation.limit({ k, max });
const m = n.as('m');
const priced = fn('priced', '1', [K, Cents], Cents, (_k: string, cents: number) => cents);

describe('the sorts of a rule', () => {
  test.each<[string, readonly unknown[]]>([
    ['a brand meets its own brand', [seen, limit, eq(k, other), observation.seen({ k: other })]],
    ['an integer meets an integer constant beyond its column, since a derived value may leave the range', [limit, gt(max, -5)]],
    ['strings have an order', [level, lt(text, 'm')]],
    ['an integer and a float of no brand meet', [countOf(observation.seen).as(m), level, eq(x, m)]],
    ['a member of an enum meets its column', [level, eq(state, 'on'), oneOf(state, 'on', 'off')]],
    ['cents and cents give cents', [limit, receipt.pay({ k, amount }), plus(max, amount).as(n.as('sum')), gt(n.as('sum'), max)]],
    ['cents times a count give cents', [limit, countOf(observation.seen).as(m), times(max, m).as(amount), gt(amount, max)]],
    ['a sum has the sort of its column', [limit, sumOf(receipt.pay, { of: 'amount', per: { k } }).as(amount), gt(amount, max)]],
    [
      'a position is compared and is the greatest of some',
      [observation.seen({ k, seq }), observation.seen({ k: other, seq: seq.as('later') }), lt(seq, seq.as('later'))],
    ],
    ['a call takes and gives what it declares', [limit, priced(k, max).as(amount), gte(amount, max)]],
    ['a call takes constants', [limit, priced('k', 5).as(amount), gte(amount, max)]],
  ])('%s', (_claim, body) => {
    expect(told(programOf({ r: rule(fact.a({ k })).when(seen, ...body) }))).toEqual([]);
  });

  test.each<[string, readonly unknown[], string]>([
    [
      'one variable in columns of two brands',
      [observation.limit({ k, max: k })],
      'load/sort-clash: rule m.r: variable k has two sorts: string<K> in observation.seen.k, integer<Cents> in observation.limit.max',
    ],
    [
      'one variable in two brands of one base',
      [observation.boss({ user: k })],
      'load/sort-clash: rule m.r: variable k has two sorts: string<K> in observation.seen.k, string<ActorId> in observation.boss.user',
    ],
    [
      'a clash through the group of an aggregate',
      [limit, countOf(receipt.pay, { per: { amount: k } }).as(n)],
      'load/sort-clash: rule m.r: variable k has two sorts: string<K> in observation.seen.k, integer<Cents> in receipt.pay.amount',
    ],
    [
      'a clash through a binding',
      [limit, plus(max, 1).as(k)],
      'load/sort-clash: rule m.r: variable k has two sorts: string<K> in observation.seen.k, integer<Cents> in an expression',
    ],
    ['a comparison of two brands', [limit, eq(k, max)], 'load/comparison-type: rule m.r: eq compares string<K> with integer<Cents>'],
    [
      'a comparison with a constant of another kind',
      [limit, neq(max, 'ten')],
      'load/comparison-type: rule m.r: neq compares integer<Cents> with "ten": "ten" is no number',
    ],
    [
      'a comparison with a float where integers are',
      [limit, gt(max, 1.5)],
      'load/comparison-type: rule m.r: gt compares integer<Cents> with 1.5: 1.5 is no safe integer',
    ],
    ['an order of booleans', [level, gt(flag, true)], 'load/comparison-type: rule m.r: gt compares boolean, which has no order'],
    ['an order of an enum', [level, gt(state, 'on')], "load/comparison-type: rule m.r: gt compares 'off' | 'on', which has no order"],
    [
      'a word that is no member',
      [level, oneOf(state, 'on', 'broken')],
      `load/comparison-type: rule m.r: oneOf compares 'off' | 'on' with "broken": "broken" is none of 'off' | 'on'`,
    ],
    [
      'a constant out of the range of its column',
      [observation.limit({ k, max: -1 })],
      'load/constant-type: rule m.r: -1 is not a value of observation.limit.max',
    ],
    [
      'a constant of another kind than its column',
      [observation.limit({ k: 7 })],
      'load/constant-type: rule m.r: 7 is not a value of observation.limit.k: 7 is no string',
    ],
    [
      'a constant that is no member of its enum',
      [receipt.pay({ outcome: 'maybe' })],
      'load/constant-type: rule m.r: "maybe" is not a value of receipt.pay.outcome',
    ],
    ['a constant that is no value at all', [observation.seen({ k: null })], 'load/constant-type: rule m.r: column k: null is no value'],
    ['NaN', [limit, gt(max, NaN)], 'load/constant-type: rule m.r: NaN is no finite number'],
    ['minus zero', [limit, gt(max, -0)], 'load/constant-type: rule m.r: -0 is no value: write 0'],
    ['an unsafe integer', [limit, gt(max, 2 ** 53)], 'load/constant-type: rule m.r: 9007199254740992 is no safe integer'],
    [
      'a lone surrogate',
      [observation.level({ text: '\ud800' })],
      'load/constant-type: rule m.r: column text: the string holds a lone surrogate',
    ],
    ['arithmetic on a float', [level, plus(x, 1).as(n)], 'load/arithmetic-type: rule m.r: plus takes integers, not number'],
    [
      'arithmetic with a float constant',
      [limit, plus(max, 0.5).as(amount)],
      'load/arithmetic-type: rule m.r: plus takes integers, not number',
    ],
    ['arithmetic on a string', [level, plus(text, 1).as(n)], 'load/arithmetic-type: rule m.r: plus takes integers, not string'],
    [
      'arithmetic on a position',
      [observation.seen({ seq }), minus(seq, 1).as(n)],
      'load/arithmetic-type: rule m.r: minus takes integers, not a position',
    ],
    [
      'cents and a plain integer',
      [limit, countOf(observation.seen).as(m), plus(max, m).as(amount)],
      'load/arithmetic-type: rule m.r: plus takes two of one sort, not integer<Cents> and integer',
    ],
    [
      'cents times cents',
      [limit, times(max, max).as(amount)],
      'load/arithmetic-type: rule m.r: times takes one plain integer, not integer<Cents> and integer<Cents>',
    ],
    [
      'a sum of strings',
      [sumOf(observation.level, { of: 'text' }).as(n)],
      'load/aggregate-type: rule m.r: observation.level.text is string, which has no sum',
    ],
    [
      'a sum of positions',
      [sumOf(observation.level, { of: 'seq' }).as(n)],
      'load/aggregate-type: rule m.r: observation.level.seq is integer, which has no sum',
    ],
    [
      'the greatest of booleans',
      [maxOf(observation.level, { of: 'flag' }).as(flag)],
      'load/aggregate-type: rule m.r: observation.level.flag is boolean, which has no max',
    ],
    [
      'an aggregate of an unknown column',
      [minOf(observation.limit, { of: 'mux' }).as(max)],
      'load/column-unknown: rule m.r: observation.limit has no column mux (did you mean max?)',
    ],
    [
      'an aggregate grouped by an unknown column',
      [countOf(observation.limit, { per: { kk: k } }).as(n)],
      'load/column-unknown: rule m.r: observation.limit has no column kk (did you mean k?)',
    ],
    ['a call with too few arguments', [limit, priced(k).as(amount)], 'load/call-type: rule m.r: priced takes 2 arguments, not 1'],
    [
      'a call with an argument of another brand',
      [limit, observation.boss({ user }), priced(user, max).as(amount)],
      'load/call-type: rule m.r: argument 1 of priced compares string<K> with string<ActorId>',
    ],
    [
      'a call with a constant of another kind',
      [limit, priced('k', 'ten').as(amount)],
      'load/call-type: rule m.r: argument 2 of priced compares integer<Cents> with "ten": "ten" is no number',
    ],
    ['a call that returns no column type', [fn('now', '1', [], z.date(), () => 0)().as(n)], 'dsl/column-type: rule m.r: what now returns'],
  ])('%s does not load', (_claim, body, issue) => {
    const issues = told(programOf({ r: rule(fact.a({ k })).when(seen, ...body) }));
    expect(issues.some((one) => one.startsWith(issue))).toBe(true);
  });

  test('a head is held to its columns too', () => {
    expect(told(programOf({ r: rule(fact.a({ k: max })).when(limit) }))).toEqual([
      'load/sort-clash: rule m.r: variable max has two sorts: integer<Cents> in observation.limit.max, string<K> in fact.a.k',
    ]);
    expect(told(programOf({ r: rule(fact.n({ k: 'x', n: 'y' })).when(seen) }))).toEqual([
      'load/constant-type: rule m.r: "y" is not a value of fact.n.n: "y" is no number',
    ]);
  });

  test('a schema that throws on a constant is an issue, not a crash', () => {
    const thrown = z.string().refine(() => {
      throw new Error('no');
    });
    const own = defineOntology({ observation: { said: { text: thrown } }, fact: { loud: { text: thrown } } });
    const rules = ruleset('m', {
      r: rule(own.fact.loud({ text: own.vars.text })).when(
        own.observation.said({ text: own.vars.text }),
        own.observation.said({ text: 'x' }),
      ),
    });
    expect(told(program({ name: 'own', ontologies: [own], rules: [rules] }))).toEqual([
      'load/constant-type: rule m.r: "x" is not a value of observation.said.text: the schema throws on "x"',
    ]);
  });
});
