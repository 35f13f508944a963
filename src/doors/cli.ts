/**
 * The command line: `countersign lint` and `countersign graph`.
 *
 * Gives  exit code 0 where nothing was found, 1 with findings, 2 where it could not run.
 * Never  ends with 0 where it could not look.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type * as Lint from '../../lint/lint.ts';

const USAGE = `usage: countersign lint [--format stylish|json|sarif|github] [tsconfig.json]
       countersign graph [--format mermaid|dot|json] [tsconfig.json]`;

/** Texts for the two outputs, and the exit code. */
export interface Ran {
  readonly out: string;
  readonly error: string;
  readonly code: 0 | 1 | 2;
}

export async function run(args: readonly string[], folder: string): Promise<Ran> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { format: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    });
    const [command, tsconfig = 'tsconfig.json', ...others] = positionals;
    if (values.help) return { out: USAGE, error: '', code: 0 };
    if ((command !== 'lint' && command !== 'graph') || others.length > 0) return failed(USAGE);
    return await readCommand(command, resolve(folder, tsconfig), values.format, folder);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The first format of a command is what it prints where none is asked for. */
async function readCommand(command: 'lint' | 'graph', path: string, asked: string | undefined, folder: string): Promise<Ran> {
  const lint = await compiled();
  const formats: readonly string[] = command === 'lint' ? lint.FORMATS : lint.GRAPH_FORMATS;
  const { [0]: usual = '' } = formats;
  const format = asked ?? usual;
  if (!formats.includes(format)) return failed(`there is no format ${format}; there are ${formats.join(', ')}`);
  const tsconfig = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? resolve(path, 'tsconfig.json') : path;
  if (statSync(tsconfig, { throwIfNoEntry: false }) === undefined) return failed(`there is no ${tsconfig}`);
  const { findings, files, graphs } = lint.lint({ tsconfig });
  if (files === 0) return failed(`${tsconfig} has no source files`);
  if (command === 'graph') {
    if (graphs.length === 0) return failed(`${tsconfig} has no program that can be read`);
    return { out: lint.drawn(graphs, format as Lint.GraphFormat), error: '', code: 0 };
  }
  return { out: lint.formatted(findings, format as Lint.Format, folder), error: '', code: findings.length === 0 ? 0 : 1 };
}

/** The compiler is a package of its own: whoever only runs programs does not install it. */
async function compiled(): Promise<typeof Lint> {
  try {
    return await import('../../lint/lint.ts');
  } catch (cause) {
    throw new Error('the lint needs the package ts-morph: npm install --save-dev ts-morph', { cause });
  }
}

function failed(error: string): Ran {
  return { out: '', error: `countersign: ${error}`, code: 2 };
}
