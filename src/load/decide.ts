/**
 * A decide, written out as ordinary rules.
 *
 * Reads  a decide taken apart, that has passed every check.
 * Gives  rules with verdict heads over `open.*`, and the helper views of its own: which needs are met, what waits.
 * Never  approves by itself: rejection and asking are rules beside the approval, and who records a verdict puts them first.
 */
import type { Atom, Columns, Literal, Location, Term } from '../../dsl/ir.ts';
import type { Clause, Decide, Need } from './clauses.ts';
import { limitOf, restatedColumns } from './clauses.ts';
import { shownDigest } from './digests.ts';
import { branchesOf } from './flatten.ts';
import { record } from './intake.ts';
import type { Intent, LoweredRule, Relation } from './lowered.ts';
import { boundBy } from './safety.ts';
import { isSameTerm, variablesIn, variablesOf } from './walk.ts';

/** What the writing needs to know of the declarations. */
export interface Surroundings {
  /** Declared columns of the evidence, in order. */
  readonly payload: readonly string[];
  readonly intent?: Intent;
  /** Whether answers are told apart by the name of a query. */
  readonly isAnsweredByQuery: boolean;
  /** The columns of a helper view, with their sorts. */
  readonly view: (name: string, clause: string, columns: Columns) => Relation;
}

export interface WrittenOut {
  readonly rules: readonly LoweredRule[];
  readonly relations: readonly Relation[];
}

export function writeOut(decide: Decide, surroundings: Surroundings): WrittenOut {
  const writer = new Writer(decide, surroundings);
  for (const clause of decide.clauses) writer.clause(clause);
  writer.end();
  return { rules: writer.rules, relations: writer.relations };
}

type Asks = Extract<Clause['ir'], { readonly clause: 'asks' }>;

class Writer {
  readonly rules: LoweredRule[] = [];
  readonly relations: Relation[] = [];
  readonly decide: Decide;
  readonly surroundings: Surroundings;
  /** The judged row, as the author named it. */
  readonly row: Atom;
  /** The clause that is being written. */
  told: LoweredRule['clause'];
  /** Where the clause was written that rules are made of. */
  place: Location | undefined;

  constructor(decide: Decide, surroundings: Surroundings) {
    this.decide = decide;
    this.surroundings = surroundings;
    this.row = this.open(decide.row);
  }

  open(columns: Columns): Atom {
    return atom(`open.${this.decide.source.name}`, columns);
  }

  clause(clause: Clause): void {
    const { ir, tag } = clause;
    this.told = { kind: ir.clause, reason: ir.reason, grounds: 1 + clause.after.length };
    this.place = ir.location;
    switch (ir.clause) {
      case 'needs':
      case 'needsEvidence':
        return this.reject(tag, ir.reason, [...this.ground(clause.after), this.unmet(clause)]);
      case 'awaits':
        return this.add(tag, this.waits(), [...this.ground(clause.after), this.unmet(clause)]);
      case 'rejects':
        return this.reject(tag, ir.reason, [...this.ground(clause.after), ...ir.literals]);
      case 'limits':
        return this.reject(tag, ir.reason, [...this.ground(clause.after), limitOf(ir, this.decide)]);
      case 'asks':
        return this.asks(clause, ir);
      case 'expires':
        return this.expires(clause, ir.reason, ir.literals);
      case 'stillNeeds':
        // It is a condition of the intent's rule.
        return;
    }
  }

  /** The judged row with the needs that a clause uses. */
  ground(needs: readonly Need[]): readonly Atom[] {
    return [this.row, ...needs.map((need) => need.atom)];
  }

  /** A view of the rows for which a need is met, each with the values of earlier needs that it uses; and its negation. */
  unmet({ tag }: Clause): Literal {
    const need = this.needOf(tag);
    const met = this.met(need);
    this.define(met, tag);
    this.add(`${tag}.met`, met, [...this.ground(need.after), need.atom]);
    return { kind: 'not', literal: met };
  }

  needOf(tag: string): Need {
    const need = this.decide.needs.find((one) => one.tag === tag);
    if (need === undefined) throw new Error(`${this.decide.ir.name}.${tag} binds nothing`);
    return need;
  }

  met(need: Need): Atom {
    const own = new Set(variablesIn(need.atom.columns));
    const earlier = [...new Set(need.after.flatMap(({ binds }) => binds))].filter((variable) => own.has(variable));
    return this.helper(need.tag, earlier);
  }

  waits(): Atom {
    return this.helper('waits', []);
  }

  helper(name: string, variables: readonly string[]): Atom {
    const { ir, source, id } = this.decide;
    const view = source.grade === 'proposal' ? 'proposalView' : 'candidateView';
    const columns = variables.map((variable) => [variable === 'id' ? '$id' : variable, { var: variable }] as const);
    return atom(`${view}.${ir.name}.${name}`, record([['id', id], ...columns]));
  }

  define(helper: Atom, clause: string): void {
    this.relations.push(this.surroundings.view(helper.relation, clause, helper.columns));
  }

  asks(clause: Clause, ir: Asks): void {
    const { source, id } = this.decide;
    const { tag, after } = clause;
    const reason: Term = { const: ir.reason };
    const whole = record([
      ...this.surroundings.payload.map((column) => [column, { var: `$${column}` }] as const),
      ...Object.entries(this.decide.row),
    ]);
    const shown: Literal = {
      kind: 'bind',
      variable: '$shown',
      expression: this.shown(ir, whole, after),
    };
    const asked = [this.open(whole), ...after.map((need) => need.atom), ...ir.literals, shown];
    const card = { id, reason, shown: { var: '$shown' } };
    const query = this.surroundings.isAnsweredByQuery ? source.constants['query'] : undefined;
    const given = { ...card, by: { var: 'by' }, answer: { var: '$answer' } };
    const confirmed = atom(`confirmed.${source.decided}`, query === undefined ? given : { ...given, query: { const: query } });
    const answer = (columns: Columns) => atom(`answer.${source.name}`, columns);
    this.add(`${tag}.answer`, answer(given), [...asked, confirmed, ...(ir.by === undefined ? [] : [ir.by])]);
    this.add(tag, this.verdict('held', card), [...asked, { kind: 'not', literal: answer({ ...card, answer: { const: 'yes' } }) }]);
    this.reject(`${tag}.declined`, `declined: ${ir.reason}`, [
      this.row,
      answer({ id, reason, by: { var: '$by' }, answer: { const: 'no' } }),
    ]);
  }

