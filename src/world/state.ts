/**
 * The state behind a model: evidence, decisions, acts and keys, each with its rows in the engine, and the way back from a transition.
 *
 * Reads  a plan; what ingress, deciding and acts write.
 * Gives  one place where a row of evidence, a decision or an act becomes rows that rules read.
 * Never  keeps half of a transition: `rollback` undoes every write since `begin`, in reverse.
 */
import type { Value } from '../../dsl/ir.ts';
import { CountersignError, issue } from '../../dsl/issue.ts';
import type { CaptureRefusedRecord, DecisionRecord, IntentRecord, LedgerRecord, Row } from '../../dsl/record.ts';
import { Engine, type Change, type EngineLimits } from '../engine/engine.ts';
import type { Plan, Source, TableId } from '../load/load.ts';
import { Docket } from './docket.ts';

/** One row of evidence, for as long as the ledger lives. */
export interface Evidence {
  readonly id: string;
  readonly source: Source;
  readonly session: string;
  readonly capture: string;
  readonly seq: number;
  /** Declared columns and stamps. */
  readonly row: Row;
}
export interface Decided {
  readonly final: DecisionRecord;
  readonly revoked?: DecisionRecord;
}
/** A record with the position of the transition that made it. */
export interface Made {
  readonly position: number;
  readonly record: LedgerRecord;
}

export class State {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly docket: Docket;
  readonly tenant: string;
  position = 0;
  head = 0;
  seq = 0;
  readonly evidence = new Map<string, Evidence>();
  readonly decisions = new Map<string, Decided>();
  readonly aside = new Set<string>();
  /** What last became of an identity; conflicts apart. */
  readonly acts = new Map<string, IntentRecord>();
  readonly conflicts = new Set<string>();
  readonly dormant = new Set<string>();
  /** Rows that anything started rests on. */
  readonly begun = new Set<string>();
  readonly captures = new Map<string, number>();
  readonly refusedCaptures = new Map<string, CaptureRefusedRecord>();
  readonly openOf = new Map<string, number>();
  readonly made: Made[] = [];
  /** The row of each key of each keyed observation. */
  readonly keyed = new Map<string, { readonly table: TableId; readonly row: Row }>();
  /** Base rows that came and went, by transition: the way to an earlier head. */
  readonly history: Change[][] = [];
  readonly #groups = new Map<string, string[]>();
  readonly #exposed = new Set<string>();
  readonly #failed = new Set<string>();
  #undo: (() => void)[] = [];
  #written: Change[] = [];

  constructor(plan: Plan, tenant: string, limits?: EngineLimits) {
    this.plan = plan;
    this.tenant = tenant;
    this.engine = new Engine(plan, limits);
    this.docket = new Docket(this);
    this.docket.absorb(this.engine.settle());
  }

