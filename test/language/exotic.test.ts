import * as z from 'zod';
import { afterEach, describe, expect, test } from 'vitest';
import { callerLocation, locationIn } from '../../dsl/location.ts';
import { IR, irOf, type RuleIR } from '../../dsl/ir.ts';
import * as face from '../../src/index.ts';
import { decide, defineOntology, isCountersignError, load, not, program, row, rule, ruleset } from '../../src/index.ts';
import { issuesOf } from './issues.ts';

const plain = defineOntology({ observation: { seen: { a: z.string(), b: z.string() } }, fact: { known: { a: z.string() } } });
const { observation, fact, vars } = plain;

describe('objects that run code when they are read', () => {
  test('a getter in a column runs once', () => {
    let reads = 0;
    const columns = {
      get a() {
        return `read ${(reads += 1)}`;
      },
    };
    expect(irOf(observation.seen(columns as never))).toMatchObject({ columns: { a: { const: 'read 1' } } });
    expect(reads).toBe(1);
  });

  test('a proxy of columns is read once for each column, and what it says later changes nothing', () => {
    const reads: string[] = [];
    const target = { a: 'x', b: 'y' };
    const columns = new Proxy(target, { get: (of, name) => (reads.push(String(name)), Reflect.get(of, name)) });
    const atom = observation.seen(columns);
    target.a = 'changed';
    expect(reads).toEqual(['a', 'b']);
    expect(irOf(atom)).toMatchObject({ columns: { a: { const: 'x' }, b: { const: 'y' } } });
  });

  test('a getter in a declaration runs once', () => {
    let reads = 0;
    const declaration = {
      fact: {
        get known() {
          reads += 1;
          return { a: z.string() };
        },
      },
    };
    defineOntology(declaration);
    expect(reads).toBe(1);
  });

  test('a literal whose IR throws stands as null', () => {
    const hostile = {
      get [IR]() {
        throw new Error('read');
      },
    };
    expect(irOf(not(hostile as never))).toEqual({ kind: 'not', literal: null });
    expect(irOf(rule(fact.known({ a: 'x' })).when(hostile as never))).toMatchObject({ body: [null] });
  });

  test('a value with a throwing conversion is not converted', () => {
    const hostile = {
      toString() {
        throw new Error('converted');
      },
      toJSON() {
        throw new Error('converted');
      },
    };
    expect(() => observation.seen({ a: hostile as never })).not.toThrow();
    expect(() => row(observation.seen, { a: hostile as never, b: 'x' })).not.toThrow();
    expect(() => decide(hostile as never, hostile as never)).not.toThrow();
  });
});

describe('names of the object prototype', () => {
  const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const;
  const odd = defineOntology({
    observation: { constructor: { toString: z.string(), hasOwnProperty: z.string(), valueOf: z.string() } },
    fact: { hasOwnProperty: { toString: z.string() }, toString: { constructor: z.string() } },
  });

  test('R62 work as names of relations, columns, variables and rules', () => {
    // The names are those of methods, and the values are not: looked up by name, they are not taken for methods.
    const text = Reflect.get(odd.vars, 'toString');
    const named = Reflect.get(odd.fact, 'toString');
    const rules = ruleset('valueOf', {
      constructor: rule(odd.fact.hasOwnProperty({ toString: text })).when(
        odd.observation.constructor({ toString: text, hasOwnProperty: 'x', valueOf: 'y' }),
      ),
      toString: rule(named({ constructor: text })).when(odd.fact.hasOwnProperty({ toString: text })),
    });
    expect(() => load(program({ name: 'odd', ontologies: [odd], rules: [rules] }))).not.toThrow();
  });

  test('R62 are there only where they are declared', () => {
    for (const name of NAMES) expect(Reflect.get(plain.fact, name)).toBeUndefined();
    for (const name of NAMES) expect(Reflect.get(plain.vars, name)).toBeUndefined();
  });
});

