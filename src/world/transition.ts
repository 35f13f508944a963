/**
 * One transition: apply, derive, decide, admit, check; begun again from the start whenever a row has to be left out of it.
 *
 * Reads  the state, and an event that was taken in.
 * Gives  the records that it made and what came of it, with the state moved on; or a refusal, with the state as it was.
 * Never  commits: the caller does, once the ledger has the entry, or rolls back.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import { CountersignError, isCountersignError, issue } from '../../dsl/issue.ts';
import type { DecisionRecord, Refusal, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Because } from '../engine/engine.ts';
import { deepFreeze } from '../ledger/ledger.ts';
import { admit, mayStart, putToSleep, start } from './acts.ts';
import { Undecidable, type Corrections, type Violation } from './corrections.ts';
import { decide, look } from './decide.ts';
import { apply } from './ingress.ts';
import type { Taken } from './intake.ts';
import { recordDecision, setAside } from './register.ts';
import type { State } from './state.ts';
import { whyViolated } from './why.ts';

export type Step =
  | { readonly event: 'batch'; readonly batch: Taken }
  | { readonly event: 'start'; readonly intent: string; readonly key: string }
  | { readonly event: 'adopt'; readonly admitOld: readonly string[] };

export interface Bounds {
  /** Open rows of one session. */
  readonly openRowsMax: number;
}

/** Undefined when the state has moved on; a refusal when it is as before. */
export function transition(state: State, step: Step, bounds: Bounds): Refusal | undefined {
  const corrections: Corrections = { aside: new Map(), forced: new Map(), undone: new Map() };
  const older = state.seq;
  // Of an entry that its ledger did not take.
  state.refusals.delete(state.position + 1);
  // Each round leaves out one row or one decision more, so there is an end.
  for (;;) {
    state.begin();
    try {
      perform(state, step, bounds, corrections);
      const violation = violationIn(state);
      if (violation === undefined) return undefined;
      const isAnswered = blame(state, violation, step, older, corrections);
      if (!isAnswered) keepWhy(state, `invariant ${JSON.stringify(violation.invariant)}`, violation.witness, violation.because);
      state.rollback();
      if (!isAnswered) return { invariant: violation.invariant, witness: violation.witness, detail: violation.detail };
    } catch (error) {
      if (isOverrun(error) && leaveOut(state, error, corrections)) continue;
      if (!(error instanceof Undecidable)) throw abandoned(state, error);
      const { id, rule, what, because } = error;
      if (id === undefined) keepWhy(state, `undecidable ${JSON.stringify(rule)}`, {}, because);
      state.rollback();
      if (id === undefined) return { invariant: `undecidable: ${rule}`, witness: {}, detail: what };
      corrections.aside.set(id, { reason: `set aside: ${rule}: ${what}`, because });
    }
  }
}

/** Refusals of which the proof is kept; of an older one, a fork at its position has it. */
export const refusalsMax = 100;

/** What the violation rests on is gone with the transition, so its proof is made now. */
function keepWhy(state: State, relation: string, witness: Row, because: readonly Because[]): void {
  state.refusals.set(state.position + 1, deepFreeze(whyViolated(state, relation, witness, because)));
  const [oldest = 0] = state.refusals.keys();
  if (state.refusals.size > refusalsMax) state.refusals.delete(oldest);
}

function isOverrun(error: unknown): error is CountersignError {
  return isCountersignError(error) && error.issues.some(({ code }) => code === 'engine/too-many-rows');
}

/** A rule that evidence makes run away costs that evidence, never the truth that came beside it. False where none is to blame. */
function leaveOut(state: State, error: CountersignError, { aside }: Corrections): boolean {
  const blamed = [...state.engine.overrun(state.leafOf)].flatMap((id) => state.evidence.get(id) ?? []).filter(({ id }) => !aside.has(id));
  const [newest] = blamed.sort((left, right) => right.seq - left.seq);
  state.rescue();
  if (newest === undefined) return false;
  aside.set(newest.id, { reason: `set aside: ${error.issues[0]?.what ?? ''}`, because: [] });
  return true;
}

/** Whatever else goes wrong, the state is as before. The engine may have stopped half way, so it is derived anew. */
function abandoned(state: State, error: unknown): unknown {
  if (isCountersignError(error) && error.issues.every(({ code }) => code.startsWith('world/'))) state.rollback();
  else state.rescue();
  return error;
}

