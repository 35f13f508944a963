/**
 * The premises of an instance, told in the words of its author: relations that only the runtime has stand for something that he wrote.
 *
 * Reads  an instance as the engine tells it, and the state.
 * Gives  reasons as data, without the rows behind them; and those rows, for who wants them.
 * Never  hides what a rule fails at.
 */
import type { Value } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import { plain, type Because, type Premise as Told } from '../engine/engine.ts';
import { isMet, isOwnDigest, isWaiting, toldName, type Step, type TableId } from '../load/load.ts';
import { momentOf, positionOf, wasThere, type Moment } from './moments.ts';
import { rowText, type Premise, type Reason } from './proof.ts';
import type { Made, State } from './state.ts';
import { passText, premiseText } from './told.ts';

/** Rows that one aggregate shows, and rows that are looked at to find these. */
export const countedRowsMax = 8;
const countedLookedAtMax = 1_000;

/** A variable that takes what was counted as it is says nothing to a reader. */
const SAME = /^(.*) = \1$/;

/** What a caller adds to a premise; one that a rule fails at has no row. */
type More = (told: Told, premise: Premise, isFailing: boolean) => Premise;

export class Premises {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Of a record, what is counted is what was there when it was made. */
  reason(because: Because, made?: Made, more: More = (_, premise) => premise): Reason {
    const { plan, rule, tried } = because;
    const written = plan.written.get(rule.id);
    const { prover } = this.#state.engine;
    const all = prover.premises(because);
    const head = prover.head(because);
    const premises = all.flatMap((told, i) => {
      const place = tried?.[i] ?? i;
      const isFailing = tried !== undefined && i === all.length - 1;
      if (isDigest(rule.told.steps[place]) && !isFailing) return [];
      const premise = this.#premise(told, because, made, isFailing);
      if (premise === undefined) return [];
      const isGround =
        written?.clause === undefined ? written?.decides !== undefined && isJudged(told, head) : place < written.clause.grounds;
      const reason = rule.told.still?.get(place);
      return [more(told, { ...premise, ...(isGround ? { isGround } : {}), ...(reason === undefined ? {} : { reason }) }, isFailing)];
    });
    const clause = written?.clause;
    const reason = typeof head['reason'] === 'string' ? head['reason'] : (clause?.reason ?? '');
    return {
      rule: rule.id,
      ...(clause === undefined || clause.reason === '' ? {} : { clause: `${clause.kind} ${JSON.stringify(clause.reason)}` }),
      ...(reason === '' ? {} : { reason }),
      ...(written?.location === undefined ? {} : { location: written.location }),
      premises,
      ...(tried === undefined ? {} : { isMiss: true }),
    };
  }

  /** Each rule that gives a row. What is held is a status: it is derived by the rule that asks. */
  derivations(table: TableId, row: readonly Value[]): Iterable<Because> {
    const { plan, engine } = this.#state;
    const { name = '', columns = [] } = plan.tables[table] ?? {};
    const own = /^decision\.held\.(.*)$/.exec(name)?.[1];
    if (own === undefined) return engine.prover.instances(table, row);
    const card = ['id', 'reason', 'shown'].map((column) => row[columns.indexOf(column)] as Value);
    return [...plan.sources.values()]
      .filter(({ decided }) => decided === own)
      .flatMap((source) => {
        const held = this.#state.table(`verdict.held.${source.name}`);
        return held === undefined ? [] : [...engine.prover.instances(held, card)];
      });
  }

