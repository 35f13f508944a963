/**
 * The world: a program, its ledger, and the model that follows from both.
 *
 * Reads  batches of reports, starts of acts, adoptions of programs; on opening, the ledger's entries.
 * Gives  what each transition decided and admitted, and a read-only model at the head.
 * Never  runs an effect, calls a model or looks at a clock: what happens outside comes in as a report.
 */
import { CountersignError, isCountersignError, issue } from '../dsl/issue.ts';
import type { Batch, LedgerEntry, LedgerRecord, Refusal, Report, ReportRow, TransitionEvent } from '../dsl/record.ts';
import { describe } from '../dsl/value.ts';
import { engineLimits, type EngineLimits } from './engine/engine.ts';
import { deepFreeze, entryDigest, GENESIS, memory, type Ledger } from './ledger/ledger.ts';
import { load, type Plan } from './load/load.ts';
import { newReports } from './world/ingress.ts';
import { takeBatch, type TakenReport } from './world/intake.ts';
import { Model } from './world/model.ts';
import { checkOptions, checkPosition, checkStart, takeAdmitOld, takeSnapshot } from './world/options.ts';
import { captureOutcomes, outcomeOf, type Outcome } from './world/outcome.ts';
import { restore, sealed, snapshotOf, unsealed, type WorldSnapshot } from './world/snapshot.ts';
import { State } from './world/state.ts';
import { transition, type Step } from './world/transition.ts';

export type { Model, Status, Verdict } from './world/model.ts';
export type { Activity, Standing } from './world/activity.ts';
export type { Authorization } from './world/authorization.ts';
export { proofMermaid, proofText } from './world/print.ts';
export { premiseText } from './world/told.ts';
export type { Miss, Origin, Premise, Reason, Why, WhyNot } from './world/proof.ts';
export { goneText, type Gone } from './world/gone.ts';
export type { RowChange } from './world/net.ts';
export type { WorldSnapshot } from './world/snapshot.ts';
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
  readonly limits?: Pick<EngineLimits, 'derivedRowsMax'>;
  /** Is told the id of a rule when it holds for more rows than before, in what is taken back too: for coverage by tests. */
  readonly fired?: (rule: string) => void;
  /** Where to begin instead of at the ledger's first entry; only what came after it is replayed. Refused where it was altered. */
  readonly snapshot?: WorldSnapshot;
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
  checkOptions(options);
  const plan = load(program);
  const { ledger = memory(), tenant = 'default', openRowsMax = 256, snapshot, fired } = options;
  const { derivedRowsMax } = options.limits ?? engineLimits;
  const limits = { derivedRowsMax, ...(fired === undefined ? {} : { fired }) };
  const world = new World(plan, { ledger, tenant, openRowsMax, limits }, (options.earlier ?? []).map(load), snapshot);
  await world.catchUp();
  if (world.plan.digest === plan.digest) return world;
  if (options.adopt === undefined || options.adopt === false) {
    throw new CountersignError([
      issue('world/program-changed', `the ledger's last program is ${world.plan.digest}, this one is ${plan.digest}`),
    ]);
  }
  const outcome = await world.adopt(program, options.adopt === true ? {} : options.adopt);
  if (outcome.status !== 'refused') return world;
  throw new CountersignError([
    issue('world/adoption-refused', `${outcome.refusal.invariant} is violated by ${JSON.stringify(outcome.refusal.witness)}`),
  ]);
}

export class World {
  readonly #settings: Settings;
  readonly #plans: ReadonlyMap<string, Plan>;
  #adopted = new Map<string, Plan>();
  #state: State;
  #plan: Plan;
  #digest = GENESIS;
  #queue: Promise<unknown> = Promise.resolve();

