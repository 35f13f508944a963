/**
 * Breaks each load-bearing line in turn, and fails when the test of that line still passes.
 *
 * Gives  one line per mutation, and a last line `N noticed, N unnoticed`; exit code 1 when one was not noticed.
 * Never  changes a file: the mutant exists in the memory of one test run, through the plugin in `vitest.config.ts`.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MUTATIONS, type Mutation } from './mutation-list.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

function isNoticed(mutation: Mutation, index: number): boolean {
  const args = [VITEST, 'run', 'test/load-bearing', '-t', `load-bearing ${mutation.line} `];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, COUNTERSIGN_MUTATION: String(index), NO_COLOR: '1' },
  });
  // A run that found no test, or broke before its first, has noticed nothing.
  return status !== 0 && /Tests .*\d+ failed/.test(stdout);
}

let unnoticed = 0;
for (const [index, mutation] of MUTATIONS.entries()) {
  const noticed = isNoticed(mutation, index);
  if (!noticed) unnoticed++;
  console.log(`${noticed ? 'noticed' : 'UNNOTICED'}  ${mutation.line}: ${mutation.breaks} (${mutation.file})`);
}
console.log(`${MUTATIONS.length - unnoticed} noticed, ${unnoticed} unnoticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;
