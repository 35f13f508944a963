/**
 * Merges a program's ontologies into one table of relations, sources and intents.
 *
 * Reads  the declarations of every ontology.
 * Gives  each relation once, with its sorts in engine order; what is judged; what is acted on; and the issues of the declarations.
 * Never  lets a second declaration win: two shapes of one name are an issue, whichever came first.
 */
import * as z from 'zod';
import type { ActionIR, OntologyIR, ProgramIR, RelationIR } from '../../dsl/ir.ts';
import { issue, isIssueCode, type Issue, type IssueCode } from '../../dsl/issue.ts';
import { namespaceOf, ownName, type GradeOfSource } from '../../dsl/law.ts';
import { declarationIssues, isShared, relationIssues, scopeIssues, shapeOf, sortOfColumn, twoKinds } from './declared.ts';
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

export interface Merged {
  readonly declarations: Declarations;
  /** Whether every name that rules use stands for one thing, of known columns. */
  readonly isSound: boolean;
  readonly issues: readonly Issue[];
}

export function merge(program: ProgramIR): Merged {
  const { ontologies } = program;
  const issues: Issue[] = ontologies.flatMap((ontology) =>
    ontology.issues.map(({ code, what }) => issue(isIssueCode(code) ? code : 'load/malformed', what)),
  );
  const { declared, issues: taken } = takeRelations(ontologies);
  issues.push(...taken);
  const relations = new Map([...declared.values()].map((relation) => [relation.name, relationOf(relation)]));
  const sources = sourcesOf(declared);
  issues.push(...declarationIssues(ontologies, declared, sources.values()));
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
    isSound: issues.every(({ code }) => HARMLESS.has(code)),
    issues,
  };
}
/** Faults of a declaration that leave no doubt what its names stand for. */
const HARMLESS: ReadonlySet<string> = new Set<IssueCode>([
  'dsl/name-malformed',
  'dsl/name-reserved',
  'dsl/column-reserved',
  'dsl/identity-unknown',
]);

function takeRelations(ontologies: readonly OntologyIR[]): {
  readonly declared: ReadonlyMap<string, RelationIR>;
  readonly issues: readonly Issue[];
} {
  const declared = new Map<string, RelationIR>();
  const issues: Issue[] = [];
  const unreadable = new Set<z.ZodType>();
  const twice = new Map<string, string>();
  for (const ontology of ontologies) {
    // What the declaration itself told already is not told again in other words.
    const told = new Set<string>(ontology.issues.map(({ code }) => code));
    for (const relation of Object.values(ontology.relations)) {
      const known = declared.get(relation.name);
      declared.set(relation.name, known ?? relation);
      issues.push(...relationIssues(relation, unreadable).filter(({ code }) => !told.has(code)));
      if (known === undefined || !isReadable(relation, unreadable)) continue;
      if (isShared(relation.name) && shapeOf(known) === shapeOf(relation)) continue;
      const family = familyOf(relation.name, ontology);
      if (!twice.has(family)) twice.set(family, relation.name);
    }
  }
  const kinds = twoKinds(ontologies, declared);
  const isMixed = scopeIssues(ontologies).length > 0;
  const names = [...twice].flatMap(([family, name]) => (kinds.has(family) || (isMixed && isShared(name)) ? [] : [name]));
  return { declared, issues: [...issues, ...names.map((name) => issue('load/relation-twice', `${name} is declared by two ontologies`))] };
}

function isReadable({ columns, reserved }: RelationIR, unreadable: ReadonlySet<z.ZodType>): boolean {
  return [columns, reserved].every((schemas) => Object.values(schemas).every((schema) => !unreadable.has(schema)));
}

/** What is declared under one name is one declaration, with all that follows from it: told once. A fact or a view is its own. */
function familyOf(name: string, { actions }: OntologyIR): string {
  const namespace = namespaceOf(name);
  if (namespace === undefined || OWN.has(namespace)) return name;
  const own = ownName(name).replace(/^queryRequested\./, '');
  return own.endsWith('Result') && Object.hasOwn(actions, own.slice(0, -'Result'.length)) ? own.slice(0, -'Result'.length) : own;
}
const OWN: ReadonlySet<string> = new Set(['observation', 'fact', 'approvedView', 'candidateView', 'proposalView', 'lifecycle']);

function relationOf(relation: RelationIR): Relation {
  const namespace = namespaceOf(relation.name);
  const own = columnsOf(relation.columns, (name) => namespace === 'observation' && Object.hasOwn(STAMPS, name));
  const stamps = columnsOf(relation.reserved, () => true).filter(({ name }) => !Object.hasOwn(relation.columns, name));
  const life = namespace === undefined ? 'view' : LIVES[namespace];
  return {
    name: relation.name,
    life,
    columns: namespace === 'intent' || namespace === 'due' ? actColumns(own, stamps) : [...own, ...stamps],
    ...(relation.key === undefined ? {} : { key: relation.key, rising: relation.rising ?? [] }),
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
  const columns: Column[] = [];
  for (const name of Object.keys(schemas)) {
    const schema = schemas[name];
    const sort = schema === undefined ? undefined : sortOfColumn(schema);
    if (schema !== undefined && sort !== undefined) columns.push({ name, sort, schema, isReserved: isReserved(name) });
  }
  return columns;
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
