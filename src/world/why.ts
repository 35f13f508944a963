/**
 * Why a row is in the model, down to the reports that it rests on; why another is not; and in one sentence what became of a wish.
 *
 * Reads  the state, the reasons that each record was made for, and the rules as their authors wrote them.
 * Gives  plain data: the same proof as text, as JSON or as a diagram is a matter of printing.
 * Never  says more than it has looked at: a proof that is cut off, or a search that gave up, says so.
 */
import type { Value } from '../../dsl/ir.ts';
import type { IntentRecord, LedgerRecord, Row } from '../../dsl/record.ts';
import type { Because, Premise as Told } from '../engine/engine.ts';
import { isMet, type LoweredRule, type TableId } from '../load/load.ts';
import { rowText, type Miss, type Origin, type Premise, type Reason, type Why, type WhyNot } from './proof.ts';
import type { State } from './state.ts';

/** Rows that one proof shows, and counted rows that one aggregate shows. */
export const proofRowsMax = 200;
export const countedRowsMax = 8;
/** Rows that are counted as being more than those. */
const countedLookedAtMax = 10_000;

/** The digest of a card says nothing to a reader. */
const SHOWN = 'shown = shown(';

export class Proofs {
  readonly #state: State;
  readonly #rules: ReadonlyMap<string, LoweredRule>;

  constructor(state: State) {
    this.#state = state;
    this.#rules = new Map(state.plan.rules.map((rule) => [rule.id, rule]));
  }

