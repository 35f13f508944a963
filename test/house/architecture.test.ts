/**
 * The imports of the project against the table of the house, and the table against samples that it must refuse.
 */
import { describe, expect, test } from 'vitest';
import { HOUSE, judge } from './house.ts';
import { filesBelow, readSources, textOf } from './source.ts';

const FOLDERS = ['dsl', 'src', 'lint', 'examples'];

/** The arrows by name, of one sample file. */
function arrowsOf(path: string, text: string): readonly string[] {
  return judge(readSources({ [path]: text })).map((refusal) => refusal.arrow);
}

describe('the house', () => {
  test('has no import and no global that its table does not allow', () => {
    const paths = FOLDERS.flatMap(filesBelow);
    const sources = readSources(Object.fromEntries(paths.map((path) => [path, textOf(path)])));
    expect(sources).toHaveLength(paths.length);
    expect(
      judge(sources)
        .map((refusal) => refusal.text)
        .join('\n'),
    ).toBe('');
  });

  test('lets a place import only from its own floor or below', () => {
    for (const { floor, mayImport } of Object.values(HOUSE)) {
      for (const name of mayImport) expect(HOUSE[name as keyof typeof HOUSE].floor).toBeLessThanOrEqual(floor);
    }
  });

  test.each<[claim: string, path: string, text: string]>([
    ['the language stand on zod', 'dsl/brand.ts', "import * as z from 'zod'; import { sha256 } from '@noble/hashes/sha2.js';"],
    ['a file import its neighbours', 'src/load/load.ts', "import { cut } from './cut.ts';"],
    ['any file of the language be imported', 'src/turn/turn.ts', "import type { Value } from '../../dsl/value.ts';"],
    ['the engine take a plan at the door of load', 'src/engine/engine.ts', "import type { Plan } from '../load/load.ts';"],
    ['the linter run the very cut of the loader', 'lint/graph.ts', "import { cut } from '../src/load/cut.ts';"],
    ['an adapter use its platform', 'src/ledger/sqlite.ts', "import { statSync } from 'node:fs'; fetch('x');"],
    ['the loop use node and the clock', 'src/runtime.ts', "import { hash } from 'node:crypto'; Date.now();"],
    ['the face import rooms', 'src/index.ts', "export { cut } from './load/cut.ts'; export * from '../dsl/law.ts';"],
    ['an example stand on the face', 'examples/shop/main.ts', "import { load } from '../../src/index.ts'; import * as z from 'zod';"],
    ['a parameter bear the name of a global', 'src/turn/turn.ts', 'export const run = (fetch: () => void) => fetch();'],
    ['a member bear the name of a global', 'dsl/a.ts', 'export const a = (x: { Date: number; eval: number }) => x.Date + x.eval;'],
    ['a type name a global', 'dsl/a.ts', 'export interface A { readonly at: Date; readonly ask: typeof fetch }'],
    ['harmless members be used', 'dsl/a.ts', 'export const a = Math.max(1, 2), b = globalThis.crypto.subtle;'],
  ])('lets %s', (_claim, path, text) => {
    expect(arrowsOf(path, text)).toEqual([]);
  });

  test.each<[arrow: string, path: string, text: string]>([
    ['homeless', 'src/utils/a.ts', ''],
    ['homeless', 'src/load/load.ts', "import '../../scripts/tool.ts';"],
    ['capability-holds-the-world', 'src/relay/relay.ts', "import { World } from '../world.ts';"],
    ['capability-holds-the-world', 'src/effects/effects.ts', "import type { Ledger } from '../ledger/ledger.ts';"],
    ['engine-touches-the-record', 'src/engine/engine.ts', "import type { Ledger } from '../ledger/ledger.ts';"],
    ['replay-runs-live', 'src/replay.ts', "import { ask } from './relay/relay.ts';"],
    ['compiler-in-the-runtime', 'src/world.ts', "import { lint } from '../lint/lint.ts';"],
    ['example-behind-the-face', 'examples/shop/main.ts', "import { cut } from '../../src/load/cut.ts';"],
    ['example-behind-the-face', 'examples/shop/main.ts', "import { LAW } from '../../dsl/law.ts';"],
    ['uphill', 'dsl/law.ts', "import { load } from '../src/load/load.ts';"],
    ['uphill', 'src/load/load.ts', "export { model } from '../engine/engine.ts';"],
    ['uphill', 'src/load/load.ts', "export type A = import('../engine/engine.ts').Model;"],
    ['uphill', 'src/world.ts', "export const a = () => import('./runtime.ts');"],
    ['uphill', 'src/agents/agents.ts', "import { serve } from '../doors/http.ts';"],
    ['sibling', 'src/load/load.ts', "import type { Ledger } from '../ledger/ledger.ts';"],
    ['sibling', 'src/turn/turn.ts', "import type { Reply } from '../relay/relay.ts';"],
    ['unlisted', 'src/turn/turn.ts', "import { load } from '../load/load.ts';"],
    ['unlisted', 'src/agents/agents.ts', "import { world } from '../world.ts';"],
    ['behind-the-door', 'src/engine/engine.ts', "import { cut } from '../load/cut.ts';"],
    ['behind-the-door', 'src/world.ts', "import type { Rows } from './ledger/memory.ts';"],
    ['barrel', 'src/load/index.ts', 'export const a = 1;'],
    ['barrel', 'dsl/all.ts', "export * from './law.ts'; export type { A } from './ir.ts';"],
    ['blind', 'src/runtime.ts', 'export const a = (name: string) => import(name);'],
    ['extension', 'src/load/load.ts', "import { cut } from './cut.js';"],
    ['package', 'src/engine/engine.ts', "import * as z from 'zod';"],
    ['package', 'src/ledger/sqlite.ts', "import Database from 'libsql';"],
    ['package', 'examples/shop/main.ts', "import { load } from 'countersign';"],
    ['package', 'dsl/a.ts', "import * as z from 'zodiac';"],
    ['platform', 'dsl/digest.ts', "import { createHash } from 'node:crypto';"],
    ['platform', 'src/ledger/memory.ts', "import { readFileSync } from 'node:fs';"],
    ['clock', 'src/engine/engine.ts', 'export const a = Date.now();'],
    ['clock', 'src/engine/engine.ts', 'export const a = new Date(0);'],
    ['clock', 'src/relay/relay.ts', 'export const a = { setTimeout };'],
    ['clock', 'src/ledger/sqlite.ts', 'export const a = performance.now();'],
    ['clock', 'src/relay/relay.ts', 'export const a = AbortSignal.timeout(5);'],
    ['clock', 'src/world.ts', 'declare const Date: { now(): number }; export const a = Date.now();'],
    ['chance', 'dsl/a.ts', "export const a = Math['random']();"],
    ['chance', 'dsl/a.ts', 'const { random } = Math; export const a = random();'],
    ['chance', 'lint/a.ts', 'export const a = globalThis.crypto.randomUUID();'],
    ['network', 'src/reads/reads.ts', "export const a = fetch('https://example.org');"],
    ['network', 'src/reads/reads.ts', 'export const a = (fetch_ = fetch) => fetch_;'],
    ['environment', 'src/load/load.ts', 'export const a = process.env;'],
    ['environment', 'dsl/a.ts', 'export const a = (globalThis as { process?: object }).process;'],
    ['environment', 'dsl/a.ts', 'const host = globalThis; export const a = host;'],
    ['code-from-text', 'src/doors/http.ts', "export const a = eval('1');"],
    ['code-from-text', 'src/runtime.ts', "export const a = new Function('return 1');"],
    ['code-from-text', 'src/runtime.ts', "export const a = (() => 0).constructor('return 1');"],
    ['code-from-text', 'dsl/a.ts', 'export const a = (bytes: Uint8Array) => WebAssembly.compile(bytes);'],
    ['code-from-text', 'src/agents/agents.ts', "export const a = globalThis['eval'];"],
  ])('refuses as %s: %s with %s', (arrow, path, text) => {
    expect(arrowsOf(path, text)).toEqual([arrow]);
  });

  test('says where, why, and what to do instead', () => {
    const [refusal] = judge(readSources({ 'src/turn/turn.ts': "\nimport { World } from '../world.ts';" }));
    expect(refusal?.text).toBe(
      [
        'capability-holds-the-world: src/turn/turn.ts:2 imports ../world.ts',
        '  why: a capability gives observations and can append nothing',
        '  instead: take the read-only Model as an argument and return observations; the runtime appends them',
      ].join('\n'),
    );
  });
});
