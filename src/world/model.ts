/**
 * The model: what follows from the ledger at its head, to be read and nothing else.
 *
 * Reads  the state of a world.
 * Gives  rows by relation, the status of a row, the answers of declared queries.
 * Never  appends: capabilities get a model, never the world.
 */
import type { Value } from '../../dsl/ir.ts';
import { CountersignError, issue, type IssueCode } from '../../dsl/issue.ts';
import type { Row } from '../../dsl/record.ts';
import { describe, kindFault } from '../../dsl/value.ts';
import { entriesOf } from './intake.ts';
import { unknownName } from './options.ts';
import type { State } from './state.ts';

/** `held` and `pending` are statuses of open rows; the others are records. */
export type Status = 'accepted' | 'approved' | 'rejected' | 'revoked' | 'held' | 'pending';

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
    const given = entriesOf(where);
    if (given === undefined) throw refused('world/bindings-differ', `${relation} is asked for by ${describe(where)}, not by columns`);
    const places = given.map(([name]) => {
      const column = columns.indexOf(name);
      if (column < 0) throw refused('world/column-unknown', `${relation}: ${unknownName('column', name, columns)}`);
      return column;
    });
    this.#checkValues(relation, given);
    const { engine } = this.#state;
    const found =
      given.length === 0
        ? engine.rows(table)
        : engine.matching(
            table,
            places,
            given.map(([, value]) => value as Value),
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
    if (table === undefined || !relations.has(relation))
      throw refused('world/relation-unknown', unknownName('relation', relation, relations.keys()));
    return table;
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
