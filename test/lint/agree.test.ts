/** Types, loader and lint: what one refuses for the law, the others refuse. On programs that are drawn, printed as source and built. */
import { expect, test } from 'vitest';
import { namespaceOf } from '../../dsl/law.ts';
import { check } from '../../src/load/load.ts';
import { typeErrors, lintApart } from './project.ts';
import { ONTOLOGY_SOURCE, randomProgram } from './random-sources.ts';

const programs = Number(process.env['COUNTERSIGN_RUNS'] ?? 400);
const seed = Number(process.env['COUNTERSIGN_SEED'] ?? Date.now() % 2 ** 31);

/** A small generator, so that a failure can be had again. */
function drawing(from: number): (bound: number) => number {
  let state = from >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** What is refused because of what is read, and not for another reason. */
const OF_THE_LAW: ReadonlySet<string> = new Set(['load/cut-bypassed', 'load/grade-exceeded', 'load/reader-refused']);

test('A10 A12 three gates agree on programs that are drawn', () => {
  const below = drawing(seed);
  const drawn = Array.from({ length: programs }, () => randomProgram(below));
  const files = Object.fromEntries(drawn.map(({ source }, i) => [`p${i}.ts`, source]));
  const all = { 'small.ts': ONTOLOGY_SOURCE, ...files };
  const found = lintApart(all, ['small.ts']);
  const errors = typeErrors(all);
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const disagreements: string[] = [];
  for (const [i, { source, value, reads }] of drawn.entries()) {
    const loader = [...new Set(check(value).issues.map(({ code }) => code))].sort();
    const lint = [...new Set(found[`p${i}.ts`]?.filter(({ severity }) => severity === 'error').map(({ code }) => code))].sort();
    const types = (errors[`p${i}.ts`] ?? []).length > 0;
    const isRefused = loader.some((code) => OF_THE_LAW.has(code));
    count(isRefused ? 'refused' : loader.length > 0 ? 'refused for another reason' : 'admitted');
    if (isRefused) for (const route of new Set(reads.flatMap((read) => [read.replace(/^\S+ /, ''), namespaceOf(read) ?? '']))) count(route);
    const isSame =
      JSON.stringify(lint) === JSON.stringify(loader) && (types === loader.length > 0 || loader.some((code) => MAY_DIFFER.has(code)));
    if (!isSame)
      disagreements.push(
        `types ${types}, loader ${loader.join(' ')}, lint ${lint.join(' ')}:\n${source}\n${(errors[`p${i}.ts`] ?? []).join('\n')}`,
      );
  }
  console.log(
    `three gates, seed ${seed}: ${[...counts]
      .sort()
      .map(([what, times]) => `${what} ${times}`)
      .join(', ')}`,
  );
  expect(disagreements.slice(0, 3).join('\n\n')).toBe('');
  expect(counts.get('refused')).toBeGreaterThan(programs * 0.3);
  // Every route is tried often enough, also in the fewest programs that a run takes.
  expect(ROUTES.filter((route) => (counts.get(route) ?? 0) < Math.min(20, programs / 20))).toEqual([]);
  expect(counts.get('admitted')).toBeGreaterThan(programs * 0.05);
}, 240_000);

/** Ways to read, and what is read, of programs that are refused. */
const ROUTES = [
  ...['atom', 'under not', 'by a count', 'by the least', 'in an or', 'in an and'],
  ...['candidate', 'candidateView', 'proposal', 'proposalView', 'decision.rejected', 'decision.held', 'queryresult'],
];

/** What only the whole program shows, as that a decision reads a held row through a view. */
const MAY_DIFFER: ReadonlySet<string> = new Set(['load/unstratified', 'load/self-withdrawing', 'load/reader-refused']);
