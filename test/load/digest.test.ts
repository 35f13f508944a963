/** The digest of a program: moves with what the program means, and with nothing else. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { IR, type ProgramIR } from '../../dsl/ir.ts';
import {
  accept,
  amount,
  candidate,
  fact,
  found,
  gated,
  k,
  K,
  loweredOf,
  n,
  observation,
  pays,
  programOf,
  programWith,
  proposal,
  query,
  scope,
  small,
  told,
} from './fixture.ts';
import { countOf, decide, defineOntology, fn, gt, invariant, program, reportKind, rule, ruleset, together } from './language.ts';

const module = defineOntology({ scope, fact: { z: { k: K } } });
const half = fn('half', '1', [z.int()], z.int(), (value: number) => value / 2);
const count = countOf(observation.seen).as(n.as('m'));
const base = {
  name: 'shop',
  ontologies: [small, module],
  rules: [
    ruleset('m', { accept, gated, half: rule(fact.n({ k, n })).when(observation.seen({ k }), count, half(n.as('m')).as(n)) }),
    ruleset('o', { gated }),
    pays().otherwiseApproves(),
    together({ sources: [small.proposal.pay, small.proposal.ping] }),
  ],
  queries: [ruleset('finds', { a: rule(query.find({ k, found })).when(observation.seen({ k }), observation.seen({ k: found })) })],
  invariants: [invariant('one').never(fact.a({ k }), fact.b({ k })), invariant('two').never(fact.c({ k }))],
};
const digest = (change: object = {}) => loweredOf(program({ ...base, ...change })).digest;
const reference = digest();

describe('the digest of a program', () => {
  test('is SHA-256 in hex, the same each time', () => {
    expect(reference).toMatch(/^[0-9a-f]{64}$/);
    expect(digest()).toBe(reference);
  });

  test('does not move with the order of rules, rulesets, ontologies, invariants and groups', () => {
    const [first, ...rest] = base.rules;
    const shuffled = ruleset(
      'm',
      Object.fromEntries(
        Object.entries({ half: rule(fact.n({ k, n })).when(observation.seen({ k }), count, half(n.as('m')).as(n)), gated, accept }),
      ),
    );
    expect(digest({ rules: [...rest, first] })).toBe(reference);
    expect(digest({ rules: [shuffled, ...rest] })).toBe(reference);
    expect(digest({ ontologies: [module, small] })).toBe(reference);
    expect(digest({ ontologies: [small, module, small] })).toBe(reference);
    expect(digest({ invariants: [...base.invariants].reverse() })).toBe(reference);
    expect(digest({ rules: [...base.rules.slice(0, 3), together({ sources: [small.proposal.ping, small.proposal.pay] })] })).toBe(
      reference,
    );
  });

  test('does not move with where in the source something stands, or with the text of a function', () => {
    const same = fn('half', '1', [z.int()], z.int(), (value: number) => Math.floor(value / 2));
    const moved = ruleset('m', { accept, gated, half: rule(fact.n({ k, n })).when(observation.seen({ k }), count, same(n.as('m')).as(n)) });
    expect(digest({ rules: [moved, ...base.rules.slice(1)] })).toBe(reference);
    const ir = (program(base) as { readonly [IR]: ProgramIR })[IR];
    const elsewhere = { ...ir, rules: ir.rules.map((part) => (part.kind === 'decide' ? { ...part, location: 'other.ts:1:1' } : part)) };
    expect(loweredOf({ [IR]: elsewhere }).digest).toBe(reference);
  });

  const other = (half: unknown) => ruleset('m', { accept, gated, half });
  test.each<[string, object]>([
    ['the name of the program', { name: 'shop2' }],
    ['a rule', { rules: base.rules.slice(1) }],
    ['the id of a rule', { rules: [ruleset('p', { gated }), ...base.rules.filter((_, i) => i !== 1)] }],
    [
      'a constant in a rule',
      { rules: [other(rule(fact.n({ k, n: 5 })).when(observation.seen({ k }), count, half(n.as('m')).as(n))), ...base.rules.slice(1)] },
    ],
    [
      'the version of a function',
      {
        rules: [
          other(
            rule(fact.n({ k, n })).when(
              observation.seen({ k }),
              count,
              fn('half', '2', [z.int()], z.int(), (v: number) => v)(n.as('m')).as(n),
            ),
          ),
          ...base.rules.slice(1),
        ],
      },
    ],
    [
      'the types of a function',
      {
        rules: [
          other(
            rule(fact.n({ k, n })).when(
              observation.seen({ k }),
              count,
              fn('half', '1', [z.int()], z.int().min(0), (v: number) => v)(n.as('m')).as(n),
            ),
          ),
          ...base.rules.slice(1),
        ],
      },
    ],
    [
      'a clause of a decide',
      { rules: [...base.rules.filter((_, i) => i !== 2), pays().rejects('much', gt(amount, 7)).otherwiseApproves()] },
    ],
    [
      'the reason of a clause',
      {
        rules: [
          ...base.rules.filter((_, i) => i !== 2),
          decide('pays', small.proposal.pay({ k, amount }))
            .needs('other words', observation.limit({ k, max: small.vars.max }))
            .records({ day: 'd' })
            .otherwiseApproves(),
        ],
      },
    ],
    ['a group', { rules: base.rules.slice(0, 3) }],
    ['an invariant', { invariants: base.invariants.slice(1) }],
    ['a rule of a query', { queries: [] }],
    ['a relation', { ontologies: [small, defineOntology({ scope, fact: { z: { k: K }, y: { k: K } } })] }],
    ['the type of a column', { ontologies: [small, defineOntology({ scope, fact: { z: { k: z.string().max(9) } } })] }],
  ])('moves with %s', (_what, change) => {
    expect(digest(change)).not.toBe(reference);
  });

  test('of a query moves with its rules alone', () => {
    const finds = (change: object = {}) => loweredOf(program({ ...base, ...change })).queries.get('find')?.digest;
    expect(finds({ rules: [] })).toBe(finds());
    expect(
      finds({
        queries: [ruleset('finds', { a: rule(query.find({ k, found })).when(observation.seen({ k }), candidate.order({ k: found })) })],
      }),
    ).not.toBe(finds());
  });
});

describe('what has no text for a digest', () => {
  const half = 'cut \ud83d';
  const lone = 'the string holds a lone surrogate';
  const seen = observation.seen({ k });
  const pings = () => decide('pings', proposal.ping({ k })).needs('seen', seen);
  const odd = z.string().meta({ description: half });
  const wrong = fn('wrong', '1', [odd], z.int(), () => 1);
  const counted = (schema: z.ZodType) => fn('counted', '1', [z.string()], schema, () => 1);
  const action = (columns: object) => defineOntology({ scope, action: { act: { in: columns, evidence: { e: z.string() } } } });

  test.each<[string, () => unknown, string]>([
    [
      'a reason',
      () => programWith(pings().rejects(half, seen).otherwiseApproves()),
      `decide pings: rejects "cut \\ud83d": reason: ${lone}`,
    ],
    [
      'why it is unconditional',
      () => programWith(decide('pings', proposal.ping({ k })).approvesWithoutConditions(half)),
      `decide pings: why it is unconditional: ${lone}`,
    ],
    ['the name of an invariant', () => programOf({}, { invariants: [invariant(half).never(seen)] }), `invariants: name: ${lone}`],
    [
      'the name of a function',
      () => programOf({ r: rule(fact.n({ k, n: 1 })).when(seen, gt(fn(half, '1', [], z.int(), () => 1)(), 1)) }),
      `rule m.r: call: ${lone}`,
    ],
    [
      'the version of a function',
      () => programOf({ r: rule(fact.n({ k, n: 1 })).when(seen, gt(fn('f', half, [], z.int(), () => 1)(), 1)) }),
      `rule m.r: version of f: ${lone}`,
    ],
    [
      'a type that a function takes',
      () => programOf({ r: rule(fact.n({ k, n: 1 })).when(seen, gt(wrong('x'), 1)) }),
      `rule m.r: argument 1 of wrong: ${lone}`,
    ],
    [
      'a type that a function returns',
      () => programOf({ r: rule(fact.n({ k, n: 1 })).when(seen, gt(counted(z.int().meta({ description: half }))('x'), 1)) }),
      `rule m.r: what counted returns: ${lone}`,
    ],
    ['the schema of a column', () => program({ name: 'own', ontologies: [action({ t: z.enum(['a', half]) })] }), `proposal.act.t: ${lone}`],
    ['the description of a column', () => program({ name: 'own', ontologies: [action({ t: odd })] }), `proposal.act.t: ${lone}`],
    [
      'the payload of a report',
      () => programOf({}, { declarations: [reportKind('r', '1', { payload: { t: odd }, writes: [], mapper: () => [] })] }),
      `reportKind r: payload.t: ${lone}`,
    ],
    [
      'the capability of an action',
      () => program({ name: 'own', ontologies: [defineOntology({ action: { act: { in: {}, capability: half } } })] }),
      `action act: capability: ${lone}`,
    ],
  ])('is told with its place: %s', (_what, make, issue) => {
    expect(told(make())).toEqual([`dsl/not-canonical: ${issue}`]);
  });
});
