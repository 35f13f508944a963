/**
 * A scenario as it is played: a world of its own, who speaks, and what the last step was about.
 *
 * Reads  the steps, in order.
 * Gives  the world at the end; or the first step that does not hold.
 * Never  keeps anything between two plays: the same steps make the same world.
 */
import { isCountersignError, type CountersignError } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import type { Card, IgnoredRecord, IntentRecord, LedgerRecord, Report, Row } from '../../dsl/record.ts';
import { answer } from '../../dsl/report.ts';
import type { Program } from '../../dsl/program.ts';
import { open, proofText, type Model, type Outcome, type World } from '../world.ts';
import type { Coverage } from './coverage.ts';
import { ignoredText } from './ignored.ts';
import { failure, Miss, type Step } from './step.ts';

export interface ScenarioOptions {
  /** Whose session the reports are of; `in` changes it. "session-1" by default. */
  readonly session?: string;
  /** Who reports, speaks and answers; `by` changes it. "somebody" by default. */
  readonly actor?: string;
  readonly tenant?: string;
  readonly openRowsMax?: number;
  /** Collects which rules and clauses this scenario makes fire. */
  readonly coverage?: Coverage;
}

/** What a scenario has come to, for whatever else is to be looked at. */
export interface Played {
  readonly world: World;
  /** Ids of the rows that were given a label. */
  readonly ids: Readonly<Record<string, string>>;
  /** What came of the last step that went to the world. */
  readonly outcome?: Outcome;
}

/** What came of the last step that went to the world. */
export type Came =
  | { readonly is: 'nothing' }
  | { readonly is: 'committed' }
  | { readonly is: 'refused'; readonly outcome: Outcome & { readonly status: 'refused' } }
  | { readonly is: 'faulty'; readonly error: CountersignError }
  | { readonly is: 'malformed' | 'too many open'; readonly issues: readonly string[] }
  | { readonly is: 'withdrawn'; readonly acts: readonly IntentRecord[] }
  /** One sentence for each answer that counted for nothing. */
  | { readonly is: 'ignored'; readonly why: readonly string[] };

/** What nobody expects would make the steps after it speak of something else; so it is expected by name, or the scenario ends there. */
const EXPECTED_BY = {
  refused: 'isRefused',
  faulty: 'isFaulty',
  malformed: 'isMalformed',
  'too many open': 'isTooMany',
  withdrawn: 'isWithdrawn',
  ignored: 'isIgnored',
} as const;

export async function playOut(program: Program, options: ScenarioOptions, steps: readonly Step[]): Promise<Played> {
  const { tenant, openRowsMax, coverage } = options;
  const world = await open(program, {
    ...(tenant === undefined ? {} : { tenant }),
    ...(openRowsMax === undefined ? {} : { openRowsMax }),
    ...(coverage === undefined ? {} : { fired: coverage.fired }),
  });
  const play = new Play(program, world, options);
  const told: string[] = [];
  try {
    for (const [i, step] of steps.entries()) {
      await take(play, steps, i, step, told);
      coverage?.look(world);
    }
  } finally {
    coverage?.add(world);
  }
  return { world, ids: Object.fromEntries(play.labels), ...(play.outcome === undefined ? {} : { outcome: play.outcome }) };
}

async function take(play: Play, steps: readonly Step[], at: number, step: Step, told: string[]): Promise<void> {
  try {
    play.isNew = false;
    told.push(await step.run(play));
    play.mustBe(steps[at + 1]?.verb);
  } catch (error) {
    throw failure(steps, told, at, at, error);
  }
  steps.forEach(({ watch }, other) => {
    try {
      watch?.(play);
    } catch (error) {
      throw failure(steps, told, other, at, error);
    }
  });
}

export class Play {
  readonly world: World;
  readonly labels = new Map<string, string>();
  /** Cards that somebody has seen, by the name that the scenario gives them. */
  readonly seen = new Map<string, readonly Card[]>();
  session: string;
  actor: string;
  /** Ids of the rows that are spoken of. */
  focus: readonly string[] = [];
  came: Came = { is: 'nothing' };
  outcome: Outcome | undefined;
  /** Whether the step under way has gone to the world. */
  isNew = false;
  /** Acts that the last step which starts acts has started. */
  started: readonly IntentRecord[] = [];
  /** Ids of the rows of the last reply. */
  said: readonly string[] = [];
  #replies = 0;
  #reply: Report | undefined;
  readonly #program: Program;