describe('size', () => {
  test('an atom may have ten thousand columns', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
    const wide = defineOntology({ observation: { wide: Object.fromEntries(names.map((name) => [name, z.string()])) } });
    const atom = wide.observation.wide(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(Object.keys((irOf(atom) as { columns: object }).columns)).toEqual(names);
  });

  test('a rule may have ten thousand literals, and a decision a thousand clauses', () => {
    const body = Array.from({ length: 10_000 }, () => observation.seen({ a: vars.a }));
    expect((irOf(rule(fact.known({ a: vars.a })).when(...body)) as RuleIR).body).toHaveLength(10_000);
    const judged = defineOntology({ proposal: { note: { text: z.string() } } });
    const first = decide('notes', judged.proposal.note({ text: 'x' }));
    const last = Array.from({ length: 1_000 }).reduce<typeof first>((link) => link.rejects('r', observation.seen({ a: 'x' })), first);
    expect((irOf(last) as { clauses: unknown[] }).clauses).toHaveLength(1_000);
  });
});

/** Every builder without its types, since what they refuse is what is tried here. */
const untyped = face as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
const builder = (name: string) => untyped[name] as (...args: unknown[]) => unknown;
const thrower = () => {
  throw new Error('mine');
};
const traps = { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower, getOwnPropertyDescriptor: thrower };
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;
const shop = defineOntology({
  observation: { seen: face.keyed({ a: z.string() }, { n: z.int() }) },
  candidate: { said: { a: z.string() } },
  action: { pay: { in: { a: z.string() } } },
  fact: { known: { a: z.string() } },
});
const { a, n } = shop.vars;
const seen = shop.observation.seen({ a, n });
const known = shop.fact.known({ a });

const EXOTIC: readonly (readonly [what: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 0],
  ['NaN', NaN],
  ['a bigint', 7n],
  ['a boolean', true],
  ['an empty text', ''],
  ['a text', 'x'],
  ['half of a pair', '\ud800'],
  ['a long text', 'y'.repeat(1_000)],
  ['a symbol', Symbol('x')],
  ['a function', () => 1],
  ['a class', class {}],
  ['an object', {}],
  ['an object in an object', { a: { b: 1 } }],
  ['an object without a prototype', Object.create(null)],
  ['a cyclic object', cyclic],
  ['an array', []],
  ['an array of null', [null]],
  ['an array with a hole', [, 1]],
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
  ['a pattern', /x/],
  ['a promise', Promise.resolve(1)],
  ['an error', new Error('x')],
  ['a proxy that throws', new Proxy({}, traps)],
  ['a function behind a proxy that throws', new Proxy(() => 1, { ...traps, apply: thrower })],
  ['an array behind a proxy that throws', new Proxy([1], traps)],
  ['a revoked proxy', revoked()],
  [
    'getters that throw',
    Object.defineProperties(
      {},
      Object.fromEntries(['a', 'relation', 'payload', 'by', 'per', '_zod'].map((name) => [name, { enumerable: true, get: thrower }])),
    ),
  ],
  ['conversions that throw', { toString: thrower, valueOf: thrower, toJSON: thrower, [Symbol.toPrimitive]: thrower }],
  ['a schema', z.string()],
  ['a schema of an object', z.object({ a: z.string() })],
  ['half a schema', { _zod: { def: {} }, safeParse: thrower, meta: thrower }],
  ['a schema that throws', { _zod: { def: new Proxy({}, traps) }, safeParse: thrower, meta: thrower }],
  ['an ontology', shop],
  ['a relation', shop.fact.known],
  ['an atom', known],
  ['a variable', a],
  ['an expression', face.plus(n, 1)],
  ['a rule', rule(known).when(seen)],
  ['a decision', decide('d', shop.proposal.pay({ a }))],
  ['a program', program({ name: 'x', ontologies: [shop] })],
  ['IR that is null', { [IR]: null }],
  ['IR that is a number', { [IR]: 7 }],
  ['IR of no kind', { [IR]: {} }],
  ['a variable that is called by a number', { [IR]: { var: 7 } }],
  ['IR that throws', Object.defineProperty({}, IR, { get: thrower })],
];

interface Ruled {
  readonly when: (...body: unknown[]) => unknown;
}
const chain = decide('pays', shop.proposal.pay({ a })) as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
const clause =
  (name: string) =>
  (...args: unknown[]) =>
    chain[name]?.(...args);
