/**
 * Why a row is in the model, down to the reports that it rests on.
 *
 * Reads  the state, the reasons that each record was made for, and the rules as their authors wrote them.
 * Gives  plain data, level by level: what does not fit into `proofRowsMax` is what is furthest away.
 * Never  says more than it has looked at: a proof that is cut off says so.
 */
import type { Value } from '../../dsl/ir.ts';
import type { LedgerRecord, Row } from '../../dsl/record.ts';
import type { Because, Premise as Told } from '../engine/engine.ts';
import { toldName, type TableId } from '../load/load.ts';
import { positionOf } from './moments.ts';
import { keyOf } from './net.ts';
import { Premises } from './premises.ts';
import type { Origin, Premise, Reason, Why } from './proof.ts';
import type { Made, State } from './state.ts';

/** Rows that one proof shows. */
export const proofRowsMax = 200;

/** The proof of one row that is there. */
export function whyRow(state: State, table: TableId, row: readonly Value[]): Why {
  const tree = new Tree(state);
  return tree.grown(tree.row(table, row));
}

/** The proof of what may not be: an invariant's witness, or what could not be computed. */
export function whyViolated(state: State, relation: string, witness: Row, because: readonly Because[]): Why {
  const tree = new Tree(state);
  const [first] = because;
  const from: Origin = first === undefined ? { is: 'cut' } : { is: 'rule', ...tree.reason(first) };
  return tree.grown({ relation, row: witness, from });
}

/** One question: what it has shown, it does not show again. */
export class Tree {
  readonly #state: State;
  readonly #premises: Premises;
  readonly #shown = new Set<string>();
  readonly #growing: (() => void)[] = [];

  constructor(state: State) {
    this.#state = state;
    this.#premises = new Premises(state);
  }

  /** A row whose origin is told when its turn comes; under a record, without what came after that. */
  row(table: TableId, row: readonly Value[], made?: Made): Why {
    const about = { relation: this.#told(table), row: this.#state.named(table, row) };
    const key = this.#keyOf(table, row);
    if (this.#shown.has(key)) return { ...about, from: { is: 'seen' } };
    if (this.#shown.size >= proofRowsMax) return { ...about, from: { is: 'cut' } };
    this.#shown.add(key);
    const why: { -readonly [K in keyof Why]: Why[K] } = { ...about, from: { is: 'cut' } };
    this.#growing.push(() => (why.from = this.#originOf(table, row, why.row, made)));
    return why;
  }

  #told(table: TableId): string {
    return toldName(this.#state.plan.tables[table]?.name ?? '', this.#state.plan);
  }

  #keyOf(table: TableId, row: readonly Value[]): string {
    return keyOf(this.#state.table(this.#told(table)) ?? table, row);
  }

  /** The root, once everything below it is told. */
  grown<T>(root: T): T {
    for (const grow of this.#growing) grow();
    return root;
  }

  /** An instance with its rows. Of a record, what is counted is what was there when it was made. */
  reason(because: Because, made?: Made): Reason {
    return this.#premises.reason(because, made, (told, premise, isFailing) => this.#withRow(told, premise, isFailing ? undefined : made));
  }

  #withRow(told: Told, premise: Premise, made: Made | undefined): Premise {
    if (premise.is !== 'row' && premise.is !== 'absent') return premise;
    const found = this.#premises.rowBehind(told, made) ?? (made === undefined ? undefined : this.#revokedBehind(premise));
    return found === undefined ? premise : { ...premise, why: this.row(found.table, found.row, made) };
  }

  /** The endorsement that a record was made on, with its grounds as they were, also where it was taken back later. */
  #revokedBehind({ relation, columns }: Premise & { readonly is: 'row' | 'absent' }): ReturnType<Premises['revokedRow']> {
    return /^decision\.(accepted|approved)\./.test(relation) ? this.#premises.revokedRow(String(columns['id'])) : undefined;
  }

  #originOf(table: TableId, row: readonly Value[], named: Row, made: Made | undefined): Origin {
    const { name, life } = this.#state.plan.tables[table] ?? { name: '', life: 'view' };
    if (life === 'report' || name.startsWith('open.')) return { is: 'report', position: positionOf(this.#state, named) };
    const record = life === 'record' ? this.#recordOf(name, named) : undefined;
    if (record !== undefined) return this.#recordOrigin(record);
    for (const because of this.#premises.derivations(table, row))
      if (made === undefined || this.#premises.isOf(because, made)) return { is: 'rule', ...this.reason(because, made) };
    // Elsewhere in this proof it may be shown as it is derived today.
    this.#shown.delete(this.#keyOf(table, row));
    return { is: 'cut' };
  }

  #recordOrigin(record: LedgerRecord): Origin {
    const made = this.#state.madeOf.get(record);
    const { position = 0, program = '', because = [] } = made ?? {};
    const decided = record.record === 'decision' ? this.#state.decisions.get(record.id) : undefined;
    const revoked = decided?.final === record ? decided.revoked : undefined;
    return {
      is: 'record',
      record: record.record,
      position,
      program,
      reasons: record.record === 'decision' ? record.reasons : [],
      because: because.map((one) => this.reason(one, made)),
      ...(revoked === undefined ? {} : { revoked: { position: this.#state.madeOf.get(revoked)?.position ?? 0, reasons: revoked.reasons } }),
      restsOn: 'restsOn' in record ? record.restsOn.flatMap((one) => this.#decisionOf(one) ?? []) : [],
    };
  }

  /** The record that a row of a record's relation stands for. */
  #recordOf(name: string, row: Row): LedgerRecord | undefined {
    const [kind = ''] = name.split('.');
    const id = String(row['id'] ?? '');
    if (kind === 'decision' || kind === 'exposure') {
      const decided = this.#state.decisions.get(id);
      return name.startsWith('decision.revoked.') ? decided?.revoked : decided?.final;
    }
    const wanted = kind === 'standing' ? 'admitted' : kind;
    const intent = name.slice(kind.length + 1);
    return this.#state
      .actsAbout(id)
      .findLast((record) => record.record === wanted && record.intent === intent && record.row['id'] === row['id']);
  }

  /** The decision about a row that an act rests on, unless this proof has it already. */
  #decisionOf(id: string): Why | undefined {
    const decided = this.#state.decisions.get(id);
    const source = this.#state.evidence.get(id)?.source;
    const table = source === undefined ? undefined : this.#state.table(`decision.${decided?.final.verdict ?? ''}.${source.decided}`);
    if (table === undefined) return undefined;
    const first = this.#state.engine.prover.first(table, { id });
    const row = first ?? this.#premises.revokedRow(id)?.row;
    return row === undefined || this.#shown.has(keyOf(table, row)) ? undefined : this.row(table, row);
  }
}