  constructor(program: Program, world: World, { session = 'session-1', actor = 'somebody' }: ScenarioOptions) {
    this.#program = program;
    this.world = world;
    this.session = session;
    this.actor = actor;
  }

  get model(): Model {
    return this.world.model();
  }

  /** The rows that are spoken of, one at least. */
  subject(): readonly string[] {
    if (this.focus.length === 0) throw new Miss('nothing was said yet that this could be about');
    return this.focus;
  }

  /** The id of the n-th row of the last reply, or of the row with a label. */
  find(which: number | string): string {
    const id = typeof which === 'number' ? this.said[which - 1] : this.labels.get(which);
    if (id !== undefined) return id;
    if (typeof which === 'number') throw new Miss(`the last reply has ${this.said.length} rows, and no row ${which}`);
    throw new Miss(`no row was labelled ${JSON.stringify(which)}${didYouMean(which, this.labels.keys())}`);
  }

  /** `next` is the step after this one: what has to be expected is expected there. */
  mustBe(next: string | undefined): void {
    const { came } = this;
    if (!this.isNew || !(came.is in EXPECTED_BY) || next === EXPECTED_BY[came.is as keyof typeof EXPECTED_BY]) return;
    const [what, found] = cameText(came);
    throw new Miss(`${what}; where that is meant, ${EXPECTED_BY[came.is as keyof typeof EXPECTED_BY]}() follows`, found, cameProof(came));
  }

  // What goes to the world.

