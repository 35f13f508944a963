/**
 * One step of a scenario, and what is told when it does not hold.
 *
 * Reads  the steps so far, and what was found instead.
 * Gives  an error that says what was expected, what happened, the story up to there, and the proof.
 * Never  judges: whether a step holds is for the step.
 */
import { isCountersignError } from '../../dsl/issue.ts';
import type { Play } from './play.ts';
import { pointedAt, type Trace } from './trace.ts';

export interface Step {
  /** The method: "isDenied". */
  readonly verb: string;
  /** What it was given, as the story tells it. */
  readonly told: string;
  readonly trace: Trace;
  /** Does it, or checks it, and gives what came of it in a few words. Throws a `Miss`. */
  readonly run: (play: Play) => Promise<string> | string;
  /** Of what holds throughout: judged after every step, whichever is written first. */
  readonly watch?: (play: Play) => void;
}

/** What was found instead of what was expected. */
export class Miss extends Error {
  readonly what: string;
  readonly found: string;
  readonly proof: string;

  constructor(what: string, found = '', proof = '') {
    super(what);
    this.what = what;
    this.found = found;
    this.proof = proof;
  }
}

/** Steps as they came out, in a few words each. */
export type Told = readonly string[];

const lineLengthMax = 160;

/** `at` is the step that does not hold; `seen` the one after which it showed. */
export function failure(steps: readonly Step[], told: Told, at: number, seen: number, cause: unknown): Error {
  const step = steps[at] as Step;
  const { what, found, proof } = missOf(cause);
  const during = seen === at ? '' : `, after step ${seen + 1}`;
  const parts = [[`step ${at + 1}, ${step.verb}${during}: ${what}`, ...indented(found)].join('\n'), storyOf(steps, told, at, seen), proof];
  const error = new Error(
    parts.filter((part) => part !== '').join('\n\n'),
    cause instanceof Error && !(cause instanceof Miss) ? { cause } : {},
  );
  error.name = 'ScenarioError';
  return pointedAt(error, step.trace);
}

function missOf(cause: unknown): Miss {
  if (cause instanceof Miss) return cause;
  if (isCountersignError(cause)) return new Miss(cause.issues.map(({ code, what }) => `${code}: ${what}`).join('\n'));
  throw cause;
}

/** The steps that were taken, one a line, with what came of each; an arrow stands at the one that does not hold. */
function storyOf(steps: readonly Step[], told: Told, at: number, seen: number): string {
  const width = Math.max(...steps.map(({ verb }) => verb.length));
  return steps
    .flatMap(({ verb, told: given }, i) => {
      if (i > seen && i !== at) return [];
      const came = told[i] ?? '';
      const line = `${i === at ? '>' : ' '} ${String(i + 1).padStart(2)} ${verb.padEnd(width)} ${given}${came === '' ? '' : ` -> ${came}`}`;
      return [line.length > lineLengthMax ? `${line.slice(0, lineLengthMax - 3)}...` : line.trimEnd()];
    })
    .join('\n');
}

function indented(text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => `  ${line}`);
}
