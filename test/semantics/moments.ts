/**
 * Models built apart: at a head, and at the moment at which a record was made, from the reports of its transition and the records before it.
 *
 * Reads  the oracle's state before an event, the event, the records that came of it, and the plan's rules.
 * Gives  rows of every relation, of those that the loader wrote too.
 * Never  decides: which records there are is taken from the world.
 */
import type { LedgerRecord } from '../../dsl/record.ts';
import type { Plan } from '../../src/load/load.ts';
import { branchesOf } from '../oracle/body.ts';
import type { Book } from '../oracle/book.ts';
import { apply } from '../oracle/ingress.ts';
import { derive } from '../oracle/evaluate.ts';
import type { Model } from '../oracle/model.ts';
import { baseModel, Draft, intentRecordsOf, type OracleState } from '../oracle/state.ts';
import type { OracleEvent } from '../oracle/transition.ts';

/** The model at a head, with the relations that the loader wrote. */
export function modelNow(state: OracleState, plan: Plan): Model {
  const book = { ...state.book, rules: rulesOf(plan) };
  const model = baseModel(new Draft(state, { book }));
  const last = new Map(intentRecordsOf(state.made).flatMap((act) => (act.record === 'conflict' ? [] : [[act.key, act] as const])));
  for (const { record, intent, row } of last.values()) if (record === 'admitted') model.put(`standing.${intent}`, row);
  return derive(model, book).model;
}

export interface Moment {
  readonly record: LedgerRecord;
  readonly model: Model;
}

export function momentsOf(before: OracleState, event: OracleEvent, book: Book, plan: Plan, records: readonly LedgerRecord[]): Moment[] {
  const aside = new Set([...before.aside, ...records.flatMap((record) => (record.record === 'setAside' ? [record.id] : []))]);
  const taken = new Draft(before, { book, position: before.position + 1, aside });
  const known = taken.made.length;
  if (event.event === 'batch') apply(taken, event);
  const draft = new Draft(taken, { book: { ...book, rules: rulesOf(plan) } });
  // What ingress records, it records by itself.
  return records.slice(draft.made.length - known).map((record) => {
    const { model } = draft.derived();
    if (record.record === 'dormant') draft.dormant.add(record.key);
    draft.record(record);
    return { record, model };
  });
}

function rulesOf({ rules }: Plan): Book['rules'] {
  return rules.map(({ id, head, body }) => ({ id, head, branches: branchesOf(body).map((branch) => ({ body: branch })) }));
}
