/**
 * A `decide` written out as ordinary rules, clause by clause.
 *
 * Reads  one decide and what its source is.
 * Gives  rules over verdicts, answers and helper views, each with the id that its failures are told under.
 * Never  judges anything: what a clause means is said in rules and in nothing else.
 */
import { DEFINITION, type Atom, type Call, type ClauseIR, type Columns, type DecideIR, type Literal, type Term } from '../../dsl/ir.ts';
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { branchesOf, bindsOf, variablesOf, variablesOfTerms } from './body.ts';
import type { Source } from './book.ts';

/** A rule as it was written or generated, before `or` is multiplied out. */
export interface Written {
  readonly id: string;
  readonly head: { readonly relation: string; readonly columns: Columns };
  readonly body: readonly Literal[];
  /** What the rule judges, as in `decision.<verdict>.<decided>`; a failure in it is a verdict about the row. */
  readonly decides?: string;
}

/** What needs and awaits have bound so far. */
interface Ground {
  readonly atom: Atom;
  readonly met: Atom;
  readonly awaited: boolean;
  readonly binds: readonly string[];
}

export function writtenOut(decide: DecideIR, source: Source): Written[] {
  const atom = wholeAtom(decide.source, source);
  const open: Atom = { ...atom, relation: `open.${source.name}` };
  const id = atom.columns['id'] as Term;
  const waits: Atom = { kind: 'atom', relation: `waits ${decide.name}`, columns: { id } };
  const fixed = new Set(variablesOfTerms(atom.columns));
  const grounds: Ground[] = [];
  const rules: Written[] = [];
  let recorded: Columns = {};

  const add = (name: string, relation: string, columns: Columns, body: readonly Literal[]): void => {
    rules.push({ id: `${decide.name}.${name}`, head: { relation, columns }, body, decides: source.decided });
  };
  const verdict = (of: string, name: string, columns: Columns, body: readonly Literal[]): void =>
    add(name, `verdict.${of}.${source.decided}`, { id, ...columns }, body);
  const rejects = (name: string, reason: string, body: readonly Literal[]): void =>
    verdict('rejected', name, { reason: { const: reason } }, body);
  /** The source, and every earlier need whose variables these use. */
  const from = (variables: readonly string[]): readonly Atom[] => [open, ...groundsFor(variables, grounds).map((ground) => ground.atom)];

  const needs = (clause: Extract<ClauseIR, { readonly atom: Atom }>, name: string): void => {
    const own = variablesOf(clause.atom);
    const before = from(own);
    const shared = new Set(
      groundsFor(own, grounds)
        .flatMap((ground) => ground.binds)
        .filter((variable) => own.includes(variable)),
    );
    const met: Atom = {
      kind: 'atom',
      relation: `met ${decide.name}.${name}`,
      columns: { id, ...Object.fromEntries([...shared].map((variable) => [`of ${variable}`, { var: variable }])) },
    };
    add(`${name}.met`, met.relation, met.columns, [...before, clause.atom]);
    const unmet: readonly Literal[] = [...before, { kind: 'not', literal: met }];
    if (clause.clause === 'awaits') add(name, waits.relation, waits.columns, unmet);
    else rejects(name, clause.reason, unmet);
    grounds.push({ atom: clause.atom, met, awaited: clause.clause === 'awaits', binds: own.filter((variable) => !fixed.has(variable)) });
  };

  const limits = (clause: Extract<ClauseIR, { readonly clause: 'limits' }>, name: string): void => {
    const summed = Object.entries(atom.columns).find(([, term]) => 'var' in term && term.var === clause.sum)?.[0];
    const exposure = { relation: `exposure.${source.name}`, per: clause.per };
    const already =
      summed === undefined ? { aggregate: 'count' as const, ...exposure } : { aggregate: 'sum' as const, of: summed, ...exposure };
    const own: Term = summed === undefined ? { const: 1 } : (atom.columns[summed] as Term);
    const uses = [...variablesOfTerms(clause.per), ...variablesOfTerms({ max: clause.max })];
    const total = { arithmetic: 'plus' as const, left: already, right: own };
    rejects(name, clause.reason, [...from(uses), { kind: 'comparison', comparison: 'gt', left: total, right: clause.max }]);
  };

  const asks = (clause: Extract<ClauseIR, { readonly clause: 'asks' }>, name: string): void => {
    const by = clause.by === undefined ? [] : [clause.by];
    const ground = from([...usedBy(clause.literals), ...by.flatMap(variablesOf)].filter((variable) => variable !== 'by'));
    const reason: Term = { const: clause.reason };
    const card: Columns = { id, reason, shown: { var: 'the card' } };
    const expression = shownOf(clause.reason, atom, source, ground, clause.literals, by);
    const asked: readonly Literal[] = [...ground, ...clause.literals, { kind: 'bind', variable: 'the card', expression }];
    const answer = (columns: Columns): Atom => ({ kind: 'atom', relation: `answer.${source.decided}`, columns });
    const given: Columns = { ...card, by: { var: 'by' }, answer: { var: 'the answer' } };
    const confirmed: Atom = { kind: 'atom', relation: `confirmed.${source.decided}`, columns: given };
    add(name, `asked.${source.decided}`, card, asked);
    add(`${name}.answer`, `answer.${source.decided}`, given, [...asked, confirmed, ...by]);
    const isUnanswered: Literal = { kind: 'not', literal: answer({ ...card, answer: { const: 'yes' } }) };
    verdict('held', name, { reason, shown: { var: 'the card' } }, [...asked, isUnanswered]);
    rejects(`${name}.declined`, `declined: ${clause.reason}`, [open, answer({ id, reason, answer: { const: 'no' } })]);
  };

  const expires = (clause: { readonly reason: string; readonly literals: readonly Literal[] }, name: string): void => {
    const held: Atom = { kind: 'atom', relation: `verdict.held.${source.decided}`, columns: { id } };
    const body = [...from(usedBy(clause.literals)), ...clause.literals];
    const awaits = decide.clauses.some((other) => other.clause === 'awaits');
    if (awaits) rejects(name, clause.reason, [...body, waits]);
    if (decide.clauses.some((other) => other.clause === 'asks')) rejects(awaits ? `${name}.asked` : name, clause.reason, [...body, held]);
  };

  const counts = new Map<string, number>();
  for (const clause of decide.clauses) {
    const count = (counts.get(clause.clause) ?? 0) + 1;
    counts.set(clause.clause, count);
    const name = `${clause.clause}${count}`;
    if (clause.clause === 'needs' || clause.clause === 'needsEvidence' || clause.clause === 'awaits') needs(clause, name);
    else if (clause.clause === 'rejects') rejects(name, clause.reason, [...from(usedBy(clause.literals)), ...clause.literals]);
    else if (clause.clause === 'limits') limits(clause, name);
    else if (clause.clause === 'asks') asks(clause, name);
    else if (clause.clause === 'expires') expires(clause, name);
    else if (clause.clause === 'records') recorded = { ...recorded, ...clause.columns };
  }
  if (decide.end !== undefined) {
    const met = grounds.flatMap((ground) => (ground.awaited ? [] : [{ ...ground.met, columns: { id } }]));
    const waitsFor: readonly Literal[] = grounds.some((ground) => ground.awaited) ? [{ kind: 'not', literal: waits }] : [];
    const body = [...from(variablesOfTerms(recorded)), ...met, ...waitsFor];
    verdict(decide.end === 'accepts' ? 'accepted' : 'approved', 'otherwise', recorded, body);
  }
  if (decide.end === 'approves' && source.intent !== undefined) rules.push(intentRule(decide, source, atom, recorded));
  return rules;
}

