/** Malformed programs: one good program, damaged in every place and in every way, and exotic values. Each is refused with an issue. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { DEFINITION, IR, type ProgramIR } from '../../dsl/ir.ts';
import { CountersignError, isCountersignError, isIssueCode } from '../../dsl/issue.ts';
import { check, load } from '../../src/load/load.ts';
import { accept, fact, K, k, observation, programOf, small, told } from './fixture.ts';
import {
  always,
  and,
  countOf,
  decide,
  defineOntology,
  eq,
  evidenceInvariant,
  fn,
  gt,
  invariant,
  keyed,
  not,
  oneOf,
  or,
  plus,
  program,
  rule,
  ruleset,
  sumOf,
  together,
} from './language.ts';

/** One of every construct, on an ontology as small as can be. */
function goodProgram(): ProgramIR {
  const Count = z.int().nonnegative();
  const own = defineOntology({
    observation: { seen: { k: K }, limit: keyed({ k: K }, { max: Count }) },
    candidate: { order: { k: K } },
    action: { pay: { in: { k: K, max: Count } } },
    query: { find: { in: { k: K }, out: { max: Count } } },
    fact: { a: { k: K, max: Count } },
  });
  const { observation, proposal, candidate, decision } = own;
  const { max, by, id } = own.vars;
  const n = max.as('n');
  const twice = fn('twice', '1', [z.int()], z.int(), (value: number) => 2 * value);
  const seen = observation.seen({ k });
  return (
    program({
      name: 'good',
      ontologies: [own],
      rules: [
        ruleset('m', {
          plain: rule(own.fact.a({ k, max })).when(
            observation.limit({ k, max }),
            or(seen, and(seen, gt(max, 3))),
            not(eq(k, 'x')),
            oneOf(max, 1, 2),
          ),
          counted: rule(own.fact.a({ k, max: n })).when(seen, countOf(observation.seen, { per: { k } }).as(max), plus(twice(max), 1).as(n)),
          judged: rule(decision.rejected.pay({ id, k, max, reason: 'x' })).when(
            proposal.pay({ id, k, max }),
            gt(sumOf(observation.limit, { of: 'max' }), 3),
          ),
        }),
        decide('pays', proposal.pay({ k, max }))
          .needs('seen', seen)
          .awaits('limit', observation.limit({ k, max: n }))
          .rejects('much', gt(max, n))
          .limits('many', { sum: max, per: { k }, max: 9 })
          .asks('sure?', always, { by: observation.seen({ k, actor: by }) })
          .expires('late', seen)
          .stillNeeds('still', seen)
          .otherwiseApproves(),
        decide('orders', candidate.order({ k })).needsEvidence('seen', seen).acceptsWithoutConditions('why not'),
        together({ sources: [proposal.pay, candidate.order] }),
      ],
      queries: [ruleset('finds', { all: rule(own.query.find({ k, max })).when(observation.limit({ k, max })) })],
      invariants: [invariant('one').never(own.fact.a({ k: 'never' })), evidenceInvariant('two').never(candidate.order({ k: 'never' }))],
    }) as { readonly [IR]: ProgramIR }
  )[IR];
}

type Path = readonly (string | number)[];
/** What may be left out. */
const OPTIONAL = new Set(['location', 'end', 'unconditional', 'sum', 'by', 'recorded', 'key', 'identity', 'capability']);
/** Records whose names are an author's own: another name in them is another column or rule. */
const OPEN = new Set(['columns', 'per', 'rules', 'relations', 'actions', 'queries', 'reserved', 'scope']);

/** Every place of the program, but for the relations that are alike: two declared ones stand for all. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (path[2] === 'relations' && path.length > 3 && !['observation.limit', 'decision.approved.pay'].includes(String(path[3]))) return [];
  if (path.at(-1) === 'location' || typeof value !== 'object' || value === null || '_zod' in value) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((name) =>
      placesOf((value as Record<string, unknown>)[name], [...path, Array.isArray(value) ? Number(name) : name]),
    ),
  ];
}

/** A copy with one place changed; functions keep their symbol. */
function changed(value: unknown, [name, ...rest]: Path, change: (target: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === name ? changed(item, rest, change) : item));
  const copy = Object.create(null) as Record<PropertyKey, unknown>;
  for (const key of Object.keys(value as object)) copy[key] = (value as Record<string, unknown>)[key];
  const definition = (value as { readonly [DEFINITION]?: unknown })[DEFINITION];
  if (definition !== undefined) Object.defineProperty(copy, DEFINITION, { value: definition });
  copy[name] = changed(copy[name], rest, change);
  return copy;
}

