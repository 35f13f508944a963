/**
 * Every code has a page, and what the page shows is so: its first program is refused with this code, its second one is not.
 *
 * Whether the programs compile, and whether the editor refuses what the page says that it refuses, is for docs.test.ts.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isCountersignError, ISSUES, type IssueCode } from '../../dsl/issue.ts';
import { lintFiles } from '../lint/project.ts';
import { examplesOfPage, type Example } from './examples.ts';
import { ROOT, textOf } from './source.ts';

const PAGES = 'docs/issues';
const FOLDER = join(ROOT, 'node_modules/.cache/countersign/issue-pages');

/** Codes that no program can get through the published face, each with the reason why there is no page to write. */
const WITHOUT_PAGE: Partial<Record<IssueCode, string>> = { 'lint/not-compiled': 'what is shown on a page compiles' };

// ISSUES is a constant, so its names are the codes.
const codes = Object.keys(ISSUES) as IssueCode[];
const withPage = codes.filter((code) => WITHOUT_PAGE[code] === undefined);
const pageOf = (code: string) => `${PAGES}/${code}.md`;

function pages(): readonly string[] {
  return readdirSync(join(ROOT, PAGES), { recursive: true, encoding: 'utf8' })
    .map((name) => `${PAGES}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && path !== `${PAGES}/README.md`);
}

/** The page's text as one line, so that words may be wrapped. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function headings(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^#{1,6} /.test(line));
}

/** Writes the blocks of a page, each to a file of its own. */
function write(name: string, examples: readonly Example[]): readonly string[] {
  mkdirSync(FOLDER, { recursive: true });
  return examples.map(({ code, line }) => {
    const file = join(FOLDER, `${name.replaceAll(/[^\w]+/g, '-')}-${line}.ts`);
    // `export {}` makes each one a module with names of its own.
    writeFileSync(file, `${code}export {};\n`);
    return file;
  });
}

/** What the lint finds in a program; those that the loader would tell have pages of their own. */
function codesFound(code: string): readonly string[] {
  const { 'page.ts': found = [] } = lintFiles({ 'page.ts': `${code}export {};\n` });
  return [...new Set(found.map((one) => one.code))];
}

/** The codes that a program is refused with; none where it ends well. Any other error is thrown on. */
async function codesOf(file: string): Promise<readonly string[]> {
  try {
    await import(pathToFileURL(file).href);
    return [];
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    const found = [...new Set(error.issues.map(({ code }) => code))];
    expect(found.filter((code) => !error.message.includes(`${code}: `))).toEqual([]);
    return found;
  }
}

rmSync(FOLDER, { recursive: true, force: true });

describe('the pages of issues', () => {
  test('are one for each code, and no other', () => {
    expect([...pages()].sort()).toEqual(withPage.map(pageOf).sort());
  });

  test('leave out known codes only', () => {
    expect(Object.keys(WITHOUT_PAGE).filter((code) => !codes.includes(code as IssueCode))).toEqual([]);
  });

  test('are listed on their first page, in the order of the code', () => {
    const listed = [...textOf(`${PAGES}/README.md`).matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, code, path]) => [code, path]);
    expect(listed).toEqual(withPage.map((code) => [code, `${code}.md`]));
  });
});

describe.each(withPage.filter((code) => existsSync(join(ROOT, pageOf(code)))))('the page of %s', (code) => {
  const text = textOf(pageOf(code));
  const examples = examplesOfPage(pageOf(code), text);
  const files = write(code, examples);

  test('has the words of the code and two programs', () => {
    expect(headings(text.replaceAll(/^```[^]*?^```$/gm, ''))).toEqual([`# ${code}`, '## Wrong', '## Right']);
    expect(inOneLine(text)).toContain(inOneLine(`- **why**: ${ISSUES[code].why}`));
    expect(inOneLine(text)).toContain(inOneLine(`- **fix**: ${ISSUES[code].fix}`));
    expect(examples.map(({ mayRun }) => mayRun)).toEqual([false, true]);
    expect(examples.filter((example) => !example.code.includes("from 'countersign';"))).toEqual([]);
  });

  test('says of its wrong program whether the editor refuses it', () => {
    expect(text.includes('The editor refuses it too')).toBe(examples[0]?.code.includes('// @ts-expect-error'));
    expect(examples[1]?.code).not.toContain('@ts-');
  });

  test('is refused in its wrong program, with this code and those that it links to', async () => {
    const linked = [...text.matchAll(/\[((?:dsl|load|engine|world|lint)\/[a-z-]+)\]/g)].map(([, other]) => other);
    const found = code.startsWith('lint/') ? codesFound(examples[0]!.code) : await codesOf(files[0]!);
    expect(found).toContain(code);
    expect(found.filter((one) => one !== code && !linked.includes(one))).toEqual([]);
  });

  test('is not refused in its right program', async () => {
    expect(await codesOf(files[1]!)).toEqual([]);
    if (code.startsWith('lint/')) expect(codesFound(examples[1]!.code)).toEqual([]);
  });
});
