/** Canonical JSON on the vectors of RFC 8785, SHA-256 on those of FIPS 180, and a digest that is tried before it is trusted. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { canonicalJson, sha256, useDigest } from '../../dsl/digest.ts';
import { isCountersignError } from '../../dsl/issue.ts';

const double = (hex: string) => Buffer.from(hex, 'hex').readDoubleBE();

describe('canonical JSON', () => {
  test.each<[string, string]>([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('prints the number %s as %s', (hex, text) => {
    expect(canonicalJson(double(hex))).toBe(text);
  });

  test('orders the keys of the RFC by UTF-16 units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test('prints the sample object of the RFC', () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('does not depend on the order of keys, and reads back as it was', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean())),
        (value) => {
          const reversed = Object.fromEntries(Object.entries(value).reverse());
          expect(canonicalJson(reversed)).toBe(canonicalJson(value));
          expect(JSON.parse(canonicalJson(value))).toEqual({ ...value });
        },
      ),
    );
  });

  test('agrees with the reference implementation on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 500 },
    );
  });

  test('leaves out a member that is undefined, and runs no code of a value', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson({ a: 1, toJSON: undefined })).toBe('{"a":1}');
    expect(() => canonicalJson({ toJSON: () => 'other' })).toThrowError(expect.objectContaining({ name: 'CountersignError' }));
  });

  test.each<[string, unknown]>([
    ['NaN', NaN],
    ['undefined in a list', [undefined]],
    ['a symbol', { a: Symbol('x') }],
    ['an infinity', [1 / 0]],
    ['a lone surrogate', { a: '\ud800' }],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a cycle', cyclic()],
  ])('refuses %s with an issue', (_what, value) => {
    expect(() => canonicalJson(value)).toThrowError(
      expect.objectContaining({ issues: [expect.objectContaining({ code: 'dsl/not-canonical' })] }),
    );
  });
});

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

describe('SHA-256', () => {
  afterEach(() => useDigest());

  test('agrees with the published vectors', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  });

  test('agrees with the one of the platform on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void expect(sha256(text)).toBe(platform(text))));
  });

  test('takes a faster one in its place, and gives the portable one back', () => {
    let calls = 0;
    useDigest((text) => {
      calls++;
      return platform(text);
    });
    const before = calls;
    expect(sha256('abc')).toBe(platform('abc'));
    expect(calls).toBe(before + 1);
    useDigest();
    sha256('abc');
    expect(calls).toBe(before + 1);
  });

  test.each<[string, (text: string) => string]>([
    ['another algorithm', (text) => createHash('sha512').update(text).digest('hex')],
    ['upper-case hex', (text) => platform(text).toUpperCase()],
    ['another encoding of text', (text) => createHash('sha256').update(text, 'latin1').digest('hex')],
  ])('does not take %s', (_what, digest) => {
    expect(() => useDigest(digest)).toThrowError(
      expect.objectContaining({ issues: [expect.objectContaining({ code: 'dsl/digest-differs' })] }),
    );
    expect(sha256('abc')).toBe(platform('abc'));
  });

  test('what is refused is one of our errors', () => {
    try {
      useDigest(() => '');
      expect.unreachable();
    } catch (thrown) {
      expect(isCountersignError(thrown)).toBe(true);
    }
  });
});

function platform(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
