/**
 * What withdrew a row: the rule that gave it, and the change of this transition that the rule no longer survives.
 *
 * Reads  the rows that came and went in the last transition, in net.
 * Gives  one step for each rule on the way, down to a report or a record.
 * Never  looks further back: a fork at an earlier position tells of that one.
 */
import type { Value } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import type { Change, Premise } from '../engine/engine.ts';
import { keyOf, netOf } from './net.ts';
import type { State } from './state.ts';
import { rowText } from './proof.ts';

/** A row that came or went, and why. */
export interface Gone {
  readonly relation: string;
  readonly row: Row;
  readonly is: 'came' | 'went';
  /** The rule that gave the row, or that gives it now; absent of reports and records. */
  readonly rule?: string;
  readonly location?: string;
  readonly since?: Gone;
}

export function whyGone(state: State, changes: readonly Change[], table: number, row: readonly Value[]): Gone | undefined {
  const net = netOf(changes);
  const change = net.get(keyOf(table, row));
  return change === undefined || change.sign > 0 ? undefined : new Trail(state, net).follow(change);
}

/** A chain of changes as one sentence. */
export function goneText({ relation, row, is, rule, since }: Gone): string {
  const own = `${rowText(relation, row)} ${is}`;
  return since === undefined ? own : `${own} (${rule ?? ''}) since ${goneText(since)}`;
}

class Trail {
  readonly #state: State;
  readonly #net: ReadonlyMap<string, Change>;
  readonly #seen = new Set<Change>();

  constructor(state: State, net: ReadonlyMap<string, Change>) {
    this.#state = state;
    this.#net = net;
  }

  follow(change: Change): Gone {
    const { table, row, sign } = change;
    this.#seen.add(change);
    const { name, life } = this.#state.plan.tables[table] ?? { name: '', life: 'view' };
    const own = { relation: name, row: this.#state.named(table, row), is: sign > 0 ? 'came' : 'went' } as const;
    if (life !== 'view') return own;
    const { prover } = this.#state.engine;
    // What went was derived before; what came is derived now.
    const because = sign > 0 ? prover.instances(table, row) : prover.instancesBefore([...this.#net.values()], table, row);
    const causes = because.flatMap((one) =>
      prover.premises(one).flatMap((premise) => this.#changesOf(premise, sign).map((cause) => ({ rule: one.rule.id, cause }))),
    );
    const open = causes.filter(({ cause }) => !this.#seen.has(cause));
    // A report or a record ends the trail, so it comes before a view.
    const next = open.find(({ cause }) => this.#state.plan.tables[cause.table]?.life !== 'view') ?? open[0];
    if (next === undefined) return own;
    const location = this.#state.plan.rules.find(({ id }) => id === next.rule)?.location;
    return { ...own, rule: next.rule, ...(location === undefined ? {} : { location }), since: this.follow(next.cause) };
  }

  /** The changes of this transition that a premise fell by (-1), or holds by (1). */
  #changesOf(premise: Premise, sign: 1 | -1): Change[] {
    const other = sign > 0 ? -1 : 1;
    if (premise.is === 'row') return this.#find(premise.relation, premise.columns, sign);
    if (premise.is === 'absent') return this.#find(premise.relation, premise.columns, other);
    if (premise.is !== 'counted') return [];
    return [...this.#find(premise.relation, premise.per, sign), ...this.#find(premise.relation, premise.per, other)];
  }

  #find(relation: string, columns: Row, sign: 1 | -1): Change[] {
    const table = this.#state.table(relation);
    return [...this.#net.values()].filter((change) => {
      if (change.table !== table || change.sign !== sign) return false;
      const named = this.#state.named(table, change.row);
      return Object.entries(columns).every(([column, value]) => named[column] === value);
    });
  }
}
