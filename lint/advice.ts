/**
 * What loads and is most likely not what its author meant: gates that rest on a model's word, budgets that lag, names that meet nothing.
 *
 * Reads  what the loader found out about a program that it has no issue with.
 * Gives  advice by code, with the rule or the relation that it is about.
 * Never  refuses a program: the loader loads it, and enforces what it says.
 */
import type { Atom, Literal } from '../dsl/ir.ts';
import type { IssueCode } from '../dsl/issue.ts';
import { gradeOf, namespaceOf, ownName } from '../dsl/law.ts';
import type { Check } from '../src/load/load.ts';

export interface Advice {
  readonly code: IssueCode;
  readonly what: string;
  /** The id of the rule or clause; of a declaration the relation. */
  readonly rule?: string;
  readonly relation?: string;
}
type Authored = Check['authored'][number];

/** On the rules and clauses of a program. */
export function adviceOn(found: Check): Advice[] {
  return found.authored.flatMap((one) => [
    ...gateAdvice(one, found),
    ...reasonAdvice(one, found),
    ...budgetAdvice(one),
    ...onceAdvice(one),
    ...notYetAdvice(one),
  ]);
}

/** An approval or acceptance by hand that nothing trusted has a say in. */
function gateAdvice({ id, place, role, head, own }: Authored, { gradeOfSource }: Check): Advice[] {
  const namespace = head === undefined ? undefined : namespaceOf(head.relation);
  if (role !== 'rule' || head === undefined || (namespace !== 'decision.accepted' && namespace !== 'decision.approved')) return [];
  const isFirm = ({ relation }: Atom) => ['trusted', 'approved'].includes(gradeOf(relation, gradeOfSource));
  const { positive, negative } = atomsIn(own);
  if (positive.some(isFirm)) return [];
  const absent = negative.find(isFirm);
  const code = absent === undefined ? 'lint/evidence-only-gate' : 'lint/absence-decides';
  const on = absent === undefined ? 'what models say' : `the absence of ${absent.relation}`;
  return [{ code, rule: id, what: `${place}: ${head.relation} rests on ${on} alone` }];
}

/** A reason that is no constant, and that no trusted row gives. */
function reasonAdvice({ id, place, head, own }: Authored, { gradeOfSource }: Check): Advice[] {
  const reason = head === undefined || namespaceOf(head.relation)?.startsWith('decision.') !== true ? undefined : head.columns['reason'];
  if (reason === undefined || !('var' in reason)) return [];
  const gives = ({ relation, columns }: Atom) =>
    ['trusted', 'approved'].includes(gradeOf(relation, gradeOfSource)) &&
    Object.values(columns).some((term) => 'var' in term && term.var === reason.var);
  if (atomsIn(own).positive.some(gives)) return [];
  return [{ code: 'lint/reason-from-evidence', rule: id, what: `${place}: the reason ${reason.var} is what a model says` }];
}

/** A rejection that adds up what became of its own action: between a decision and its receipt others pass. */
function budgetAdvice({ id, place, head, own }: Authored): Advice[] {
  if (head === undefined || namespaceOf(head.relation) !== 'decision.rejected') return [];
  const lagging = new Set(['receipt', 'admitted', 'started'].map((kind) => `${kind}.${ownName(head.relation)}`));
  const summed = aggregatedIn(own).filter((relation) => lagging.has(relation));
  return [...new Set(summed)].map((relation) => ({
    code: 'lint/receipt-as-budget' as const,
    rule: id,
    what: `${place}: ${relation} is added up to reject ${ownName(head.relation)}, and comes after the decisions that it should bound`,
  }));
}

/** A decision under not, or in an aggregate, is "not yet": the row may be decided later in the same transition. */
function notYetAdvice({ id, place, head, own, counts }: Authored): Advice[] {
  if (head === undefined || namespaceOf(head.relation)?.startsWith('decision.') !== true || counts !== undefined) return [];
  const strict = [...atomsIn(own).negative.map(({ relation }) => relation), ...aggregatedIn(own)];
  const decided = [...new Set(strict)].filter((relation) => namespaceOf(relation)?.startsWith('decision.') === true);
  return decided.map((relation) => ({
    code: 'lint/not-yet' as const,
    rule: id,
    what: `${place}: ${relation} is read where it means "not yet", and may come later in the same reply`,
  }));
}

/** A variable of a rule by hand that nothing else names. */
function onceAdvice({ id, place, role, head, own }: Authored): Advice[] {
  if ((role !== 'rule' && role !== 'query') || head === undefined) return [];
  const names = [head, ...own].flatMap(variablesIn);
  const once = names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
  return once.map((name) => ({ code: 'lint/variable-once' as const, rule: id, what: `${place}: variable ${name} stands in one place` }));
}

/** Wishes of a program that no rule of any judges: they stay pending for good. */
export function undecided({ relations }: Check, judged: ReadonlySet<string>): Advice[] {
  return [...relations]
    .filter((name) => namespaceOf(name) === 'proposal' && !ownName(name).startsWith('queryRequested.') && !judged.has(name))
    .map((relation) => ({
      code: 'lint/undecided' as const,
      relation,
      what: `${relation} is judged by no rule: its rows stay pending for good`,
    }));
}

/** What the rules of a program judge. */
export function judgedIn({ authored, decides }: Check): string[] {
  return [
    ...decides.map(({ source }) => source.relation),
    ...authored.flatMap(({ role, head, own }) => {
      const isDecision = role === 'rule' && head !== undefined && namespaceOf(head.relation)?.startsWith('decision.') === true;
      return isDecision ? atomsIn(own).positive.map(({ relation }) => relation) : [];
    }),
  ];
}

function atomsIn(literals: readonly Literal[]): { readonly positive: readonly Atom[]; readonly negative: readonly Atom[] } {
  const positive: Atom[] = [];
  const negative: Atom[] = [];
  const visit = (literal: Literal): void => {
    if (literal.kind === 'atom') positive.push(literal);
    else if (literal.kind === 'not' && literal.literal.kind === 'atom') negative.push(literal.literal);
    else if (literal.kind === 'and' || literal.kind === 'or') literal.literals.forEach(visit);
  };
  literals.forEach(visit);
  return { positive, negative };
}

/** Relations that aggregates go over, wherever they stand. */
function aggregatedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { aggregate, relation } = value as { readonly aggregate?: unknown; readonly relation?: unknown };
  const own = typeof aggregate === 'string' && typeof relation === 'string' ? [relation] : [];
  return [...own, ...Object.values(value).flatMap(aggregatedIn)];
}

/** Every place in which a variable stands, repeats included. */
function variablesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { var: name, variable } = value as { readonly var?: unknown; readonly variable?: unknown };
  const own = [name, variable].filter((one): one is string => typeof one === 'string');
  return [...own, ...Object.values(value).flatMap(variablesIn)];
}
