/**
 * One transition: apply, derive, decide, admit, check, commit; begun again from the start whenever a row has to be left out of it.
 *
 * Reads  a state and an event.
 * Gives  the next state and what came of the event.
 * Never  changes the state that it is given, and never commits half of anything.
 */
import type { Row, Refusal, TransitionEvent } from '../../dsl/record.ts';
import type { ProgramIR } from '../../dsl/ir.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { canonicalJson } from '../../dsl/digest.ts';
import { admit, dueOf, mayStart, putToSleep, start } from './acts.ts';
import { read, type Invariant } from './book.ts';
import { isTooWide, type Environment } from './expression.ts';
import { apply, Faulty, newReports } from './ingress.ts';
import { type Model } from './model.ts';
import { failures, instances, restsOn, type Instance } from './solve.ts';
import { begunIn, decisionsOf, Draft, sourceOf, type OracleState } from './state.ts';
import { cardsOf, decide, look, Undecidable } from './verdicts.ts';

/** What adopts carries its program in place of its digest. */
export type OracleEvent =
  | Extract<TransitionEvent, { readonly event: 'batch' | 'start' }>
  | { readonly event: 'adopt'; readonly program: ProgramIR; readonly admitOld: readonly string[] };

export type Outcome =
  | { readonly is: 'committed' }
  /** Everything in the batch was known: it is answered with its first outcome. */
  | { readonly is: 'answered' }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** The caller's mistake; the ledger does not hear of it. */
  | { readonly is: 'faulty'; readonly why: string };

export function empty(program: ProgramIR, limits: { readonly tenant?: string; readonly openMax?: number } = {}): OracleState {
  const book = read(program);
  const none = {
    position: 0,
    seq: 0,
    captures: new Set<string>(),
    rows: [],
    made: [],
    cards: [],
    aside: new Set<string>(),
    dormant: new Set<string>(),
  };
  const state = { book, limits: { tenant: 'tenant', openMax: 256, ...limits }, ...none, refusals: [], views: new Map() };
  return { ...state, views: viewsOf(new Draft(state)) };
}

export function transition(before: OracleState, event: OracleEvent): { readonly state: OracleState; readonly outcome: Outcome } {
  if (event.event === 'batch' && event.reports.length > 0 && newReports(event, before.captures).length === 0)
    return { state: before, outcome: { is: 'answered' } };
  const corrections: Corrections = { aside: new Map(), forced: new Map(), undone: new Map() };
  const older = new Set(before.rows.map((base) => String(base.row['id'])));
  for (;;) {
    const draft = begin(before, event, corrections);
    let refusal: Refusal;
    try {
      perform(draft, event, corrections);
      const violation = violationIn(draft);
      if (violation === undefined) return { state: commit(before, draft), outcome: { is: 'committed' } };
      if (isBlamed(violation, draft, event, older, corrections)) continue;
      refusal = { invariant: violation.invariant, witness: violation.witness, detail: violation.detail };
    } catch (error) {
      if (error instanceof Faulty) return { state: before, outcome: { is: 'faulty', why: error.message } };
      if (!(error instanceof Undecidable)) throw error;
      if (error.id !== undefined) {
        corrections.aside.set(error.id, `set aside: ${error.rule}: ${error.what}`);
        continue;
      }
      refusal = { invariant: `undecidable: ${error.rule}`, witness: {}, detail: error.what };
    }
    return { state: refuse(before, draft, event, refusal), outcome: { is: 'refused', refusal } };
  }
}

/** What a restart has to do otherwise: rows that leave, rows that may not be endorsed, decisions that are taken back. */
interface Corrections {
  readonly aside: Map<string, string>;
  readonly forced: Map<string, string>;
  readonly undone: Map<string, string>;
}

function begin(before: OracleState, event: OracleEvent, corrections: Corrections): Draft {
  const aside = new Set([...before.aside, ...corrections.aside.keys()]);
  const changes = { position: before.position + 1, aside };
  return new Draft(before, event.event === 'adopt' ? { ...changes, book: read(event.program) } : changes);
}

function perform(draft: Draft, event: OracleEvent, { aside, forced, undone }: Corrections): void {
  if (event.event === 'batch') apply(draft, event);
  for (const [id, reason] of aside) setAside(draft, id, reason);
  for (const [id, reason] of undone) revoke(draft, id, reason);
  if (event.event === 'start') {
    if (!mayStart(draft, event.intent, event.key)) throw new Faulty(`no act of ${event.intent} with this key waits to be started`);
    start(draft, event.key);
  }
  if (event.event === 'adopt') putToSleep(draft, event.admitOld);
  for (let isNew = true; isNew;) {
    const isDecided = decide(draft, forced);
    isNew = admit(draft) || isDecided;
  }
  draft.cards = cardsOf(draft);
}

/** The row leaves the model for good; its decision is taken back, or never made. */
function setAside(draft: Draft, id: string, reason: string): void {
  draft.record({ record: 'setAside', id, reason });
  const decision = decisionsOf(draft.made).get(id);
  const base = draft.rows.find((one) => one.row['id'] === id && sourceOf(draft.book, one.relation) !== undefined);
  const source = base === undefined ? undefined : sourceOf(draft.book, base.relation);
  if (decision === undefined && source !== undefined)
    draft.record({ record: 'decision', verdict: 'rejected', source: source.name, id, reasons: [reason], recorded: {} });
  else if (decision?.final.verdict !== 'rejected' && decision?.revoked === undefined) revoke(draft, id, reason);
}

