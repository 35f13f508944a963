/**
 * The clauses of a decide, each with what it rests on: the source row and the earlier needs whose variables it uses.
 *
 * Reads  a decide and the declarations.
 * Gives  the author's graph of it, one entry per clause, and the issues that only a decide can have.
 * Never  writes a rule: that is for the rooms after the checks.
 */
import type { Atom, ClauseIR, Columns, DecideIR, Expression, Literal, Term } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import { describe } from '../../dsl/value.ts';
import type { Authored } from './authored.ts';
import { JUDGED_ID } from './faithful.ts';
import { record } from './intake.ts';
import type { Source } from './lowered.ts';
import type { Declarations } from './merge.ts';
import { variableOf, variablesIn, variablesOf } from './walk.ts';

/** A clause that binds: what it brings in, for the clauses after it. */
export interface Need {
  readonly tag: string;
  readonly clause: 'needs' | 'needsEvidence' | 'awaits';
  readonly reason: string;
  readonly atom: Atom;
  /** Variables that the source does not bind. */
  readonly binds: readonly string[];
  /** Earlier needs whose variables it uses. */
  readonly after: readonly Need[];
}
export interface Clause {
  readonly tag: string;
  readonly place: string;
  readonly ir: Exclude<ClauseIR, { readonly clause: 'records' }>;
  readonly after: readonly Need[];
}

/** A decide whose source is known, taken apart. */
export interface Decide {
  readonly ir: DecideIR;
  readonly source: Source;
  readonly id: Term;
  /** The source row with what the author named, and its id. */
  readonly row: Columns;
  readonly needs: readonly Need[];
  readonly clauses: readonly Clause[];
  readonly records: Columns;
  /** The needs that bind what is recorded. */
  readonly recordedBy: readonly Need[];
  /** How its rows are let through. Where its end claims what they cannot be, this is what they can. */
  readonly verdict: 'accepted' | 'approved';
  /** The columns that a limit may group by: those of the source, and those that its decision keeps. */
  readonly groups: readonly string[];
}

export function takeApart(ir: DecideIR, declarations: Declarations): Decide | Issue {
  const source = declarations.sourceOf.get(ir.source.relation);
  if (source === undefined) return sourceIssue(ir, declarations);
  const id = ir.source.columns['id'] ?? JUDGED_ID;
  const row = record([...Object.entries(ir.source.columns), ['id', id] as const]);
  const given = new Set(variablesIn(row));
  const needs: Need[] = [];
  const clauses: Clause[] = [];
  const counts = new Map<string, number>();
  for (const clause of ir.clauses) {
    if (clause.clause === 'records') continue;
    const count = (counts.get(clause.clause) ?? 0) + 1;
    counts.set(clause.clause, count);
    const tag = `${clause.clause}${count}`;
    const after = needsOf(usedBy(clause), needs);
    clauses.push({ tag, place: `decide ${ir.name}: ${clause.clause} ${describe(clause.reason)}`, ir: clause, after });
    if (!('atom' in clause)) continue;
    const binds = [...new Set(variablesIn(clause.atom.columns))].filter((variable) => !given.has(variable));
    needs.push({ tag, clause: clause.clause, reason: clause.reason, atom: clause.atom, binds, after });
  }
  const records = record(ir.clauses.flatMap((clause) => (clause.clause === 'records' ? Object.entries(clause.columns) : [])));
  const claimed = ir.end === undefined ? undefined : VERDICTS[ir.end];
  const isKnown = claimed !== undefined && declarations.relations.has(`decision.${claimed}.${source.decided}`);
  const evidence = declarations.relations.get(source.relation)?.columns ?? [];
  return {
    ir,
    source,
    id,
    row,
    needs,
    clauses,
    records,
    recordedBy: needsOf(variablesIn(records), needs),
    verdict: isKnown ? claimed : source.grade === 'candidate' ? 'accepted' : 'approved',
    groups: [...evidence.map(({ name }) => name), ...source.recorded],
  };
}
export const VERDICTS = { accepts: 'accepted', approves: 'approved' } as const;

function sourceIssue(ir: DecideIR, { relations, sourceOf }: Declarations): Issue {
  const { relation } = ir.source;
  if (relations.has(relation)) return issue('load/decide-source', `decide ${ir.name}: ${relation} is not what a decide judges`);
  return issue('load/relation-unknown', `decide ${ir.name}: unknown relation ${relation}${didYouMean(relation, sourceOf.keys())}`);
}

/** Those of the needs that bind one of these variables, and those that they rest on in turn, in order. */
function needsOf(variables: readonly string[], needs: readonly Need[]): readonly Need[] {
  const wanted = new Set(variables);
  const found = [...needs].reverse().filter((need) => {
    if (!need.binds.some((variable) => wanted.has(variable))) return false;
    variablesIn(need.atom.columns).forEach((variable) => wanted.add(variable));
    return true;
  });
  return found.reverse();
}

function usedBy(clause: Exclude<ClauseIR, { readonly clause: 'records' }>): readonly string[] {
  switch (clause.clause) {
    case 'needs':
    case 'needsEvidence':
    case 'awaits':
      return variablesIn(clause.atom.columns);
    case 'rejects':
    case 'expires':
      return variablesOf(clause.literals);
    case 'asks':
      return [...variablesOf(clause.literals), ...variablesIn(clause.by?.columns ?? {})].filter((variable) => variable !== 'by');
    case 'limits':
      return [...variablesIn(clause.per), ...variableOf(clause.max)];
    case 'stillNeeds':
      return [];
  }
}

