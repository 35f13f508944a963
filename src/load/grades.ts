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

export function gradeIssues(authored: readonly Authored[], gradeOfSource: GradeOfSource): Issue[] {
  const held = heldViews(authored);
  return authored.flatMap((one) => [...clearanceIssues(one, gradeOfSource), ...readerIssues(one), ...heldIssues(one, held)]);
}

function clearanceIssues(authored: Authored, gradeOfSource: GradeOfSource): Issue[] {
  const firm = new Set((authored.firm ?? []).map(({ relation }) => relation));
  const clearance = clearanceOfRule(authored, gradeOfSource);
  if (clearance === undefined) return [];
  return relationsOf(authored).flatMap((relation) => {
    const grade = gradeOf(relation, gradeOfSource);
    if (firm.has(relation) && !mayRead('approved', grade)) return [firmIssue(authored, relation)];
    return mayRead(clearance, grade) ? [] : [exceeded(authored, relation, grade, clearance)];
  });
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

function readerIssues(authored: Authored): Issue[] {
  const { place, role, head } = authored;
  const isInvariant = role === 'invariant' || role === 'evidenceInvariant';
  return relationsOf(authored).flatMap((relation) => {
    const namespace = namespaceOf(relation);
    if (namespace === 'due' && !isInvariant) return [issue('load/reader-refused', `${place}: ${relation} is read by invariants only`)];
    if (namespace !== 'confirmed' || isInvariant) return [];
    const decides = head?.relation.startsWith('decision.') === true && ownName(head.relation) === ownName(relation);
    return decides
      ? []
      : [issue('load/reader-refused', `${place}: ${relation} is read by decisions of ${ownName(relation)} and invariants only`)];
  });
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

function heldIssues(authored: Authored, held: ReadonlyMap<string, string>): Issue[] {
  const { place, role, head } = authored;
  if (role === 'evidenceInvariant' || (head !== undefined && mayShowHeld(head.relation))) return [];
  return relationsOf(authored).flatMap((relation) => {
    if (!isHeld(relation, held)) return [];
    const trail = [relation];
    for (let next = held.get(relation); next !== undefined; next = held.get(next)) trail.push(next);
    const card = trail.at(-1) ?? relation;
    const how = trail.length === 1 ? '' : `, through ${trail.slice(0, -1).join(', ')}`;
    return [issue('load/reader-refused', `${place}: ${card} is read by evidence views and queries only${how}`, [...trail].reverse())];
  });
}

function relationsOf(authored: Authored): readonly string[] {
  return [...new Set(readsIn(authored, 'own').map(({ relation }) => relation))];
}
