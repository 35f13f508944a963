/**
 * Runs every bench and prints one table.
 *
 * Reads  names of benches as arguments; all of them without any.
 * Gives  a line for each figure, with its ratio and what that should be near.
 * Never  fails for a slow machine: only a reader says that a ratio is wrong.
 */
import { availableParallelism } from 'node:os';
import { aggregates } from './aggregates.ts';
import { deciding } from './deciding.ts';
import { differences } from './differences.ts';
import { graphs } from './graphs.ts';
import { history } from './history.ts';
import { loading } from './loading.ts';
import { collect, SEED, type Line } from './measure.ts';
import { memory } from './memory.ts';
import { proofs, proofs10m } from './proofs.ts';

const BENCHES: Readonly<Record<string, () => Promise<Line[]>>> = {
  deciding,
  history,
  graphs,
  aggregates,
  loading,
  memory,
  differences,
  proofs,
};
/** Those that only run when they are asked for. */
const LARGE: typeof BENCHES = { 'proofs-10m': proofs10m };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => BENCHES[name] === undefined && LARGE[name] === undefined);
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; there are ${Object.keys({ ...BENCHES, ...LARGE }).join(', ')}`);
  process.exit(1);
}

console.log(`node ${process.version}, ${availableParallelism()} cores, seed ${SEED}\n`);
const lines: Line[] = [];
for (const [name, bench] of Object.entries({ ...BENCHES, ...LARGE })) {
  if (asked.length > 0 ? !asked.includes(name) : LARGE[name] !== undefined) continue;
  collect();
  const start = performance.now();
  lines.push(...(await bench()));
  console.error(`${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}
print(lines);

function print(all: readonly Line[]): void {
  const table = [
    ['name', 'size', 'value', 'ratio', 'near'],
    ...all.map(({ name, size, value, ratio, near }) => [name, size, value, ratio === undefined ? '' : digits(ratio), near]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const text = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = table.map(text);
  console.log([head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n'));
}

/** Two digits that count. */
function digits(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio >= 1 ? ratio.toFixed(2) : String(Number(ratio.toPrecision(2)));
}
