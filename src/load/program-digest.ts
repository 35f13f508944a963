/**
 * The digest of a program: what it means, and nothing of how it was laid out in files.
 *
 * Reads  the program's IR and the functions that it calls.
 * Gives  SHA-256 over canonical JSON: names, relations with the JSON schemas of their columns, rules, decides, invariants, queries,
 *        functions by name, version and types.
 * Never  holds a source location, an implementation's text, or the order in which rules and ontologies were listed.
 */
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { DecideIR, DeclarationIR, InvariantIR, ProgramIR, RulesetIR } from '../../dsl/ir.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Authored } from './authored.ts';
import { schemaDigest, shapeOf } from './declared.ts';
import { functionsOf } from './shape.ts';

export function programDigest(program: ProgramIR, authored: readonly Authored[]): string {
  const { name, ontologies, rules, queries, invariants, declarations } = program;
  return sha256(
    canonicalJson({
      name,
      relations: unordered(ontologies.flatMap((ontology) => Object.values(ontology.relations).map(shapeOf))),
      actions: unordered(ontologies.flatMap((ontology) => Object.values(ontology.actions).map(canonicalJson))),
      queryDeclarations: unordered(ontologies.flatMap((ontology) => Object.values(ontology.queries).map(canonicalJson))),
      rules: rulesOf(rules.filter((part) => part.kind === 'ruleset')),
      decides: unordered(rules.flatMap((part) => (part.kind === 'decide' ? [decideText(part)] : []))),
      groups: unordered(rules.flatMap((part) => (part.kind === 'together' ? [canonicalJson([...part.sources].sort(byCodePoint))] : []))),
      queries: rulesOf(queries),
      invariants: unordered(invariants.map((one: InvariantIR) => withoutLocation(one))),
      declarations: unordered(declarations.map(declarationText)),
      functions: [...functionsOf(authored)].map(([id, { input, output }]) => [id, input.map(schemaDigest), schemaDigest(output)]),
    }),
  );
}

/** A declaration with the digests of its schemas; a mapper is known by its kind's name and version, as a function is. */
function declarationText(one: DeclarationIR): string {
  if (one.kind !== 'reportKind') return canonicalJson(one);
  const payload = Object.entries(one.payload).map(([field, schema]) => [field, schemaDigest(schema)]);
  return canonicalJson([one.kind, one.name, one.version, payload, one.fallible, one.writes]);
}

/** One digest for a list without an order. A canonical text holds no line break; what two ontologies share is listed once. */
function unordered(texts: readonly string[]): string {
  const sorted = [...texts].sort();
  return sha256(sorted.filter((text, i) => text !== sorted[i - 1]).join('\n'));
}

function rulesOf(rulesets: readonly RulesetIR[]): string {
  return unordered(
    rulesets.flatMap(({ name, rules }) =>
      Object.entries(rules).map(([key, { head, body }]) => canonicalJson([`${name}.${key}`, head, body])),
    ),
  );
}

function decideText(ir: DecideIR): string {
  const clauses = ir.clauses.map(({ location: _, ...clause }) => clause);
  return withoutLocation({ ...ir, clauses } as DecideIR);
}

function withoutLocation(part: object & { readonly location?: string }): string {
  const { location: _, ...rest } = part;
  return canonicalJson(rest);
}
