/**
 * What a ledger holds after a transition, a draft of the next one, and the base model that either gives.
 *
 * Reads  base rows and records.
 * Gives  the rows that rules may read: reports, standing decisions, what became of acts, and the two relations behind `decide`.
 * Never  changes a state: a draft is a copy.
 */
import type { DecisionRecord, IntentRecord, LedgerRecord, Refusal, Row } from '../../dsl/record.ts';
import { namespaceOf } from '../../dsl/law.ts';
import type { Book, Source } from './book.ts';
import { derive, type Derived } from './evaluate.ts';
import { Model } from './model.ts';

export interface BaseRow {
  readonly relation: string;
  readonly row: Row;
}
/** A record with the position of the transition that made it. */
export interface Made {
  readonly position: number;
  readonly record: LedgerRecord;
}
/** What a person is asked about an open row. */
export interface Card {
  readonly decided: string;
  readonly id: string;
  readonly reason: string;
  readonly shown: string;
}
export interface Limits {
  readonly tenant: string;
  /** Open rows of one session. */
  readonly openMax: number;
}
export interface OracleState {
  readonly book: Book;
  readonly limits: Limits;
  /** Positions that the ledger has; refusals have one too. */
  readonly position: number;
  readonly seq: number;
  /** Captures that the ledger knows, whatever became of them. */
  readonly captures: ReadonlySet<string>;
  readonly rows: readonly BaseRow[];
  readonly made: readonly Made[];
  readonly cards: readonly Card[];
  readonly aside: ReadonlySet<string>;
  readonly dormant: ReadonlySet<string>;
  readonly refusals: readonly Refusal[];
  /** Every relation with its rows, `due` among them. */
  readonly views: ReadonlyMap<string, readonly Row[]>;
}

export class Draft {
  readonly book: Book;
  readonly limits: Limits;
  readonly position: number;
  readonly aside: ReadonlySet<string>;
  seq: number;
  captures: Set<string>;
  rows: BaseRow[];
  made: Made[];
  cards: readonly Card[];
  dormant: Set<string>;
  #derived: Derived | undefined;

  constructor(
    from: OracleState | Draft,
    changes: { readonly book?: Book; readonly position?: number; readonly aside?: ReadonlySet<string> } = {},
  ) {
    this.book = changes.book ?? from.book;
    this.limits = from.limits;
    this.position = changes.position ?? from.position;
    this.aside = changes.aside ?? from.aside;
    this.seq = from.seq;
    this.captures = new Set(from.captures);
    this.rows = [...from.rows];
    this.made = [...from.made];
    this.cards = from.cards;
    this.dormant = new Set(from.dormant);
  }

  record(...records: readonly LedgerRecord[]): void {
    for (const record of records) this.made.push({ position: this.position, record });
    this.touch();
  }

  put(row: BaseRow): void {
    this.rows.push(row);
    this.touch();
  }

  /** To be called when a field was changed by hand. */
  touch(): void {
    this.#derived = undefined;
  }

  derived(): Derived {
    this.#derived ??= derive(baseModel(this), this.book);
    return this.#derived;
  }
}

export function sourceOf(book: Book, relation: string): Source | undefined {
  return book.sources.find((source) => source.relation === relation);
}

/** Evidence rows that have not left the model, in the order in which they came. */
export function evidenceOf(draft: Draft): (BaseRow & { readonly source: Source; readonly id: string })[] {
  return draft.rows
    .flatMap((base) => {
      const source = sourceOf(draft.book, base.relation);
      return source === undefined ? [] : [{ ...base, source, id: String(base.row['id']) }];
    })
    .filter(({ id }) => !draft.aside.has(id))
    .sort((left, right) => Number(left.row['seq']) - Number(right.row['seq']));
}

/** The decisions by row: the final one, and the revocation that may have followed. */
export function decisionsOf(made: readonly Made[]): Map<string, { readonly final: DecisionRecord; readonly revoked?: DecisionRecord }> {
  const decisions = new Map<string, { final: DecisionRecord; revoked?: DecisionRecord }>();
  for (const { record } of made) {
    if (record.record !== 'decision') continue;
    const known = decisions.get(record.id);
    if (known === undefined) decisions.set(record.id, { final: record });
    else known.revoked = record;
  }
  return decisions;
}

export function intentRecordsOf(made: readonly Made[]): IntentRecord[] {
  return made.flatMap(({ record }) => ('intent' in record && record.record !== 'dormant' ? [record] : []));
}

/** Ids of the rows that anything started rests on. */
export function begunIn(made: readonly Made[]): Set<string> {
  return new Set(intentRecordsOf(made).flatMap((record) => (record.record === 'started' ? record.restsOn : [])));
}

