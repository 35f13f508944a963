/**
 * When a row came, beside when a record was made.
 *
 * Reads  captures, decisions and records of acts.
 * Gives  the transition of a row, and of a record its place among all records.
 * Never  guesses: of a view nobody has kept when a row came.
 */
import type { Row } from '../../dsl/record.ts';
import type { Made, State } from './state.ts';

export interface Moment {
  readonly position: number;
  readonly place?: number;
}

/** The transition that a reported row is from; 0 of a view. */
export function positionOf(state: State, row: Row): number {
  const capture = String(row['capture'] ?? '');
  // A reply that calls itself a report is refused, and is not where a trusted row is from.
  return Number(/^report:(\d+)\./.exec(capture)?.[1] ?? state.captures.get(capture) ?? 0);
}

/** When a row of a report or a record came; undefined of a view. */
export function momentOf(state: State, relation: string, row: Row): Moment | undefined {
  const life = state.plan.tables[state.table(relation) ?? -1]?.life;
  if (life === 'report') return { position: positionOf(state, row) };
  if (life !== 'record') return undefined;
  const [kind = ''] = relation.split('.');
  const intent = relation.slice(kind.length + 1);
  const id = String(row['id']);
  if (kind === 'open') return { position: positionOf(state, row) };
  if (kind === 'decision' || kind === 'exposure') {
    const decided = state.decisions.get(id);
    return relation.startsWith('decision.revoked.') && decided?.revoked !== undefined ? state.madeOf.get(decided.revoked) : decided;
  }
  const wanted = kind === 'standing' ? 'admitted' : kind;
  const record = state.actsAbout(id).find((act) => act.record === wanted && act.intent === intent && act.row['id'] === id);
  return record === undefined ? undefined : state.madeOf.get(record);
}

/** Whether what came at a moment was there when a record was made. */
export function wasThere({ position, place }: Moment, made: Made): boolean {
  return place === undefined ? position <= made.position : place < made.place;
}
