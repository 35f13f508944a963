/**
 * The report of a test run, as vitest's JSON reporter writes it; only what our scripts read of it.
 *
 * Never  trusts the file: one that is absent or cut off reads as no report.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the last run of `npm test` left its report. */
export const REPORT_PATH = fileURLToPath(new URL('../node_modules/.cache/countersign/vitest.json', import.meta.url));

export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

export function readReport(path: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isReport(report) ? report : undefined;
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && 'testResults' in value && Array.isArray(value.testResults);
}
