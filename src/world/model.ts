/**
 * The model: what follows from the ledger at its head, to be read and nothing else.
 *
 * Reads  the state of a world.
 * Gives  rows by relation, the status of a row, the answers of declared queries.
 * Never  appends: capabilities get a model, never the world.
 */
import type { Value } from '../../dsl/ir.ts';
import { CountersignError, issue, type IssueCode } from '../../dsl/issue.ts';
import type { Card, Row } from '../../dsl/record.ts';
import { describe, kindFault } from '../../dsl/value.ts';
import { activityOf, type Activity } from './activity.ts';
import { authorizationOf, type Authorization } from './authorization.ts';
import { cardsOf } from './cards.ts';
import { entriesOf } from './intake.ts';
import { whyGone, type Gone } from './gone.ts';
import { isPublic } from './net.ts';
import { unknownName } from './options.ts';
import type { State } from './state.ts';
import { verdictOf, type Status, type Verdict } from './verdict.ts';
import { rowText, type Why, type WhyNot } from './proof.ts';
import { whyRow } from './why.ts';
import { whyNotRow } from './why-not.ts';

export type { Status, Verdict } from './verdict.ts';

export class Model {
  readonly #state: State;

  /** For the world; ask it for its `model()`. */
  constructor(state: State) {
    this.#state = state;
  }

  /** The last committed transition. */
  get head(): number {
    return this.#state.head;
  }

