/**
 * Judges what a survey found by the loader's own checks, and places each issue where its part was written.
 *
 * Reads  programs, and the rules that stand in none.
 * Gives  findings in the loader's words; of a way around a decision one for each rule on it.
 * Never  judges differently from the loader: it runs the same checks on the same values.
 */
import type { ts } from 'ts-morph';
import {
  irOf,
  type Atom,
  type DecideIR,
  type InvariantIR,
  type Location,
  type OntologyIR,
  type ProgramIR,
  type RulesetIR,
} from '../dsl/ir.ts';
import type { Issue } from '../dsl/issue.ts';
import { program } from '../dsl/program.ts';
import { ruleset } from '../dsl/rule.ts';
import { describe } from '../dsl/value.ts';
import { check, type Check } from '../src/load/load.ts';
import { adviceOn, judgedIn, undecided } from './advice.ts';
import { detours, type Detour } from './detours.ts';
import { finding, findingOf, spanOf, type Finding } from './finding.ts';
import { graphOf, type Graph } from './graph.ts';
import { ontologiesOf } from './groups.ts';
import { nameOfCall, placeOf, type Part, type Survey } from './survey.ts';
import type { Symbols } from './symbols.ts';
import { NotFollowed } from './values.ts';

export function judge(found: Survey, symbols: Symbols): Finding[] {
  const book = new Book(found, symbols);
  const programs = found.parts.filter(({ ir }) => ir.kind === 'program');
  return [
    ...programs.flatMap((part) => judged(part.value, part, book)),
    ...apart(book, programs),
    ...unjudged(book, programs),
    ...found.refused.flatMap(({ node, issues }) => issues.map((one) => findingOf(one, node))),
  ];
}

export function graphsIn({ parts }: Survey): Graph[] {
  return parts.flatMap(({ value, ir }) => {
    const result = ir.kind === 'program' ? checked(value) : undefined;
    const { name } = ir as { readonly name?: unknown };
    return result === undefined || result instanceof NotFollowed ? [] : [graphOf(isText(name) ? name : '', result)];
  });
}

/** What one program leaves to another is judged. */
function unjudged(book: Book, programs: readonly Part[]): Finding[] {
  const checks = programs.flatMap((part) => {
    const result = checked(part.value);
    return result instanceof NotFollowed ? [] : [{ part, result, isWhole: part.lacks === undefined && result.issues.length === 0 }];
  });
  const decided = book.of('decide').map(({ ir }) => (ir as DecideIR).source?.relation);
  const known = new Set([...checks.flatMap(({ result }) => judgedIn(result)), ...decided]);
  return checks.flatMap(({ part, result, isWhole }) =>
    isWhole
      ? undecided(result, known).map(({ code, what, relation = '' }) => finding(code, what, book.declaring(relation, part) ?? part.node))
      : [],
  );
}

/** The parts of a survey, and where each was written. */
export class Book {
  readonly parts: readonly Part[];
  readonly relationOf: Survey['relationOf'];
  readonly #givenAway: Survey['givenAway'];
  readonly #nodes = new Map<Location, ts.Node>();

  constructor({ parts, relationOf, givenAway }: Survey, symbols: Symbols) {
    this.parts = parts;
    this.relationOf = relationOf;
    this.#givenAway = givenAway;
    for (const { node } of parts) {
      const name = nameOfCall(node, symbols);
      this.#nodes.set(placeOf(name), node);
    }
  }

  nodeAt(location: Location | undefined): ts.Node | undefined {
    return location === undefined ? undefined : this.#nodes.get(location);
  }

  /** Whether something has it that could not be followed: what becomes of it there is not known. */
  isGivenAway(ir: object): boolean {
    return this.#givenAway.has(ir);
  }

  /** Where a relation of a program is declared. */
  declaring(relation: string, { ir }: Part): ts.Node | undefined {
    const { ontologies } = ir as ProgramIR;
    const has = (one: Part) => ontologies.includes(one.ir as OntologyIR) && Object.hasOwn((one.ir as OntologyIR).relations, relation);
    return this.of('ontology').find(has)?.node;
  }

  of(kind: string): readonly Part[] {
    return this.parts.filter(({ ir }) => ir.kind === kind);
  }
}

function judged(value: object, part: Part, book: Book): Finding[] {
  const result = checked(value);
  if (result instanceof NotFollowed) return [finding('lint/not-followed', result.message, result.unread.node)];
  const ways = detours(result);
  const nodeOf = new Map(result.authored.map(({ id, location }) => [id, book.nodeAt(location)]));
  const issues = result.issues.filter((one) => one.code !== 'load/cut-bypassed' && !isGuess(one, part));
  return [
    ...issues.map((one) => findingOf(one, nodeFor(one, result, book, value) ?? part.node)),
    ...ways.map((way) => detourFinding(way, nodeOf, part.node)),
    ...(issues.length === 0 && part.lacks === undefined ? adviceOn(result) : []).map((one) =>
      finding(one.code, one.what, nodeOf.get(one.rule ?? '') ?? part.node),
    ),
  ];
}

/** A schema may hold a function of the author that is asked about a constant. */
function checked(value: object): Check | NotFollowed {
  const known = checks.get(value) ?? attempt(value);
  checks.set(value, known);
  return known;
}
const checks = new WeakMap<object, Check | NotFollowed>();

