/**
 * Checks a proof step by step: against the rules as the loader wrote them out, and a model that was built apart.
 *
 * Reads  proofs as the world gives them, the plan's rules as plain IR, and rows by relation.
 * Gives  one sentence for each step that does not hold.
 * Never  asks the engine that made the proof: what holds is found by the oracle's expressions over plain rows.
 */
import type { Aggregate, Atom, Comparison, OneOf, Term } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import type { Gone, Premise, Reason, Why } from '../../src/index.ts';
import type { Plan } from '../../src/load/load.ts';
import type { RowChange } from '../../src/world.ts';
import { aggregatesOf, branchesOf, isVariable, type Simple } from '../oracle/body.ts';
import { compared, compute, type Environment, type Wide } from '../oracle/expression.ts';
import type { Model } from '../oracle/model.ts';
import { failures } from '../oracle/solve.ts';

/** What a premise can be of: a literal, or an aggregate within one. */
type Part = { readonly literal: Simple; readonly aggregate?: Aggregate };
interface Matched {
  readonly environment: Environment;
  readonly parts: ReadonlyMap<Premise, Part>;
  /** Parts that no premise is of. */
  readonly rest: readonly Part[];
}

export class Checker {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** The faults of an instance whose head, as far as it is given, is this row. */
  instance(reason: Reason, head: Row, model: Model): string[] {
    if (reason.premises.some(({ is }) => is === 'failed')) return this.#failed(reason, head, model);
    const told = this.#branches(reason, head).map((matched) => {
      if (matched === undefined) return ['its premises are not those of the rule'];
      const environment = completed(matched.environment, [...matched.parts.values(), ...matched.rest], model);
      const faults = [...matched.parts].flatMap(([premise, part]) =>
        holds(part, environment, model, premise) ? [] : [`${JSON.stringify(premise)} does not hold`],
      );
      const hidden = matched.rest.flatMap((part) => {
        if (!isHidden(part)) return [`nothing is said of ${JSON.stringify(part.literal)}`];
        return holds(part, environment, model) ? [] : [`${JSON.stringify(part.literal)} does not hold, and is not said`];
      });
      return [...faults, ...hidden];
    });
    return told.find((faults) => faults.length === 0) ?? told[0]?.map((fault) => `${reason.rule}: ${fault}`) ?? [`no rule ${reason.rule}`];
  }

  /** The faults of a search that came to nothing: what it found holds, and what it fails at does not. */
  miss(reason: Reason, fails: Premise, head: Row, model: Model): string[] {
    const told = this.#branches({ ...reason, premises: [...reason.premises, fails] }, head).map((matched) => {
      if (matched === undefined) return ['its premises are not those of the rule'];
      const environment = completed(matched.environment, [...matched.parts.values(), ...matched.rest], model);
      return [...matched.parts].flatMap(([premise, part]) => {
        if (holds(part, environment, model, premise) === (premise !== fails)) return [];
        return [`${JSON.stringify(premise)} ${premise === fails ? 'holds' : 'does not hold'}`];
      });
    });
    return told.find((faults) => faults.length === 0) ?? told[0]?.map((fault) => `${reason.rule}: ${fault}`) ?? [`no rule ${reason.rule}`];
  }

  /** The faults of what withdrew a row: each step is a change of this transition that its rule reads, and the last one is no view. */
  gone(gone: Gone, changes: readonly RowChange[]): string[] {
    const known = new Set(
      changes.map(({ relation, row, sign }) => JSON.stringify([this.toldName(relation), sign > 0 ? 'came' : 'went', row])),
    );
    const faults: string[] = [];
    for (let one: Gone | undefined = gone; one !== undefined; one = one.since) {
      const { relation, row, is, rule, since, isCut } = one;
      if (isCut === true) faults.push(`the way from ${relation} is cut`);
      if (since === undefined) {
        if (!this.#isEnd(one, changes)) faults.push(`${relation} ${JSON.stringify(row)} ${is}, and ends the way`);
        continue;
      }
      if (!known.has(JSON.stringify([relation, is, row]))) faults.push(`${relation} ${JSON.stringify(row)} neither came nor went`);
      if (!this.#reads(rule ?? '', since.relation, is === since.is)) faults.push(`${rule ?? 'nothing'} does not read ${since.relation}`);
    }
    return faults;
  }

  /** A report or a record of this transition, or the record that closed a row or an act. */
  #isEnd({ relation, row, is, by }: Gone, changes: readonly RowChange[]): boolean {
    if (by === 'reported as failed')
      return changes.some((change) => change.relation.startsWith('receipt.') && change.row['act'] === row['id'] && change.sign > 0);
    return changes.some((change) => {
      const isIts = this.toldName(change.relation) === relation && change.sign > 0 === (is === 'came');
      const life = this.#plan.relations.get(change.relation)?.life;
      return (
        isIts &&
        (life === 'report' || life === 'record') &&
        Object.entries(change.row).every(([column, value]) => !(column in row) || row[column] === value)
      );
    });
  }

  /** Whether a rule reads a relation so that a change of it gives this one; what the runtime put in between is looked through. */
  #reads(rule: string, relation: string, isSame: boolean): boolean {
    const body = this.#plan.rules.find(({ id }) => id === rule)?.body ?? [];
    return branchesOf(body)
      .flat()
      .some((literal) => {
        if (aggregatesOf(literal).some((one) => this.toldName(one.relation) === relation)) return true;
        const atom = literal.kind === 'not' ? literal.literal : literal;
        if (atom.kind !== 'atom') return false;
        if (this.toldName(atom.relation) === relation)
          return (literal.kind === 'atom') === isSame || /^(open|standing)\./.test(atom.relation);
        const isBetween = /View\.\w+\.(needs|needsEvidence|awaits|waits)\d*$|^(open|standing|verdict|answer|exposure)\./.test(
          atom.relation,
        );
        return isBetween;
      });
  }

  /** What could not be computed: some instance fails so, and the rows that are shown are of it. */
  #failed({ rule, premises }: Reason, head: Row, model: Model): string[] {
    const written = this.#plan.rules.find(({ id }) => id === rule);
    const text = premises.flatMap((one) => (one.is === 'failed' ? [one.text] : [])).join();
    const found = branchesOf(written?.body ?? []).flatMap((branch) => {
      const judged = branch.find((literal): literal is Atom => literal.kind === 'atom' && literal.relation.startsWith('open.'));
      return failures(branch, judged, model).filter(({ instance: { environment, what } }) => {
        const id = written?.judged === undefined ? undefined : valueOf(written.judged, environment);
        return what.every((one) => text.includes(one)) && (id === undefined || head['id'] === undefined || id === head['id']);
      });
    });
    return found.length > 0 ? [] : [`${rule}: nothing fails with ${text}`];
  }

  /** For each branch of the rule, its literals with their premises; undefined where they do not fit. */
  #branches({ rule, premises }: Reason, head: Row): (Matched | undefined)[] {
    const name = /^invariant "(.*)"$/.exec(rule)?.[1];
    const written = this.#plan.rules.find(({ id }) => id === rule);
    const body = name === undefined ? written?.body : this.#plan.invariants.find((one) => one.name === name)?.body;
    const given = new Map<string, Wide>();
    for (const [column, term] of Object.entries(written?.head.columns ?? {})) {
      const value = head[column];
      if (value !== undefined && !unify(term, value, given)) return [undefined];
    }
    return body === undefined ? [] : branchesOf(body).map((branch) => this.#matched(branch, premises, new Map(given)));
  }

  #matched(branch: readonly Simple[], premises: readonly Premise[], environment: Map<string, Wide>): Matched | undefined {
    const rest = branch.flatMap((literal): Part[] => [...aggregatesOf(literal).map((aggregate) => ({ literal, aggregate })), { literal }]);
    const parts = new Map<Premise, Part>();
    for (const premise of premises) {
      const at = rest.findIndex((part) => this.#fits(part, premise, environment));
      const [part] = at < 0 ? [] : rest.splice(at, 1);
      if (part === undefined) return undefined;
      parts.set(premise, part);
    }
    return { environment, parts, rest };
  }

  /** Whether the premise can be of this part; the values that it shows go into the environment. */
  #fits({ literal, aggregate }: Part, premise: Premise, environment: Map<string, Wide>): boolean {
    if (aggregate !== undefined) return premise.is === 'counted' && premise.text === this.#aggregateText(aggregate);
    switch (premise.is) {
      case 'row':
      case 'absent': {
        const atom = premise.is === 'row' ? literal : literal.kind === 'not' ? literal.literal : undefined;
        if (atom?.kind !== 'atom') return false;
        const need = this.#needOf(atom.relation);
        if (need === undefined ? this.toldName(atom.relation) !== premise.relation : need.relation !== premise.relation) return false;
        const found = new Map(environment);
        const columns = need === undefined ? atom.columns : need.columns;
        if (!Object.entries(premise.columns).every(([column, value]) => column in columns && unify(columns[column] as Term, value, found)))
          return false;
        for (const [name, value] of found) environment.set(name, value);
        return true;
      }
      case 'computed':
        return literal.kind === 'bind' && premise.text.startsWith(`${literal.variable.replace(/^[$?]/, '')} = `);
      case 'compared':
        return literal.kind === 'comparison' || literal.kind === 'oneOf' || (literal.kind === 'not' && literal.literal.kind !== 'atom');
      case 'status':
        return JSON.stringify(literal).includes('.waits"');
      case 'counted':
      case 'failed':
        return false;
    }
  }

  /** A need's own atom, of the view that says that it is met. */
  #needOf(relation: string): Atom | undefined {
    if (!/View\.\w+\.(needs|needsEvidence|awaits)\d+$/.test(relation)) return undefined;
    const last = this.#plan.rules.find(({ head }) => head.relation === relation)?.body.at(-1);
    return last?.kind === 'atom' ? last : undefined;
  }

  #aggregateText({ aggregate, relation, of }: Aggregate): string {
    return `${aggregate}(${this.toldName(relation)}${of === undefined ? '' : `.${of}`})`;
  }

  /** The name that an author has for what the loader wrote. */
  toldName(name: string): string {
    const [kind = '', ...more] = name.split('.');
    const source = (own: string) => this.#plan.sources.get(own) ?? { relation: own, decided: own, grade: 'proposal' };
    const own = more.join('.');
    if (kind === 'open') return source(own).relation;
    if (kind === 'answer') return `confirmed.${source(own).decided}`;
    if (kind === 'exposure') return `decision.${source(own).grade === 'candidate' ? 'accepted' : 'approved'}.${source(own).decided}`;
    if (kind === 'standing') return `admitted.${own}`;
    return kind === 'verdict' ? `decision.${more[0] ?? ''}.${source(more.slice(1).join('.')).decided}` : name;
  }
}

