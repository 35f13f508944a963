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
  const ofHead = flat.headColumns.flatMap((column) => ('slot' in column ? [column.slot] : []));
  const parts: { readonly slots: Set<number>; readonly steps: number[] }[] = [{ slots: new Set(ofHead), steps: [] }];
  flat.steps.forEach((step, i) => {
    const own = [...needsOf(step), ...bindsOf(step)];
    const [first = parts[0], ...others] = own.length === 0 ? [parts[0]] : parts.filter(({ slots }) => own.some((slot) => slots.has(slot)));
    if (own.length > 0 && !parts.some(({ slots }) => own.some((slot) => slots.has(slot)))) {
      parts.push({ slots: new Set(own), steps: [i] });
      return;
    }
    own.forEach((slot) => first?.slots.add(slot));
    first?.steps.push(i);
    for (const other of others) {
      other?.slots.forEach((slot) => first?.slots.add(slot));
      first?.steps.push(...(other?.steps ?? []));
      if (other !== undefined) parts.splice(parts.indexOf(other), 1);
    }
  });
  return parts.slice(1).map(({ steps }) => steps.sort((a, b) => a - b));
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
