/**
 * What a user installs: the packed package, with each published face imported, compiled against and judged by the usual tools.
 */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './source.ts';

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

// Our own file, and a wrong shape makes the tests below fail.
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const faces = Object.keys(manifest.exports)
  .filter((face) => face !== './package.json')
  .map((face) => manifest.name + face.slice(1));

/** Faces that need an optional peer: whoever has none of them imports the rest. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'countersign/testing/fast-check': ['fast-check'],
  'countersign/lint': ['ts-morph'],
};

const COMPILERS = [
  ['TypeScript 6.0', 'typescript', []],
  ['TypeScript 5.9', 'ts59', []],
  ['TypeScript 7.0', 'ts7', ['--singleThreaded']],
] as const;

/** As strict as a user can be, and with our declarations checked too (no `skipLibCheck`). */
const CONSUMER_OPTIONS = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, module: 'nodenext', target: 'es2022', types: [] };

/** What a user's first file does; the expected error shows that the types arrive as more than `any`. */
const CONSUMER = `
import * as z from 'zod';
import { defineOntology, load, open } from 'countersign';

export const shop = defineOntology({ observation: { said: { text: z.string() } } });
export const said = shop.observation.said;
// @ts-expect-error: a relation that was not declared
export const misspelt = shop.observation.sayd;
export const doors: readonly ((...args: never[]) => unknown)[] = [defineOntology, load, open];
`;

/** A user's first test, with the types of both faces in one. */
const TESTER = `
import * as z from 'zod';
import { decide, defineOntology, keyed, program, row } from 'countersign';
import { coverage, scenario } from 'countersign/testing';

const shop = defineOntology({
  observation: { open: keyed({}, { on: z.boolean() }) },
  action: { ring: { in: { bell: z.string() } } },
});
const rings = decide('rings', shop.proposal.ring({})).needs('closed', shop.observation.open({ on: true })).otherwiseApproves();
export const app = program({ name: 'shop', ontologies: [shop], rules: [rings] });
const seen = coverage(app);
await scenario(app, { coverage: seen })
  .given(row(shop.observation.open, { on: true }))
  .proposes(row(shop.proposal.ring, { bell: 'front' }))
  .runs(shop.intent.ring, { bell: 'front' });
// @ts-expect-error: a column that the intent has not
export const wrong = scenario(app).runs(shop.intent.ring, { door: 'front' });
export const world = await seen.open();
`;

/** A bypass that somebody told the compiler to overlook. */
const BYPASS = `
import * as z from 'zod';
import { defineOntology, program, rule, ruleset } from 'countersign';

const shop = defineOntology({ candidate: { said: { text: z.string() } }, fact: { truth: { text: z.string() } } });
const { text } = shop.vars;
const books = ruleset('books', { all: rule(shop.fact.truth({ text })).when(shop.candidate.said({ text }) as never) });
export const app = program({ name: 'shop', ontologies: [shop], rules: [books] });
`;

/** A user's first random test, who has fast-check. */
const PEER = `
import fc from 'fast-check';
import { row } from 'countersign';
import { containment, hostileReplies } from 'countersign/testing/fast-check';
import { app, world } from './tester.js';

export const replies: fc.Arbitrary<object> = hostileReplies(app);
export const { approved } = await containment(app);
export const head: number = world.head;
`;

