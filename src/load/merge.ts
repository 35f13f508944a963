/**
 * Merges a program's ontologies into one table of relations, sources and intents.
 *
 * Reads  the declarations of every ontology.
 * Gives  each relation once, with its sorts in engine order; what is judged; what is acted on; and the issues of the declarations.
 * Never  lets a second declaration win: two shapes of one name are an issue, whichever came first.
 */
import * as z from 'zod';
import type { ActionIR, OntologyIR, ProgramIR, RelationIR } from '../../dsl/ir.ts';
import { issue, isIssueCode, type Issue } from '../../dsl/issue.ts';
import { JUDGED_COLUMNS, NAME, namespaceOf, ownName, RESERVED_NAMES, STAMPED_COLUMNS, type GradeOfSource } from '../../dsl/law.ts';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { nameFault } from '../../dsl/name.ts';
import { brandOf, sortName, sortOf, type Sort } from '../../dsl/value.ts';
import type { Column, Intent, Life, Lowered, Relation, Source } from './lowered.ts';

export interface Declarations {
  /** Of the ontologies only; what lowering generates is not among them, so no rule of an author can name it. */
  readonly relations: ReadonlyMap<string, Relation>;
  readonly sources: ReadonlyMap<string, Source>;
  /** Sources by evidence relation: "proposal.refund". */
  readonly sourceOf: ReadonlyMap<string, Source>;
  readonly intents: ReadonlyMap<string, Intent>;
  /** Intents whose declaration names identity columns. */
  readonly identified: ReadonlySet<string>;
  readonly actions: ReadonlyMap<string, ActionIR>;
  readonly queries: ReadonlyMap<string, { readonly in: readonly string[]; readonly out: readonly string[] }>;
  readonly gradeOfSource: GradeOfSource;
  readonly scope: Lowered['scope'];
}

export function merge(program: ProgramIR): { readonly declarations: Declarations; readonly issues: readonly Issue[] } {
  const { ontologies } = program;
  const declared = new Map<string, RelationIR>();
  const issues: Issue[] = ontologies.flatMap((ontology) =>
    ontology.issues.map(({ code, what }) => issue(isIssueCode(code) ? code : 'load/malformed', what)),
  );
  for (const ontology of ontologies) issues.push(...takeRelations(ontology, declared));
  issues.push(...scopeIssues(ontologies), ...kindIssues(ontologies, declared), ...brandIssues(declared), ...verdictIssues(declared));
  const relations = new Map([...declared.values()].map((relation) => [relation.name, relationOf(relation)]));
  const sources = sourcesOf(declared);
  const intents = new Map([...declared.values()].flatMap((relation) => intentOf(relation)));
  const proposals = new Set([...sources.values()].flatMap((source) => (source.grade === 'proposal' ? [source.decided] : [])));
  return {
    declarations: {
      relations,
      sources,
      sourceOf: new Map([...sources.values()].map((source) => [source.relation, source])),
      intents,
      identified: new Set(
        [...declared.values()].flatMap((relation) =>
          relation.identity !== undefined && namespaceOf(relation.name) === 'intent' ? [ownName(relation.name)] : [],
        ),
      ),
      actions: new Map(ontologies.flatMap((ontology) => Object.entries(ontology.actions))),
      queries: new Map(ontologies.flatMap((ontology) => Object.entries(ontology.queries))),
      gradeOfSource: (decided) => (proposals.has(decided) ? 'proposal' : 'candidate'),
      scope: ontologies[0]?.scope ?? { session: z.string(), actor: z.string() },
    },
    issues,
  };
}

function takeRelations(ontology: OntologyIR, declared: Map<string, RelationIR>): Issue[] {
  // What the declaration itself told already is not told again in other words.
  const told = new Set<string>(ontology.issues.map(({ code }) => code));
  return Object.values(ontology.relations).flatMap((relation) => {
    const known = declared.get(relation.name);
    declared.set(relation.name, known ?? relation);
    const issues = [...relationNameIssues(relation.name), ...columnIssues(relation)].filter(({ code }) => !told.has(code));
    if (known === undefined || (isShared(relation.name) && shapeOf(known) === shapeOf(relation))) return issues;
    return [...issues, issue('load/relation-twice', `${relation.name} is declared by two ontologies`)];
  });
}

