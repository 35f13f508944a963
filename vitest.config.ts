/**
 * How the tests run: every `*.test.ts` under test/, in two workers.
 *
 * Never  retries: a test that passes the second time has found something.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Examples in the documentation import the package by its name; here that name means the source, not a build.
    alias: [{ find: /^countersign$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Examples are written below node_modules/.cache before they run, and vitest would hand such files to node untransformed.
    server: { deps: { inline: [/node_modules\/\.cache\/countersign\//] } },
  },
});
