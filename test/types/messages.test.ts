import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { compile, type Compiled, type Compiler } from './compile.ts';
import { SENTENCES } from './sentences.ts';

const FILES = ['cases.ts', 'evasion.ts'] as const;
const DIRECTIVE = /^\s*\/\/ @ts-expect-error (\S+) /;
const sources = Object.fromEntries(FILES.map((file) => [file, readFileSync(new URL(file, import.meta.url), 'utf8')]));

/** The line that each case must err on: the one after its directive. */
const cases = FILES.flatMap((file) =>
  (sources[file] ?? '').split('\n').flatMap((line, index) => {
    const id = DIRECTIVE.exec(line)?.[1];
    return id === undefined ? [] : [{ id, file, line: index + 2 }];
  }),
);

/** With the directives taken out, so that the compiler says what it has to say. */
function bared(source: string): string {
  return source.replaceAll('// @ts-expect-error ', '// ').replaceAll("'./face.ts'", "'@types-suite/face.ts'");
}

describe('the table of sentences', () => {
  test('has one for each case, and no other', () => {
    expect(Object.keys(SENTENCES).sort()).toEqual(cases.map(({ id }) => id).sort());
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });
});

describe.each<[string, Compiler]>([
  ['TypeScript 5.9', 'ts59'],
  ['TypeScript 6.0', 'typescript'],
  ['TypeScript 7.0', 'ts7'],
])('the types under %s', (_version, compiler) => {
  let compiled: Compiled;
  beforeAll(async () => {
    const files = Object.entries(sources).map(([file, source]) => [file, bared(source)] as const);
    compiled = await compile(compiler, `messages-${compiler}`, Object.fromEntries(files));
  }, 120_000);

  const found = ({ file, line }: { file: string; line: number }) =>
    compiled.diagnostics.filter((diagnostic) => diagnostic.file === file && diagnostic.line === line).map(({ message }) => message);

  test('A04 A06 A27 refuse every case, and each with its sentence', () => {
    const wrong = cases.filter((one) => {
      const messages = found(one).map((message) => message.replaceAll('\\"', '"'));
      return !messages.some((message) => message.includes(SENTENCES[one.id] ?? 'no sentence'));
    });
    expect(wrong.map(({ id, ...place }) => ({ id, said: found({ ...place }), sentence: SENTENCES[id] }))).toEqual([]);
  });

  test('take everything else: no error stands on another line, and none twice on one', () => {
    const places = cases.map(({ file, line }) => `${file}:${line}`);
    const said = compiled.diagnostics.map(({ file, line }) => `${file}:${line}`);
    expect(said.sort()).toEqual(places.sort());
  });
});
