/**
 * The law: what a rule may read, as one table.
 *
 * Reads  nothing. Types, loader, lint and the table in the docs are computed from the constants below.
 * Gives  the grade of every relation, the clearance of every head, and the five cuts.
 * Never  names an application's relation: a namespace decides, so a name can be judged where nothing else is known.
 */

/** Integrity levels, highest first. A rule reads at or below its head's clearance; only a decision lowers a grade (endorsement). */
export const GRADES = ['trusted', 'approved', 'candidate', 'proposal'] as const;
export type Grade = (typeof GRADES)[number];

/**
 * One row per namespace: its own grade, what its rules may read up to (`none`: no rule has this head), and who writes it.
 * `source` is the grade of what is judged: `candidate` for a candidate or a query's rows, `proposal` for a proposal, action or request.
 * `readers` narrows who may read it where the grade alone would allow more.
 */
export const LAW = {
  observation: { grade: 'trusted', reads: 'none', writer: 'runtime, from reports' },
  receipt: { grade: 'trusted', reads: 'none', writer: 'runtime, from effects' },
  'queryresult.outcome': { grade: 'approved', reads: 'none', writer: 'runtime' },
  lifecycle: { grade: 'approved', reads: 'none', writer: 'runtime' },
  admitted: { grade: 'approved', reads: 'none', writer: 'runtime' },
  started: { grade: 'approved', reads: 'none', writer: 'runtime' },
  withdrawn: { grade: 'approved', reads: 'none', writer: 'runtime' },
  conflict: { grade: 'approved', reads: 'none', writer: 'runtime' },
  confirmed: { grade: 'approved', reads: 'none', writer: 'runtime', readers: 'decisions of its source, and invariants' },
  candidate: { grade: 'candidate', reads: 'none', writer: 'relay, effects (evidence)' },
  queryresult: { grade: 'candidate', reads: 'none', writer: 'relay, effects (evidence)' },
  proposal: { grade: 'proposal', reads: 'none', writer: 'relay' },
  fact: { grade: 'trusted', reads: 'trusted', writer: 'rules' },
  'decision.accepted': { grade: 'trusted', reads: 'candidate', writer: 'rules' },
  'decision.approved': { grade: 'approved', reads: 'proposal', writer: 'rules' },
  'decision.rejected': { grade: 'source', reads: 'source', writer: 'rules' },
  'decision.held': { grade: 'source', reads: 'none', writer: 'runtime, from asks', readers: 'evidence views and contexts' },
  'decision.revoked': { grade: 'approved', reads: 'approved', writer: 'rules' },
  intent: { grade: 'approved', reads: 'approved', writer: 'rules' },
  approvedView: { grade: 'approved', reads: 'approved', writer: 'rules' },
  due: { grade: 'approved', reads: 'none', writer: 'runtime', readers: 'invariants and contexts' },
  candidateView: { grade: 'candidate', reads: 'candidate', writer: 'rules' },
  proposalView: { grade: 'proposal', reads: 'proposal', writer: 'rules' },
  query: { grade: 'candidate', reads: 'candidate', writer: 'rules, on demand' },
} as const satisfies Record<string, LawRow>;

interface LawRow {
  readonly grade: Grade | 'source';
  readonly reads: Grade | 'source' | 'none';
  readonly writer: string;
  readonly readers?: string;
}
export type Namespace = keyof typeof LAW;

/** What an invariant may read up to; `evidenceInvariant` opts in to everything, and is reported (ruling 14). */
export const INVARIANT_READS = 'approved' satisfies Grade;

/** The namespace of a relation's name; undefined for a name that no namespace covers. The longest match wins. */
export function namespaceOf(relation: string): Namespace | undefined {
  const dot = relation.indexOf('.');
  if (dot < 0) return undefined;
  const next = relation.indexOf('.', dot + 1);
  const two = next < 0 ? relation : relation.slice(0, next);
  if (NAMESPACES.has(two)) return two as Namespace;
  const first = relation.slice(0, dot);
  return NAMESPACES.has(first) && relation.length > dot + 1 ? (first as Namespace) : undefined;
}
const NAMESPACES: ReadonlySet<string> = new Set(Object.keys(LAW));

