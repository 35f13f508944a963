/**
 * `npm run -s requirements`: the guarantees of docs/guarantees.md that no passing test shows.
 *
 * Reads  the report of the last `npm test`, or runs the tests where there is none.
 * Gives  one id a line, nothing when every guarantee is shown, and exit code 0 in both cases.
 * Never  takes a failed or skipped test for a proof, nor an id that stands elsewhere than at the start of a title.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readReport, REPORT_PATH, type Report } from './report.ts';
import { runTool } from './tool.ts';

const GUARANTEES_PATH = fileURLToPath(new URL('../docs/guarantees.md', import.meta.url));
const ID = /\b[ABCDJKTR]\d\d\b/g;
/** Up to three ids open a title: `A04 A06 a candidate supports no fact`. */
const OPENING_IDS = /^(?:[ABCDJKTR]\d\d\b[ ,:]*){1,3}/;

function main(): void {
  if (!existsSync(GUARANTEES_PATH)) {
    console.error('docs/guarantees.md is absent, so there is no guarantee to look for');
    return;
  }
  for (const id of missing(readFileSync(GUARANTEES_PATH, 'utf8'), readReport(REPORT_PATH) ?? runTests())) console.log(id);
}

function runTests(): Report {
  console.error('no report of an earlier run; running the tests');
  runTool('vitest', ['run', '--reporter=json', `--outputFile.json=${REPORT_PATH}`], 'ignore');
  return readReport(REPORT_PATH) ?? { testResults: [] };
}

/** The ids that the page states and no passing test opens its title with, sorted. */
export function missing(page: string, report: Report): readonly string[] {
  const stated = new Set(page.match(ID));
  const shown = new Set(
    report.testResults
      .flatMap((file) => file.assertionResults)
      .filter((result) => result.status === 'passed')
      .flatMap((result) => OPENING_IDS.exec(result.title)?.[0].match(ID) ?? []),
  );
  return [...stated].filter((id) => !shown.has(id)).sort();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
