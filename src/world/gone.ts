/**
 * What withdrew a row: the rule that gave it, and the change of this transition that the rule does not survive.
 *
 * Reads  the rows that came and went in the last transition, in net.
 * Gives  the shortest way down to a report or a record, one step for each rule on it.
 * Never  looks further back: a fork at an earlier position tells of that one.
 */
import type { DecisionRecord, Row } from '../../dsl/record.ts';
import { lineText, type Because, type Change, type Past, type Premise } from '../engine/engine.ts';
import { toldName } from '../load/load.ts';
import { isPublic, netOf } from './net.ts';
import { rowText } from './proof.ts';
import type { State } from './state.ts';
import { ruleName, withoutStamps } from './told.ts';

/** Changes that are followed, and steps that are shown: of a longer way its beginning and its end. */
export const followedMax = 10_000;
export const goneStepsMax = 100;

/** A row that came or went, and why. */
export interface Gone {
  readonly relation: string;
  readonly row: Row;
  readonly is: 'came' | 'went';
  /** The rule that gave the row, or that gives it now; absent of reports and records. */
  readonly rule?: string;
  readonly location?: string;
  /** Of a report or a record: what was reported or recorded in its place. */
  readonly by?: string;
  readonly since?: Gone;
  /** Steps that are left out before `since`. */
  readonly leftOut?: number;
  /** The way is longer than `followedMax` changes, and its end was not found. */
  readonly isCut?: true;
}

/** Of the first row that went of those asked for; undefined where none did. */
export function whyGone(state: State, changes: readonly Change[], isAsked: (change: Change) => boolean): Gone | undefined {
  const net = [...netOf(changes).values()];
  const first = net.find((change) => change.sign < 0 && isAsked(change));
  return first === undefined ? undefined : new Trail(state, net).of(first);
}

/** A chain of changes as one sentence. */
export function goneText(gone: Gone): string {
  const parts: string[] = [];
  for (let one: Gone | undefined = gone; one !== undefined; one = one.since) {
    const { is, rule, by, leftOut, isCut } = one;
    const via = rule === undefined ? (by === undefined ? '' : ` (${by})`) : ` (${ruleName(rule)})`;
    const rest = leftOut !== undefined ? `, ${leftOut} steps further` : isCut === true ? ', and so on' : '';
    parts.push(`${ownText(one)} ${is}${via}${rest}`);
  }
  return parts.join(' since ');
}

/** A change that was reached, and the rule that led there from the one before. */
interface Step {
  readonly change: Change;
  readonly before?: Step;
  readonly rule?: string;
}

class Trail {
  readonly #state: State;
  readonly #past: Past;
  readonly #byTable = new Map<number, Change[]>();
  readonly #indexes = new Map<string, ReadonlyMap<string, readonly Change[]>>();

  constructor(state: State, net: readonly Change[]) {
    this.#state = state;
    this.#past = state.engine.prover.past(net);
    for (const change of net) {
      const known = this.#byTable.get(change.table);
      if (known === undefined) this.#byTable.set(change.table, [change]);
      else known.push(change);
    }
  }

  of(change: Change): Gone {
    const seen = new Set([change]);
    const open: Step[] = [{ change }];
    for (let next = 0; next < open.length && next < followedMax; next++) {
      const before = open[next] as Step;
      if (this.#isBase(before.change)) return this.#told(before);
      for (const { rule, cause } of this.#causesOf(before.change)) {
        if (seen.has(cause)) continue;
        seen.add(cause);
        const step = { change: cause, before, rule };
        if (this.#isBase(cause)) return this.#told(step);
        open.push(step);
      }
    }
    return { ...this.#row(change), isCut: true };
  }

  #isBase({ table }: Change): boolean {
    const life = this.#state.plan.tables[table]?.life;
    return life === 'report' || life === 'record';
  }

  /** The changes that a row fell by, or came by: of every instance, since one alone may rest on what fell with the row itself. */
  *#causesOf({ table, row, sign }: Change): Generator<{ readonly rule: string; readonly cause: Change }> {
    const { prover } = this.#state.engine;
    // What went was derived before; what came is derived now.
    const because: Iterable<Because> = sign > 0 ? prover.instances(table, row) : prover.instancesThen(this.#past, table, row);
    for (const one of because)
      for (const premise of prover.premises(one)) for (const cause of this.#changesOf(premise, sign)) yield { rule: one.rule.id, cause };
  }

  /** The changes of this transition that a premise fell by (-1), or holds by (1). */
  #changesOf(premise: Premise, sign: 1 | -1): Change[] {
    if (premise.is === 'row') return this.#find(premise.relation, premise.columns, [sign]);
    if (premise.is === 'absent') return this.#find(premise.relation, premise.columns, [sign > 0 ? -1 : 1]);
    return premise.is === 'counted' ? this.#find(premise.relation, premise.per, [1, -1]) : [];
  }

  #find(relation: string, columns: Row, signs: readonly (1 | -1)[]): Change[] {
    const table = this.#state.table(relation) ?? -1;
    const names = this.#state.plan.tables[table]?.columns ?? [];
    const places = Object.keys(columns).map((name) => names.indexOf(name));
    const found = this.#indexOf(table, places).get(JSON.stringify(Object.values(columns))) ?? [];
    return found.filter(({ sign }) => signs.includes(sign));
  }

  /** The changes of a table by the values of some columns. */
  #indexOf(table: number, places: readonly number[]): ReadonlyMap<string, readonly Change[]> {
    const name = `${table} ${places.join()}`;
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = new Map<string, Change[]>();
    for (const change of this.#byTable.get(table) ?? []) {
      const key = JSON.stringify(places.map((place) => change.row[place]));
      const same = index.get(key);
      if (same === undefined) index.set(key, [change]);
      else same.push(change);
    }
    this.#indexes.set(name, index);
    return index;
  }

