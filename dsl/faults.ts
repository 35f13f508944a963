/**
 * What an ontology's declaration gets wrong: names, reserved columns, column types, names declared twice.
 *
 * Reads  a declaration as `declare.ts` read it.
 * Gives  every fault, in the order of the declaration, each once.
 * Never  throws: the loader tells them with the rest of the program's issues.
 */
import type { Declared, DeclaredShape } from './declare.ts';
import { ACTION_PARTS, KINDS, QUERY_PARTS, VIEWS } from './declare.ts';
import type { DeclarationIssue } from './ir.ts';
import type { IssueCode } from './issue.ts';
import { JUDGED_COLUMNS, NAME, RESERVED_NAMES, STAMPED_COLUMNS } from './law.ts';
import { didYouMean } from './name.ts';
import { stampsOf } from './stamp.ts';
import type { Shape } from './term.ts';
import { sortName, sortOf } from './value.ts';

type Tell = (code: IssueCode, what: string) => void;

export function faultsOf(declared: Declared): readonly DeclarationIssue[] {
  const faults = new Map<string, DeclarationIssue>();
  const tell: Tell = (code, what) => faults.set(`${code} ${what}`, Object.freeze({ code, what }));
  for (const what of declared.misplaced) tell('dsl/argument-type', what);
  for (const kind of declared.unknown) tell('dsl/kind-unknown', `${kind} is no kind of declaration${didYouMean(kind, KINDS)}`);
  checkScope(tell, declared);
  checkObservations(tell, declared);
  checkJudged(tell, declared);
  for (const kind of VIEWS) for (const [name, { columns }] of declared[kind]) checkView(tell, declared, `${kind}.${name}`, columns);
  checkKinds(tell, declared);
  return Object.freeze([...faults.values()]);
}

/** A batch is of one session and one actor, both strings. */
function checkScope(tell: Tell, { scope }: Declared): void {
  for (const stamp of ['session', 'actor'] as const) {
    if (sortOf(scope[stamp])?.base !== 'string') tell('dsl/column-type', `scope.${stamp} is no string or brand of one`);
  }
}

function checkObservations(tell: Tell, declared: Declared): void {
  for (const [name, { columns, key }] of declared.observation) {
    const place = `observation.${name}`;
    checkName(tell, place, name);
    if (key !== undefined) checkKey(tell, declared, place, key);
    checkColumns(tell, place, columns, STAMPED_COLUMNS);
    checkApart(tell, place, ['key', key], ['columns', columns]);
  }
}

/** A key may hold the scope's own columns: there the stamp is the key. */
function checkKey(tell: Tell, declared: Declared, place: string, key: Shape): void {
  checkColumns(
    tell,
    place,
    key,
    STAMPED_COLUMNS.filter((column) => column !== 'session' && column !== 'actor'),
  );
  checkStampSorts(tell, declared, place, key);
}

function checkJudged(tell: Tell, declared: Declared): void {
  for (const kind of ['candidate', 'proposal'] as const) {
    for (const [name, shape] of declared[kind]) checkJudgedShape(tell, `${kind}.${name}`, name, shape);
  }
  for (const [name, action] of declared.action) {
    const place = `action.${name}`;
    checkJudgedShape(tell, place, name, { columns: action.in, records: action.records });
    for (const shape of [action.receipt, action.evidence ?? {}]) checkColumns(tell, place, shape, JUDGED);
    checkApart(tell, place, ['in', action.in], ['receipt', action.receipt]);
    for (const column of action.identity ?? []) {
      if (!Object.hasOwn(action.in, column))
        tell('dsl/identity-unknown', `${place}: the identity ${column} is no column of in${didYouMean(column, Object.keys(action.in))}`);
    }
    for (const part of action.unknown)
      tell('dsl/kind-unknown', `${place}: ${part} is no part of an action${didYouMean(part, ACTION_PARTS)}`);
  }
  for (const [name, query] of declared.query) {
    const place = `query.${name}`;
    checkJudgedShape(tell, place, name, { columns: query.in, records: {} });
    checkColumns(tell, place, query.out, JUDGED);
    checkApart(tell, place, ['in', query.in], ['out', query.out]);
    for (const part of query.unknown) tell('dsl/kind-unknown', `${place}: ${part} is no part of a query${didYouMean(part, QUERY_PARTS)}`);
  }
}
const JUDGED: readonly string[] = [...STAMPED_COLUMNS, ...JUDGED_COLUMNS];

