/**
 * The laws of containment, looked at after each move of a history.
 *
 * Reads  what each move brought about in the world under test, and in one that heard the truth alone.
 * Gives  `Broken` for the first law that does not hold.
 * Never  knows the program's rules: it looks at rows, records and outcomes, as anybody can.
 */
import { irOf, type ProgramIR } from '../../../dsl/ir.ts';
import { isCountersignError } from '../../../dsl/issue.ts';
import { namespaceOf } from '../../../dsl/law.ts';
import type { Program } from '../../../dsl/program.ts';
import type { DecisionRecord, Report, ReportRow } from '../../../dsl/record.ts';
import { answer } from '../../../dsl/report.ts';
import { open, proofText, type Outcome, type World } from '../../world.ts';
import { partsOf } from '../parts.ts';
import type { Move, Speaker } from './moves.ts';

/** Each law by what it says, with what breaks it. */
const LAWS = {
  /** A reply that throws, whatever it holds. */
  taken: 'a reply is taken, or kept as malformed',
  /** A reply after which a relation of your own systems, or an answer, has another row. */
  evidence: 'a model writes evidence alone',
  /** A reply after which a fact has come or gone, with no claim accepted, revoked or set aside. */
  facts: 'facts change by decisions',
  /** An act that is admitted while no standing decision about a row is behind it. */
  acts: 'acts rest on decisions',
  /** A report of truth that is refused where a model spoke, and is taken where none did. */
  truth: 'truth is not kept out',
  /** A row that is let through in a world that knows nothing, so by conditions that the model fills itself. */
  alone: 'a model alone opens nothing',
  /** A denial whose reason stands in no rule. */
  reasons: "reasons are the author's words",
  /** A refusal that moves the head. */
  refusals: 'what is refused changes nothing',
  /** A ledger that does not replay to its digest. */
  replay: 'a replay gives the same',
} as const;

export class Broken extends Error {
  readonly law: string;
  readonly what: string;
  readonly at: number;
  readonly proof: string;

  constructor(law: keyof typeof LAWS, what: string, at: number, proof = '') {
    super(`${LAWS[law]}: ${what}`);
    this.law = LAWS[law];
    this.what = what;
    this.at = at;
    this.proof = proof;
  }
}

/** What happened in all histories: laws that had little to look at say little. */
export interface Counts {
  readonly histories: number;
  readonly replies: number;
  readonly malformed: number;
  readonly approved: number;
  readonly denied: number;
  readonly held: number;
  readonly admitted: number;
  readonly started: number;
}
type Counting = { -readonly [K in keyof Counts]: number };

export interface Setting {
  readonly given: readonly ReportRow[];
  readonly freely: readonly string[];
  /** Who reports what is true. */
  readonly by: Speaker;
  readonly counts: Counting;
}

/** The worlds that histories begin in: what is forked of them need not be loaded again. */
export interface Beginning {
  readonly program: Program;
  /** Knows nothing. */
  readonly blank: World;
  /** Knows what is given. */
  readonly begun: World;
}

/** Errors  where the program does not take the given rows: then there is nothing to test. */
export async function beginning(program: Program, { given, by }: Setting): Promise<Beginning> {
  const blank = await open(program);
  const begun = await blank.fork();
  if (given.length > 0) {
    const outcome = await begun.observe({ ...by, reports: [{ rows: given }] });
    if (outcome.status === 'refused') throw new Error(`the given rows violate the invariant ${JSON.stringify(outcome.refusal.invariant)}`);
  }
  return { program, blank, begun };
}

export async function played({ program, blank, begun }: Beginning, moves: readonly Move[], setting: Setting): Promise<void> {
  const history = new History(program, setting, await begun.fork(), await begun.fork(), await blank.fork());
  for (const [at, move] of moves.entries()) {
    history.at = at;
    if (!(await history.move(move))) break;
  }
  await history.end();
  setting.counts.histories++;
}

interface Came {
  readonly is: 'committed' | 'refused' | 'faulty';
  readonly text: string;
  readonly proof: string;
}

class History {
  readonly tested: World;
  /** Hears what is reported, and no model. */
  readonly truth: World;
  /** Hears the model, and nothing that is true. */
  readonly alone: World;
  at = 0;
  readonly #setting: Setting;
  readonly #free: ReadonlySet<string>;
  readonly #reasons: ReadonlySet<string>;
  #judged = 0;
  #judgedAlone = 0;

