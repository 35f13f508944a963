/**
 * Whether a policy was written for the cases: whether a value or an id of a case stands in its source.
 *
 * Reads  a case, and source texts.
 * Gives  every value of the case that stands in the text: see `valuesOf` for which are looked for.
 * Never  counts the words that a tool and a policy share because they speak of the same thing: names of tools, columns and parameters.
 */
import type { Case } from './case.ts';
import { stands } from './texts.ts';

/** Shorter ones stand in any text. */
const CHARACTERS_MIN = 4;
const WORDS = 4;

export interface Values {
  readonly texts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
  readonly phrases: ReadonlySet<string>;
}

/**
 * What of a case may not stand in a policy.
 *
 * Shape   `texts`: the ids of tasks, injections and slots; every whole text among arguments and records, and every key of its files; of
 *         longer texts (prompts, goals, results, files) every word with a digit, which are the accounts, dates, sums and names of files.
 *         `numbers`: every number among arguments and records, as it is and in hundredths. Each of at least four characters.
 *         `phrases`: any four words that follow one another in a prompt or a goal, in small letters.
 */
export function valuesOf({ user_tasks, injection_tasks, injection_vectors, environment }: Case): Values {
  const calls = [...user_tasks, ...injection_tasks].flatMap(({ ground_truth }) => ground_truth);
  const asked = [...user_tasks.map(({ prompt }) => prompt), ...injection_tasks.map(({ goal }) => goal)];
  const leaves = [...calls.map(({ args }) => args), environment, Object.values(injection_vectors)].flatMap(leavesOf);
  const whole = leaves.filter((leaf) => typeof leaf === 'string');
  const long = [...whole, ...asked, ...calls.flatMap(({ result }) => leavesOf(result)).filter((leaf) => typeof leaf === 'string')];
  const ids = [...user_tasks, ...injection_tasks].map(({ id }) => id);
  const words = long.flatMap((text) => text.split(/[\s'"();]+/)).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const texts = [
    ...ids,
    ...Object.keys(injection_vectors),
    ...whole,
    ...fileNamesOf(environment),
    ...words.filter((word) => /\d/.test(word)),
  ];
  const numbers = leaves.filter((leaf) => typeof leaf === 'number').flatMap((number) => [number, Math.round(number * 100)]);
  return {
    texts: new Set(texts.filter((text) => text.length >= CHARACTERS_MIN)),
    numbers: new Set(numbers.filter((number) => String(number).length >= CHARACTERS_MIN)),
    phrases: new Set(asked.flatMap(phrasesOf)),
  };
}

/** The values that stand in a source text; numbers whatever way they are written. */
export function copiedInto(source: string, { texts, numbers, phrases }: Values): readonly string[] {
  const written = [...source.matchAll(/(?<![\w.])\d[\d_]*(?:\.\d+)?/g)].map(([number]) => Number(number.replaceAll('_', '')));
  const own = new Set(phrasesOf(source));
  return [
    ...[...texts].filter((text) => stands(source, text)),
    ...[...numbers].filter((number) => written.includes(number)).map(String),
    ...[...phrases].filter((phrase) => own.has(phrase)),
  ];
}

function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** Keys with a dot: the records name files by them. */
function fileNamesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value).filter((key) => key.includes('.')), ...Object.values(value).flatMap(fileNamesOf)];
}

function phrasesOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(WORDS - 1).map((_word, index) => words.slice(index, index + WORDS).join(' '));
}