function checkJudgedShape(tell: Tell, place: string, name: string, { columns, key, records }: DeclaredShape): void {
  checkName(tell, place, name);
  if (key !== undefined) tell('dsl/kind-unknown', `${place} is keyed: only observations have a key`);
  if ((RESERVED_NAMES as readonly string[]).includes(name)) tell('dsl/name-reserved', `${place}: ${name} is a generated name`);
  checkColumns(tell, place, columns, JUDGED);
  checkColumns(tell, place, records, JUDGED);
  checkApart(tell, place, ['columns', columns], ['records', records]);
}

/** Facts and views have no stamps; they may declare columns of those names, of the stamps' own sorts. */
function checkView(tell: Tell, declared: Declared, place: string, columns: Shape): void {
  checkName(tell, place, place.slice(place.indexOf('.') + 1));
  checkColumns(tell, place, columns, []);
  checkStampSorts(tell, declared, place, columns);
}

function checkStampSorts(tell: Tell, declared: Declared, place: string, columns: Shape): void {
  for (const [column, stamp] of Object.entries(stampsOf(declared.scope))) {
    if (!Object.hasOwn(columns, column)) continue;
    const [given, wanted] = [sortOf(columns[column]), sortOf(stamp)];
    if (given === undefined || wanted === undefined || sortName(given) === sortName(wanted)) continue;
    tell('dsl/scope-mismatch', `${place}.${column} is ${sortName(given)}, and the stamp ${column} is ${sortName(wanted)}`);
  }
}

function checkName(tell: Tell, place: string, name: string): void {
  if (!NAME.test(name)) tell('dsl/name-malformed', `${place}: ${JSON.stringify(name)} is no name`);
}

function checkColumns(tell: Tell, place: string, columns: Shape, reserved: readonly string[]): void {
  for (const [column, schema] of Object.entries(columns)) {
    if (!NAME.test(column)) tell('dsl/name-malformed', `${place}: the column ${JSON.stringify(column)} is no name`);
    if (reserved.includes(column)) tell('dsl/column-reserved', `${place}.${column}: ${column} is ${ownerOf(column)}`);
    if (sortOf(schema) === undefined) tell('dsl/column-type', `${place}.${column} is no string, boolean, enum, integer or number`);
  }
}

function ownerOf(column: string): string {
  const isStamped = (STAMPED_COLUMNS as readonly string[]).includes(column);
  return isStamped ? 'stamped by the runtime on every row' : 'generated on decisions, confirmations and results';
}

/** Two parts that become columns of one relation have no column in common. */
function checkApart(
  tell: Tell,
  place: string,
  [left, one]: readonly [string, Shape | undefined],
  [right, other]: readonly [string, Shape],
): void {
  for (const column of Object.keys(one ?? {})) {
    if (Object.hasOwn(other, column)) tell('dsl/column-twice', `${place}.${column} stands in ${left} and in ${right}`);
  }
}

function checkKinds(tell: Tell, declared: Declared): void {
  const results = [...declared.action].flatMap(([name, { evidence }]) => (evidence === undefined ? [] : [`${name}Result`]));
  const kinds: readonly (readonly [string, Iterable<string>])[] = [
    ['candidate', declared.candidate.keys()],
    ['proposal', declared.proposal.keys()],
    ['action', declared.action.keys()],
    ['query', declared.query.keys()],
    ['the result of an action', results],
  ];
  const seen = new Map<string, string>();
  for (const [kind, names] of kinds) {
    for (const name of names) {
      const other = seen.get(name);
      if (other !== undefined) tell('dsl/kind-twice', `${name} is declared as ${other} and as ${kind}`);
      seen.set(name, kind);
    }
  }
}
