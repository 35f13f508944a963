/**
 * Reads the printed story back, and compares each line with what the world holds.
 *
 * Reads  lines, and the models of a world after each of its transitions, its records, and the logs of the outside.
 * Gives  one sentence per line that says something else, and per record that no line tells.
 * Never  shares code with the teller of the story: a line is taken apart, not made again.
 */
import type { Loudspeaker, PointOfSale, World } from '../../examples/drive-through/pos.ts';
import type { Issue, LedgerRecord, Row } from '../../src/index.ts';

export interface Truth {
  readonly models: readonly ReturnType<World['model']>[];
  readonly records: readonly LedgerRecord[];
  readonly plan: World['plan'];
  readonly till: PointOfSale;
  readonly speaker: Loudspeaker;
  readonly issues: readonly Issue[];
}

export function faultsOfStory(lines: readonly string[], truth: Truth): readonly string[] {
  const told = new Set<LedgerRecord>();
  const said = rowsOf(truth, 'observation.said').map(({ text }) => `"${text}"`);
  const titles = [`The program ${truth.plan.name}, ${truth.plan.digest.slice(0, 12)}`, 'The same program and one rule more', ...said];
  const faults = lines.flatMap((line, index) => {
    if (/^ {5}\S/.test(line)) return [];
    const isTrue = /^\d/.test(line) ? titles.includes(line.slice(3)) : isSo(parsed(line), truth, told, index === lines.length - 1);
    return isTrue ? [] : [`not so: ${line}`];
  });
  const refusal = lines.filter((line) => /^ {5}\S/.test(line)).map((line) => line.trim());
  const { code, what, why, fix } = truth.issues[0] ?? { code: '', what: '', why: '', fix: '' };
  if (refusal.join(' ') !== `${code}: ${what} why: ${why} fix: ${fix}`) faults.push(`not what load says: ${refusal.join(' ')}`);
  return [...faults, ...truth.records.filter((record) => !told.has(record)).map((record) => `not told: ${JSON.stringify(record)}`)];
}

interface Line {
  readonly verb: string;
  readonly subject: readonly string[];
  readonly more: string;
}

function parsed(line: string): Line {
  const [subject = '', ...more] = line.slice(13).split(/ {2,}| (?=key |line |sku )/);
  return { verb: line.slice(3, 12).trim(), subject: subject.split(' '), more: more.join(' ') };
}

function isSo({ verb, subject, more }: Line, truth: Truth, told: Set<LedgerRecord>, isLast: boolean): boolean {
  const [first = '', second = ''] = subject;
  switch (verb) {
    case 'reported':
    case 'true':
      return rowsOf(truth, first).some((row) => says(more, row));
    case 'staged':
      return rowsOf(truth, first).some((row) => row['id'] === second && says(more, row));
    case 'accepted':
    case 'approved':
    case 'rejected':
    case 'revoked':
      return isRecord(truth, told, (record) => {
        if (record.record !== 'decision' || record.verdict !== verb || record.source !== first || record.id !== second) return false;
        return record.reasons.length > 0 ? more === record.reasons.join('; ') : says(more, record.recorded);
      });
    case 'admitted':
    case 'started':
      return isRecord(truth, told, (record) => {
        if (record.record !== verb || record.intent !== first || record.row['id'] !== second) return false;
        return more === `key ${record.key.slice(0, 8)}, rests on ${record.restsOn.join(', ')}`;
      });
    case 'ignored':
      return isRecord(truth, told, (record) => record.record === 'ignored' && isCard(record.row, subject.slice(1)) && more === record.why);
    case 'asked':
      return truth.models.some((model) =>
        model.rows('decision.held.sendOrder').some((held) => {
          const [item] = model.rows('observation.menuItem', { sku: held['sku']! });
          const total = Number(item?.['price']) * Number(held['qty']);
          return isCard(held, subject.slice(1)) && more === `${held['reason']}: total ${total}`;
        }),
      );
    case 'answered':
      return rowsOf(truth, 'confirmed.sendOrder').some(
        (row) => isCard(row, subject.slice(1)) && more === `${row['answer']} by ${row['by']}`,
      );
    case 'receipt':
      return rowsOf(truth, first).some(
        ({ act, ticket, charged, outcome }) => act === second && more === `ticket ${ticket}, charged ${charged}, ${outcome}`,
      );
    case 'rung up':
      return truth.till.sales.some(({ ticket, sku, qty, charged }) => ticket === second && more === `${qty} x ${sku}, charged ${charged}`);
    case 'spoken':
      return truth.speaker.spoken.includes(more);
    case 'so far':
      return isCounted(subject.join(' '), truth, isLast);
    default:
      return false;
  }
}

function rowsOf({ models }: Truth, relation: string): readonly Row[] {
  return models.flatMap((model) => model.rows(relation));
}

function isRecord({ records }: Truth, told: Set<LedgerRecord>, isIt: (record: LedgerRecord) => boolean): boolean {
  const found = records.find((record) => !told.has(record) && isIt(record));
  if (found !== undefined) told.add(found);
  return found !== undefined;
}

/** `name value, name value`: each of them a column of the row. */
function says(text: string, row: Row): boolean {
  const parts = text === '' ? [] : text.split(', ');
  return parts.every((part) => {
    const [, name = '', value] = /^(\w+) (.*)$/.exec(part) ?? [];
    return Object.hasOwn(row, name) && String(row[name]) === value;
  });
}

function isCard(row: Row, [id, digest = '']: readonly string[]): boolean {
  return row['id'] === id && digest.length === 9 && digest.slice(1) === String(row['shown']).slice(0, 8);
}

/** The last count is that of the end, the other that of the waters, the second transition. */
function isCounted(text: string, { models, till }: Truth, isLast: boolean): boolean {
  const model = isLast ? models.at(-1) : models[1];
  const counts = [...text.matchAll(/(\w+\.\w+) (\d+)/g)];
  const calls = isLast ? till.sales.length : 0;
  return (
    counts.length === 3 && text.endsWith(`rung up ${calls}`) && counts.every(([, name = '', count]) => model?.count(name) === Number(count))
  );
}
