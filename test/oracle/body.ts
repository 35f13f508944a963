/**
 * Bodies as flat conjunctions, and the questions every reader of a literal asks.
 *
 * Reads  the literals of a rule.
 * Gives  its branches with `or` multiplied out, and which variables and relations a literal names.
 * Never  orders anything: a conjunction is a set.
 */
import type { Aggregate, Expression, Literal, Term } from '../../dsl/ir.ts';

/** A literal that holds no other conjunction or disjunction. */
export type Simple = Exclude<Literal, { readonly kind: 'and' | 'or' }>;

/** `or` multiplied out, `and` spliced in. The empty body is one branch that always holds. */
export function branchesOf(literals: readonly Literal[]): Simple[][] {
  let branches: Simple[][] = [[]];
  for (const literal of literals) {
    const own = ownBranches(literal);
    branches = branches.flatMap((branch) => own.map((more) => [...branch, ...more]));
  }
  return branches;
}

function ownBranches(literal: Literal): Simple[][] {
  if (literal.kind === 'and') return branchesOf(literal.literals);
  if (literal.kind === 'or') return literal.literals.flatMap(ownBranches);
  return [[literal]];
}

export function isVariable(term: Expression): term is { readonly var: string } {
  return 'var' in term;
}

/** The variables that a positive literal can give a value to. */
export function bindsOf(literal: Simple): string[] {
  if (literal.kind === 'atom') return variablesOfTerms(literal.columns);
  return literal.kind === 'bind' ? [literal.variable] : [];
}

/** Every variable that the literal names. */
export function variablesOf(literal: Simple): string[] {
  return [
    ...bindsOf(literal),
    ...expressionsOf(literal).flatMap(variablesOfExpression),
    ...(literal.kind === 'not' ? variablesOf(literal.literal) : []),
  ];
}

/** The expressions that have to be computed before the literal can be judged; a negated comparison's among them. */
export function expressionsOf(literal: Simple): Expression[] {
  switch (literal.kind) {
    case 'atom':
      return [];
    case 'bind':
      return [literal.expression];
    case 'comparison':
      return [literal.left, literal.right];
    case 'oneOf':
      return [literal.value];
    case 'not':
      return expressionsOf(literal.literal);
  }
}

export function variablesOfTerms(columns: Readonly<Record<string, Term>>): string[] {
  return Object.values(columns).flatMap((term) => (isVariable(term) ? [term.var] : []));
}

export function variablesOfExpression(expression: Expression): string[] {
  if ('var' in expression) return [expression.var];
  if ('const' in expression) return [];
  if ('arithmetic' in expression) return [...variablesOfExpression(expression.left), ...variablesOfExpression(expression.right)];
  if ('call' in expression) return expression.args.flatMap(variablesOfExpression);
  return variablesOfTerms(expression.per);
}

/** Whether computing it can fail: it calls a function somewhere. Arithmetic is exact, and cannot. */
export function isFallible(literal: Simple): boolean {
  const calls = (expression: Expression): boolean =>
    'call' in expression || ('arithmetic' in expression && (calls(expression.left) || calls(expression.right)));
  return expressionsOf(literal).some(calls);
}

/** Aggregates of a literal, wherever in its expressions they stand. */
export function aggregatesOf(literal: Simple): Aggregate[] {
  return expressionsOf(literal).flatMap(aggregatesIn);
}

export function aggregatesIn(expression: Expression): Aggregate[] {
  if ('aggregate' in expression) return [expression];
  if ('arithmetic' in expression) return [...aggregatesIn(expression.left), ...aggregatesIn(expression.right)];
  return 'call' in expression ? expression.args.flatMap(aggregatesIn) : [];
}

/** Relations that must be complete before the literal may be judged: under `not`, or in an aggregate. */
export function completeRelationsOf(literal: Simple): string[] {
  const negated = literal.kind === 'not' && literal.literal.kind === 'atom' ? [literal.literal.relation] : [];
  return [...negated, ...aggregatesOf(literal).map((aggregate) => aggregate.relation)];
}
