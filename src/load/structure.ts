/**
 * Structure: an untrusted program becomes plain IR, or issues that name each part that is none.
 *
 * Reads  whatever was handed to the loader: built here, built by another copy of the library, hand-built, cast.
 * Gives  the program's parts as fresh IR without prototypes, with every malformed part left out and told.
 * Never  crashes, and never lets a part through that it did not understand whole.
 */
import {
  irOf,
  MAPPER,
  type ActionIR,
  type ClauseIR,
  type DecideIR,
  type DeclarationIR,
  type InvariantIR,
  type OntologyIR,
  type ProgramIR,
  type QueryDeclarationIR,
  type RelationIR,
  type ReportKindIR,
  type RuleIR,
  type RulesetIR,
  type TogetherIR,
} from '../../dsl/ir.ts';
import { issue, isIssueCode, type Issue } from '../../dsl/issue.ts';
import { nameFault, programNameFault } from '../../dsl/name.ts';
import { describe } from '../../dsl/value.ts';
import { attempt, fields, items, only, optional, record, refuse, schema, text, texts, word, type Fields } from './intake.ts';
import { atom, columns, literals, place, term } from './literals.ts';

export interface Structure {
  /** Absent where the value is no program at all. */
  readonly program?: ProgramIR;
  /** Whether every ontology was understood whole; with a part of one left out, what a rule names is not known. */
  readonly isDeclared: boolean;
  readonly issues: readonly Issue[];
}

export function structure(value: unknown): Structure {
  const issues: Issue[] = [];
  const read = attempt('program', issues, () => programFields(value));
  if (read === undefined) return { issues, isDeclared: false };
  const list = (name: string): readonly unknown[] => attempt(name, issues, () => items(read.get(name), name)) ?? [];
  const name = read.get('name');
  const fault = programNameFault(name);
  if (fault !== undefined) issues.push(issue('dsl/name-malformed', `the name of the program: ${fault}`));
  // The same ontology twice is one: modules bring along what they share.
  const toldBefore = issues.length;
  const listed = new Set(list('ontologies'));
  const understood = [...listed].map((one) => attempt('ontologies', issues, () => ontology(one, issues)));
  const isDeclared = issues.length === toldBefore && understood.every((one) => one?.isWhole === true);
  const ontologies = understood.flatMap((one) => (one === undefined ? [] : [one.ir]));
  const rules = list('rules').flatMap((one) => attempt('rules', issues, () => part(one, issues)) ?? []);
  const queries = list('queries').flatMap((one) => attempt('queries', issues, () => queryRules(one, issues)) ?? []);
  const invariants = list('invariants').flatMap((one) => attempt('invariants', issues, () => invariant(one)) ?? []);
  const declarations = list('declarations').flatMap((one) => attempt('declarations', issues, () => declaration(one)) ?? []);
  const program: ProgramIR = {
    kind: 'program',
    name: fault === undefined ? String(name) : '',
    ontologies,
    rules,
    queries,
    invariants,
    declarations,
  };
  return { program, isDeclared, issues };
}

function programFields(value: unknown): Fields {
  const ir = irOf(value);
  if (ir === undefined) return refuse('load/not-ours', `${describe(value)} is not a program of this library`);
  const read = fields(ir, 'program');
  if (read.get('kind') !== 'program') refuse('load/not-ours', `${describe(read.get('kind'))} is no program`);
  only(read, 'program', 'kind', 'name', 'ontologies', 'rules', 'queries', 'invariants', 'declarations');
  return read;
}

/** A part as the builders leave it: plain IR, or a value that carries it. */
function partFields(value: unknown, where: string, kinds: readonly string[]): Fields {
  const ir = irOf(value) ?? value;
  if (typeof ir !== 'object' || ir === null || Array.isArray(ir))
    return refuse('load/not-ours', `${where}: ${describe(value)} is none of ${kinds.join(', ')}`);
  const read = fields(ir, where);
  const kind = read.get('kind');
  return typeof kind === 'string' && kinds.includes(kind)
    ? read
    : refuse('load/not-ours', `${where}: something is none of ${kinds.join(', ')}`);
}