function attempt(value: object): Check | NotFollowed {
  try {
    return check(value);
  } catch (error) {
    if (error instanceof NotFollowed) return error;
    throw error;
  }
}

/** Where something of a program could not be followed, what it lacks is most likely that. */
function isGuess({ code }: Issue, { lacks }: Part): boolean {
  return lacks !== undefined && code === 'load/relation-unknown';
}

function detourFinding({ edge, path }: Detour, nodeOf: ReadonlyMap<string, ts.Node | undefined>, otherwise: ts.Node): Finding {
  const trail = `${path[0]?.from ?? ''}${path.map(({ to, by }) => ` -[${by}]-> ${to}`).join('')}`;
  const related = path.flatMap((step) => {
    const node = nodeOf.get(step.by);
    return step.by === edge.by || node === undefined ? [] : [{ ...spanOf(node), what: `${step.by}: ${step.to} reads ${step.from}` }];
  });
  const what = `${path[0]?.from ?? ''} reaches ${path.at(-1)?.to ?? ''} without a decision: ${trail}`;
  return finding('load/cut-bypassed', what, nodeOf.get(edge.by) ?? otherwise, related);
}

/** An issue begins with the place that it is about: of a rule, a clause, a decide, an invariant; or with the name of a relation. */
function nodeFor({ what }: Issue, { authored }: Check, book: Book, value: unknown): ts.Node | undefined {
  const known = authored
    .filter(({ place }) => what.startsWith(`${place}:`) || what.startsWith(`${place} `))
    .sort((left, right) => right.place.length - left.place.length);
  const [nearest] = known;
  const ir = irOf(value) as ProgramIR | undefined;
  const invariant = ir?.invariants.find(
    (one: InvariantIR | null) => isText(one?.name) && what.startsWith(`invariant ${describe(one.name)}`),
  );
  const decide = ir?.rules.find((one) => one?.kind === 'decide' && isText(one.name) && what.startsWith(`decide ${one.name}:`)) as
    DecideIR | undefined;
  const ontology = book
    .of('ontology')
    .find(({ ir: one }) => ir?.ontologies.includes(one as OntologyIR) && isAbout(what, one as OntologyIR));
  return book.nodeAt(nearest?.location) ?? book.nodeAt(invariant?.location) ?? book.nodeAt(decide?.location) ?? ontology?.node;
}

function isAbout(what: string, { relations, issues }: OntologyIR): boolean {
  return Object.keys(relations).some((name) => what.startsWith(name)) || issues.some((one) => one.what === what);
}

/** Rules, rulesets and decides that stand in no program: each is judged by itself, with the ontologies whose relations it names. */
function apart(book: Book, programs: readonly Part[]): Finding[] {
  const used = new Set(programs.flatMap(({ ir }) => partsOf(ir as ProgramIR)));
  const rulesets = book.of('ruleset');
  const placed = new Set<unknown>(rulesets.flatMap(({ ir }) => Object.values((ir as RulesetIR).rules)));
  const rules = book.of('rule').filter(({ ir }) => !placed.has(ir));
  const loose = [...rulesets, ...ends(book.of('decide')), ...book.of('invariant')].filter(({ ir }) => !used.has(ir));
  const unused = programs.length === 0 ? [] : [...rules, ...loose].filter(({ ir }) => !book.isGivenAway(ir));
  return [
    ...unused.map((part) =>
      finding('lint/unused', `${called(part)} stands in no ${part.ir.kind === 'rule' ? 'ruleset' : 'program'}`, part.node),
    ),
    ...[...rules, ...loose].flatMap((part) => judged(alone(part, ontologiesOf(part, book)), part, book)),
  ];
}

function partsOf({ rules, queries, invariants }: ProgramIR): unknown[] {
  return [...rules, ...queries, ...invariants];
}

/** A program of one part. The builders made it; its types are of no use to who has read it. */
function alone({ value, ir }: Part, ontologies: readonly Part[]): object {
  const parts = { name: 'apart', ontologies: ontologies.map((one) => one.value) as never };
  if (ir.kind === 'invariant') return program({ ...parts, invariants: [value as never] });
  const isQuery = ir.kind === 'ruleset' && Object.values((ir as RulesetIR).rules).some((one) => one?.head.relation.startsWith('query.'));
  const whole = ir.kind === 'rule' ? ruleset('apart', { rule: value as never }) : (value as never);
  return program({ ...parts, [isQuery ? 'queries' : 'rules']: [whole] });
}

/** A decide is made link by link; the last one is it. */
function ends(decides: readonly Part[]): Part[] {
  const begun = new Set(decides.flatMap(({ node }) => receiverOf(node) ?? []));
  return decides.filter(({ node }) => !begun.has(node));
}

function receiverOf(node: ts.CallExpression): ts.Node | undefined {
  return 'expression' in node.expression ? (node.expression as ts.PropertyAccessExpression).expression : undefined;
}

function called({ ir }: Part): string {
  const { kind = '', name, head } = ir as { readonly kind?: string; readonly name?: unknown; readonly head?: Atom };
  const own = name ?? head?.relation;
  return isText(own) ? `${kind} ${own}` : kind;
}

/** What a builder was given as a name may be anything. */
function isText(name: unknown): name is string {
  return typeof name === 'string';
}
