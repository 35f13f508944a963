/**
 * What declarations get wrong, whoever made them: names, columns, stamps, kinds, brands, and decisions that do not fit their source.
 *
 * Reads  the relations of a program's ontologies.
 * Gives  issues, and the digests of schemas and relations that two declarations are compared by.
 * Never  trusts that an ontology was made by the builder: what a rule may rely on is checked here again.
 */
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { OntologyIR, RelationIR } from '../../dsl/ir.ts';
import { isCountersignError, issue, type Issue } from '../../dsl/issue.ts';
import { JUDGED_COLUMNS, NAME, namespaceOf, ownName, RESERVED_NAMES, STAMPED_COLUMNS, type Namespace } from '../../dsl/law.ts';
import { nameFault } from '../../dsl/name.ts';
import { brandOf, sortName, sortOf, type Sort } from '../../dsl/value.ts';
import type { Source } from './lowered.ts';

type Declared = ReadonlyMap<string, RelationIR>;

export function declarationIssues(ontologies: readonly OntologyIR[], declared: Declared, sources: Iterable<Source>): Issue[] {
  return [
    ...scopeIssues(ontologies),
    ...kindIssues(ontologies, declared),
    ...brandIssues(declared),
    ...verdictIssues(ontologies, declared, sources),
  ];
}

/** What is wrong with one relation by itself. `unreadable` are the schemas that were told already: a column comes back in many relations. */
export function relationIssues(relation: RelationIR, unreadable: Set<z.ZodType>): Issue[] {
  const names = relationNameIssues(relation.name);
  return names.length > 0 ? names : [...columnIssues(relation, unreadable), ...generatedIssues(relation), ...listIssues(relation)];
}

/** Relations that every ontology generates alike. */
export function isShared(name: string): boolean {
  return name.startsWith('lifecycle.') || name === 'queryresult.outcome' || name.endsWith('.queryExecute');
}

function relationNameIssues(name: string): Issue[] {
  if (isShared(name)) return [];
  if (namespaceOf(name) === undefined) return [issue('dsl/name-malformed', `relation ${name} is in no namespace of the law`)];
  const own = ownName(name);
  const parts = own.startsWith('queryRequested.') ? [own.slice('queryRequested.'.length)] : [own];
  const faults = parts.flatMap((part) => nameFault(part) ?? []).map((fault) => issue('dsl/name-malformed', `relation ${name}: ${fault}`));
  const isTaken = RESERVED_NAMES.some((reserved) => reserved === own);
  return isTaken ? [issue('dsl/name-reserved', `relation ${name}: ${own} is a generated name`)] : faults;
}

function columnIssues(relation: RelationIR, unreadable: Set<z.ZodType>): Issue[] {
  const taken = takenColumns(relation.name);
  const issues: Issue[] = [];
  for (const name of Object.keys(relation.columns))
    if (taken.includes(name)) issues.push(issue('dsl/column-reserved', `${relation.name}.${name}`));
  for (const columns of [relation.columns, relation.reserved]) {
    for (const name of Object.keys(columns)) {
      if (!NAME.test(name)) issues.push(issue('dsl/name-malformed', `column ${JSON.stringify(name)} of ${relation.name}`));
      const schema = columns[name];
      if (schema === undefined || unreadable.has(schema) || isReadable(schema)) continue;
      const fault = schemaFault(schema, `${relation.name}.${name}`);
      if (fault === undefined) continue;
      unreadable.add(schema);
      issues.push(fault);
    }
  }
  return issues;
}

/** Most columns share their schema with another one, which was read before. */
function isReadable(schema: z.ZodType): boolean {
  return digests.has(schema) && sortOfColumn(schema) !== undefined;
}

/** Why a schema is no column's, or does not say what it takes; undefined where it is and does. */
export function schemaFault(schema: z.ZodType, where: string): Issue | undefined {
  if (sortOfColumn(schema) === undefined) return issue('dsl/column-type', `${where} is no string, boolean, enum, integer or number`);
  return digestFault(schema, where);
}

/** Why a schema cannot be told apart from others. */
export function digestFault(schema: z.ZodType, where: string): Issue | undefined {
  try {
    schemaDigest(schema);
    return undefined;
  } catch (thrown) {
    const [told] = isCountersignError(thrown) ? thrown.issues : [];
    return issue('dsl/not-canonical', `${where}: ${told?.what ?? 'its schema cannot be written down'}`);
  }
}