/** Relations that every ontology generates alike. */
function isShared(name: string): boolean {
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

function columnIssues(relation: RelationIR): Issue[] {
  const taken = takenColumns(relation.name);
  return [
    ...Object.keys(relation.columns).flatMap((name) =>
      taken.includes(name) ? [issue('dsl/column-reserved', `${relation.name}.${name}`)] : [],
    ),
    ...Object.entries({ ...relation.columns, ...relation.reserved }).flatMap(([name, schema]) => [
      ...(NAME.test(name) ? [] : [issue('dsl/name-malformed', `column ${JSON.stringify(name)} of ${relation.name}`)]),
      ...(sortOfColumn(schema) === undefined ? [issue('dsl/column-type', `${relation.name}.${name}`)] : []),
    ]),
  ];
}

/** What a row claims by itself may not look like a stamp; what is judged may not look like a judgement. The result of an act names it. */
function takenColumns(relation: string): readonly string[] {
  const namespace = namespaceOf(relation);
  if (namespace === 'observation' || namespace === 'queryresult') return STAMPED_COLUMNS;
  if (namespace !== 'candidate' && namespace !== 'proposal') return [];
  return [...STAMPED_COLUMNS, ...JUDGED_COLUMNS].filter((column) => column !== 'act' || !relation.endsWith('Result'));
}

function scopeIssues(ontologies: readonly OntologyIR[]): Issue[] {
  const scopes = new Set(ontologies.map(({ scope }) => `session ${sortText(scope.session)}, actor ${sortText(scope.actor)}`));
  return scopes.size > 1 ? [issue('dsl/scope-mismatch', `two ontologies with two scopes: ${[...scopes].sort().join('; ')}`)] : [];
}

function kindIssues(ontologies: readonly OntologyIR[], declared: ReadonlyMap<string, RelationIR>): Issue[] {
  const actions = new Set(ontologies.flatMap(({ actions }) => Object.keys(actions)));
  const kinds = new Map<string, Set<string>>();
  for (const relation of declared.keys()) {
    const namespace = namespaceOf(relation);
    const name = ownName(relation);
    if ((namespace !== 'candidate' && namespace !== 'proposal' && namespace !== 'query') || name.includes('.')) continue;
    const kind = namespace === 'proposal' && actions.has(name) ? 'action' : namespace;
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  }
  // Within one ontology the declaration told it already.
  const told = ontologies.flatMap(({ issues }) => issues.map(({ what }) => what)).join('\n');
  return [...kinds].flatMap(([name, as]) =>
    as.size > 1 && !told.includes(`${name} is declared as`)
      ? [issue('dsl/kind-twice', `${name} is declared as ${[...as].join(' and as ')}`)]
      : [],
  );
}

/** A brand is known by its name alone, so it stands for one schema in the whole program. */
function brandIssues(declared: ReadonlyMap<string, RelationIR>): Issue[] {
  const brands = new Map<string, string>();
  const seen = new Set<z.ZodType>();
  const refused = new Set<string>();
  return [...declared.values()].flatMap((relation) =>
    Object.entries({ ...relation.columns, ...relation.reserved }).flatMap(([column, schema]) => {
      if (seen.has(schema)) return [];
      seen.add(schema);
      const brand = brandOf(schema);
      if (brand === undefined || sortOfColumn(schema) === undefined) return [];
      const digest = schemaDigest(schema);
      const known = brands.get(brand) ?? digest;
      brands.set(brand, known);
      if (known === digest || refused.has(brand)) return [];
      refused.add(brand);
      return [issue('load/brand-twice', `brand ${brand} has two schemas, one of them in ${relation.name}.${column}`)];
    }),
  );
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
function sortOfColumn(schema: z.ZodType): Sort | undefined {
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
  const { name, key = null, identity = null, recorded = null } = relation;
  return JSON.stringify([name, columns(relation.columns), columns(relation.reserved), key, identity, recorded]);
}

function relationOf(relation: RelationIR): Relation {
  const namespace = namespaceOf(relation.name);
  const own = columnsOf(relation.columns, (name) => namespace === 'observation' && Object.hasOwn(STAMPS, name));
  const stamps = columnsOf(relation.reserved, () => true).filter(({ name }) => !Object.hasOwn(relation.columns, name));
  const life = namespace === undefined ? 'view' : LIVES[namespace];
  return {
    name: relation.name,
    life,
    columns: namespace === 'intent' || namespace === 'due' ? actColumns(own, stamps) : [...own, ...stamps],
    ...(relation.key === undefined ? {} : { key: relation.key }),
  };
}

/** An act has an id and its bindings; when its proposal came is the proposal's. */
function actColumns(own: readonly Column[], stamps: readonly Column[]): Column[] {
  const id = [...own, ...stamps].find(({ name }) => name === 'id') ?? {
    name: 'id',
    sort: { base: 'string' as const },
    schema: z.string(),
    isReserved: false,
  };
  return [{ ...id, isReserved: false }, ...own.filter(({ name }) => name !== 'id')];
}

/** Stamped columns that may stand in the key of an observation: the stamp is the key. */
const STAMPS = { session: true, actor: true };

const LIVES: Readonly<Record<NonNullable<ReturnType<typeof namespaceOf>>, Life>> = {
  observation: 'report',
  receipt: 'report',
  'queryresult.outcome': 'report',
  lifecycle: 'report',
  confirmed: 'report',
  candidate: 'report',
  queryresult: 'report',
  proposal: 'report',
  admitted: 'record',
  started: 'record',
  withdrawn: 'record',
  conflict: 'record',
  'decision.accepted': 'record',
  'decision.approved': 'record',
  'decision.rejected': 'record',
  'decision.revoked': 'record',
  'decision.held': 'view',
  fact: 'view',
  intent: 'view',
  due: 'view',
  approvedView: 'view',
  candidateView: 'view',
  proposalView: 'view',
  query: 'query',
};

function columnsOf(schemas: RelationIR['columns'], isReserved: (name: string) => boolean): Column[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const sort = sortOfColumn(schema);
    return sort === undefined ? [] : [{ name, sort, schema, isReserved: isReserved(name) }];
  });
}

