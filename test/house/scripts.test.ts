/**
 * What the scripts count: the last line of `npm test`, and the guarantees that no passing test shows.
 */
import { describe, expect, test } from 'vitest';
import { missing } from '../../scripts/requirements.ts';
import { count } from '../../scripts/test.ts';
import type { Report } from '../../scripts/report.ts';

/** A report of files, each a list of `[status, title]`; a file fails with its tests, or by itself where `isBroken`. */
function report(...files: { tests: [status: string, title: string][]; isBroken?: boolean }[]): Report {
  return {
    testResults: files.map(({ tests, isBroken = false }, index) => ({
      name: `${index}.test.ts`,
      status: isBroken || tests.some(([status]) => status === 'failed') ? 'failed' : 'passed',
      assertionResults: tests.map(([status, title]) => ({ status, title })),
    })),
  };
}

describe('the last line of npm test', () => {
  test.each<[claim: string, gates: boolean[], report: Report | undefined, isVitestPassed: boolean, tally: [number, number, number]]>([
    ['counts gates and tests', [true, true], report({ tests: [['passed', 'a']] }), true, [3, 0, 0]],
    ['counts a gate that fails', [true, false], report({ tests: [['passed', 'a']] }), true, [2, 1, 0]],
    ['counts a failed test once', [true], report({ tests: [['failed', 'a']] }), false, [1, 1, 0]],
    [
      'counts skipped and todo tests as skipped',
      [],
      report({
        tests: [
          ['skipped', 'a'],
          ['pending', 'b'],
          ['todo', 'c'],
        ],
      }),
      true,
      [0, 0, 3],
    ],
    ['counts a file that breaks before its tests', [], report({ tests: [], isBroken: true }), false, [0, 1, 0]],
    ['counts a file that breaks beside a passing test', [], report({ tests: [['passed', 'a']], isBroken: true }), false, [1, 1, 0]],
    ['counts a run that fails with no failed test', [], report({ tests: [['passed', 'a']] }), false, [1, 1, 0]],
    ['counts a run without a report', [true], undefined, false, [1, 1, 0]],
    ['does not trust a content run without a report', [true], undefined, true, [1, 1, 0]],
  ])('%s', (_claim, gates, found, isVitestPassed, [passed, failed, skipped]) => {
    expect(count(gates, found, isVitestPassed)).toEqual({ passed, failed, skipped });
  });
});

describe('the guarantees without a test', () => {
  const page = '| A01 | and B02, see A01; Z99, A123 and xA03 are no ids | C10 |';

  test.each<[claim: string, tests: [status: string, title: string][], ids: string[]]>([
    ['are all of them where no test names one', [['passed', 'cuts']], ['A01', 'B02', 'C10']],
    [
      'are none where passing tests open with each',
      [
        ['passed', 'A01 B02 cuts'],
        ['passed', 'C10: reads'],
      ],
      [],
    ],
    [
      'include the id of a failed or skipped test',
      [
        ['failed', 'A01 a'],
        ['skipped', 'B02 b'],
        ['passed', 'C10 c'],
      ],
      ['A01', 'B02'],
    ],
    [
      'include an id that stands later in a title',
      [
        ['passed', 'cuts as A01 says'],
        ['passed', 'B02 C10 reads'],
      ],
      ['A01'],
    ],
    ['include a fourth id of a title', [['passed', 'A01 B02 D04 C10 cuts']], ['C10']],
  ])('%s', (_claim, tests, ids) => {
    expect(missing(page, report({ tests }))).toEqual(ids);
  });
});