  async report(report: Report, actor = this.actor): Promise<string> {
    this.isNew = true;
    const before = this.world.records().length;
    try {
      this.outcome = await this.world.observe({ session: this.session, actor, reports: [report] });
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      this.came = { is: 'faulty', error };
      return 'faulty';
    }
    this.came = cameOf(this.outcome, this.world.records().slice(before), (record) => ignoredText(this.#program, this.model, record, actor));
    return this.came.is === 'committed' || this.came.is === 'nothing' ? '' : this.came.is;
  }

  /** One reply of a model, in a capture of its own: "reply-1", "reply-2". */
  async reply(report: Omit<Report, 'capture'>, labels: readonly string[] = []): Promise<string> {
    const capture = `reply-${++this.#replies}`;
    this.#reply = { ...report, capture };
    this.said = report.rows.map((_, i) => `${capture}.${i + 1}`);
    this.focus = this.said;
    labels.forEach((label, i) => this.labels.set(label, this.focus[i] as string));
    const came = await this.report(this.#reply);
    return came === '' ? this.focus.map((id) => wordOf(this.model.statusOf(id))).join(', ') : came;
  }

  /** The last reply once more, as after a crash. */
  async again(): Promise<string> {
    if (this.#reply === undefined) throw new Miss('there is no reply to come again');
    await this.report(this.#reply);
    return this.outcome?.status ?? '';
  }

  async answers(actor: string, given: 'yes' | 'no', which: string | { readonly card: string } | undefined): Promise<string> {
    const asked = this.#cards(which);
    return this.report({ rows: asked.map((card) => answer(card, given)) }, actor);
  }

  /** The cards of the rows that this scenario speaks of. */
  cards(): readonly Card[] {
    const subject = this.subject();
    return this.model.cards().filter(({ id }) => subject.includes(id));
  }

  #cards(which: string | { readonly card: string } | undefined): readonly Card[] {
    if (typeof which === 'object') {
      const seen = this.seen.get(which.card);
      if (seen === undefined) throw new Miss(`no card was seen as ${JSON.stringify(which.card)}`);
      return seen;
    }
    const asked = this.cards().filter(({ reason }) => which === undefined || reason === which);
    if (asked.length > 0) return asked;
    const sentences = this.focus.map((id) => `${id} is ${this.model.verdict(id)?.sentence ?? 'unknown'}`);
    throw new Miss(`there is no card${which === undefined ? '' : ` for ${JSON.stringify(which)}`} to answer`, sentences.join('\n'));
  }

  /** Starts acts by their keys; those of a group start with the first of it. */
  async start(acts: readonly IntentRecord[]): Promise<string> {
    this.isNew = true;
    const started: IntentRecord[] = [];
    const withdrawn: IntentRecord[] = [];
    this.came = { is: 'committed' };
    for (const { intent, key } of acts) {
      if ([...started, ...withdrawn].some((act) => act.key === key)) continue;
      this.outcome = await this.world.start(intent, key);
      if (this.outcome.status === 'refused') this.came = { is: 'refused', outcome: this.outcome };
      if (this.outcome.status !== 'committed') break;
      started.push(...this.outcome.started);
      withdrawn.push(...this.outcome.withdrawn);
    }
    if (withdrawn.length > 0) this.came = { is: 'withdrawn', acts: withdrawn };
    this.started = started;
    return withdrawn.length > 0 ? 'withdrawn' : 'started';
  }

  /** The receipts of what was started last. */
  async receipts(outcome: 'succeeded' | 'failed', columns: Row): Promise<string> {
    if (this.started.length === 0) throw new Miss('no act has started that there could be a receipt of: runs(...) or starts() comes first');
    const rows = this.started.map(({ intent, row: { id = '', ...bindings } }) => ({
      relation: `receipt.${intent}`,
      columns: { ...bindings, act: id, outcome, ...columns },
    }));
    return this.report({ rows });
  }

  // What is there.

  /** Acts of an intent by key, each as its last record, that rest on what is spoken of; all of them where that is no wish for one. */
  acts(intent?: string): readonly IntentRecord[] {
    const latest = new Map<string, IntentRecord>();
    for (const record of this.world.records()) {
      const isAct = record.record === 'admitted' || record.record === 'started' || record.record === 'withdrawn';
      if (isAct && (intent === undefined || record.intent === intent)) latest.set(record.key, record);
    }
    const acts = [...latest.values()];
    const own = acts.filter(({ restsOn, row }) => this.focus.some((id) => restsOn.includes(id) || row['id'] === id));
    return own.length > 0 || intent === undefined || this.#isWish(intent) ? own : acts;
  }

  #isWish(intent: string): boolean {
    const relation = `proposal.${intent}`;
    return this.world.plan.relations.has(relation) && this.focus.some((id) => this.model.rows(relation, { id }).length > 0);
  }
}

/** Statuses as the sentences of verdicts have them. */
export const STATUS_WORDS = {
  accepted: 'accepted',
  approved: 'approved',
  rejected: 'denied',
  revoked: 'revoked',
  held: 'held',
  pending: 'pending',
} as const;

function wordOf(status: keyof typeof STATUS_WORDS | undefined): string {
  return status === undefined ? 'unknown' : STATUS_WORDS[status];
}

function cameOf(outcome: Outcome, records: readonly LedgerRecord[], ignoredOf: (record: IgnoredRecord) => string): Came {
  if (outcome.status === 'refused') return { is: 'refused', outcome };
  if (outcome.status === 'answered') return { is: 'committed' };
  for (const record of records) if (record.record === 'captureRefused') return { is: record.class, issues: record.issues };
  const ignored = records.flatMap((record) => (record.record === 'ignored' ? [ignoredOf(record)] : []));
  return ignored.length > 0 ? { is: 'ignored', why: ignored } : { is: 'committed' };
}

/** Of a refusal: the proof of what may not be. */
export function cameProof(came: Came): string {
  return came.is === 'refused' && came.outcome.why !== undefined ? proofText(came.outcome.why) : '';
}

/** What happened and what is known of it. */
export function cameText(came: Came): readonly [what: string, found: string] {
  switch (came.is) {
    case 'nothing':
      return ['nothing has come in yet', ''];
    case 'committed':
      return ['it was taken in', ''];
    case 'refused': {
      const { invariant, witness, detail } = came.outcome.refusal;
      return [
        `the invariant ${JSON.stringify(invariant)} refuses it`,
        [JSON.stringify(witness), detail].filter((text) => text !== '').join('\n'),
      ];
    }
    case 'faulty':
      return ['the report is faulty', came.error.issues.map(({ code, what }) => `${code}: ${what}`).join('\n')];
    case 'malformed':
      return ['the reply is malformed', came.issues.join('\n')];
    case 'too many open':
      return ['the session has too many open rows for the reply', ''];
    case 'withdrawn':
      return [
        'the act was withdrawn when it was to start',
        came.acts.map(({ intent, row }) => `${intent} ${JSON.stringify(row)}`).join('\n'),
      ];
    case 'ignored':
      return ['the answer was ignored', came.why.join('\n')];
  }
}