/** A decision restates what it judges, so its relation has every column of its source. */
function verdictIssues(declared: ReadonlyMap<string, RelationIR>): Issue[] {
  return [...sourcesOf(declared).values()].flatMap((source) =>
    ['accepted', 'approved', 'rejected', 'held', 'revoked'].flatMap((verdict) => {
      const decision = declared.get(`decision.${verdict}.${source.decided}`);
      const restated = [...source.payload, ...Object.keys(source.constants)];
      const missing = restated.filter((column) => decision !== undefined && !Object.hasOwn(decision.columns, column));
      return missing.map((column) =>
        issue('load/malformed', `decision.${verdict}.${source.decided} lacks the column ${column} of ${source.relation}`),
      );
    }),
  );
}

function sourcesOf(declared: ReadonlyMap<string, RelationIR>): ReadonlyMap<string, Source> {
  return new Map(
    [...declared.values()].flatMap((relation) => {
      const source = sourceOf(relation, declared);
      return source === undefined ? [] : [[source.name, source] as const];
    }),
  );
}

function sourceOf(relation: RelationIR, declared: ReadonlyMap<string, RelationIR>): Source | undefined {
  const namespace = namespaceOf(relation.name);
  if (namespace !== 'candidate' && namespace !== 'proposal' && namespace !== 'queryresult') return undefined;
  const name = ownName(relation.name);
  const isRequest = name.startsWith('queryRequested.');
  const decided = isRequest ? 'queryExecute' : name;
  const recorded = ['accepted', 'approved'].flatMap((verdict) => declared.get(`decision.${verdict}.${decided}`)?.recorded ?? []);
  return {
    name,
    relation: relation.name,
    grade: namespace === 'proposal' ? 'proposal' : 'candidate',
    decided,
    payload: isRequest ? [] : Object.keys(relation.columns),
    constants: isRequest ? { query: name.slice('queryRequested.'.length) } : {},
    recorded: [...new Set(recorded)],
    ...(namespace === 'proposal' && declared.has(`intent.${decided}`) ? { intent: decided } : {}),
  };
}

function intentOf(relation: RelationIR): (readonly [string, Intent])[] {
  if (namespaceOf(relation.name) !== 'intent') return [];
  const name = ownName(relation.name);
  return [
    [
      name,
      {
        name,
        identity: relation.identity ?? ['id'],
        columns: ['id', ...Object.keys(relation.columns).filter((column) => column !== 'id')],
      },
    ],
  ];
}
