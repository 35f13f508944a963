/**
 * Why a wish was decided as it was: the verdict, its reasons, and the trusted rows that speak of what was wished for.
 *
 * Reads  a world and the id of a wish in it.
 * Gives  lines for a person.
 * Never  proves anything: a row is shown when it shares a value with the wish, whether or not the verdict rests on it.
 */
import type { ReportRow, Row, World } from '../../src/index.ts';
import { actionOf, reasonsOf } from './play.ts';

const STAMPS = ['id', 'session', 'actor', 'capture', 'ordinal', 'seq'];

export function because(world: World, id: string, wish: ReportRow): readonly string[] {
  const model = world.model();
  const status = model.statusOf(id) ?? 'malformed';
  const relations = [...world.plan.relations.keys()].filter((name) => /^(observation|fact)\./.test(name));
  const rows = relations.flatMap((name) =>
    model
      .rows(name)
      .map(own)
      .filter((row) => speaksOf(name, row, wish.columns))
      .map((row) => `${name} ${shown(row)}`),
  );
  const reasons = reasonsOf(world, id, wish);
  return [
    `${actionOf(wish)} ${shown(wish.columns)}`,
    ...(reasons.length === 0 ? [`  ${status}`] : reasons.map((reason) => `  ${status}: ${reason}`)),
    ...[...new Set(rows)].map((row) => `    ${row}`),
  ];
}

function own(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !STAMPS.includes(name)));
}

/** A text wherever it stands, a number in a column of the same name. A fact about another value of a column is about something else. */
function speaksOf(relation: string, row: Row, wish: Row): boolean {
  const columns = Object.entries(row);
  const isOther = columns.some(([name, value]) => wish[name] !== undefined && wish[name] !== value);
  if (relation.startsWith('fact.') && isOther) return false;
  const texts = new Set(Object.values(wish).filter((value) => typeof value === 'string' && value !== ''));
  return columns.some(([name, value]) => (typeof value === 'number' ? wish[name] === value : texts.has(value)));
}

function shown(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}
