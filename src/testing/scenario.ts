/**
 * Scenarios: what comes in, what a model says, and what must come of it, as one sentence that a test awaits.
 *
 * Reads  a program, rows, and expectations, one method each.
 * Gives  an immutable description; awaiting it plays it in a world of its own, and fails at the first step that does not hold.
 * Never  plays anything until it is awaited, and never shares a world with another scenario.
 */
import type { Program } from '../../dsl/program.ts';
import type { ReportRow, Row } from '../../dsl/record.ts';
import { taken, text, whole } from './arguments.ts';
import { isCoverage } from './coverage.ts';
import { partsOf } from './parts.ts';
import { playOut, type Played, type ScenarioOptions } from './play.ts';
import type { Step } from './step.ts';
import * as steps from './steps.ts';
import { traced } from './trace.ts';

/**
 * A scenario of a program, with nothing in it yet.
 *
 * Errors  for the options alone: a program that does not load is told when the scenario is awaited.
 */
export function scenario(program: Program, options: ScenarioOptions = {}): Scenario {
  const own = taken<ScenarioOptions>(options, 'scenario', {
    session: text,
    actor: text,
    tenant: text,
    openRowsMax: whole(0),
    coverage: isCoverage,
  });
  return new Scenario(program, own, []);
}

/** A relation of an ontology, for its name and its columns. */
interface Named<Columns> {
  readonly relation: string;
  readonly '~columns': Columns;
}
type Some<Columns> = { readonly [K in keyof Columns]?: Columns[K] };

export class Scenario implements PromiseLike<Played> {
  readonly #program: Program;
  readonly #options: ScenarioOptions;
  readonly #steps: readonly Step[];

  /** For `scenario`; use that. */
  constructor(program: Program, options: ScenarioOptions, steps: readonly Step[]) {
    this.#program = program;
    this.#options = options;
    this.#steps = steps;
  }

