/**
 * An ontology: the relations that an application declares, and those that follow from them.
 *
 * Reads  a declaration by kinds.
 * Gives  a relation function under each namespace, one variable per column name, and the whole as `OntologyIR`.
 * Never  throws for a wrong declaration: its issues travel in the IR to the loader, which tells them with the program's.
 */
import { carry, record } from './carry.ts';
import { readDeclaration, relationsOf, type Declared, type DeclaredAction, type Placed } from './declare.ts';
import { faultsOf } from './faults.ts';
import type { ActionIR, OntologyIR, QueryDeclarationIR } from './ir.ts';
import type { Ontology, OnlyKnown } from './ontology-types.ts';
import { relation } from './relation.ts';
import type { Declarations } from './shape.ts';
import { variable } from './term.ts';

export function defineOntology<const D extends Declarations>(declarations: D & OnlyKnown<D>): Ontology<D> {
  const declared = readDeclaration(declarations);
  const placed = relationsOf(declared);
  // The type is computed from the declaration; a test compares it with what is built here, name by name.
  return carry({ ...namespaces(placed), vars: variables(placed) }, ontologyIR(declared, placed));
}

function ontologyIR(declared: Declared, placed: readonly Placed[]): OntologyIR {
  return Object.freeze({
    kind: 'ontology',
    // The same schemas, under zod's own type.
    scope: Object.freeze(declared.scope) as never,
    relations: record(placed.map(({ relation: ir }) => [ir.name, ir] as const)),
    actions: record([...declared.action].map(([name, action]) => [name, actionIR(name, action)] as const)),
    queries: record([...declared.query].map(([name, query]) => [name, queryIR(name, query)] as const)),
    issues: faultsOf(declared),
  });
}

function actionIR(name: string, action: DeclaredAction): ActionIR {
  const { identity, capability } = action;
  return Object.freeze({
    name,
    in: Object.freeze(Object.keys(action.in)),
    receipt: Object.freeze(Object.keys(action.receipt)),
    evidence: Object.freeze(Object.keys(action.evidence ?? {})),
    ...(identity === undefined ? {} : { identity }),
    ...(capability === undefined ? {} : { capability }),
  });
}

function queryIR(name: string, query: { readonly in: object; readonly out: object }): QueryDeclarationIR {
  return Object.freeze({ name, in: Object.freeze(Object.keys(query.in)), out: Object.freeze(Object.keys(query.out)) });
}

const VERDICTS = ['accepted', 'approved', 'rejected', 'held', 'revoked'] as const;
const FLAT = [
  ...['observation', 'candidate', 'confirmed', 'fact', 'intent', 'admitted', 'started', 'withdrawn', 'conflict', 'due', 'receipt'],
  ...['queryresult', 'query', 'approvedView', 'candidateView', 'proposalView', 'lifecycle'],
];

/** Every namespace is there, also an empty one, and none has a prototype. */
function namespaces(placed: readonly Placed[]): Record<string, unknown> {
  const byNamespace = new Map<string, [string, unknown][]>();
  for (const { namespace, own, relation: ir } of placed) {
    const relations = byNamespace.get(namespace) ?? [];
    relations.push([own, relation(ir)]);
    byNamespace.set(namespace, relations);
  }
  const of = (namespace: string, more: readonly [string, unknown][] = []) => record([...(byNamespace.get(namespace) ?? []), ...more]);
  return {
    ...Object.fromEntries(FLAT.map((namespace) => [namespace, of(namespace)])),
    proposal: of('proposal', [['queryRequested', of('proposal.queryRequested')]]),
    decision: record(VERDICTS.map((verdict) => [verdict, of(`decision.${verdict}`)] as const)),
  };
}

/** One variable per column name, declared, generated or stamped. */
function variables(placed: readonly Placed[]): unknown {
  const columns = placed.flatMap(({ relation: ir }) => [...Object.keys(ir.columns), ...Object.keys(ir.reserved)]);
  return record([...new Set([...columns, 'by', 'act', 'req'])].map((name) => [name, variable(name)] as const));
}
