/**
 * The questions that lie on the table of a world, and the answer to one as the row that a report gives.
 *
 * Reads  what is held at the head.
 * Gives  cards as data, and rows of `confirmed.*` for a trusted report by whoever answers.
 * Never  answers by itself, and never says who may: that is for the clause that asks.
 */
import type { ReportRow, Row } from '../../dsl/record.ts';
import type { World } from '../world.ts';

/** A question about one row of evidence. */
export interface Card {
  /** The row of evidence that is held: "reply-1.1". */
  readonly id: string;
  /** The clause that asks, in its author's words. */
  readonly reason: string;
  /** The digest of everything that the question is about: an answer is to this card and to no later one. */
  readonly shown: string;
  /** Where its answer goes: "confirmed.refund". */
  readonly relation: string;
  /** The held row, as it was reported. */
  readonly row: Row;
}

/** The cards on the table, or those of some rows of evidence, by row and reason. */
export function cards(world: World, ids?: readonly string[]): readonly Card[] {
  const model = world.model();
  const names = [...new Set([...world.plan.sources.values()].map(({ decided }) => decided))];
  return names
    .filter((name) => world.plan.relations.has(`decision.held.${name}`))
    .flatMap((name) => model.rows(`decision.held.${name}`).map((row) => cardOf(name, row)))
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .sort((left, right) => compare(left.id, right.id) || compare(left.reason, right.reason));
}

/**
 * The answer to a card, for a trusted report: `world.observe({ session, actor: 'mia', reports: [{ rows: [answer(card, 'yes')] }] })`.
 *
 * Shape   who answers is the actor of the report, which the runtime stamps.
 */
export function answer({ id, reason, shown, relation, row }: Card, given: 'yes' | 'no'): ReportRow {
  // A request is told apart from those of other queries by the query's name.
  const query = relation === 'confirmed.queryExecute' ? { query: row['query'] ?? '' } : {};
  return Object.freeze({ relation, columns: Object.freeze({ id, reason, shown, answer: given, ...query }) });
}

function cardOf(name: string, held: Row): Card {
  const { id, reason, shown, ...row } = held;
  return { id: String(id), reason: String(reason), shown: String(shown), relation: `confirmed.${name}`, row };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
