/**
 * The command line: `countersign lint [--format stylish|json|sarif|github] [tsconfig]`.
 *
 * Gives  exit code 0 where nothing was found, 1 with findings, 2 where it could not run.
 * Never  ends with 0 where it could not look.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type * as Lint from '../../lint/lint.ts';

const USAGE = 'usage: countersign lint [--format stylish|json|sarif|github] [tsconfig.json]';

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
      options: { format: { type: 'string', default: 'stylish' }, help: { type: 'boolean', short: 'h', default: false } },
    });
    const [command, tsconfig = 'tsconfig.json', ...others] = positionals;
    if (values.help) return { out: USAGE, error: '', code: 0 };
    if (command !== 'lint' || others.length > 0) return failed(USAGE);
    return await lintCommand(resolve(folder, tsconfig), values.format, folder);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function lintCommand(path: string, format: string, folder: string): Promise<Ran> {
  const lint = await compiled();
  const known = lint.FORMATS.find((one: Lint.Format) => one === format);
  if (known === undefined) return failed(`there is no format ${format}; there are ${lint.FORMATS.join(', ')}`);
  const tsconfig = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? resolve(path, 'tsconfig.json') : path;
  if (statSync(tsconfig, { throwIfNoEntry: false }) === undefined) return failed(`there is no ${tsconfig}`);
  const { findings, files } = lint.lint({ tsconfig });
  if (files === 0) return failed(`${tsconfig} has no source files`);
  return { out: lint.formatted(findings, known, folder), error: '', code: findings.length === 0 ? 0 : 1 };
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
