/** What the loader refuses the lint refuses, with the same code: tried on every page of issues. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examplesOfPage } from '../house/examples.ts';
import { ROOT, textOf } from '../house/source.ts';
import { lintApart } from './project.ts';

/** Codes of programs that the lint does not read to their end, each with the reason. */
const BEYOND: Readonly<Record<string, string>> = {
  'dsl/digest-differs': 'a digest function is tried when it is handed in',
  'load/function-unknown': 'the wrong program makes its parts with Reflect and JSON.parse',
  'load/too-deep': 'the programs are made in a loop over a variable',
};

const codes = ['dsl', 'load'].flatMap((part) =>
  readdirSync(join(ROOT, 'docs/issues', part)).map((file) => `${part}/${file.replace(/\.md$/, '')}`),
);
const examples = codes.flatMap((code) => {
  const [wrong, right] = examplesOfPage(code, textOf(`docs/issues/${code}.md`));
  return [
    [`${code}.wrong.ts`.replace('/', '-'), `${wrong?.code ?? ''}export {};\n`],
    [`${code}.right.ts`.replace('/', '-'), `${right?.code ?? ''}export {};\n`],
  ];
});
const found = lintApart(Object.fromEntries(examples) as Record<string, string>);
const codesIn = (file: string) => [...new Set(found[file.replace('/', '-')]?.map(({ code }) => code))];

describe('the page of', () => {
  test.each(codes.filter((code) => BEYOND[code] === undefined))('%s is told in its wrong program, and nothing in its right one', (code) => {
    const told = codesIn(`${code}.wrong.ts`);
    expect(told).toContain(code);
    // A program that the editor refuses too has a comment that hides this.
    expect(told.filter((one) => one !== code && !['lint/suppressed', 'lint/undecided'].includes(one))).toEqual([]);
    // A small program may well leave undone what the page is not about.
    expect(codesIn(`${code}.right.ts`).filter((one) => one !== 'lint/undecided' && one !== 'lint/variable-once')).toEqual([]);
  });

  test.each(Object.keys(BEYOND))('%s says what it does not read, or has nothing to read', (code) => {
    expect(codesIn(`${code}.wrong.ts`).filter((one) => one !== 'lint/not-followed')).toEqual([]);
  });
});
