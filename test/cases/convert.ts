/**
 * A neutral program as a program of the language, through the public builders alone.
 *
 * Reads  relations, facts and rules of the neutral format.
 * Gives  `fact.*` for every relation; a keyed observation for every relation with facts, its whole row being the key, and a rule that copies it.
 * Never  refuses: an undeclared relation, a second declaration, a short row reach the loader and the ledger as they are.
 */
import type { Program } from '../../src/index.ts';
import { flatten, type FlatRule } from './aggregates.ts';
import { builders, type Built, type BuiltOntology, type BuiltRelation } from './builders.ts';
import { schemaOf } from './functions.ts';
import { namer, type Namer } from './names.ts';
import type { NeutralProgram, Relation, Row, Type } from './neutral.ts';
import { buildRule, type Declared } from './rules.ts';
import { typeOf, typesOf } from './types.ts';
import { userTypesOf, type UserTypes } from './user-types.ts';

/** A row of a keyed observation, to be reported or ended. */
export interface Fact {
  readonly relation: string;
  readonly columns: Readonly<Record<string, string | number>>;
}
export interface Converted {
  readonly program: Program;
  /** Each once. */
  readonly facts: readonly Fact[];
  /** The name of a relation or a variable in the converted program; undefined where the program has nothing of that name. */
  readonly nameOf: (name: string) => string | undefined;
  readonly relations: readonly { readonly name: string; readonly converted: string; readonly columns: readonly string[] }[];
}

export function convert(neutral: NeutralProgram): Converted {
  const name = namer();
  const { rules, helpers } = flatten(neutral.rules, neutral.relations);
  const relations = [...neutral.relations, ...helpers];
  const known = new Map(relations.map((relation) => [relation.name, relation]));
  const types = userTypesOf(neutral.id);
  const ontologies = declare(relations, new Set(Object.keys(neutral.facts)), name, types);
  const missing = declareMissing(rules, known, name);
  const declared: Declared = (relation) => {
    const found = [...ontologies, missing].flatMap((ontology) => ontology.fact[name(relation)] ?? []);
    // Every name that a rule uses stands in one of the ontologies.
    return { relation: found[0] as BuiltRelation, arity: known.get(relation)?.args.length };
  };
  const rulesets = [
    builders.ruleset('copies', numbered(copies(neutral, known, ontologies, name))),
    builders.ruleset('rules', numbered(rules.map((rule) => buildRule(rule, typesOf(rule, known), declared)))),
  ];
  return {
    program: builders.program({ name: 'case', ontologies, rules: rulesets }),
    facts: factsOf(neutral, name),
    nameOf: (subject) => nameIn(neutral, subject, name),
    relations: neutral.relations.map((relation) => ({
      name: relation.name,
      converted: `fact.${name(relation.name)}`,
      columns: relation.args.map((_, i) => `a${i}`),
    })),
  };
}

/** One ontology; a relation that is declared again stands in another one, and the two are for the loader to merge. */
function declare(relations: readonly Relation[], withFacts: ReadonlySet<string>, name: Namer, types: UserTypes): readonly BuiltOntology[] {
  const [first, again] = [new Map<string, Relation>(), new Map<string, Relation>()];
  for (const relation of relations) (first.has(relation.name) ? again : first).set(relation.name, relation);
  return [first, again]
    .filter((group, i) => i === 0 || group.size > 0)
    .map((group) => ontology([...group.values()], withFacts, name, types));
}

function ontology(relations: readonly Relation[], withFacts: ReadonlySet<string>, name: Namer, types: UserTypes): BuiltOntology {
  const shapes = relations.map((relation) => [name(relation.name), shapeOf(relation, types), withFacts.has(relation.name)] as const);
  return builders.defineOntology({
    observation: Object.fromEntries(shapes.flatMap(([key, shape, hasFacts]) => (hasFacts ? [[key, builders.keyed(shape, {})]] : []))),
    fact: Object.fromEntries(shapes.map(([key, shape]) => [key, shape])),
  });
}

function shapeOf(relation: Relation, types: UserTypes) {
  return Object.fromEntries(relation.args.map((column, i) => [`a${i}`, types(relation.name, column.name) ?? schemaOf[column.type]]));
}

/** What rules name and nothing declares gets an ontology that the program leaves out, so that only the loader can know. */
function declareMissing(rules: readonly FlatRule[], known: ReadonlyMap<string, Relation>, name: Namer): BuiltOntology {
  const missing = new Map<string, Relation>();
  for (const rule of rules) {
    const atoms = [
      rule.head,
      ...rule.body.flatMap((literal) => ('atom' in literal ? [literal.atom] : 'rows' in literal ? [literal.rows.over] : [])),
    ];
    for (const { rel, args } of atoms) {
      if (known.has(rel)) continue;
      const types = typesOf(rule, known);
      const column = (i: number): Type => typeOf(args[i] ?? { wild: true }, types) ?? 'string';
      missing.set(rel, { name: rel, args: args.map((_, i) => ({ name: `a${i}`, type: column(i) })) });
    }
  }
  return ontology([...missing.values()], new Set(), name, () => undefined);
}

/** Facts of an undeclared relation have nothing to be copied into: their report is refused. */
function copies(neutral: NeutralProgram, known: ReadonlyMap<string, Relation>, ontologies: readonly BuiltOntology[], name: Namer): Built[] {
  return Object.keys(neutral.facts).flatMap((relation) => {
    const declaration = known.get(relation);
    const [fact, observation] = [ontologies[0]?.fact[name(relation)], ontologies[0]?.observation[name(relation)]];
    if (declaration === undefined || fact === undefined || observation === undefined) return [];
    const all = builders.vars(Object.fromEntries(declaration.args.map((column, i) => [`a${i}`, schemaOf[column.type]])));
    return [builders.rule(fact(all)).when(observation(all))];
  });
}

function factsOf(neutral: NeutralProgram, name: Namer): readonly Fact[] {
  return Object.entries(neutral.facts).flatMap(([relation, rows]) => {
    const distinct = new Map<string, Row>(rows.map((row) => [JSON.stringify(row), row]));
    return [...distinct.values()].map((row) => ({
      relation: `observation.${name(relation)}`,
      columns: Object.fromEntries(row.map((value, i) => [`a${i}`, value])),
    }));
  });
}

function numbered(rules: readonly Built[]): Readonly<Record<string, Built>> {
  return Object.fromEntries(rules.map((rule, i) => [`r${i}`, rule]));
}

function nameIn({ relations, facts, rules }: NeutralProgram, subject: string, name: Namer): string | undefined {
  const text = JSON.stringify(rules);
  const isRelation =
    relations.some((relation) => relation.name === subject) ||
    Object.hasOwn(facts, subject) ||
    text.includes(`"rel":${JSON.stringify(subject)}`);
  if (isRelation) return name(subject);
  return text.includes(`{"var":${JSON.stringify(subject)}}`) ? namer()(subject) : undefined;
}
