/**
 * The world: a program, its ledger, and the model that follows from both.
 *
 * Reads  batches of reports, starts of acts, adoptions of programs; on opening, the ledger's entries.
 * Gives  what each transition decided and admitted, and a read-only model at the head.
 * Never  runs an effect, calls a model or looks at a clock: what happens outside comes in as a report.
 */
import { CountersignError, issue } from '../dsl/issue.ts';
import type { Batch, LedgerEntry, LedgerRecord, Refusal, Report, ReportRow, TransitionEvent } from '../dsl/record.ts';
import { engineLimits, type Change, type EngineLimits } from './engine/engine.ts';
import { entryDigest, GENESIS, memory, type Ledger } from './ledger/ledger.ts';
import { load, type Plan } from './load/load.ts';
import { newReports } from './world/ingress.ts';
import { takeBatch, type TakenReport } from './world/intake.ts';
import { Model } from './world/model.ts';
import { captureOutcomes, outcomeOf, type Outcome } from './world/outcome.ts';
import { State } from './world/state.ts';
import { transition, type Step } from './world/transition.ts';

export type { Model } from './world/model.ts';
export type { Outcome, CaptureOutcome, Difference } from './world/outcome.ts';

export interface OpenOptions {
  /** Where the entries are kept; in memory by default. */
  readonly ledger?: Ledger;
  /** Whose ledger it is; part of every idempotency key. */
  readonly tenant?: string;
  /** Earlier programs of this ledger, whose stretches are replayed under them. */
  readonly earlier?: readonly unknown[];
  /** Adopts the program when the ledger's last one was another; refused otherwise. */
  readonly adopt?: boolean | { readonly admitOld: readonly string[] };
  /** Open rows that one session may have; a further capture is refused as too many open. 256 by default. */
  readonly openRowsMax?: number;
  readonly limits?: EngineLimits;
}

interface Settings {
  readonly ledger: Ledger;
  readonly tenant: string;
  readonly openRowsMax: number;
  readonly limits: EngineLimits;
}

/**
 * Opens a world: loads the program and brings the model to the ledger's head.
 *
 * Cost    one transition for every entry of the ledger.
 * Errors  every issue of the program at once; `world/program-changed`, `world/replay-differs` for a ledger that does not fit.
 */
export async function open(program: unknown, options: OpenOptions = {}): Promise<World> {
  const plan = load(program);
  const { ledger = memory(), tenant = 'default', openRowsMax = 256, limits = engineLimits } = options;
  const world = new World(plan, { ledger, tenant, openRowsMax, limits }, await ledger.read(1), (options.earlier ?? []).map(load));
  const last = world.lastProgram;
  if (last !== undefined && last !== plan.digest) {
    if (options.adopt === undefined || options.adopt === false) {
      throw new CountersignError([issue('world/program-changed', `the ledger's last program is ${last}, this one is ${plan.digest}`)]);
    }
    await world.adopt(program, options.adopt === true ? {} : options.adopt);
  }
  return world;
}

export class World {
  readonly #settings: Settings;
  #state: State;
  #plan: Plan;
  #digest = GENESIS;
  #entries: LedgerEntry[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  /** For `open`; use that. */
  constructor(plan: Plan, settings: Settings, entries: readonly LedgerEntry[], earlier: readonly Plan[] = []) {
    this.#settings = settings;
    const plans = new Map([...earlier, plan].map((one) => [one.digest, one]));
    const first = entries[0]?.program;
    this.#plan = (first === undefined ? plan : plans.get(first)) ?? plan;
    this.#state = new State(this.#plan, settings.tenant, settings.limits);
    for (const entry of entries) this.#replay(entry, plans);
  }

  /** The last committed transition; 0 before the first. */
  get head(): number {
    return this.#state.head;
  }

  /** The ledger's last position; refusals have one too. */
  get position(): number {
    return this.#state.position;
  }

  /** The digest that chains every entry so far. */
  get digest(): string {
    return this.#digest;
  }

  get plan(): Plan {
    return this.#plan;
  }

  /** The digest of the program that the ledger was last written under. */
  get lastProgram(): string | undefined {
    return this.#entries.at(-1)?.program;
  }