  constructor(program: Program, setting: Setting, tested: World, truth: World, alone: World) {
    [this.tested, this.truth, this.alone] = [tested, truth, alone];
    this.#setting = setting;
    this.#free = new Set([...setting.freely, ...unconditional(program)]);
    this.#reasons = new Set(partsOf(program).reasons);
  }

  /** False where the worlds can no longer be compared. */
  async move(move: Move): Promise<boolean> {
    switch (move.is) {
      case 'reply':
        await this.#alone(move.reply, move.by);
        if (move.beside.length > 0) return this.#true([{ rows: move.beside }, move.reply], [{ rows: move.beside }], move.by);
        await this.#reply(move.reply, move.by);
        return true;
      case 'report':
        return this.#true([{ rows: move.rows }], [{ rows: move.rows }], this.#setting.by);
      case 'answer': {
        const cards = this.tested.model().cards();
        const card = cards.at(move.nth % Math.max(1, cards.length));
        if (card !== undefined)
          await this.tested.observe({
            session: this.#setting.by.session,
            actor: move.actor,
            reports: [{ rows: [answer(card, move.answer)] }],
          });
        this.#decided();
        return true;
      }
      case 'act':
        await this.#act(move);
        return true;
    }
  }

  async end(): Promise<void> {
    const { counts } = this.#setting;
    for (const record of this.tested.records()) {
      if (record.record === 'decision')
        counts[record.verdict === 'rejected' ? 'denied' : 'approved'] += record.verdict === 'revoked' ? 0 : 1;
      if (record.record === 'captureRefused') counts.malformed++;
      if (record.record === 'admitted' || record.record === 'started') counts[record.record]++;
    }
    counts.held += this.tested.model().cards().length;
    try {
      const { digest } = await this.tested.fork();
      if (digest !== this.tested.digest) throw new Broken('replay', `${digest} is not ${this.tested.digest}`, this.at);
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      throw new Broken('replay', error.message, this.at);
    }
  }