  /** The proof of one row that is there. */
  why(table: TableId, row: readonly Value[]): Why {
    return new Walk(this.#state, this.#rules).why(table, row);
  }

  /** The proof of what may not be: an invariant's witness. */
  violation(invariant: string, table: TableId, row: readonly Value[], witness: Row): Why {
    return { ...this.why(table, row), relation: `invariant ${JSON.stringify(invariant)}`, row: witness };
  }

  whyNot(table: TableId, columns: ReadonlyMap<number, Value>): WhyNot {
    return new Walk(this.#state, this.#rules).whyNot(table, columns, 0);
  }

  /** What a record was made for. */
  becauseOf(record: LedgerRecord): readonly Reason[] {
    const made = this.#state.madeOf.get(record);
    return new Walk(this.#state, this.#rules).reasons(made?.because ?? [], made?.position);
  }

  reasonsOf(because: readonly Because[]): readonly Reason[] {
    return new Walk(this.#state, this.#rules).reasons(because);
  }
}

/** Rules followed downwards where a premise is itself not derived. */
const missDepthMax = 3;

/** One question: what it has shown, it does not show again. */
class Walk {
  readonly #state: State;
  readonly #rules: ReadonlyMap<string, LoweredRule>;
  readonly #seen = new Set<string>();

  constructor(state: State, rules: ReadonlyMap<string, LoweredRule>) {
    this.#state = state;
    this.#rules = rules;
  }

  why(table: TableId, row: readonly Value[]): Why {
    const relation = this.#nameOf(this.#state.plan.tables[table]?.name ?? '');
    const named = this.#state.named(table, row);
    const key = JSON.stringify([relation, row]);
    if (this.#seen.has(key)) return { relation, row: named, from: { is: 'seen' } };
    if (this.#seen.size >= proofRowsMax) return { relation, row: named, from: { is: 'cut' } };
    this.#seen.add(key);
    return { relation, row: named, from: this.#origin(table, row, named) };
  }

  /** Of a record, what is counted is what was there when it was made. */
  reasons(because: readonly Because[], at = Infinity): Reason[] {
    return because.map((one) => this.#reason(one, (told) => this.#premise(told, one, at)));
  }

  whyNot(table: TableId, columns: ReadonlyMap<number, Value>, depth: number): WhyNot {
    const { plan, engine } = this.#state;
    const names = plan.tables[table]?.columns ?? [];
    const given = Object.fromEntries([...columns].map(([i, value]) => [names[i] ?? '', value]));
    const { life, name } = plan.tables[table] ?? { life: 'view', name: '' };
    const about = { relation: this.#nameOf(name), columns: given };
    if (life === 'record') return { ...about, ...this.#unmade(name, given, depth) };
    const tried = engine.prover.attempts(table, columns).flatMap((one) => this.#miss(one, depth) ?? []);
    const notes = life === 'report' ? ['no report has such a row'] : tried.length === 0 ? ['no rule could give such a row'] : [];
    return { ...about, tried, notes };
  }

  /** A record is made where rules derive what it is of: a verdict on an open row, a row of an intent. */
  #unmade(name: string, given: Row, depth: number): Pick<WhyNot, 'tried' | 'notes'> {
    const [kind = '', verdict = ''] = name.split('.');
    const own = name.slice(name.lastIndexOf('.') + 1);
    const id = given['id'];
    const decided = id === undefined ? undefined : this.#state.decisions.get(String(id));
    if (kind === 'decision' && decided !== undefined) {
      const { final, position } = decided;
      return { tried: [], notes: [`${String(id)} was ${[final.verdict, ...final.reasons].join(': ')}, at head ${position}`] };
    }
    const ofSources = [...this.#state.plan.sources.values()]
      .filter((source) => source.decided === own)
      .map((source) => `verdict.${verdict}.${source.name}`);
    const tables = (kind === 'decision' ? ofSources : [`intent.${own}`]).flatMap((one) => this.#state.table(one) ?? []);
    const tried = tables.flatMap((table) => {
      const { columns = [] } = this.#state.plan.tables[table] ?? {};
      const known = Object.entries(given).flatMap(([column, value]) =>
        columns.includes(column) ? [[columns.indexOf(column), value] as const] : [],
      );
      return this.#state.engine.prover.attempts(table, new Map(known)).flatMap((one) => this.#miss(one, depth) ?? []);
    });
    return { tried, notes: tried.length === 0 ? ['no record of it was made'] : [] };
  }

  #origin(table: TableId, row: readonly Value[], named: Row): Origin {
    const { name, life } = this.#state.plan.tables[table] ?? { name: '', life: 'view' };
    const id = String(named['id'] ?? '');
    if (life === 'report' || name.startsWith('open.')) return { is: 'report', position: this.#positionOf(named) };
    if (life === 'record') return this.#recordOrigin(name, id, named);
    const [first] = this.#state.engine.prover.instances(table, row);
    if (first === undefined) return { is: 'cut' };
    return { is: 'rule', ...this.#reason(first, (told) => this.#premise(told, first)) };
  }

  #recordOrigin(name: string, id: string, row: Row): Origin {
    const record = this.#recordOf(name, id, row);
    if (record === undefined) return { is: 'cut' };
    const made = this.#state.madeOf.get(record);
    const because = this.reasons(made?.because ?? [], made?.position);
    const restsOn = 'restsOn' in record ? record.restsOn.flatMap((one) => this.#decisionOf(one) ?? []) : [];
    return {
      is: 'record',
      record: record.record,
      position: made?.position ?? 0,
      program: made?.program ?? '',
      reasons: record.record === 'decision' ? record.reasons : [],
      because,
      restsOn: restsOn.filter(({ from }) => from.is !== 'seen'),
    };
  }

  /** The record that a row of a record's relation stands for. */
  #recordOf(name: string, id: string, row: Row): LedgerRecord | undefined {
    const [kind = ''] = name.split('.');
    if (kind === 'decision' || kind === 'exposure') {
      const decided = this.#state.decisions.get(id);
      return name.startsWith('decision.revoked.') ? decided?.revoked : decided?.final;
    }
    const wanted = kind === 'standing' ? 'admitted' : kind;
    const intent = name.slice(kind.length + 1);
    return this.#state
      .actsAbout(id)
      .findLast((record: IntentRecord) => record.record === wanted && record.intent === intent && record.row['id'] === row['id']);
  }

  #decisionOf(id: string): Why | undefined {
    const decided = this.#state.decisions.get(id);
    const source = this.#state.evidence.get(id)?.source;
    if (decided === undefined || source === undefined) return undefined;
    const table = this.#state.table(`decision.${decided.final.verdict}.${source.decided}`);
    if (table === undefined) return undefined;
    const column = this.#state.plan.tables[table]?.columns.indexOf('id') ?? -1;
    const row = this.#state.engine.matching(table, [column], [id]).next().value as readonly Value[] | undefined;
    return row === undefined ? undefined : this.why(table, row);
  }

  #reason(because: Because, premise: (told: Told) => Premise | undefined): Reason {
    const { rule } = because;
    const lowered = this.#rules.get(rule.id);
    const clause =
      lowered?.clause === undefined || lowered.clause.kind === 'otherwise'
        ? undefined
        : `${lowered.clause.kind} ${JSON.stringify(lowered.clause.reason)}`;
    return {
      rule: rule.id,
      ...(clause === undefined ? {} : { clause }),
      ...(lowered?.location === undefined ? {} : { location: lowered.location }),
      premises: this.#state.engine.prover.premises(because).flatMap((told) => premise(told) ?? []),
      grounds: lowered?.clause?.grounds ?? (lowered?.judged === undefined ? 0 : 1),
    };
  }

  #premise(told: Told, because: Because, at = Infinity): Premise | undefined {
    const holds = told.holds === undefined ? {} : { holds: told.holds };
    switch (told.is) {
      case 'row': {
        // Of a need that was met, the rule beneath the view is told beside this one.
        if (isMet(told.relation) && because.tried === undefined && told.row === undefined) return undefined;
        const own: Premise = { is: 'row', relation: this.#nameOf(told.relation), columns: told.columns, ...holds };
        const table = this.#state.table(told.relation);
        if (told.row !== undefined && table !== undefined) return { ...own, why: this.why(table, told.row) };
        // A row that is decided is open no longer: what matters is that it was reported.
        return told.relation.startsWith('open.') ? this.#reported(told.columns, own) : own;
      }
      case 'absent':
        return this.#absent(told, because, holds);
      case 'counted':
        return this.#counted(told, holds, at);
      case 'computed':
        return told.text.startsWith(SHOWN) ? undefined : told;
      case 'compared':
      case 'failed':
        return told;
    }
  }

  #reported(columns: Row, own: Premise & { readonly is: 'row' }): Premise {
    const evidence = this.#state.evidence.get(String(columns['id']));
    const table = evidence === undefined ? undefined : this.#state.table(evidence.source.relation);
    if (evidence === undefined || table === undefined) return own;
    return { ...own, holds: !this.#state.aside.has(evidence.id), why: this.why(table, this.#state.columns(table, evidence.row)) };
  }

  /** That a need was not met is that its row was not there: the view in between has no name of its own. */
  #absent(told: Told & { readonly is: 'absent' }, because: Because, holds: { readonly holds?: boolean }): Premise | undefined {
    const { relation, columns } = told;
    if (relation.startsWith('answer.')) return undefined;
    const table = because.plan.tableOf.get(relation);
    const rules = because.plan.components.flatMap((component) => component.rules.filter(({ head }) => head === table));
    const met = isMet(relation) ? rules.find(({ failure }) => failure === undefined) : undefined;
    if (met === undefined)
      return relation.endsWith('.waits') ? undefined : { is: 'absent', relation: this.#nameOf(relation), columns, ...holds };
    const named = new Map(because.rule.slots.map((slot, i) => [slot, because.values[i]]));
    const values = met.slots.map((slot) => named.get(slot));
    const need = this.#state.engine.prover.premises({ plan: because.plan, rule: met, values }).findLast(({ is }) => is === 'row');
    return need?.is === 'row' ? { is: 'absent', relation: this.#nameOf(need.relation), columns: need.columns, ...holds } : undefined;
  }

  #counted(told: Told & { readonly is: 'counted' }, holds: { readonly holds?: boolean }, at: number): Premise {
    const table = this.#state.table(told.relation);
    const counted: string[] = [];
    let more = 0;
    for (const row of table === undefined ? [] : this.#state.engine.prover.counted(table, told.per)) {
      const named = this.#state.named(table as TableId, row);
      if (this.#madeAt(told.relation, named) > at) continue;
      if (counted.length < countedRowsMax) counted.unshift(this.#word(told.relation, named));
      else more++;
      if (more >= countedLookedAtMax) break;
    }
    const of = told.of === undefined ? '' : `.${told.of}`;
    return {
      is: 'counted',
      text: `${told.aggregate}(${this.#nameOf(told.relation)}${of})`,
      per: told.per,
      value: plain(told.value ?? 0),
      ...(told.now === undefined ? {} : { now: plain(told.now) }),
      counted,
      more,
      ...holds,
    };
  }

  /** "refund c1.1 at head 41". */
  #word(relation: string, row: Row): string {
    const own = relation.slice(relation.lastIndexOf('.') + 1);
    if (row['id'] === undefined) return rowText(own, row);
    return `${own} ${String(row['id'])} at head ${this.#madeAt(relation, row)}`;
  }

  /** The transition that a row is from; 0 of a view. */
  #madeAt(relation: string, row: Row): number {
    const decided = this.#state.decisions.get(String(row['id']));
    return /^(exposure|decision)\./.test(relation) && decided !== undefined ? decided.position : this.#positionOf(row);
  }

  #miss(because: Because, depth: number): Miss | undefined {
    if (because.tried === undefined) return undefined;
    const told = this.#state.engine.prover.premises(because);
    const last = told.at(-1);
    const reason = this.#reason(because, (one) => this.#premise(one, because));
    const fails = reason.premises.at(-1);
    if (last === undefined || fails === undefined) return undefined;
    const own = { ...reason, premises: reason.premises.slice(0, -1), fails };
    if (because.gaveUp) return { ...own, wouldPass: 'the search gave up before it came to an end' };
    const since = last.is === 'row' && depth < missDepthMax ? this.#since(last, depth) : undefined;
    return { ...own, wouldPass: wouldPass(fails), ...(since === undefined ? {} : { since }) };
  }

  #since(told: Told & { readonly is: 'row' }, depth: number): WhyNot | undefined {
    const table = this.#state.table(told.relation);
    const { columns = [], life } = this.#state.plan.tables[table ?? -1] ?? {};
    if (life !== 'view' || table === undefined) return undefined;
    return this.whyNot(table, new Map(Object.entries(told.columns).map(([name, value]) => [columns.indexOf(name), value])), depth + 1);
  }

  #positionOf(row: Row): number {
    const capture = String(row['capture'] ?? '');
    return this.#state.captures.get(capture) ?? Number(/^report:(\d+)\./.exec(capture)?.[1] ?? 0);
  }

  /** The name that an author knows a relation by. */
  #nameOf(name: string): string {
    const [kind = ''] = name.split('.');
    const own = name.slice(kind.length + 1);
    const source = this.#state.plan.sources.get(own);
    if (kind === 'open') return source?.relation ?? name;
    if (kind === 'exposure') return `decision.${source?.grade === 'candidate' ? 'accepted' : 'approved'}.${own}`;
    if (kind === 'standing') return `admitted.${own}`;
    return kind === 'verdict' ? name.replace('verdict', 'decision') : name;
  }
}

function plain(value: Value | bigint): Value {
  return typeof value === 'bigint' ? String(value) : value;
}

function wouldPass(fails: Premise): string {
  switch (fails.is) {
    case 'row':
      return `a row ${rowText(fails.relation, fails.columns)}`;
    case 'absent':
      return `no row ${rowText(fails.relation, fails.columns)}`;
    case 'counted':
      return `a value of ${fails.text}`;
    case 'compared':
    case 'computed':
      return `that ${fails.text}`;
    case 'failed':
      return `that ${fails.text} were not so`;
  }
}
