/**
 * Coverage of a program: which of its rules, clauses and invariants no test has made fire.
 *
 * Reads  what the engine derives, and what the worlds of the tests have recorded.
 * Gives  a report as data and as text, and an assertion that nothing is missing.
 * Never  counts an approval that was only possible: a rule that decides has fired when its decision was recorded.
 */
import { optionsOf } from '../../dsl/carry.ts';
import type { Program } from '../../dsl/program.ts';
import { didYouMean } from '../../dsl/name.ts';
import { open, type OpenOptions, type World } from '../world.ts';
import { check, checkProgram, having, list, taken, text, type Check } from './arguments.ts';
import { partsOf, type By, type Part } from './parts.ts';
import type { Scenario } from './scenario.ts';
import { placeOf, pointedAt, traced, type Trace } from './trace.ts';

/** A rule, a clause, a group or an invariant that no test made fire. */
export interface Unfired {
  /** "refunds.limits1", "books.shipTo", "invariant an open refund above the limit". */
  readonly id: string;
  /** `limits "daily budget"`. */
  readonly what: string;
  /** Where its rule, its clause, its decision or its invariant was written. */
  readonly location?: string;
}
export interface CoverageReport {
  /** Ids of what has fired. */
  readonly fired: readonly string[];
  readonly unfired: readonly Unfired[];
  /** Places of scenarios that were written and never awaited: what they expect was never looked at. */
  readonly unplayed: readonly string[];
}

/** Collects over scenarios that are given it as their `coverage`, and over worlds that it opens or is shown. */
export function coverage(program: Program): Coverage {
  checkProgram(program, 'coverage');
  return new Coverage(program);
}

/** For options that take one. */
export const isCoverage: Check = having('coverage', 'fired', 'add', 'look', 'expect', 'settle');
const isWorld = having('world', 'model', 'records');

export class Coverage {
  readonly #program: Program;
  readonly #derived = new Set<string>();
  readonly #recorded = new Set<string>();
  /** Sources of which a decision was taken back: for which rule it was made is not known any more. */
  readonly #revoked = new Set<string>();
  readonly #grouped = new Set<string>();
  readonly #violated = new Set<string>();
  readonly #stills = new Set<string>();
  readonly #worlds = new Set<World>();
  readonly #unplayed = new Map<Scenario, Trace>();

  /** For `coverage`; use that. */
  constructor(program: Program) {
    this.#program = program;
  }

  /** For the `fired` option of a world that is opened elsewhere; show it with `add` at the end. */
  readonly fired = (rule: string): void => {
    this.#derived.add(rule);
  };

