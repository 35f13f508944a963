import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { irOf, type DecideIR } from '../../dsl/ir.ts';
import {
  always,
  brand,
  decide,
  defineOntology,
  evidenceInvariant,
  gt,
  invariant,
  keyed,
  not,
  program,
  rule,
  ruleset,
  together,
} from '../../src/index.ts';
import { issuesOf } from './issues.ts';

const Cents = brand('Cents', z.int().nonnegative());
const Day = brand('Day', z.string());
const bank = defineOntology({
  observation: { limit: keyed({}, { most: Cents }), today: keyed({}, { day: Day }), boss: { name: z.string() } },
  candidate: { claim: { text: z.string() } },
  action: { pay: { in: { to: z.string(), amount: Cents }, records: { day: Day } } },
  fact: { paid: { to: z.string() } },
});
const { observation, candidate, proposal, receipt, fact } = bank;
const { to, amount, most, day, by, actor, text } = bank.vars;
const paid = rule(fact.paid({ to })).when(receipt.pay({ to, outcome: 'succeeded' }));
const source = { kind: 'atom', relation: 'proposal.pay', columns: { to: { var: 'to' }, amount: { var: 'amount' } } };
const limitAtom = { kind: 'atom', relation: 'observation.limit', columns: { most: { var: 'most' } } };
const above = { kind: 'comparison', comparison: 'gt', left: { var: 'amount' }, right: { var: 'most' } };
const pays = decide('pays', proposal.pay({ to, amount }));

describe('a rule', () => {
  test('has a head, a body and the place where it was written', () => {
    expect(irOf(paid)).toEqual({
      kind: 'rule',
      head: { kind: 'atom', relation: 'fact.paid', columns: { to: { var: 'to' } } },
      body: [{ kind: 'atom', relation: 'receipt.pay', columns: { to: { var: 'to' }, outcome: { const: 'succeeded' } } }],
      location: expect.stringMatching(/rules\.test\.ts:\d+:\d+$/),
    });
    expect(Object.isFrozen(paid)).toBe(true);
  });

  test('stands in a group under its key', () => {
    const books = ruleset('books', { paid });
    expect(irOf(books)).toEqual({ kind: 'ruleset', name: 'books', rules: { paid: irOf(paid) } });
    expect(Object.isFrozen(books)).toBe(true);
  });

  test('that is none stands as null in its group, for the loader to refuse by its id', () => {
    expect(irOf(ruleset('books', { odd: { kind: 'rule' } }))).toEqual({ kind: 'ruleset', name: 'books', rules: { odd: null } });
  });
});

describe('an invariant', () => {
  test.each([
    ['reads trusted rows', invariant('x').never(observation.limit({ most }), gt(most, 5)), false],
    ['over evidence says so', evidenceInvariant('x').never(observation.limit({ most }), gt(most, 5)), true],
  ] as const)('%s', (_claim, value, evidence) => {
    expect(irOf(value)).toMatchObject({
      kind: 'invariant',
      name: 'x',
      evidence,
      body: [limitAtom, { ...above, left: { var: 'most' }, right: { const: 5 } }],
    });
    expect(Object.isFrozen(value)).toBe(true);
  });
});

