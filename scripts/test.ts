/**
 * `npm test`: format, lint, types, then every test; the last line counts them all.
 *
 * Gives  a last line `N passed, N failed, N skipped`, in which each gate before the tests counts as one test.
 * Never  stops at the first failure: a run shows everything that is wrong.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readReport, REPORT_PATH, type Report } from './report.ts';
import { runTool } from './tool.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const GATES: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'prettier', '--check', '.'],
  ['lint', 'eslint', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
];

function main(): void {
  const gates = GATES.map(([name, command, ...args]) => {
    const isPassed = runTool(command, args);
    console.log(`${name}: ${isPassed ? 'passed' : 'FAILED'}\n`);
    return isPassed;
  });

  const isMutationNoticed = runTool('tsx', ['scripts/mutations.ts']);
  gates.push(isMutationNoticed);
  console.log(`mutations: ${isMutationNoticed ? 'passed' : 'FAILED'}\n`);

  // The report of an earlier run must not stand in for a run that dies before it writes its own.
  rmSync(REPORT_PATH, { force: true });
  mkdirSync(dirname(REPORT_PATH), { recursive: true });
  const isVitestPassed = runTool('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT_PATH}`]);

  const tally = count(gates, readReport(REPORT_PATH), isVitestPassed);
  process.exitCode = tally.failed === 0 ? 0 : 1;
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
}

/**
 * Adds up gates and tests.
 *
 * Shape  a test file that breaks before its first test counts as one failure, since its tests are not in the report at all; a run
 *        that fails with no failed test (an unhandled rejection, a crash, no report) counts as one failure too.
 */
export function count(gates: readonly boolean[], report: Report | undefined, isVitestPassed: boolean): Tally {
  const files = report?.testResults ?? [];
  const statuses = files.flatMap((file) => file.assertionResults.map((result) => result.status));
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.every((result) => result.status !== 'failed'));

  const passed = statuses.filter((status) => status === 'passed').length;
  const failed = statuses.filter((status) => status === 'failed').length + broken.length;
  const unexplained = failed === 0 && (!isVitestPassed || report === undefined) ? 1 : 0;

  return {
    passed: passed + gates.filter((isPassed) => isPassed).length,
    failed: failed + unexplained + gates.filter((isPassed) => !isPassed).length,
    skipped: statuses.length - passed - statuses.filter((status) => status === 'failed').length,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