/** What a row is to those who wait for it. */
export function statusOf(state: OracleState, id: string): string | undefined {
  const decision = decisionsOf(state.made).get(id);
  if (decision !== undefined) return decision.revoked === undefined ? decision.final.verdict : 'revoked';
  if (state.cards.some((card) => card.id === id)) return 'held';
  return state.rows.some((base) => base.row['id'] === id && sourceOf(state.book, base.relation) !== undefined) ? 'pending' : undefined;
}

/** Everything that rules read without deriving it. */
export function baseModel(draft: Draft): Model {
  const model = new Model();
  const put = (relation: string, row: Row, restsOn: readonly string[] = []): void => {
    const declared = draft.book.relations.get(relation);
    if (declared === undefined) return;
    const known = Object.entries(row).filter(
      ([column]) => Object.hasOwn(declared.columns, column) || Object.hasOwn(declared.reserved, column),
    );
    model.put(relation, Object.fromEntries(known), restsOn);
  };
  const evidence = new Map(evidenceOf(draft).map((base) => [base.id, base]));
  const decisions = decisionsOf(draft.made);
  for (const { relation, row } of draft.rows) {
    const isEvidence = sourceOf(draft.book, relation) !== undefined;
    if (!isEvidence) put(relation, row);
    else if (evidence.has(String(row['id']))) put(relation, row, [String(row['id'])]);
  }
  for (const { id, source, row } of evidence.values()) if (!decisions.has(id)) model.put(`open.${source.name}`, row, [id]);
  for (const [id, { final, revoked }] of decisions) {
    const base = evidence.get(id);
    if (base === undefined) continue;
    const { decided, constants } = base.source;
    const row = { ...base.row, ...constants };
    for (const reason of final.verdict === 'rejected' ? final.reasons : []) put(`decision.rejected.${decided}`, { ...row, reason }, [id]);
    for (const reason of revoked?.reasons ?? []) put(`decision.revoked.${decided}`, { ...row, reason }, [id]);
    if (final.verdict !== 'rejected' && revoked === undefined)
      put(`decision.${final.verdict}.${decided}`, { ...row, ...final.recorded }, [id]);
  }
  putActs(draft, put);
  for (const { relation, row, id } of exposures(draft)) model.put(relation, row, [id]);
  return model;
}

/** Records of acts, with the stamps of the row that each act was; an act set aside before it started has left with its row. */
function putActs(draft: Draft, put: (relation: string, row: Row, restsOn: readonly string[]) => void): void {
  const records = intentRecordsOf(draft.made);
  const begun = new Set(records.filter((record) => record.record === 'started').map((record) => record.key));
  for (const { record, intent, key, row, restsOn } of records) {
    if (!begun.has(key) && restsOn.some((id) => draft.aside.has(id))) continue;
    const its = draft.rows.find((base) => base.row['id'] === row['id'] && sourceOf(draft.book, base.relation) !== undefined)?.row;
    put(`${record}.${intent}`, { ...(its ?? NO_STAMPS), ...row }, restsOn);
  }
}

/** Of an act that no row proposed. */
const NO_STAMPS: Row = { session: '', actor: '', capture: '', ordinal: 0, seq: 0 };

/** What limits count: endorsed rows that had an effect or still can have one. */
function exposures(draft: Draft): { readonly relation: string; readonly row: Row; readonly id: string }[] {
  const begun = begunIn(draft.made);
  const failed = failedActs(draft);
  return [...decisionsOf(draft.made)].flatMap(([id, { final, revoked }]) => {
    const base = draft.rows.find((one) => one.row['id'] === id && sourceOf(draft.book, one.relation) !== undefined);
    const source = base === undefined ? undefined : sourceOf(draft.book, base.relation);
    if (base === undefined || source === undefined || final.verdict === 'rejected' || failed.has(id)) return [];
    if ((revoked !== undefined || draft.aside.has(id)) && !begun.has(id)) return [];
    return [{ relation: `exposure.${source.name}`, row: { ...base.row, ...source.constants, ...final.recorded }, id }];
  });
}

/** Acts that certainly were not done: a receipt says so, and it is the receipt of that very act, bindings and all. */
function failedActs(draft: Draft): Set<string> {
  const started = intentRecordsOf(draft.made).filter((record) => record.record === 'started');
  return new Set(
    draft.rows.flatMap(({ relation, row }) => {
      if (namespaceOf(relation) !== 'receipt' || row['outcome'] !== 'failed') return [];
      const act = started.find((record) => `receipt.${record.intent}` === relation && record.row['id'] === row['act']);
      if (act === undefined) return [];
      return Object.entries(act.row).every(([column, value]) => column === 'id' || row[column] === value) ? [String(row['act'])] : [];
    }),
  );
}