describe('the packed package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pack-'));
  const consumer = join(folder, 'consumer');
  const installed = join(consumer, 'node_modules', manifest.name);
  let tarball: string;

  beforeAll(() => {
    tarball = pack(join(folder, 'staging'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type: 'module' }));
    for (const [name, files] of Object.entries({ tsconfig: ['consumer.ts', 'tester.ts'], peers: ['peer.ts'], bypass: ['bypass.ts'] }))
      writeFileSync(join(consumer, `${name}.json`), JSON.stringify({ compilerOptions: CONSUMER_OPTIONS, files }));
    for (const [name, text] of Object.entries({ consumer: CONSUMER, tester: TESTER, peer: PEER, bypass: BYPASS }))
      writeFileSync(join(consumer, `${name}.ts`), text);
    // Only what package.json declares is there, so that an undeclared dependency is not found.
    for (const name of Object.keys(manifest.dependencies)) link(name);
  });
  const link = (name: string) => {
    const path = join(consumer, 'node_modules', name);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), path, 'junction');
  };
  /** A package that is there while something is done, and is gone again. */
  const withPeers = <T>(names: readonly string[], act: () => T): T => {
    names.forEach(link);
    try {
      return act();
    } finally {
      for (const name of names) rmSync(join(consumer, 'node_modules', name));
    }
  };
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('holds the build, the license and the changelog, and no source', () => {
    const names = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
    expect(names).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts']));
    expect(names.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test('is sound to publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('gives its types to every resolution that knows ESM', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    if (analysis.types === false) throw new Error('the package has no types');
    // ESM only: a project on CommonJS or on the resolution of Node 10 is told so by its own tools.
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem) || (problem.resolutionKind !== 'node10' && problem.resolutionKind !== 'node16-cjs'),
    );
    expect(problems).toEqual([]);
  });

  test.each(faces)('is imported as %s where code from strings is refused', (face) => {
    const script = `import(${JSON.stringify(face)}).then((face) => console.log(JSON.stringify(
      Object.fromEntries(Object.entries(face).map(([name, value]) => [name, typeof value])))))`;
    const imported = () =>
      execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script], {
        cwd: consumer,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    const needs = NEEDS[face] ?? [];
    if (needs.length > 0) expect(imported).toThrow(`Cannot find package '${needs[0]}'`);
    const kinds: unknown = JSON.parse(withPeers(needs, imported));
    if (face === manifest.name) expect(kinds).toMatchObject({ defineOntology: 'function', load: 'function', open: 'function' });
    else expect(kinds).not.toEqual({});
  });

  test.each(COMPILERS)(
    'types a consumer on %s',
    (_name, compiler, flags) => {
      expect(run([join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', '.', ...flags], consumer)).toBe('');
    },
    180_000,
  );

  test('lints a consumer who has ts-morph, and says what is missing to one who has not', () => {
    const lint = () => run([join(installed, 'dist/cli.js'), 'lint', '--format', 'github', 'bypass.json'], consumer);
    expect(lint()).toBe('exit 2\ncountersign: the lint needs the package ts-morph: npm install --save-dev ts-morph\n');
    const found = withPeers(['ts-morph'], lint).split('\n');
    expect(found[0]).toBe('exit 1');
    expect(
      found.filter((line) => line.startsWith('::error file=bypass.ts,line=7,')).map((line) => /title=([^:]*)::/.exec(line)?.[1]),
    ).toEqual(['load/cut-bypassed', 'lint/cast']);
  }, 60_000);

  test('types a consumer who has fast-check', () => {
    const tsc = () => run([join(ROOT, 'node_modules/ts7/bin/tsc'), '-p', 'peers.json', '--singleThreaded'], consumer);
    expect(withPeers(Object.keys(manifest.peerDependencies), tsc)).toBe('');
  }, 180_000);
});

/** Builds and packs a copy, so that a `dist/` in the checkout neither helps nor suffers. */
function pack(staging: string): string {
  mkdirSync(staging);
  for (const name of ['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md']) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(staging, name));
  }
  expect(run([join(ROOT, 'node_modules/tsup/dist/cli-default.js'), '--silent', '--out-dir', join(staging, 'dist')], ROOT)).toBe('');
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: staging,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return join(staging, filename);
}

/** What a node program printed; an exit code other than 0 is part of it. */
function run(args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    const { stdout = '', stderr = '', status } = error as { stdout?: string; stderr?: string; status?: number };
    return `exit ${status}\n${stdout}${stderr}`;
  }
}
