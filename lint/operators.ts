/**
 * Operators on values that are known.
 *
 * Gives  what JavaScript gives for texts, numbers and truth values.
 * Never  assigns: a name that changes is no constant.
 */
import type { ts } from 'ts-morph';
import type { Evaluator } from './evaluate.ts';
import { NotFollowed, Unread, type Scope } from './values.ts';

export function operation(evaluator: Evaluator, node: ts.PrefixUnaryExpression | ts.BinaryExpression, scope: Scope): unknown {
  const { SyntaxKind, isPrefixUnaryExpression, tokenToString } = evaluator.symbols.ts;
  const known = (one: ts.Expression): unknown => {
    const value = evaluator.value(one, scope);
    if (value instanceof Unread) throw new NotFollowed(value.node, value.why);
    return value;
  };
  if (isPrefixUnaryExpression(node)) {
    const value = known(node.operand);
    if (node.operator === SyntaxKind.ExclamationToken) return !value;
    if (node.operator === SyntaxKind.MinusToken && typeof value === 'number') return -value;
    throw new NotFollowed(node, 'this operator is not read');
  }
  const operator = tokenToString(node.operatorToken.kind) ?? '';
  const left = known(node.left);
  // The right side of these is read only where it counts.
  if (operator === '&&') return left ? evaluator.value(node.right, scope) : left;
  if (operator === '||') return left ? left : evaluator.value(node.right, scope);
  if (operator === '??') return left ?? evaluator.value(node.right, scope);
  const right = known(node.right);
  if (operator === '===' || operator === '!==') return (left === right) === (operator === '===');
  const given = NUMBERS[operator];
  if (given !== undefined && typeof left === 'number' && typeof right === 'number') return given(left, right);
  if (operator === '+' && isPlainValue(left) && isPlainValue(right)) return `${left}${right}`;
  throw new NotFollowed(node, `${operator} is not read for these values`);
}

const NUMBERS: Readonly<Record<string, (left: number, right: number) => number | boolean>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** Of these the text is what JavaScript joins. */
function isPlainValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
