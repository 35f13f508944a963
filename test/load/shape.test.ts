/** Names, heads, placement and identity of rules: what is as declared, and what is not. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  accept,
  amount,
  approvedView,
  at,
  candidate,
  candidateView,
  day,
  decision,
  due,
  fact,
  gated,
  id,
  intent,
  k,
  loweredOf,
  n,
  observation,
  pays,
  programOf,
  programWith,
  query,
  receipt,
  admitted,
  session,
  small,
  told,
  found,
  x,
} from './fixture.ts';
import { and, countOf, decide, eq, fn, gt, invariant, minus, not, oneOf, or, plus, program, rule, ruleset } from './language.ts';

const seen = observation.seen({ k });

describe('the shape of a rule', () => {
  test('a rule whose names, columns and variables are as declared loads', () => {
    expect(told(programOf({ accept, gated, total: rule(fact.total({ k, amount })).when(observation.limit({ k, max: amount })) }))).toEqual(
      [],
    );
  });

  test.each<[string, object, string]>([
    [
      'an unknown relation is told with the nearest one',
      rule(fact.a({ k })).when({
        [Symbol.for('countersign.ir')]: { kind: 'atom', relation: 'observation.sen', columns: { k: { var: 'k' } } },
      }),
      'load/relation-unknown: rule m.r: unknown relation observation.sen (did you mean observation.seen?)',
    ],
    [
      'an unknown column is told with the nearest one',
      rule(fact.a({ k })).when(observation.limit({ k, mx: amount })),
      'load/column-unknown: rule m.r: observation.limit has no column mx (did you mean max?)',
    ],
    [
      'a head without one of its columns is not whole',
      rule(fact.total({ k })).when(seen),
      'load/column-missing: rule m.r: fact.total: a head must give every column; missing amount',
    ],
    [
      'a decision head without its reason is not whole',
      rule(decision.rejected.order({ k })).when(candidate.order({ k })),
      'load/column-missing: rule m.r: decision.rejected.order: a head must give every column; missing reason',
    ],
    [
      'a recorded column is a column of the approving head',
      rule(decision.accepted.quote({ k, amount })).when(candidate.quote({ k, amount })),
      'load/column-missing: rule m.r: decision.accepted.quote: a head must give every column; missing day',
    ],
    [
      'an observation is written by the runtime',
      rule(observation.seen({ k })).when(candidate.order({ k })),
      'load/not-derivable: rule m.r: observation.seen is not derivable: the runtime writes it',
    ],
    [
      'a receipt is written by the runtime',
      rule(receipt.ping({ k, act: id, outcome: 'failed' })).when(admitted.ping({ k, id })),
      'load/not-derivable: rule m.r: receipt.ping is not derivable: the runtime writes it',
    ],
    [
      'an admission is written by the runtime',
      rule(admitted.ping({ k })).when(seen),
      'load/not-derivable: rule m.r: admitted.ping is not derivable: the runtime writes it',
    ],
    [
      'a due act is derived by the runtime',
      rule(due.ping({ k, id })).when(intent.ping({ k, id })),
      'load/not-derivable: rule m.r: due.ping is not derivable: the runtime writes it',
    ],
    [
      'a held card is made by the runtime',
      rule(decision.held.order({ k, reason: 'x', shown: 'y' })).when(candidate.order({ k })),
      'load/not-derivable: rule m.r: decision.held.order is not derivable: the runtime writes it',
    ],
    [
      'a query head stands among the queries only',
      rule(query.find({ k, found })).when(seen, observation.seen({ k: found })),
      'load/query-place: rule m.r: query.find belongs into queries',
    ],
    [
      'a query is not read by other rules',
      rule(candidateView.c({ k })).when(query.find({ k })),
      'load/query-read: rule m.r: query.find has no rows to read',
    ],
    [
      'an act needs an identity',
      rule(intent.ping({ k })).when(seen),
      'load/no-identity: rule m.r: intent.ping has no identity: neither an id, nor decision.approved.ping in every branch, nor declared columns',
    ],
  ])('%s', (_claim, wrong, issue) => {
    expect(told(programOf({ r: wrong }))).toContain(issue);
  });

  test('rules of a query write that query, may be recursive, and read no other query', () => {
    const own = ruleset('finds', {
      direct: rule(query.find({ k, found })).when(seen, observation.seen({ k: found })),
      far: rule(query.find({ k, found })).when(query.find({ k, found }), seen),
    });
    expect(told(programOf({}, { queries: [own] }))).toEqual([]);
    const foreign = ruleset('finds', { direct: rule(query.find({ k, found })).when(query.other({ k, found })) });
    expect(told(programOf({}, { queries: [foreign] }))).toContain('load/query-read: rule finds.direct: query.other has no rows to read');
    expect(told(programOf({}, { queries: [ruleset('m', { gated })] }))).toContain(
      'load/query-place: rule m.gated: fact.a belongs into rules',
    );
  });

  test('an id that two rules share is refused, also between a ruleset and a decide', () => {
    expect(told(programWith(ruleset('m', { accept }), ruleset('m', { accept })))).toEqual([
      'load/rule-twice: rule id m.accept is used twice',
    ]);
    const named = ruleset('pays', { needs1: accept });
    expect(told(programWith(named, pays().otherwiseApproves()))).toEqual(['load/rule-twice: rule id pays.needs1 is used twice']);
    const act = ruleset('pays', { intent: accept });
    expect(told(programWith(act, pays().otherwiseApproves()))).toEqual(['load/rule-twice: rule id pays.intent is used twice']);
  });

  test('two invariants of one name are refused', () => {
    const twice = [invariant('never').never(seen), invariant('never').never(observation.limit({ k }))];
    expect(told(programOf({}, { invariants: twice }))).toEqual(['load/invariant-twice: invariant "never" is used twice']);
  });

  test('every issue is told at once, in one order', () => {
    const wrong = programOf({
      x: rule(fact.total({ k })).when(seen),
      y: rule(observation.seen({ k })).when(seen),
      z: rule(fact.a({ k })).when(candidate.order({ k })),
    });
    const issues = told(wrong);
    expect(issues.map((one) => one.split(':')[0])).toEqual(['load/column-missing', 'load/not-derivable', 'load/cut-bypassed']);
    expect(told(wrong)).toEqual(issues);
  });
});

describe('the identity of an act', () => {
  test('an intent that reads its approval takes the id from it', () => {
    const lowered = loweredOf(programOf({ r: rule(intent.ping({ k })).when(decision.approved.ping({ k })) }));
    const [one] = lowered.rules.filter((lone) => lone.id === 'm.r');
    expect(one?.head.columns['id']).toEqual({ var: '$id' });
    expect(one?.body[0]).toMatchObject({ relation: 'decision.approved.ping', columns: { id: { var: '$id' } } });
  });

  test('an intent with declared identity columns or a given id needs no approval', () => {
    const lowered = loweredOf(
      programOf({
        a: rule(intent.call({ k, at })).when(seen, observation.today({ day: at })),
        b: rule(intent.ping({ id: 'once', k })).when(seen),
      }),
    );
    expect(lowered.rules.find((one) => one.id === 'm.a')?.head.columns['id']).toEqual({ var: '$id' });
    expect(lowered.rules.find((one) => one.id === 'm.b')?.head.columns['id']).toEqual({ const: 'once' });
    expect(lowered.intents.get('call')?.identity).toEqual(['k', 'at']);
    expect(lowered.intents.get('ping')?.identity).toEqual(['id']);
  });

  test('an intent that reads its approval in one branch of an or only has no identity', () => {
    const torn = rule(intent.ping({ k })).when(or(decision.approved.ping({ k }), seen));
    expect(told(programOf({ r: torn }))).toContainEqual(expect.stringContaining('load/no-identity'));
  });
});

describe('variables of a rule', () => {
  test.each<[string, object, string | undefined]>([
    ['a variable of the head is bound by an atom', rule(fact.total({ k, amount })).when(seen), 'amount'],
    ['a variable under not binds nothing', rule(fact.a({ k })).when(not(observation.seen({ k }))), 'k'],
    ['a variable of a comparison is bound elsewhere', rule(fact.a({ k })).when(seen, gt(n, 1)), 'n'],
    [
      'a variable of a group is bound elsewhere',
      rule(fact.n({ k, n })).when(seen, countOf(observation.limit, { per: { max: amount } }).as(n)),
      'amount',
    ],
    ['two bindings that wait for each other bind nothing', rule(fact.n({ k, n })).when(seen, plus(x, 1).as(n), minus(n, 1).as(x)), 'n'],
    [
      'a binding binds once its own variables are bound, in any order',
      rule(fact.n({ k, n })).when(plus(n.as('m'), 1).as(n), countOf(observation.seen).as(n.as('m')), seen),
      undefined,
    ],
    ['an or binds what each of its branches binds', rule(fact.a({ k })).when(or(seen, observation.limit({ k }))), undefined],
    [
      'an or does not bind what one branch leaves out',
      rule(fact.total({ k, amount })).when(or(observation.limit({ k, max: amount }), seen)),
      'amount',
    ],
    [
      'a branch of an or may use what stands beside it',
      rule(fact.a({ k })).when(or(and(observation.today({ day }), eq(day, 'd')), seen), seen),
      undefined,
    ],
    ['an and inside an and binds too', rule(fact.a({ k })).when(and(and(eq(k, 'x')), and(seen))), undefined],
  ])('%s', (_claim, one, unbound) => {
    const issues = told(programOf({ r: one })).filter((line) => line.startsWith('load/variable-unbound'));
    expect(issues.map((line) => / variable (\S+) is not bound by any positive body atom$/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(unbound === undefined ? [] : [unbound]),
    );
    expect(issues.length > 0).toBe(unbound !== undefined);
  });

  test('a clause uses what the source and earlier clauses bind, and nothing later', () => {
    const early = decide('pays', small.proposal.pay({ k, amount }))
      .rejects('too much', gt(amount, small.vars.max))
      .needs('a maximum', observation.limit({ k, max: small.vars.max }))
      .otherwiseApproves();
    expect(told(programWith(early))).toContain('load/variable-unbound: decide pays: rejects "too much": variable max is not bound yet');
  });
});

describe('functions of a program', () => {
  const double = fn('double', '1', [z.int()], z.int(), (value: number) => value * 2);
  const counted = countOf(observation.seen).as(n.as('m'));

  test('one function may be called in many rules, and another version is another function', () => {
    const next = fn('double', '2', [z.int()], z.int(), (value: number) => value + value);
    const rules = {
      a: rule(fact.n({ k, n })).when(seen, counted, double(n.as('m')).as(n)),
      b: rule(fact.n({ k, n })).when(seen, counted, next(n.as('m')).as(n)),
      c: rule(fact.n({ k, n })).when(seen, counted, double(n.as('m')).as(n)),
    };
    expect([...loweredOf(programOf(rules)).functions.keys()]).toEqual(['double@1', 'double@2']);
  });

  test('two functions of one name and version are refused', () => {
    const same = fn('double', '1', [z.int()], z.int(), (value: number) => value * 2);
    const rules = {
      a: rule(fact.n({ k, n })).when(seen, counted, double(n.as('m')).as(n)),
      b: rule(fact.n({ k, n })).when(seen, counted, same(n.as('m')).as(n)),
    };
    expect(told(programOf(rules))).toEqual(['load/function-twice: rule m.b: double@1 is two functions']);
  });

  test('a body with more calls than a plan can keep apart is refused', () => {
    const many = Array.from({ length: 7 }, (_, i) => double(i).as(n.as(`v${i}`)));
    expect(told(programOf({ r: rule(fact.a({ k })).when(seen, ...many) }))).toContainEqual(expect.stringContaining('load/too-large'));
  });
});

describe('the size of a body', () => {
  test('or that multiplies out beyond the bound is refused before anything is multiplied out', () => {
    const two = or(observation.seen({ k }), observation.limit({ k }));
    expect(told(programOf({ r: rule(fact.a({ k })).when(...Array.from({ length: 6 }, () => two)) }))).toEqual([]);
    expect(told(programOf({ r: rule(fact.a({ k })).when(...Array.from({ length: 7 }, () => two)) }))).toEqual([
      'load/too-large: rule m.r: its or multiplies out into 128 branches, more than branchesMax = 64',
    ]);
    expect(told(programOf({ r: rule(fact.a({ k })).when(...Array.from({ length: 200 }, () => two)) }))).toHaveLength(1);
  });

  test('of a decision or of a rule that calls a function is refused before anything is multiplied out too', () => {
    const two = or(observation.seen({ k }), observation.limit({ k }));
    const many = Array.from({ length: 60 }, () => two);
    const judged = rule(decision.rejected.order({ k, reason: 'x' })).when(candidate.order({ k }), ...many);
    const twice = fn('twice', '1', [z.int()], z.int(), (value: number) => 2 * value);
    const called = rule(fact.n({ k, n })).when(twice(3).as(n), ...many);
    expect(told(programOf({ judged, called })).map((one) => one.slice(0, 30))).toEqual([
      'load/too-large: rule m.judged:',
      'load/too-large: rule m.called:',
    ]);
  });

  test('nesting beyond the bound is refused', () => {
    let deep = seen;
    for (let i = 0; i < 60; i++) deep = and(deep);
    expect(told(programOf({ r: rule(fact.a({ k })).when(deep) }))).toEqual([]);
    for (let i = 0; i < 20; i++) deep = and(deep);
    expect(told(programOf({ r: rule(fact.a({ k })).when(deep) }))).toEqual(['load/too-deep: rule m.r: nested deeper than depthMax = 64']);
  });
});

describe('a program', () => {
  test('its name is letters, digits and dashes', () => {
    expect(told(program({ name: 'a b', ontologies: [small], rules: [] }))).toEqual([
      'dsl/name-malformed: the name of the program: "a b" does not match /^[A-Za-z0-9][A-Za-z0-9-]*$/',
    ]);
  });

  test('names of rulesets and rules are names', () => {
    expect(told(programWith(ruleset('Bad', { 'also bad': accept })))).toEqual([
      'dsl/name-malformed: ruleset: "Bad" does not match /^[a-z][A-Za-z0-9]*$/',
      'dsl/name-malformed: rule Bad.also bad: "also bad" does not match /^[a-z][A-Za-z0-9]*$/',
    ]);
  });

  test('R62 names of the object prototype are names that work', () => {
    const rules = {
      constructor: accept,
      toString: gated,
      valueOf: rule(fact.b({ k })).when(seen),
      hasOwnProperty: rule(approvedView.v({ k })).when(seen),
    };
    expect(loweredOf(programOf(rules)).rules.map((one) => one.id)).toEqual(
      expect.arrayContaining(['m.constructor', 'm.toString', 'm.valueOf', 'm.hasOwnProperty']),
    );
  });

  test('constants that meet their column or their variable load', () => {
    expect(
      told(programOf({ r: rule(fact.a({ k })).when(observation.level({ k, state: 'on', flag: true, x: 1.5 }), oneOf(k, 'a', 'b')) })),
    ).toEqual([]);
  });

  test('a session is read where it is stamped', () => {
    expect(told(programOf({ r: rule(fact.loud({ text: 'x' })).when(observation.seen({ session })) }))).toEqual([]);
  });
});
