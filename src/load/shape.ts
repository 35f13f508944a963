/**
 * Shape: names that exist, heads that are whole and may be derived, variables that are bound and of one sort.
 *
 * Reads  the author's graph and the declarations.
 * Gives  an issue for each thing that is not as declared, with the nearest name where one is misspelt.
 * Never  asks who may read what: grades and cuts do.
 */
import { DEFINITION, type Atom, type FunctionDefinition } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { clearanceOf, namespaceOf } from '../../dsl/law.ts';
import { didYouMean } from '../../dsl/name.ts';
import { bodyOf, type Authored } from './authored.ts';
import { fallibleMax } from './failures.ts';
import { branchesMax } from './intake.ts';
import type { Declarations } from './merge.ts';
import { unboundIn } from './safety.ts';
import { sortsOf, type RelationOf } from './sorts.ts';
import { branchCount, callsOf, readsOf, variablesIn } from './walk.ts';

/** Calls of functions in one body: each subset of them can fail, and each failure is a rule of its own. One is left for the card of an asks. */
export const callsMax = fallibleMax - 1;

/** `generated` knows the relations that only a limit may read. */
export function shapeIssues(authored: readonly Authored[], declarations: Declarations, generated: RelationOf): Issue[] {
  return [...idIssues(authored), ...authored.flatMap((one) => issuesOf(one, declarations, generated)), ...functionIssues(authored)];
}

function issuesOf(authored: Authored, declarations: Declarations, generated: RelationOf): Issue[] {
  const relationOf: RelationOf = (name) =>
    declarations.relations.get(name) ?? (name === authored.counts?.relation ? generated(name) : undefined);
  const names = nameIssues(authored, declarations, relationOf);
  // With an unknown name or an endless body the rest would be guesses about what was meant.
  if (names.length > 0) return names;
  const size = sizeIssues(authored);
  if (size.length > 0) return size;
  return [
    ...headIssues(authored, declarations),
    ...placementIssues(authored),
    ...sortsOf(authored, relationOf).issues,
    ...safetyIssues(authored),
  ];
}

function idIssues(authored: readonly Authored[]): Issue[] {
  const seen = new Set<string>();
  return authored.flatMap(({ id, role }) => {
    const isTwice = seen.has(id);
    seen.add(id);
    if (!isTwice) return [];
    return [
      role === 'invariant' || role === 'evidenceInvariant'
        ? issue('load/invariant-twice', `${id} is used twice`)
        : issue('load/rule-twice', `rule id ${id} is used twice`),
    ];
  });
}

function nameIssues({ place, head, own, role }: Authored, declarations: Declarations, relationOf: RelationOf): Issue[] {
  const written = role === 'clause' || head === undefined ? [] : [head.relation];
  const names = new Set([...written, ...readsOf(own).map(({ relation }) => relation)]);
  return [...names].flatMap((name) => {
    if (relationOf(name) !== undefined) return [];
    return [issue('load/relation-unknown', `${place}: unknown relation ${name}${didYouMean(name, declarations.relations.keys())}`)];
  });
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

/** The id of an intent may come from its decision, and stamps of a decision from the row that it restates. */
function missingColumns(head: Atom, declarations: Declarations): string[] {
  const columns = declarations.relations.get(head.relation)?.columns ?? [];
  const isIntent = namespaceOf(head.relation) === 'intent';
  return columns.flatMap(({ name, isReserved }) =>
    isReserved || Object.hasOwn(head.columns, name) || (isIntent && name === 'id') ? [] : [name],
  );
}

function placementIssues({ place, head, own, role }: Authored): Issue[] {
  if (role === 'clause') return queryReads(place, own, undefined);
  const isQueryHead = head !== undefined && namespaceOf(head.relation) === 'query';
  if (role === 'query' && !isQueryHead) return [issue('load/query-place', `${place}: ${head?.relation ?? ''} belongs into rules`)];
  if (role !== 'query' && isQueryHead) return [issue('load/query-place', `${place}: ${head.relation} belongs into queries`)];
  return queryReads(place, own, role === 'query' ? head?.relation : undefined);
}

/** A query may read itself, and nobody else may. */
function queryReads(place: string, own: Authored['own'], self: string | undefined): Issue[] {
  const read = new Set(readsOf(own).flatMap(({ relation }) => (namespaceOf(relation) === 'query' && relation !== self ? [relation] : [])));
  return [...read].map((relation) => issue('load/query-read', `${place}: ${relation} has no rows to read`));
}

function safetyIssues(authored: Authored): Issue[] {
  const head = authored.head === undefined ? [] : variablesIn(authored.head.columns);
  const how = authored.role === 'clause' ? 'is not bound yet' : 'is not bound by any positive body atom';
  return unboundIn(bodyOf(authored), head).map((variable) =>
    issue('load/variable-unbound', `${authored.place}: variable ${variable} ${how}`),
  );
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
