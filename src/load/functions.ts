/**
 * What a function may be given: values of at most one row of evidence.
 *
 * Reads  the author's graph.
 * Gives  an issue for each call whose arguments come from two rows of evidence, or from an aggregate over evidence.
 * Never  counts the judged row of a decision: when its function fails, that row is rejected, and no other.
 */
import type { Atom, Call, Literal } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { namespaceOf } from '../../dsl/law.ts';
import { bodyOf, readsIn, type Authored } from './authored.ts';
import { restate, verdictOf } from './faithful.ts';
import { branchesOf } from './flatten.ts';
import type { Declarations } from './merge.ts';
import { aggregatesIn, callsOf, expressionsOf, variablesIn, variablesOfExpression } from './walk.ts';

/** `whole` are the rules whose bodies have an end: only those are multiplied out. */
export function evidenceIssues(authored: readonly Authored[], declarations: Declarations, whole: ReadonlySet<Authored>): Issue[] {
  const calling = authored.filter((one) => whole.has(one) && callsOf(one.own).length > 0);
  if (calling.length === 0) return [];
  const evidence = evidenceRelations(authored);
  return calling.flatMap((one) => {
    const judged = judgedAtoms(one, declarations);
    const whats = branchesOf(bodyOf(one)).flatMap((branch) =>
      callsOf(branch).flatMap((call) => fault(call, branch, judged, evidence) ?? []),
    );
    return [...new Set(whats)].map((what) => issue('load/function-evidence', `${one.place}: ${what}`));
  });
}

/** Relations that rest on evidence, through decisions and acts too: what was let through may still make a function fail. */
function evidenceRelations(authored: readonly Authored[]): (relation: string) => boolean {
  const derived = new Set<string>();
  const isEvidence = (relation: string) => derived.has(relation) || isBase(relation);
  // What may still turn out to rest on evidence.
  let open = authored;
  for (let size = -1; size !== derived.size;) {
    size = derived.size;
    open = open.filter(({ head }) => head !== undefined && !isEvidence(head.relation));
    for (const one of open) {
      if (one.head !== undefined && readsIn(one).some(({ relation }) => isEvidence(relation))) derived.add(one.head.relation);
    }
  }
  return isEvidence;
}

function isBase(relation: string): boolean {
  const namespace = namespaceOf(relation);
  return namespace === undefined || namespace.startsWith('decision.') || EVIDENCE.has(namespace);
}

const EVIDENCE: ReadonlySet<string> = new Set([
  'candidate',
  'proposal',
  'queryresult',
  'admitted',
  'started',
  'withdrawn',
  'conflict',
  'due',
]);

/** The atoms of the judged row: of a clause the source, of a hand-written decision what it restates. */
function judgedAtoms(authored: Authored, declarations: Declarations): ReadonlySet<Atom> {
  const { head, role, context } = authored;
  if (head === undefined || verdictOf(head) === undefined) return new Set();
  if (role === 'clause') return new Set(context.slice(0, 1));
  const restated = restate(authored, declarations);
  return restated !== undefined && 'atoms' in restated ? restated.atoms : new Set();
}

function fault(
  call: Call,
  branch: readonly Literal[],
  judged: ReadonlySet<Atom>,
  isEvidence: (relation: string) => boolean,
): string | undefined {
  const { wanted, aggregates } = inputsOf(call, branch);
  const sums = aggregates.filter(isEvidence);
  if (sums.length > 0) return `${call.call} takes an aggregate over ${sums[0]}, which is evidence`;
  const giving = branch.filter(
    (literal): literal is Atom =>
      literal.kind === 'atom' && isEvidence(literal.relation) && variablesIn(literal.columns).some((variable) => wanted.has(variable)),
  );
  const own = branch.find((literal): literal is Atom => literal.kind === 'atom' && judged.has(literal));
  const ownVariables = own === undefined ? [] : variablesIn(own.columns);
  const foreign =
    own === undefined
      ? giving.slice(1)
      : giving.filter(
          (atom) => atom !== own && variablesIn(atom.columns).some((variable) => wanted.has(variable) && !ownVariables.includes(variable)),
        );
  if (foreign.length === 0) return undefined;
  const rows =
    own === undefined
      ? `${giving.map(({ relation }) => relation).join(' and ')}, more than one row of evidence`
      : `${foreign[0]?.relation}, evidence that is not the judged row`;
  return `${call.call} takes values of ${rows}`;
}

/** The variables and aggregates that a call's arguments come from, through the bindings before it. */
function inputsOf(
  call: Call,
  branch: readonly Literal[],
): { readonly wanted: ReadonlySet<string>; readonly aggregates: readonly string[] } {
  const wanted = new Set(call.args.flatMap(variablesOfExpression));
  const aggregates = call.args.flatMap(aggregatesIn);
  const bindings = branch.flatMap((literal) => (literal.kind === 'bind' ? [literal] : []));
  const used = new Set<Literal>();
  for (let size = -1; size !== used.size;) {
    size = used.size;
    for (const binding of bindings) {
      if (used.has(binding) || !wanted.has(binding.variable)) continue;
      used.add(binding);
      const inner = expressionsOf(binding);
      inner.flatMap(variablesOfExpression).forEach((variable) => wanted.add(variable));
      aggregates.push(...inner.flatMap(aggregatesIn));
    }
  }
  return { wanted, aggregates };
}
