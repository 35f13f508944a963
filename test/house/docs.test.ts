/**
 * Every example of the documentation compiles against the source and runs, so that a reader can trust what a page shows.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { examplesOfPage, examplesOfSource, type Example } from './examples.ts';
import { filesBelow, ROOT, textOf } from './source.ts';

/** Below node_modules, so that an example finds our dependencies and no other tool takes it for a file of the project. */
const FOLDER = join(ROOT, 'node_modules/.cache/countersign/examples');

function pages(): readonly string[] {
  const docs = existsSync(join(ROOT, 'docs')) ? readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }) : [];
  return ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)].filter((path) =>
    existsSync(join(ROOT, path)),
  );
}

/** Writes each example to a file of its own, and gives the file names in the same order. */
function write(folder: string, examples: readonly Example[]): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return examples.map(({ path, line, code }) => {
    const file = join(folder, `${path.replaceAll(/[^\w]+/g, '-')}-${line}.ts`);
    // `export {}` makes each one a module with names of its own.
    writeFileSync(file, `${code}export {};\n`);
    return file;
  });
}

/** What the compiler says about each file, with lines as they stand on the page. */
function check(files: readonly string[], examples: readonly Example[]): ReadonlyMap<string, readonly string[]> {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const paths = {
    countersign: [join(ROOT, 'src/index.ts')],
    'countersign/testing': [join(ROOT, 'src/testing/testing.ts')],
    'countersign/testing/fast-check': [join(ROOT, 'src/testing/fast-check.ts')],
  };
  const program = ts.createProgram(files, { ...options, paths });
  return new Map(
    files.map((file, index) => {
      const { path, line } = examples[index]!;
      const source = program.getSourceFile(file);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      const said = found.map(({ messageText, start = 0 }) => {
        const at = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + line;
        return `${path}:${at} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
      return [file, said] as const;
    }),
  );
}

const examples = [
  ...pages().flatMap((path) => examplesOfPage(path, textOf(path))),
  ...['dsl', 'src'].flatMap(filesBelow).flatMap((path) => examplesOfSource(path, textOf(path))),
];

describe.skipIf(examples.length === 0)('the documentation', () => {
  const files = write(FOLDER, examples);
  let said: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    said = check(files, examples);
  });

  test.each(examples.map((example, index) => [`${example.path}:${example.line}`, files[index]!, example.mayRun] as const))(
    'holds at %s',
    async (_place, file, mayRun) => {
      expect(said.get(file)?.join('\n')).toBe('');
      if (mayRun) await import(pathToFileURL(file).href);
    },
  );
});

describe('the examples of a page', () => {
  const FENCE = '```';

  test('are its ts blocks, with their lines and marks', () => {
    const page = [
      '# Title',
      `${FENCE}ts`,
      'a();',
      FENCE,
      `${FENCE}ts no-run`,
      'b();',
      FENCE,
      `${FENCE}ts no-check`,
      'c(',
      FENCE,
      `${FENCE}sh`,
      'npm cit',
      FENCE,
      `  ${FENCE}typescript`,
      '  d();',
      `  ${FENCE}`,
    ].join('\n');
    expect(examplesOfPage('a.md', page)).toEqual([
      { path: 'a.md', line: 3, code: 'a();\n', mayRun: true },
      { path: 'a.md', line: 6, code: 'b();\n', mayRun: false },
      { path: 'a.md', line: 15, code: 'd();\n', mayRun: true },
    ]);
  });

  test('end, or the page is refused', () => {
    expect(() => examplesOfPage('a.md', `text\n${FENCE}ts\na();`)).toThrow('a.md:2 opens a block that never ends');
  });

  test('are fenced blocks, tags and rows of docstrings', () => {
    const source = [
      '/**',
      ' * A header.',
      ' *',
      ` * ${FENCE}ts no-run`,
      ' * header();',
      ` * ${FENCE}`,
      ' */',
      "import 'x';",
      '/**',
      ' * Cuts.',
      ' *',
      ' * Example  cut([]);',
      ' *          cut([1]);',
      ' * Source  a page',
      ' */',
      'export function cut(): void {}',
      'export interface A {',
      '  /**',
      '   * @example',
      '   * tag();',
      '   */',
      '  readonly a: string;',
      '}',
      '/** For Example  nothing. */',
      'export const b = 1;',
    ].join('\n');
    expect(examplesOfSource('dsl/a.ts', source)).toEqual([
      { path: 'dsl/a.ts', line: 5, code: 'header();\n', mayRun: false },
      { path: 'dsl/a.ts', line: 12, code: 'cut([]);\n         cut([1]);\n', mayRun: true },
      { path: 'dsl/a.ts', line: 19, code: '\ntag();\n', mayRun: true },
    ]);
  });

  test('are checked, and a fault is named by its line on the page', () => {
    const faulty = { path: 'a.md', line: 10, code: "import * as z from 'zod';\nconst a: z.ZodType = 1;\n", mayRun: false };
    const sound = { path: 'b.md', line: 1, code: "import * as z from 'zod';\nconst a: z.ZodType = z.string();\n", mayRun: false };
    const samples = write(`${FOLDER}-samples`, [faulty, sound]);
    const [first, second] = [...check(samples, [faulty, sound]).values()];
    expect(first).toEqual([expect.stringContaining("a.md:11 Type 'number' is not assignable to type 'ZodType")]);
    expect(second).toEqual([]);
  });

  test('run, and one that throws fails', async () => {
    const [file] = write(`${FOLDER}-thrown`, [{ path: 'a.md', line: 1, code: "throw new Error('it ran');\n", mayRun: true }]);
    await expect(import(pathToFileURL(file!).href)).rejects.toThrow('it ran');
  });
});
