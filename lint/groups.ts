/**
 * Which ontologies a part is of: those whose relations it names.
 *
 * Reads  the IR of a part, and the relation that each atom is of.
 * Gives  ontologies in the order of their writing.
 * Never  takes an ontology for another because they declare relations of one name.
 */
import type { OntologyIR } from '../dsl/ir.ts';
import type { Part, Survey } from './survey.ts';

/** Where a relation is named without an atom, as by an aggregate, it is that of the only ontology that has one of its name. */
export function ontologiesOf({ ir }: Part, { parts, relationOf }: Pick<Survey, 'parts' | 'relationOf'>): Part[] {
  const ontologies = parts.filter((one) => one.ir.kind === 'ontology');
  const found = new Set<Part>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { relation } = value as { readonly relation?: unknown };
    const having = typeof relation === 'string' ? ontologies.filter((one) => relationIn(one, relation) !== undefined) : [];
    const own = having.filter((one) => relationIn(one, String(relation)) === relationOf.get(value));
    const [only, ...others] = own.length > 0 ? own : having;
    if (only !== undefined && others.length === 0) found.add(only);
    Object.values(value).forEach(visit);
  };
  visit(ir);
  return ontologies.filter((one) => found.has(one));
}

function relationIn({ ir }: Part, name: string): object | undefined {
  const { relations } = ir as OntologyIR;
  return Object.hasOwn(relations, name) ? relations[name] : undefined;
}