/** Every fault of a proof of what is so now, node by node. */
export function faultsOf(why: Why, checker: Checker, model: Model, isRecord: (why: Why) => boolean): string[] {
  const faults: string[] = [];
  const shown = new Set<string>();
  const elsewhere: string[] = [];
  const open: { readonly node: Why; readonly above: readonly string[] }[] = [{ node: why, above: [] }];
  for (let at = 0; at < open.length; at++) {
    const { node, above } = open[at] as (typeof open)[number];
    const key = JSON.stringify([node.relation, node.row]);
    if (above.includes(key)) faults.push(`${key} rests on itself`);
    if (node.from.is === 'seen') elsewhere.push(key);
    else shown.add(key);
    if (node.from.is === 'cut') faults.push(`${key} is not shown`);
    if (node.from.is === 'report' && !model.has(node.relation, node.row)) faults.push(`${key} was not reported`);
    if (node.from.is === 'record') {
      if (!isRecord(node)) faults.push(`${key} is no record`);
      // What a record was made for was so then; a row that it rests on may rest on it today.
      for (const reason of node.from.because) open.push(...rowsOf(reason).map((one) => ({ node: one, above: [] })));
      open.push(...node.from.restsOn.map((one) => ({ node: one, above: [] })));
    }
    if (node.from.is === 'rule') {
      faults.push(...checker.instance(node.from, node.row, model).map((fault) => `${key}: ${fault}`));
      open.push(...rowsOf(node.from).map((one) => ({ node: one, above: [...above, key] })));
    }
  }
  return [...faults, ...elsewhere.filter((key) => !shown.has(key)).map((key) => `${key} is shown nowhere`)];
}

