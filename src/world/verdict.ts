/**
 * What became of a wish or a claim, in one sentence with the numbers that mattered.
 *
 * Reads  the decision about a row, or what it waits for, and the acts that came of it.
 * Gives  a verdict as data, with its sentence.
 * Never  words of its own for a reason: what a person reads is what the author of the rules wrote.
 */
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Evidence, Made, State } from './state.ts';
import { oneLine, rowText, type Premise, type Reason } from './proof.ts';
import { Proofs } from './why.ts';

/** `held` and `pending` are statuses of open rows; the others are records. */
export type Status = 'accepted' | 'approved' | 'rejected' | 'revoked' | 'held' | 'pending';

export interface Verdict {
  readonly id: string;
  readonly relation: string;
  readonly row: Row;
  readonly is: Status;
  /** `denied: daily budget: 80 + 80 > 100 (counted: refund c1.1 at head 41)`. */
  readonly sentence: string;
  readonly reasons: readonly string[];
  readonly because: readonly Reason[];
  /** Of a record: the transition and the program that made it. */
  readonly position?: number;
  readonly program?: string;
  /** What came of the act, in order. */
  readonly acts: readonly {
    readonly record: IntentRecord['record'];
    readonly key: string;
    readonly position: number;
    readonly because: readonly Reason[];
  }[];
}

export function verdictOf(state: State, id: string, is: Status): Verdict | undefined {
  const evidence = state.evidence.get(id);
  if (evidence === undefined) return undefined;
  const decided = state.decisions.get(id);
  const record = decided?.revoked ?? decided?.final;
  const made = record === undefined ? undefined : state.madeOf.get(record);
  const proofs = new Proofs(state);
  const because = record === undefined ? proofs.reasonsOf(openBecause(state, evidence, is)) : proofs.becauseOf(record);
  const reasons =
    record?.reasons ??
    [...new Set(because.flatMap(({ clause }) => (clause === undefined ? [] : [clauseReason(clause)])))].sort(byCodePoint);
  const acts = state.actsAbout(id).flatMap((act) => {
    const { position } = state.madeOf.get(act) as Made;
    return [{ record: act.record, key: act.key, position, because: proofs.becauseOf(act) }];
  });
  const about = { id, relation: evidence.source.relation, row: evidence.row, is, reasons, because, acts };
  const sentence = oneLine(`${WORDS[is]}: ${told(is, reasons, because)}`);
  return made === undefined ? { ...about, sentence } : { ...about, sentence, position: made.position, program: made.program };
}

const WORDS = {
  accepted: 'accepted',
  approved: 'approved',
  rejected: 'denied',
  revoked: 'revoked',
  held: 'held',
  pending: 'pending',
} as const;

/** Of a row that no record decides: the rules that ask, or that wait. */
function openBecause(state: State, { id, source }: Evidence, is: Status) {
  const { plan, engine } = state;
  const tables = plan.tables.filter(({ name }) =>
    is === 'held'
      ? name === `verdict.held.${source.name}`
      : name.endsWith('.waits') && plan.rules.some((rule) => rule.head.relation === name && rule.decides === source.name),
  );
  return tables.flatMap((table) =>
    [...engine.matching(table.id, [table.columns.indexOf('id')], [id])].flatMap((row) => engine.prover.instances(table.id, row)),
  );
}

function told(is: Status, reasons: readonly string[], because: readonly Reason[]): string {
  if (is === 'accepted' || is === 'approved') return endorsed(because);
  if (reasons.length === 0) return 'no rule decides it yet';
  return reasons.map((reason) => [reason, ...details(reason, because)].join(': ')).join('; ');
}

/** What was needed, and found. */
function endorsed(because: readonly Reason[]): string {
  const [first] = because;
  if (first === undefined) return 'as recorded';
  const met = because.flatMap(({ clause }) => (clause === undefined ? [] : [clauseReason(clause)]));
  return met.length === 0 ? `by ${first.rule}` : `${met.join(', ')} (by ${first.rule})`;
}

/** The premises that are the clause's own, of the rule that gave the reason. */
function details(reason: string, because: readonly Reason[]): string[] {
  const own =
    because.find(({ clause }) => clause !== undefined && reason.endsWith(clauseReason(clause))) ??
    (because.length === 1 ? because[0] : undefined);
  if (own === undefined) return [];
  const text = own.premises
    .slice(own.grounds)
    .filter(({ is }) => is !== 'counted')
    .map(premiseText);
  const counted = own.premises.flatMap((premise) => (premise.is === 'counted' && premise.counted.length > 0 ? [countedText(premise)] : []));
  return text.length === 0 ? [] : [[text.join(', '), ...counted].join(' ')];
}

function clauseReason(clause: string): string {
  return JSON.parse(clause.slice(clause.indexOf(' ') + 1)) as string;
}

function countedText({ counted, more }: Premise & { readonly is: 'counted' }): string {
  return `(counted: ${counted.join(', ')}${more === 0 ? '' : ` and ${more} more`})`;
}

export function premiseText(premise: Premise): string {
  switch (premise.is) {
    case 'row':
      return rowText(premise.relation, premise.columns);
    case 'absent':
      return `no ${rowText(premise.relation, premise.columns)}`;
    case 'counted':
      return `${premise.text} = ${String(premise.value)} ${countedText(premise)}`;
    case 'compared':
    case 'computed':
      return premise.values === premise.text ? premise.text : premise.values;
    case 'failed':
      return premise.text;
  }
}
