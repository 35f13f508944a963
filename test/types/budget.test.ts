import { beforeAll, describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import { programText, type Size } from './generate.ts';

/** Instantiations are counted, not timed: the same compiler gives the same number on every machine. */
async function instantiationsOf(name: string, size: Size): Promise<number> {
  const { diagnostics, instantiations } = await compile('typescript', `budget-${name}`, {
    'program.ts': programText('@types-suite/face.ts', size),
  });
  expect(diagnostics).toEqual([]);
  return instantiations;
}

const SIZES = {
  rules200: { rules: 200, decides: 50 },
  rules1000: { rules: 1000, decides: 50 },
  decides10: { rules: 200, decides: 10 },
  decides20: { rules: 200, decides: 20 },
  decides60: { rules: 200, decides: 60 },
} as const satisfies Record<string, Size>;

describe('what the types cost on TypeScript 6.0, in a program of 100 relations and 20 actions', () => {
  const count: Record<keyof typeof SIZES, number> = { rules200: 0, rules1000: 0, decides10: 0, decides20: 0, decides60: 0 };
  beforeAll(async () => {
    const two = async (...names: (keyof typeof SIZES)[]) => {
      await Promise.all(names.map(async (name) => void (count[name] = await instantiationsOf(name, SIZES[name]))));
    };
    // Two at a time: more would only wait for each other.
    await two('rules200', 'rules1000');
    await two('decides10', 'decides20');
    await two('decides60');
  }, 240_000);

  test('a program of 1000 rules and 50 decisions takes at most 300 000 instantiations', () => {
    expect(count.rules1000).toBeLessThanOrEqual(300_000);
  });

  test('a rule more takes at most 80', () => {
    expect((count.rules1000 - count.rules200) / 800).toBeLessThanOrEqual(80);
  });

  test('a decision of eight clauses more, on an action that is decided already, takes at most 1000', () => {
    expect((count.decides60 - count.rules200) / 10).toBeLessThanOrEqual(1_000);
  });

  test('a decision of eight clauses on an action that is not decided yet takes at most 1000', () => {
    expect((count.decides20 - count.decides10) / 10).toBeLessThanOrEqual(1_000);
  });
});
