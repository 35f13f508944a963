/**
 * What only a decide can get wrong: its end, its limits, its cards, what it records and what must still hold at the start.
 *
 * Reads  a decide taken apart, and the declarations.
 * Gives  issues that name the decide and the clause.
 * Never  judges names, sorts or grades: the author's graph is judged with all other rules.
 */
import * as z from 'zod';
import type { ClauseIR } from '../../dsl/ir.ts';
import { issue, type Issue, type IssueCode } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import { describe } from '../../dsl/value.ts';
import { columnOf, VERDICTS, type Decide } from './clauses.ts';
import { determinedBy } from './determined.ts';
import type { Declarations } from './merge.ts';
import { variablesIn } from './walk.ts';

export function decideIssues(decide: Decide, declarations: Declarations): Issue[] {
  const tell = (code: IssueCode, what: string) => issue(code, `decide ${decide.ir.name}: ${what}`);
  const end = endIssues(decide, declarations, tell);
  return [
    ...end,
    ...decide.clauses.flatMap((clause) => (clause.ir.clause === 'limits' ? limitIssues(clause.ir, decide, declarations, tell) : [])),
    ...askIssues(decide, tell),
    ...recordIssues(decide, declarations, tell),
    ...startIssues(decide, tell, end),
  ];
}
type Tell = (code: IssueCode, what: string) => Issue;

function endIssues({ ir, source, needs }: Decide, { relations }: Declarations, tell: Tell): Issue[] {
  if (ir.end === undefined) return [];
  const verdict = VERDICTS[ir.end];
  const decision = `decision.${verdict}.${source.decided}`;
  if (!relations.has(decision)) return [tell('load/decide-end', `${source.relation} has no ${decision}`)];
  const isConditional = needs.some(({ clause }) => clause === 'needs');
  return ir.unconditional === undefined && !isConditional
    ? [tell('load/no-needs', `${source.relation} is ${verdict} without any needs`)]
    : [];
}

function limitIssues(
  limit: Extract<ClauseIR, { readonly clause: 'limits' }>,
  { ir, source, groups }: Decide,
  declarations: Declarations,
  tell: Tell,
): Issue[] {
  const where = `limits ${describe(limit.reason)}`;
  const evidence = declarations.relations.get(source.relation)?.columns ?? [];
  const unknown = Object.keys(limit.per).filter((column) => !groups.includes(column));
  const issues = unknown.map((column) =>
    tell('load/limits-column', `${where}: ${source.relation} has and records no column ${column}${didYouMean(column, groups)}`),
  );
  if (limit.sum === undefined) return issues;
  const summed = columnOf(limit.sum, ir.source.columns);
  const column = evidence.find(({ name }) => name === summed);
  // A column of the source that there is not was told with the source.
  if (column === undefined && summed !== undefined) return issues;
  if (column === undefined) return [...issues, tell('load/limits-column', `${where}: ${limit.sum} is not a column of ${source.relation}`)];
  const isNumber = column.sort.base === 'integer' || column.sort.base === 'number';
  if (isNumber && !isNonnegative(column.schema))
    return [...issues, tell('load/limits-negative', `${where}: ${source.relation}.${column.name} may be negative`)];
  return issues;
}

/** Whether the schema itself, not a check that no one can read, keeps the value at 0 or more. */
function isNonnegative(schema: z.ZodType): boolean {
  const { minimum, exclusiveMinimum } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return (typeof minimum === 'number' && minimum >= 0) || (typeof exclusiveMinimum === 'number' && exclusiveMinimum >= 0);
}

function askIssues({ ir, clauses }: Decide, tell: Tell): Issue[] {
  const reasons = clauses.flatMap((clause) => (clause.ir.clause === 'asks' ? [clause.ir.reason] : []));
  const twice = new Set(reasons.filter((reason, index) => reasons.indexOf(reason) !== index));
  const isOpen = ir.clauses.some(({ clause }) => clause === 'awaits' || clause === 'asks');
  const expiring = clauses.filter((clause) => clause.ir.clause === 'expires' && !isOpen);
  return [
    ...[...twice].map((reason) => tell('load/asks-twice', `two asks of one reason, ${describe(reason)}`)),
    ...expiring.map((clause) => tell('load/expires', `expires ${describe(clause.ir.reason)}: nothing is awaited or asked`)),
  ];
}

function recordIssues({ ir, source, row, needs, records }: Decide, declarations: Declarations, tell: Tell): Issue[] {
  const given = ir.clauses.flatMap((clause) => (clause.clause === 'records' ? Object.keys(clause.columns) : []));
  const unknown = given.filter((column) => !source.recorded.includes(column));
  const twice = given.filter((column, index) => given.indexOf(column) !== index);
  const missing = ir.end === undefined ? [] : source.recorded.filter((column) => !given.includes(column));
  const determined = determinedBy(
    row,
    needs.map(({ atom }) => atom),
    declarations,
  );
  const bound = new Set([...variablesIn(row), ...needs.flatMap(({ atom }) => variablesIn(atom.columns))]);
  // What nothing binds at all is told as that, and what is not declared too.
  const loose = Object.entries(records).filter(
    ([column, term]) => 'var' in term && bound.has(term.var) && !determined.has(term.var) && source.recorded.includes(column),
  );
  return [
    ...unknown.map((column) =>
      tell('load/records-column', `${source.relation} declares no records column ${column}${didYouMean(column, source.recorded)}`),
    ),
    ...twice.map((column) => tell('load/records-column', `records gives ${column} twice`)),
    ...missing.map((column) => tell('load/records-column', `${source.relation} records ${column}, and no records clause gives it`)),
    ...loose.map(([column]) =>
      tell('load/records-undetermined', `records ${column}: its value is not determined by the row of ${source.relation}`),
    ),
  ];
}

function startIssues({ ir, source, clauses }: Decide, tell: Tell, end: readonly Issue[]): Issue[] {
  // With an end that its source does not have, whether there is an approval cannot be told.
  const isMistaken = end.some(({ code }) => code === 'load/decide-end');
  return clauses.flatMap((clause) => {
    if (clause.ir.clause !== 'stillNeeds') return [];
    const where = `stillNeeds ${describe(clause.ir.reason)}`;
    if (source.intent === undefined) return [tell('load/still-needs', `${where}: ${source.relation} starts no act`)];
    return ir.end === 'approves' || isMistaken ? [] : [tell('load/still-needs', `${where}: there is no approval to add to`)];
  });
}
