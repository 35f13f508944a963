/**
 * Faithful decisions: a decision is about one row of its own source, as it came.
 *
 * Reads  a hand-written rule with a decision head.
 * Gives  the atom that each branch restates, the term of the judged row's id, and the source; or why there is none.
 * Never  accepts an edited payload: what is let through under a source's name is what the source said.
 */
import type { Atom, Literal, Term } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { namespaceOf, ownName } from '../../dsl/law.ts';
import type { Authored } from './authored.ts';
import { determinedBy } from './determined.ts';
import { branchesOf } from './flatten.ts';
import type { Source } from './lowered.ts';
import type { Declarations } from './merge.ts';
import { isSameTerm, variablesOf } from './walk.ts';

export interface Restated {
  readonly source: Source;
  readonly verdict: Verdict;
  readonly id: Term;
  /** The restated atom of each branch, by identity. */
  readonly atoms: ReadonlySet<Atom>;
}
export type Verdict = 'accepted' | 'approved' | 'rejected' | 'revoked';

/** A hand-written decision restates a row of its source, and an act has an identity. */
export function faithIssues(authored: Authored, declarations: Declarations): readonly Issue[] {
  const { head, place, own } = authored;
  if (head === undefined) return [];
  const restated = restate(authored, declarations);
  if (restated !== undefined) return 'atoms' in restated ? looseIssues(authored, head, restated, declarations) : restated;
  if (namespaceOf(head.relation) !== 'intent') return [];
  const approvals = approvalsOf(head, own);
  if (ownName(head.relation) === 'queryExecute')
    return approvals === undefined || !restatesRequest(head, approvals) ? [requestIssue(place)] : [];
  const isKnown = head.columns['id'] !== undefined || approvals !== undefined || declarations.identified.has(ownName(head.relation));
  const approved = `decision.approved.${ownName(head.relation)}`;
  return isKnown
    ? []
    : [
        issue(
          'load/no-identity',
          `${place}: ${head.relation} has no identity: neither an id, nor ${approved} in every branch, nor declared columns`,
        ),
      ];
}

/** What a decision keeps beside its row follows from the row: anything else would let another row through on this one's account. */
function looseIssues({ place, own }: Authored, head: Atom, { source, verdict, atoms }: Restated, declarations: Declarations): Issue[] {
  if (verdict !== 'accepted' && verdict !== 'approved') return [];
  const loose = source.recorded.filter((column) => {
    const term = head.columns[column];
    return term !== undefined && 'var' in term && !branchesOf(own).every((branch) => isDetermined(term.var, branch));
  });
  return loose.map((column) =>
    issue(
      'load/records-undetermined',
      `${place}: ${head.relation}.${column}: its value is not determined by the row of ${source.relation}`,
    ),
  );

  function isDetermined(variable: string, branch: readonly Literal[]): boolean {
    const row = branch.filter(isAtom).find((atom) => atoms.has(atom));
    return row !== undefined && determinedBy(row.columns, branch, declarations).has(variable);
  }
}

/** A read runs for the request that was approved, and for no other. */
function restatesRequest(head: Atom, approvals: ReadonlySet<Atom>): boolean {
  const { id, query } = head.columns;
  return [...approvals].every(
    (atom) => isSameTerm(atom.columns['query'], query) && (id === undefined || isSameTerm(atom.columns['id'], id)),
  );
}

function requestIssue(place: string): Issue {
  return issue('load/unfaithful', `${place}: intent.queryExecute must restate decision.approved.queryExecute, with its id and query`);
}

/** The variable of a judged row's id where the author names none. */
export const JUDGED_ID = { var: '$id' } as const;

export function verdictOf(head: Atom): Verdict | undefined {
  const namespace = namespaceOf(head.relation);
  switch (namespace) {
    case 'decision.accepted':
    case 'decision.approved':
    case 'decision.rejected':
    case 'decision.revoked':
      return namespace.slice('decision.'.length) as Verdict;
    default:
      return undefined;
  }
}

/** Undefined where the head is no decision; issues where it is one that restates no row. Checks and lowering ask, and it does not change. */
export function restate(authored: Authored, declarations: Declarations): Restated | readonly Issue[] | undefined {
  if (known.has(authored)) return known.get(authored);
  const found = restatement(authored, declarations);
  known.set(authored, found);
  return found;
}
const known = new WeakMap<Authored, Restated | readonly Issue[] | undefined>();

