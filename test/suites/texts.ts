/**
 * Where a value stands in a text: the whole of what a bank's software has to find out, and it compares letters only.
 *
 * Reads  texts, and values that a model has put into a call.
 * Gives  whether a value stands there as a whole, which sums do, and whether something is mentioned by a word of its title.
 * Never  knows who wrote the text, or which call is being judged.
 */

/** What a value may not touch on either side: it would be a part of something longer. */
const BEFORE = String.raw`(?<![\p{L}\p{M}\p{N}_@/\\-]|[\p{L}\p{N}]\.)`;
const BEHIND = String.raw`(?![\p{L}\p{M}\p{N}_@/\\-]|\.[\p{L}\p{N}])`;

/** Whether the value stands in the text, letter for letter, and not as a part of a longer word or number. */
export function stands(text: string, value: string): boolean {
  if (value.trim() === '') return false;
  // People write the number of an account in groups of four.
  const groups = ACCOUNT.test(value) ? (value.match(/.{1,4}/g) ?? []) : [value];
  const literally = groups.map((group) => group.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join(' ?');
  return new RegExp(`${BEFORE}${literally}${BEHIND}`, 'u').test(text);
}

const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The sums of money that stand in a text, in hundredths: numbers by themselves, no parts of dates, names, accounts or percentages. */
export function sumsIn(text: string): readonly number[] {
  const numbers = text.matchAll(new RegExp(String.raw`${BEFORE}(?<![.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?(?![%,]\d|%)${BEHIND}`, 'gu'));
  const sums = [...numbers].map(([, whole = '', cents = '']) => Math.round(Number(`${whole.replaceAll(',', '')}${cents}`) * 100));
  return [...new Set(sums)].filter((sum) => Number.isSafeInteger(sum));
}

/** Words of fewer letters say nothing about what is meant. */
const LETTERS_MIN = 4;

/** Whether the text speaks of something with this title: of the whole title, or of a word of it, in capitals or not. */
export function mentions(text: string, title: string): boolean {
  const [low, name] = [text.toLowerCase(), title.toLowerCase()];
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= LETTERS_MIN);
  return [name, ...words].some((one) => stands(low, one));
}