/** What its builder found wrong already is not told again in other words. */
function ontology(value: unknown, issues: Issue[]): { readonly ir: OntologyIR; readonly isWhole: boolean } {
  const where = 'ontology';
  const read = partFields(value, 'ontologies', ['ontology']);
  only(read, where, 'kind', 'scope', 'relations', 'actions', 'queries', 'issues');
  const told = items(read.get('issues'), `${where}: issues`).map((one) => {
    const given = fields(one, `${where}: issue`);
    const code = given.get('code');
    return { code: isIssueCode(code) ? code : 'load/malformed', what: text(given.get('what'), `${where}: issue`) };
  });
  const scope = fields(read.get('scope'), `${where}: scope`);
  const found: Issue[] = [];
  const each = fields(read.get('relations'), `${where}: relations`);
  const relations = [...each].flatMap(([name, one]) => {
    const understood = attempt(name, found, () => relation(one, name));
    return understood === undefined ? [] : [[name, understood] as const];
  });
  issues.push(...found.filter(({ code }) => !told.some((one) => one.code === code)));
  const ir: OntologyIR = {
    kind: 'ontology',
    scope: { session: schema(scope.get('session'), 'scope.session'), actor: schema(scope.get('actor'), 'scope.actor') },
    relations: record(relations),
    actions: members(read.get('actions'), `${where}: actions`, action),
    queries: members(read.get('queries'), `${where}: queries`, queryDeclaration),
    issues: told,
  };
  return { ir, isWhole: found.length === 0 };
}

function members<Member>(value: unknown, where: string, read: (value: unknown, name: string) => Member): Readonly<Record<string, Member>> {
  return record([...fields(value, where)].map(([name, member]) => [text(name, where), read(member, name)] as const));
}

function relation(value: unknown, name: string): RelationIR {
  const read = fields(value, name);
  only(read, name, 'name', 'columns', 'reserved', 'key', 'rising', 'identity', 'recorded');
  if (read.get('name') !== name) refuse('load/malformed', `${name}: the relation is named ${describe(read.get('name'))}`);
  const schemas = (field: string) =>
    members(read.get(field), `${name}: ${field}`, (column, columnName) => schema(column, `${name}.${columnName}`));
  const list = (field: string) => optional(read.get(field), (given) => texts(given, `${name}: ${field}`));
  const [key, rising, identity, recorded] = [list('key'), list('rising'), list('identity'), list('recorded')];
  return {
    name,
    columns: schemas('columns'),
    reserved: schemas('reserved'),
    ...(key === undefined ? {} : { key }),
    ...(rising === undefined ? {} : { rising }),
    ...(identity === undefined ? {} : { identity }),
    ...(recorded === undefined ? {} : { recorded }),
  };
}

function action(value: unknown, name: string): ActionIR {
  const where = `action ${name}`;
  const read = fields(value, where);
  only(read, where, 'name', 'in', 'receipt', 'evidence', 'identity', 'capability');
  if (read.get('name') !== name) refuse('load/malformed', `${where}: it is named ${describe(read.get('name'))}`);
  const identity = optional(read.get('identity'), (given) => texts(given, `${where}: identity`));
  const capability = optional(read.get('capability'), (given) => text(given, `${where}: capability`));
  return {
    name,
    in: texts(read.get('in'), `${where}: in`),
    receipt: texts(read.get('receipt'), `${where}: receipt`),
    evidence: texts(read.get('evidence'), `${where}: evidence`),
    ...(identity === undefined ? {} : { identity }),
    ...(capability === undefined ? {} : { capability }),
  };
}