const GONE = Symbol('gone');
function without(value: unknown, path: Path): unknown {
  const parent = path.slice(0, -1);
  return changed(value, parent, (target) => Object.fromEntries(Object.entries(target as object).filter(([name]) => name !== path.at(-1))));
}

function damages(good: ProgramIR): [name: string, program: unknown][] {
  const at = (path: Path) => path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown>)[name], good);
  const exotic = [null, 7n, () => 1, Symbol('x'), NaN, new Proxy({ odd: GONE }, {})];
  // Members of a list are alike: the first of each shape stands for all.
  const shapes = new Map(
    placesOf(good).map((path) => [
      `${path.map((name) => (typeof name === 'number' && path.length < 4 ? name : String(name).replace(/^\d+$/, '*'))).join('.')}`,
      path,
    ]),
  );
  return [...shapes.values()].flatMap((path, index) => {
    const text = path.join('.') || 'program';
    const name = path.at(-1);
    if (name === 'location') return [];
    const value = at(path);
    const wrong = typeof value === 'object' ? exotic[index % exotic.length] : exotic[index % (exotic.length - 1)];
    const damaged: [string, unknown][] = [[`${text} is ${typeof wrong}`, changed(good, path, () => wrong)]];
    const owner = path.at(-2);
    const isMember = typeof name === 'number' || OPEN.has(String(owner)) || name === undefined;
    if (!isMember && !OPTIONAL.has(String(name))) damaged.push([`${text} is missing`, without(good, path)]);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !('_zod' in value) && !OPEN.has(String(name));
    if (isRecord)
      damaged.push([
        `${text} has more than it should`,
        changed(good, path, (target) => Object.assign(changed(target, ['extra'], () => 1) as object)),
      ]);
    return damaged;
  });
}

describe('a malformed program', () => {
  const good = goodProgram();
  const all = damages(good);

  test('is made from one that loads', () => {
    expect(told({ [IR]: good })).toEqual([]);
    expect(told({ [IR]: changed(good, ['rules', 0, 'rules', 'plain'], (one) => one) })).toEqual([]);
  });

  test('R49 is one of at least 100', () => {
    expect(all.length).toBeGreaterThanOrEqual(100);
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  });

  test('R49 is refused wherever it is damaged, by codes of ours and with no other error', () => {
    const escaped = all.flatMap(([name, value]) => {
      try {
        load({ [IR]: value });
        return [`${name}: it loads`];
      } catch (thrown) {
        if (!isCountersignError(thrown)) return [`${name}: ${String(thrown)}`];
        return thrown.issues.length > 0 && thrown.issues.every(({ code }) => isIssueCode(code)) ? [] : [`${name}: no issue of ours`];
      }
    });
    expect(escaped).toEqual([]);
  }, 120_000);
});

