/**
 * Why a wish was decided as it was: its verdict in one sentence, and the rows that this rests on.
 *
 * Reads  a world and the id of a wish in it.
 * Gives  lines for a person.
 * Never  guesses: what is shown is what the rule that decided had before it.
 */
import { premiseText, type ReportRow, type Row, type World } from '../../src/index.ts';
import { actionOf } from './play.ts';

const STAMPS = ['id', 'session', 'actor', 'capture', 'ordinal', 'seq'];

export function because(world: World, id: string, wish: ReportRow): readonly string[] {
  const verdict = world.model().verdict(id);
  const rules = (verdict?.because ?? []).filter(({ isMiss }) => isMiss !== true);
  const lines = rules.flatMap(({ rule, clause, premises }) => [
    `    ${clause ?? `rule ${rule}`}`,
    // What is judged is said already.
    ...premises
      .slice(premises[0]?.isGround === true ? 1 : 0)
      .map((premise) => `      ${premiseText('columns' in premise ? { ...premise, columns: own(premise.columns) } : premise)}`),
  ]);
  return [`${actionOf(wish)} ${shown(wish.columns)}`, `  ${verdict?.sentence ?? 'malformed: kept, and in no rule'}`, ...lines];
}

function own(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !STAMPS.includes(name)));
}

function shown(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}