function queryDeclaration(value: unknown, name: string): QueryDeclarationIR {
  const where = `query ${name}`;
  const read = fields(value, where);
  only(read, where, 'name', 'in', 'out');
  return { name: text(read.get('name'), where), in: texts(read.get('in'), `${where}: in`), out: texts(read.get('out'), `${where}: out`) };
}

function declaration(value: unknown): DeclarationIR {
  const read = partFields(value, 'declarations', ['reportKind', 'projection', 'capability']);
  const name = text(read.get('name'), 'declarations: name');
  const where = `${String(read.get('kind'))} ${name}`;
  const malformed = nameFault(name);
  if (malformed !== undefined) refuse('dsl/name-malformed', `${where}: ${malformed}`);
  switch (read.get('kind')) {
    case 'reportKind': {
      only(read, where, 'kind', 'name', 'version', 'payload', 'fallible', 'writes');
      const given = irOf(value) ?? value;
      const mapper = (given as { readonly [MAPPER]?: unknown })[MAPPER];
      const payload = members(read.get('payload'), `${where}: payload`, (one, field) => schema(one, `${where}: payload.${field}`));
      const ir: ReportKindIR = {
        kind: 'reportKind',
        name,
        version: text(read.get('version'), `${where}: version`),
        payload,
        fallible: texts(read.get('fallible'), `${where}: fallible`),
        writes: texts(read.get('writes'), `${where}: writes`),
      };
      return Object.defineProperty(ir, MAPPER, { value: mapper });
    }
    case 'projection':
      only(read, where, 'kind', 'name', 'shows');
      return { kind: 'projection', name, shows: texts(read.get('shows'), `${where}: shows`) };
    default:
      only(read, where, 'kind', 'name', 'intents', 'consultsModel');
      return {
        kind: 'capability',
        name,
        intents: texts(read.get('intents'), `${where}: intents`),
        consultsModel: read.get('consultsModel') === true,
      };
  }
}

function part(value: unknown, issues: Issue[]): RulesetIR | DecideIR | TogetherIR {
  const read = partFields(value, 'rules', ['ruleset', 'decide', 'together']);
  switch (read.get('kind')) {
    case 'ruleset':
      return ruleset(read, issues);
    case 'decide':
      return decide(read, issues);
    default:
      only(read, 'together', 'kind', 'sources');
      return { kind: 'together', sources: texts(read.get('sources'), 'together') };
  }
}

function queryRules(value: unknown, issues: Issue[]): RulesetIR {
  return ruleset(partFields(value, 'queries', ['ruleset']), issues);
}

function ruleset(read: Fields, issues: Issue[]): RulesetIR {
  const name = named(read.get('name'), 'ruleset', issues);
  only(read, `ruleset ${name}`, 'kind', 'name', 'rules');
  const rules = [...fields(read.get('rules'), `ruleset ${name}`)].flatMap(([key, value]) => {
    const id = `${name}.${key}`;
    const fault = nameFault(key);
    if (fault !== undefined) issues.push(issue('dsl/name-malformed', `rule ${id}: ${fault}`));
    const one = attempt(`rule ${id}`, issues, () => rule(value, id));
    return one === undefined ? [] : [[key, one] as const];
  });
  return { kind: 'ruleset', name, rules: record(rules) };
}

function rule(value: unknown, id: string): RuleIR {
  const where = `rule ${id}`;
  const read = partFields(value, where, ['rule']);
  only(read, where, 'kind', 'head', 'body', 'location');
  const at = place(where);
  return {
    kind: 'rule',
    head: atom(read.get('head'), { ...at, where: `${where}: its head` }),
    body: literals(read.get('body'), at),
    ...location(read),
  };
}

