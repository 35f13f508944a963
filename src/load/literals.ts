/**
 * Literals and expressions of an untrusted rule, copied node by node.
 *
 * Reads  whatever stands where a literal, an atom or an expression should.
 * Gives  the same as plain IR, each record with its fields in order of name, as digests take them; or one refusal that names the place.
 * Never  knows a relation: names are judged later, by the table of declarations.
 */
import {
  DEFINITION,
  type Atom,
  type Call,
  type Columns,
  type Expression,
  type FunctionDefinition,
  type Literal,
  type Term,
  type Value,
} from '../../dsl/ir.ts';
import { describe, kindFault } from '../../dsl/value.ts';
import { fields, items, only, refuse, schema, spend, text, word, type Allowance, type Fields } from './intake.ts';

/** The place of a node: where it stands, how deep, and the allowance that it draws on. */
export interface Place {
  readonly where: string;
  readonly depth: number;
  readonly allowance: Allowance;
}

export function place(where: string): Place {
  return { where, depth: 0, allowance: { nodes: 0 } };
}

export function literals(value: unknown, at: Place): readonly Literal[] {
  return items(value, at.where).map((one, index) => literal(one, at, `literal ${index + 1}`));
}

/** `which` says it apart from the others in the same place. */
function literal(value: unknown, at: Place, which: string): Literal {
  const read = partOf(value, `${at.where}: ${which}`);
  const below = enter(at);
  const kind = KINDS.find((one) => one === read.get('kind'));
  if (kind === undefined) return misplaced(read, `${at.where}: ${which}`, 'literal');
  switch (kind) {
    case 'atom':
      return atomOf(read, at);
    case 'comparison': {
      only(read, at.where, 'kind', 'comparison', 'left', 'right');
      const comparison = word(read.get('comparison'), `${at.where}: comparison`, ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']);
      return { comparison, kind, left: expression(read.get('left'), below), right: expression(read.get('right'), below) };
    }
    case 'oneOf': {
      only(read, at.where, 'kind', 'value', 'members');
      const members = items(read.get('members'), `${at.where}: oneOf`).map((member) => constant(member, below));
      if (members.length === 0) refuse('load/malformed', `${at.where}: oneOf of nothing never holds`);
      return { kind, members, value: expression(read.get('value'), below) };
    }
    case 'not': {
      only(read, at.where, 'kind', 'literal');
      const inner = literal(read.get('literal'), below, 'what not takes');
      if (inner.kind === 'atom' || inner.kind === 'comparison' || inner.kind === 'oneOf') return { kind, literal: inner };
      return refuse('load/malformed', `${at.where}: not takes an atom or a comparison: name the rest with a view`);
    }
    case 'and':
    case 'or': {
      only(read, at.where, 'kind', 'literals');
      const inner = literals(read.get('literals'), below);
      if (kind === 'or' && inner.length === 0) refuse('load/malformed', `${at.where}: or of nothing never holds`);
      return { kind, literals: inner };
    }
    case 'bind': {
      only(read, at.where, 'kind', 'variable', 'expression');
      return { expression: expression(read.get('expression'), below), kind, variable: variable(read.get('variable'), at) };
    }
  }
}

const KINDS = ['atom', 'comparison', 'oneOf', 'not', 'and', 'or', 'bind'] as const;

export function atom(value: unknown, at: Place): Atom {
  const read = partOf(value, at.where);
  return read.get('kind') === 'atom' ? atomOf(read, at) : misplaced(read, at.where, 'atom');
}

function atomOf(read: Fields, at: Place): Atom {
  only(read, at.where, 'kind', 'relation', 'columns');
  const relation = text(read.get('relation'), `${at.where}: relation`);
  if (read.get('columns') === undefined)
    return refuse('load/malformed', `${at.where}: an atom of ${relation} lacks its columns: write ${relation}({}) where any row will do`);
  return { columns: columns(read.get('columns'), enter(at)), kind: 'atom', relation };
}

/** What a builder was given that carries nothing of ours stands as null. */
function partOf(value: unknown, where: string): Fields {
  return value === null || value === undefined ? refuse('load/malformed', `${where} is no value of this library`) : fields(value, where);
}

/** Says what was written instead of a literal or an atom. */
function misplaced(read: Fields, where: string, wanted: 'literal' | 'atom'): never {
  const [name, variable, kind] = ['name', 'var', 'kind'].map((field) => read.get(field));
  if (typeof name === 'string' && read.has('columns') && kind === undefined)
    return refuse('load/malformed', `${where} is the relation ${name} without its columns: write ${name}({ ... })`);
  if (typeof variable === 'string') return refuse('load/malformed', `${where} is the variable ${variable}, and no ${wanted}`);
  if (read.has('arithmetic') || read.has('call') || read.has('aggregate'))
    return refuse('load/malformed', `${where} is an expression: compare it, or bind it with .as(variable)`);
  return refuse(
    'load/malformed',
    `${where} is ${typeof kind === 'string' ? `of kind ${describe(kind)}` : 'something else'}, and no ${wanted}`,
  );
}

export function columns(value: unknown, at: Place): Columns {
  const read = Object.create(null) as Record<string, Term>;
  for (const [name, given] of fields(value, at.where)) read[name] = term(given, at, `: column ${name}`);
  return read;
}

/** `where` goes on where the place ends. */
export function term(value: unknown, at: Place, where = ''): Term {
  spend(at.allowance, at.depth, at.where);
  // Most nodes of a program are these, so that they are read without a map.
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (names.length !== 1) return termOf(fields(value, `${at.where}${where}`), at, where);
  const [name = ''] = names;
  const given = (value as Record<string, unknown>)[name];
  if (name === 'var') return { var: variable(given, at, where) };
  if (name === 'const') return { const: constant(given, at, where) };
  return neither(at, where);
}

function termOf(read: Fields, at: Place, where = ''): Term {
  if (read.size === 1 && read.has('var')) return { var: variable(read.get('var'), at, where) };
  if (read.size === 1 && read.has('const')) return { const: constant(read.get('const'), at, where) };
  return neither(at, where);
}

function neither(at: Place, where: string): never {
  return refuse('load/malformed', `${at.where}${where}: neither a variable nor a constant`);
}

export function expression(value: unknown, at: Place): Expression {
  const read = fields(value, at.where);
  const below = enter(at);
  if (read.has('arithmetic')) {
    only(read, at.where, 'arithmetic', 'left', 'right');
    const arithmetic = word(read.get('arithmetic'), `${at.where}: arithmetic`, ['plus', 'minus', 'times']);
    return { arithmetic, left: expression(read.get('left'), below), right: expression(read.get('right'), below) };
  }
  if (read.has('call')) return call(value, read, below);
  return read.has('aggregate') ? aggregate(read, below) : termOf(read, at);
}

function call(value: unknown, read: Fields, at: Place): Call {
  only(read, at.where, 'call', 'version', 'args');
  const name = text(read.get('call'), `${at.where}: call`);
  const version = text(read.get('version'), `${at.where}: version of ${name}`);
  const args = items(read.get('args'), `${at.where}: arguments of ${name}`).map((argument) => expression(argument, at));
  const carried = (value as { readonly [DEFINITION]?: unknown })[DEFINITION];
  if (carried === undefined) return refuse('load/function-unknown', `${at.where}: ${name}@${version} carries no function`);
  const copy: Call = { args, call: name, version };
  Object.defineProperty(copy, DEFINITION, { value: definition(carried, name, version, at) });
  return copy;
}

/** The definition itself is kept, since it is compared by identity: two functions of one name and version are refused. */
function definition(value: unknown, name: string, version: string, at: Place): FunctionDefinition {
  const where = `${at.where}: function ${name}`;
  const read = fields(value, where);
  for (const [index, input] of items(read.get('input'), `${where}: input`).entries()) schema(input, `${where}: input ${index + 1}`);
  schema(read.get('output'), `${where}: output`);
  const isSame = read.get('name') === name && read.get('version') === version && typeof read.get('implementation') === 'function';
  return isSame ? (value as FunctionDefinition) : refuse('load/function-unknown', `${where}: the call carries another function`);
}

function aggregate(read: Fields, at: Place): Expression {
  only(read, at.where, 'aggregate', 'relation', 'of', 'per');
  const name = word(read.get('aggregate'), `${at.where}: aggregate`, ['count', 'sum', 'min', 'max']);
  const relation = text(read.get('relation'), `${at.where}: relation`);
  const per = columns(read.get('per'), at);
  if (name === 'count') {
    if (read.get('of') !== undefined) refuse('load/malformed', `${at.where}: a count is of rows, not of a column`);
    return { aggregate: name, per, relation };
  }
  return { aggregate: name, of: text(read.get('of'), `${at.where}: column of the ${name}`), per, relation };
}

/** A variable's name. `$` and spaces are in the names that the loader and the plan make up. */
function variable(value: unknown, at: Place, where = ''): string {
  const name = typeof value === 'string' ? value : text(value, `${at.where}${where}: variable`);
  if (!VARIABLE.test(name) || name === '__proto__')
    refuse('load/malformed', `${at.where}${where}: ${describe(name)} is no name of a variable`);
  return name;
}
const VARIABLE = /^[^\s$\p{Surrogate}]{1,200}$/u;

function constant(value: unknown, at: Place, where = ''): Value {
  const fault = isValue(value)
    ? kindFault({ base: typeof value as 'string' | 'number' | 'boolean' }, value)
    : `${describe(value)} is no value`;
  return fault === undefined ? (value as Value) : refuse('load/constant-type', `${at.where}${where}: ${fault}`);
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function enter(at: Place): Place {
  spend(at.allowance, at.depth, at.where);
  return { ...at, depth: at.depth + 1 };
}
