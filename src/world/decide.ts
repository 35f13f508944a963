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
import { Undecidable, type Cause } from './corrections.ts';
import { recordDecision } from './register.ts';
import type { Because } from '../engine/engine.ts';
import type { Evidence, State } from './state.ts';

/** A row's verdict on the model as it is: what would be recorded, or why nothing is. */
export type Verdict =
  | { readonly is: 'rejected'; readonly reasons: readonly string[]; readonly because?: readonly Because[] }
  | { readonly is: 'accepted' | 'approved'; readonly recorded: Row }
  | { readonly is: 'held' | 'pending' };

/** Rows that an invariant has blamed, with what to reject them for. */
export type Forced = ReadonlyMap<string, Cause>;

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
      return { rule: state.plan.failures.get(table)?.failure?.rule ?? '', what: String(row[0]), blamed: seqs, table, row };
    }),
  );
  const [first] = failures.sort(
    (left, right) =>
      left.blamed.length - right.blamed.length ||
      byCodePoint(left.rule, right.rule) ||
      byCodePoint(left.what, right.what) ||
      (right.blamed[0]?.seq ?? 0) - (left.blamed[0]?.seq ?? 0),
  );
  if (first === undefined) return;
  const because = [...state.engine.prover.instances(first.table, first.row)].slice(0, 1);
  throw new Undecidable(first.rule, first.what, first.blamed[0]?.id, because);
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
    const cause = forced.get(id);
    return cause === undefined ? { is, recorded: first } : { is: 'rejected', reasons: [cause.reason], because: cause.because };
  }
  return { is: 'pending' };
}

/** The rules that a verdict comes from, with the values that they have now; of one that lets a row pass, also what could have kept it out. */
function becauseOf(state: State, { id, source }: Evidence, verdict: DecisionRecord['verdict'], recorded: Row = {}): Because[] {
  const { prover } = state.engine;
  const derivations = (relation: string, where: Row): Because[] => {
    const table = state.table(relation);
    return table === undefined ? [] : [...prover.rows(table, where)].flatMap((row) => [...prover.instances(table, row)]);
  };
  const because = derivations(`verdict.${verdict}.${source.name}`, { id, ...recorded });
  if (verdict === 'rejected' || verdict === 'revoked') return because;
  const met = because.flatMap((one) => prover.beneath(one, isMet));
  return [...because, ...met, ...keptLimits(state, id, source.name), ...derivations(`answer.${source.name}`, { id, answer: 'yes' })];
}

/** The cause that a verdict brings with it, or the rules that it comes from. */
function causeOf(state: State, evidence: Evidence, verdict: Verdict, { verdict: made, recorded }: DecisionRecord): readonly Because[] {
  return (verdict.is === 'rejected' ? verdict.because : undefined) ?? becauseOf(state, evidence, made, recorded);
}

/** How the limits of a source stand before one of its rows is let pass: what would reject it comes to nothing. */
function keptLimits({ plan, engine }: State, id: string, source: string): Because[] {
  const table = plan.tableOf.get(`verdict.rejected.${source}`);
  if (table === undefined) return [];
  const column = plan.tables[table]?.columns.indexOf('id') ?? -1;
  return engine.prover.attempts(table, new Map([[column, id]]), (rule) => plan.written.get(rule.id)?.clause?.kind === 'limits');
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
    const beside = rows.length > 0 || state.begun.has(id) ? undefined : fallenBeside(state, evidence);
    const reasons = beside === undefined ? distinct(rows) : [beside.reason];
    if (reasons.length === 0) continue;
    const because = beside?.because ?? becauseOf(state, evidence, 'revoked');
    recordDecision(state, { record: 'decision', verdict: 'revoked', source: source.name, id, reasons, recorded: {} }, because);
    return true;
  }
  return false;
}

/** An approved group falls as a whole, as far as it has not started. */
function fallenBeside(state: State, evidence: Evidence): Cause | undefined {
  const group = state.groupOf(evidence);
  if (group === undefined || !state.docket.hasFallen(evidence.id)) return undefined;
  for (const id of state.members(group)) {
    if (id === evidence.id) continue;
    const decided = state.decisions.get(id);
    const fallen = decided?.revoked ?? (state.aside.has(id) ? decided?.final : undefined);
    if (fallen !== undefined) return standsWith(state, id, fallen);
  }
  return undefined;
}

/** What falls with another row falls for what that fell for. */
function standsWith(state: State, id: string, fallen: DecisionRecord | undefined): Cause {
  const made = fallen === undefined ? undefined : state.madeOf.get(fallen);
  return { reason: `stands with ${id}: ${fallen?.reasons[0] ?? ''}`, because: made?.because ?? [] };
}

// Open rows, unit by unit.

function decideFirst(state: State, forced: Forced): boolean {
  const units = state.docket.units();
  let next = 0;
  for (const evidence of state.docket.candidates()) {
    // Rows that stand or fall together are judged at the place of the first of them.
    for (; next < units.length && (units[next]?.[0]?.seq ?? 0) < evidence.seq; next++)
      if (decideUnit(state, units[next] ?? [], forced)) return true;
    const verdict = verdictOf(state, evidence, forced);
    const record = recordOf(evidence, verdict);
    if (record === undefined) continue;
    recordDecision(state, record, causeOf(state, evidence, verdict, record));
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
      const because = record === undefined ? [] : causeOf(state, evidence, verdict, record);
      if (record !== undefined) {
        recordDecision(state, record);
        state.settle();
      }
      return { verdict, because };
    }),
  );
  const judged = unitVerdicts(state, unit, own);
  const records = unit.map((evidence, i) => recordOf(evidence, judged[i]?.verdict ?? { is: 'pending' }));
  if (records.some((record) => record === undefined)) return false;
  records.forEach((record, i) => {
    if (record !== undefined) recordDecision(state, record, judged[i]?.because);
  });
  return true;
}

interface Judged {
  readonly verdict: Verdict;
  readonly because: readonly Because[];
}

function unitVerdicts(state: State, unit: readonly Evidence[], own: readonly Judged[]): readonly Judged[] {
  const [first] = unit;
  const group = first === undefined ? undefined : state.groupOf(first);
  const lost = group === undefined ? undefined : state.members(group).find((id) => state.aside.has(id));
  const rejected = own.findIndex(({ verdict }) => verdict.is === 'rejected');
  const { verdict, because = [] } = own[rejected] ?? {};
  const reason = verdict?.is === 'rejected' ? (verdict.reasons[0] ?? '') : '';
  const fallen =
    lost !== undefined
      ? standsWith(state, lost, state.decisions.get(lost)?.final)
      : rejected < 0
        ? undefined
        : { reason: `stands with ${unit[rejected]?.id ?? ''}: ${reason}`, because };
  if (fallen !== undefined) {
    const falls: Judged = { verdict: { is: 'rejected', reasons: [fallen.reason] }, because: fallen.because };
    return own.map((one) => (one.verdict.is === 'rejected' ? one : falls));
  }
  const isWaiting = own.some(({ verdict: { is } }) => is === 'held' || is === 'pending');
  return isWaiting ? own.map(() => ({ verdict: { is: 'pending' }, because: [] })) : own;
}