function decide(read: Fields, issues: Issue[]): DecideIR {
  const name = named(read.get('name'), 'decide', issues);
  const where = `decide ${name}`;
  only(read, where, 'kind', 'name', 'source', 'clauses', 'end', 'unconditional', 'location');
  const at = place(where);
  const end = optional(read.get('end'), (given) => word(given, `${where}: end`, ['approves', 'accepts']));
  const unconditional = optional(read.get('unconditional'), (given) => text(given, `${where}: why it is unconditional`));
  return {
    kind: 'decide',
    name,
    source: atom(read.get('source'), { ...at, where: `${where}: its source` }),
    // One malformed clause refuses the whole decide: without it, the rest would be more generous than what was written.
    clauses: items(read.get('clauses'), where).map((one) => clause(one, where)),
    ...(end === undefined ? {} : { end }),
    ...(unconditional === undefined ? {} : { unconditional }),
    ...location(read),
  };
}

const CLAUSES = ['needs', 'needsEvidence', 'awaits', 'rejects', 'stillNeeds', 'expires', 'limits', 'asks', 'records'] as const;

function clause(value: unknown, owner: string): ClauseIR {
  const read = fields(value, owner);
  const kind = word(read.get('clause'), `${owner}: clause`, CLAUSES);
  if (kind === 'records') {
    const at = place(`${owner}: records`);
    only(read, at.where, 'clause', 'columns', 'location');
    return { clause: kind, columns: columns(read.get('columns'), at), ...location(read) };
  }
  const given = read.get('reason');
  const at = place(typeof given === 'string' ? `${owner}: ${kind} ${describe(given)}` : `${owner}: ${kind}`);
  const reason = text(given, `${at.where}: reason`);
  switch (kind) {
    case 'needs':
    case 'needsEvidence':
    case 'awaits':
      only(read, at.where, 'clause', 'reason', 'atom', 'location');
      return { clause: kind, reason, atom: atom(read.get('atom'), { ...at, where: `${at.where}: its atom` }), ...location(read) };
    case 'rejects':
    case 'stillNeeds':
    case 'expires':
      only(read, at.where, 'clause', 'reason', 'literals', 'location');
      return { clause: kind, reason, literals: literals(read.get('literals'), at), ...location(read) };
    case 'limits': {
      only(read, at.where, 'clause', 'reason', 'sum', 'per', 'max', 'location');
      const sum = optional(read.get('sum'), (given) => text(given, `${at.where}: sum`));
      return {
        clause: kind,
        reason,
        per: columns(read.get('per'), at),
        max: term(read.get('max'), at),
        ...(sum === undefined ? {} : { sum }),
        ...location(read),
      };
    }
    case 'asks': {
      only(read, at.where, 'clause', 'reason', 'literals', 'by', 'location');
      const by = optional(read.get('by'), (one) => atom(one, { ...at, where: `${at.where}: by` }));
      return { clause: kind, reason, literals: literals(read.get('literals'), at), ...(by === undefined ? {} : { by }), ...location(read) };
    }
  }
}

function invariant(value: unknown): InvariantIR {
  const read = partFields(value, 'invariants', ['invariant']);
  const name = text(read.get('name'), 'invariants: name');
  const where = `invariant ${describe(name)}`;
  only(read, where, 'kind', 'name', 'evidence', 'body', 'location');
  if (name.trim() === '') refuse('dsl/name-malformed', 'an invariant is named by what it says');
  if (typeof read.get('evidence') !== 'boolean') refuse('load/malformed', `${where}: evidence is neither true nor false`);
  return {
    kind: 'invariant',
    name,
    evidence: read.get('evidence') === true,
    body: literals(read.get('body'), place(where)),
    ...location(read),
  };
}

function named(value: unknown, what: string, issues: Issue[]): string {
  const fault = nameFault(value);
  if (fault !== undefined) issues.push(issue('dsl/name-malformed', `${what}: ${fault}`));
  return typeof value === 'string' ? value : '';
}

function location(read: Fields): { readonly location?: string } {
  const given = read.get('location');
  return typeof given === 'string' ? { location: given } : {};
}
