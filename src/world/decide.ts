/**
 * Deciding in order: the next record is the first revocation, else the first unit of open rows that has a final verdict.
 *
 * Reads  the docket, and the verdicts that the rules derive on the model as every earlier decision has left it.
 * Gives  decision records, one by one, with their reasons.
 * Never  depends on the order of rules: rejection beats asking beats approval, rows go by `seq`, reasons are sorted.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import type { DecisionRecord, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { isMet } from '../load/load.ts';
import { Undecidable } from './corrections.ts';
import { recordDecision } from './register.ts';
import type { Because } from '../engine/engine.ts';
import type { Evidence, State } from './state.ts';

/** A row's verdict on the model as it is: what would be recorded, or why nothing is. */
export type Verdict =
  | { readonly is: 'rejected'; readonly reasons: readonly string[] }
  | { readonly is: 'accepted' | 'approved'; readonly recorded: Row }
  | { readonly is: 'held' | 'pending' };

/** Rows that an invariant has blamed, with the reason to reject them for. */
export type Forced = ReadonlyMap<string, string>;

/** Records until nothing more is to be recorded. True when anything was. */
export function decide(state: State, forced: Forced): boolean {
  for (let isAny = false; ; isAny = true) {
    look(state);
    if (!revokeFirst(state) && !decideFirst(state, forced)) return isAny;
    state.settle();
  }
}

/** Throws when a view cannot be computed: of several failures the one that rests on the fewest rows is answered first. */
export function look(state: State): void {
  const failures = state.docket.failing().flatMap((table) =>
    [...state.engine.rows(table)].map((row) => {
      const blamed = [...state.engine.blame(table, row, state.leafOf)].filter((id) => !state.aside.has(id));
      const seqs = blamed.map((id) => ({ id, seq: state.evidence.get(id)?.seq ?? 0 })).sort((a, b) => b.seq - a.seq);
      return { rule: state.plan.failures.get(table)?.failure?.rule ?? '', what: String(row[0]), blamed: seqs };
    }),
  );
  const [first] = failures.sort(
    (left, right) =>
      left.blamed.length - right.blamed.length ||
      byCodePoint(left.rule, right.rule) ||
      byCodePoint(left.what, right.what) ||
      (right.blamed[0]?.seq ?? 0) - (left.blamed[0]?.seq ?? 0),
  );
  if (first !== undefined) throw new Undecidable(first.rule, first.what, first.blamed[0]?.id);
}

function verdictOf(state: State, { id, source }: Evidence, forced: Forced): Verdict {
  const of = (verdict: string): Row[] => {
    const table = state.table(`verdict.${verdict}.${source.name}`);
    if (table === undefined) return [];
    const column = state.plan.tables[table]?.columns.indexOf('id') ?? 0;
    return [...state.engine.matching(table, [column], [id])].map((row) => state.named(table, row));
  };
  const rejected = of('rejected');
  if (rejected.length > 0) return { is: 'rejected', reasons: distinct(rejected) };
  if (of('held').length > 0) return { is: 'held' };
  for (const is of ['accepted', 'approved'] as const) {
    const [first] = of(is)
      .map(({ id: _, ...recorded }) => recorded as Row)
      .sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right)));
    if (first === undefined) continue;
    const reason = forced.get(id);
    return reason === undefined ? { is, recorded: first } : { is: 'rejected', reasons: [reason] };
  }
  return { is: 'pending' };
}

/** The rules that a verdict comes from, with the values that they have now. */
function becauseOf(state: State, { id, source }: Evidence, verdict: DecisionRecord['verdict'], recorded: Row = {}): Because[] {
  const table = state.table(`verdict.${verdict}.${source.name}`);
  if (table === undefined) return [];
  const given = Object.entries({ id, ...recorded });
  const columns = given.map(([column]) => state.plan.tables[table]?.columns.indexOf(column) ?? -1);
  const rows = state.engine.matching(
    table,
    columns,
    given.map(([, value]) => value),
  );
  const { prover } = state.engine;
  const because = [...rows].flatMap((row) => prover.instances(table, row));
  return [...because, ...because.flatMap((one) => prover.beneath(one, isMet))];
}

function distinct(rows: readonly Row[]): string[] {
  return [...new Set(rows.map((row) => String(row['reason'])))].sort(byCodePoint);
}

function recordOf({ id, source }: Evidence, verdict: Verdict): DecisionRecord | undefined {
  const about = { record: 'decision', source: source.name, id } as const;
  if (verdict.is === 'rejected') return { ...about, verdict: 'rejected', reasons: verdict.reasons, recorded: {} };
  return verdict.is === 'accepted' || verdict.is === 'approved'
    ? { ...about, verdict: verdict.is, reasons: [], recorded: verdict.recorded }
    : undefined;
}