const double = face.fn('double', '1', [z.int()], z.int(), (value) => 2 * value);
/** Each builder with arguments that it takes. */
const BUILDERS: readonly (readonly [name: string, build: (...args: unknown[]) => unknown, args: readonly unknown[]])[] = [
  ['countOf', builder('countOf'), [shop.observation.seen, { per: { a } }]],
  ...['sumOf', 'minOf', 'maxOf'].map((name) => [name, builder(name), [shop.observation.seen, { of: 'n', per: { a } }]] as const),
  ['decide', builder('decide'), ['pays', shop.proposal.pay({ a })]],
  ...['needs', 'needsEvidence', 'awaits'].map((name) => [`decide.${name}`, clause(name), ['reason', seen]] as const),
  ...['rejects', 'stillNeeds', 'expires'].map((name) => [`decide.${name}`, clause(name), ['reason', seen, seen]] as const),
  ['decide.limits', clause('limits'), ['reason', { sum: a, per: { a }, max: 3 }]],
  ['decide.asks', clause('asks'), ['reason', face.always, { by: seen }]],
  ['decide.records', clause('records'), [{ a }]],
  ['decide.approvesWithoutConditions', clause('approvesWithoutConditions'), ['reason']],
  ['decide.acceptsWithoutConditions', clause('acceptsWithoutConditions'), ['reason']],
  ['capability', builder('capability'), ['bank', { carries: [shop.intent.pay], consultsModel: true }]],
  ['projection', builder('projection'), ['till', [shop.fact.known]]],
  [
    'reportKind',
    builder('reportKind'),
    ['price', '1', { payload: { a: z.string() }, fallible: ['a'], writes: [shop.observation.seen], mapper: () => [] }],
  ],
  ['fn', builder('fn'), ['double', '1', [z.int()], z.int(), (value: number) => 2 * value]],
  ['a function', double as never, [n]],
  ...['and', 'or'].map((name) => [name, builder(name), [seen, seen]] as const),
  ['not', builder('not'), [seen]],
  ['oneOf', builder('oneOf'), [a, 'x', 'y']],
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'plus', 'minus', 'times'].map((name) => [name, builder(name), [n, 1]] as const),
  [
    'defineOntology',
    builder('defineOntology'),
    [{ scope: {}, observation: {}, candidate: {}, proposal: {}, action: {}, query: {}, fact: {} }],
  ],
  [
    'defineOntology: a scope',
    (scope) => builder('defineOntology')({ scope, fact: { f: { a: z.string() } } }),
    [{ session: z.string(), actor: z.string() }],
  ],
  ['defineOntology: a fact', (known) => builder('defineOntology')({ fact: { known } }), [{ a: z.string() }]],
  [
    'defineOntology: an action',
    (pay) => builder('defineOntology')({ action: { pay } }),
    [{ in: {}, records: {}, receipt: {}, evidence: {}, identity: ['a'], capability: 'c' }],
  ],
  ['defineOntology: a query', (find) => builder('defineOntology')({ query: { find } }), [{ in: {}, out: {} }]],
  [
    'defineOntology: a keyed observation',
    (key, columns) => builder('defineOntology')({ observation: { o: builder('keyed')(key, columns) } }),
    [{ a: z.string() }, { b: z.string() }],
  ],
  [
    'defineOntology: a recorded candidate',
    (columns, records) => builder('defineOntology')({ candidate: { o: builder('recorded')(columns, records) } }),
    [{ a: z.string() }, { b: z.string() }],
  ],
  ['program', builder('program'), [{ name: 'x', ontologies: [shop], rules: [], queries: [], invariants: [], declarations: [] }]],
  ['together', builder('together'), [{ sources: [shop.proposal.pay] }]],
  ['row', builder('row'), [shop.observation.seen, { a: 'x', n: 1 }]],
  ['answer', builder('answer'), [{ id: 'a.1', reason: 'r', shown: 's', relation: 'confirmed.pay', row: { id: 'a.1' } }, 'yes']],
  ['ended', builder('ended'), [shop.observation.seen, { a: 'x' }]],
  ...['invariant', 'evidenceInvariant'].map(
    (name) =>
      [
        name,
        (said: unknown, ...body: unknown[]) => (builder(name)(said) as { never: (...args: unknown[]) => unknown }).never(...body),
        ['i', seen, seen],
      ] as const,
  ),
  ['rule', (head, ...body) => (builder('rule')(head) as { when: (...args: unknown[]) => unknown }).when(...body), [known, seen, seen]],
  ['ruleset', builder('ruleset'), ['m', { r: rule(known).when(seen) }]],
  ['keyed', builder('keyed'), [{ a: z.string() }, { b: z.string() }]],
  ['recorded', builder('recorded'), [{ a: z.string() }, { b: z.string() }]],
  ['vars', builder('vars'), [{ a: z.string() }]],
  ['brand', builder('brand'), ['Name', z.string()]],
  ['as of a variable', (name) => a.as(name as string), ['b']],
  ['as of an expression', (target) => face.plus(n, 1).as(target as typeof n), [n]],
  ['a relation', shop.fact.known as never, [{ a }]],
  ['useDigest', builder('useDigest'), [undefined]],
  ['load', builder('load'), [program({ name: 'x', ontologies: [shop] })]],
  ['dependencies', builder('dependencies'), [program({ name: 'x', ontologies: [shop] })]],
  ['reasons', builder('reasons'), [program({ name: 'x', ontologies: [shop] })]],
  ['rulesOf', builder('rulesOf'), [program({ name: 'x', ontologies: [shop] }), 'observation.order']],
  ['isCountersignError', builder('isCountersignError'), [new Error('x')]],
  ['memory', builder('memory'), []],
];

