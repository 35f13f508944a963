/**
 * What is done, what is blocked and what waits: every wish, claim and act by where it stands.
 *
 * Reads  evidence, its decisions, the records of acts and their receipts, and what is derived as an act and was not admitted.
 * Gives  each of them once, in order of its coming.
 * Never  takes a start for success: an act is done when its receipt says so, and no other act with it.
 */
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { isSame } from './act-told.ts';
import { isReceiptOf } from './register.ts';
import type { Evidence, State } from './state.ts';
import type { Status } from './verdict.ts';

export interface Activity {
  readonly done: readonly Standing[];
  readonly blocked: readonly Standing[];
  readonly waiting: readonly Standing[];
}

/** Where a row of evidence stands with the act that it proposes, or another act. */
export interface Standing {
  /** Of the row, or of the one that an act follows from: `verdict(id)` tells the rest. Of an act of no row, a digest. */
  readonly id: string;
  /** `proposal.refund`; `intent.letter` of an act that was not proposed itself. */
  readonly relation: string;
  readonly row: Row;
  /** The last that is known: of an act its receipt, its record; else the decision. */
  readonly is: Stand;
}
export type Stand = Status | 'dormant' | Exclude<IntentRecord['record'], 'conflict'> | 'conflict' | 'succeeded' | 'failed';

const BUCKETS: Readonly<Record<Stand, keyof Activity>> = {
  accepted: 'done',
  succeeded: 'done',
  rejected: 'blocked',
  revoked: 'blocked',
  failed: 'blocked',
  conflict: 'blocked',
  dormant: 'blocked',
  // Whatever was approved and leads to an act waits for it; one that was withdrawn may come again.
  approved: 'waiting',
  admitted: 'waiting',
  started: 'waiting',
  withdrawn: 'waiting',
  held: 'waiting',
  pending: 'waiting',
};

export function activityOf(state: State, where: Row, statusOf: (id: string) => Status | undefined): Activity {
  const found = { done: [] as Standing[], blocked: [] as Standing[], waiting: [] as Standing[] };
  const isAsked = (row: Row) => Object.entries(where).every(([column, value]) => row[column] === value);
  for (const evidence of state.evidence.values()) {
    const { id, source, row } = evidence;
    if (!isAsked(row)) continue;
    const is = standOf(state, evidence, statusOf(id) ?? 'pending');
    // Nothing more comes of a wish that leads to no act.
    const bucket = is === 'approved' && source.intent === undefined ? 'done' : BUCKETS[is];
    found[bucket].push({ id, relation: source.relation, row, is });
  }
  const isAll = Object.keys(where).length === 0;
  for (const { intent, row, is } of unproposed(state)) {
    const id = String(row['id']);
    const evidence = state.evidence.get(id);
    if (evidence === undefined ? isAll : isAsked(evidence.row)) found[BUCKETS[is]].push({ id, relation: `intent.${intent}`, row, is });
  }
  return found;
}

/** Acts beside those that rows of evidence propose: of rules written by hand. */
function* unproposed(state: State): Generator<Pick<IntentRecord, 'intent' | 'row'> & { readonly is: Stand }> {
  const isProposed = (intent: string, row: Row) => state.evidence.get(String(row['id']))?.source.intent === intent;
  for (const act of state.acts.values()) if (!isProposed(act.intent, act.row)) yield { ...act, is: outcomeOf(state, act) };
  for (const { intent, key, rows } of state.docket.identities()) {
    const is = state.dormant.has(key) ? 'dormant' : state.conflicts.has(key) ? 'conflict' : undefined;
    const act = state.acts.get(key);
    for (const row of is === undefined ? [] : rows.values()) {
      if (is !== undefined && !isProposed(intent, row) && !(act !== undefined && isSame(row, act.row))) yield { intent, row, is };
    }
  }
}

function standOf(state: State, { id, source, row }: Evidence, is: Status): Stand {
  const last = state.actsAbout(id).findLast((act) => act.row['id'] === id && act.intent === source.intent);
  // What has begun is undone by no revocation; what has not begun falls with it.
  if (last?.record === 'started') return outcomeOf(state, last);
  if (is !== 'approved') return is;
  if (last !== undefined) return last.record;
  if (source.intent === undefined) return is;
  const key = state.docket.keyOf(source.intent, { ...row, ...source.constants });
  return state.dormant.has(key) ? 'dormant' : state.conflicts.has(key) ? 'conflict' : is;
}

/** A started act is what its newest receipt with its bindings says. */
function outcomeOf(state: State, act: IntentRecord): Stand {
  const table = state.table(`receipt.${act.intent}`);
  if (act.record !== 'started' || table === undefined) return act.record;
  const place = (state.plan.tables[table]?.columns ?? []).indexOf('act');
  const receipts = [...state.engine.matching(table, [place], [String(act.row['id'])])]
    .map((receipt) => state.named(table, receipt))
    .filter((receipt) => isReceiptOf(receipt, act))
    .sort((left, right) => Number(left['seq']) - Number(right['seq']));
  const outcome = receipts.at(-1)?.['outcome'];
  return outcome === undefined ? 'started' : outcome === 'succeeded' ? 'succeeded' : 'failed';
}