  async #reply(reply: Report, by: Speaker): Promise<void> {
    this.#setting.counts.replies++;
    const { head } = this.tested;
    let outcome: Outcome;
    try {
      outcome = await this.tested.observe({ ...by, reports: [reply] });
    } catch (error) {
      throw new Broken('taken', String(error), this.at);
    }
    if (outcome.status !== 'committed' && this.tested.head !== head)
      throw new Broken('refusals', `the head moved from ${head} to ${this.tested.head}`, this.at);
    if (outcome.status === 'committed') this.#contained(outcome);
    this.#decided();
  }

  /** What a reply alone has changed. */
  #contained({ difference, records, admitted }: Outcome & { readonly status: 'committed' }): void {
    const isDecided = records.some(
      (record) => record.record === 'setAside' || (record.record === 'decision' && ['accepted', 'revoked'].includes(record.verdict)),
    );
    for (const { relation, row, sign } of difference()) {
      const text = `${relation} ${JSON.stringify(row)} ${sign > 0 ? 'came' : 'went'}`;
      if (TRUSTED.has(namespaceOf(relation) ?? '') && relation !== 'lifecycle.captureRefused') throw new Broken('evidence', text, this.at);
      if (relation.startsWith('fact.') && !isDecided) throw new Broken('facts', text, this.at, this.#why(relation, row));
    }
    const groundless = admitted.find(
      ({ restsOn }) => restsOn.length === 0 || !restsOn.every((id) => STANDING.has(this.tested.model().statusOf(id) ?? '')),
    );
    if (groundless === undefined) return;
    const { intent, row } = groundless;
    throw new Broken(
      'acts',
      `${intent} ${JSON.stringify(row)} was admitted`,
      this.at,
      this.#why(`admitted.${intent}`, { id: row['id'] ?? '' }),
    );
  }

  #why(relation: string, row: Readonly<Record<string, string | number | boolean>>): string {
    const model = this.tested.model();
    return model.rows(relation, row).length === 0 ? '' : proofText(model.why(relation, row));
  }

  /** New denials have reasons that a rule has written, or that the world makes of those. */
  #decided(): void {
    const records = this.tested.records();
    for (const record of records.slice(this.#judged)) {
      const strange = record.record === 'decision' ? record.reasons.find((reason) => !this.#isWritten(reason)) : undefined;
      if (strange === undefined) continue;
      const { source, id } = record as DecisionRecord;
      const decided = this.tested.plan.sources.get(source)?.decided ?? source;
      throw new Broken(
        'reasons',
        `${id} was denied for ${JSON.stringify(strange)}`,
        this.at,
        this.#why(`decision.rejected.${decided}`, { id }),
      );
    }
    this.#judged = records.length;
  }

  #isWritten(reason: string): boolean {
    return this.#reasons.has(reason) || /^(undecidable|declined|invariant|set aside): |^stands with /.test(reason);
  }

  /** What is reported must be taken wherever it is taken without a model. */
  async #true(reports: readonly Report[], own: readonly Report[], by: Speaker): Promise<boolean> {
    const without = await came(this.truth, own, by);
    const { is, text, proof } = await came(this.tested, reports, by);
    this.#decided();
    if (without.is === 'committed' && is !== 'committed') throw new Broken('truth', text, this.at, proof);
    // What evidence made possible has no counterpart in the world without it.
    return (without.is === 'committed') === (is === 'committed');
  }

  async #alone(reply: Report, by: Speaker): Promise<void> {
    try {
      await this.alone.observe({ ...by, reports: [reply] });
    } catch (error) {
      throw new Broken('taken', String(error), this.at);
    }
    const records = this.alone.records();
    const { plan } = this.alone;
    for (const record of records.slice(this.#judgedAlone)) {
      if (record.record !== 'decision' || !STANDING.has(record.verdict)) continue;
      const source = plan.sources.get(record.source);
      if (source === undefined || this.#free.has(source.relation)) continue;
      const model = this.alone.model();
      const sentence = model.verdict(record.id)?.sentence ?? record.verdict;
      const relation = `decision.${record.verdict}.${source.decided}`;
      const proof = model.rows(relation, { id: record.id }).length === 0 ? '' : proofText(model.why(relation, { id: record.id }));
      throw new Broken('alone', `${source.relation} ${record.id} is ${sentence}, in a world that knows nothing`, this.at, proof);
    }
    this.#judgedAlone = records.length;
  }

  async #act({ nth, outcome, receipts }: Move & { readonly is: 'act' }): Promise<void> {
    const waiting = new Map<string, string>();
    for (const record of this.tested.records()) {
      if (record.record === 'admitted') waiting.set(record.key, record.intent);
      if (record.record === 'started' || record.record === 'withdrawn') waiting.delete(record.key);
    }
    const [key, intent] = [...waiting][nth % Math.max(1, waiting.size)] ?? [];
    if (key === undefined || intent === undefined) return;
    const begun = await this.tested.start(intent, key);
    const started = begun.status === 'committed' ? begun.started.find((record) => record.key === key) : undefined;
    const receipt = receipts.find(({ relation }) => relation === `receipt.${intent}`);
    if (started === undefined || receipt === undefined || outcome === 'unknown') return;
    const { id = '', ...bindings } = started.row;
    await came(this.tested, [{ rows: [{ ...receipt, columns: { ...receipt.columns, ...bindings, act: id, outcome } }] }], this.#setting.by);
  }
}

const STANDING: ReadonlySet<string> = new Set(['accepted', 'approved']);
const TRUSTED: ReadonlySet<string> = new Set(['observation', 'receipt', 'confirmed', 'queryresult.outcome', 'lifecycle']);

async function came(world: World, reports: readonly Report[], by: Speaker): Promise<Came> {
  try {
    const outcome = await world.observe({ ...by, reports });
    if (outcome.status !== 'refused') return { is: 'committed', text: '', proof: '' };
    const { invariant, witness, detail } = outcome.refusal;
    const text = `the invariant ${JSON.stringify(invariant)} refuses it: ${JSON.stringify(witness)} ${detail}`.trim();
    return { is: 'refused', text, proof: outcome.why === undefined ? '' : proofText(outcome.why) };
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return { is: 'faulty', text: error.message, proof: '' };
  }
}

/** Sources of which the author has said that they pass without conditions, and why that is safe. */
function unconditional(program: Program): string[] {
  const { rules } = irOf(program) as ProgramIR;
  return rules.flatMap((rule) => (rule.kind === 'decide' && rule.unconditional !== undefined ? [rule.source.relation] : []));
}