/** The arguments with one of them, or one thing in one of them, replaced. */
function variants(args: readonly unknown[], value: unknown): (readonly [place: string, args: readonly unknown[]])[] {
  const replaced = (index: number, by: unknown) => args.map((one, i) => (i === index ? by : one));
  return args.flatMap((argument, index) => {
    const place = `argument ${index + 1}`;
    const whole: [string, readonly unknown[]] = [place, replaced(index, value)];
    if (Array.isArray(argument)) return [whole, [`${place}, a member`, replaced(index, [value])] as const];
    if (typeof argument !== 'object' || argument === null || Object.getPrototypeOf(argument) !== Object.prototype) return [whole];
    const parts = Object.entries(argument).flatMap(([name, part]) => [
      [`${place}, ${name}`, replaced(index, { ...argument, [name]: value })] as const,
      ...(Array.isArray(part) ? [[`${place}, a member of ${name}`, replaced(index, { ...argument, [name]: [value] })] as const] : []),
    ]);
    return [whole, [`${place}, another part`, replaced(index, { ...argument, another: value })] as const, ...parts];
  });
}

describe('arguments that are none', () => {
  afterEach(() => {
    face.useDigest();
  });

  /** What went wrong, unless it went well or was refused with a code, what, why and fix. */
  function escaped(act: () => unknown): string | undefined {
    try {
      return void act();
    } catch (error) {
      if (!isCountersignError(error)) return String(error);
      const isWhole =
        error.issues.length > 0 &&
        error.issues.every(({ code, what, why, fix }) => [code, what, why, fix].every((text) => text.length > 0));
      return isWhole ? undefined : 'an error without its words';
    }
  }

  /** Whatever was built is judged like any other part of a program, wherever it stands. All of it at once, and each apart where one escapes. */
  function loaded(built: readonly (readonly [place: string, value: unknown])[]): readonly string[] {
    const values = built.map(([, value]) => value);
    const whole = (more: object) => () => builder('load')(builder('program')({ name: 'x', ontologies: [shop], ...more }));
    const ruled = (head: unknown, ...body: unknown[]) => (builder('rule')(head) as Ruled).when(...body);
    const rules = values.flatMap((value, i) => [
      [`head${i}`, ruled(value, seen)] as const,
      [`body${i}`, ruled(known, seen, value)] as const,
    ]);
    const all = [ruleset('m', Object.fromEntries(rules) as never), ...values];
    const acts = [
      ...values.map((value) => () => builder('load')(value)),
      whole({ ontologies: [shop, ...values] }),
      whole({ rules: all, queries: values, invariants: values, declarations: values }),
    ];
    const escapes = acts.flatMap((act) => escaped(act) ?? []);
    if (escapes.length === 0 || built.length <= 1) return escapes.map((escape) => `${built[0]?.[0] ?? ''}, loaded: ${escape}`);
    return built.flatMap((one) => loaded([one]));
  }

  test('are tried on every function that is exported', () => {
    const tried = new Set(BUILDERS.map(([name]) => name));
    const others = Object.keys(untyped).filter((name) => typeof untyped[name] === 'function' && !tried.has(name));
    // What prints a proof is given one by the model.
    expect(others.sort()).toEqual(['CountersignError', 'goneText', 'open', 'premiseText', 'proofMermaid', 'proofText']);
  });

  test.each(BUILDERS)('of %s are taken or refused with a code', (name, build, args) => {
    const trials = EXOTIC.flatMap(([what, value]) => [
      ...variants(args, value).map(([place, given]) => [`${place}: ${what}`, given] as const),
      [`every argument: ${what}`, args.map(() => value)] as const,
      [`one argument too many: ${what}`, [...args, value]] as const,
    ]);
    const built: [place: string, value: unknown][] = [];
    const wrong = [['no argument', []] as const, ...trials].flatMap(([place, given]) => {
      const escape = escaped(() => built.push([place, build(...given)]));
      return escape === undefined ? [] : [`${place}: ${escape}`];
    });
    expect([...wrong, ...loaded(built)]).toEqual([]);
  });

  test('of open are refused with a code, and so are its options', async () => {
    const good = program({ name: 'x', ontologies: [shop] });
    const wrong = await Promise.all(
      EXOTIC.flatMap(([what, value]) => [
        [what, () => builder('open')(value)] as const,
        [`options: ${what}`, () => builder('open')(good, value)] as const,
        ...['ledger', 'tenant', 'earlier', 'adopt', 'openRowsMax', 'limits', 'snapshot'].map(
          (name) => [`${name}: ${what}`, () => builder('open')(good, { [name]: value })] as const,
        ),
      ]).map(async ([what, act]) => {
        try {
          await act();
          return [];
        } catch (error) {
          return isCountersignError(error) ? [] : [`${what}: ${String(error)}`];
        }
      }),
    );
    expect(wrong.flat()).toEqual([]);
  });

  test.each<[string, unknown[], readonly string[]]>([
    [
      'fn',
      [],
      [
        'fn: its name is undefined, and no text',
        'fn: its version is undefined, and no text',
        'fn: its argument types are undefined, and no list of zod schemas',
        'fn: the type of its result is undefined, and no zod schema',
        'fn: its implementation is undefined, and no function',
      ],
    ],
    [
      'fn',
      ['half', '1', [z.int(), 'int'], z.int(), 7],
      ['fn "half": the type of argument 2 is "int", and no zod schema', 'fn "half": its implementation is 7, and no function'],
    ],
    ['brand', [null, null], ['brand: its name is null, and no text', 'brand: what null brands is null, and no zod schema']],
    ['capability', ['bank'], ['capability "bank": undefined is no record of carries, consultsModel']],
    ['capability', ['bank', { carries: shop.intent.pay }], ['capability "bank": carries: a value of type function is no list']],
    ['capability', ['bank', { carries: [shop.fact.known] }], ['capability "bank": carries fact.known, which is no intent']],
    [
      'capability',
      ['bank', { carries: [shop.intent.pay], consultsModel: 'no' }],
      ['capability "bank": consultsModel is "no", and neither true nor false'],
    ],
    ['projection', ['till', [shop]], ['projection "till": shows: an object in place 1 is no relation']],
    ['reportKind', ['price', '1', { payload: {}, writes: [] }], ['reportKind "price": mapper is undefined, and no function']],
    ['sumOf', [shop.observation.seen, { of: 'n', pre: { a } }], ['sumOf(observation.seen) takes no pre (did you mean per?)']],
    ['countOf', [shop.observation.seen, { per: undefined }], ['countOf(observation.seen): per was given as undefined']],
    ['sumOf', [shop.observation.seen], ['sumOf(observation.seen): of is undefined, and no name of a column']],
    ['program', [{ name: 'x', ontologies: [shop], rules: rule(known).when(seen) }], ['program: rules: an object is no list']],
    ['program', [{ name: 'x', ontologies: [shop], rule: [] }], ['program takes no rule (did you mean rules?)']],
    ['together', [{ sources: shop.proposal.pay }], ['together: sources: a value of type function is no list']],
    ['useDigest', [null], ['useDigest: null is no function from a text to its digest']],
  ])('are named by %s', (name, args, whats) => {
    expect(issuesOf(() => builder(name)(...args))).toEqual(whats.map((what) => ({ code: 'dsl/argument-type', what })));
  });

  test.each<[string, object, string]>([
    ['a text for columns', { fact: { known: 'a' } }, 'fact.known: "a" is no record of columns'],
    ['a schema for columns', { fact: { known: z.string() } }, 'fact.known: a schema is no record of columns'],
    ['a list for columns', { candidate: { said: ['a'] } }, 'candidate.said: a list is no record of columns'],
    [
      'nothing for a key',
      { observation: { o: builder('keyed')(undefined, {}) } },
      'observation.o, its key: undefined is no record of columns',
    ],
    ['nothing for an action', { action: { pay: null } }, 'action.pay: null is no record of parts'],
    [
      'a name for an identity',
      { action: { pay: { in: { a: z.string() }, identity: 'a' } } },
      'action.pay.identity: "a" is no list of names',
    ],
    ['a list for relations', { fact: [] }, 'fact: a list is no record of declarations'],
  ])('are named by the place in a declaration: %s', (_what, declaration, what) => {
    const own = builder('defineOntology')(declaration);
    expect(issuesOf(() => builder('load')(builder('program')({ name: 'x', ontologies: [own] })))).toEqual([
      { code: 'dsl/argument-type', what },
    ]);
  });

  test('that throw when they are read are the cause of the refusal', () => {
    const mine = new Error('mine');
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw mine;
        },
      },
    );
    const refused = (() => {
      try {
        return builder('vars')(hostile);
      } catch (error) {
        return error;
      }
    })();
    expect(isCountersignError(refused) && refused.cause).toBe(mine);
  });
});

