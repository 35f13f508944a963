/**
 * A program as the oracle reads it: relations, sources, intents, and rules with their bodies flat.
 *
 * Reads  the plain IR of a program.
 * Gives  everything by name, with decisions written out and the judged atom of each deciding rule found.
 * Never  checks: a program that does not load is not given to the oracle.
 */
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import {
  DEFINITION,
  type Atom,
  type Call,
  type Columns,
  type Literal,
  type ProgramIR,
  type RelationIR,
  type Term,
  type Value,
} from '../../dsl/ir.ts';
import { namespaceOf, ownName, STAMPED_COLUMNS } from '../../dsl/law.ts';
import type { Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { branchesOf, variablesOf, type Simple } from './body.ts';
import { writtenOut, type Written } from './decide.ts';

/** What is judged: a candidate, a proposal, an action, a query's rows or a request. */
export interface Source {
  /** "refund"; "queryRequested.ordersOf" for a request. */
  readonly name: string;
  /** "proposal.refund". */
  readonly relation: string;
  /** What follows `decision.<verdict>.`: "queryExecute" for every request. */
  readonly decided: string;
  readonly payload: readonly string[];
  readonly constants: Row;
  readonly intent?: string;
}
export interface Rule {
  readonly id: string;
  readonly head: { readonly relation: string; readonly columns: Columns };
  readonly branches: readonly Branch[];
  readonly decides?: string;
}
export interface Branch {
  readonly body: readonly Simple[];
  /** Of a deciding rule: the atom of the row that it judges, and the term that holds its id. */
  readonly judged?: Atom;
  readonly id?: Term;
}
export interface Invariant {
  readonly name: string;
  readonly branches: readonly (readonly Simple[])[];
  /** The variables that every branch binds: those of the witness. */
  readonly variables: readonly string[];
}
export interface Book {
  readonly program: ProgramIR;
  readonly name: string;
  readonly relations: ReadonlyMap<string, RelationIR>;
  readonly sources: readonly Source[];
  /** Identity columns by intent. */
  readonly intents: ReadonlyMap<string, readonly string[]>;
  readonly rules: readonly Rule[];
  readonly invariants: readonly Invariant[];
  readonly groups: readonly (readonly string[])[];
}

export function read(program: ProgramIR): Book {
  const relations = new Map(
    program.ontologies.flatMap((ontology) => Object.values(ontology.relations).map((one) => [one.name, one] as const)),
  );
  const sources = [...relations.values()].flatMap((relation) => sourceOf(relation, relations) ?? []);
  const decided = program.rules.flatMap((part) => (part.kind === 'decide' ? writtenOut(part, find(sources, part.source.relation)) : []));
  const byHand = program.rules.flatMap((part) =>
    part.kind === 'ruleset'
      ? Object.entries(part.rules).map(([key, rule]) => handWritten(`${part.name}.${key}`, rule.head, rule.body, relations))
      : [],
  );
  return {
    program,
    name: program.name,
    relations,
    sources,
    intents: new Map(
      [...relations.values()].flatMap(({ name, identity }) =>
        namespaceOf(name) === 'intent' ? [[ownName(name), identity ?? ['id']]] : [],
      ),
    ),
    rules: [...decided, ...byHand, ...sources.map(heldRule)].map((rule) => flat(rule, sources)),
    invariants: program.invariants.map(({ name, body }) => ({ name, branches: branchesOf(body), variables: inEveryBranch(body) })),
    groups: program.rules.flatMap((part) => (part.kind === 'together' ? [part.sources] : [])),
  };
}

export function find(sources: readonly Source[], relation: string): Source {
  const source = sources.find((one) => one.relation === relation);
  if (source === undefined) throw new Error(`${relation} is no source`);
  return source;
}

function sourceOf(relation: RelationIR, relations: ReadonlyMap<string, RelationIR>): Source | undefined {
  const namespace = namespaceOf(relation.name);
  if (namespace !== 'candidate' && namespace !== 'proposal' && namespace !== 'queryresult') return undefined;
  const name = ownName(relation.name);
  const request = /^queryRequested\.(.*)$/.exec(name)?.[1];
  const decided = request === undefined ? name : 'queryExecute';
  return {
    name,
    relation: relation.name,
    decided,
    payload: Object.keys(relation.columns),
    constants: request === undefined ? {} : { query: request },
    ...(relations.has(`intent.${decided}`) ? { intent: decided } : {}),
  };
}

/** What no proposal names is named by its identity. */
function nameOfAct(head: Atom, identity: readonly string[]): Call {
  const columns = [...identity].sort(byCodePoint);
  const implementation = (...values: Value[]) =>
    sha256(canonicalJson([ownName(head.relation), ...columns.flatMap((column, index) => [column, values[index] as Value])]));
  return {
    call: 'name',
    version: '1',
    args: columns.map((column) => head.columns[column] as Term),
    [DEFINITION]: { name: 'name', version: '1', input: [], output: z.string(), implementation },
  };
}

/** A verdict that was written by hand keeps its id, its reason and what it records; an intent takes its id from the approval that it reads. */
function handWritten(id: string, head: Atom, body: readonly Literal[], relations: ReadonlyMap<string, RelationIR>): Written {
  const verdict = /^decision\.(accepted|approved|rejected|revoked)\.(.*)$/.exec(head.relation);
  if (verdict !== null) {
    const [, of = '', decides = ''] = verdict;
    const kept = new Set(['id', 'reason', ...(relations.get(head.relation)?.recorded ?? [])]);
    const columns = Object.fromEntries(Object.entries(head.columns).filter(([column]) => kept.has(column)));
    return { id, head: { relation: `verdict.${of}.${decides}`, columns }, body, decides };
  }
  if (namespaceOf(head.relation) !== 'intent' || Object.hasOwn(head.columns, 'id')) return { id, head, body };
  const approval = body.find(
    (literal): literal is Atom => literal.kind === 'atom' && literal.relation === `decision.approved.${ownName(head.relation)}`,
  );
  if (approval === undefined) {
    const its = { var: 'its name' };
    const named: Literal = { kind: 'bind', variable: its.var, expression: nameOfAct(head, relations.get(head.relation)?.identity ?? []) };
    return { id, head: { ...head, columns: { ...head.columns, id: its } }, body: [...body, named] };
  }
  const its = approval.columns['id'] ?? { var: 'its id' };
  const withId: Atom = { ...approval, columns: { ...approval.columns, id: its } };
  return {
    id,
    head: { ...head, columns: { ...head.columns, id: its } },
    body: body.map((literal) => (literal === approval ? withId : literal)),
  };
}

/** What is held is a status, read by evidence views: an open row with a card that no rule rejects. */
function heldRule({ name, decided, payload, constants }: Source): Written {
  const its = Object.fromEntries([...STAMPED_COLUMNS, ...payload].map((column): [string, Term] => [column, { var: column }]));
  const kept = decided === name ? its : Object.fromEntries(STAMPED_COLUMNS.map((column): [string, Term] => [column, { var: column }]));
  const fixed = Object.fromEntries(Object.entries(constants).map(([column, value]): [string, Term] => [column, { const: value }]));
  const card: Columns = { reason: { var: 'its reason' }, shown: { var: 'its card' } };
  const id: Columns = { id: { var: 'id' } };
  return {
    id: `held ${name}`,
    head: { relation: `decision.held.${decided}`, columns: { ...kept, ...fixed, ...card } },
    body: [
      { kind: 'atom', relation: `open.${name}`, columns: its },
      { kind: 'atom', relation: `verdict.held.${decided}`, columns: { ...id, ...card } },
      { kind: 'not', literal: { kind: 'atom', relation: `verdict.rejected.${decided}`, columns: id } },
    ],
  };
}

/** In a rule that accepts, approves or rejects, the judged atom ranges over the open rows of its source. */
function flat(rule: Written, sources: readonly Source[]): Rule {
  const branches = branchesOf(rule.body).map((body): Branch => {
    if (rule.decides === undefined) return { body };
    const id = rule.head.columns['id'];
    const isOwn = (literal: Simple): literal is Atom =>
      literal.kind === 'atom' && literal.columns['id'] !== undefined && JSON.stringify(literal.columns['id']) === JSON.stringify(id);
    const own = body.filter(isOwn);
    const evidence = own.find((atom) => sources.some((source) => source.relation === atom.relation && source.decided === rule.decides));
    const judged = evidence ?? own.find((atom) => /^(open|decision)\./.test(atom.relation)) ?? own[0];
    if (evidence === undefined || judged === undefined)
      return { body, ...(judged === undefined ? {} : { judged }), ...(id === undefined ? {} : { id }) };
    const open: Atom = { ...judged, relation: `open.${find(sources, judged.relation).name}` };
    return { body: body.map((literal) => (literal === judged ? open : literal)), judged: open, ...(id === undefined ? {} : { id }) };
  });
  return { id: rule.id, head: rule.head, branches, ...(rule.decides === undefined ? {} : { decides: rule.decides }) };
}

function inEveryBranch(body: readonly Literal[]): string[] {
  const branches = branchesOf(body).map(
    (branch) => new Set(branch.filter((literal) => literal.kind === 'atom' || literal.kind === 'bind').flatMap(boundBy)),
  );
  return [...(branches[0] ?? [])].filter((variable) => branches.every((branch) => branch.has(variable))).sort();
}

function boundBy(literal: Simple): string[] {
  return literal.kind === 'bind' ? [literal.variable] : variablesOf(literal);
}
