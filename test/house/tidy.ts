/**
 * What makes a file tidy: a header that says what it is and what it never does, lines and files of readable length, nothing left over.
 *
 * Gives  one sentence per fault, with the line where there is one.
 * Never  judges what a file does; that is for its own tests.
 */

/** Files that are longer than FILE_LINES_MAX, each with the reason why it is one file. */
export const LONG_FILES: Readonly<Record<string, string>> = {};
/** The one place that may name the folder where external cases lie, as the default of an environment variable. */
const CASES_DEFAULT = /COUNTERSIGN_(CASES|BENCH)\b/;

const LINE_CHARACTERS_MAX = 160;
const FILE_LINES_MAX = 400;
const HEADER = /^(?:#!.*\n)?\/\*\*\n((?: \*.*\n)*?) \*\/\n/;
const LEFT_OVER = /\b(TODO|FIXME|XXX)\b/;
const MACHINE_PATH = /(^|[\s"'`(=])\/(work|home|root|Users)\//;
const SHARED = '../shared';

/** The faults of a source file of the library: its header first, then what holds for every file. */
export function faultsOfSource(path: string, text: string): readonly string[] {
  return [...faultsOfHeader(text), ...faultsOfLength(path, text), ...faultsOfText(text)];
}

function faultsOfHeader(text: string): readonly string[] {
  const header = HEADER.exec(text)?.[1];
  if (header === undefined) return ['opens with no header; say in a /** comment */ what the file is, then `Never` and what it never does'];

  const lines = header.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  const faults = [];
  const paragraph = lines.slice(0, lines.indexOf('')).join(' ');
  if (!/^[A-Z`].{10,}?[.:]/.test(paragraph)) faults.push('has a header that opens with no sentence; say first what the file is');
  if (!lines.some((line) => /^Never\s+\S+/.test(line))) faults.push('has a header without a `Never` line; say what the file never does');
  return faults;
}

function faultsOfLength(path: string, text: string): readonly string[] {
  const lines = text.split('\n');
  const faults = [];
  if (lines.length - 1 > FILE_LINES_MAX && LONG_FILES[path] === undefined) {
    faults.push(
      `has ${lines.length - 1} lines of at most ${FILE_LINES_MAX}; it is probably two files, or name it in LONG_FILES with a reason`,
    );
  }
  lines.forEach((line, index) => {
    if (line.length > LINE_CHARACTERS_MAX)
      faults.push(`line ${index + 1} is ${line.length} characters long of at most ${LINE_CHARACTERS_MAX}`);
  });
  return faults;
}

/** What no file of the project may hold, whatever its kind. */
export function faultsOfText(text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const faults = [];
    const at = `line ${index + 1}`;
    if (LEFT_OVER.test(line)) faults.push(`${at} leaves work behind: do it, or write down why it is not needed`);
    if (MACHINE_PATH.test(line)) faults.push(`${at} holds a path of one machine; derive it from import.meta.url`);
    if (line.includes(SHARED) && !CASES_DEFAULT.test(line)) faults.push(`${at} reads a folder outside the checkout`);
    if (/eslint-disable(?!.*\s--\s+\S.{9,})/.test(line)) faults.push(`${at} switches a lint rule off with no reason after \`--\``);
    if (/eslint-disable\s*(\*\/|--|$)/.test(line)) faults.push(`${at} switches every lint rule off; name the one`);
    return faults;
  });
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean; readonly resolved?: string }>>;
}

/** Ranges that users must be able to share with their own copy; everything else is exact. */
const SHARED_RANGES: readonly string[] = ['zod'];

export function faultsOfManifest({ dependencies = {}, devDependencies = {} }: Manifest): readonly string[] {
  return Object.entries({ ...devDependencies, ...dependencies })
    .filter(([name, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !SHARED_RANGES.includes(name))
    .map(([name, version]) => `${name} is ${version}; pin one exact version`);
}

export function faultsOfLock({ packages }: Lock): readonly string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const faults = [];
    if (entry.hasInstallScript && !entry.dev) faults.push(`${path} runs an install script on the machines of our users`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith('https://registry.npmjs.org/')) {
      faults.push(`${path} is locked to the address ${entry.resolved}`);
    }
    return faults;
  });
}
