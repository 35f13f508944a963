/**
 * Join orders: in which order a rule's steps run when a change comes in at one of them.
 *
 * Reads  a flat rule and the keys of its tables.
 * Gives  for each step that can change, for the whole rule and for a given head, an order in which every step finds what it needs.
 * Never  guesses sizes: what is bound decides, a key before many columns, many columns before few.
 */
import type { Flat } from './flatten.ts';
import { bindsOf, isRelational, needsOf, slotsOf, type Argument, type Step } from './steps.ts';
import type { Book, TableId } from './tables.ts';

export interface Orders {
  readonly orders: ReadonlyMap<number, readonly number[]>;
  readonly whole: readonly number[];
  readonly headFirst: readonly number[];
}

export function ordersOf(flat: Flat, book: Book): Orders {
  const heads = flat.headColumns.flatMap((column) => ('slot' in column ? [column.slot] : []));
  const positions = flat.steps.flatMap((step, i) => (isRelational(step) ? [i] : []));
  const uses = flat.steps.map((step) => ({ step, needs: needsOf(step), binds: bindsOf(step) }));
  return {
    orders: new Map(positions.map((at) => [at, [at, ...order(flat, book, uses, at, slotsGiven(flat.steps[at] as Step))]])),
    whole: order(flat, book, uses, -1, []),
    headFirst: order(flat, book, uses, -1, heads),
  };
}

/** A step with the slots that it needs and binds: they are the same in every order. */
interface Use {
  readonly step: Step;
  readonly needs: readonly number[];
  readonly binds: readonly number[];
}

/** What a change at this step binds: all its columns, and of a group its value too. */
function slotsGiven(step: Step): number[] {
  return step.step === 'group'
    ? [...slotsOf(step.args), step.out]
    : step.step === 'absent' || step.step === 'scan'
      ? slotsOf(step.args)
      : [];
}

function order(flat: Flat, book: Book, uses: readonly Use[], at: number, given: readonly number[]): number[] {
  const bound = new Set(given);
  const left = new Set(flat.steps.keys());
  left.delete(at);
  const result: number[] = [];
  while (left.size > 0) {
    const next = best(flat, book, uses, left, bound);
    left.delete(next);
    result.push(next);
    for (const slot of uses[next]?.binds ?? []) bound.add(slot);
  }
  return result;
}

/** A step that only tests comes as soon as it can; then the atom that promises the fewest rows. */
function best(flat: Flat, book: Book, uses: readonly Use[], left: ReadonlySet<number>, bound: ReadonlySet<number>): number {
  let choice = -1;
  let merit = -Infinity;
  for (const i of left) {
    const { step, needs } = uses[i] as Use;
    if (!needs.every((slot) => bound.has(slot))) continue;
    const own =
      step.step === 'scan' ? meritOf(step, book, bound, flat.head) : step.step === 'fails' || step.step === 'overflows' ? 90 : 100;
    if (own > merit) [choice, merit] = [i, own];
  }
  if (choice < 0) throw new Error(`${flat.id}: a variable is bound by nothing`);
  return choice;
}

function meritOf(step: Step & { readonly step: 'scan' }, book: Book, bound: ReadonlySet<number>, head: TableId): number {
  const isGiven = (arg: Argument | undefined) => arg !== undefined && ('constant' in arg || ('slot' in arg && bound.has(arg.slot)));
  let [constants, variables, free] = [0, 0, 0];
  for (const arg of step.args) {
    if ('constant' in arg) constants++;
    else if ('slot' in arg && bound.has(arg.slot)) variables++;
    else if ('slot' in arg) free++;
  }
  if (constants + variables === step.args.length) return 80;
  if (book.table(step.table).keys.some((key) => key.every((column) => isGiven(step.args[column])))) return 70;
  // Bound variables narrow more than constants do, which many rows share.
  // Between equals, what the rule itself derives comes last: it is the larger, and the one that may be in flux.
  return variables * 10 + constants * 3 - free * 0.1 - (step.table === head ? 0.05 : 0);
}