function restatement(authored: Authored, declarations: Declarations): Restated | readonly Issue[] | undefined {
  const { head, place, own } = authored;
  const verdict = head === undefined ? undefined : verdictOf(head);
  if (head === undefined || verdict === undefined) return undefined;
  const source = sourceOf(head, declarations);
  if (source === undefined) return [sourceIssue(place, head)];
  const evidence = evidenceOf(source, verdict);
  const what = evidence.join(' or ');
  const branches = branchesOf(own).map((branch) => branch.filter(isAtom).filter((atom) => evidence.includes(atom.relation)));
  const restating = branches.map((atoms) => atoms.filter((atom) => restates(atom, head, source, verdict)));
  if (restating.some((atoms) => atoms.length === 0)) {
    return [
      issue(
        'load/unfaithful',
        `${place}: ${head.relation} must restate a row of ${what}: read ${what} with the same terms in every column`,
      ),
    ];
  }
  const id = head.columns['id'] ?? restating.flatMap((atoms) => atoms[0]?.columns['id'] ?? [])[0] ?? JUDGED_ID;
  // An atom without an id takes the head's, unless something else binds that: then the head would name another row than it restates.
  const isTaken = 'var' in id && head.columns['id'] !== undefined && variablesOf(own).includes(id.var);
  const chosen = restating.map((atoms) =>
    atoms.find((atom) => (atom.columns['id'] === undefined ? !isTaken : isSameTerm(atom.columns['id'], id))),
  );
  if (chosen.some((atom) => atom === undefined)) {
    return [issue('load/unfaithful', `${place}: the id of ${head.relation} is not the id of the row of ${what} that it restates`)];
  }
  return { source, verdict, id, atoms: new Set(chosen.filter((atom) => atom !== undefined)) };
}

function sourceIssue(place: string, { relation }: Atom): Issue {
  const decided = ownName(relation);
  const what =
    decided === 'queryExecute'
      ? `${relation}: query must be the name of a query, as a constant`
      : `${relation} is about ${decided}, which is no candidate, proposal, action or query`;
  return issue('load/unfaithful', `${place}: ${what}`);
}

function isAtom(literal: Literal): literal is Atom {
  return literal.kind === 'atom';
}

/** The source that a decision's head is about; of a request, the head says which query. */
function sourceOf(head: Atom, { sources }: Declarations): Source | undefined {
  const decided = ownName(head.relation);
  if (decided !== 'queryExecute') return sources.get(decided);
  const query = head.columns['query'];
  return query !== undefined && 'const' in query ? sources.get(`queryRequested.${String(query.const)}`) : undefined;
}

function evidenceOf(source: Source, verdict: Verdict): readonly string[] {
  if (verdict !== 'revoked') return [source.relation];
  if (source.relation.startsWith('queryresult.')) return [`decision.accepted.${source.decided}`, `decision.approved.${source.decided}`];
  return [`decision.${source.grade === 'candidate' ? 'accepted' : 'approved'}.${source.decided}`];
}

/** Every payload column is named, and every column of the head that the row has stands there with the same term. */
function restates(atom: Atom, head: Atom, source: Source, verdict: Verdict): boolean {
  const constants = verdict === 'revoked' ? Object.keys(source.constants) : [];
  const given = Object.keys(head.columns).filter((column) => column !== 'reason' && column !== 'id');
  const own = given.filter((column) => !source.recorded.includes(column) && !Object.hasOwn(source.constants, column));
  return [...new Set([...source.payload, ...constants, ...own])].every((column) => isSameTerm(atom.columns[column], head.columns[column]));
}

/** The approval that every branch reads, one of each, where their ids are one term or not named. */
export function approvalsOf(head: Atom, body: readonly Literal[]): ReadonlySet<Atom> | undefined {
  const approved = `decision.approved.${ownName(head.relation)}`;
  const chosen = branchesOf(body).map((branch) =>
    branch.find((literal): literal is Atom => literal.kind === 'atom' && literal.relation === approved),
  );
  if (chosen.length === 0 || chosen.some((atom) => atom === undefined)) return undefined;
  const atoms = chosen.filter((atom) => atom !== undefined);
  const [id] = atoms.flatMap((atom) => atom.columns['id'] ?? []);
  return atoms.every((atom) => atom.columns['id'] === undefined || isSameTerm(atom.columns['id'], id)) ? new Set(atoms) : undefined;
}

/** The body with each restated atom replaced. */
export function replaceAtoms(body: readonly Literal[], atoms: ReadonlySet<Atom>, by: (atom: Atom) => Atom): readonly Literal[] {
  return body.map((literal): Literal => {
    if (literal.kind === 'atom') return atoms.has(literal) ? by(literal) : literal;
    return literal.kind === 'and' || literal.kind === 'or' ? { ...literal, literals: replaceAtoms(literal.literals, atoms, by) } : literal;
  });
}