  /**
   * The rows of a relation, or those whose columns have the given values.
   *
   * Cost    an index on the given columns; all rows without any.
   * Errors  `world/relation-unknown`, `world/column-unknown`, with the nearest name; `world/value-refused`.
   */
  rows(relation: string, where: Row = {}): Row[] {
    const table = this.#table(relation);
    const columns = this.#state.plan.tables[table]?.columns ?? [];
    const given = this.#places(relation, where);
    const { engine } = this.#state;
    const found =
      given.length === 0
        ? engine.rows(table)
        : engine.matching(
            table,
            given.map(([name]) => columns.indexOf(name)),
            given.map(([, value]) => value),
          );
    return [...found].map((row) => this.#state.named(table, row));
  }

  /** How many rows a relation has; no cost. */
  count(relation: string): number {
    return this.#state.engine.count(this.#table(relation));
  }

  /** What became of a row of evidence so far; undefined for an id that the ledger does not know. */
  statusOf(id: string): Status | undefined {
    const decided = this.#state.decisions.get(id);
    if (decided !== undefined) return decided.revoked === undefined ? decided.final.verdict : 'revoked';
    const evidence = this.#state.evidence.get(id);
    if (evidence === undefined) return undefined;
    // A program that lacks the source has no card of it; the row waits for one that has it again.
    const held = `decision.held.${evidence.source.decided}`;
    return this.#state.plan.relations.has(held) && this.rows(held, { id }).length > 0 ? 'held' : 'pending';
  }

  /**
   * What became of a row of evidence so far, in one sentence with the numbers that mattered, and as data.
   *
   * Shape   undefined for an id that no committed transition has: of a reply that an invariant refused, ask `whyRefused`.
   */
  verdict(id: string): Verdict | undefined {
    const status = this.statusOf(id);
    return status === undefined ? undefined : verdictOf(this.#state, id, status);
  }

  /** The questions that wait for somebody's answer, by row and reason: `answer(card, 'yes')` is the row that answers one. */
  cards(): Card[] {
    return cardsOf(this.#state);
  }

  /**
   * Where everything stands that was wished, claimed or derived as an act: done, blocked or waiting, each in order of its coming.
   *
   * Shape   with columns of stamps in `where`, only what these say. An act is done when its receipt says so; a wish that leads to no act,
   *         and a claim, when it is endorsed. `verdict(id)` says why.
   * Cost    every row of evidence once.
   * Errors  `world/column-unknown`, `world/value-refused`.
   */
  activity(where: { readonly session?: string; readonly actor?: string } = {}): Activity {
    return activityOf(this.#state, this.#stamps(where), (id) => this.statusOf(id));
  }

  /**
   * What authorized an act: the rule that derived it, the decisions that it rests on, and who answered what.
   *
   * Shape   `key` is the act's idempotency key, as in `outcome.admitted`. Undefined where no act with this key was admitted. A decision
   *         that was revoked since is told as it was made, with the revocation beside it.
   */
  authorization(key: string): Authorization | undefined {
    return authorizationOf(this.#state, key);
  }

  /**
   * Why a row is there: a proof down to reports and records, at most `proofRowsMax` rows of it.
   *
   * Shape   the first row whose columns have the given values. A cycle is proved by rows that were there before.
   * Cost    what the proof shows; the first question of a kind may build an index over a relation that a rule reads.
   * Errors  as `rows`; `world/row-unknown` when there is no such row: ask `whyNot`.
   */
  why(relation: string, where: Row = {}): Why {
    const table = this.#table(relation);
    const given = Object.fromEntries(this.#places(relation, where));
    const row = this.#state.engine.prover.first(table, given);
    if (row === undefined) throw refused('world/row-unknown', `there is no row ${rowText(relation, given)}`);
    return whyRow(this.#state, table, row);
  }

  /**
   * Why no row has these values: how far each rule that could give one comes, the premise that fails, and what would have let it pass.
   *
   * Shape   columns that are left out may have any value. Of a row that is there, no rule fails.
   * Cost    at most `visitsMax` steps a rule.
   * Errors  as `rows`.
   */
  whyNot(relation: string, where: Row = {}): WhyNot {
    const table = this.#table(relation);
    const { columns = [] } = this.#state.plan.tables[table] ?? {};
    const places = this.#places(relation, where);
    return whyNotRow(this.#state, table, new Map(places.map(([name, value]) => [columns.indexOf(name), value])), (id) => this.verdict(id));
  }

  /**
   * What withdrew a row that the last transition took away, rule by rule down to the report or record that did it.
   *
   * Shape   undefined where the last transition took away no row with these values.
   */
  whyGone(relation: string, where: Row = {}): Gone | undefined {
    const table = this.#table(relation);
    const given = this.#places(relation, where);
    const { columns = [] } = this.#state.plan.tables[table] ?? {};
    return whyGone(
      this.#state,
      this.#state.changes,
      (change) => change.table === table && given.every(([name, value]) => change.row[columns.indexOf(name)] === value),
    );
  }

  /** Why a transition was refused: the proof of the invariant's witness, as it stood then. Of the last `refusalsMax` refusals. */
  whyRefused(position: number): Why | undefined {
    return this.#state.refusals.get(position);
  }

  /**
   * The rows of a declared query whose `in` columns have these values.
   *
   * Cost    the query's rules over all their input: its relations exist only while it is asked.
   */
  ask(query: string, bindings: Row): Row[] {
    const known = this.#state.plan.queries.get(query);
    if (known === undefined) throw refused('world/query-unknown', unknownName('query', query, this.#state.plan.queries.keys()));
    const given = new Map(entriesOf(bindings));
    const wrong = [...known.in.filter((name) => !given.has(name)), ...[...given.keys()].filter((name) => !known.in.includes(name))];
    if (wrong.length > 0)
      throw refused('world/bindings-differ', `query ${query} binds ${known.in.join(', ')}: see ${wrong.map(describe).join(', ')}`);
    this.#checkValues(`query.${query}`, given);
    const table = this.#table(`query.${query}`);
    return this.#state.engine
      .ask(query)
      .map((row) => this.#state.named(table, row))
      .filter((row) => known.in.every((name) => row[name] === given.get(name)));
  }

  #table(relation: string): number {
    const table = this.#state.plan.tableOf.get(relation);
    const { relations } = this.#state.plan;
    if (table === undefined || !relations.has(relation) || !isPublic(relation))
      throw refused('world/relation-unknown', unknownName('relation', relation, [...relations.keys()].filter(isPublic)));
    return table;
  }

  #places(relation: string, where: Row): (readonly [string, Value])[] {
    const columns = this.#state.plan.tables[this.#table(relation)]?.columns ?? [];
    const given = entriesOf(where);
    if (given === undefined) throw refused('world/bindings-differ', `${relation} is asked for by ${describe(where)}, not by columns`);
    for (const [name] of given)
      if (!columns.includes(name)) throw refused('world/column-unknown', `${relation}: ${unknownName('column', name, columns)}`);
    this.#checkValues(relation, given);
    return given as [string, Value][];
  }

  /** A filter by stamps, which are columns of every row of evidence. */
  #stamps(where: object): Row {
    const known = ['session', 'actor'];
    const given = entriesOf(where);
    if (given === undefined) throw refused('world/bindings-differ', `activity is asked for by ${describe(where)}, not by stamps`);
    for (const [name, value] of given) {
      if (!known.includes(name)) throw refused('world/column-unknown', `activity: ${unknownName('stamp', name, known)}`);
      if (typeof value !== 'string') throw refused('world/value-refused', `activity: ${name} is ${describe(value)}, not a text`);
    }
    return Object.fromEntries(given) as Row;
  }

  /** A value that no row of the relation can have would be asked for in vain. */
  #checkValues(relation: string, given: Iterable<readonly [string, unknown]>): void {
    const columns = this.#state.plan.relations.get(relation)?.columns ?? [];
    for (const [name, value] of given) {
      const sort = columns.find((column) => column.name === name)?.sort;
      const fault = sort === undefined ? undefined : kindFault(sort, value);
      if (fault !== undefined) throw refused('world/value-refused', `${relation}.${name}: ${fault}`);
    }
  }
}

function refused(code: IssueCode, what: string): CountersignError {
  return new CountersignError([issue(code, what)]);
}