  /** The same ledger under another program: records stay, views are derived anew. */
  static under(plan: Plan, before: State, limits?: EngineLimits): State {
    const state = new State(plan, before.tenant, limits);
    state.position = before.position;
    state.head = before.head;
    state.seq = before.seq;
    state.made.push(...before.made);
    for (const [id, evidence] of before.evidence) {
      state.evidence.set(id, { ...evidence, source: plan.sources.get(evidence.source.name) ?? evidence.source });
    }
    copy(before.decisions, state.decisions);
    copy(before.acts, state.acts);
    copy(before.captures, state.captures);
    copy(before.refusedCaptures, state.refusedCaptures);
    copy(before.openOf, state.openOf);
    copy(before.#groupsUnder(plan), state.#groups);
    for (const [from, to] of [
      [before.aside, state.aside],
      [before.conflicts, state.conflicts],
      [before.dormant, state.dormant],
      [before.begun, state.begun],
      [before.#exposed, state.#exposed],
      [before.#failed, state.#failed],
    ] as const) {
      for (const one of from) to.add(one);
    }
    state.#takeRows(before);
    return state;
  }

  /** Base rows by name: a relation that the new program lacks has no readers, and a column that it adds has no value. */
  #takeRows(before: State): void {
    for (const { id, name, life, columns } of this.plan.tables) {
      const from = before.table(name);
      if ((life !== 'report' && life !== 'record') || from === undefined) continue;
      for (const values of before.engine.rows(from)) {
        const row = before.named(from, values);
        const missing = columns.filter((column) => row[column] === undefined);
        if (missing.length > 0) {
          throw new CountersignError([issue('world/schema-changed', `${name} has rows without ${missing.join(', ')}: an upcaster must fill them`)]);
        }
        this.engine.change(id, columns.map((column) => row[column] as Value), 1);
      }
    }
    for (const [key, { table, row }] of before.keyed) {
      const now = this.table(before.plan.tables[table]?.name ?? '');
      if (now !== undefined) this.keyed.set(key, { table: now, row });
    }
    this.engine.rebuild();
    this.docket.refill();
  }

  #groupsUnder(plan: Plan): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const { id, source, capture } of this.evidence.values()) {
      const key = groupKey(plan, source.name, capture);
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), id]);
    }
    return groups;
  }

  // The transaction.

  begin(): void {
    this.docket.prune();
    this.#undo = [];
    this.#written = [];
  }

  /** Base rows that this transition has changed so far. */
  get written(): readonly Change[] {
    return this.#written;
  }

  /** Brings views and docket up to date with what was written. */
  settle(): Change[] {
    const changes = this.engine.settle();
    this.docket.absorb(changes);
    return changes;
  }

  rollback(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
    const written = this.#written.reverse();
    this.#written = [];
    for (const { table, row, sign } of written) this.engine.change(table, row, sign > 0 ? -1 : 1);
    this.settle();
  }

  /** As `rollback`, after the engine gave up half way. */
  rescue(): void {
    for (const undo of this.#undo.reverse()) undo();
    for (const { table, row, sign } of this.#written.reverse()) this.engine.change(table, row, sign > 0 ? -1 : 1);
    this.#undo = [];
    this.#written = [];
    this.engine.rebuild();
    this.docket.refill();
  }

  /** Tries something out, and takes it back: what it wrote, settled or recorded is gone. Gives what it gave. */
  attempt<T>(trial: () => T): T {
    const undo = this.#undo.length;
    const written = this.#written.length;
    const result = trial();
    for (const step of this.#undo.splice(undo).reverse()) step();
    for (const { table, row, sign } of this.#written.splice(written).reverse()) this.engine.change(table, row, sign > 0 ? -1 : 1);
    this.settle();
    return result;
  }

  /** Does something that `rollback` can undo. */
  do(act: () => void, undo: () => void): void {
    act();
    this.#undo.push(undo);
  }

  // Rows.

  /** The table of a relation; undefined where the program has none of this name. */
  table(relation: string): TableId | undefined {
    return this.plan.tableOf.get(relation);
  }

  /** Puts a row of named columns into a relation (1) or takes it out (-1). A relation that the program lacks has no readers. */
  put(relation: string, row: Row, sign: 1 | -1): void {
    const table = this.table(relation);
    if (table !== undefined) this.write(table, this.columns(table, row), sign);
  }

  write(table: TableId, row: readonly Value[], sign: 1 | -1): void {
    this.engine.change(table, row, sign);
    this.#written.push({ table, row, sign });
  }

  columns(table: TableId, row: Row): Value[] {
    // A row without a column of its table is a fault of ours: every writer gives all of them.
    return (this.plan.tables[table]?.columns ?? []).map((column) => row[column] as Value);
  }

  named(table: TableId, row: readonly Value[]): Row {
    return Object.fromEntries((this.plan.tables[table]?.columns ?? []).map((column, i) => [column, row[i] as Value]));
  }

  // Evidence.

  addEvidence(evidence: Evidence): void {
    const { id, source, row } = evidence;
    this.do(
      () => this.evidence.set(id, evidence),
      () => this.evidence.delete(id),
    );
    const key = this.groupOf(evidence);
    if (key !== undefined) {
      const members = this.#groups.get(key) ?? [];
      this.#groups.set(key, members);
      this.do(
        () => members.push(id),
        () => members.pop(),
      );
      this.docket.opened(key);
    }
    this.put(source.relation, row, 1);
    this.#open(evidence, 1);
  }

  /** What rows of one capture share when `together` makes them one; undefined for a row that stands alone. */
  groupOf({ source, capture }: Evidence): string | undefined {
    return groupKey(this.plan, source.name, capture);
  }

  /** Ids of the rows of a group, those set aside among them, in order. */
  members(group: string): readonly string[] {
    return this.#groups.get(group) ?? [];
  }

  #open(evidence: Evidence, sign: 1 | -1): void {
    this.put(`open.${evidence.source.name}`, evidence.row, sign);
    const { session } = evidence;
    const change = (by: number) => this.openOf.set(session, (this.openOf.get(session) ?? 0) + by);
    this.do(
      () => change(sign),
      () => change(-sign),
    );
  }

  // Records.

  record(record: LedgerRecord): void {
    this.do(
      () => this.made.push({ position: this.position + 1, record }),
      () => this.made.pop(),
    );
    if (record.record !== 'captureRefused') return;
    this.do(
      () => this.refusedCaptures.set(record.capture, record),
      () => this.refusedCaptures.delete(record.capture),
    );
  }

  decide(record: DecisionRecord): void {
    this.record(record);
    const { id } = record;
    const evidence = this.evidence.get(id) as Evidence;
    const known = this.decisions.get(id);
    const decided: Decided = known === undefined ? { final: record } : { ...known, revoked: record };
    if (!this.aside.has(id)) {
      this.#decisionRows(evidence, known, -1);
      if (known === undefined) this.#open(evidence, -1);
      this.#decisionRows(evidence, decided, 1);
    }
    this.do(
      () => this.decisions.set(id, decided),
      () => (known === undefined ? this.decisions.delete(id) : this.decisions.set(id, known)),
    );
    this.#expose(id);
    if (record.verdict === 'revoked') this.docket.fell(evidence);
  }

  /** The rows that rules read of a decision. */
  #decisionRows({ source, row }: Evidence, decided: Decided | undefined, sign: 1 | -1): void {
    if (decided === undefined) return;
    const { final, revoked } = decided;
    const own = { ...row, ...source.constants };
    if (final.verdict === 'rejected') for (const reason of final.reasons) this.put(`decision.rejected.${source.decided}`, { ...own, reason }, sign);
    else if (revoked === undefined) this.put(`decision.${final.verdict}.${source.decided}`, { ...own, ...final.recorded }, sign);
    for (const reason of revoked?.reasons ?? []) this.put(`decision.revoked.${source.decided}`, { ...own, reason }, sign);
  }

  /** The row leaves the model for good; its decision is taken back, or never made. */
  setAside(id: string, reason: string): void {
    this.record({ record: 'setAside', id, reason });
    const evidence = this.evidence.get(id) as Evidence;
    const decided = this.decisions.get(id);
    this.put(evidence.source.relation, evidence.row, -1);
    if (decided === undefined) this.#open(evidence, -1);
    else this.#decisionRows(evidence, decided, -1);
    for (const act of this.#actsOn(id)) this.#actRow(act, -1);
    this.do(
      () => this.aside.add(id),
      () => this.aside.delete(id),
    );
    const about = { record: 'decision', source: evidence.source.name, id, reasons: [reason], recorded: {} } as const;
    if (decided === undefined) this.decide({ ...about, verdict: 'rejected' });
    else if (decided.final.verdict !== 'rejected' && decided.revoked === undefined) this.decide({ ...about, verdict: 'revoked' });
    else this.#expose(id);
    this.docket.fell(evidence);
  }

  /** Records of acts that rest on a row and have not started, with conflicts. */
  #actsOn(id: string): IntentRecord[] {
    return this.made.flatMap(({ record }) =>
      'intent' in record && record.record !== 'dormant' && record.restsOn.includes(id) && this.#isInModel(record) ? [record] : [],
    );
  }

  #isInModel({ key, restsOn }: IntentRecord): boolean {
    return this.#hasBegun(key) || !restsOn.some((id) => this.aside.has(id));
  }

  #hasBegun(key: string): boolean {
    return this.acts.get(key)?.record === 'started';
  }

  act(record: IntentRecord): void {
    this.record(record);
    const { key } = record;
    const known = this.acts.get(key);
    const wasPending = known?.record === 'admitted';
    if (record.record === 'conflict') {
      this.do(
        () => this.conflicts.add(key),
        () => this.conflicts.delete(key),
      );
    } else {
      if (wasPending) this.#standing(known, -1);
      if (record.record === 'admitted') this.#standing(record, 1);
      this.do(
        () => this.acts.set(key, record),
        () => (known === undefined ? this.acts.delete(key) : this.acts.set(key, known)),
      );
    }
    this.#actRow(record, 1);
    if (record.record === 'started') {
      for (const id of record.restsOn.filter((one) => !this.begun.has(one))) {
        this.do(
          () => this.begun.add(id),
          () => this.begun.delete(id),
        );
        this.#expose(id);
      }
    }
    this.docket.touch(key);
  }

  /** Acts that were admitted and have not started: what `due` is made of. */
  #standing({ intent, key, row }: IntentRecord, sign: 1 | -1): void {
    const derived = row['id'] === key ? { ...row, id: '' } : row;
    this.put(`standing.${intent}`, derived, sign);
  }

  /** A record of an act as rules read it, with the stamps of the row that the act was. */
  #actRow({ record, intent, row }: IntentRecord, sign: 1 | -1): void {
    const own = this.evidence.get(String(row['id']))?.row;
    this.put(`${record}.${intent}`, { ...(own ?? NO_STAMPS), ...row }, sign);
  }

  /** The receipt of a started act, bindings and all, says that it was certainly not done. */
  fail(id: string): void {
    this.do(
      () => this.#failed.add(id),
      () => this.#failed.delete(id),
    );
    this.#expose(id);
  }

  /** What limits count: endorsed rows that had an effect or still can have one. */
  #expose(id: string): void {
    const evidence = this.evidence.get(id);
    const decided = this.decisions.get(id);
    if (evidence === undefined || decided === undefined) return;
    const hasFallen = decided.revoked !== undefined || this.aside.has(id);
    const counts = decided.final.verdict !== 'rejected' && !this.#failed.has(id) && (!hasFallen || this.begun.has(id));
    if (counts === this.#exposed.has(id)) return;
    const { source, row } = evidence;
    this.put(`exposure.${source.name}`, { ...row, ...source.constants, ...decided.final.recorded }, counts ? 1 : -1);
    const set = (isIn: boolean) => (isIn ? this.#exposed.add(id) : this.#exposed.delete(id));
    this.do(
      () => set(counts),
      () => set(!counts),
    );
  }

  /** The evidence that a row is or stands for; undefined where its rules must be followed. */
  readonly leafOf = (table: TableId, row: readonly Value[]): readonly string[] | undefined => {
    const { name, life, columns } = this.plan.tables[table] ?? { name: '', life: 'view', columns: [] };
    if (life === 'view' || life === 'query') return undefined;
    const id = row[columns.indexOf('id')];
    const [namespace = '', verb = ''] = name.split('.');
    if (namespace === 'decision' || namespace === 'open' || namespace === 'exposure') return [String(id)];
    if (this.plan.sources.size > 0 && this.#isEvidence(name)) return [String(id)];
    return ACTS.has(namespace) ? this.#groundsOf(namespace, verb, row, columns) : [];
  };

  #isEvidence(relation: string): boolean {
    for (const source of this.plan.sources.values()) if (source.relation === relation) return true;
    return false;
  }

  #groundsOf(kind: string, intent: string, row: readonly Value[], columns: readonly string[]): readonly string[] {
    const id = String(row[columns.indexOf('id')]);
    return this.made.flatMap(({ record }) =>
      'restsOn' in record && record.record === kind && record.intent === intent && String(record.row['id']) === id ? record.restsOn : [],
    );
  }
}

const ACTS: ReadonlySet<string> = new Set(['admitted', 'started', 'withdrawn', 'conflict']);
const NO_STAMPS: Row = { session: '', actor: '', capture: '', ordinal: 0, seq: 0 };

function groupKey(plan: Plan, source: string, capture: string): string | undefined {
  const group = plan.groups.findIndex((sources) => sources.includes(source));
  return group < 0 ? undefined : `${group} ${capture}`;
}

function copy<K, V>(from: ReadonlyMap<K, V>, to: Map<K, V>): void {
  for (const [key, value] of from) to.set(key, value);
}
