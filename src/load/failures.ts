/**
 * The failure rules: for each way in which a flat rule cannot be computed, a rule that derives just that.
 *
 * Reads  a flat rule with its fallible steps (calls, and heads that an exact sum may overflow).
 * Gives  rules that reject the judged row, or fill a failure table that the world answers by setting evidence aside or refusing.
 * Never  lets an instance disappear: what a body could not decide is a row too, so no denial is silenced by a failure.
 *
 * An instance fails when an expression in it fails and every step that does not need the failed value holds.
 */
import type { Flat } from './flatten.ts';
import type { HeadColumn } from './plan.ts';
import type { LoweredRule } from './lowered.ts';
import { bindsOf, isFallible, needsOf, slotsIn, type Computation, type Step, type Test } from './steps.ts';
import type { Book } from './tables.ts';

/** A body with more fallible expressions does not load: each subset of them is a failure of its own. */
export const fallibleMax = 6;

export function failuresOf(rule: LoweredRule, flat: Flat, branch: number, book: Book, invariant?: string): Flat[] {
  const fallible = flat.steps.flatMap((step, i) => (subjectOf(step) !== undefined ? [i] : []));
  const wide = overflowing(flat, book);
  // Most rules cannot fail.
  if (fallible.length === 0 && wide.length === 0) return [];
  const bodies = subsets(fallible).flatMap((failing) => needed(flat, failing, fallible, judgedStep(rule, flat, book)) ?? []);
  const isSeen = meetsEveryFailure(flat, fallible);
  const prefix = rule.decides === undefined ? '' : `undecidable: ${rule.id}: `;
  const why = flat.slots.length;
  const rules = bodies.map(({ failing, kept }) => {
    const subjects = failing.map((i) => subjectOf(flat.steps[i] as Step) as Computation | Test);
    const steps: Step[] = [...kept.map((i) => flat.steps[i] as Step), { step: 'fails', subjects, out: why, prefix }];
    return failureRule(steps, inputsOf(flat, subjects.flatMap(slotsIn)), failing.join('+'));
  });
  if (wide.length > 0) {
    const steps: Step[] = [...flat.steps, { step: 'overflows', slots: wide, out: why, prefix }];
    rules.push(failureRule(steps, inputsOf(flat, wide), 'head'));
  }
  return rules;

  function failureRule(steps: Step[], inputs: readonly number[], tag: string): Flat {
    const base = {
      id: rule.id,
      slots: [...flat.slots, 'why'],
      steps,
      ...(isSeen ? { armedBy: `${rule.id};${branch};${invariant ?? ''}` } : {}),
    };
    if (rule.decides !== undefined) return { ...base, ...verdict(rule, flat, why, book) };
    const bound = [...new Set(steps.flatMap(bindsOf))].filter((slot) => slot !== why).sort((a, b) => a - b);
    const columns = ['why', ...bound.map((slot) => flat.slots[slot] ?? '')];
    const head = book.derived(`failure(${rule.id};${branch};${tag})`, columns, book.table(flat.head).life);
    const blamed = steps.flatMap((step, i) => (mayBeBlamed(step) && bindsOf(step).some((slot) => inputs.includes(slot)) ? [i] : []));
    const failure = { rule: rule.id, blamed, ...(invariant === undefined ? {} : { invariant }) };
    return { ...base, head, headColumns: [{ slot: why }, ...bound.map((slot) => ({ slot }))], failure };
  }
}

/**
 * Whether the rule itself meets every failure: all that comes before a failing step in its own joins holds in the failing instance too.
 * Not so where an atom joins on what a fallible step binds: the join may look for that row first, and never get to the step.
 */
function meetsEveryFailure(flat: Flat, fallible: readonly number[]): boolean {
  const outputs = new Set(fallible.flatMap((i) => bindsOf(flat.steps[i] as Step)));
  return !flat.steps.some((step) => step.step === 'scan' && bindsOf(step).some((slot) => outputs.has(slot)));
}

/** Overflow of a head is possible where a column takes what arithmetic or a sum of this body gives. */
export function overflowing(flat: Pick<Flat, 'head' | 'headColumns' | 'steps'>, book: Book): number[] {
  const computed = flat.steps.filter(({ step }) => step === 'compute' || step === 'group');
  if (computed.length === 0 || isWitness(book.table(flat.head).name)) return [];
  const isWide = (slot: number): boolean =>
    computed.some(
      (step) =>
        (step.step === 'compute' && step.out === slot && mayBeWide(step.computation)) ||
        (step.step === 'group' && step.out === slot && book.aggregationAt(step.aggregation).aggregate === 'sum'),
    );
  // A copy of a wide slot is as wide as the slot itself.
  const mayBeWide = (computation: Computation): boolean => 'operator' in computation || ('slot' in computation && isWide(computation.slot));
  return [...new Set(flat.headColumns.flatMap((column) => ('slot' in column && isWide(column.slot) ? [column.slot] : [])))];
}