  /** What a card shows: the whole row, and every value that the clause speaks of, by name. */
  shown(ir: Asks, whole: Columns, after: readonly Need[]) {
    const bound = boundBy([this.open(whole), ...after.map((need) => need.atom), ...ir.literals]);
    const spoken = [...variablesOf(ir.literals), ...variablesIn(ir.by?.columns ?? {})];
    const variables = [...new Set(spoken)].filter((variable) => variable !== 'by' && bound.has(variable));
    const named = variables
      .map((variable) => [variable, { var: variable }] as const)
      .filter(([name, term]) => !isSameTerm(whole[name], term));
    const columns = [...this.surroundings.payload, 'id'].map((column) => [column, whole[column]] as const);
    // A variable that shares its name with another column is told apart from it.
    const values = [...columns, ...named.map(([name, term]) => [whole[name] === undefined ? name : `?${name}`, term] as const)];
    const args = values
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, term]) => (term === undefined ? [] : [{ const: name }, term]));
    return shownDigest([{ const: ir.reason }, ...args]);
  }

  /** While the row waits, and while a card of it is on the table. */
  expires({ tag, after }: Clause, reason: string, literals: readonly Literal[]): void {
    const body = [...this.ground(after), ...literals];
    const awaits = this.decide.needs.some(({ clause }) => clause === 'awaits');
    const asks = this.decide.clauses.some(({ ir }) => ir.clause === 'asks');
    if (awaits) this.reject(tag, reason, [...body, this.waits()]);
    if (asks) this.reject(awaits ? `${tag}.asked` : tag, reason, [...body, this.verdict('held', { id: this.decide.id })]);
  }

  /** What no clause refuses, and nothing awaits; then the act, where there is one. */
  end(): void {
    const { ir, needs, recordedBy, verdict, records, id } = this.decide;
    this.told = { kind: `${ir.end ?? 'waits'}WithoutConditions`, reason: ir.unconditional ?? '', grounds: 1 };
    this.place = undefined;
    const isAwaiting = needs.some(({ clause }) => clause === 'awaits');
    if (isAwaiting) this.define(this.waits(), 'otherwise');
    if (ir.end === undefined) return;
    const met = needs.filter(({ clause }) => clause !== 'awaits').map((need) => atom(this.met(need).relation, { id }));
    const pending: Literal[] = isAwaiting ? [{ kind: 'not', literal: this.waits() }] : [];
    this.add('otherwise', this.verdict(verdict, { id, ...records }), [
      this.row,
      ...met,
      ...recordedBy.map((need) => need.atom),
      ...pending,
    ]);
    if (ir.end === 'approves') this.act();
  }

  act(): void {
    const { intent } = this.surroundings;
    if (intent === undefined) return;
    const { source, records, clauses, ir, verdict } = this.decide;
    const restated = record([...restatedColumns(this.decide), ...Object.entries(records)]);
    const bindings = record(intent.columns.map((column) => [column, restated[column] ?? { var: `$${column}` }] as const));
    const approved = atom(`decision.${verdict}.${source.decided}`, { ...bindings, ...restated });
    const still = clauses.flatMap((clause) => (clause.ir.clause === 'stillNeeds' ? [clause.ir] : []));
    this.rules.push({
      id: `${ir.name}.intent`,
      head: { relation: `intent.${intent.name}`, columns: bindings },
      body: [approved, ...still.flatMap(({ literals }) => literals)],
      still: new Map(
        still.flatMap(({ literals, reason }) => branchesOf(literals).flatMap((all) => all.map((one) => [one, reason] as const))),
      ),
      ...this.location(),
    });
  }

  verdict(verdict: string, columns: Columns): Atom {
    return atom(`verdict.${verdict}.${this.decide.source.name}`, columns);
  }

  reject(tag: string, reason: string, body: readonly Literal[]): void {
    this.add(tag, this.verdict('rejected', { id: this.decide.id, reason: { const: reason } }), body);
  }

  add(tag: string, head: Atom, body: readonly Literal[]): void {
    const { ir, source, id } = this.decide;
    const { relation, columns } = head;
    const clause = this.told === undefined ? {} : { clause: this.told };
    this.rules.push({
      id: `${ir.name}.${tag}`,
      head: { relation, columns },
      body,
      decides: source.name,
      judged: id,
      ...clause,
      ...this.location(),
    });
  }

  location(): { readonly location?: string } {
    const location = this.place ?? this.decide.ir.location;
    return location === undefined ? {} : { location };
  }
}

/** Whether a view only says that a need of a decide is met: the rules beneath it are the need's own. */
export function isMet(relation: string): boolean {
  return /^(candidate|proposal)View\.\w+\.(needs|needsEvidence|awaits)\d+$/.test(relation);
}

/** Whether a view only says that a row of a decide's source waits. */
export function isWaiting(relation: string): boolean {
  return /^(candidate|proposal)View\.\w+\.waits$/.test(relation);
}

function atom(relation: string, columns: Columns): Atom {
  return { kind: 'atom', relation, columns: record(Object.entries(columns)) };
}
