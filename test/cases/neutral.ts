/**
 * The neutral format: Datalog programs with expected rows, as public test suites give them, and the files that hold them.
 *
 * Reads  JSON files of one program or a list of programs; `COUNTERSIGN_CASES` names the folder of the given ones.
 * Gives  typed programs in which an integer constant and a float constant stay two things (`1` and `1.0`).
 * Never  judges a program: what is wrong in it must be found by the loader or by the ledger's door, not by the reader.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Type = 'string' | 'int' | 'float';
export interface Float {
  readonly float: number;
}
export type Term =
  | { readonly const: string | number | Float }
  | { readonly var: string }
  | { readonly wild: true }
  | { readonly op: string; readonly args: readonly Term[] }
  | { readonly fn: string; readonly args: readonly Term[] };
export interface Atom {
  readonly rel: string;
  readonly args: readonly Term[];
}
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export interface Aggregate {
  readonly fn: 'count' | 'sum' | 'min' | 'max' | 'mean';
  readonly target: Term | null;
  readonly body: readonly Literal[];
  readonly result: Term;
}
export type Literal =
  | { readonly atom: Atom; readonly neg?: boolean }
  | { readonly cmp: Comparison; readonly l: Term; readonly r: Term }
  | { readonly test: { readonly fn: string; readonly args: readonly Term[] }; readonly neg?: boolean }
  | { readonly agg: Aggregate };
export interface Rule {
  readonly head: Atom;
  readonly body: readonly Literal[];
}
export interface Relation {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: Type }[];
}
export type Row = readonly (string | number)[];
export interface Refused {
  readonly kind: string;
  readonly subject: string | null;
}
export interface NeutralProgram {
  readonly id: string;
  readonly relations: readonly Relation[];
  readonly facts: Readonly<Record<string, readonly Row[]>>;
  readonly rules: readonly Rule[];
  readonly expected?: Readonly<Record<string, readonly Row[]>>;
  readonly expected_sizes?: Readonly<Record<string, number>>;
  readonly expected_membership?: readonly { readonly relation: string; readonly row: Row; readonly expect: boolean }[];
  readonly list_objects?: readonly {
    readonly user: string;
    readonly type: string;
    readonly relation: string;
    readonly expect: readonly string[];
  }[];
  readonly expected_error?: Refused;
  readonly expected_load?: string;
  readonly note?: string;
  /** Of our own: the rows of the requirements that it shows. */
  readonly shows?: readonly string[];
}

/** The default stands here and nowhere else. */
const root = fileURLToPath(new URL('../..', import.meta.url));
export const folder = process.env['COUNTERSIGN_CASES'] ?? join(root, '../shared/cases');

/** The given files, whether or not they are present. */
export const given = [
  'datalog/programs.json',
  'datalog/errors.json',
  'datalog/must_load.json',
  'authz/openfga.json',
  'authz/openfga_cyclic_negation.json',
].map((path) => join(folder, path));

/** The project's own programs, in the same format. */
export const own = fileURLToPath(new URL('own', import.meta.url));

/** Every JSON file that a path stands for: itself, or those of a folder and the folders in it. */
export function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => (name.endsWith('.json') || statSync(join(path, name)).isDirectory() ? filesOf(join(path, name)) : []));
}

/** The programs of one file; none where the file holds something else. */
export function programsOf(file: string): readonly NeutralProgram[] {
  const content: unknown = JSON.parse(withFloatsMarked(readFileSync(file, 'utf8')), unmarkRows);
  return (Array.isArray(content) ? content : [content]).filter(isProgram).map(withRefusal);
}

/** A number with a fraction in JSON text, or a string, which may hold one and is stepped over. */
const FRACTION = /"(?:[^"\\]|\\.)*"|-?\d+\.\d+(?:[eE][-+]?\d+)?/g;

function withFloatsMarked(text: string): string {
  return text.replace(FRACTION, (token) => (token.startsWith('"') ? token : `{"float":${token}}`));
}

/** In rows the column says what a number is, so only constants of rules keep the mark; `-0.0` is 0. */
function unmarkRows(key: string, value: unknown): unknown {
  return key !== 'const' && isFloat(value) ? value.float + 0 : value;
}

export function isFloat(value: unknown): value is Float {
  return typeof value === 'object' && value !== null && 'float' in value;
}

function isProgram(content: unknown): content is NeutralProgram {
  return typeof content === 'object' && content !== null && ['id', 'relations', 'facts', 'rules'].every((key) => key in content);
}

/** Two given programs say in a note what the others say in `expected_error`. */
function withRefusal(program: NeutralProgram): NeutralProgram {
  return program.note?.includes('must refuse') === true
    ? { ...program, expected_error: { kind: 'unstratifiable', subject: null } }
    : program;
}
