/**
 * Shape: names that exist, heads that are whole and may be derived, variables that are bound and of one sort.
 *
 * Reads  the author's graph and the declarations.
 * Gives  an issue for each thing that is not as declared, with the nearest name where one is misspelt.
 * Never  asks who may read what: grades and cuts do.
 */
import { DEFINITION, type Atom, type Columns, type FunctionDefinition } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { clearanceOf, namespaceOf, ownName } from '../../dsl/law.ts';
import { didYouMean, nearest } from '../../dsl/name.ts';
import { bodyOf, readsIn, type Authored } from './authored.ts';
import { fallibleMax } from './failures.ts';
import { branchesMax, record } from './intake.ts';
import type { Declarations } from './merge.ts';
import { unboundIn } from './safety.ts';
import { sortsOf, type RelationOf } from './sorts.ts';
import { branchCount, callsOf, variablesIn } from './walk.ts';

/** Calls of functions in one body: each subset of them can fail, and each failure is a rule of its own. One is left for the card of an asks. */
export const callsMax = fallibleMax - 1;

export interface Shapes {
  readonly issues: readonly Issue[];
  /** Rules whose names are known and whose bodies have an end; the others are guesses about what was meant. */
  readonly whole: ReadonlySet<Authored>;
  /** Rules whose columns are not as declared, so that whether they restate a row cannot be told. */
  readonly misfit: ReadonlySet<Authored>;
}

/** `generated` knows the relations that only a limit may read. */
export function shapesOf(authored: readonly Authored[], declarations: Declarations, generated: RelationOf): Shapes {
  const whole = new Set<Authored>();
  const misfit = new Set<Authored>();
  const issues = authored.flatMap((one) => {
    const relationOf: RelationOf = (name) =>
      declarations.relations.get(name) ?? (name === one.counts?.relation ? generated(name) : undefined);
    const names = nameIssues(one, declarations, relationOf);
    if (names.length > 0) return names;
    const size = sizeIssues(one);
    if (size.length > 0) return size;
    whole.add(one);
    const own = [
      ...headIssues(one, declarations),
      ...placementIssues(one),
      ...sortsOf(one, relationOf).issues,
      ...safetyIssues(one, declarations),
    ];
    if (own.some(({ code }) => code === 'load/column-unknown' || code === 'load/column-missing')) misfit.add(one);
    return own;
  });
  return { issues: [...idIssues(authored), ...issues, ...functionIssues(authored)], whole, misfit };
}

/** Clauses of two decides of one name are told with the decides. */
function idIssues(authored: readonly Authored[]): Issue[] {
  const seen = new Map<string, Authored>();
  const twice = new Map<string, string[]>();
  const invariants: Issue[] = [];
  for (const one of authored) {
    const { id, role } = one;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, one);
    else if (role === 'invariant' || role === 'evidenceInvariant') invariants.push(issue('load/invariant-twice', `${id} is used twice`));
    else if (role !== 'clause' || first.role !== 'clause') {
      const owner = id.slice(0, id.indexOf('.'));
      twice.set(owner, [...(twice.get(owner) ?? []), id]);
    }
  }
  const rules = [...twice.values()].map((ids) =>
    issue('load/rule-twice', ids.length === 1 ? `rule id ${ids[0]} is used twice` : `rule ids ${ids.join(', ')} are used twice`),
  );
  return [...rules, ...invariants];
}

function nameIssues(authored: Authored, declarations: Declarations, relationOf: RelationOf): Issue[] {
  const { place, head, role } = authored;
  const unknown = new Set<string>();
  if (role !== 'clause' && head !== undefined && relationOf(head.relation) === undefined) unknown.add(head.relation);
  for (const { relation } of readsIn(authored, 'own')) if (relationOf(relation) === undefined) unknown.add(relation);
  return [...unknown].map((name) =>
    issue('load/relation-unknown', `${place}: unknown relation ${name}${didYouMean(name, declarations.relations.keys())}`),
  );
}

