/**
 * Walks over IR: which relations a literal reads, which variables it uses, which functions it calls.
 *
 * Reads  plain IR, bounded by intake.
 * Gives  lists in the order of the text, repeats included.
 * Never  judges.
 */
import type { Call, Columns, Expression, Literal, Term } from '../../dsl/ir.ts';

export interface Read {
  readonly relation: string;
  /** Under `not` or in an aggregate: what is read must be complete first. */
  readonly isStrict: boolean;
}

export function readsOf(literals: readonly Literal[]): Read[] {
  return literals.flatMap((literal): Read[] => {
    switch (literal.kind) {
      case 'atom':
        return [{ relation: literal.relation, isStrict: false }];
      case 'not':
        return readsOf([literal.literal]).map(({ relation }) => ({ relation, isStrict: true }));
      case 'and':
      case 'or':
        return readsOf(literal.literals);
      case 'comparison':
      case 'oneOf':
      case 'bind':
        return expressionsOf(literal).flatMap(readsOfExpression);
    }
  });
}

function readsOfExpression(expression: Expression): Read[] {
  if ('aggregate' in expression) return [{ relation: expression.relation, isStrict: true }];
  return parts(expression).flatMap(readsOfExpression);
}

/** The expressions that stand directly in a literal; an atom has terms only. */
export function expressionsOf(literal: Exclude<Literal, { readonly kind: 'atom' | 'not' | 'and' | 'or' }>): readonly Expression[] {
  switch (literal.kind) {
    case 'comparison':
      return [literal.left, literal.right];
    case 'oneOf':
      return [literal.value];
    case 'bind':
      return [literal.expression];
  }
}

/** The expressions directly inside one. */
export function parts(expression: Expression): readonly Expression[] {
  if ('arithmetic' in expression) return [expression.left, expression.right];
  return 'call' in expression ? expression.args : NONE;
}
const NONE: readonly Expression[] = [];

export function variablesOf(literals: readonly Literal[]): string[] {
  const found: string[] = [];
  for (const literal of literals) variablesOfLiteral(literal, found);
  return found;
}

function variablesOfLiteral(literal: Literal, found: string[]): void {
  switch (literal.kind) {
    case 'atom':
      return inColumns(literal.columns, found);
    case 'not':
      return variablesOfLiteral(literal.literal, found);
    case 'and':
    case 'or':
      return literal.literals.forEach((one) => {
        variablesOfLiteral(one, found);
      });
    case 'comparison':
      inExpression(literal.left, found);
      return inExpression(literal.right, found);
    case 'oneOf':
      return inExpression(literal.value, found);
    case 'bind':
      inExpression(literal.expression, found);
      found.push(literal.variable);
  }
}

export function variablesOfExpression(expression: Expression): string[] {
  const found: string[] = [];
  inExpression(expression, found);
  return found;
}

function inExpression(expression: Expression, found: string[]): void {
  if ('var' in expression) found.push(expression.var);
  else if ('aggregate' in expression) inColumns(expression.per, found);
  else for (const part of parts(expression)) inExpression(part, found);
}

export function variablesIn(columns: Columns): string[] {
  const found: string[] = [];
  inColumns(columns, found);
  return found;
}

function inColumns(columns: Columns, found: string[]): void {
  for (const term of Object.values(columns)) if ('var' in term) found.push(term.var);
}

export function variableOf(term: Term | undefined): string[] {
  return term !== undefined && 'var' in term ? [term.var] : [];
}

export function callsOf(literals: readonly Literal[]): Call[] {
  const found: Call[] = [];
  for (const literal of literals) callsOfLiteral(literal, found);
  return found;
}

function callsOfLiteral(literal: Literal, found: Call[]): void {
  switch (literal.kind) {
    case 'atom':
      return;
    case 'not':
      return callsOfLiteral(literal.literal, found);
    case 'and':
    case 'or':
      return literal.literals.forEach((one) => {
        callsOfLiteral(one, found);
      });
    case 'comparison':
      callsInto(literal.left, found);
      return callsInto(literal.right, found);
    case 'oneOf':
      return callsInto(literal.value, found);
    case 'bind':
      callsInto(literal.expression, found);
  }
}

export function callsIn(expression: Expression): Call[] {
  const found: Call[] = [];
  callsInto(expression, found);
  return found;
}

/** A call before those in its arguments. */
function callsInto(expression: Expression, found: Call[]): void {
  if ('call' in expression) found.push(expression);
  for (const part of parts(expression)) callsInto(part, found);
}

export function aggregatesIn(expression: Expression): string[] {
  return 'aggregate' in expression ? [expression.relation] : parts(expression).flatMap(aggregatesIn);
}

/** Into how many conjunctions the `or` of a body multiplies out, without doing it. */
export function branchCount(literals: readonly Literal[]): number {
  return literals.reduce((count, literal) => {
    if (literal.kind === 'and') return count * branchCount(literal.literals);
    return literal.kind === 'or' ? count * literal.literals.reduce((sum, one) => sum + branchCount([one]), 0) : count;
  }, 1);
}

/** Same variable or same constant. */
export function isSameTerm(left: Term | undefined, right: Term | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if ('var' in left) return 'var' in right && left.var === right.var;
  return 'const' in right && left.const === right.const;
}