  /** Plays it, each time anew: `await` calls this. */
  then<One = Played, Other = never>(
    fulfilled?: ((played: Played) => One | PromiseLike<One>) | null,
    rejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    this.#options.coverage?.settle(this);
    return playOut(this.#program, this.#options, this.#steps).then(fulfilled, rejected);
  }

  // Who speaks.

  /** Who reports and speaks from here on. */
  by(actor: string): Scenario {
    return this.#with(steps.notes('by', actor, (play) => (play.actor = actor)));
  }

  /** Whose session it is from here on. */
  in(session: string): Scenario {
    return this.#with(steps.notes('in', session, (play) => (play.session = session)));
  }

  // What comes in.

  /** Trusted rows: observations, receipts, answers. */
  given(...rows: readonly ReportRow[]): Scenario {
    return this.#with(steps.reports('given', rows));
  }

  /** Keys of keyed observations that hold no longer: `ends(ended(shop.observation.manager, { user }))`. */
  ends(...keys: readonly ReportRow[]): Scenario {
    return this.#with(steps.reports('ends', [], keys));
  }

  /** One reply that claims something about the world: candidates. What follows is about its rows. */
  claims(...rows: steps.Said): Scenario {
    return this.#with(steps.says('claims', 'candidate', rows));
  }

  /** One reply that wishes something: proposals. What follows is about its rows. */
  proposes(...rows: steps.Said): Scenario {
    return this.#with(steps.says('proposes', 'proposal', rows));
  }

  /** One reply of whatever rows a model gives, claims and wishes, and what it had better not. What follows is about its rows. */
  replies(...rows: steps.Said): Scenario {
    return this.#with(steps.says('replies', undefined, rows));
  }

  /** One reply that could not be read, for these reasons: it is kept, and leaves no rows. */
  malformed(...issues: readonly string[]): Scenario {
    return this.#with(steps.unreadable(issues));
  }

  /** The last reply comes once more, as after a crash. */
  again(): Scenario {
    return this.#with({ verb: 'again', told: '', run: (play) => play.again() });
  }

  // Which rows are spoken of.

  /** From here on one row: the n-th of the last reply, from 1, or the one with this label. */
  row(which: number | string): Scenario {
    return this.#with(steps.notes('row', String(which), (play) => (play.focus = [play.find(which)])));
  }

  /** From here on every row of the last reply. */
  all(): Scenario {
    return this.#with(steps.notes('all', '', (play) => (play.focus = play.said)));
  }

  // What became of them; of several rows, it must be so of each.

  /** Denied, for each of these reasons. */
  isDenied(...reasons: readonly string[]): Scenario {
    return this.#with(steps.status('isDenied', 'rejected', reasons, this.#reasons));
  }

  /** A wish that was let through. */
  isApproved(): Scenario {
    return this.#with(steps.status('isApproved', 'approved', [], this.#reasons));
  }

  /** A claim that was let through: facts may rest on it. */
  isAccepted(): Scenario {
    return this.#with(steps.status('isAccepted', 'accepted', [], this.#reasons));
  }

  /** Somebody is asked, for each of these reasons. */
  isHeld(...reasons: readonly string[]): Scenario {
    return this.#with(steps.status('isHeld', 'held', reasons, this.#reasons));
  }

  /** Nothing has decided it yet; it waits for each of these reasons. */
  isPending(...reasons: readonly string[]): Scenario {
    return this.#with(steps.status('isPending', 'pending', reasons, this.#reasons));
  }

  /** Let through, and taken back since, for each of these reasons. */
  isRevoked(...reasons: readonly string[]): Scenario {
    return this.#with(steps.status('isRevoked', 'revoked', reasons, this.#reasons));
  }

  // What came of the step before, where it is not that it was taken in.

  /** An invariant refused the whole step, and everything is as before. */
  isRefused(invariant?: string): Scenario {
    return this.#with(steps.came('isRefused', 'refused', invariant));
  }

  /** A trusted report was not taken: its issue has this code, or holds this text. */
  isFaulty(issue?: string): Scenario {
    return this.#with(steps.came('isFaulty', 'faulty', issue));
  }

  /** A reply was kept with no rows, since something in it is wrong: the fault holds this text. */
  isMalformed(fault?: string): Scenario {
    return this.#with(steps.came('isMalformed', 'malformed', fault));
  }

  /** A reply was kept with no rows, since its session has too many open ones. */
  isTooMany(): Scenario {
    return this.#with(steps.came('isTooMany', 'too many open'));
  }

  /** The act no longer held when it was to start, and was not done. */
  isWithdrawn(): Scenario {
    return this.#with(steps.came('isWithdrawn', 'withdrawn'));
  }

  /** The answer was to no card on the table, or by someone who may not give it. */
  isIgnored(why?: 'no such card' | 'not admissible'): Scenario {
    return this.#with(steps.came('isIgnored', 'ignored', why));
  }

  // Cards.

  /** Somebody says yes to what is asked of these rows: to every card, to those of one reason, or to those that were seen. */
  confirmedBy(actor: string, which?: steps.Which): Scenario {
    return this.#with(steps.answers('confirmedBy', 'yes', actor, which));
  }

  /** Somebody says no. */
  declinedBy(actor: string, which?: steps.Which): Scenario {
    return this.#with(steps.answers('declinedBy', 'no', actor, which));
  }

  /** Somebody looks at the cards of these rows: `confirmedBy(actor, { card: name })` answers what was seen then. */
  seesCard(name: string): Scenario {
    return this.#with(steps.sees(name));
  }

  // Acts.

  /** Every act of these rows that waits is started. */
  starts(): Scenario {
    return this.#with(steps.starts());
  }

  /**
   * An act of these rows is admitted and starts, once, with these bindings: its effect is done.
   *
   * Shape   one that has started already is not started again.
   */
  runs<Columns>(intent: Named<Columns>, columns?: NoInfer<Some<Columns>>): Scenario;
  runs(intent: string, columns?: Row): Scenario;
  runs(intent: unknown, columns: Row = {}): Scenario {
    return this.#with(steps.runs(intent, columns));
  }

  /** What was started last was done: its receipt comes in, with these columns. */
  succeeds(columns: Row = {}): Scenario {
    return this.#with(steps.receipt('succeeds', 'succeeded', columns));
  }

  /** What was started last was certainly not done: its receipt says so. */
  fails(columns: Row = {}): Scenario {
    return this.#with(steps.receipt('fails', 'failed', columns));
  }

  // The model.

  /** There is a row with these values now. */
  holds<Columns>(relation: Named<Columns>, columns?: NoInfer<Some<Columns>>): Scenario;
  holds(relation: string, columns?: Row): Scenario;
  holds(relation: unknown, columns: Row = {}): Scenario {
    return this.#with(steps.rows('holds', relation, columns));
  }

  /** There is no row with these values now. */
  lacks<Columns>(relation: Named<Columns>, columns?: NoInfer<Some<Columns>>): Scenario;
  lacks(relation: string, columns?: Row): Scenario;
  lacks(relation: unknown, columns: Row = {}): Scenario {
    return this.#with(steps.rows('lacks', relation, columns));
  }

  /**
   * At no step of the scenario, before this one or after it, is there such a row; of an intent, none is derived, admitted or started.
   *
   * Shape   `never('refund')` and `never(shop.intent.refund)` are about an intent, any other relation about its rows.
   */
  never<Columns>(what: Named<Columns>, columns?: NoInfer<Some<Columns>>): Scenario;
  never(what: string, columns?: Row): Scenario;
  never(what: unknown, columns: Row = {}): Scenario {
    return this.#with(steps.never(what, columns));
  }

  /** The words that the program's rules have for what they refuse, for hints. */
  readonly #reasons = () => partsOf(this.#program).reasons;

  #with(step: steps.Unplaced): Scenario {
    const trace = traced();
    const { coverage } = this.#options;
    const longer = new Scenario(this.#program, this.#options, [...this.#steps, { ...step, trace }]);
    coverage?.settle(this);
    coverage?.expect(longer, trace);
    return longer;
  }
}
