/**
 * The house: which folder stands on which floor, and what it may import.
 *
 * Reads  findings of source.ts.
 * Gives  one refusal per arrow that the table does not have, each with its reason and what to do instead.
 * Never  lets a folder in that the table does not name: a new place is a decision, made here.
 */
import { posix } from 'node:path';
import type { Power, Source } from './source.ts';

interface Place {
  readonly floor: number;
  /** The start of the paths of its files; the longest one that fits decides. */
  readonly at: string;
  /** The one file that other places may import; a place without a door is open, or is a single file. */
  readonly door?: string;
  readonly mayImport: readonly string[];
  readonly packages?: readonly string[];
}

const BELOW_THE_LOOP = ['dsl', 'load', 'ledger', 'engine', 'relay', 'turn', 'reads', 'effects', 'world'];

export const HOUSE = {
  dsl: { floor: 1, at: 'dsl/', mayImport: [], packages: ['zod', 'type-fest', '@noble/hashes'] },
  // A column's range is a zod schema, so the loader reads schemas, and writes the few that it generates.
  load: { floor: 2, at: 'src/load/', door: 'src/load/load.ts', mayImport: ['dsl'], packages: ['zod'] },
  ledger: { floor: 2, at: 'src/ledger/', door: 'src/ledger/ledger.ts', mayImport: ['dsl'] },
  engine: { floor: 3, at: 'src/engine/', door: 'src/engine/engine.ts', mayImport: ['dsl', 'load'] },
  lint: { floor: 3, at: 'lint/', door: 'lint/lint.ts', mayImport: ['dsl', 'load'], packages: ['ts-morph', 'zod'] },
  relay: { floor: 4, at: 'src/relay/', door: 'src/relay/relay.ts', mayImport: ['dsl', 'engine'] },
  turn: { floor: 4, at: 'src/turn/', door: 'src/turn/turn.ts', mayImport: ['dsl', 'engine'] },
  reads: { floor: 4, at: 'src/reads/', door: 'src/reads/reads.ts', mayImport: ['dsl', 'engine', 'load'] },
  effects: { floor: 4, at: 'src/effects/', door: 'src/effects/effects.ts', mayImport: ['dsl', 'engine'] },
  world: { floor: 4, at: 'src/world', mayImport: ['dsl', 'load', 'ledger', 'engine'] },
  runtime: { floor: 5, at: 'src/runtime.ts', mayImport: BELOW_THE_LOOP },
  replay: { floor: 5, at: 'src/replay.ts', mayImport: ['dsl', 'world'] },
  agents: { floor: 6, at: 'src/agents/', door: 'src/agents/agents.ts', mayImport: ['dsl', 'relay', 'runtime'] },
  testing: {
    floor: 7,
    at: 'src/testing/',
    door: 'src/testing/testing.ts',
    mayImport: ['dsl', 'engine', 'world', 'runtime', 'replay'],
  },
  // A face of its own, so that a scenario needs no fast-check; it is made of the same parts.
  'random tests': {
    floor: 7,
    at: 'src/testing/fast-check',
    door: 'src/testing/fast-check.ts',
    mayImport: ['dsl', 'world', 'testing'],
    packages: ['fast-check', 'zod'],
  },
  doors: { floor: 7, at: 'src/doors/', mayImport: ['dsl', 'runtime', 'replay', 'agents'] },
  cli: { floor: 7, at: 'src/doors/cli', mayImport: ['dsl', 'runtime', 'replay', 'agents', 'lint', 'testing', 'doors'] },
  face: { floor: 8, at: 'src/index.ts', mayImport: [...BELOW_THE_LOOP, 'runtime', 'replay', 'agents'], packages: ['zod'] },
  examples: { floor: 9, at: 'examples/', mayImport: ['face', 'testing', 'random tests'], packages: ['zod'] },
} as const satisfies Record<string, Place>;

