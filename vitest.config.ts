/**
 * How the tests run: every `*.test.ts` under test/, in two workers.
 *
 * Never  retries: a test that passes the second time has found something.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { mutated, MUTATIONS } from './scripts/mutation-list.ts';

/** Puts the mutation that the environment names into the file that it is about; nothing, in a plain run. */
function mutation(): Plugin {
  const chosen = MUTATIONS[Number(process.env['COUNTERSIGN_MUTATION'] ?? 'none')];
  return {
    name: 'mutation',
    enforce: 'pre',
    transform: (text, id) => (chosen !== undefined && id.endsWith(`/${chosen.file}`) ? mutated(text, chosen) : undefined),
  };
}

export default defineConfig({
  plugins: [mutation()],
  resolve: {
    // Examples in the documentation import the package by its name; here that name means the source, not a build.
    alias: [
      { find: /^countersign$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      { find: /^countersign\/testing$/, replacement: fileURLToPath(new URL('src/testing/testing.ts', import.meta.url)) },
      { find: /^countersign\/testing\/fast-check$/, replacement: fileURLToPath(new URL('src/testing/fast-check.ts', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 180_000,
    // Examples are written below node_modules/.cache before they run, and vitest would hand such files to node untransformed.
    server: { deps: { inline: [/node_modules\/\.cache\/countersign\//] } },
  },
});
