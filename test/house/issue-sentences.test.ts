/**
 * Where a page of an issue shows what the editor says, the editor says so.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { examplesOfPage } from './examples.ts';
import { ROOT, textOf } from './source.ts';

const PAGES = 'docs/issues';
const FOLDER = join(ROOT, 'node_modules/.cache/countersign/issue-sentences');

interface Shown {
  readonly path: string;
  readonly sentences: readonly string[];
  readonly file: string;
}

/** The pages with a block of sentences, each with its wrong program in a file, without the comments that silence the editor. */
function shown(): readonly Shown[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const names = readdirSync(join(ROOT, PAGES), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return names.sort().flatMap((name) => {
    const path = `${PAGES}/${name.replaceAll('\\', '/')}`;
    const text = textOf(path);
    const [, block] = /^```text\n([^]*?)\n```$/m.exec(text) ?? [];
    const [wrong] = examplesOfPage(path, text);
    if (block === undefined || wrong === undefined) return [];
    const file = join(FOLDER, `${path.replaceAll(/[^\w]+/g, '-')}.ts`);
    writeFileSync(file, `${wrong.code.replaceAll(/^ *\/\/ @ts-expect-error.*\n/gm, '')}export {};\n`);
    return [{ path, sentences: block.split('\n'), file }];
  });
}

/** What the compiler says about each file; quotes in a sentence are escaped there, as in the type that it stands in. */
function saidOf(files: readonly string[]): ReadonlyMap<string, string> {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const program = ts.createProgram(files, { ...options, paths: { countersign: [join(ROOT, 'src/index.ts')] } });
  return new Map(
    files.map((file) => {
      const found = program.getSemanticDiagnostics(program.getSourceFile(file));
      const text = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');
      return [file, text.replaceAll('\\"', '"')] as const;
    }),
  );
}

describe("the editor's sentences", () => {
  const pages = shown();
  let said: ReadonlyMap<string, string>;
  beforeAll(() => {
    said = saidOf(pages.map(({ file }) => file));
  });

  test('stand on many pages', () => {
    expect(pages.length).toBeGreaterThan(10);
  });

  test.each(pages.map(({ path, sentences, file }) => [path, sentences, file] as const))('are those of %s', (_path, sentences, file) => {
    for (const sentence of sentences) expect(said.get(file)).toContain(sentence);
  });
});
