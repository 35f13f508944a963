/**
 * The docket: what the next decision, revocation or admission could be, kept right by the changes of each settlement.
 *
 * Reads  the rows of verdicts, intents and failures that came and went.
 * Gives  the open rows with a verdict in order of `seq`, the rows that fell with their group, the identities to look at.
 * Never  decides: it only knows where to look, so that deciding costs what changes.
 */
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { Value } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Change } from '../engine/engine.ts';
import type { TableId } from '../load/load.ts';
import { Queue } from './queue.ts';
import type { Evidence, State } from './state.ts';

const FINAL = ['rejected', 'accepted', 'approved'] as const;

export interface Identity {
  readonly intent: string;
  readonly key: string;
  readonly rows: ReadonlyMap<string, Row>;
}

export class Docket {
  readonly #state: State;
  readonly #finals: ReadonlySet<TableId>;
  readonly #helds: ReadonlySet<TableId>;
  readonly #intents: ReadonlyMap<TableId, string>;
  readonly #failures: ReadonlySet<TableId>;
  readonly #failing = new Set<TableId>();
  readonly #ready = new Queue();
  readonly #identities = new Map<string, { readonly intent: string; readonly key: string; readonly rows: Map<string, Row> }>();
  readonly #touched = new Set<string>();
  readonly #fallen = new Set<string>();
  readonly #groups = new Set<string>();

