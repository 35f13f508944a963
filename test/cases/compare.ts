/**
 * What a program gave against what its source expects: rows as sets, sizes, memberships, or a refusal of the right kind.
 *
 * Reads  a neutral program and the outcome of playing it.
 * Gives  one sentence for every difference; none where all is as expected.
 * Never  lets a program pass that expects nothing.
 */
import type { IssueCode } from '../../src/index.ts';
import type { NeutralProgram, Refused, Row } from './neutral.ts';

/** The rows of a relation by its neutral name, or everything that was said against the program. */
export type Outcome = { readonly rows: RowsOf } | Refusal;
export type RowsOf = (relation: string) => readonly Row[];
export interface Refusal {
  readonly issues: readonly Said[];
  /** The name that a relation or a variable has with us; undefined where the program has none of that name. */
  readonly nameOf: (name: string) => string | undefined;
}
export interface Said {
  readonly code: string;
  readonly text: string;
  readonly trail: readonly string[];
}

/** Programs that our language means differently, by id, with the ruling that asks for it and what is expected instead. At most three. */
export const DEVIATIONS: Readonly<Record<string, { readonly ruling: string; readonly instead: Partial<NeutralProgram> }>> = {};

/** Which of our codes say what the neutral format calls by a kind; where a code says several things, the words that tell them apart. */
const KINDS: Readonly<Record<string, readonly (readonly [code: IssueCode, words?: RegExp])[]>> = {
  'arity-mismatch': [['load/column-unknown'], ['load/column-missing'], ['world/report-refused', /is missing$|has no column/]],
  'duplicate-relation': [['load/relation-twice']],
  'type-mismatch': [
    ['load/sort-clash'],
    ['load/constant-type'],
    ['load/comparison-type'],
    ['load/arithmetic-type'],
    ['load/call-type'],
    ['world/report-refused', / is no (string|number|safe integer)$/],
  ],
  'unknown-relation': [['load/relation-unknown'], ['world/report-refused', /: unknown relation /]],
  'unsafe-variable': [['load/variable-unbound']],
  unstratifiable: [['load/unstratified']],
  // A wildcard in a comparison is a variable that nothing binds; in a head it is a column that is not given.
  'wildcard-in-comparison': [['load/variable-unbound']],
  'wildcard-in-head': [['load/column-missing']],
};

export function differences(given: NeutralProgram, outcome: Outcome): readonly string[] {
  const program = { ...given, ...DEVIATIONS[given.id]?.instead };
  const { expected_error: refused } = program;
  if ('issues' in outcome) {
    if (refused !== undefined) return refusalDifferences(refused, outcome);
    return outcome.issues.map(({ text }) => `refused: ${text}`);
  }
  if (refused !== undefined) return [`loaded, though it is to be refused: ${refused.kind} of ${refused.subject ?? 'something'}`];
  if (program.expected_load === 'ok') return [];
  const checks = [
    ...rowDifferences(program, outcome.rows),
    ...memberDifferences(program, outcome.rows),
    ...listDifferences(program, outcome.rows),
  ];
  return expectsNothing(program) ? ['the program expects nothing, so nothing is shown'] : checks;
}

function expectsNothing(program: NeutralProgram): boolean {
  const { expected, expected_sizes, expected_membership, list_objects } = program;
  return [expected, expected_sizes, expected_membership, list_objects].every(
    (part) => part === undefined || Object.keys(part).length === 0,
  );
}

function refusalDifferences({ kind, subject }: Refused, { issues, nameOf }: Refusal): readonly string[] {
  const sayings = KINDS[kind];
  if (sayings === undefined) return [`no code of ours stands for the kind ${kind}`];
  // A subject that is neither a relation nor a variable of the program is a word of another tool's message.
  const names = subject === null ? [] : subject.split(',').flatMap((name) => nameOf(name) ?? []);
  const isOfKind = ({ code, text }: Said) => sayings.some(([known, words]) => known === code && words?.test(text) !== false);
  if (issues.some((issue) => isOfKind(issue) && isAbout(issue, names))) return [];
  const said = issues.map(({ text }) => text).join(' | ');
  return [`refused, but not for ${kind}${names.length === 0 ? '' : ` of ${names.join(', ')}`}: ${said === '' ? 'nothing was said' : said}`];
}

/** One name stands in the text. Of several, which are in cycles with one another, the printed cycle has no others. */
function isAbout({ text, trail }: Said, names: readonly string[]): boolean {
  if (names.length > 1) return trail.length > 0 && trail.every((relation) => names.some((name) => relation === `fact.${name}`));
  return names.every((name) => new RegExp(`\\b${name}\\b`).test(text));
}

function rowDifferences(program: NeutralProgram, rows: RowsOf): readonly string[] {
  const sets = Object.entries(program.expected ?? {}).flatMap(([relation, expected]) => {
    const [wanted, got] = [new Set(expected.map(key)), new Set(rows(relation).map(key))];
    return [
      ...some(
        `${relation} lacks`,
        [...wanted].filter((row) => !got.has(row)),
      ),
      ...some(
        `${relation} has besides`,
        [...got].filter((row) => !wanted.has(row)),
      ),
    ];
  });
  const sizes = Object.entries(program.expected_sizes ?? {}).flatMap(([relation, size]) => {
    const got = new Set(rows(relation).map(key)).size;
    return got === size ? [] : [`${relation} has ${got} rows instead of ${size}`];
  });
  return [...sets, ...sizes];
}

function memberDifferences(program: NeutralProgram, rows: RowsOf): readonly string[] {
  const memberships = program.expected_membership ?? [];
  const has = new Map(
    [...new Set(memberships.map(({ relation }) => relation))].map((relation) => [relation, new Set(rows(relation).map(key))]),
  );
  return memberships.flatMap(({ relation, row, expect }) => {
    const got = has.get(relation)?.has(key(row)) ?? false;
    return got === expect ? [] : [`${relation} ${expect ? 'lacks' : 'has besides'} ${key(row)}`];
  });
}

/** All objects of a type that a user has a relation to, and no others. */
function listDifferences(program: NeutralProgram, rows: RowsOf): readonly string[] {
  return (program.list_objects ?? []).flatMap(({ user, type, relation, expect }) => {
    const name = `has_${type}_${relation}`;
    const got = rows(name).flatMap(([who, object]) => (who === user && object !== undefined ? [String(object)] : []));
    const [wanted, listed] = [expect.toSorted().join(', '), [...new Set(got)].sort().join(', ')];
    return wanted === listed ? [] : [`${name} of ${user} lists ${listed || 'nothing'} instead of ${wanted || 'nothing'}`];
  });
}

function key(row: Row): string {
  return JSON.stringify(row);
}

function some(claim: string, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  return [`${claim} ${rows.slice(0, 3).join(' ')}${rows.length > 3 ? ` and ${rows.length - 3} more` : ''}`];
}
