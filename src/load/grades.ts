/**
 * Grades: a rule reads at or below the clearance of its head, and some rows only by those they are for.
 *
 * Reads  the author's graph, by names.
 * Gives  an issue for each relation that a rule, a clause or an invariant may not read.
 * Never  follows a path: that is the cut's. Held cards are the exception, since no decision may rest on one through a view.
 */
import { issue, type Issue } from '../../dsl/issue.ts';
import { clearanceOf, gradeOf, INVARIANT_READS, mayRead, namespaceOf, ownName, type Grade, type GradeOfSource } from '../../dsl/law.ts';
import { readsIn, type Authored } from './authored.ts';

/** One relation that one rule may not read. */
export interface GradeFault {
  readonly issue: Issue;
  readonly by: string;
  readonly from: string;
}

/** At most one for each relation that a rule reads: that nobody of its kind may read it comes before how trusted it is. */
export function gradeFaults(authored: readonly Authored[], gradeOfSource: GradeOfSource): GradeFault[] {
  const held = heldViews(authored);
  return authored.flatMap((one) => {
    const clearance = clearanceOfRule(one, gradeOfSource);
    const firm = new Set((one.firm ?? []).map(({ relation }) => relation));
    return relationsOf(one).flatMap((relation) => {
      const fault = readerIssue(one, relation, held) ?? clearanceIssue(one, relation, clearance, firm, gradeOfSource);
      return fault === undefined ? [] : [{ issue: fault, by: one.id, from: relation }];
    });
  });
}

function clearanceIssue(
  authored: Authored,
  relation: string,
  clearance: Grade | undefined,
  firm: ReadonlySet<string>,
  gradeOfSource: GradeOfSource,
): Issue | undefined {
  // A name that no namespace covers has no grade, and is told as unknown.
  if (clearance === undefined || namespaceOf(relation) === undefined) return undefined;
  const grade = gradeOf(relation, gradeOfSource);
  if (firm.has(relation) && !mayRead('approved', grade)) return firmIssue(authored, relation);
  return mayRead(clearance, grade) ? undefined : exceeded(authored, relation, grade, clearance);
}

function clearanceOfRule({ role, head }: Authored, gradeOfSource: GradeOfSource): Grade | undefined {
  if (role === 'invariant') return INVARIANT_READS;
  return head === undefined ? undefined : clearanceOf(head.relation, gradeOfSource);
}

function firmIssue({ place }: Authored, relation: string): Issue {
  return issue('load/needs-evidence', `${place}: ${relation} is evidence: what a decision rests on is a trusted or approved row`);
}

function exceeded({ place, role, head }: Authored, relation: string, grade: Grade, clearance: Grade): Issue {
  if (role === 'invariant') return issue('load/invariant-evidence', `${place}: ${relation} is ${grade}: a model could block commits`);
  return issue('load/grade-exceeded', `${place}: ${head?.relation ?? ''} reads up to ${clearance}, and ${relation} is ${grade}`);
}

/** Rows that are for some readers only, whatever their grade. */
function readerIssue(authored: Authored, relation: string, held: ReadonlyMap<string, string>): Issue | undefined {
  const { place, role, head } = authored;
  const isInvariant = role === 'invariant' || role === 'evidenceInvariant';
  const own = ownName(relation);
  switch (namespaceOf(relation)) {
    case 'query':
      // A query reads itself; that its rule stands among the rules, or another among the queries, is told by its place.
      return head?.relation === relation || (role === 'query' && head !== undefined && namespaceOf(head.relation) !== 'query')
        ? undefined
        : issue('load/query-read', `${place}: ${relation} has no rows to read`);
    case 'due':
      return isInvariant ? undefined : issue('load/reader-refused', `${place}: ${relation} is read by invariants only`);
    case 'confirmed': {
      const decides = head?.relation.startsWith('decision.') === true && ownName(head.relation) === own;
      if (isInvariant || decides) return undefined;
      return issue('load/reader-refused', `${place}: ${relation} is read by decisions of ${own} and invariants only`);
    }
    default:
      return heldIssue(authored, relation, held);
  }
}

/** Views that rest on a held card, each with the relation that it reads it by. */
function heldViews(authored: readonly Authored[]): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (let size = -1; size !== held.size;) {
    size = held.size;
    for (const one of authored) {
      const { head } = one;
      if (head === undefined || !mayShowHeld(head.relation) || held.has(head.relation)) continue;
      const through = relationsOf(one).find((relation) => isHeld(relation, held));
      if (through !== undefined) held.set(head.relation, through);
    }
  }
  return held;
}

function isHeld(relation: string, held: ReadonlyMap<string, string>): boolean {
  return namespaceOf(relation) === 'decision.held' || held.has(relation);
}

function mayShowHeld(relation: string): boolean {
  const namespace = namespaceOf(relation);
  return namespace === 'candidateView' || namespace === 'proposalView' || namespace === 'query';
}

function heldIssue({ place, role, head }: Authored, relation: string, held: ReadonlyMap<string, string>): Issue | undefined {
  const isReader = role === 'evidenceInvariant' || (head !== undefined && mayShowHeld(head.relation));
  if (isReader || !isHeld(relation, held)) return undefined;
  const trail = [relation];
  for (let next = held.get(relation); next !== undefined; next = held.get(next)) trail.push(next);
  const card = trail.at(-1) ?? relation;
  const how = trail.length === 1 ? '' : `, through ${trail.slice(0, -1).join(', ')}`;
  return issue('load/reader-refused', `${place}: ${card} is read by evidence views and queries only${how}`, [...trail].reverse());
}

function relationsOf(authored: Authored): readonly string[] {
  return [...new Set(readsIn(authored, 'own').map(({ relation }) => relation))];
}
