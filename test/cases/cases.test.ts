/**
 * The external programs and our own ones, each played twice and compared with what it expects.
 *
 * Reads  the given files where their folder is present, and `own/` always.
 * Gives  one test for each program; where the given ones are absent, a title that says so.
 * Never  passes over a file in silence.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences, DEVIATIONS } from './compare.ts';
import { filesOf, folder, given, own, programsOf, type NeutralProgram } from './neutral.ts';
import { play } from './play.ts';

/** The order of the changes; any other shows the same, and `npm run -s cases -- --seed N` tries them. */
const seed = 20260;

const present = given.filter((file) => existsSync(file));
const absent = given.filter((file) => !existsSync(file));

describe.each(filesOf(own).map((file) => [relative(own, file), programsOf(file)] as const))('our own %s', (_name, programs) => {
  test.each(programs.map((program) => [[...(program.shows ?? []), program.id].join(' '), program] as const))(
    '%s gives what it expects',
    plays,
  );
});

describe.each(present.map((file) => [relative(folder, file), programsOf(file)] as const))('the given %s', (_name, programs) => {
  test.each(programs.map((program) => [program.id, program] as const))('%s gives what it expects', plays, 600_000);
});

describe.runIf(absent.length > 0)('the given programs', () => {
  test.skip.each(absent.map((file) => relative(folder, file)))('%s was not run: it is absent', () => undefined);
});

describe('the comparison', () => {
  const program: NeutralProgram = {
    id: 'none',
    relations: [],
    facts: {},
    rules: [],
    expected: { a: [[1], [2]] },
    expected_sizes: { b: 1 },
  };

  test.each<[string, Record<string, readonly (readonly number[])[]>, readonly string[]]>([
    ['passes equal sets in any order', { a: [[2], [1], [2]], b: [[7]] }, []],
    ['names a row that is lacking', { a: [[1]], b: [[7]] }, ['a lacks [2]']],
    ['names a row too many', { a: [[1], [2], [3]], b: [[7]] }, ['a has besides [3]']],
    ['counts', { a: [[1], [2]], b: [] }, ['b has 0 rows instead of 1']],
  ])('%s', (_claim, rows, expected) => {
    expect(differences(program, { rows: (relation) => rows[relation] ?? [] })).toEqual(expected);
  });

  const refusal = { ...program, expected_error: { kind: 'unsafe-variable', subject: 'X' } };
  const refused = (code: string, text: string) => ({ issues: [{ code, text, trail: [] }], nameOf: (name: string) => name.toLowerCase() });

  test.each<[string, ReturnType<typeof refused>, RegExp | undefined]>([
    ['passes a refusal of the right kind and subject', refused('load/variable-unbound', 'r: variable x is not bound'), undefined],
    ['refuses another kind', refused('load/sort-clash', 'r: variable x has two types'), /not for unsafe-variable of x/],
    ['refuses another subject', refused('load/variable-unbound', 'r: variable xy is not bound'), /not for unsafe-variable of x/],
  ])('%s', (_claim, outcome, expected) => {
    const [difference, ...others] = differences(refusal, outcome);
    expect(others).toEqual([]);
    if (expected === undefined) expect(difference).toBeUndefined();
    else expect(difference).toMatch(expected);
  });

  test.each<[string, readonly string[], number]>([
    ['passes a cycle among the relations that are in cycles with one another', ['fact.a', 'fact.c', 'fact.a'], 0],
    ['refuses a cycle through another relation', ['fact.a', 'fact.d', 'fact.a'], 1],
    ['refuses a cycle that is not printed', [], 1],
  ])('%s', (_claim, trail, count) => {
    const cyclic = { ...program, expected_error: { kind: 'unstratifiable', subject: 'A,B,C' } };
    const issues = [{ code: 'load/unstratified', text: 'a depends on its own negation', trail }];
    expect(differences(cyclic, { issues, nameOf: (name) => name.toLowerCase() })).toHaveLength(count);
  });

  test('does not take a program that loads for one that is refused', () => {
    expect(differences(refusal, { rows: () => [] })).toEqual(['loaded, though it is to be refused: unsafe-variable of X']);
  });

  test('does not pass a program that expects nothing', () => {
    expect(differences({ ...program, expected: {}, expected_sizes: {} }, { rows: () => [] })).toHaveLength(1);
  });

  test('allows at most three deviations, each by a ruling', () => {
    expect(Object.keys(DEVIATIONS).length).toBeLessThanOrEqual(3);
    for (const { ruling } of Object.values(DEVIATIONS)) expect(ruling).toMatch(/^ruling \d+/);
  });
});

async function plays(_id: string, program: NeutralProgram): Promise<void> {
  expect((await play(program, seed)).failures).toEqual([]);
}