function perform(state: State, step: Step, bounds: Bounds, { aside, forced, undone }: Corrections): void {
  if (step.event === 'batch') apply(state, step.batch, bounds.openRowsMax);
  // A row that only this transition brings is set aside once it is there.
  for (const [id, cause] of aside) if (state.evidence.has(id)) setAside(state, id, cause);
  for (const [id, { reason, because }] of undone) {
    const source = state.decisions.get(id)?.final.source ?? '';
    recordDecision(state, { record: 'decision', verdict: 'revoked', source, id, reasons: [reason], recorded: {} }, because);
  }
  state.settle();
  if (step.event === 'start') {
    if (!mayStart(state, step.intent, step.key)) {
      throw new CountersignError([issue('world/not-startable', `no act of ${step.intent} with the key ${step.key} waits to be started`)]);
    }
    start(state, step.key);
    state.settle();
  }
  if (step.event === 'adopt') putToSleep(state, step.admitOld);
  for (let isNew = true; isNew;) {
    const isDecided = decide(state, forced);
    isNew = admit(state) || isDecided;
  }
  look(state);
}

/** The first violated invariant by name, then by witness. One that cannot be computed is violated (A18). */
function violationIn(state: State): Violation | undefined {
  const { plan, engine } = state;
  const found = plan.invariantPlans.flatMap(({ name, table, variables }) =>
    [...engine.rows(table)].map((row) => ({ name, table, row, witness: named(variables, row), detail: '' })),
  );
  for (const [table, rule] of plan.failures) {
    const invariant = rule.failure?.invariant;
    if (invariant === undefined || engine.count(table) === 0) continue;
    const columns = plan.tables[table]?.columns ?? [];
    const variables = plan.invariantPlans.find(({ name }) => name === invariant)?.variables ?? [];
    for (const row of engine.rows(table)) {
      const all = named(columns, row);
      const witness = Object.fromEntries(Object.entries(all).filter(([name]) => variables.includes(name)));
      found.push({ name: invariant, table, row, witness, detail: `undecidable: ${String(row[0])}` });
    }
  }
  const text = ({ witness }: { readonly witness: Row }) => canonicalJson(witness);
  const [first] = found.sort((left, right) => byCodePoint(left.name, right.name) || byCodePoint(text(left), text(right)));
  if (first === undefined) return undefined;
  return {
    invariant: first.name,
    witness: first.witness,
    detail: first.detail,
    because: [...state.engine.prover.instances(first.table, first.row)].slice(0, 1),
    restsOn: engine.lineage(first.table, first.row, state.leafOf),
  };
}

/** The values that a column can hold; a wide sum is left out of the witness. */
function named(columns: readonly string[], row: readonly unknown[]): Row {
  return Object.fromEntries(columns.flatMap((column, i) => (typeof row[i] === 'bigint' ? [] : [[column, row[i]]]))) as Row;
}

/**
 * Whom a violation is laid to, in three steps: a decision of this transition about a row that was open before it; about a row that came
 * with it, when trusted rows came too; an earlier standing decision that has started nothing. True when one was found.
 */
function blame(
  state: State,
  { invariant, because, restsOn }: Violation,
  step: Step,
  older: number,
  { forced, undone }: Corrections,
): boolean {
  const isTrusted =
    step.event === 'batch' && step.batch.reports.some(({ capture, rows, ends }) => capture === undefined && rows.length + ends.length > 0);
  const endorsed = [...restsOn]
    .flatMap((id) => {
      const decided = state.decisions.get(id);
      return decided === undefined || !isEndorsing(decided.final) ? [] : [{ id, position: decided.position, place: decided.place }];
    })
    .sort((left, right) => left.place - right.place);
  const isOld = (id: string) => (state.evidence.get(id)?.seq ?? 0) <= older;
  const own = endorsed.filter(({ position, id }) => position > state.position && !forced.has(id));
  const waited = own.filter(({ id }) => isOld(id)).at(-1);
  const came = isTrusted || step.event !== 'batch' ? own.at(-1) : undefined;
  const made = waited ?? came;
  if (made !== undefined) {
    forced.set(made.id, { reason: `invariant: ${invariant}`, because });
    return true;
  }
  const past = endorsed.filter(
    ({ position, id }) =>
      position <= state.position && state.decisions.get(id)?.revoked === undefined && !state.aside.has(id) && !state.begun.has(id),
  );
  const last = past.at(-1);
  if (last === undefined || !isTrusted) return false;
  undone.set(last.id, { reason: `invariant: ${invariant}`, because });
  return true;
}

function isEndorsing({ verdict }: DecisionRecord): boolean {
  return verdict === 'accepted' || verdict === 'approved';
}
