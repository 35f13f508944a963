/**
 * A naive evaluator of lowered rules, for tests of the engine alone: all rules to a fixpoint, stratum by stratum, on sets of rows.
 */
import type { Atom, Expression, Literal, Term, Value } from '../../dsl/ir.ts';
import type { Lowered, LoweredRule } from '../../src/load/lowered.ts';

export type Rows = Map<string, Value[][]>;
type Environment = Readonly<Record<string, Value>>;

/** `strata` lists the views in an order in which negation and aggregates look at finished ones. */
export function naive(lowered: Lowered, base: Rows, strata: readonly (readonly string[])[]): Rows {
  const model: Rows = new Map([...base].map(([name, rows]) => [name, distinct(rows)]));
  for (const stratum of strata) {
    const rules = lowered.rules.filter((rule) => stratum.includes(rule.head.relation));
    for (let size = -1; size !== total(model);) {
      size = total(model);
      for (const rule of rules) {
        const columns = lowered.relations.get(rule.head.relation)?.columns.map((column) => column.name) ?? [];
        const found = solve(rule, lowered, model).map((environment) =>
          columns.map((name) => valueOf(rule.head.columns[name] as Term, environment)),
        );
        model.set(rule.head.relation, distinct([...(model.get(rule.head.relation) ?? []), ...found]));
      }
    }
  }
  return model;
}

export function distinct(rows: readonly (readonly Value[])[]): Value[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), [...row]])).values()];
}

function total(model: Rows): number {
  return [...model.values()].reduce((sum, rows) => sum + rows.length, 0);
}

function solve(rule: LoweredRule, lowered: Lowered, model: Rows): Environment[] {
  const rank = (literal: Literal) => (literal.kind === 'atom' ? 0 : literal.kind === 'bind' ? 1 : 2);
  return [...rule.body]
    .sort((a, b) => rank(a) - rank(b))
    .reduce<Environment[]>((environments, literal) => environments.flatMap((one) => extend(literal, one, lowered, model)), [{}]);
}

function extend(literal: Literal, environment: Environment, lowered: Lowered, model: Rows): Environment[] {
  switch (literal.kind) {
    case 'atom':
      return match(literal, environment, lowered, model);
    case 'not':
      return literal.literal.kind === 'atom' && match(literal.literal, environment, lowered, model).length === 0 ? [environment] : [];
    case 'bind': {
      const value = evaluate(literal.expression, environment, lowered, model);
      if (value === undefined) return [];
      const known = environment[literal.variable];
      return known === undefined ? [{ ...environment, [literal.variable]: value }] : known === value ? [environment] : [];
    }
    case 'comparison': {
      const left = evaluate(literal.left, environment, lowered, model);
      const right = evaluate(literal.right, environment, lowered, model);
      return left !== undefined && right !== undefined && left > right ? [environment] : [];
    }
    default:
      throw new Error(`not used by these tests: ${literal.kind}`);
  }
}

function match(atom: Atom, environment: Environment, lowered: Lowered, model: Rows): Environment[] {
  const columns = lowered.relations.get(atom.relation)?.columns.map((column) => column.name) ?? [];
  return (model.get(atom.relation) ?? []).flatMap((row) => {
    const extended: Record<string, Value> = { ...environment };
    for (const [name, term] of Object.entries(atom.columns)) {
      const value = row[columns.indexOf(name)] as Value;
      if ('const' in term ? term.const !== value : extended[term.var] !== undefined && extended[term.var] !== value) return [];
      if ('var' in term) extended[term.var] = value;
    }
    return [extended];
  });
}

function evaluate(expression: Expression, environment: Environment, lowered: Lowered, model: Rows): Value | undefined {
  if ('var' in expression) return environment[expression.var];
  if ('const' in expression) return expression.const;
  if ('arithmetic' in expression) {
    const left = evaluate(expression.left, environment, lowered, model) as number;
    const right = evaluate(expression.right, environment, lowered, model) as number;
    return expression.arithmetic === 'plus' ? left + right : left - right;
  }
  if (!('aggregate' in expression)) throw new Error('no calls here');
  const { aggregate, relation, of, per } = expression;
  const columns = lowered.relations.get(relation)?.columns.map((column) => column.name) ?? [];
  const rows = match({ kind: 'atom', relation, columns: per }, environment, lowered, model).length === 0 ? [] : (model.get(relation) ?? []);
  const group = rows.filter((row) =>
    Object.entries(per).every(([name, term]) => row[columns.indexOf(name)] === valueOf(term, environment)),
  );
  if (aggregate === 'count') return group.length;
  const values = group.map((row) => row[columns.indexOf(of ?? '')] as number);
  if (aggregate === 'sum') return values.reduce((sum, value) => sum + value, 0);
  return values.length === 0 ? undefined : aggregate === 'min' ? Math.min(...values) : Math.max(...values);
}

function valueOf(term: Term, environment: Environment): Value {
  return 'const' in term ? term.const : (environment[term.var] as Value);
}
