/**
 * The steps of a flat rule: what a conjunction is made of once aggregates are looked up and negation is membership.
 *
 * Reads  nothing; types, and the two questions every reader of a step asks: which variables does it use, which can it bind.
 * Gives  the vocabulary of plan and engine.
 * Never  names a relation or a variable: tables and slots are numbers.
 */
import type { ComparisonName, FunctionDefinition, Operator, Value } from '../../dsl/ir.ts';
import type { TableId } from './tables.ts';

/** One column of an atom. A wildcard matches everything. */
export type Argument = { readonly slot: number } | { readonly constant: Value } | { readonly wildcard: true };

export type Computation =
  | { readonly slot: number }
  | { readonly constant: Value }
  | { readonly operator: Operator; readonly left: Computation; readonly right: Computation }
  | { readonly definition: FunctionDefinition; readonly args: readonly Computation[] };

export type Test =
  | { readonly test: 'compare'; readonly comparison: ComparisonName; readonly left: Computation; readonly right: Computation }
  | { readonly test: 'oneOf'; readonly value: Computation; readonly members: readonly Value[] };

export type Step =
  /** A positive atom. */
  | { readonly step: 'scan'; readonly table: TableId; readonly args: readonly Argument[] }
  /** A negated atom: every argument is bound when it is reached, wildcards are projected away. */
  | { readonly step: 'absent'; readonly table: TableId; readonly args: readonly Argument[] }
  /** The value of an aggregate for a group; no value, no instance. */
  | { readonly step: 'group'; readonly aggregation: number; readonly args: readonly Argument[]; readonly out: number }
  /** Binds a slot, or compares with what it holds. */
  | { readonly step: 'compute'; readonly out: number; readonly computation: Computation }
  | { readonly step: 'test'; readonly test: Test; readonly isNegated: boolean }
  /** Holds when every one of these cannot be computed; binds `out` to why, behind `prefix`. */
  | { readonly step: 'fails'; readonly subjects: readonly (Computation | Test)[]; readonly out: number; readonly prefix: string }
  /** Holds when one of these slots has a value that no column can hold; binds `out` to why. */
  | { readonly step: 'overflows'; readonly slots: readonly number[]; readonly out: number; readonly prefix: string };

export function slotsOf(args: readonly Argument[]): number[] {
  // Every order of every rule asks.
  const slots: number[] = [];
  for (const arg of args) if ('slot' in arg) slots.push(arg.slot);
  return slots;
}

export function slotsIn(subject: Computation | Test): number[] {
  if ('test' in subject) return subject.test === 'compare' ? [...slotsIn(subject.left), ...slotsIn(subject.right)] : slotsIn(subject.value);
  if ('slot' in subject) return [subject.slot];
  if ('constant' in subject) return [];
  return 'operator' in subject ? [...slotsIn(subject.left), ...slotsIn(subject.right)] : subject.args.flatMap(slotsIn);
}

/** Whether computing it can fail: it calls a function somewhere. Arithmetic is exact, and cannot. */
export function isFallible(subject: Computation | Test): boolean {
  if ('test' in subject)
    return subject.test === 'compare' ? isFallible(subject.left) || isFallible(subject.right) : isFallible(subject.value);
  if ('slot' in subject || 'constant' in subject) return false;
  return 'operator' in subject ? isFallible(subject.left) || isFallible(subject.right) : true;
}

/** Slots that must be bound before the step can run. */
export function needsOf(step: Step): number[] {
  switch (step.step) {
    case 'scan':
      return [];
    case 'absent':
    case 'group':
      return slotsOf(step.args);
    case 'compute':
      return slotsIn(step.computation);
    case 'test':
      return slotsIn(step.test);
    case 'fails':
      return step.subjects.flatMap(slotsIn);
    case 'overflows':
      return [...step.slots];
  }
}

/** Slots that the step binds when they are free. */
export function bindsOf(step: Step): number[] {
  switch (step.step) {
    case 'scan':
      return slotsOf(step.args);
    case 'group':
    case 'compute':
    case 'fails':
    case 'overflows':
      return [step.out];
    case 'absent':
    case 'test':
      return [];
  }
}

/** Whether a change of some table is a change of this step. */
export function isRelational(step: Step): boolean {
  return step.step === 'scan' || step.step === 'absent' || step.step === 'group';
}
