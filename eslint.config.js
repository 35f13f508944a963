/**
 * What the compiler cannot see: promises nobody waits for, `any` without a reason, and globals that a floor may not use.
 *
 * Never  formats (prettier does) and never judges imports (test/house/architecture.test.ts does).
 */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TIME = 'below floor 5 there is no clock and no timer; take the time as an argument';
const CHANCE = 'below floor 5 there is no randomness; take ids and seeds as arguments';
const WORLD = 'below floor 5 there is no network and no environment; take what you need as an argument';

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'node_modules/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='WebAssembly'][property.name=/^(compile|instantiate|Module)/]",
          message: 'edge runtimes refuse to compile bytes',
        },
      ],
      eqeqeq: 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-implied-eval': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description', minimumDescriptionLength: 10 }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A port may be asynchronous while an adapter of it has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // Interfaces without members of their own name a shape for the editor, and `{}` is how the language says "no columns".
      '@typescript-eslint/no-empty-object-type': 'off',
    },
  },
  {
    files: ['dsl/**', 'lint/**', 'src/{load,ledger,engine,relay,turn,reads,effects}/**', 'src/world.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'Date', message: TIME },
        { name: 'performance', message: TIME },
        { name: 'setTimeout', message: TIME },
        { name: 'setInterval', message: TIME },
        { name: 'setImmediate', message: TIME },
        { name: 'fetch', message: WORLD },
        { name: 'process', message: WORLD },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: CHANCE },
        { object: 'crypto', property: 'randomUUID', message: CHANCE },
        { object: 'crypto', property: 'getRandomValues', message: CHANCE },
      ],
    },
  },
  {
    // Tests hand wrong values in on purpose, and expectations read loosely typed reports.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
