/**
 * Loads a program: it is refused here, whole, with every issue at once, or becomes a plan.
 *
 * Reads  whatever was handed in as a program.
 * Gives  the plan that engine and world run by; or every issue, in a fixed order.
 * Never  gives a plan beside an issue.
 */
import type { DecideIR, ProgramIR } from '../../dsl/ir.ts';
import { CountersignError, issue, type Issue } from '../../dsl/issue.ts';
import { clearanceOf, ownName, type GradeOfSource } from '../../dsl/law.ts';
import { namespaceOf } from '../../dsl/law.ts';
import { didYouMean } from '../../dsl/name.ts';
import { describe } from '../../dsl/value.ts';
import { authoredInvariant, authoredRules, readsIn, type Authored } from './authored.ts';
import { authoredClauses, takeApart, type Decide } from './clauses.ts';
import { bypasses, runtimeEdges, type Bypass, type Edge } from './cut.ts';
import { consultingIntents, declarationIssues } from './declarations.ts';
import { decideIssues } from './decide-issues.ts';
import { faithIssues } from './faithful.ts';
import { evidenceIssues } from './functions.ts';
import { generatedRelations } from './generated.ts';
import { gradeFaults, type GradeFault } from './grades.ts';
import { lower } from './lower.ts';
import type { Lowered } from './lowered.ts';
import { merge, type Declarations } from './merge.ts';
import { plan, type Plan } from './plan.ts';
import { reach, type Reach } from './reach.ts';
import { reasonIssues } from './reasons.ts';
import { reasonsIn, rulesFor, type GivenReason, type RuleInWords } from './rulebook.ts';
import { shapesOf } from './shape.ts';
import { stratumIssues } from './strata.ts';
import { structure } from './structure.ts';

export type { Aggregation, Argument, Component, FailurePlan, HeadColumn, Plan, RulePlan, Step, Table, TableId, Test } from './plan.ts';
export type { Computation } from './plan.ts';
export { isMet, isWaiting } from './decide.ts';
export { isOwnDigest } from './digests.ts';
export { toldName } from './generated.ts';
export { bindsOf, needsOf } from './steps.ts';
export { COMPARISONS, OPERATORS } from './words.ts';
export type { Intent, LoweredRule, Relation, Source } from './lowered.ts';
export type { Reach } from './reach.ts';
export type { GivenReason, RuleInWords } from './rulebook.ts';

/** Errors  one CountersignError with every issue of the program. */
export function load(program: unknown): Plan {
  const { lowered, issues } = check(program);
  if (lowered === undefined) throw new CountersignError(issues);
  return plan(lowered);
}

export interface Check {
  /** Present exactly when there is no issue. */
  readonly lowered?: Lowered;
  /** The author's rules and the clauses of decides, as far as they could be read. */
  readonly authored: readonly Authored[];
  readonly decides: readonly Decide[];
  /** The graph that the cuts were judged on. */
  readonly edges: readonly Edge[];
  readonly gradeOfSource: GradeOfSource;
  /** Every relation that was declared or follows from what was. */
  readonly relations: Iterable<string>;
  /** Intents that only capabilities with model consultation carry. */
  readonly consulting: ReadonlySet<string>;
  readonly issues: readonly Issue[];
}

/** The checks of `load`, without a throw and without a plan: for tools. */
export function check(value: unknown): Check {
  const { program, isDeclared, issues: malformed } = structure(value);
  if (program === undefined) return { ...nothing, issues: malformed };
  const { declarations, isSound, issues: undeclared } = merge(program);
  // Where it is not certain what a name stands for, what is told of the rules would be guesses.
  if (!isDeclared || !isSound) return { ...nothing, issues: unique([...malformed, ...undeclared]) };
  const { decides, issues: misplaced } = decidesOf(program, declarations);
  const authored = authoredOf(program, decides);
  const edges = [...authored.flatMap((one) => edgesOf(one, declarations.gradeOfSource)), ...runtimeEdges(declarations.relations.keys())];
  const { gradeOfSource } = declarations;
  const consulting = consultingIntents(program.declarations);
  const issues = unique([
    ...malformed,
    ...undeclared,
    ...misplaced,
    ...judge(authored, decides, declarations, edges, consulting),
    ...reasonIssues(authored, decides, program.invariants),
    ...togetherIssues(program, declarations),
    ...declarationIssues(program.declarations, declarations),
  ]);
  const relations = declarations.relations.keys();
  const checked = { authored, decides, edges, gradeOfSource, relations: [...relations], consulting, issues };
  return issues.length === 0 ? { lowered: lower({ program, declarations, authored, decides }), ...checked } : checked;
}

const nothing = {
  authored: [],
  decides: [],
  edges: [],
  relations: [],
  gradeOfSource: () => 'proposal' as const,
  consulting: new Set<string>(),
};

/**
 * The rules behind a relation, in words, each with its id and its place in the source: of a decision the clauses of its decide too.
 *
 * Errors  as `load`; `load/relation-unknown` for a relation that the program does not have.
 */
export function rulesOf(program: unknown, relation: string): readonly RuleInWords[] {
  const { issues, lowered, authored, decides } = check(program);
  if (lowered === undefined) throw new CountersignError(issues);
  if (typeof relation !== 'string' || !lowered.relations.has(relation)) {
    const known = [...lowered.relations.keys()].filter((name) => namespaceOf(name) !== undefined);
    const hint = typeof relation === 'string' ? didYouMean(relation, known) : '';
    throw new CountersignError([issue('load/relation-unknown', `unknown relation ${describe(relation)}${hint}`)]);
  }
  return rulesFor(relation, authored, decides);
}

