/**
 * Answers that counted for nothing: who answered which card, and why nothing came of it.
 *
 * Reads  the record of an ignored answer, who gave it, and the model after it.
 * Gives  one sentence.
 * Never  decides what is ignored: the world has, and this says what a reader needs to find the mistake.
 */
import { irOf, type Atom, type ProgramIR } from '../../dsl/ir.ts';
import { ownName } from '../../dsl/law.ts';
import { didYouMean } from '../../dsl/name.ts';
import type { IgnoredRecord } from '../../dsl/record.ts';
import type { Program } from '../../dsl/program.ts';
import { rowText } from '../world/proof.ts';
import type { Model } from '../world.ts';

export function ignoredText(program: Program, model: Model, record: IgnoredRecord, actor: string): string {
  const { id, reason, answer } = record.row;
  const said = `${JSON.stringify(actor)} answers ${String(answer)} to the card ${JSON.stringify(reason)} of ${String(id)}`;
  return `${record.why}: ${said}, ${record.why === 'not admissible' ? whoMay(program, model, record, actor) : whatIsAsked(model, record)}`;
}

/** Why somebody may not answer: `by` names who may. */
function whoMay(program: Program, model: Model, { relation, row }: IgnoredRecord, actor: string): string {
  const by = byOf(program, ownName(relation), row['reason']);
  const column = Object.entries(by?.columns ?? {}).find(([, term]) => 'var' in term && term.var === 'by')?.[0];
  if (by === undefined || column === undefined) return 'who may not';
  const names = model.rows(by.relation).map((one) => String(one[column]));
  if (names.includes(actor)) return `who stands in ${by.relation} and not for this row`;
  return `and nobody of that name stands in ${rowText(by.relation, {})}, which says who may${didYouMean(actor, names)}`;
}

/** The `by` of the clause that asks. */
function byOf(program: Program, decided: string, reason: unknown): Atom | undefined {
  const { rules, queries } = irOf(program) as ProgramIR;
  return [...rules, ...queries].flatMap((one) => {
    if (one?.kind !== 'decide' || !isOf(one.source.relation, decided)) return [];
    return one.clauses.flatMap((clause) =>
      clause.clause === 'asks' && clause.reason === reason && clause.by !== undefined ? [clause.by] : [],
    );
  })[0];
}

/** Requests share the relations of their decisions, whatever their query. */
function isOf(relation: string, decided: string): boolean {
  const own = ownName(relation);
  return own === decided || (decided === 'queryExecute' && own.startsWith('queryRequested.'));
}

/** Why there is no such card: its row is decided, it was answered, or another one lies there. */
function whatIsAsked(model: Model, { relation, row: { id = '', reason = '', shown = '' } }: IgnoredRecord): string {
  const verdict = model.verdict(String(id));
  if (verdict === undefined) return 'a row that the world does not know';
  if (verdict.is !== 'held' && verdict.is !== 'pending') return `which is decided already: ${verdict.sentence}`;
  const [given] = model.rows(relation, { id, reason, shown });
  if (given !== undefined) return `which ${JSON.stringify(given['by'])} has answered already`;
  const cards = model.cards().filter((card) => card.id === id);
  const other = cards.some((card) => card.reason === reason) ? 'another card asks that now: what it shows has changed' : undefined;
  return (
    other ??
    (cards.length === 0 ? 'and nothing is asked of it' : `and asked is ${cards.map((card) => JSON.stringify(card.reason)).join(', ')}`)
  );
}
