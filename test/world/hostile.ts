/**
 * Values that no report may hold, and objects that fight back when they are read.
 *
 * Gives  tables of them, each with a name to stand in a title; every call makes new ones.
 * Never  says what has to come of one: the tests do.
 */
export type Named<T> = readonly [name: string, value: T];

/** Values that stand in no column at all. */
export function noValues(): Named<unknown>[] {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  return [
    ['NaN', NaN],
    ['-0', -0],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    ['an unsafe integer', 2 ** 53],
    ['a bigint', 1n],
    ['null', null],
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['an empty object', {}],
    ['a list', [1]],
    ['a date', new Date(0)],
    ['a boxed number', Object(1)],
    ['a boxed string', Object('o1')],
    ['a promise', Promise.resolve(1)],
    ['a cyclic object', cyclic],
    ['a lone surrogate', 'a\ud800'],
    ['a string of 10 MB', 'x'.repeat(10_000_000)],
    ['an object without a prototype', Object.create(null)],
    ['a proxy that throws at every touch', thrower()],
    ['a revoked proxy', revoked()],
  ];
}

/** Things that are no batch, no report, no row and no list, wherever they are put. */
export function noObjects(): Named<unknown>[] {
  return [
    ...noValues().filter(([name]) => name !== 'undefined'),
    ['undefined', undefined],
    ['an instance of a class', new (class Batch {})()],
    ['a map', new Map([['rows', []]])],
    [
      'an object with a getter that throws',
      {
        get rows() {
          return nothing('a getter');
        },
        get relation() {
          return nothing('a getter');
        },
        get reports() {
          return nothing('a getter');
        },
      },
    ],
    ['a true', true],
    ['a text', 'reports'],
    ['an error', new Error('e')],
  ];
}

/** Lists that are none, or that never end. */
export function noLists(): Named<unknown>[] {
  const endless: unknown[] = [];
  endless[Symbol.iterator] = function* () {
    for (;;) yield {};
  };
  return [
    ['a sparse list', Object.assign([], { length: 3 })],
    ['a list of a million', new Array(1_000_000).fill({})],
    ['a list longer than memory', Object.assign([], { length: 2 ** 32 - 1 })],
    ['a list whose iterator never ends', Object.assign(endless, [{}])],
    ['a proxy of a list that throws', new Proxy([], { get: () => nothing('a list') })],
    [
      'a proxy of a list with a length of its own',
      new Proxy([], { get: (list, name) => (name === 'length' ? NaN : Reflect.get(list, name)) }),
    ],
    ['a set', new Set([{}])],
    ['an object with a length', { length: 1, 0: {} }],
    ['a text', 'rows'],
    ['a revoked proxy of a list', revokedList()],
  ];
}

/** Throws whatever is asked of it. */
export function thrower(): object {
  const fight = () => nothing('a proxy');
  return new Proxy(
    {},
    {
      get: fight,
      has: fight,
      ownKeys: fight,
      getOwnPropertyDescriptor: fight,
      getPrototypeOf: fight,
      isExtensible: fight,
      set: fight,
      defineProperty: fight,
    },
  );
}

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function revokedList(): unknown[] {
  const { proxy, revoke } = Proxy.revocable<unknown[]>([], {});
  revoke();
  return proxy;
}

/** Not an error of ours: if it ever comes out, a guard is missing. */
function nothing(what: string): never {
  throw new TypeError(`${what} was touched`);
}