function rowsOf({ premises }: Pick<Reason, 'premises'>): Why[] {
  return premises.flatMap((premise) => (premise.is === 'row' && premise.why !== undefined ? [premise.why] : []));
}

/** What only says how far a decide has come need not be said: the judged row, the needs and the answers are. */
function isHidden({ literal }: Part): boolean {
  const text = JSON.stringify(literal);
  // A variable that takes what was counted, or another one, as it is.
  if (literal.kind === 'bind' && ['aggregate', 'var', 'const'].some((kind) => kind in literal.expression)) return true;
  return /View\.\w+\.(needs|needsEvidence|awaits|waits)\d*"|"answer\.|"verdict\.held\.|"call":"shown"/.test(text);
}

/** Fills in what bindings compute. */
function completed(given: Environment, parts: readonly Part[], model: Model): Environment {
  const environment = new Map(given);
  const binds = parts.flatMap(({ literal, aggregate }) => (literal.kind === 'bind' && aggregate === undefined ? [literal] : []));
  for (let size = -1; size !== environment.size;) {
    size = environment.size;
    for (const { variable, expression } of binds) {
      if (environment.has(variable)) continue;
      const result = attempt(() => compute(expression, environment, model));
      if (result?.is === 'value') environment.set(variable, result.value);
    }
  }
  return environment;
}