describe('the place where a rule was written', () => {
  test.each<[string, string, string | undefined]>([
    ['V8 with a name', 'at Object.<anonymous> (/app/shop.ts:12:5)', '/app/shop.ts:12:5'],
    ['V8 without a name', 'at /app/shop.ts:12:5', '/app/shop.ts:12:5'],
    ['V8 in a file of a URL', 'at file:///app/shop.ts:12:5', '/app/shop.ts:12:5'],
    ['V8 in a folder with a space and parentheses', 'at build (/app/my (old) shop/a.ts:3:7)', '/app/my (old) shop/a.ts:3:7'],
    ['V8 on Windows', 'at file:///C:/shop/a.ts:3:7', 'C:/shop/a.ts:3:7'],
    ['V8 in an asynchronous frame', 'at async /app/a.ts:3:7', '/app/a.ts:3:7'],
    ['Firefox and Safari', 'build@http://localhost/shop.js:12:5', 'http://localhost/shop.js:12:5'],
    ['Safari in module code', '@file:///app/shop.js:12:5', '/app/shop.js:12:5'],
    ['native code', 'at Array.map (<anonymous>)', undefined],
    ['a frame without a place', '[native code]', undefined],
  ])('is read from a frame of %s', (_engine, frame, location) => {
    expect(locationIn(frame)).toBe(location);
  });

  test('is the line of the author', () => {
    const line = Number(/:(\d+):\d+\)?$/.exec(new Error().stack?.split('\n')[1] ?? '')?.[1]);
    const { location } = irOf(rule(fact.known({ a: 'x' })).when(observation.seen({ a: 'x' }))) as RuleIR;
    expect(location).toMatch(new RegExp(`exotic\\.test\\.ts:${line + 1}:\\d+$`));
  });

  test.each<[string, () => unknown]>([
    ['has no stack', () => undefined],
    ['has a stack that is no text', () => ({})],
    [
      'throws when its stack is read',
      () => {
        throw new Error('no stack');
      },
    ],
  ])('is left out where the engine %s', (_engine, prepare) => {
    const before = Reflect.get(Error, 'prepareStackTrace');
    try {
      Error.prepareStackTrace = prepare;
      expect(irOf(rule(fact.known({ a: 'x' })).when(observation.seen({ a: 'x' })))).not.toHaveProperty('location');
    } finally {
      Error.prepareStackTrace = before;
    }
  });

  test('leaves the length of traces as it was', () => {
    const before = Error.stackTraceLimit;
    callerLocation();
    expect(Error.stackTraceLimit).toBe(before);
  });
});
