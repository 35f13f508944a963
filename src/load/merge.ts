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
import { namespaceOf, ownName, type GradeOfSource } from '../../dsl/law.ts';
import { declarationIssues, isShared, relationIssues, shapeOf, sortOfColumn } from './declared.ts';
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
    issues,
  };
}

function takeRelations(ontology: OntologyIR, declared: Map<string, RelationIR>): Issue[] {
  // What the declaration itself told already is not told again in other words.
  const told = new Set<string>(ontology.issues.map(({ code }) => code));
  return Object.values(ontology.relations).flatMap((relation) => {
    const known = declared.get(relation.name);
    declared.set(relation.name, known ?? relation);
    const issues = relationIssues(relation).filter(({ code }) => !told.has(code));
    if (known === undefined || (isShared(relation.name) && shapeOf(known) === shapeOf(relation))) return issues;
    return [...issues, issue('load/relation-twice', `${relation.name} is declared by two ontologies`)];
  });
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