  /** The way from the first change to the one that was reached, without views that only the runtime has. */
  #told(last: Step): Gone {
    const way: Step[] = [];
    for (let step: Step | undefined = last; step !== undefined; step = step.before) way.push(step);
    const told = way.filter((step) => step === last || step.before === undefined || this.#isTold(step.change));
    const half = goneStepsMax / 2;
    const leftOut = told.length - goneStepsMax;
    const [end, ...rest] = leftOut > 0 ? [...told.slice(0, half), ...told.slice(-half)] : told;
    return rest.reduce<Gone>(
      (since, step, i) => ({
        ...this.#row(step.change),
        ...this.#ruleOf(way, step),
        ...(leftOut > 0 && i === half - 1 ? { leftOut } : {}),
        since,
      }),
      this.#base((end ?? last).change),
    );
  }

  /** The rule by which a step went on, or the first on its way that an author wrote. */
  #ruleOf(way: readonly Step[], step: Step): Pick<Gone, 'rule' | 'location'> {
    let at = way.indexOf(step) - 1;
    while (at > 0 && way[at]?.rule?.startsWith('runtime.') === true && !this.#isTold((way[at] as Step).change)) at--;
    const rule = way[at]?.rule ?? '';
    const location = this.#state.plan.written.get(rule)?.location;
    return { rule, ...(location === undefined ? {} : { location }) };
  }

  #isTold({ table }: Change): boolean {
    return isPublic(this.#nameOf(table));
  }

  #nameOf(table: number): string {
    return this.#state.plan.tables[table]?.name ?? '';
  }

  #row({ table, row, sign }: Change): Gone {
    const { plan } = this.#state;
    return { relation: toldName(this.#nameOf(table), plan), row: this.#state.named(table, row), is: sign > 0 ? 'came' : 'went' };
  }

  /** A report or a record, with what came in its place or did away with it. */
  #base(change: Change): Gone {
    const own = this.#settled(change) ?? this.#row(change);
    if (own.is === 'came' && change.sign < 0) return { ...own, by: `recorded at ${this.#state.head}` };
    const by =
      change.sign > 0 ? `${this.#isReport(change) ? 'reported' : 'recorded'} at ${this.#state.head}` : this.#endOf(change, own.row);
    return { ...own, ...(by === undefined ? {} : { by }) };
  }

  /** What is open no longer is decided; an act that waits no longer is started or withdrawn. */
  #settled({ table, row, sign }: Change): Gone | undefined {
    const [kind = '', ...own] = this.#nameOf(table).split('.');
    const named = this.#state.named(table, row);
    const id = String(named['id']);
    if (sign > 0 || (kind !== 'open' && kind !== 'standing')) return undefined;
    const source = this.#state.evidence.get(id)?.source;
    if (kind === 'open') {
      if (source !== undefined && this.#state.aside.has(id)) return { relation: source.relation, row: named, is: 'went' };
      const record = this.#recordOf(id);
      return record && { relation: `decision.${record.verdict}.${source?.decided ?? ''}`, row: named, is: 'came' };
    }
    const act = this.#state.actsAbout(id).findLast(({ intent, record }) => intent === own.join('.') && record !== 'conflict');
    return act && { relation: `${act.record}.${act.intent}`, row: named, is: 'came' };
  }

  #isReport({ table }: Change): boolean {
    return this.#state.plan.tables[table]?.life === 'report';
  }

  #recordOf(id: string): DecisionRecord | undefined {
    const decided = this.#state.decisions.get(id);
    return decided?.revoked ?? decided?.final;
  }

  #endOf(change: Change, row: Row): string | undefined {
    const key = this.#state.plan.relations.get(this.#nameOf(change.table))?.key;
    if (key !== undefined) {
      const [next] = this.#find(this.#nameOf(change.table), Object.fromEntries(key.map((column) => [column, row[column] ?? ''])), [1]);
      return next === undefined ? `ended at ${this.#state.head}` : `replaced by ${ownText(this.#row(next))}`;
    }
    const id = String(row['id'] ?? '');
    const record = this.#recordOf(id);
    if (this.#state.failed.has(id) && this.#nameOf(change.table).startsWith('exposure.')) return 'reported as failed';
    return record === undefined ? undefined : lineText([record.verdict, ...record.reasons].join(': '));
  }
}

function ownText({ relation, row }: Gone): string {
  return rowText(relation, withoutStamps(row));
}
