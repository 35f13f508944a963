/**
 * Answers to cards: taken when the card was on the table, is still what its row asks, and the one who answers may do so now.
 *
 * Reads  the answers of one report, put to the trial one by one on the report's other rows.
 * Gives  `confirmed.*` rows, or records of answers that were ignored.
 * Never  lets an answer that was not admissible when it came be in any rule later.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import { namespaceOf, ownName } from '../../dsl/law.ts';
import type { Row } from '../../dsl/record.ts';
import type { Source } from '../load/load.ts';
import type { Taken } from './intake.ts';
import type { State } from './state.ts';

export interface Answer {
  readonly relation: string;
  readonly row: Row;
}

export function takeAnswers(state: State, answers: readonly Answer[], onTable: ReadonlySet<string>): void {
  state.settle();
  const judged = answers.map((answer) => ({ answer, why: whyIgnored(state, answer, onTable) }));
  for (const { answer, why } of judged) {
    if (why === undefined) state.put(answer.relation, answer.row, 1);
    else state.record({ record: 'ignored', relation: answer.relation, row: declared(state, answer), why });
  }
}

function whyIgnored(state: State, { relation, row }: Answer, onTable: ReadonlySet<string>): 'no such card' | 'not admissible' | undefined {
  const decided = ownName(relation);
  const sources = [...state.plan.sources.values()].filter((source) => source.decided === decided);
  if (!onTable.has(cardKey(decided, row)) || !sources.some((source) => isAsked(state, source, row))) return 'no such card';
  const isAdmissible = state.attempt(() => {
    state.put(relation, row, 1);
    state.settle();
    return sources.some((source) => has(state, `answer.${source.name}`, ['id', 'reason', 'shown', 'by', 'answer'], row));
  });
  return isAdmissible ? undefined : 'not admissible';
}

/** A card that was answered in this very batch is still what its row asks. */
function isAsked(state: State, { name }: Source, row: Row): boolean {
  return ['verdict.held', 'answer'].some((view) => has(state, `${view}.${name}`, ['id', 'reason', 'shown'], row));
}

function has(state: State, relation: string, columns: readonly string[], row: Row): boolean {
  const table = state.table(relation);
  if (table === undefined) return false;
  const names = state.plan.tables[table]?.columns ?? [];
  const found = state.engine.matching(
    table,
    columns.map((column) => names.indexOf(column)),
    columns.map((column) => row[column] ?? ''),
  );
  return found.next().done !== true;
}

function declared(state: State, { relation, row }: Answer): Row {
  const columns = state.plan.relations.get(relation)?.columns ?? [];
  return Object.fromEntries(columns.flatMap(({ name, isReserved }) => (isReserved ? [] : [[name, row[name] ?? ''] as const])));
}

/** The cards that lie on the table before the batch: an answer to any other is to no card. */
export function cardsFor(state: State, batch: Taken): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { relation, columns } of batch.reports.flatMap((report) => report.rows)) {
    if (namespaceOf(relation) !== 'confirmed') continue;
    const decided = ownName(relation);
    if (has(state, `decision.held.${decided}`, ['id', 'reason', 'shown'], columns)) found.add(cardKey(decided, columns));
  }
  return found;
}

function cardKey(decided: string, row: Row): string {
  return canonicalJson([decided, row['id'] ?? '', row['reason'] ?? '', row['shown'] ?? '']);
}
