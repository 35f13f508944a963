/**
 * Loads a program: it is refused here, whole, with every issue at once, or becomes a plan.
 *
 * Reads  whatever was handed in as a program.
 * Gives  the plan that engine and world run by; or every issue, in a fixed order.
 * Never  gives a plan beside an issue.
 */
import type { DecideIR, ProgramIR } from '../../dsl/ir.ts';
import { CountersignError, issue, type Issue } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import { authoredInvariant, authoredRules, readsIn, type Authored } from './authored.ts';
import { authoredClauses, takeApart, type Decide } from './clauses.ts';
import { bypasses, runtimeEdges, type Edge } from './cut.ts';
import { consultingIntents, declarationIssues } from './declarations.ts';
import { decideIssues } from './decide-issues.ts';
import { faithIssues } from './faithful.ts';
import { evidenceIssues } from './functions.ts';
import { generatedRelations } from './generated.ts';
import { gradeIssues } from './grades.ts';
import { lower } from './lower.ts';
import type { Lowered } from './lowered.ts';
import { merge, type Declarations } from './merge.ts';
import { plan, type Plan } from './plan.ts';
import { reach, type Reach } from './reach.ts';
import { shapeIssues } from './shape.ts';
import { stratumIssues } from './strata.ts';
import { structure } from './structure.ts';

export type { Aggregation, Argument, Component, FailurePlan, HeadColumn, Plan, RulePlan, Step, Table, TableId, Test } from './plan.ts';
export type { Computation } from './plan.ts';
export type { Intent, Relation, Source } from './lowered.ts';
export type { Reach } from './reach.ts';

/** Errors  one CountersignError with every issue of the program. */
export function load(program: unknown): Plan {
  const { lowered, issues } = check(program);
  if (lowered === undefined) throw new CountersignError(issues);
  return plan(lowered);
}

export interface Check {
  /** Present exactly when there is no issue. */
  readonly lowered?: Lowered;
  /** The graph that the cuts were judged on. */
  readonly edges: readonly Edge[];
  readonly issues: readonly Issue[];
}

/** The checks of `load`, without a throw and without a plan: for tools. */
export function check(value: unknown): Check {
  const { program, issues: malformed } = structure(value);
  if (program === undefined) return { edges: [], issues: malformed };
  const { declarations, issues: undeclared } = merge(program);
  const { decides, issues: misplaced } = decidesOf(program, declarations);
  const authored = authoredOf(program, decides);
  const edges = [...authored.flatMap(edgesOf), ...runtimeEdges(declarations.relations.keys())];
  const issues = unique([
    ...malformed,
    ...undeclared,
    ...misplaced,
    ...judge(authored, decides, declarations, edges, consultingIntents(program.declarations)),
    ...togetherIssues(program, declarations),
    ...declarationIssues(program.declarations, declarations),
  ]);
  return issues.length === 0 ? { lowered: lower({ program, declarations, authored, decides }), edges, issues } : { edges, issues };
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
  const twice = decides.filter(({ ir }, index) => sources.indexOf(ir.source.relation) !== index);
  return {
    decides,
    issues: [
      ...taken.filter((one): one is Issue => 'code' in one),
      ...twice.map(({ ir }) => issue('load/decide-twice', `decide ${ir.name}: ${ir.source.relation} has another decide`)),
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
  return [
    ...decides.flatMap((decide) => decideIssues(decide, declarations)),
    ...shapeIssues(authored, declarations, (name) => generated.get(name)),
    ...authored.flatMap((one) => (one.role === 'rule' ? faithIssues(one, declarations) : [])),
    ...bypasses(edges, gradeOfSource, consulting).map((bypass) => bypass.issue),
    ...gradeIssues(authored, gradeOfSource),
    ...stratumIssues(authored, intents.keys()),
    ...evidenceIssues(authored, declarations),
  ];
}

function edgesOf(authored: Authored): Edge[] {
  const to = authored.head?.relation;
  return to === undefined ? [] : readsIn(authored).map(({ relation }) => ({ from: relation, to, by: authored.id }));
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