  constructor(state: State) {
    this.#state = state;
    const { plan } = state;
    const tables = (names: readonly string[]) => names.flatMap((name) => plan.tableOf.get(name) ?? []);
    this.#finals = new Set(tables([...plan.sources.keys()].flatMap((name) => FINAL.map((verdict) => `verdict.${verdict}.${name}`))));
    this.#helds = new Set(tables([...plan.sources.keys()].map((name) => `verdict.held.${name}`)));
    this.#intents = new Map(
      [...plan.intents.keys()].flatMap((name) => {
        const table = plan.tableOf.get(`intent.${name}`);
        return table === undefined ? [] : [[table, name] as const];
      }),
    );
    this.#failures = new Set([...plan.failures].flatMap(([table, rule]) => (rule.failure?.invariant === undefined ? [table] : [])));
  }

  absorb(changes: readonly Change[]): void {
    for (const { table, row, sign } of changes) {
      if (this.#finals.has(table) || this.#helds.has(table)) {
        // A verdict that came may be final; a card that went may have been all that was in its way.
        if (sign > 0 !== this.#helds.has(table)) this.#isReady(String(row[this.#idColumn(table)]));
      } else if (this.#intents.has(table)) this.#changeIdentity(this.#intents.get(table) as string, table, row, sign);
      else if (this.#failures.has(table)) {
        if (this.#state.engine.count(table) > 0) this.#failing.add(table);
        else this.#failing.delete(table);
      }
    }
  }

  /** Starts again from the rows that are there, after the engine was rebuilt. */
  refill(): void {
    this.#failing.clear();
    this.#identities.clear();
    this.#touched.clear();
    this.#ready.clear();
    const { engine } = this.#state;
    for (const id of this.#state.aside) this.#look(this.#state.evidence.get(id));
    for (const table of [...this.#finals, ...this.#intents.keys(), ...this.#failures]) {
      this.absorb([...engine.rows(table)].map((row) => ({ table, row, sign: 1 })));
    }
  }

  /** Failure tables of views that have a row. */
  failing(): readonly TableId[] {
    return [...this.#failing];
  }

  /** Open rows of no group that some rule would reject, accept or approve, the first by `seq` first. */
  *candidates(): Generator<Evidence> {
    for (const id of this.#ready.inOrder()) {
      const evidence = this.#state.evidence.get(id);
      if (evidence === undefined || this.#state.decisions.has(id) || this.#state.aside.has(id) || !this.#hasFinal(evidence))
        this.#ready.drop(id);
      else yield evidence;
    }
  }

  /** The open rows of each group in which some row has a verdict or has left the model, the first by the `seq` of its first row first. */
  units(): (readonly Evidence[])[] {
    const { evidence, decisions, aside } = this.#state;
    const units: (readonly Evidence[])[] = [];
    for (const group of this.#groups) {
      const members = this.#state.members(group).flatMap((id) => evidence.get(id) ?? []);
      const unit = members.filter(({ id }) => !decisions.has(id) && !aside.has(id));
      // While no row of it has a final verdict, judging one after the other would record nothing.
      if (unit.some((one) => this.#hasFinal(one)) || (unit.length > 0 && members.some(({ id }) => aside.has(id)))) units.push(unit);
      else this.#groups.delete(group);
    }
    return units.sort((a, b) => (a[0]?.seq ?? 0) - (b[0]?.seq ?? 0));
  }

  /** Between transitions: forgets the rows that have fallen with their group, or have begun before it fell. */
  prune(): void {
    const { decisions, aside, begun } = this.#state;
    for (const id of this.#fallen) {
      const decided = decisions.get(id);
      const isFinal = decided?.final.verdict === 'rejected' || decided?.revoked !== undefined;
      if (isFinal || aside.has(id) || begun.has(id)) this.#fallen.delete(id);
    }
  }

  /** A decision was taken back, or its row set aside: the rest of its group is to be looked at. */
  fell(evidence: Evidence): void {
    this.#look(evidence);
    const group = this.#state.groupOf(evidence);
    if (group === undefined) return;
    for (const id of this.#state.members(group)) {
      if (id === evidence.id || this.#fallen.has(id)) continue;
      this.#state.do(
        () => this.#fallen.add(id),
        () => this.#fallen.delete(id),
      );
    }
  }

  /** Standing decisions that a rule revokes, or whose group has fallen, the first by `seq` first. */
  revocable(): Evidence[] {
    const { plan, engine, evidence } = this.#state;
    const revoked = [...plan.sources.keys()].flatMap((name) => {
      const table = plan.tableOf.get(`verdict.revoked.${name}`);
      if (table === undefined || engine.count(table) === 0) return [];
      return [...engine.rows(table)].map((row) => String(row[this.#idColumn(table)]));
    });
    return [...new Set([...revoked, ...this.#fallen])].flatMap((id) => evidence.get(id) ?? []).sort((a, b) => a.seq - b.seq);
  }

  hasFallen(id: string): boolean {
    return this.#fallen.has(id);
  }

  /** Identities whose rows or records have changed since they were last taken, in order of intents and keys. */
  takeTouched(): Identity[] {
    const touched = [...this.#touched].flatMap((key) => this.#identities.get(key) ?? []);
    this.#touched.clear();
    return touched.sort((a, b) => byCodePoint(a.intent, b.intent) || byCodePoint(a.key, b.key));
  }

  touch(key: string): void {
    this.#touched.add(key);
  }

  identity(key: string): Identity | undefined {
    return this.#identities.get(key);
  }

  identities(): Iterable<Identity> {
    return this.#identities.values();
  }

  #isReady(id: string): void {
    const evidence = this.#state.evidence.get(id);
    if (evidence === undefined) return;
    if (this.#state.groupOf(evidence) === undefined) this.#ready.add(id, evidence.seq);
    else this.#look(evidence);
  }

  #look(evidence: Evidence | undefined): void {
    const group = evidence === undefined ? undefined : this.#state.groupOf(evidence);
    if (group !== undefined) this.#groups.add(group);
  }

  #hasFinal({ id, source }: Evidence): boolean {
    const has = (verdict: string) => {
      const table = this.#state.plan.tableOf.get(`verdict.${verdict}.${source.name}`);
      return table !== undefined && this.#state.engine.matching(table, [this.#idColumn(table)], [id]).next().done !== true;
    };
    return has('rejected') || (!has('held') && (has('accepted') || has('approved')));
  }

  #idColumn(table: TableId): number {
    return this.#state.plan.tables[table]?.columns.indexOf('id') ?? -1;
  }

  #changeIdentity(intent: string, table: TableId, values: readonly Value[], sign: 1 | -1): void {
    const row = this.#state.named(table, values);
    const key = this.keyOf(intent, row);
    const known = this.#identities.get(key) ?? { intent, key, rows: new Map<string, Row>() };
    if (sign > 0) known.rows.set(canonicalJson(row), row);
    else known.rows.delete(canonicalJson(row));
    if (known.rows.size === 0) this.#identities.delete(key);
    else this.#identities.set(key, known);
    this.#touched.add(key);
  }

  /** The idempotency key: what the outside world is told an act is, whichever program derived it. */
  keyOf(intent: string, row: Row): string {
    const { plan, tenant } = this.#state;
    const columns = plan.intents.get(intent)?.identity ?? ['id'];
    const identity = Object.fromEntries(columns.map((column) => [column, row[column] as Value]));
    return sha256(canonicalJson([plan.name, tenant, intent, identity]));
  }
}
