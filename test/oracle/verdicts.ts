/**
 * Deciding in order: the next record is the first revocation, else the first unit whose rows have a final verdict.
 *
 * Reads  a draft, with its views and verdicts.
 * Gives  decision records, each made on the model as the earlier ones left it.
 * Never  depends on the order of rules: reasons are sorted, rows go by `seq`.
 */
import type { DecisionRecord, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { canonicalJson } from '../../dsl/digest.ts';
import type { Derived } from './evaluate.ts';
import { begunIn, decisionsOf, Draft, evidenceOf, sourceOf, type BaseRow, type Card } from './state.ts';

/** A row's verdict on a model: what is recorded, or why nothing is. */
export type Verdict =
  | { readonly is: 'rejected'; readonly reasons: readonly string[] }
  | { readonly is: 'accepted' | 'approved'; readonly recorded: Row }
  | { readonly is: 'held'; readonly cards: readonly Card[] }
  | { readonly is: 'pending' };

type Evidence = ReturnType<typeof evidenceOf>[number];

/** A view that could not be computed: evidence is set aside, or without any to blame the transition is refused. */
export class Undecidable extends Error {
  /** The row to set aside; undefined where trusted rows alone are to blame. */
  readonly id: string | undefined;
  readonly rule: string;
  readonly what: string;
  constructor(rule: string, what: string, id: string | undefined) {
    super(`${rule}: ${what}`);
    this.rule = rule;
    this.what = what;
    this.id = id;
  }
}

/** Rows that an invariant has blamed, with what to say when their verdict would have been good. */
export type Forced = ReadonlyMap<string, string>;

/** Records until nothing more is to be recorded. True when anything was. */
export function decide(draft: Draft, forced: Forced): boolean {
  for (let isAny = false; ; isAny = true) if (!revokeFirst(draft) && !decideFirst(draft, forced)) return isAny;
}

/** The views of the draft; one that cannot be computed is an answer of its own. Of several the one that rests on the fewest rows. */
export function look(draft: Draft): Derived {
  const derived = draft.derived();
  const inViews = derived.failures.filter((failure) => failure.judged === undefined);
  const [first] = inViews.sort(
    (left, right) =>
      left.blame.size - right.blame.size ||
      byCodePoint(left.rule, right.rule) ||
      byCodePoint(left.what, right.what) ||
      newestFirst(draft, left.blame, right.blame),
  );
  if (first === undefined) return derived;
  throw new Undecidable(first.rule, first.what, newestOf(draft, first.blame)[0]);
}

/** The cards of every open row that is held. */
export function cardsOf(draft: Draft): Card[] {
  const derived = look(draft);
  const decided = decisionsOf(draft.made);
  return evidenceOf(draft).flatMap((row) => {
    const verdict = decided.has(row.id) ? undefined : verdictOf(derived, row);
    return verdict?.is === 'held' ? verdict.cards : [];
  });
}

function newestOf(draft: Draft, ids: ReadonlySet<string>): string[] {
  return evidenceOf(draft)
    .map((row) => row.id)
    .filter((id) => ids.has(id))
    .reverse();
}

function newestFirst(draft: Draft, left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const seq = (ids: ReadonlySet<string>) => Number(evidenceOf(draft).find((row) => row.id === newestOf(draft, ids)[0])?.row['seq'] ?? 0);
  return seq(right) - seq(left);
}

/** Rejection beats asking beats approval, for every rule. */
function verdictOf({ model, failures }: Derived, { id, source }: Evidence): Verdict {
  const { decided } = source;
  const of = (verdict: string) =>
    model
      .tuples(`verdict.${verdict}.${decided}`)
      .map(({ row }) => row)
      .filter((row) => row['id'] === id);
  const undecidable = failures.filter((failure) => failure.judged === id && failure.head !== `verdict.revoked.${decided}`);
  const reasons = [
    ...of('rejected').map((row) => String(row['reason'])),
    ...undecidable.map(({ rule, what }) => `undecidable: ${rule}: ${what}`),
  ];
  if (reasons.length > 0) return { is: 'rejected', reasons: distinct(reasons) };
  const cards = of('held').map((row): Card => ({ decided, id, reason: String(row['reason']), shown: String(row['shown']) }));
  if (cards.length > 0) return { is: 'held', cards: cards.sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right))) };
  for (const is of ['accepted', 'approved'] as const) {
    const [first] = of(is)
      .map(({ id: _, ...recorded }) => recorded as Row)
      .sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right)));
    if (first !== undefined) return { is, recorded: first };
  }
  return { is: 'pending' };
}

function distinct(reasons: readonly string[]): string[] {
  return [...new Set(reasons)].sort(byCodePoint);
}

// Standing decisions that no longer may stand.

function revokeFirst(draft: Draft): boolean {
  const derived = look(draft);
  const decisions = decisionsOf(draft.made);
  for (const row of evidenceOf(draft)) {
    const decision = decisions.get(row.id);
    if (decision === undefined || decision.final.verdict === 'rejected' || decision.revoked !== undefined) continue;
    const reasons = revocationsOf(derived, row);
    const fallen = reasons.length === 0 && !begunIn(draft.made).has(row.id) ? fallenBeside(draft, row) : undefined;
    if (fallen !== undefined) reasons.push(`stands with ${fallen.id}: ${fallen.reasons[0] ?? ''}`);
    if (reasons.length === 0) continue;
    draft.record({ record: 'decision', verdict: 'revoked', source: row.source.name, id: row.id, reasons: distinct(reasons), recorded: {} });
    return true;
  }
  return false;
}

