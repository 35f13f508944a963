import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { callerLocation, locationIn } from '../../dsl/location.ts';
import { IR, irOf, type RuleIR } from '../../dsl/ir.ts';
import { decide, defineOntology, load, not, program, row, rule, ruleset } from '../../src/index.ts';

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
