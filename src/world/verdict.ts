/**
 * What became of a wish or a claim, in one sentence with the numbers that mattered.
 *
 * Reads  the decision about a row, or what it waits for, and the acts that came of it.
 * Gives  a verdict as data, with its sentence.
 * Never  words of its own for a reason: what a person reads is what the author of the rules wrote.
 */
import type { DecisionRecord, IntentRecord, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { lineText, type Because } from '../engine/engine.ts';
import { isWaiting } from '../load/load.ts';
import { actNote, actSentence } from './act-told.ts';
import { Premises } from './premises.ts';
import type { Premise, Reason } from './proof.ts';
import type { Evidence, State } from './state.ts';
import { countedText, missText, premiseText, quoted } from './told.ts';

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
  readonly acts: readonly ActTold[];
}
export interface ActTold {
  readonly record: IntentRecord['record'];
  readonly key: string;
  readonly position: number;
  /** `withdrawn: refund { order: "o1" }: the shop is open: no observation.shop { isOpen: true }`. */
  readonly sentence: string;
  readonly because: readonly Reason[];
}

/** A decision as it was made, and the verdict that later took it back. */
export interface DecisionTold extends Verdict {
  readonly revoked?: Verdict;
}

/** The decision about a row as it was made, whatever became of it since. */
export function decisionOf(state: State, id: string): DecisionTold | undefined {
  const { final, revoked } = state.decisions.get(id) ?? {};
  if (final === undefined) return undefined;
  const made = verdictOf(state, id, final.verdict, final);
  if (made === undefined || revoked === undefined) return made;
  const later = verdictOf(state, id, 'revoked');
  return later === undefined ? made : { ...made, revoked: later };
}

export function verdictOf(state: State, id: string, is: Status, record = lastRecordOf(state, id)): Verdict | undefined {
  const evidence = state.evidence.get(id);
  if (evidence === undefined) return undefined;
  const made = record === undefined ? undefined : state.madeOf.get(record);
  const premises = new Premises(state);
  const because = (made?.because ?? openBecause(state, evidence, is)).map((one) => premises.reason(one, made));
  const reasons = record?.reasons ?? distinct(because);
  const acts = state.actsAbout(id).map((act) => {
    const own = state.madeOf.get(act);
    const { position = 0, because: of = [] } = own ?? {};
    const told = of.map((one) => premises.reason(one, own));
    return { record: act.record, key: act.key, position, sentence: actSentence(state, act, told), because: told };
  });
  // What comes of an act now is no part of a decision that was taken back.
  const note = record === lastRecordOf(state, id) ? actNote(state, evidence, is, premises) : undefined;
  const sentence = [`${WORDS[is]}${told(state, evidence, is, reasons, because)}`, ...(note === undefined ? [] : [note])].join('; ');
  const about = { id, relation: evidence.source.relation, row: evidence.row, is, sentence, reasons, because, acts };
  return made === undefined ? about : { ...about, position: made.position, program: made.program };
}

function lastRecordOf(state: State, id: string): DecisionRecord | undefined {
  const decided = state.decisions.get(id);
  return decided?.revoked ?? decided?.final;
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
function openBecause({ plan, engine }: State, { id, source }: Evidence, is: Status): Because[] {
  const waits = new Set(plan.rules.filter(({ decides, head }) => decides === source.name && isWaiting(head.relation)));
  const names = is === 'held' ? [`verdict.held.${source.name}`] : [...new Set([...waits].map(({ head }) => head.relation))];
  return names.flatMap((name) => {
    const table = plan.tableOf.get(name);
    return table === undefined ? [] : [...engine.prover.rows(table, { id })].flatMap((row) => [...engine.prover.instances(table, row)]);
  });
}

function distinct(because: readonly Reason[]): string[] {
  return [...new Set(because.flatMap(({ reason }) => reason ?? []))].sort(byCodePoint);
}

function told(state: State, evidence: Evidence, is: Status, reasons: readonly string[], because: readonly Reason[]): string {
  if (is === 'accepted' || is === 'approved') return endorsed(because);
  if (reasons.length > 0) return `: ${reasons.map((reason) => [lineText(reason), ...details(reason, because)].join(': ')).join('; ')}`;
  return `: ${besideText(state, evidence) ?? 'no rule decides it yet'}`;
}

/** Of a row that only waits because another of its group does. */
function besideText(state: State, evidence: Evidence): string | undefined {
  const group = state.groupOf(evidence);
  const premises = new Premises(state);
  for (const id of group === undefined ? [] : state.members(group)) {
    const other = state.evidence.get(id);
    if (other === undefined || other === evidence || state.decisions.has(id)) continue;
    for (const is of ['held', 'pending'] as const) {
      const because = openBecause(state, other, is).map((one) => premises.reason(one));
      const [reason] = distinct(because);
      if (reason !== undefined) return [`stands with ${lineText(id)}, which is ${is}`, reason, ...details(reason, because)].join(': ');
    }
  }
  return undefined;
}

/** What let a row pass: the needs that were met, the limits that were kept, who said yes. */
function endorsed(because: readonly Reason[]): string {
  const [first] = because;
  if (first === undefined) return ': as recorded';
  const found = [...because.slice(1), first].flatMap((one) => {
    const own = one.premises.filter(({ isGround }) => isGround !== true);
    const [kind = ''] = (one.clause ?? '').split(' ');
    const name = quoted(one.reason ?? '');
    if (kind === 'limits') return [[`${name} is kept:`, ...own.slice(-1).map(missText), ...counts(own)].join(' ')];
    if (kind === 'asks') return own.flatMap((premise) => (isAnswer(premise) ? [`${name}: ${premiseText(premise)}`] : []));
    if (kind.startsWith('needs')) return [`${name} is met by ${own.map(premiseText).join(', ')}`];
    return [...(one.reason === undefined ? [] : [lineText(one.reason)]), ...own.filter(({ is }) => is !== 'counted').map(premiseText)];
  });
  return found.length === 0 ? `: by ${first.rule}` : `: ${found.join(', ')} (by ${first.rule})`;
}

function isAnswer(premise: Premise): boolean {
  return premise.is === 'row' && premise.relation.startsWith('confirmed.');
}

function counts(premises: readonly Premise[]): string[] {
  return premises.flatMap((premise) => (premise.is === 'counted' ? countedText(premise) : []));
}

/** The premises that are the clause's own, of the rule that gave the reason, or of the one that it comes from. */
function details(reason: string, because: readonly Reason[]): string[] {
  const own =
    because.find((one) => one.reason === reason) ??
    because.find((one) => one.reason !== undefined && reason.endsWith(`: ${one.reason}`)) ??
    because.find((one) => one.reason === undefined);
  const premises = own?.premises.filter(({ isGround }) => isGround !== true) ?? [];
  const text = premises.filter(({ is }) => is !== 'counted' && is !== 'failed').map(premiseText);
  return text.length === 0 ? [] : [[text.join(', '), ...counts(premises)].join(' ')];
}