type Name = keyof typeof HOUSE;
// The compiler widens the keys of entries to strings; HOUSE is a constant, so they are its names.
const PLACES = Object.entries(HOUSE) as [Name, Place][];

/** Rooms that one other place may enter beside the door. */
const SHARED_ROOMS: Readonly<Record<string, readonly Name[]>> = {
  'src/load/cut.ts': ['lint'],
  'src/testing/parts.ts': ['random tests'],
  'src/testing/arguments.ts': ['random tests'],
};
/** Adapters live beside their port, and are the only files below the loop that may touch a platform. */
const ADAPTERS = /^src\/(ledger\/(sqlite|postgres)|relay\/ai-sdk|effects\/(dbos|mcp-client|webhook))\.ts$/;
const FACES: readonly string[] = ['src/index.ts'];
const LOOP_FLOOR = 5;

/** Each forbidden arrow by name: why it is forbidden, and what to do instead. */
const ARROWS = {
  homeless: ['every file stands on a floor', 'move it into a folder of HOUSE, or add the folder there with a reason'],
  'capability-holds-the-world': [
    'a capability gives observations and can append nothing',
    'take the read-only Model as an argument and return observations; the runtime appends them',
  ],
  'engine-touches-the-record': [
    'evaluation is pure: a Plan and atoms give a Model',
    'let world read the rows and hand them over as a delta',
  ],
  'replay-runs-live': ['no model and no effect can run during a replay', 'fold the record through world'],
  'compiler-in-the-runtime': ['lint carries a whole compiler', 'share the rule through dsl, or the cut through load/cut.ts'],
  'example-behind-the-face': ['an example shows what a user can write', 'import from src/index.ts, or publish what it needs there'],
  uphill: ['imports run downhill only', 'move what is shared to the lower floor, or take it as an argument'],
  sibling: ['siblings on a floor never import each other; they meet in rows', 'exchange observations, or move the shared shape to dsl'],
  unlisted: ["the table of the house does not have this arrow; it keeps each floor's reach small", 'import what the floors between give'],
  'behind-the-door': ['a folder has one door, and the rooms behind it are free to change', "import the folder's door"],
  barrel: ['an index stands only at a published face', 'import the file that owns the name'],
  blind: ['an import whose module is an expression cannot be checked', 'name the module by a literal, or take the value as an argument'],
  extension: ['imports name the file that exists', 'end a relative import in .ts'],
  package: ['each floor names the packages that it carries', 'take the driver by structure, or list the package in HOUSE with a reason'],
  platform: ['below floor 5 only adapters touch node', 'take it as an argument, or write an adapter beside its port'],
  clock: ['below floor 5 there is no clock and no timer', 'take the time as an argument'],
  chance: ['below floor 5 there is no randomness', 'take ids and seeds as arguments'],
  network: ['below floor 5 there is no network', 'take the call as an argument, or write an adapter beside its port'],
  environment: ['below floor 5 there is no environment', 'take the value as an argument'],
  'code-from-text': ['the core runs on edge runtimes that refuse code made at run time', 'interpret data instead'],
} as const satisfies Record<string, readonly [why: string, instead: string]>;

const NAMED: readonly (readonly [keyof typeof ARROWS, from: readonly Name[], to: readonly Name[]])[] = [
  ['capability-holds-the-world', ['relay', 'turn', 'reads', 'effects'], ['world', 'ledger']],
  ['engine-touches-the-record', ['engine'], ['ledger', 'world']],
  ['replay-runs-live', ['replay'], ['relay', 'turn', 'reads', 'effects', 'runtime', 'agents']],
  [
    'compiler-in-the-runtime',
    ['load', 'ledger', 'engine', 'relay', 'turn', 'reads', 'effects', 'world', 'runtime', 'replay', 'agents', 'face'],
    ['lint'],
  ],
  ['example-behind-the-face', ['examples'], PLACES.map(([name]) => name)],
];