function sizeIssues(authored: Authored): Issue[] {
  const body = bodyOf(authored);
  const branches = branchCount(body);
  if (branches > branchesMax)
    return [
      issue('load/too-large', `${authored.place}: its or multiplies out into ${branches} branches, more than branchesMax = ${branchesMax}`),
    ];
  const calls = callsOf(body).length;
  return calls > callsMax
    ? [issue('load/too-large', `${authored.place}: ${calls} calls of functions, more than callsMax = ${callsMax}`)]
    : [];
}

function headIssues({ place, head, role }: Authored, declarations: Declarations): Issue[] {
  if (head === undefined || role === 'clause') return [];
  if (clearanceOf(head.relation, declarations.gradeOfSource) === undefined) {
    return [issue('load/not-derivable', `${place}: ${head.relation} is not derivable: the runtime writes it`)];
  }
  return missingColumns(head, declarations).map((column) =>
    issue('load/column-missing', `${place}: ${head.relation}: a head must give every column; missing ${column}`),
  );
}

/** The id of an intent may come from its decision, and stamps of a decision from the row that it restates. A misspelt column is told as that. */
function missingColumns(head: Atom, declarations: Declarations): string[] {
  const columns = declarations.relations.get(head.relation)?.columns ?? [];
  const names = columns.map(({ name }) => name);
  const meant = new Set(Object.keys(head.columns).flatMap((name) => (names.includes(name) ? [] : (nearest(name, names) ?? []))));
  const isIntent = namespaceOf(head.relation) === 'intent';
  return columns.flatMap(({ name, isReserved }) =>
    isReserved || Object.hasOwn(head.columns, name) || meant.has(name) || (isIntent && name === 'id') ? [] : [name],
  );
}

function placementIssues({ place, head, role }: Authored): Issue[] {
  const isQueryHead = head !== undefined && namespaceOf(head.relation) === 'query';
  if (role === 'query' && !isQueryHead) return [issue('load/query-place', `${place}: ${head?.relation ?? ''} belongs into rules`)];
  return role !== 'query' && isQueryHead ? [issue('load/query-place', `${place}: ${head.relation} belongs into queries`)] : [];
}

function safetyIssues(authored: Authored, { sources }: Declarations): Issue[] {
  const { head, role, place } = authored;
  const how = role === 'clause' ? 'is not bound yet' : 'is not bound by any positive body atom';
  return unboundIn(bodyOf(authored), head === undefined ? [] : variablesIn(ownColumns(head, role, sources))).map((variable) =>
    issue('load/variable-unbound', `${place}: variable ${variable} ${how}`),
  );
}

/** The columns of a head that its body has to bind; what a decision restates is bound where it is restated, and told there. */
function ownColumns({ relation, columns }: Atom, role: Authored['role'], sources: Declarations['sources']): Columns {
  if (role === 'clause' || !relation.startsWith('decision.')) return columns;
  const recorded = sources.get(ownName(relation))?.recorded ?? [];
  const isOwn = (column: string) => column === 'id' || column === 'reason' || recorded.includes(column);
  return record(Object.entries(columns).filter(([column]) => isOwn(column)));
}

/** The functions of a program, by "name@version". */
export function functionsOf(authored: readonly Authored[]): ReadonlyMap<string, FunctionDefinition> {
  const entries = authored.flatMap(({ own }) =>
    callsOf(own).flatMap((call) => (call[DEFINITION] === undefined ? [] : [[`${call.call}@${call.version}`, call[DEFINITION]] as const])),
  );
  return new Map(entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

function functionIssues(authored: readonly Authored[]): Issue[] {
  const known = new Map<string, FunctionDefinition>();
  const told = new Set<string>();
  return authored.flatMap(({ place, own }) =>
    callsOf(own).flatMap((call) => {
      const name = `${call.call}@${call.version}`;
      const definition = call[DEFINITION];
      const first = known.get(name);
      if (definition !== undefined && first === undefined) known.set(name, definition);
      if (first === undefined || first === definition || told.has(name)) return [];
      told.add(name);
      return [issue('load/function-twice', `${place}: ${name} is two functions`)];
    }),
  );
}
