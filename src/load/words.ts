/**
 * Rules in words: an author's literals as text, close to how they were written.
 *
 * Reads  the IR of atoms, comparisons and expressions.
 * Gives  one line for each, such as `observation.order({ order, user: actor })` and `sum(receipt.refund.amount per order) > paid`.
 * Never  hides a part: what stands in a rule stands in its text.
 */
import type { Atom, ComparisonName, Expression, Literal, Operator, Term } from '../../dsl/ir.ts';

export const OPERATORS: Readonly<Record<Operator, string>> = { plus: '+', minus: '-', times: '*' };
export const COMPARISONS: Readonly<Record<ComparisonName, string>> = { eq: '=', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

export function bodyText(literals: readonly Literal[]): string {
  return literals.map(literalText).join(', ');
}

/** Columns that the loader filled are no one's words. */
export function atomText({ relation, columns }: Atom): string {
  const named = Object.entries(columns).flatMap(([column, term]) =>
    'var' in term && term.var.startsWith('$') ? [] : [columnText(column, term)],
  );
  return named.length === 0 ? relation : `${relation}({ ${named.join(', ')} })`;
}

function columnText(column: string, term: Term): string {
  return 'var' in term && term.var === column ? column : `${column}: ${termText(term)}`;
}

function literalText(literal: Literal): string {
  switch (literal.kind) {
    case 'atom':
      return atomText(literal);
    case 'not':
      return `not(${literalText(literal.literal)})`;
    case 'and':
    case 'or':
      return `${literal.kind}(${literal.literals.map(literalText).join(', ')})`;
    case 'comparison':
      return `${expressionText(literal.left)} ${COMPARISONS[literal.comparison]} ${expressionText(literal.right)}`;
    case 'oneOf':
      return `${expressionText(literal.value)} is one of ${literal.members.map((member) => JSON.stringify(member)).join(', ')}`;
    case 'bind':
      return `${literal.variable} = ${expressionText(literal.expression)}`;
  }
}

function expressionText(expression: Expression): string {
  if ('var' in expression || 'const' in expression) return termText(expression);
  if ('aggregate' in expression) {
    const of = expression.of === undefined ? '' : `.${expression.of}`;
    const per = Object.entries(expression.per).map(([column, term]) => columnText(column, term));
    return `${expression.aggregate}(${expression.relation}${of}${per.length === 0 ? '' : ` per ${per.join(', ')}`})`;
  }
  if ('call' in expression) return `${expression.call}(${expression.args.map(expressionText).join(', ')})`;
  return `(${expressionText(expression.left)} ${OPERATORS[expression.arithmetic]} ${expressionText(expression.right)})`;
}

function termText(term: Term): string {
  return 'var' in term ? term.var : JSON.stringify(term.const);
}