/** Columns that the runtime fills or reads have to be there. */
function generatedIssues(relation: RelationIR): Issue[] {
  const namespace = namespaceOf(relation.name);
  if (namespace === undefined) return [];
  const lacks = (column: string) => !Object.hasOwn(relation.columns, column) && !Object.hasOwn(relation.reserved, column);
  const missing = [
    ...(STAMPLESS.has(namespace) ? [] : STAMPED_COLUMNS.filter(lacks)),
    ...(GENERATED_COLUMNS[namespace] ?? []).filter(lacks),
  ];
  return missing.length === 0 ? [] : [issue('load/malformed', `${relation.name} lacks the generated ${columnsText(missing)}`)];
}

/** A key, an identity, what rises and what is recorded are columns. A key may be a stamp. */
function listIssues({ name, columns, reserved, key = [], rising = [], identity = [], recorded = [] }: RelationIR): Issue[] {
  const isColumn = (column: string) => Object.hasOwn(columns, column) || Object.hasOwn(reserved, column);
  return [
    ...[...key, ...recorded]
      .filter((column) => !isColumn(column))
      .map((column) => issue('load/malformed', `${name}: ${column} is no column of it`)),
    ...identity
      .filter((column) => !isColumn(column))
      .map((column) => issue('dsl/identity-unknown', `${name}: the identity ${column} is no column of it`)),
    ...rising
      .filter((column) => !isNumber(columns[column]) || key.includes(column))
      .map((column) => issue('dsl/rising-unknown', `${name}: ${column} cannot be rising, it is no number column beside the key`)),
  ];
}

function isNumber(schema: z.ZodType | undefined): boolean {
  const base = schema === undefined ? undefined : sortOfColumn(schema)?.base;
  return base === 'integer' || base === 'number';
}

const STAMPLESS: ReadonlySet<Namespace> = new Set(['fact', 'intent', 'due', 'approvedView', 'candidateView', 'proposalView', 'query']);
const GENERATED_COLUMNS: Partial<Record<Namespace, readonly string[]>> = {
  'decision.rejected': ['reason'],
  'decision.revoked': ['reason'],
  'decision.held': ['reason', 'shown'],
  confirmed: ['reason', 'shown', 'answer', 'by'],
  receipt: ['act', 'outcome'],
  intent: ['id'],
  due: ['id'],
};

/** What a row claims by itself may not look like a stamp; what is judged may not look like a judgement. The result of an act names it. */
function takenColumns(relation: string): readonly string[] {
  const namespace = namespaceOf(relation);
  if (namespace === 'observation' || namespace === 'queryresult') return STAMPED_COLUMNS;
  if (namespace !== 'candidate' && namespace !== 'proposal') return [];
  return relation.endsWith('Result') ? JUDGED.filter((column) => column !== 'act') : JUDGED;
}
const JUDGED: readonly string[] = [...STAMPED_COLUMNS, ...JUDGED_COLUMNS];

export function scopeIssues(ontologies: readonly OntologyIR[]): Issue[] {
  const scopes = new Set(ontologies.map(({ scope }) => `session ${sortText(scope.session)}, actor ${sortText(scope.actor)}`));
  return scopes.size > 1 ? [issue('dsl/scope-mismatch', `two ontologies with two scopes: ${[...scopes].sort().join('; ')}`)] : [];
}

function kindIssues(ontologies: readonly OntologyIR[], declared: Declared): Issue[] {
  const told = toldKinds(ontologies);
  return [...kindsOf(ontologies, declared)].flatMap(([name, as]) =>
    as.size > 1 && !told.has(name) ? [issue('dsl/kind-twice', `${name} is declared as ${[...as].join(' and as ')}`)] : [],
  );
}

/** The names that are two of candidate, proposal, action and query. */
export function twoKinds(ontologies: readonly OntologyIR[], declared: Declared): ReadonlySet<string> {
  const names = [...kindsOf(ontologies, declared)].flatMap(([name, as]) => (as.size > 1 ? [name] : []));
  return new Set([...names, ...toldKinds(ontologies)]);
}

/** Within one ontology the declaration told it already. */
function toldKinds(ontologies: readonly OntologyIR[]): ReadonlySet<string> {
  const told = ontologies.flatMap(({ issues }) => issues.filter(({ code }) => code === 'dsl/kind-twice'));
  return new Set(told.map(({ what }) => what.split(' ', 1)[0] ?? ''));
}