  /** For `open`; use that. */
  constructor(plan: Plan, settings: Settings, earlier: readonly Plan[] = [], snapshot?: WorldSnapshot) {
    this.#settings = settings;
    this.#plans = new Map([...earlier, plan].map((one) => [one.digest, one]));
    this.#plan = plan;
    this.#state = new State(plan, settings.tenant, settings.limits);
    if (snapshot === undefined) return;
    const taken = unsealed(takeSnapshot(snapshot));
    this.#plan = this.#planOf(taken.program, 'the snapshot');
    this.#state = restoreWhole(this.#plan, taken, settings, this.#plans);
    this.#digest = taken.digest;
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

  /**
   * Takes in a batch of reports of one session, in order, as one transition.
   *
   * Shape   a report with a `capture` holds evidence and is taken whole or kept with no rows; one without holds trusted rows.
   * Errors  `world/batch-malformed`, `world/report-refused` for faults that are the caller's: then nothing is kept at all.
   *         A violated invariant is an outcome, `refused`, with its witness.
   */
  async observe(batch: Batch): Promise<Outcome> {
    // Read now, not when its turn comes: the caller may go on with its objects as it likes.
    const taken = takeBatch(batch);
    return this.#alone(async () => {
      const isKnown = taken.reports.length > 0 && newReports(this.#state, taken).length === 0;
      if (isKnown)
        return {
          status: 'answered',
          head: this.head,
          position: this.position,
          captures: captureOutcomes(this.#state, this.#capturesOf(taken.reports)),
        };
      const event: TransitionEvent = {
        event: 'batch',
        session: taken.session,
        actor: taken.actor,
        reports: taken.reports.map(plainReport),
      };
      return this.#commit(event, { event: 'batch', batch: taken });
    });
  }

  /**
   * Starts an admitted act, with its whole group: `started` when every one of them still holds, `withdrawn` otherwise.
   *
   * Errors  `world/not-startable` when no act with this key waits.
   */
  async start(intent: string, key: string): Promise<Outcome> {
    return this.#alone(async () => {
      checkStart(intent, key, [...this.#plan.intents.keys()]);
      return this.#commit({ event: 'start', intent, key }, { event: 'start', intent, key });
    });
  }

  /** Goes on under another program: open rows are judged by the new rules, records stay as they were made. */
  async adopt(program: unknown, options: { readonly admitOld?: readonly string[] } = {}): Promise<Outcome> {
    const plan = load(program);
    const admitOld = takeAdmitOld(options, [...plan.intents.keys()]);
    return this.#alone(async () => {
      const event: TransitionEvent = { event: 'adopt', program: plan.digest, admitOld };
      const state = restore(plan, snapshotOf(this.#state), this.#settings.limits, { living: this.#state });
      return this.#commit(event, { event: 'adopt', admitOld }, { state, plan });
    });
  }

  /** The model at the head. It stays at the head: read, do not keep. */
  model(): Model {
    return new Model(this.#state);
  }

  /**
   * A world as it was at an earlier position, with a ledger of its own in memory: for reading, or for trying what would have come instead.
   *
   * Cost    the entries up to there, derived anew.
   */
  async fork(position: number = this.position): Promise<World> {
    checkPosition(position, this.position);
    const entries = (await this.#read(1)).slice(0, position);
    if (entries.length < position) {
      throw new CountersignError([issue('world/position-unknown', `the ledger has ${entries.length} entries, not ${position}`)]);
    }
    const ledger = memory();
    for (const entry of entries) await ledger.append(entry);
    const world = new World(this.#plan, { ...this.#settings, ledger }, [...this.#plans.values(), ...this.#adopted.values()]);
    await world.catchUp();
    return world;
  }

  /**
   * The head as plain data, for `open`'s `snapshot`. Whoever can write one with its checksum is trusted like the writer of the program.
   *
   * Cost    every row and record once.
   */
  snapshot(): WorldSnapshot {
    return sealed(this.#state, this.#digest);
  }

  /** For `open`: replays the entries that the ledger has and this world does not. */
  async catchUp(): Promise<void> {
    const { position } = this;
    const read = await this.#read(Math.max(position, 1));
    // A snapshot is believed only where the ledger has the entry that it was taken at.
    if (position > 0 && (read[0]?.position !== position || read[0].digest !== this.#digest)) {
      throw new CountersignError([issue('world/replay-differs', `the snapshot at ${position} is not of this ledger`)]);
    }
    const entries = position > 0 ? read.slice(1) : read;
    for (const entry of entries) this.#replay(entry);
  }

  async #read(from: number): Promise<readonly LedgerEntry[]> {
    let entries: unknown;
    try {
      entries = await this.#settings.ledger.read(from);
    } catch (error) {
      throw isCountersignError(error) ? error : failed('world/read-failed', `entries from ${from} on`, error);
    }
    if (Array.isArray(entries)) return entries as readonly LedgerEntry[];
    throw new CountersignError([issue('world/replay-differs', `the ledger gave no list of entries from ${from} on`)]);
  }

  /** The records of every transition, in order. */
  records(): readonly LedgerRecord[] {
    return this.#state.made.map(({ record }) => deepFreeze(record));
  }

  /** One transition at a time: the next begins when the ledger has the entry of the one before. */
  async #alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Moves on when the ledger has the entry, and not before: what is not in the ledger, nobody reads. */
  async #commit(event: TransitionEvent, step: Step, next = { state: this.#state, plan: this.#plan }): Promise<Outcome> {
    const { state } = next;
    const refusal = transition(state, step, this.#settings);
    const isMoved = refusal === undefined;
    let entry: LedgerEntry;
    try {
      entry = this.#entry(event, refusal, isMoved ? next : { state: this.#state, plan: this.#plan });
      const appended = this.#settings.ledger.append(entry);
      if (appended !== undefined) {
        // Others may read while this waits: the transition is taken back, and made again once it is a matter of record.
        if (isMoved) state.rollback();
        await appended;
        if (isMoved) transition(state, step, this.#settings);
      }
    } catch (error) {
      if (isMoved) state.rollback();
      throw isCountersignError(error) ? error : failed('world/append-failed', `entry ${this.position + 1}`, error);
    }
    const changes = isMoved ? state.changes : [];
    if (isMoved) [this.#state, this.#plan] = [state, next.plan];
    for (const [position, why] of isMoved ? [] : state.refusals) this.#state.refusals.set(position, why);
    this.#moveOn(entry, event);
    return outcomeOf(this.#state, entry, this.#capturesOf(event.event === 'batch' ? event.reports : []), changes);
  }

  #entry(
    event: TransitionEvent,
    refusal: Refusal | undefined,
    { state, plan }: { readonly state: State; readonly plan: Plan },
  ): LedgerEntry {
    const position = this.#state.position + 1;
    const records = state.madeAt(position).map(({ record }) => record);
    const entry = {
      position,
      head: refusal === undefined ? position : this.#state.head,
      program: plan.digest,
      event,
      records: refusal === undefined ? records : [],
      ...(refusal === undefined ? {} : { refusal }),
    };
    return deepFreeze({ ...entry, digest: entryDigest(this.#digest, entry) });
  }

  #moveOn(entry: LedgerEntry, event: TransitionEvent): void {
    const state = this.#state;
    state.position = entry.position;
    state.head = entry.head;
    if (entry.refusal !== undefined && event.event === 'batch') {
      for (const { capture } of event.reports) if (capture !== undefined) state.captures.set(capture, entry.position);
    }
    this.#digest = entry.digest;
    this.#adopted.set(this.#plan.digest, this.#plan);
  }

  #capturesOf(reports: readonly { readonly capture?: string }[]): { readonly capture: string; readonly position: number }[] {
    return reports.flatMap(({ capture }) => (capture === undefined ? [] : [{ capture, position: this.#state.captures.get(capture) ?? 0 }]));
  }

  #replay(entry: LedgerEntry): void {
    if (!isEntry(entry)) throw new CountersignError([issue('world/replay-differs', `what follows entry ${this.position} is no entry`)]);
    const plan = this.#planOf(entry.event.event === 'adopt' ? entry.event.program : entry.program, `entry ${entry.position}`);
    const before = { state: this.#state, plan: this.#plan };
    if (entry.event.event === 'adopt') {
      this.#plan = plan;
      this.#state = restore(plan, snapshotOf(before.state), this.#settings.limits, { living: before.state });
    } else if (this.position === 0 && plan !== this.#plan) {
      // The first entries were written under a program that has been replaced since.
      this.#plan = plan;
      this.#state = new State(plan, this.#settings.tenant, this.#settings.limits);
    }
    const { event } = entry;
    const step: Step =
      event.event === 'batch'
        ? { event: 'batch', batch: takeBatch({ session: event.session, actor: event.actor, reports: event.reports }) }
        : event.event === 'start'
          ? { event: 'start', intent: event.intent, key: event.key }
          : { event: 'adopt', admitOld: event.admitOld };
    const refusal = transition(this.#state, step, this.#settings);
    const again = this.#entry(event, refusal, { state: this.#state, plan: refusal === undefined ? this.#plan : before.plan });
    // What stands in the entry beside what is made anew must be what its digest was taken over.
    const { digest, ...rest } = entry;
    if (again.digest !== digest || entryDigest(this.#digest, rest) !== digest) {
      throw new CountersignError([
        issue('world/replay-differs', `entry ${entry.position} gives digest ${again.digest}, not ${entry.digest}`),
      ]);
    }
    if (refusal !== undefined && event.event === 'adopt') {
      for (const [position, why] of this.#state.refusals) before.state.refusals.set(position, why);
      this.#state = before.state;
      this.#plan = before.plan;
    }
    this.#moveOn(entry, event);
  }

  #planOf(digest: string, whose: string): Plan {
    const plan = this.#plans.get(digest) ?? this.#adopted.get(digest);
    if (plan === undefined) throw new CountersignError([issue('world/program-unknown', `${whose} was made under program ${digest}`)]);
    return plan;
  }
}

function isEntry(given: unknown): given is LedgerEntry {
  const { event } = Object(given) as { readonly event?: unknown };
  return ['batch', 'start', 'adopt'].includes((Object(event) as TransitionEvent).event);
}

/** What a ledger threw, as an issue with its cause. */
function failed(code: 'world/append-failed' | 'world/read-failed', what: string, cause: unknown): CountersignError {
  const why = cause instanceof Error ? cause.message : describe(cause);
  return new CountersignError([issue(code, `${what}: ${why}`)], { cause });
}

/** Errors  `world/options-malformed` for what is no snapshot, or one of another tenant's ledger. */
function restoreWhole(
  plan: Plan,
  { state }: Pick<WorldSnapshot, 'state'>,
  { tenant, limits }: Settings,
  plans: ReadonlyMap<string, Plan>,
): State {
  try {
    if (state.tenant === tenant) return restore(plan, state, limits, { plans });
  } catch (error) {
    if (isCountersignError(error)) throw error;
    throw new CountersignError([issue('world/options-malformed', 'snapshot is not what snapshot() gave')], { cause: error });
  }
  throw new CountersignError([issue('world/options-malformed', `snapshot is of tenant ${state.tenant}, not ${tenant}`)]);
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
