/**
 * Runs a compiler on source text, and reads back what it says.
 *
 * Reads  files by name, with which of the three compilers to check them.
 * Gives  diagnostics by file and line, and how many instantiations the check took.
 * Never  uses a compiler's API: the native one has none, and one way for all three compares like with like.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Compiler = 'typescript' | 'ts59' | 'ts7';
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}
export interface Compiled {
  readonly diagnostics: readonly Diagnostic[];
  readonly instantiations: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `name` tells apart folders of tests that run at once. In the sources `@types-suite/` stands for the folder of this file. */
export async function compile(compiler: Compiler, name: string, sources: Readonly<Record<string, string>>): Promise<Compiled> {
  const folder = `${ROOT}node_modules/.cache/countersign/types-${process.pid}-${name}`;
  mkdirSync(folder, { recursive: true });
  try {
    for (const [file, source] of Object.entries(sources)) writeFileSync(`${folder}/${file}`, withPaths(source, folder));
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(configuration(folder, Object.keys(sources))));
    const args = ['-p', folder, '--pretty', 'false', '--extendedDiagnostics', ...(compiler === 'ts7' ? ['--singleThreaded'] : [])];
    return read(await output(`${ROOT}node_modules/${compiler}/bin/tsc`, args));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withPaths(source: string, folder: string): string {
  return source.replaceAll("'@types-suite/", `'${relative(folder, `${ROOT}test/types`)}/`);
}

function configuration(folder: string, files: readonly string[]): object {
  const compilerOptions = { types: [], typeRoots: [`${ROOT}node_modules/@types`] };
  return { extends: `${relative(folder, ROOT)}/tsconfig.json`, files, include: [], compilerOptions };
}

/** A compiler that finds something wrong exits with 1 or 2, and says so on its output. */
function output(script: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: ROOT, maxBuffer: 1 << 26 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

function read(text: string): Compiled {
  const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN);
  // A message goes on over indented lines.
  const diagnostics = text.split(/\n(?=\S)/).flatMap((block) => {
    const [, file = '', line = '', message = ''] = /^(.*)\((\d+),\d+\): error TS\d+: ([^]*)$/.exec(block) ?? [];
    return file === '' ? [] : [{ file: file.slice(file.lastIndexOf('/') + 1), line: Number(line), message }];
  });
  return { diagnostics, instantiations };
}