function kindsOf(ontologies: readonly OntologyIR[], declared: Declared): ReadonlyMap<string, ReadonlySet<string>> {
  const actions = new Set(ontologies.flatMap(({ actions }) => Object.keys(actions)));
  const kinds = new Map<string, Set<string>>();
  for (const relation of declared.keys()) {
    const namespace = namespaceOf(relation);
    const name = ownName(relation);
    if ((namespace !== 'candidate' && namespace !== 'proposal' && namespace !== 'query') || name.includes('.')) continue;
    const kind = namespace === 'proposal' && actions.has(name) ? 'action' : namespace;
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  }
  return kinds;
}

/** A brand is known by its name alone, so it stands for one schema in the whole program. */
function brandIssues(declared: Declared): Issue[] {
  const brands = new Map<string, string>();
  const seen = new Set<z.ZodType>();
  const refused = new Set<string>();
  const issues: Issue[] = [];
  const take = (schema: z.ZodType, relation: string, column: string): void => {
    seen.add(schema);
    const brand = brandOf(schema);
    if (brand === undefined || sortOfColumn(schema) === undefined) return;
    const digest = schemaDigest(schema);
    const known = brands.get(brand) ?? digest;
    brands.set(brand, known);
    if (known === digest || refused.has(brand)) return;
    refused.add(brand);
    issues.push(issue('load/brand-twice', `brand ${brand} has two schemas, one of them in ${relation}.${column}`));
  };
  for (const relation of declared.values()) {
    for (const columns of [relation.columns, relation.reserved]) {
      for (const column of Object.keys(columns)) {
        const schema = columns[column];
        if (schema !== undefined && !seen.has(schema)) take(schema, relation.name, column);
      }
    }
  }
  return issues;
}

/** A decision restates what it judges, so its relation has every column of its source. Names and columns that are taken were told as that. */
function verdictIssues(ontologies: readonly OntologyIR[], declared: Declared, sources: Iterable<Source>): Issue[] {
  const kinds = twoKinds(ontologies, declared);
  return [...sources].flatMap((source) => {
    const own = source.name.replace(/^queryRequested\./, '');
    if (kinds.has(own) || RESERVED_NAMES.some((reserved) => reserved === own)) return [];
    const taken = takenColumns(source.relation);
    const restated = [...source.payload, ...Object.keys(source.constants)].filter((column) => !taken.includes(column));
    return ['accepted', 'approved', 'rejected', 'held', 'revoked'].flatMap((verdict) => {
      const decision = declared.get(`decision.${verdict}.${source.decided}`);
      const missing = decision === undefined ? [] : restated.filter((column) => !Object.hasOwn(decision.columns, column));
      if (decision === undefined || missing.length === 0) return [];
      return [issue('load/malformed', `${decision.name} lacks the ${columnsText(missing)} of ${source.relation}`)];
    });
  });
}

function columnsText(names: readonly string[]): string {
  return `${names.length === 1 ? 'column' : 'columns'} ${names.join(', ')}`;
}

/** A schema is read once, however often its relation is: what it says does not change. */
const digests = new WeakMap<z.ZodType, string>();
/** The digest of a column's sort and JSON schema: its part of a program's digest. */
export function schemaDigest(schema: z.ZodType): string {
  const known = digests.get(schema);
  if (known !== undefined) return known;
  const made = sha256(canonicalJson([sortText(schema), z.toJSONSchema(schema, { unrepresentable: 'any' })]));
  digests.set(schema, made);
  return made;
}

const sorts = new WeakMap<z.ZodType, { readonly sort: Sort | undefined }>();
export function sortOfColumn(schema: z.ZodType): Sort | undefined {
  const known = sorts.get(schema) ?? { sort: sortOf(schema) };
  sorts.set(schema, known);
  return known.sort;
}

function sortText(schema: z.ZodType): string {
  const sort = sortOfColumn(schema);
  return sort === undefined ? 'no column type' : sortName(sort);
}

export function shapeOf(relation: RelationIR): string {
  const columns = (of: RelationIR['columns']) => Object.entries(of).map(([name, schema]) => [name, schemaDigest(schema)]);
  const { name, key = null, rising = null, identity = null, recorded = null } = relation;
  return JSON.stringify([name, columns(relation.columns), columns(relation.reserved), key, rising, identity, recorded]);
}
