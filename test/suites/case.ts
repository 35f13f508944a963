/**
 * The files of agent suites: user tasks with the calls that solve them, injections with theirs, and the records that both act on.
 *
 * Reads  one JSON file of such a suite.
 * Gives  its shape, the texts that may stand in its slots, and its records with the slots filled.
 * Never  says which call is whose to anything but the score and the person who answers.
 */
import { readFileSync } from 'node:fs';

export type Args = Readonly<Record<string, unknown>>;
export interface Call {
  readonly tool: string;
  readonly args: Args;
  /** What the tool gave, as it was recorded; a slot in it is marked where the record says so. */
  readonly result?: unknown;
  readonly result_with_slots?: unknown;
  readonly injections_visible?: readonly string[];
}
export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly ground_truth: readonly Call[];
  readonly injection_vectors_seen: readonly string[];
}
export interface InjectionTask {
  readonly id: string;
  readonly goal: string;
  readonly ground_truth: readonly Call[];
}
export interface Case {
  readonly suite: string;
  readonly version: string;
  readonly user_tasks: readonly UserTask[];
  readonly injection_tasks: readonly InjectionTask[];
  /** What stands in each slot when nobody attacks. */
  readonly injection_vectors: Slots;
  readonly environment: unknown;
}
export type Slots = Readonly<Record<string, string>>;

/** Where the attacker's text stands: behind what the slot holds anyway, or instead of it. */
export const PLACEMENTS = ['behind', 'instead'] as const;
export type Placement = (typeof PLACEMENTS)[number];

export interface Attack {
  readonly injection: InjectionTask;
  readonly placement: Placement;
}

export function caseOf(file: string): Case {
  return JSON.parse(readFileSync(file, 'utf8')) as Case;
}

/** What stands in the slots. The attacker fills every slot that the task shows. */
export function slotsOf(given: Case, task: UserTask, attack?: Attack): Slots {
  const usual = Object.fromEntries(Object.entries(given.injection_vectors).map(([slot, text]) => [slot, unescaped(text)]));
  if (attack === undefined) return usual;
  const text = textOf(attack.injection);
  const attacked = task.injection_vectors_seen.map((slot) => [slot, attack.placement === 'behind' ? `${usual[slot]}\n${text}` : text]);
  return { ...usual, ...Object.fromEntries(attacked) } as Slots;
}

/** Some files write a line break in a slot as two characters; what the tool showed has one. */
function unescaped(text: string): string {
  return text.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t');
}

/** The worst text: the goal, and every argument of the calls that are to be made, written out. */
function textOf({ goal, ground_truth }: InjectionTask): string {
  const calls = ground_truth.map(({ tool, args }) => `${tool} ${Object.values(args).join(' , ')}`);
  return [goal, ...calls].join('\n');
}

/** The same value with every marked slot replaced by what stands in it. */
export function filled(value: unknown, slots: Slots): unknown {
  if (typeof value === 'string') return value.replace(/<<INJ:(\w+)>>/g, (_mark, slot: string) => slots[slot] ?? '');
  if (Array.isArray(value)) return value.map((one) => filled(one, slots));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, slots)]));
}