  /** The row that a premise was found with, or that stands in its way; of a record's premise one that was there when it was made. */
  rowBehind(told: Told, made?: Made): { readonly table: TableId; readonly row: readonly Value[] } | undefined {
    if (told.is !== 'row' && told.is !== 'absent') return undefined;
    const table = this.#state.table(told.relation);
    if (told.is === 'absent') {
      if (told.holds !== false || table === undefined || isMet(told.relation)) return undefined;
      const row = this.#state.engine.prover.first(table, told.columns);
      return row === undefined ? undefined : { table, row };
    }
    if (told.row !== undefined && table !== undefined) {
      const row = made === undefined ? told.row : this.#rowThen(table, told.row, told, made);
      return row === undefined ? undefined : { table, row };
    }
    // A row that is decided is open no longer: what matters is that it was reported, and was not set aside.
    const evidence = told.relation.startsWith('open.') ? this.#state.evidence.get(String(told.columns['id'])) : undefined;
    const source = evidence === undefined || this.#state.aside.has(evidence.id) ? undefined : this.#state.table(evidence.source.relation);
    return evidence === undefined || source === undefined ? undefined : { table: source, row: this.#state.columns(source, evidence.row) };
  }

  /** Of the rows that a premise matches today, one that was there when a record was made; of a view, which keeps no times, the first. */
  #rowThen(table: TableId, first: readonly Value[], told: Told & { readonly is: 'row' }, made: Made): readonly Value[] | undefined {
    const moment = (row: readonly Value[]) => momentOf(this.#state, told.relation, this.#state.named(table, row));
    if (moment(first) === undefined) return first;
    let looked = 0;
    for (const row of this.#state.engine.prover.rows(table, told.columns)) {
      const its = moment(row);
      if (its !== undefined && wasThere(its, made)) return row;
      if (++looked >= countedLookedAtMax) return undefined;
    }
    return undefined;
  }

  /** Whether an instance of today rests on nothing that is known to have come after a record was made. */
  isOf(because: Because, made: Made): boolean {
    return this.#state.engine.prover.premises(because).every((told) => {
      if (told.is === 'row') return isMet(told.relation) || isWaiting(told.relation) || this.rowBehind(told, made) !== undefined;
      if (told.is !== 'counted') return true;
      return this.#lookedAt(told).rows.every(({ moment }) => moment === undefined || wasThere(moment, made));
    });
  }

  /** The row of an endorsement that was taken back since: it is in no relation any more. */
  revokedRow(id: string): { readonly table: TableId; readonly row: readonly Value[] } | undefined {
    const { final, revoked } = this.#state.decisions.get(id) ?? {};
    const { source, row } = this.#state.evidence.get(id) ?? {};
    if (final === undefined || revoked === undefined || source === undefined || row === undefined) return undefined;
    const table = this.#state.table(`decision.${final.verdict}.${source.decided}`);
    return table === undefined ? undefined : { table, row: this.#state.columns(table, { ...row, ...source.constants, ...final.recorded }) };
  }

  #premise(told: Told, because: Because, made: Made | undefined, isFailing: boolean): Premise | undefined {
    const { plan } = this.#state;
    const holds = told.holds === undefined ? {} : { holds: told.holds };
    switch (told.is) {
      case 'row':
      case 'absent': {
        const { is, columns } = told;
        if (told.relation.startsWith('verdict.held.') && !isFailing) return undefined;
        if (isWaiting(told.relation)) return isFailing ? { ...this.#waits(told), ...holds } : undefined;
        // Of a need that was met, the rule beneath the view is told beside this one; who asks wants to hear of no answer.
        if (isMet(told.relation)) return is === 'row' && because.tried === undefined ? undefined : this.#need(told, because, holds);
        if (is === 'absent' && told.relation.startsWith('answer.') && !isFailing) return undefined;
        const isAside = told.relation.startsWith('open.') && this.#state.aside.has(String(columns['id']));
        const isThere = told.relation.startsWith('open.') && told.holds !== undefined && !isFailing ? { holds: !isAside } : holds;
        return { is, relation: toldName(told.relation, plan), columns, ...isThere };
      }
      case 'counted':
        return this.#counted(told, made, holds);
      case 'computed':
        return SAME.test(told.values) && !isFailing ? undefined : told;
      case 'compared':
      case 'failed':
        return told;
    }
  }

  /** That a need is met is that its row is there: the view in between has no name of its own. */
  #need(
    { is, relation, columns }: Told & { readonly is: 'row' | 'absent' },
    because: Because,
    holds: { readonly holds?: boolean },
  ): Premise {
    const table = because.plan.tableOf.get(relation);
    const rules = because.plan.components.flatMap((component) => component.rules.filter(({ head }) => head === table));
    const met = rules.find(({ told: { steps } }) => steps.every(({ step }) => step === 'scan'));
    if (met === undefined) return { is, relation, columns, ...holds };
    const named = new Map(because.rule.slots.map((slot, i) => [slot, because.values[i]]));
    const values = met.slots.map((slot) => named.get(slot));
    const need = this.#state.engine.prover.premises({ plan: because.plan, rule: met, values }).findLast((one) => one.is === 'row');
    return { is, relation: need?.relation ?? relation, columns: need?.columns ?? columns, ...holds };
  }

  /** That a row waits, by the clauses that wait and what each of them waits for; or that it does not. */
  #waits({ is, relation, columns }: Told & { readonly is: 'row' | 'absent' }): Premise & { readonly is: 'status' } {
    const id = String(columns['id'] ?? 'the row');
    const table = is === 'row' || columns['id'] === undefined ? undefined : this.#state.table(relation);
    const { prover } = this.#state.engine;
    const rows = table === undefined ? [] : [...prover.rows(table, { id })].map((row) => [...prover.instances(table, row)]);
    const clauses = rows.flat().map((one) => this.reason(one));
    const misses = clauses.flatMap(({ reason, premises }) => premises.slice(-1).map((one) => ({ reason: reason ?? '', one })));
    if (misses.length === 0) return { is: 'status', text: rowText(`${id} waits for ${is === 'row' ? 'nothing' : 'something'}`, {}) };
    return {
      is: 'status',
      text: rowText(`${id} waits: ${misses.map(({ reason, one }) => `${reason}: ${premiseText(one)}`).join('; ')}`, {}),
      pass: misses.map(({ one }) => (one.is === 'absent' ? `a row ${rowText(one.relation, one.columns)}` : passText(one))).join(' and '),
    };
  }

  #counted(told: Told & { readonly is: 'counted' }, made: Made | undefined, holds: { readonly holds?: boolean }): Premise {
    const { rows, isCut } = this.#lookedAt(told);
    const then = rows
      .filter(({ moment }) => made === undefined || (moment !== undefined && wasThere(moment, made)))
      .map(({ row, moment }) => ({ row, position: moment?.position ?? positionOf(this.#state, row) }))
      .sort((left, right) => left.position - right.position || Number(left.row['seq'] ?? 0) - Number(right.row['seq'] ?? 0));
    const counted = then.slice(-countedRowsMax).map(({ row, position }) => this.#word(told.relation, row, position));
    const isKnown = rows.every(({ moment }) => moment !== undefined);
    const isLess = made !== undefined && !isCut && isKnown && isLessThan(told, then);
    return {
      is: 'counted',
      text: `${told.aggregate}(${toldName(told.relation, this.#state.plan)}${told.of === undefined ? '' : `.${told.of}`})`,
      per: told.per,
      ...(told.value === undefined ? {} : { value: plain(told.value) }),
      ...(told.now === undefined ? {} : { now: plain(told.now) }),
      counted,
      more: then.length - counted.length,
      ...(isCut ? { isCut } : {}),
      ...(isLess ? { isLess } : {}),
      ...holds,
    };
  }

  /** "refund c1.1 at head 41". */
  #word(relation: string, row: Row, position: number): string {
    const own = relation.slice(relation.lastIndexOf('.') + 1);
    return row['id'] === undefined ? rowText(own, row) : rowText(`${own} ${String(row['id'])} at head ${position}`, {});
  }

  /** The rows that an aggregate goes over, as far as they are looked at. */
  #lookedAt({ relation, per }: Told & { readonly is: 'counted' }): {
    readonly rows: readonly { readonly row: Row; readonly moment: Moment | undefined }[];
    readonly isCut: boolean;
  } {
    const table = this.#state.table(relation);
    const rows: { readonly row: Row; readonly moment: Moment | undefined }[] = [];
    for (const values of table === undefined ? [] : this.#state.engine.prover.rows(table, per)) {
      const row = this.#state.named(table as TableId, values);
      if (rows.push({ row, moment: momentOf(this.#state, relation, row) }) > countedLookedAtMax) break;
    }
    return { rows, isCut: rows.length > countedLookedAtMax };
  }
}

/** Nor does the digest of a card or of an act, which the loader wrote into the rule. */
function isDigest(step: Step | undefined): boolean {
  return step?.step === 'compute' && 'definition' in step.computation && isOwnDigest(step.computation.definition);
}

/** In a rule written by hand, the row that is judged is one with the id of its head. */
function isJudged(told: Told, head: Readonly<Record<string, unknown>>): boolean {
  if (told.is !== 'row' || head['id'] === undefined) return false;
  return /^(open|decision\.(accepted|approved))\./.test(told.relation) && told.columns['id'] === head['id'];
}

/** Whether rows that made up a value have gone since; of the least and the largest that cannot be told. */
function isLessThan({ aggregate, of, value }: Told & { readonly is: 'counted' }, rows: readonly { readonly row: Row }[]): boolean {
  if (aggregate === 'count') return rows.length !== value;
  if (aggregate !== 'sum' || typeof value !== 'number' || !Number.isInteger(value)) return false;
  return rows.reduce((sum, { row }) => sum + Number(row[of ?? '']), 0) !== value;
}