/** The name that follows the namespace: "refund" of decision.approved.refund, "queryRequested.q" of proposal.queryRequested.q. */
export function ownName(relation: string): string {
  const namespace = namespaceOf(relation);
  return namespace === undefined ? relation : relation.slice(namespace.length + 1);
}

/** Whether `grade` may be read where the clearance is `clearance`. */
export function mayRead(clearance: Grade, grade: Grade): boolean {
  return GRADES.indexOf(grade) <= GRADES.indexOf(clearance);
}

/** The grade of what a decision judges, by the decision's own name. */
export type GradeOfSource = (decided: string) => 'candidate' | 'proposal';

/** The grade of a relation; an unknown name is as untrusted as can be. */
export function gradeOf(relation: string, gradeOfSource: GradeOfSource): Grade {
  const namespace = namespaceOf(relation);
  if (namespace === undefined) return 'proposal';
  const { grade } = LAW[namespace];
  return grade === 'source' ? gradeOfSource(ownName(relation)) : grade;
}

/** What a rule with this head may read up to; undefined where no rule may have this head. */
export function clearanceOf(relation: string, gradeOfSource: GradeOfSource): Grade | undefined {
  const namespace = namespaceOf(relation);
  if (namespace === undefined) return undefined;
  const { reads } = LAW[namespace];
  return reads === 'none' ? undefined : reads === 'source' ? gradeOfSource(ownName(relation)) : reads;
}

/** One vertex cut: every path from a source to a sink passes a gate. */
export interface Cut {
  readonly name: string;
  readonly from: readonly Origin[];
  readonly to: readonly ('fact' | 'intent')[];
  /** Gates by sink. */
  readonly gates: Readonly<Partial<Record<'fact' | 'intent', readonly Namespace[]>>>;
  /**
   * Which intents are no sink of this cut: those that only consulting capabilities carry, since such an act is another model turn.
   * Paths go on through them, to their records, receipts and evidence.
   */
  readonly passes?: 'consulting intents';
}
/** A namespace, or the rejections and held cards of one grade of source. */
export type Origin = Namespace | 'refused candidate' | 'refused proposal';

const EVIDENCE = ['candidate', 'queryresult', 'candidateView', 'query', 'refused candidate'] as const;
const WISHES = ['proposal', 'proposalView', 'refused proposal'] as const;
const REPORTS_OF_WORK = ['queryresult.outcome', 'lifecycle'] as const;

/** The five cuts. They hold over all rules of the program and the runtime's own edges; delete the gates and no source may reach a sink. */
export const CUTS = [
  { name: 'cut 1', from: EVIDENCE, to: ['fact'], gates: { fact: ['decision.accepted', 'receipt'] } },
  { name: 'cut 2', from: EVIDENCE, to: ['intent'], gates: { intent: ['decision.accepted', 'decision.approved'] } },
  {
    name: 'cut 3',
    from: WISHES,
    to: ['intent', 'fact'],
    gates: { intent: ['decision.approved'], fact: ['decision.approved', 'decision.accepted', 'receipt'] },
  },
  { name: 'cut 4', from: ['queryresult'], to: ['intent'], gates: { intent: ['decision.approved'] } },
  {
    name: 'cut 5',
    from: REPORTS_OF_WORK,
    to: ['intent', 'fact'],
    gates: { intent: ['decision.approved'], fact: ['decision.accepted', 'receipt'] },
    passes: 'consulting intents',
  },
] as const satisfies readonly Cut[];

/** Names that no declaration may take: the runtime generates or stamps them. */
export const RESERVED_NAMES = ['outcome', 'queryExecute', 'queryRequested'] as const;
export const STAMPED_COLUMNS = ['id', 'session', 'actor', 'capture', 'ordinal', 'seq'] as const;
/** Columns that decisions, confirmations and results add to what is judged. */
export const JUDGED_COLUMNS = ['reason', 'by', 'act', 'req', 'outcome', 'shown', 'answer'] as const;
export const NAME = /^[a-z][A-Za-z0-9]*$/;
