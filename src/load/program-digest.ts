/**
 * The digest of a program: what it means, and nothing of how it was laid out in files.
 *
 * Reads  the program's IR and the functions that it calls.
 * Gives  SHA-256 over canonical JSON: names, relations with the JSON schemas of their columns, rules, decides, invariants, queries,
 *        functions by name, version and types.
 * Never  holds a source location, an implementation's text, or the order in which rules and ontologies were listed.
 */
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { InvariantIR, ProgramIR, RulesetIR } from '../../dsl/ir.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Authored } from './authored.ts';
import { schemaDigest, shapeOf } from './merge.ts';
import { functionsOf } from './shape.ts';

export function programDigest(program: ProgramIR, authored: readonly Authored[]): string {
  const { name, ontologies, rules, queries, invariants } = program;
  return sha256(
    canonicalJson({
      name,
      relations: sorted(ontologies.flatMap((ontology) => Object.values(ontology.relations).map(shapeOf))),
      actions: sorted(ontologies.flatMap((ontology) => Object.values(ontology.actions).map(canonicalJson))),
      queryDeclarations: sorted(ontologies.flatMap((ontology) => Object.values(ontology.queries).map(canonicalJson))),
      rules: rulesOf(rules.filter((part) => part.kind === 'ruleset')),
      decides: sorted(rules.flatMap((part) => (part.kind === 'decide' ? [withoutLocation(part)] : []))),
      groups: sorted(rules.flatMap((part) => (part.kind === 'together' ? [canonicalJson([...part.sources].sort(byCodePoint))] : []))),
      queries: rulesOf(queries),
      invariants: sorted(invariants.map((one: InvariantIR) => withoutLocation(one))),
      functions: [...functionsOf(authored)].map(([id, { input, output }]) => [id, input.map(schemaDigest), schemaDigest(output)]),
    }),
  );
}

/** Relations and modules that two ontologies share are listed once. */
function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(byCodePoint);
}

function rulesOf(rulesets: readonly RulesetIR[]): readonly string[] {
  return sorted(
    rulesets.flatMap(({ name, rules }) =>
      Object.entries(rules).map(([key, { head, body }]) => canonicalJson([`${name}.${key}`, head, body])),
    ),
  );
}

function withoutLocation(part: object & { readonly location?: string }): string {
  const { location: _, ...rest } = part;
  return canonicalJson(rest);
}