function revocationsOf({ model, failures }: Derived, { id, source }: Evidence): string[] {
  const head = `verdict.revoked.${source.decided}`;
  return [
    ...model
      .tuples(head)
      .filter(({ row }) => row['id'] === id)
      .map(({ row }) => String(row['reason'])),
    ...failures
      .filter((failure) => failure.head === head && failure.judged === id)
      .map(({ rule, what }) => `undecidable: ${rule}: ${what}`),
  ];
}

/** A member of the row's group that was revoked or set aside: an approved group falls as a whole, as far as it has not started. */
function fallenBeside(draft: Draft, row: Evidence): DecisionRecord | undefined {
  const decisions = decisionsOf(draft.made);
  const others = groupOf(draft, row).filter((id) => id !== row.id);
  return others.flatMap((id) => {
    const decision = decisions.get(id);
    return decision?.revoked ?? (draft.aside.has(id) ? (decision?.final ?? []) : []);
  })[0];
}

// Open rows, unit by unit.

function decideFirst(draft: Draft, forced: Forced): boolean {
  for (const unit of unitsOf(draft)) {
    const verdicts = unitVerdicts(draft, unit, forced);
    const records = unit.flatMap((row, index) => recordOf(row, verdicts[index] ?? { is: 'pending' }) ?? []);
    if (records.length < unit.length) continue;
    draft.record(...records);
    return true;
  }
  return false;
}

function recordOf(row: Evidence, verdict: Verdict): DecisionRecord | undefined {
  const about = { record: 'decision', source: row.source.name, id: row.id } as const;
  if (verdict.is === 'rejected') return { ...about, verdict: 'rejected', reasons: verdict.reasons, recorded: {} };
  return verdict.is === 'accepted' || verdict.is === 'approved'
    ? { ...about, verdict: verdict.is, reasons: [], recorded: verdict.recorded }
    : undefined;
}

/** Open rows that are decided at once, in order of their first row. */
function unitsOf(draft: Draft): Evidence[][] {
  const decided = decisionsOf(draft.made);
  const units = new Map<string, Evidence[]>();
  for (const row of evidenceOf(draft)) {
    if (decided.has(row.id)) continue;
    const key = groupKeyOf(draft, row) ?? `row ${row.id}`;
    units.set(key, [...(units.get(key) ?? []), row]);
  }
  return [...units.values()];
}

/** One verdict for the whole unit, found by recording its members one after the other on a copy. */
function unitVerdicts(draft: Draft, unit: readonly Evidence[], forced: Forced): Verdict[] {
  const [first] = unit;
  if (first === undefined || groupKeyOf(draft, first) === undefined)
    return unit.map((row) => forcedVerdict(forced, row, verdictOf(look(draft), row)));
  const copy = new Draft(draft);
  const own = unit.map((row, index) => {
    // What a view could not compute on the copy is found again where it is real, when the unit is recorded.
    const verdict = forcedVerdict(forced, row, verdictOf(index === 0 ? look(draft) : copy.derived(), row));
    const record = recordOf(row, verdict);
    if (record !== undefined) copy.record(record);
    return verdict;
  });
  const lost = groupOf(draft, first).find((id) => draft.aside.has(id));
  const lostReason = lost === undefined ? undefined : decisionsOf(draft.made).get(lost)?.final.reasons[0];
  const rejected = own.findIndex((verdict) => verdict.is === 'rejected');
  const fallen =
    lost !== undefined
      ? { id: lost, reason: lostReason ?? '' }
      : rejected < 0
        ? undefined
        : { id: unit[rejected]?.id ?? '', reason: reasonOf(own[rejected]) };
  if (fallen !== undefined)
    return own.map((verdict) =>
      verdict.is === 'rejected' ? verdict : { is: 'rejected', reasons: [`stands with ${fallen.id}: ${fallen.reason}`] },
    );
  return own.some((verdict) => verdict.is === 'held' || verdict.is === 'pending') ? own.map((): Verdict => ({ is: 'pending' })) : own;
}

function reasonOf(verdict: Verdict | undefined): string {
  return verdict?.is === 'rejected' ? (verdict.reasons[0] ?? '') : '';
}

function forcedVerdict(forced: Forced, row: Evidence, verdict: Verdict): Verdict {
  const reason = forced.get(row.id);
  return reason !== undefined && (verdict.is === 'accepted' || verdict.is === 'approved') ? { is: 'rejected', reasons: [reason] } : verdict;
}

/** What rows of one capture share when `together` makes them one; undefined for a row that stands alone. */
export function groupKeyOf(draft: Draft, base: BaseRow): string | undefined {
  const group = draft.book.groups.findIndex((sources) => sources.includes(base.relation));
  return group < 0 ? undefined : `group ${group} of ${String(base.row['capture'])}`;
}

/** Ids of the group's rows, those set aside among them, in order. */
function groupOf(draft: Draft, row: Evidence): string[] {
  const key = groupKeyOf(draft, row);
  if (key === undefined) return [row.id];
  return draft.rows
    .filter((base) => sourceOf(draft.book, base.relation) !== undefined && groupKeyOf(draft, base) === key)
    .map((base) => String(base.row['id']));
}