describe('exotic values', () => {
  const seen = observation.seen({ k });
  const forged = (ir: unknown) => ({ [IR]: ir });
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const throwing = () =>
    Object.defineProperty({ kind: 'rule' }, 'head', {
      enumerable: true,
      get: () => {
        throw new Error('mine');
      },
    });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'program'],
    ['a function', () => 1],
    ['an empty object', {}],
    ['an ontology', small],
    ['a rule', accept],
    [
      'an object whose IR throws',
      Object.defineProperty({}, IR, {
        get: () => {
          throw new Error('mine');
        },
      }),
    ],
    ['a revoked proxy', revoked()],
    ['a program whose IR is a revoked proxy', forged(revoked())],
    [
      'a program whose parts are no lists',
      forged({ kind: 'program', name: 'x', ontologies: 7, rules: {}, queries: null, invariants: 'x' }),
    ],
    [
      'a program of an endless list',
      forged({ kind: 'program', name: 'x', ontologies: { length: 1e9 }, rules: [], queries: [], invariants: [] }),
    ],
  ])('%s is no program', (_what, value) => {
    expect(check(value).issues.length).toBeGreaterThan(0);
    expect(() => load(value)).toThrowError(CountersignError);
  });

  test.each<[string, () => unknown]>([
    ['a rule whose head throws', throwing],
    ['a rule that is a revoked proxy', revoked],
    [
      'a rule of a cyclic literal',
      () => {
        const one: { kind: string; literals: unknown[] } = { kind: 'and', literals: [] };
        one.literals.push(one, one);
        return { kind: 'rule', head: atom(), body: [one] };
      },
    ],
    [
      'a rule of a cyclic expression',
      () => {
        const one: { arithmetic: string; left?: unknown; right?: unknown } = { arithmetic: 'plus' };
        one.left = one;
        one.right = one;
        return { kind: 'rule', head: atom(), body: [{ kind: 'bind', variable: 'x', expression: one }] };
      },
    ],
    [
      'a rule of a thousand nested negations',
      () => {
        let one: unknown = atom();
        for (let i = 0; i < 1000; i++) one = { kind: 'not', literal: one };
        return { kind: 'rule', head: atom(), body: [one] };
      },
    ],
    ['a rule that is an array', () => [atom()]],
    ['a rule that is a builder', () => rule(fact.a({ k }))],
  ])('%s is told and leaves the rest to be judged', (_what, make) => {
    const ir = (programOf({ accept }) as { readonly [IR]: ProgramIR })[IR];
    const [ruled] = ir.rules;
    const rules = [
      { ...ruled, rules: { ...(ruled as { rules: object }).rules, bad: make(), unbound: { kind: 'rule', head: atom(), body: [] } } },
    ];
    const issues = told(forged({ ...ir, rules }));
    expect(issues.some((one) => /^load\/(malformed|not-ours|too-deep|too-large): rule m\.bad/.test(one))).toBe(true);
    expect(issues).toContain('load/variable-unbound: rule m.unbound: variable k is not bound by any positive body atom');
  });

  function atom() {
    return { kind: 'atom', relation: 'fact.a', columns: { k: { var: 'k' } } };
  }

  test('a value that answers differently each time is judged by the one answer that is kept', () => {
    let reads = 0;
    const sly = { kind: 'atom', columns: { k: { var: 'k' } } };
    Object.defineProperty(sly, 'relation', { enumerable: true, get: () => (reads++ === 0 ? 'candidate.order' : 'observation.seen') });
    const ir = (programOf({ accept }) as { readonly [IR]: ProgramIR })[IR];
    const rules = [{ kind: 'ruleset', name: 'm', rules: { r: { kind: 'rule', head: atom(), body: [sly] } } }];
    expect(told(forged({ ...ir, rules }))).toContain(
      'load/cut-bypassed: candidate.order reaches fact.a without decision.accepted.*: candidate.order -[m.r]-> fact.a',
    );
    expect(reads).toBe(1);
  });

  test.each<[string, unknown, string]>([
    ['a call without its function', { call: 'f', version: '1', args: [] }, 'load/function-unknown: rule m.r: f@1 carries no function'],
    [
      'a call with the function of another call',
      Object.defineProperty({ call: 'f', version: '1', args: [] }, DEFINITION, {
        value: { name: 'g', version: '1', input: [], output: z.int(), implementation: () => 1 },
      }),
      'load/function-unknown: rule m.r: function f: the call carries another function',
    ],
    [
      'a call of what is no function',
      Object.defineProperty({ call: 'f', version: '1', args: [] }, DEFINITION, { value: 7 }),
      'load/malformed: rule m.r: function f: 7 is no record',
    ],
    ['a variable of the loader', { var: '$id' }, 'load/malformed: rule m.r: "$id" is no name of a variable'],
    ['a variable of the plan', { var: 'count 0 []' }, 'load/malformed: rule m.r: "count 0 []" is no name of a variable'],
    [
      'a count of a column',
      { aggregate: 'count', relation: 'fact.a', of: 'k', per: {} },
      'load/malformed: rule m.r: a count is of rows, not of a column',
    ],
    [
      'a sum of nothing',
      { aggregate: 'sum', relation: 'fact.a', per: {} },
      'load/malformed: rule m.r: column of the sum: undefined is no string',
    ],
    [
      'an aggregate that is none of ours',
      { aggregate: 'median', relation: 'fact.a', of: 'k', per: {} },
      'load/malformed: rule m.r: aggregate: "median" is none of count, sum, min, max',
    ],
  ])('%s is refused', (_what, expression, issue) => {
    const ir = (programOf({ accept }) as { readonly [IR]: ProgramIR })[IR];
    const rules = [
      { kind: 'ruleset', name: 'm', rules: { r: { kind: 'rule', head: atom(), body: [{ kind: 'bind', variable: 'k', expression }] } } },
    ];
    expect(told(forged({ ...ir, rules }))).toEqual([issue]);
  });

  test.each<[string, () => unknown, string]>([
    [
      'a relation in a body',
      () => rule(fact.a({ k })).when(seen, observation.seen),
      'rule m.r: literal 2 is the relation observation.seen without its columns: write observation.seen({ ... })',
    ],
    [
      'a relation under not',
      () => rule(fact.a({ k })).when(seen, not(observation.seen)),
      'rule m.r: what not takes is the relation observation.seen without its columns: write observation.seen({ ... })',
    ],
    [
      'a relation as a head',
      () => rule(fact.a).when(seen),
      'rule m.r: its head is the relation fact.a without its columns: write fact.a({ ... })',
    ],
    ['a variable in a body', () => rule(fact.a({ k })).when(k), 'rule m.r: literal 1 is the variable k, and no literal'],
    [
      'an expression in a body',
      () => rule(fact.a({ k })).when(seen, countOf(observation.seen)),
      'rule m.r: literal 2 is an expression: compare it, or bind it with .as(variable)',
    ],
    ['a comparison as a head', () => rule(eq(k, 'x')).when(seen), 'rule m.r: its head is of kind "comparison", and no atom'],
    ['a text in a body', () => rule(fact.a({ k })).when(seen, 'fact.a'), 'rule m.r: literal 2 is no value of this library'],
    [
      'an atom by hand without columns',
      () => rule(fact.a({ k })).when(seen, forged({ kind: 'atom', relation: 'observation.limit' })),
      'rule m.r: an atom of observation.limit lacks its columns: write observation.limit({}) where any row will do',
    ],
  ])('%s is told with what is missing, and where', (_what, make, issue) => {
    expect(told(programOf({ r: make() }))).toEqual([`load/malformed: ${issue}`]);
  });

  test('a relation in a clause is told with the clause, and with what is missing', () => {
    const pings = () => decide('pings', small.proposal.ping({ k })).needs('seen', seen);
    const lacks = 'is the relation observation.seen without its columns: write observation.seen({ ... })';
    const issues = [
      pings().needs('again', observation.seen),
      pings().asks('sure?', always, { by: observation.seen }),
      pings().rejects('no', seen, observation.seen),
    ].map((one) => told(program({ name: 'small', ontologies: [small], rules: [one.otherwiseApproves()] })));
    expect(issues).toEqual([
      [`load/malformed: decide pings: needs "again": its atom ${lacks}`],
      [`load/malformed: decide pings: asks "sure?": by ${lacks}`],
      [`load/malformed: decide pings: rejects "no": literal 2 ${lacks}`],
    ]);
    const unsaid = decide('pings', small.proposal.ping).needs('seen', seen).otherwiseApproves();
    expect(told(program({ name: 'small', ontologies: [small], rules: [unsaid] }))).toEqual([
      'load/malformed: decide pings: its source is the relation proposal.ping without its columns: write proposal.ping({ ... })',
    ]);
  });

  test('literals that are none, and builders that were not called, are told by their place', () => {
    const odd = [7, 'fact.a', fact.a, small, { kind: 'unless', literal: atom() }, undefined, ruleset('x', {})];
    for (const one of odd)
      expect(told(programOf({ r: rule(fact.a({ k })).when(one) })).some((line) => line.startsWith('load/malformed: rule m.r'))).toBe(true);
  });

  test.each<[string, () => unknown]>([
    ['dsl/column-undefined', () => fact.a({ k: undefined })],
    ['dsl/expression-in-column', () => fact.a({ k: countOf(fact.a) })],
    ['dsl/not-ours', () => countOf(fact.a).as('k')],
  ])('what is no IR at all is refused by the builder: %s', (code, build) => {
    expect(build).toThrowError(expect.objectContaining({ issues: [expect.objectContaining({ code })] }));
  });
});
