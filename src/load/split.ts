/**
 * Splits off the parts of a rule that share no variable with its head: of them it matters only that some instance exists.
 *
 * Reads  a flat rule.
 * Gives  the rule with each such part replaced by one table without columns, so that no cross product is walked.
 * Never  splits off what may fail: how it fails is the whole rule's to say.
 */
import type { Flat } from './flatten.ts';
import { bindsOf, isFallible, needsOf, type Argument, type Computation, type Step, type Test } from './steps.ts';
import type { Book } from './tables.ts';

export function split(flat: Flat, book: Book): Flat {
  const parts = partsOf(flat);
  const apart = parts.filter(
    (part) => part.length > 0 && part.some((i) => flat.steps[i]?.step === 'scan') && part.every((i) => isSafe(flat.steps[i] as Step)),
  );
  if (apart.length === 0) return flat;
  const gone = new Set(apart.flat());
  const tests = apart.map((part): Step => {
    const { steps, slots } = renumbered(flat, part);
    return { step: 'scan', table: book.existence(steps, slots), args: [] };
  });
  return { ...flat, steps: [...flat.steps.filter((_, i) => !gone.has(i)), ...tests] };
}

/** The steps that hang together by their variables, those of the head apart; a step without variables stays with the head. */
function partsOf(flat: Flat): number[][] {
  const head = flat.slots.length;
  const parents = Array.from({ length: head + 1 }, (_, slot) => slot);
  const find = (slot: number): number => {
    let root = slot;
    while (parents[root] !== root) root = parents[root] ?? root;
    return root;
  };
  const join = (left: number, right: number): void => {
    parents[find(left)] = find(right);
  };
  for (const column of flat.headColumns) if ('slot' in column) join(column.slot, head);
  const own = flat.steps.map((step) => [...needsOf(step), ...bindsOf(step)]);
  for (const slots of own) for (const slot of slots) join(slot, slots[0] ?? head);
  const parts = new Map<number, number[]>();
  own.forEach(([first], i) => {
    const root = find(first ?? head);
    if (root === find(head)) return;
    const part = parts.get(root);
    if (part === undefined) parts.set(root, [i]);
    else part.push(i);
  });
  return [...parts.values()];
}

function isSafe(step: Step): boolean {
  return !((step.step === 'compute' && isFallible(step.computation)) || (step.step === 'test' && isFallible(step.test)));
}

/** The part with slots of its own, so that the same part of two rules is one table. */
function renumbered(flat: Flat, part: readonly number[]): { readonly steps: Step[]; readonly slots: string[] } {
  const slots: number[] = [];
  const of = (slot: number): number => (slots.includes(slot) ? slots.indexOf(slot) : slots.push(slot) - 1);
  const args = (all: readonly Argument[]) => all.map((arg) => ('slot' in arg ? { slot: of(arg.slot) } : arg));
  const computation = (one: Computation): Computation => {
    if ('slot' in one) return { slot: of(one.slot) };
    if ('constant' in one) return one;
    if ('operator' in one) return { ...one, left: computation(one.left), right: computation(one.right) };
    return { ...one, args: one.args.map(computation) };
  };
  const test = (one: Test): Test =>
    one.test === 'oneOf'
      ? { ...one, value: computation(one.value) }
      : { ...one, left: computation(one.left), right: computation(one.right) };
  const steps = part.map((i): Step => {
    const step = flat.steps[i] as Step;
    switch (step.step) {
      case 'scan':
      case 'absent':
        return { ...step, args: args(step.args) };
      case 'group':
        return { ...step, args: args(step.args), out: of(step.out) };
      case 'compute':
        return { ...step, out: of(step.out), computation: computation(step.computation) };
      case 'test':
        return { ...step, test: test(step.test) };
      case 'fails':
      case 'overflows':
        return step;
    }
  });
  return { steps, slots: slots.map((slot) => flat.slots[slot] ?? '') };
}