function holds({ literal, aggregate }: Part, environment: Environment, model: Model, premise?: Premise): boolean {
  if (aggregate !== undefined) {
    const result = attempt(() => compute(aggregate, environment, model));
    const value = premise?.is === 'counted' ? premise.value : undefined;
    return result?.is === 'value' && (value === undefined || String(value) === String(result.value));
  }
  switch (literal.kind) {
    case 'atom':
      return model.tuples(literal.relation).some(({ row }) => isMatch(literal, row, environment));
    case 'not':
      return literal.literal.kind === 'atom'
        ? !holds({ literal: literal.literal }, environment, model)
        : attempt(() => compared(literal.literal as Comparison | OneOf, environment, model)) === false;
    case 'bind': {
      const result = attempt(() => compute(literal.expression, environment, model));
      return result?.is === 'value' && environment.get(literal.variable) === result.value;
    }
    default:
      return attempt(() => compared(literal, environment, model)) === true;
  }
}

/** A variable without a value is a wildcard of a negated atom, or was not shown. */
function isMatch({ columns }: Atom, row: Row, environment: Environment): boolean {
  const found = new Map(environment);
  return Object.entries(columns).every(([column, term]) => row[column] !== undefined && unify(term, row[column], found));
}

function unify(term: Term, value: Wide, environment: Map<string, Wide>): boolean {
  if (!isVariable(term)) return term.const === value;
  const known = environment.get(term.var);
  if (known === undefined) environment.set(term.var, value);
  return known === undefined || known === value;
}

function valueOf(term: Term, environment: Environment): Wide | undefined {
  return isVariable(term) ? environment.get(term.var) : term.const;
}

/** The oracle throws where a variable has no value: then nothing is computed. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