/** What a limit compares: what counts already, with this row, against the maximum. A column that it may not name is told, and left out. */
export function limitOf(
  clause: Extract<ClauseIR, { readonly clause: 'limits' }>,
  { ir, source, verdict, groups }: Pick<Decide, 'ir' | 'source' | 'verdict' | 'groups'>,
): Literal {
  const of = columnOf(clause.sum, ir.source.columns);
  // A sum of no column of the source is told as that, and compared with nothing.
  if (clause.sum !== undefined && (of === undefined || !groups.includes(of)))
    return { kind: 'comparison', comparison: 'eq', left: clause.max, right: clause.max };
  const counted = countedBy({ source, verdict }).relation;
  const per = record(Object.entries(clause.per).filter(([column]) => groups.includes(column)));
  const before: Expression =
    of === undefined ? { aggregate: 'count', relation: counted, per } : { aggregate: 'sum', relation: counted, of, per };
  const own: Expression = clause.sum === undefined ? { const: 1 } : { var: clause.sum };
  return { kind: 'comparison', comparison: 'gt', left: { arithmetic: 'plus', left: before, right: own }, right: clause.max };
}

/** Approved or accepted rows that had an effect or still can. */
function countedBy({ source, verdict }: Pick<Decide, 'source' | 'verdict'>): NonNullable<Authored['counts']> {
  return { relation: `exposure.${source.name}`, decisions: `decision.${verdict}.${source.decided}`, source: source.relation };
}

/** The column that a variable of the source stands in. */
export function columnOf(variable: string | undefined, columns: Columns): string | undefined {
  return Object.entries(columns).find(([, term]) => 'var' in term && term.var === variable)?.[0];
}

/** The author's graph of a decide: what it comes to in the end, and each clause. */
export function authoredClauses(decide: Decide): Authored[] {
  const { ir, source, needs, row, records, verdict } = decide;
  const evidence: Atom = { kind: 'atom', relation: source.relation, columns: row };
  const rejected: Atom = { kind: 'atom', relation: `decision.rejected.${source.decided}`, columns: record([]) };
  // What is recorded and not declared is told as that.
  const declared = record(Object.entries(records).filter(([column]) => source.recorded.includes(column)));
  const approved: Atom = { kind: 'atom', relation: `decision.${verdict}.${source.decided}`, columns: declared };
  const location = ir.location === undefined ? {} : { location: ir.location };
  const end: Authored = {
    id: `${ir.name}.otherwise`,
    place: `decide ${ir.name}`,
    role: 'clause',
    head: ir.end === undefined ? rejected : approved,
    context: needs.map(({ atom }) => atom),
    own: [evidence],
    ...location,
  };
  const restated: Atom = { ...approved, columns: record([...restatedColumns(decide), ...Object.entries(declared)]) };
  const act: Atom = { kind: 'atom', relation: `intent.${source.intent ?? ''}`, columns: record([]) };
  const start: Authored = {
    id: `${ir.name}.intent`,
    place: end.place,
    role: 'clause',
    head: act,
    context: [restated],
    own: [],
    ...location,
  };
  const clauses = decide.clauses.map((clause): Authored => {
    const isStart = clause.ir.clause === 'stillNeeds';
    return {
      id: `${ir.name}.${clause.tag}`,
      place: clause.place,
      role: 'clause',
      head: isStart ? act : rejected,
      context: isStart ? [restated] : [evidence, ...clause.after.map(({ atom }) => atom)],
      ...ownOf(clause, decide),
      ...(clause.ir.location === undefined ? location : { location: clause.ir.location }),
    };
  });
  return ir.end === 'approves' && source.intent !== undefined ? [end, ...clauses, start] : [end, ...clauses];
}

/** What a decision has of its row: payload and stamps as the author named them, and constants. */
export function restatedColumns({ row, source }: Pick<Decide, 'row' | 'source'>): (readonly [string, Term])[] {
  const isRequest = Object.keys(source.constants).length > 0;
  const kept = Object.entries(row).filter(([column]) => !isRequest || STAMPS.has(column));
  return [...kept, ...Object.entries(source.constants).map(([column, value]) => [column, { const: value }] as const)];
}
const STAMPS: ReadonlySet<string> = new Set(['id', 'session', 'actor', 'capture', 'ordinal', 'seq']);

function ownOf({ ir }: Clause, decide: Decide): Pick<Authored, 'own' | 'firm' | 'counts'> {
  switch (ir.clause) {
    case 'needs':
    case 'awaits':
      return { own: [ir.atom], firm: [ir.atom] };
    case 'needsEvidence':
      return { own: [ir.atom] };
    case 'rejects':
    case 'expires':
    case 'stillNeeds':
      return { own: ir.literals };
    case 'limits':
      return { own: [limitOf(ir, decide)], counts: countedBy(decide) };
    case 'asks': {
      if (ir.by === undefined) return { own: ir.literals };
      const answer: Atom = { kind: 'atom', relation: `confirmed.${decide.source.decided}`, columns: record([['by', { var: 'by' }]]) };
      return { own: [...ir.literals, answer, ir.by], firm: [ir.by] };
    }
  }
}