  /** A world of the program whose rules count, for tests that are no scenarios. */
  async open(options: Omit<OpenOptions, 'fired'> = {}): Promise<World> {
    // What they hold is for the world to judge; a `fired` of the author's own would be lost.
    const own = optionsOf(options, 'open of a coverage', ['ledger', 'tenant', 'earlier', 'adopt', 'openRowsMax', 'limits', 'snapshot']);
    const world = await open(this.#program, { ...(own as typeof options), fired: this.fired });
    this.#worlds.add(world);
    return world;
  }

  /** Takes in what a world has recorded so far. */
  add(world: World): void {
    check('add of a coverage: world', world, isWorld);
    const model = world.model();
    for (const record of world.records()) {
      if (record.record !== 'decision') continue;
      const { id, source, verdict, reasons } = record;
      const { because = [], reasons: latest = [] } = model.verdict(id) ?? {};
      // A limit that is kept has not spoken; what falls for another's sake, or to keep an invariant, is told with rules that did not judge it.
      const isJudged = !latest.some((reason) => FORCED.test(reason));
      for (const { rule, isMiss } of because) if (isJudged && isMiss !== true) this.#recorded.add(rule);
      if (verdict === 'revoked') this.#revoked.add(source);
      for (const reason of reasons) {
        if (reason.startsWith('stands with ')) this.#grouped.add(source);
        if (reason.startsWith(INVARIANT)) this.#violated.add(reason.slice(INVARIANT.length));
      }
    }
    for (let position = 1; position <= world.position; position++) {
      const [, name] = /^invariant (".*")$/.exec(model.whyRefused(position)?.relation ?? '') ?? [];
      // The name stands there as JSON.
      if (name !== undefined) this.#violated.add(JSON.parse(name) as string);
    }
    this.look(world);
  }

  /** Takes in what is so now and may not be so later: that an approved row waits. */
  look(world: World): void {
    check('look of a coverage: world', world, isWorld);
    const model = world.model();
    for (const { id, by } of partsOf(this.#program).parts) {
      if (by.is !== 'still' || this.#stills.has(id) || !world.plan.relations.has(`intent.${by.source}`)) continue;
      const waits = model
        .rows(`decision.approved.${by.source}`)
        .filter(({ id: row = '' }) => model.rows(`intent.${by.source}`, { id: row }).length === 0);
      for (const { id: row = '' } of waits) {
        const miss = model.whyNot(`intent.${by.source}`, { id: row }).tried.find(({ rule }) => rule === by.rule);
        // The first premise is that the row is approved.
        if (miss === undefined || isClause(by, miss.premises.length - 1)) this.#stills.add(id);
      }
    }
  }

  report(): CoverageReport {
    for (const world of this.#worlds) this.add(world);
    const { parts } = partsOf(this.#program);
    const [fired, unfired] = [parts.filter((part) => this.#has(part)), parts.filter((part) => !this.#has(part))];
    return {
      fired: fired.map(({ id }) => id),
      unfired: unfired.map(({ id, what, location }) => ({ id, what, ...(location === undefined ? {} : { location }) })),
      unplayed: [...this.#unplayed.values()].map(placeOf),
    };
  }

  /** The report for a terminal. */
  text(): string {
    return textOf(this.report());
  }

  /**
   * Throws unless everything has fired and every scenario was awaited; for an `afterAll`.
   *
   * Shape   `except` lists ids that need not fire. One that fires all the same is told, so that the list stays true.
   */
  expectFull(options: { readonly except?: readonly string[] } = {}): void {
    const trace = traced();
    const { except = [] } = taken<typeof options>(options, 'expectFull', { except: list(text) });
    const { fired, unfired, unplayed } = this.report();
    const ids = [...fired, ...unfired.map(({ id }) => id)];
    const stale = except.flatMap((id) => {
      if (!ids.includes(id)) return [`except names ${id}, which the program has not${didYouMean(id, ids)}`];
      return fired.includes(id) ? [`except names ${id}, which has fired`] : [];
    });
    const missing = unfired.filter(({ id }) => !except.includes(id));
    if (missing.length + unplayed.length + stale.length === 0) return;
    const error = new Error([textOf({ fired, unfired: missing, unplayed }), ...stale].join('\n'));
    error.name = 'CoverageError';
    throw pointedAt(error, trace, 2);
  }

  /** For scenarios: this one is complete, until it goes on or is awaited. */
  expect(scenario: Scenario, trace: Trace): void {
    this.#unplayed.set(scenario, trace);
  }

  /** For scenarios: this one goes on, or is awaited. */
  settle(scenario: Scenario): void {
    this.#unplayed.delete(scenario);
  }

  #has({ id, by }: Part): boolean {
    switch (by.is) {
      case 'derived':
        return by.rules.some((rule) => this.#derived.has(rule));
      case 'recorded':
        return by.rules.some((rule) => this.#recorded.has(rule) || (this.#derived.has(rule) && this.#revoked.has(by.source)));
      case 'still':
        return this.#stills.has(id);
      case 'group':
        return by.sources.some((source) => this.#grouped.has(source));
      case 'violated':
        return this.#violated.has(by.invariant);
    }
  }
}

const INVARIANT = 'invariant: ';
/** Reasons of decisions that no rule about their row made. */
const FORCED = /^(invariant: |stands with |set aside: )/;

/** Whether the step that fails, counted from the first thing that is still needed, is of this clause. */
function isClause({ clause, sizes }: By & { readonly is: 'still' }, step: number): boolean {
  if (sizes.some((size) => Number.isNaN(size))) return true;
  const before = sizes.slice(0, clause).reduce((sum, size) => sum + size, 0);
  return step >= before && step < before + (sizes[clause] ?? 0);
}

function textOf({ fired, unfired, unplayed }: CoverageReport): string {
  const width = Math.max(0, ...unfired.map(({ id }) => id.length));
  return [
    `${fired.length} of ${fired.length + unfired.length} rules, clauses and invariants have fired`,
    ...(unfired.length === 0 ? [] : ['never fired:']),
    ...unfired.map(({ id, what, location }) => `  ${id.padEnd(width)}  ${what}${location === undefined ? '' : `  ${location}`}`),
    ...(unplayed.length === 0 ? [] : ['written and never awaited:']),
    ...unplayed.map((place) => `  ${place}`),
  ].join('\n');
}
