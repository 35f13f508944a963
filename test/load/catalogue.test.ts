/** The catalogue of issues: each code of language and loader is raised somewhere, and shown by a test. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ISSUES } from '../../dsl/issue.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function textOf(folder: string, skipped: readonly string[]): string {
  return readdirSync(join(root, folder))
    .map((name) => join(folder, name))
    .filter((path) => !skipped.includes(path))
    .map((path) =>
      statSync(join(root, path)).isDirectory() ? textOf(path, skipped) : path.endsWith('.ts') ? readFileSync(join(root, path), 'utf8') : '',
    )
    .join('\n');
}

describe('the catalogue of issues', () => {
  const codes = Object.keys(ISSUES).filter((code) => code.startsWith('dsl/') || code.startsWith('load/'));
  const unused = (text: string) => codes.filter((code) => !text.includes(`'${code}'`));
  const shown = (text: string) => codes.filter((code) => !text.includes(code));

  test('has no code that nothing raises', () => {
    expect(unused(textOf('dsl', [join('dsl', 'issue.ts')]) + textOf('src', []))).toEqual([]);
  });

  test('has no code that no test shows', () => {
    expect(shown(textOf('test', [join('test', 'load', 'catalogue.test.ts')]))).toEqual([]);
  });
});
