/**
 * The build: one ESM bundle per published face, with shared chunks, so that a brand exists once.
 *
 * Never  bundles a package: each stays an import, and the exports test finds the ones that package.json does not declare.
 */
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    testing: 'src/testing/testing.ts',
    'testing-fast-check': 'src/testing/fast-check.ts',
    lint: 'lint/lint.ts',
    cli: 'src/doors/cli-main.ts',
  },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  clean: true,
  skipNodeModulesBundle: true,
  // tsup sets `baseUrl` for its declaration build, which TypeScript 6 calls deprecated.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
});