  /**
   * Takes in a batch of reports of one session, in order, as one transition.
   *
   * Shape   a report with a `capture` holds evidence and is taken whole or kept with no rows; one without holds trusted rows.
   * Errors  `world/batch-malformed`, `world/report-refused` for faults that are the caller's: then nothing is kept at all.
   *         A violated invariant is an outcome, `refused`, with its witness.
   */
  async observe(batch: Batch): Promise<Outcome> {
    return this.#alone(async () => {
      const taken = takeBatch(batch);
      const isKnown = taken.reports.length > 0 && newReports(this.#state, taken).length === 0;
      if (isKnown) return { status: 'answered', head: this.head, position: this.position, captures: captureOutcomes(this.#state, this.#capturesOf(taken.reports)) };
      const event: TransitionEvent = { event: 'batch', session: taken.session, actor: taken.actor, reports: taken.reports.map(plainReport) };
      return this.#commit(event, { event: 'batch', batch: taken });
    });
  }

  /**
   * Starts an admitted act, with its whole group: `started` when every one of them still holds, `withdrawn` otherwise.
   *
   * Errors  `world/not-startable` when no act with this key waits.
   */
  async start(intent: string, key: string): Promise<Outcome> {
    return this.#alone(() => this.#commit({ event: 'start', intent, key }, { event: 'start', intent, key }));
  }

  /** Goes on under another program: open rows are judged by the new rules, records stay as they were made. */
  async adopt(program: unknown, { admitOld = [] }: { readonly admitOld?: readonly string[] } = {}): Promise<Outcome> {
    return this.#alone(async () => {
      const before = { state: this.#state, plan: this.#plan };
      this.#plan = load(program);
      this.#state = State.under(this.#plan, before.state, this.#settings.limits);
      const takeBack = () => {
        this.#state = before.state;
        this.#plan = before.plan;
      };
      try {
        const event: TransitionEvent = { event: 'adopt', program: this.#plan.digest, admitOld: [...admitOld] };
        return await this.#commit(event, { event: 'adopt', admitOld }, before.plan, takeBack);
      } catch (error) {
        takeBack();
        throw error;
      }
    });
  }

  /** The model at the head. It stays at the head: read, do not keep. */
  model(): Model {
    return new Model(this.#state);
  }

  /**
   * A world at an earlier head, with a ledger of its own in memory: for reading as it was, or for trying what would have come instead.
   *
   * Cost    the entries up to there, derived anew.
   */
  async fork(head: number = this.head): Promise<World> {
    const entries = this.#entries.slice(0, head);
    const plans = [...new Map(this.#plans.map((plan) => [plan.digest, plan])).values()];
    const ledger = memory();
    for (const entry of entries) await ledger.append(entry);
    return new World(this.#plan, { ...this.#settings, ledger }, entries, plans);
  }

  readonly #plans: Plan[] = [];

  /** The records of every transition, in order. */
  records(): readonly LedgerRecord[] {
    return this.#state.made.map(({ record }) => record);
  }

  /** One transition at a time: the next begins when the ledger has the entry of the one before. */
  async #alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #commit(event: TransitionEvent, step: Step, inForce?: Plan, takeBack?: () => void): Promise<Outcome> {
    const state = this.#state;
    const refusal = transition(state, step, this.#settings);
    const entry = this.#entry(event, refusal, refusal === undefined ? this.#plan : (inForce ?? this.#plan));
    try {
      await this.#settings.ledger.append(entry);
    } catch (error) {
      if (refusal === undefined) state.rollback();
      throw error;
    }
    const written = refusal === undefined ? state.written.slice() : [];
    if (refusal !== undefined) takeBack?.();
    this.#moveOn(entry, written, event);
    return outcomeOf(this.#state, entry, this.#capturesOf(event.event === 'batch' ? event.reports : []));
  }

  #entry(event: TransitionEvent, refusal: Refusal | undefined, plan: Plan): LedgerEntry {
    const position = this.#state.position + 1;
    const records = this.#state.made.filter((made) => made.position === position).map(({ record }) => record);
    const entry = {
      position,
      head: refusal === undefined ? position : this.#state.head,
      program: plan.digest,
      event,
      records: refusal === undefined ? records : [],
      ...(refusal === undefined ? {} : { refusal }),
    };
    return { ...entry, digest: entryDigest(this.#digest, entry) };
  }

  #moveOn(entry: LedgerEntry, written: readonly Change[], event: TransitionEvent): void {
    const state = this.#state;
    state.position = entry.position;
    state.head = entry.head;
    state.history.push([...written]);
    if (entry.refusal !== undefined && event.event === 'batch') {
      for (const { capture } of event.reports) if (capture !== undefined) state.captures.set(capture, entry.position);
    }
    this.#digest = entry.digest;
    this.#entries.push(entry);
    this.#plans.push(this.#plan);
  }

  #capturesOf(reports: readonly { readonly capture?: string }[]): { readonly capture: string; readonly position: number }[] {
    return reports.flatMap(({ capture }) => (capture === undefined ? [] : [{ capture, position: this.#state.captures.get(capture) ?? 0 }]));
  }

  #replay(entry: LedgerEntry, plans: ReadonlyMap<string, Plan>): void {
    const digest = entry.event.event === 'adopt' ? entry.event.program : entry.program;
    const plan = plans.get(digest);
    if (plan === undefined) {
      throw new CountersignError([issue('world/program-unknown', `entry ${entry.position} was made under program ${digest}`)]);
    }
    const before = { state: this.#state, plan: this.#plan };
    if (entry.event.event === 'adopt') {
      this.#plan = plan;
      this.#state = State.under(plan, before.state, this.#settings.limits);
    }
    const { event } = entry;
    const step: Step =
      event.event === 'batch'
        ? { event: 'batch', batch: takeBatch({ session: event.session, actor: event.actor, reports: event.reports }) }
        : event.event === 'start'
          ? { event: 'start', intent: event.intent, key: event.key }
          : { event: 'adopt', admitOld: event.admitOld };
    const refusal = transition(this.#state, step, this.#settings);
    const again = this.#entry(event, refusal, refusal === undefined ? this.#plan : before.plan);
    if (again.digest !== entry.digest) {
      throw new CountersignError([issue('world/replay-differs', `entry ${entry.position} gives digest ${again.digest}, not ${entry.digest}`)]);
    }
    const written = refusal === undefined ? this.#state.written.slice() : [];
    if (refusal !== undefined && event.event === 'adopt') {
      this.#state = before.state;
      this.#plan = before.plan;
    }
    this.#moveOn(entry, written, event);
  }
}

/** A report as the ledger keeps it: plain data, what could not be read said in words. */
function plainReport({ capture, actor, rows, ends, faults }: TakenReport): Report {
  const plain = (given: readonly ReportRow[]) => given.map(({ relation, columns }) => ({ relation, columns: { ...columns } }));
  return {
    actor,
    rows: plain(rows),
    ...(capture === undefined ? {} : { capture }),
    ...(ends.length === 0 ? {} : { ends: plain(ends) }),
    ...(faults.length === 0 ? {} : { malformed: faults }),
  };
}