function revoke(draft: Draft, id: string, reason: string): void {
  const decision = decisionsOf(draft.made).get(id);
  if (decision !== undefined)
    draft.record({ record: 'decision', verdict: 'revoked', source: decision.final.source, id, reasons: [reason], recorded: {} });
}

function commit(before: OracleState, draft: Draft): OracleState {
  const { book, limits, position, seq, captures, rows, made, cards, aside, dormant } = draft;
  return { book, limits, position, seq, captures, rows, made, cards, aside, dormant, refusals: before.refusals, views: viewsOf(draft) };
}

/** Everything as before, but for the place in the ledger, the refusal in it and the captures that it kept. */
function refuse(before: OracleState, draft: Draft, event: OracleEvent, refusal: Refusal): OracleState {
  const captures = new Set([
    ...before.captures,
    ...(event.event === 'batch' ? event.reports.flatMap((report) => report.capture ?? []) : []),
  ]);
  return { ...before, position: draft.position, captures, refusals: [...before.refusals, refusal] };
}

function completed(draft: Draft): Model {
  const model = look(draft).model.copy();
  for (const { relation, tuple } of dueOf(draft, model)) model.put(relation, tuple.row, tuple.restsOn);
  return model;
}

function viewsOf(draft: Draft): Map<string, readonly Row[]> {
  const model = completed(draft);
  const names = new Set([...draft.book.relations.keys(), ...model.relations()]);
  return new Map([...names].map((relation) => [relation, model.tuples(relation).map(({ row }) => row)]));
}

// Invariants.

interface Violation {
  readonly invariant: string;
  readonly witness: Row;
  readonly detail: string;
  readonly restsOn: ReadonlySet<string>;
}

/**
 * The first violated invariant by name, then by witness. What cannot be computed in one is a violation too.
 * Whoever makes the same witness possible is a ground of it: it rests on all of them.
 */
function violationIn(draft: Draft): Violation | undefined {
  const model = completed(draft);
  const found = draft.book.invariants.flatMap((invariant) =>
    invariant.branches.flatMap((body): Violation[] => [
      ...instances(body, model).map((instance) => violationOf(invariant, instance, '')),
      ...failures(body, undefined, model).map(({ instance }) =>
        violationOf(invariant, instance, `undecidable: ${[...new Set(instance.what)].sort().join('; ')}`),
      ),
    ]),
  );
  const place = ({ invariant, witness, detail }: Violation) => canonicalJson([invariant, witness, detail]);
  const [first] = found.sort(
    (left, right) =>
      byCodePoint(left.invariant, right.invariant) ||
      byCodePoint(canonicalJson(left.witness), canonicalJson(right.witness)) ||
      byCodePoint(left.detail, right.detail),
  );
  if (first === undefined) return undefined;
  const same = found.filter((one) => place(one) === place(first));
  return { ...first, restsOn: new Set(same.flatMap((one) => [...one.restsOn])) };
}

function violationOf(invariant: Invariant, instance: Instance, detail: string): Violation {
  return { invariant: invariant.name, witness: witnessOf(invariant, instance.environment), detail, restsOn: restsOn(instance) };
}

function witnessOf(invariant: Invariant, environment: Environment): Row {
  const known = invariant.variables.flatMap((variable) => {
    const value = environment.get(variable);
    return value === undefined || isTooWide(value) ? [] : [[variable, value] as const];
  });
  // Wide values were left out just before.
  return Object.fromEntries(known) as Row;
}

/** Blame in three steps. True when a decision was found that the transition can do without. */
function isBlamed(
  { invariant, restsOn: grounds }: Violation,
  draft: Draft,
  event: OracleEvent,
  older: ReadonlySet<string>,
  { forced, undone }: Corrections,
): boolean {
  const isTrusted =
    event.event === 'batch' &&
    event.reports.some((report) => report.capture === undefined && report.rows.length + (report.ends?.length ?? 0) > 0);
  const endorsed = draft.made.flatMap(({ position, record }) => {
    const isEndorsing = record.record === 'decision' && (record.verdict === 'accepted' || record.verdict === 'approved');
    return isEndorsing && grounds.has(record.id) ? [{ position, id: record.id }] : [];
  });
  const own = endorsed.filter(({ position, id }) => position === draft.position && !forced.has(id));
  const waited = own.filter(({ id }) => older.has(id)).at(-1);
  const came = isTrusted || event.event !== 'batch' ? own.at(-1) : undefined;
  const made = waited ?? came;
  if (made !== undefined) {
    forced.set(made.id, `invariant: ${invariant}`);
    return true;
  }
  const begun = begunIn(draft.made);
  const decisions = decisionsOf(draft.made);
  const past = endorsed
    .filter(
      ({ position, id }) => position < draft.position && decisions.get(id)?.revoked === undefined && !draft.aside.has(id) && !begun.has(id),
    )
    .at(-1);
  if (past === undefined || !isTrusted) return false;
  undone.set(past.id, `invariant: ${invariant}`);
  return true;
}
