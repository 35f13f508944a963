/**
 * Safety: every variable of a rule is bound by a positive atom, or by a binding whose own variables are.
 *
 * Reads  a body and the variables of its head.
 * Gives  the variables that nothing binds.
 * Never  lets `x = y + 1, y = x - 1` bind anything: a binding counts once what it computes from is bound.
 */
import type { Literal } from '../../dsl/ir.ts';
import { expressionsOf, variablesIn, variablesOf, variablesOfExpression } from './walk.ts';

/** What only waits for another unbound variable is not among them: once that one is bound, so is this. */
export function unboundIn(body: readonly Literal[], head: readonly string[]): string[] {
  const bound = new Set<string>();
  const unbound: string[] = [];
  for (let stuck = bind(body, bound); ; stuck = bind(stuck, bound)) {
    if (stuck.length === 0 && head.every((variable) => bound.has(variable))) return unbound;
    const missing = [...stuck.flatMap((literal) => missingIn(literal, bound)), ...head].filter((variable) => !bound.has(variable));
    const waiting = new Set(stuck.flatMap(boundIn));
    const roots = missing.filter((variable) => !waiting.has(variable));
    // Where each waits for another in a circle, all are told.
    const told = [...new Set(roots.length > 0 ? roots : missing)];
    if (told.length === 0) return unbound;
    unbound.push(...told);
    told.forEach((variable) => bound.add(variable));
  }
}

/** The variables that a literal would bind if it could run. */
function boundIn(literal: Literal): string[] {
  switch (literal.kind) {
    case 'atom':
      return variablesIn(literal.columns);
    case 'bind':
      return [literal.variable];
    case 'and':
      return literal.literals.flatMap(boundIn);
    case 'or': {
      const [first = [], ...others] = literal.literals.map((branch) => boundIn(branch));
      return first.filter((variable) => others.every((own) => own.includes(variable)));
    }
    case 'not':
    case 'comparison':
    case 'oneOf':
      return [];
  }
}

/** The variables that a body binds. */
export function boundBy(body: readonly Literal[]): ReadonlySet<string> {
  const bound = new Set<string>();
  bind(body, bound);
  return bound;
}

/** Binds what can be bound, in whatever order the literals allow; gives those that never could run. */
function bind(literals: readonly Literal[], bound: Set<string>): readonly Literal[] {
  let open = literals.some(({ kind }) => kind === 'and')
    ? literals.flatMap((literal) => (literal.kind === 'and' ? literal.literals : [literal]))
    : literals;
  for (let size = -1; size !== open.length && open.length > 0;) {
    size = open.length;
    open = open.filter((literal) => !runs(literal, bound));
  }
  return open;
}

/** Whether a literal can run now; what it binds is bound then. */
function runs(literal: Literal, bound: Set<string>): boolean {
  switch (literal.kind) {
    case 'atom':
      for (const variable of variablesIn(literal.columns)) bound.add(variable);
      return true;
    case 'bind': {
      if (!variablesOfExpression(literal.expression).every((variable) => bound.has(variable))) return false;
      bound.add(literal.variable);
      return true;
    }
    case 'and':
      return bind(literal.literals, bound).length === 0;
    case 'or':
      return runsEach(literal.literals, bound);
    case 'not':
    case 'comparison':
    case 'oneOf':
      return variablesOf([literal]).every((variable) => bound.has(variable));
  }
}

/** A variable is bound by `or` only where every branch binds it. */
function runsEach(branches: readonly Literal[], bound: Set<string>): boolean {
  const own = branches.map((branch) => {
    const inside = new Set(bound);
    return bind([branch], inside).length === 0 ? inside : undefined;
  });
  const [first, ...others] = own;
  if (first === undefined || others.some((inside) => inside === undefined)) return false;
  for (const variable of first) if (others.every((inside) => inside?.has(variable) === true)) bound.add(variable);
  return true;
}

/** The variables that keep a literal from running. */
function missingIn(literal: Literal, bound: ReadonlySet<string>): string[] {
  switch (literal.kind) {
    case 'atom':
      return [];
    case 'bind':
      return expressionsOf(literal).flatMap(variablesOfExpression);
    case 'and':
    case 'or':
      return literal.literals.flatMap((branch) => {
        const inside = new Set(bound);
        return bind([branch], inside)
          .flatMap((stuck) => missingIn(stuck, inside))
          .filter((variable) => !inside.has(variable));
      });
    case 'not':
    case 'comparison':
    case 'oneOf':
      return variablesOf([literal]);
  }
}