// Standing decisions that may stand no longer.

function revokeFirst(state: State): boolean {
  for (const evidence of state.docket.revocable()) {
    const { id, source } = evidence;
    const decided = state.decisions.get(id);
    if (decided === undefined || decided.final.verdict === 'rejected' || decided.revoked !== undefined || state.aside.has(id)) continue;
    const table = state.table(`verdict.revoked.${source.name}`);
    const column = table === undefined ? -1 : (state.plan.tables[table]?.columns.indexOf('id') ?? -1);
    const rows = table === undefined ? [] : [...state.engine.matching(table, [column], [id])].map((row) => state.named(table, row));
    const reasons = rows.length > 0 ? distinct(rows) : state.begun.has(id) ? [] : fallenBeside(state, evidence);
    if (reasons.length === 0) continue;
    const because = rows.length > 0 ? becauseOf(state, evidence, 'revoked') : [];
    recordDecision(state, { record: 'decision', verdict: 'revoked', source: source.name, id, reasons, recorded: {} }, because);
    return true;
  }
  return false;
}

/** An approved group falls as a whole, as far as it has not started. */
function fallenBeside(state: State, evidence: Evidence): string[] {
  const group = state.groupOf(evidence);
  if (group === undefined || !state.docket.hasFallen(evidence.id)) return [];
  for (const id of state.members(group)) {
    if (id === evidence.id) continue;
    const decided = state.decisions.get(id);
    const fallen = decided?.revoked ?? (state.aside.has(id) ? decided?.final : undefined);
    if (fallen !== undefined) return [`stands with ${id}: ${fallen.reasons[0] ?? ''}`];
  }
  return [];
}

// Open rows, unit by unit.

function decideFirst(state: State, forced: Forced): boolean {
  const units = state.docket.units();
  let next = 0;
  for (const evidence of state.docket.candidates()) {
    // Rows that stand or fall together are judged at the place of the first of them.
    for (; next < units.length && (units[next]?.[0]?.seq ?? 0) < evidence.seq; next++)
      if (decideUnit(state, units[next] ?? [], forced)) return true;
    const record = recordOf(evidence, verdictOf(state, evidence, forced));
    if (record === undefined) continue;
    recordDecision(state, record, becauseOf(state, evidence, record.verdict, record.recorded));
    return true;
  }
  return units.slice(next).some((unit) => decideUnit(state, unit, forced));
}

/** One verdict for the whole unit, found by recording its members one after the other and taking that back. */
function decideUnit(state: State, unit: readonly Evidence[], forced: Forced): boolean {
  const own = state.attempt(() =>
    unit.map((evidence) => {
      const verdict = verdictOf(state, evidence, forced);
      const record = recordOf(evidence, verdict);
      const because = record === undefined ? [] : becauseOf(state, evidence, record.verdict, record.recorded);
      if (record !== undefined) {
        recordDecision(state, record);
        state.settle();
      }
      return { verdict, because };
    }),
  );
  const verdicts = unitVerdicts(
    state,
    unit,
    own.map(({ verdict }) => verdict),
  );
  const records = unit.map((evidence, i) => recordOf(evidence, verdicts[i] ?? { is: 'pending' }));
  if (records.some((record) => record === undefined)) return false;
  records.forEach((record, i) => {
    // One that falls with another falls for what the other fell for.
    if (record !== undefined) recordDecision(state, record, record.verdict === own[i]?.verdict.is ? own[i].because : []);
  });
  return true;
}

function unitVerdicts(state: State, unit: readonly Evidence[], own: readonly Verdict[]): readonly Verdict[] {
  const [first] = unit;
  const group = first === undefined ? undefined : state.groupOf(first);
  const lost = group === undefined ? undefined : state.members(group).find((id) => state.aside.has(id));
  const rejected = own.findIndex((verdict) => verdict.is === 'rejected');
  const reasonOf = (verdict: Verdict | undefined) => (verdict?.is === 'rejected' ? (verdict.reasons[0] ?? '') : '');
  const fallen =
    lost !== undefined
      ? { id: lost, reason: state.decisions.get(lost)?.final.reasons[0] ?? '' }
      : rejected < 0
        ? undefined
        : { id: unit[rejected]?.id ?? '', reason: reasonOf(own[rejected]) };
  if (fallen !== undefined) {
    const reasons = [`stands with ${fallen.id}: ${fallen.reason}`];
    return own.map((verdict) => (verdict.is === 'rejected' ? verdict : { is: 'rejected', reasons }));
  }
  return own.some(({ is }) => is === 'held' || is === 'pending') ? own.map(() => ({ is: 'pending' as const })) : own;
}
