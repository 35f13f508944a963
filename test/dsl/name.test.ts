/** Names, and the nearest known name to a misspelt one. */
import { describe, expect, test } from 'vitest';
import { didYouMean, nameFault, nearest, programNameFault } from '../../dsl/name.ts';

describe('a name', () => {
  test.each(['order', 'a', 'order2', 'aB', 'constructor', 'toString', 'hasOwnProperty'])('R62 %s is one', (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  test.each<[unknown]>([
    ['Order'],
    ['2order'],
    ['my-order'],
    ['my order'],
    [''],
    ['__proto__'],
    ['a.b'],
    ['ö'],
    ['a\n'],
    [7],
    [undefined],
    [null],
    [{}],
    ['a'.repeat(201)],
  ])('%j is none', (name) => {
    expect(nameFault(name)).toBeTypeOf('string');
  });

  test('of a program may have capitals and dashes', () => {
    for (const name of ['shop', 'Shop-2', '7']) expect(programNameFault(name)).toBeUndefined();
    for (const name of ['', '-shop', 'a b', 'a.b', 'a\n', 7, 'a'.repeat(201)]) expect(programNameFault(name)).toBeTypeOf('string');
  });
});

describe('the nearest name', () => {
  test.each<[string, string[], string | undefined]>([
    ['ordr', ['order', 'refund'], 'order'],
    ['odrer', ['order', 'older'], 'order'],
    ['Order', ['order'], 'order'],
    ['observation.ordr', ['observation.order', 'candidate.order'], 'observation.order'],
    ['k', ['kk'], 'kk'],
    ['entirely', ['order', 'refund'], undefined],
    ['order', ['order'], undefined],
    ['x', ['toString'], undefined],
    ['', ['order'], undefined],
    ['maxx', ['max', 'maxy'], 'max'],
    ['a'.repeat(500), ['a'.repeat(499)], undefined],
  ])('to %s of %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  test('is offered behind what was written, or nothing is', () => {
    expect(didYouMean('ordr', ['order'])).toBe(' (did you mean order?)');
    expect(didYouMean('entirely', ['order'])).toBe('');
  });
});