/**
 * Every reason that the rules of a program can give, with what it is about: for review, for translation, for a page of a product.
 *
 * Shape   a hand-written rule may take its reason from a row; then the entry has none. The runtime's own begin with `undecidable:`,
 *         `set aside:`, `stands with` or `invariant:`.
 * Errors  as `load`.
 */
export function reasons(program: unknown): readonly GivenReason[] {
  const { issues, lowered, authored, decides } = check(program);
  if (lowered === undefined) throw new CountersignError(issues);
  return reasonsIn(authored, decides);
}

/**
 * The dependencies of a program's relations.
 *
 * Errors  as `load`: the graph of a program that does not load would tell nothing.
 */
export function dependencies(program: unknown): Reach {
  const { issues, edges } = check(program);
  if (issues.length > 0) throw new CountersignError(issues);
  return reach(edges);
}

function decidesOf(
  program: ProgramIR,
  declarations: Declarations,
): { readonly decides: readonly Decide[]; readonly issues: readonly Issue[] } {
  const all = program.rules.filter((part): part is DecideIR => part.kind === 'decide');
  const taken = all.map((part) => takeApart(part, declarations));
  const decides = taken.filter((one): one is Decide => 'source' in one);
  const sources = decides.map(({ ir }) => ir.source.relation);
  const names = decides.map(({ ir }) => ir.name);
  const twice = decides.filter(({ ir }, index) => sources.indexOf(ir.source.relation) !== index);
  const named = names.filter((name, index) => names.indexOf(name) !== index && !twice.some(({ ir }) => ir.name === name));
  return {
    decides,
    issues: [
      ...taken.filter((one): one is Issue => 'code' in one),
      ...twice.map(({ ir }) => issue('load/decide-twice', `decide ${ir.name}: ${ir.source.relation} has another decide`)),
      ...named.map((name) => issue('load/rule-twice', `decide ${name} is used twice`)),
    ],
  };
}

function authoredOf(program: ProgramIR, decides: readonly Decide[]): Authored[] {
  return [
    ...authoredRules(
      program.rules.filter((part) => part.kind === 'ruleset'),
      'rule',
    ),
    ...decides.flatMap(authoredClauses),
    ...authoredRules(program.queries, 'query'),
    ...program.invariants.map(authoredInvariant),
  ];
}

function judge(
  authored: readonly Authored[],
  decides: readonly Decide[],
  declarations: Declarations,
  edges: readonly Edge[],
  consulting: ReadonlySet<string>,
): Issue[] {
  const { gradeOfSource, intents } = declarations;
  const generated = new Map(generatedRelations(declarations).map((relation) => [relation.name, relation]));
  const { issues, whole, misfit } = shapesOf(authored, declarations, (name) => generated.get(name));
  const rules = authored.filter((one) => one.role === 'rule' && whole.has(one) && !misfit.has(one));
  const faith = rules.map((one) => ({ rule: one, issues: faithIssues(one, declarations) }));
  const unfaithful = faith.flatMap(({ rule, issues }) => (issues.length > 0 ? [rule] : []));
  const ways = bypasses(edges, gradeOfSource, consulting);
  return [
    ...decides.flatMap((decide) => decideIssues(decide, declarations)),
    ...issues,
    ...faith.flatMap((one) => one.issues),
    ...ways.map((bypass) => bypass.issue),
    ...untold(gradeFaults(authored, gradeOfSource), ways, unfaithful).map((fault) => fault.issue),
    ...stratumIssues(authored, intents.keys()),
    ...evidenceIssues(authored, declarations, whole),
  ];
}

/**
 * The faults that no other issue tells: a way around a decision is told whole, with the last step that reads too much on it; and a
 * decision that reads another row of its own source instead of the one that it should restate is told as that.
 */
function untold(faults: readonly GradeFault[], ways: readonly Bypass[], unfaithful: readonly Authored[]): readonly GradeFault[] {
  const keyOf = ({ by, from }: { readonly by: string; readonly from: string }) => `${by} ${from}`;
  const open = new Set(faults.filter(({ issue: { code } }) => code !== 'load/needs-evidence').map(keyOf));
  const told = new Set<string>();
  for (const { path } of ways) {
    const last = [...path]
      .reverse()
      .map(keyOf)
      .find((key) => open.delete(key));
    if (last !== undefined) told.add(last);
  }
  const judged = new Map(unfaithful.map(({ id, head }) => [id, ownName(head?.relation ?? '')]));
  return faults.filter((fault) => !told.has(keyOf(fault)) && judged.get(fault.by) !== ownName(fault.from));
}

/** What no rule may write is no step of a way: it is told as not derivable. */
function edgesOf(authored: Authored, gradeOfSource: GradeOfSource): Edge[] {
  const to = authored.head?.relation;
  if (to === undefined || clearanceOf(to, gradeOfSource) === undefined) return [];
  return readsIn(authored).map(({ relation }) => ({ from: relation, to, by: authored.id }));
}

function togetherIssues(program: ProgramIR, { sourceOf }: Declarations): Issue[] {
  const seen = new Set<string>();
  return program.rules.flatMap((part) => {
    if (part.kind !== 'together') return [];
    return part.sources.flatMap((source) => {
      if (!sourceOf.has(source))
        return [issue('load/together-source', `together: ${source} is not evidence of this program${didYouMean(source, sourceOf.keys())}`)];
      const isTwice = seen.has(source);
      seen.add(source);
      return isTwice ? [issue('load/together-source', `together: ${source} stands in two groups`)] : [];
    });
  });
}

function unique(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((one) => [`${one.code} ${one.what}`, one])).values()];
}
