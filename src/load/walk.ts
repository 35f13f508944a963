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
  return 'call' in expression ? expression.args : [];
}

export function variablesOf(literals: readonly Literal[]): string[] {
  return literals.flatMap((literal): string[] => {
    switch (literal.kind) {
      case 'atom':
        return variablesIn(literal.columns);
      case 'not':
        return variablesOf([literal.literal]);
      case 'and':
      case 'or':
        return variablesOf(literal.literals);
      case 'bind':
        return [...variablesOfExpression(literal.expression), literal.variable];
      case 'comparison':
      case 'oneOf':
        return expressionsOf(literal).flatMap(variablesOfExpression);
    }
  });
}

export function variablesOfExpression(expression: Expression): string[] {
  if ('var' in expression) return [expression.var];
  return 'aggregate' in expression ? variablesIn(expression.per) : parts(expression).flatMap(variablesOfExpression);
}

export function variablesIn(columns: Columns): string[] {
  return Object.values(columns).flatMap(variableOf);
}

export function variableOf(term: Term | undefined): string[] {
  return term !== undefined && 'var' in term ? [term.var] : [];
}

export function callsOf(literals: readonly Literal[]): Call[] {
  return literals.flatMap((literal): Call[] => {
    switch (literal.kind) {
      case 'atom':
        return [];
      case 'not':
        return callsOf([literal.literal]);
      case 'and':
      case 'or':
        return callsOf(literal.literals);
      case 'comparison':
      case 'oneOf':
      case 'bind':
        return expressionsOf(literal).flatMap(callsIn);
    }
  });
}

export function callsIn(expression: Expression): Call[] {
  const inside = parts(expression).flatMap(callsIn);
  return 'call' in expression ? [expression, ...inside] : inside;
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
