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
import { Engine, type Because, type Change, type EngineLimits, type LeafOf } from '../engine/engine.ts';
import type { Plan, Source, TableId } from '../load/load.ts';
import { Docket } from './docket.ts';
import { leafOf } from './grounds.ts';
import type { Why } from './proof.ts';

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
  /** When the final decision was made: the position of its transition, and its place among all records. */
  readonly position: number;
  readonly place: number;
  readonly revoked?: DecisionRecord;
}
/** A record with the transition that made it, under which program, and for what. */
export interface Made {
  readonly position: number;
  /** Its number among all records. */
  readonly place: number;
  readonly program: string;
  readonly record: LedgerRecord;
  readonly because: readonly Because[];
  /** Of a program that is not at hand: what the record was made for as a snapshot had it, for one in which that program is. */
  readonly kept?: readonly KeptBecause[];
}
/** An instance by the place of its rule in its program's plan, and its values. */
export interface KeptBecause extends Pick<Because, 'tried' | 'gaveUp'> {
  /** Where it is not the program that made the record: of what fell in a group, what the first of it fell for. */
  readonly program?: string;
  readonly rule: number;
  readonly values: readonly (Value | { readonly wide: string } | null)[];
}

export class State {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly docket: Docket;
  readonly leafOf: LeafOf;
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
  /** Rows that limits count now, and acts that were certainly not done. */
  readonly exposed = new Set<string>();
  readonly failed = new Set<string>();
  readonly captures = new Map<string, number>();
  readonly refusedCaptures = new Map<string, CaptureRefusedRecord>();
  readonly openOf = new Map<string, number>();
  readonly made: Made[] = [];
  readonly madeOf = new Map<LedgerRecord, Made>();
  /** Why the newest refusals were, by position. */
  readonly refusals = new Map<number, Why>();
  /** Trusted rows of relations that this program lacks: kept for one that has them again. */
  readonly parked: { readonly relation: string; readonly row: Row }[] = [];
  /** The row of each key of each keyed observation. */
  readonly keyed = new Map<string, { readonly table: TableId; readonly row: Row }>();
  readonly #groups = new Map<string, string[]>();
  readonly #filed = new Map<string, IntentRecord[]>();
  #undo: (() => void)[] = [];
  #written: Change[] = [];
  #changes: Change[] = [];

  constructor(plan: Plan, tenant: string, limits?: EngineLimits) {
    this.plan = plan;
    this.tenant = tenant;
    this.engine = new Engine(plan, limits);
    this.docket = new Docket(this);
    this.leafOf = leafOf(this);
    this.docket.absorb(this.engine.settle());
  }

  // The transaction.

  begin(): void {
    this.docket.prune();
    this.#changes = [];
    this.#undo = [];
    this.#written = [];
  }

  /** Brings views and docket up to date with what was written. */
  settle(): void {
    const changes = this.engine.settle();
    this.docket.absorb(changes);
    for (const change of changes) this.#changes.push(change);
  }

  /** Every row that came or went since `begin`, in order; one that came and went again stands there twice. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** The records made at a position, which must be the last one or the one under way. */
  madeAt(position: number): readonly Made[] {
    let from = this.made.length;
    while (this.made[from - 1]?.position === position) from--;
    return this.made.slice(from);
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
    this.#changes = [];
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

  /** Errors  `world/schema-changed` for a row without a column that the program has: only an older program's row can be one. */
  columns(table: TableId, row: Row): Value[] {
    const { name, columns } = this.plan.tables[table] ?? { name: '', columns: [] };
    return columns.map((column) => {
      const value = row[column];
      if (value === undefined) throw new CountersignError([issue('world/schema-changed', `${name} has a row without ${column}`)]);
      return value;
    });
  }

  named(table: TableId, row: readonly Value[]): Row {
    return Object.fromEntries((this.plan.tables[table]?.columns ?? []).map((column, i) => [column, row[i] as Value]));
  }

  // Evidence.

  addEvidence(evidence: Evidence): void {
    const { id, source, row } = evidence;
    // Verdicts hand it out.
    Object.freeze(row);
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
    }
    this.put(source.relation, row, 1);
    this.open(evidence, 1);
  }

  /** What rows of one capture share when `together` makes them one; undefined for a row that stands alone. */
  groupOf({ source, capture }: Evidence): string | undefined {
    return groupKey(this.plan, source.name, capture);
  }

  /** Ids of the rows of a group, those set aside among them, in order. */
  members(group: string): readonly string[] {
    return this.#groups.get(group) ?? [];
  }

  /** Opens a row of evidence (1), or closes it (-1): what is open can be decided. */
  open(evidence: Evidence, sign: 1 | -1): void {
    // A row that no rule of this program can decide takes no place from those that can.
    if (this.table(`open.${evidence.source.name}`) === undefined) return;
    this.put(`open.${evidence.source.name}`, evidence.row, sign);
    const { session } = evidence;
    const change = (by: number) => this.openOf.set(session, (this.openOf.get(session) ?? 0) + by);
    this.do(
      () => change(sign),
      () => change(-sign),
    );
  }

  // Records.

  record(record: LedgerRecord, because: readonly Because[] = [], program = this.plan.digest): void {
    const made: Made = { position: this.position + 1, place: this.made.length + 1, program, record, because };
    this.do(
      () => this.made.push(made) + this.madeOf.set(record, made).size,
      () => this.made.pop() !== undefined && this.madeOf.delete(record),
    );
    if (record.record === 'captureRefused') {
      this.do(
        () => this.refusedCaptures.set(record.capture, record),
        () => this.refusedCaptures.delete(record.capture),
      );
    } else if ('restsOn' in record) {
      // Under its own id, and under those of the rows that it rests on.
      for (const id of new Set([String(record.row['id']), ...record.restsOn])) this.#file(id, record);
    }
  }

  /** What a record was made for that cannot be told here: it goes into the next snapshot as it came. */
  keep(record: LedgerRecord, kept: readonly KeptBecause[]): void {
    const made = this.madeOf.get(record);
    if (made === undefined || kept.length === 0) return;
    const whole = { ...made, kept };
    this.made[made.place - 1] = whole;
    this.madeOf.set(record, whole);
  }

  /** Records of acts that bear this id, or rest on a row that does. */
  actsAbout(id: string): readonly IntentRecord[] {
    return this.#filed.get(id) ?? [];
  }

  #file(id: string, record: IntentRecord): void {
    const records = this.#filed.get(id) ?? [];
    this.#filed.set(id, records);
    this.do(
      () => records.push(record),
      () => records.pop(),
    );
  }
}

function groupKey(plan: Plan, source: string, capture: string): string | undefined {
  const group = plan.groups.findIndex((sources) => sources.includes(source));
  return group < 0 ? undefined : `${group} ${capture}`;
}