/** The source atom with every column named: what the author left out gets a variable that no author can write. */
export function wholeAtom(atom: Atom, source: Source): Atom {
  const missing = ['id', ...source.payload].filter((column) => !Object.hasOwn(atom.columns, column));
  return { ...atom, columns: { ...atom.columns, ...Object.fromEntries(missing.map((column) => [column, { var: `its ${column}` }])) } };
}

/** An approval leads to its intent for as long as what is still needed holds. */
function intentRule(decide: DecideIR, source: Source, atom: Atom, recorded: Columns): Written {
  const stillNeeded = decide.clauses.flatMap((clause) => (clause.clause === 'stillNeeds' ? clause.literals : []));
  const constants = Object.fromEntries(Object.entries(source.constants).map(([column, value]) => [column, { const: value }]));
  const payload =
    source.decided === source.name ? Object.fromEntries(source.payload.map((column) => [column, atom.columns[column] as Term])) : constants;
  const stamped = Object.fromEntries(Object.entries(atom.columns).filter(([column]) => !source.payload.includes(column)));
  const head: Columns = { id: atom.columns['id'] as Term, ...payload };
  const approved: Atom = {
    kind: 'atom',
    relation: `decision.approved.${source.decided}`,
    columns: { ...stamped, ...payload, ...recorded },
  };
  return {
    id: `${decide.name}.intent`,
    head: { relation: `intent.${source.intent ?? ''}`, columns: head },
    body: [approved, ...stillNeeded],
  };
}

/** Earlier needs that bind one of these variables, and those that these build on in turn. */
function groundsFor(variables: readonly string[], grounds: readonly Ground[]): Ground[] {
  const wanted = new Set(variables);
  const found: Ground[] = [];
  for (const ground of [...grounds].reverse()) {
    if (!ground.binds.some((variable) => wanted.has(variable))) continue;
    found.unshift(ground);
    for (const variable of variablesOf(ground.atom)) wanted.add(variable);
  }
  return found;
}

function usedBy(literals: readonly Literal[]): string[] {
  return branchesOf(literals).flatMap((branch) => branch.flatMap(variablesOf));
}

/**
 * The digest of what a card shows: its reason, the row's id and payload, and the values that its question speaks of, by name.
 * A variable that has the name of a column without being it is told apart by a question mark.
 */
function shownOf(
  reason: string,
  atom: Atom,
  source: Source,
  ground: readonly Atom[],
  literals: readonly Literal[],
  by: readonly Atom[],
): Call {
  const columns = ['id', ...source.payload].map((column): [string, Term] => [column, atom.columns[column] as Term]);
  const bound = new Set([...ground.flatMap(variablesOf), ...boundInEveryBranch(literals)]);
  const spoken = [...new Set([...usedBy(literals), ...by.flatMap(variablesOf)])].filter((name) => name !== 'by' && bound.has(name));
  const named = spoken.flatMap((name): [string, Term][] => {
    const column = atom.columns[name];
    if (column === undefined) return [[name, { var: name }]];
    return 'var' in column && column.var === name ? [] : [[`?${name}`, { var: name }]];
  });
  const shown = [...columns, ...named].sort(([left], [right]) => (left < right ? -1 : 1));
  const implementation = (...values: readonly never[]): string =>
    sha256(canonicalJson([reason, ...shown.flatMap(([name], index) => [name, values[index]])]));
  const definition = { name: 'shown', version: '1', input: [], output: z.string(), implementation };
  return { call: 'shown', version: '1', args: shown.map(([, term]) => term), [DEFINITION]: definition };
}

function boundInEveryBranch(literals: readonly Literal[]): string[] {
  const branches = branchesOf(literals).map((branch) => new Set(branch.flatMap(bindsOf)));
  return [...(branches[0] ?? [])].filter((variable) => branches.every((branch) => branch.has(variable)));
}