/** A witness shows what was compared, however large: no rule reads it. */
function isWitness(table: string): boolean {
  return table.startsWith('violation.') || table.startsWith('failure(');
}

function subjectOf(step: Step): Computation | Test | undefined {
  if (step.step === 'compute' && isFallible(step.computation)) return step.computation;
  return step.step === 'test' && isFallible(step.test) ? step.test : undefined;
}

function subsets(items: readonly number[]): number[][] {
  return items.reduce<number[][]>((all, item) => [...all, ...all.map((one) => [...one, item])], [[]]).slice(1);
}

interface Needed {
  readonly failing: readonly number[];
  readonly kept: readonly number[];
}

/** The position of the atom of the judged row: it is always needed, for without it nothing could be rejected. */
function judgedStep(rule: LoweredRule, flat: Flat, book: Book): number {
  const judged = rule.judged;
  if (judged === undefined) return -1;
  return flat.steps.findIndex((step) => {
    if (step.step !== 'scan') return false;
    const id = step.args[book.table(step.table).columns.indexOf('id')];
    if (id === undefined || 'wildcard' in id) return false;
    return 'var' in judged ? 'slot' in id && flat.slots[id.slot] === judged.var : 'constant' in id && id.constant === judged.const;
  });
}

/**
 * The steps that must hold when these fail. Dropped are those that mention a failed value: what a failing binding would bind, and
 * no atom binds apart from it. Undefined where one failing step waits for the value of another, which has its own failure.
 */
function needed(flat: Flat, failing: readonly number[], fallible: readonly number[], judged: number): Needed | undefined {
  const steps = (indexes: readonly number[]) => indexes.map((i) => flat.steps[i] as Step);
  const outputs = new Set(steps(fallible).flatMap(bindsOf));
  const inputs = steps(failing).flatMap(needsOf);
  const atoms = flat.steps.flatMap((step, i) => (step.step === 'scan' ? [i] : []));
  const apart = atoms.filter(
    (i) =>
      i === judged ||
      !steps([i])
        .flatMap(bindsOf)
        .some((slot) => outputs.has(slot)),
  );
  if (
    inputs.some((slot) => failing.some((i) => steps([i]).flatMap(bindsOf).includes(slot)) && !steps(atoms).flatMap(bindsOf).includes(slot))
  ) {
    return undefined;
  }
  // Where the failing arguments come only from atoms that join on an output, those atoms are needed after all.
  return [apart, atoms].map((ground) => keepFrom(flat, failing, ground)).find(({ failed }) => !inputs.some((slot) => failed.has(slot)));
}

function keepFrom(flat: Flat, failing: readonly number[], ground: readonly number[]): Needed & { readonly failed: ReadonlySet<number> } {
  const bound = new Set(ground.flatMap((i) => bindsOf(flat.steps[i] as Step)));
  const failed = new Set(failing.flatMap((i) => bindsOf(flat.steps[i] as Step)).filter((slot) => !bound.has(slot)));
  let kept = flat.steps.map((_, i) => i).filter((i) => !failing.includes(i));
  for (let size = -1; size !== failed.size + kept.length;) {
    size = failed.size + kept.length;
    kept = kept.filter((i) => ground.includes(i) || !mentions(flat.steps[i] as Step, failed));
    const stillBound = new Set(kept.flatMap((i) => bindsOf(flat.steps[i] as Step)));
    for (const step of flat.steps) for (const slot of bindsOf(step)) if (!stillBound.has(slot)) failed.add(slot);
  }
  return { failing, kept, failed };
}

function mentions(step: Step, slots: ReadonlySet<number>): boolean {
  return [...needsOf(step), ...bindsOf(step)].some((slot) => slots.has(slot));
}

function mayBeBlamed(step: Step): boolean {
  return step.step === 'scan' || step.step === 'group';
}

/** The slots that a computed slot is computed from, itself included. */
function inputsOf(flat: Flat, slots: readonly number[]): number[] {
  const all = new Set(slots);
  for (let size = -1; size !== all.size;) {
    size = all.size;
    for (const step of flat.steps)
      if (step.step === 'compute' && all.has(step.out)) slotsIn(step.computation).forEach((slot) => all.add(slot));
  }
  return [...all];
}

/** A rule that decides and cannot be computed rejects the row; a rule that revokes, revokes it. */
function verdict(rule: LoweredRule, flat: Flat, why: number, book: Book): Pick<Flat, 'head' | 'headColumns'> {
  const isRevoking = rule.head.relation.startsWith('verdict.revoked.');
  const table = book.named(`verdict.${isRevoking ? 'revoked' : 'rejected'}.${rule.decides ?? ''}`);
  const judged = rule.judged;
  if (judged === undefined) throw new Error(`${rule.id}: a deciding rule without a judged row`);
  const id: HeadColumn = 'var' in judged ? { slot: flat.slots.indexOf(judged.var) } : { constant: judged.const };
  return { head: table.id, headColumns: table.columns.map((column) => (column === 'id' ? id : { slot: why })) };
}
