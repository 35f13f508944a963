/**
 * Runs an installed development tool by its name, and says whether it was content.
 *
 * Never  installs anything: a tool that is not in node_modules counts as one that failed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function runTool(name: string, args: readonly string[], output: 'inherit' | 'ignore' = 'inherit'): boolean {
  // On Windows the file in .bin is a command script, which only a shell runs.
  const isWindows = process.platform === 'win32';
  const result = spawnSync(join(ROOT, 'node_modules', '.bin', name), args, { cwd: ROOT, stdio: output, shell: isWindows });
  if (result.error !== undefined) console.error(`${name} did not run: ${result.error.message}`);
  return result.status === 0;
}