describe('a decide', () => {
  test('carries its IR before it ends', () => {
    expect(irOf(pays)).toEqual({
      kind: 'decide',
      name: 'pays',
      source,
      clauses: [],
      location: expect.stringMatching(/rules\.test\.ts:\d+:\d+$/),
    });
  });

  test.each<[string, unknown, unknown]>([
    ['needs', pays.needs('r', observation.limit({ most })), { clause: 'needs', reason: 'r', atom: limitAtom }],
    ['needsEvidence', pays.needsEvidence('r', observation.limit({ most })), { clause: 'needsEvidence', reason: 'r', atom: limitAtom }],
    ['awaits', pays.awaits('r', observation.limit({ most })), { clause: 'awaits', reason: 'r', atom: limitAtom }],
    [
      'rejects',
      pays.rejects('r', observation.limit({ most }), gt(amount, most)),
      { clause: 'rejects', reason: 'r', literals: [limitAtom, above] },
    ],
    [
      'expires',
      pays.expires('r', observation.limit({ most }), gt(amount, most)),
      { clause: 'expires', reason: 'r', literals: [limitAtom, above] },
    ],
    ['stillNeeds', pays.stillNeeds('r', observation.limit({ most })), { clause: 'stillNeeds', reason: 'r', literals: [limitAtom] }],
    [
      'limits with a sum',
      pays.needs('n', observation.limit({ most })).limits('r', { sum: amount, per: { to }, max: most }),
      { clause: 'limits', reason: 'r', sum: 'amount', per: { to: { var: 'to' } }, max: { var: 'most' } },
    ],
    [
      'limits that count',
      pays.limits('r', { per: { to }, max: 3 }),
      { clause: 'limits', reason: 'r', per: { to: { var: 'to' } }, max: { const: 3 } },
    ],
    ['asks anyone', pays.asks('r', always), { clause: 'asks', reason: 'r', literals: [{ kind: 'and', literals: [] }] }],
    [
      'asks somebody',
      pays.asks('r', gt(amount, 5), { by: observation.boss({ actor: by }) }),
      {
        clause: 'asks',
        reason: 'r',
        literals: [{ ...above, right: { const: 5 } }],
        by: { kind: 'atom', relation: 'observation.boss', columns: { actor: { var: 'by' } } },
      },
    ],
    ['records', pays.awaits('d', observation.today({ day })).records({ day }), { clause: 'records', columns: { day: { var: 'day' } } }],
  ])('writes %s as a clause', (_claim, value, clause) => {
    expect((irOf(value) as DecideIR).clauses.at(-1)).toEqual({
      ...(clause as object),
      location: expect.stringMatching(/rules\.test\.ts:\d+:\d+$/) as string,
    });
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen((irOf(value) as DecideIR).clauses)).toBe(true);
  });

  test('is a new value after each clause, and the one before is as it was', () => {
    const withLimit = pays.needs('a limit', observation.limit({ most }));
    const [left, right] = [withLimit.rejects('one', gt(amount, most)), withLimit.rejects('two', gt(amount, most))];
    const reasons = (value: unknown) => (irOf(value) as DecideIR).clauses.map((clause) => ('reason' in clause ? clause.reason : ''));
    expect([pays, withLimit, left, right].map(reasons)).toEqual([[], ['a limit'], ['a limit', 'one'], ['a limit', 'two']]);
  });

  const ready = pays.needs('a limit', observation.limit({ most })).awaits('a date', observation.today({ day })).records({ day });
  const claims = decide('claims', candidate.claim({ text })).needs('a limit', observation.limit({ most }));
  test.each<[string, unknown, unknown]>([
    ['otherwiseApproves', ready.otherwiseApproves(), { end: 'approves' }],
    ['otherwiseAccepts', claims.otherwiseAccepts(), { end: 'accepts' }],
    ['approvesWithoutConditions', ready.approvesWithoutConditions('why'), { end: 'approves', unconditional: 'why' }],
    ['acceptsWithoutConditions', claims.acceptsWithoutConditions('why'), { end: 'accepts', unconditional: 'why' }],
  ])('ends with %s', (_claim, value, end) => {
    expect(irOf(value)).toMatchObject({ kind: 'decide', ...(end as object) });
    expect(value).not.toHaveProperty('needs');
  });
});

describe('a program', () => {
  const end = decide('claims', candidate.claim({ text, actor })).acceptsWithoutConditions('why');

  test('holds the IR of its parts, whole and frozen', () => {
    const parts = { rules: [end, ruleset('books', { paid })], group: together({ sources: [proposal.pay, candidate.claim] }) };
    const app = program({
      name: 'bank-1',
      ontologies: [bank],
      rules: [...parts.rules, parts.group],
      invariants: [invariant('x').never(not(observation.limit({})))],
    });
    const ir = irOf(app) as Record<string, readonly unknown[]>;
    expect(ir).toMatchObject({ kind: 'program', name: 'bank-1', queries: [] });
    expect(ir.ontologies).toEqual([irOf(bank)]);
    expect(ir.rules).toEqual([...parts.rules.map(irOf), { kind: 'together', sources: ['proposal.pay', 'candidate.claim'] }]);
    expect(ir.invariants).toHaveLength(1);
    for (const part of [app, ir, ir.ontologies, ir.rules, ir.queries, ir.invariants]) expect(Object.isFrozen(part)).toBe(true);
  });

  test('does not follow a list that is changed after it was built', () => {
    const rules = [ruleset('books', { paid })];
    const app = program({ name: 'bank', ontologies: [bank], rules });
    rules.pop();
    expect((irOf(app) as { rules: unknown[] }).rules).toHaveLength(1);
  });

  test('of things that are not of this library is a value too, with null where they stood', () => {
    const app = program({ name: 'bank', ontologies: [{}], rules: [{ kind: 'ruleset', name: 'x' }, null] } as never);
    expect(irOf(app)).toMatchObject({ ontologies: [null], rules: [null, null], invariants: [] });
    expect(issuesOf(() => program({ name: 'bank', ontologies: [], invariants: 'none' } as never))).toEqual([
      { code: 'dsl/argument-type', what: 'program: invariants: "none" is no list' },
    ]);
  });
});
