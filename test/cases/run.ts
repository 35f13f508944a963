/**
 * The external programs from the command line: `npm run -s cases -- [--seed N] [--only TEXT] [PATH...]`.
 *
 * Reads  files or folders of neutral programs; without a path the given ones under `COUNTERSIGN_CASES`.
 * Gives  every failure with its program's id and, last, `N passed, N failed`; the exit code is 1 when one failed, none was there or a path is absent.
 * Never  counts a program that it did not play.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEVIATIONS } from './compare.ts';
import { filesOf, given, programsOf } from './neutral.ts';
import { play } from './play.ts';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string', default: '' }, times: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
console.log(`seed ${seed}`);

let [passed, failed] = [0, 0];
const paths = positionals.length > 0 ? positionals : given;
const absent = paths.filter((path) => !existsSync(path));
for (const path of absent) console.log(`NOT RUN ${path}: there is no such file or folder`);
for (const file of paths.filter((path) => !absent.includes(path)).flatMap(filesOf)) {
  const programs = programsOf(file);
  if (programs.length === 0) console.log(`${file}: holds no programs, skipped`);
  for (const program of programs.filter(({ id }) => id.includes(values.only))) {
    const started = performance.now();
    const failures = await attempt(program);
    if (values.times) console.log(`${(performance.now() - started).toFixed(0).padStart(7)} ms  ${program.id}`);
    for (const failure of failures) console.log(`FAILED ${program.id}\n  ${failure.replaceAll('\n', '\n  ')}`);
    if (failures.length === 0) passed++;
    else failed++;
  }
}
for (const [id, { ruling }] of Object.entries(DEVIATIONS)) console.log(`deviates ${id}: ${ruling}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 || absent.length > 0 ? 1 : 0;

/** What throws is a failure of its program and of no other. */
async function attempt(program: Parameters<typeof play>[0]): Promise<readonly string[]> {
  try {
    return (await play(program, seed)).failures;
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}