export interface Refusal {
  readonly arrow: keyof typeof ARROWS;
  readonly text: string;
}

export function judge(sources: readonly Source[]): readonly Refusal[] {
  return sources.flatMap((source) => [...judgePlace(source), ...judgeImports(source), ...judgePowers(source)]);
}

function judgePlace({ path, isOnlyReexports }: Source): readonly Refusal[] {
  if (placeOf(path) === undefined) return [refusal('homeless', path, 1, 'stands in no place of the house')];
  if (FACES.includes(path)) return [];
  const isDoor = PLACES.some(([, place]) => place.door === path);
  if (posix.basename(path) === 'index.ts' || (isOnlyReexports && !isDoor)) return [refusal('barrel', path, 1, 'only passes names on')];
  return [];
}

function judgeImports(source: Source): readonly Refusal[] {
  const from = placeOf(source.path);
  if (from === undefined) return [];
  return source.imports.flatMap(({ specifier, line }) => {
    if (specifier === undefined) return [refusal('blind', source.path, line, 'imports a module named by an expression')];
    const arrow = /^\.{1,2}\//.test(specifier) ? judgeFile(from, source.path, specifier) : judgePackage(from, source.path, specifier);
    return arrow === undefined ? [] : [refusal(arrow, source.path, line, `imports ${specifier}`)];
  });
}

function judgeFile(from: Name, path: string, specifier: string): Refusal['arrow'] | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  const to = placeOf(target);
  if (!target.endsWith('.ts')) return 'extension';
  if (to === undefined) return 'homeless';
  if (to === from) return undefined;
  // `includes` of a literal tuple takes only its own members, and `to` is any name.
  if (!(HOUSE[from].mayImport as readonly string[]).includes(to)) return nameOf(from, to);

  const { door }: Place = HOUSE[to];
  const mayEnter = door === undefined || target === door || from === 'face' || SHARED_ROOMS[target]?.includes(from);
  return mayEnter ? undefined : 'behind-the-door';
}

function judgePackage(from: Name, path: string, specifier: string): Refusal['arrow'] | undefined {
  const { floor, packages = [] }: Place = HOUSE[from];
  if (specifier.startsWith('node:')) return floor < LOOP_FLOOR && !ADAPTERS.test(path) ? 'platform' : undefined;
  return packages.some((name) => specifier === name || specifier.startsWith(`${name}/`)) ? undefined : 'package';
}

function judgePowers(source: Source): readonly Refusal[] {
  const from = placeOf(source.path);
  if (from === undefined) return [];
  return source.powers
    .filter(({ power }) => power === 'code-from-text' || (HOUSE[from].floor < LOOP_FLOOR && !mayHave(source.path, power)))
    .map(({ power, name, line }) => refusal(power, source.path, line, `uses ${name}`));
}

/** An adapter speaks to the outside; the time, ids and seeds still come to it as arguments. */
function mayHave(path: string, power: Power): boolean {
  return power === 'network' && ADAPTERS.test(path);
}

function nameOf(from: Name, to: Name): Refusal['arrow'] {
  const named = NAMED.find(([, froms, tos]) => froms.includes(from) && tos.includes(to));
  if (named !== undefined) return named[0];
  if (HOUSE[to].floor > HOUSE[from].floor) return 'uphill';
  return HOUSE[to].floor === HOUSE[from].floor ? 'sibling' : 'unlisted';
}

function placeOf(path: string): Name | undefined {
  return PLACES.filter(([, place]) => path.startsWith(place.at)).sort(([, a], [, b]) => b.at.length - a.at.length)[0]?.[0];
}

function refusal(arrow: Refusal['arrow'], path: string, line: number, what: string): Refusal {
  const [why, instead] = ARROWS[arrow];
  return { arrow, text: `${arrow}: ${path}:${line} ${what}\n  why: ${why}\n  instead: ${instead}` };
}
