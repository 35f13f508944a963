/**
 * The questions that lie on the table.
 *
 * Reads  what is held at the head.
 * Gives  cards as data, which `answer` makes a report of.
 * Never  says who may answer: that is for the clause that asks.
 */
import type { Card, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { State } from './state.ts';

export function cardsOf(state: State): Card[] {
  const names = new Set([...state.plan.sources.values()].map(({ decided }) => decided));
  return [...names]
    .flatMap((name) => {
      const held = state.table(`decision.held.${name}`);
      return held === undefined ? [] : [...state.engine.rows(held)].map((row) => cardOf(name, state.named(held, row)));
    })
    .sort((left, right) => byCodePoint(left.id, right.id) || byCodePoint(left.reason, right.reason));
}

function cardOf(name: string, held: Row): Card {
  const { id, reason, shown, ...row } = held;
  return { id: String(id), reason: String(reason), shown: String(shown), relation: `confirmed.${name}`, row };
}
