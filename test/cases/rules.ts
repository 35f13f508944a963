/**
 * One flat neutral rule becomes one rule of the language.
 *
 * Reads  a rule without binding equalities and with aggregates over rows, and the program's relations as they were declared.
 * Gives  what `rule(head).when(...)` gives.
 * Never  mends a rule: a variable that nothing binds, a missing or a surplus column and a clash of types are the loader's to find.
 */
import type { FlatLiteral, FlatRule, RowAggregate } from './aggregates.ts';
import {
  builders,
  type Built,
  type BuiltColumns,
  type BuiltExpression,
  type BuiltRelation,
  type BuiltVariable,
  type Operand,
} from './builders.ts';
import { functionOf, schemaOf } from './functions.ts';
import { namer } from './names.ts';
import { isFloat, type Atom, type Comparison, type Float, type Term, type Type } from './neutral.ts';
import { boundIn, typeOf, type Types } from './types.ts';

/** The declared relation of a name; one that was never declared is one of an ontology which the program leaves out. */
export type Declared = (name: string) => { readonly relation: BuiltRelation; readonly arity: number | undefined };

export function buildRule(rule: FlatRule, types: Types, declared: Declared): Built {
  const desk = new Desk(types);
  const bound = boundIn(rule.body.filter((literal) => 'atom' in literal));
  const body = rule.body.map((literal): Built => {
    if ('atom' in literal) {
      const atom = bodyAtom(literal.atom, desk, declared);
      return literal.neg === true ? builders.not(atom) : atom;
    }
    if ('rows' in literal) return desk.equal(literal.rows.result, aggregate(literal, desk, declared), bound);
    if ('test' in literal) return builders.eq(desk.call(literal.test.fn, literal.test.args), literal.neg !== true);
    return comparison(literal, desk, bound);
  });
  const head = declared(rule.head.rel).relation(desk.columns(rule.head));
  return builders.rule(head).when(...body, ...desk.bindings);
}

/** A short atom would be one with wildcards; it names a column that nothing has, so that it stays the mistake that it is. */
function bodyAtom(atom: Atom, desk: Desk, declared: Declared): Built {
  const { relation, arity = atom.args.length } = declared(atom.rel);
  const columns = desk.columns(atom);
  return relation(atom.args.length < arity ? { ...columns, [`arity${atom.args.length}`]: 0 } : columns);
}

type Compared = Extract<FlatLiteral, { readonly cmp: Comparison }>;

const COMPARE = { '=': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;
const MIRROR = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

const COMPUTE = new Map([
  ['+', builders.plus],
  ['-', builders.minus],
  ['*', builders.times],
]);

/** The left operand is a variable or an expression: a constant changes sides, or is wrapped where both are constants. */
function comparison({ cmp, l, r }: Compared, desk: Desk, bound: ReadonlySet<string>): Built {
  if (cmp === '=' && 'args' in r) return desk.equal(l, desk.expression(r), bound);
  if (cmp === '=' && 'args' in l) return desk.equal(r, desk.expression(l), bound);
  const isSwapped = 'const' in l && !('const' in r);
  const [left, right] = isSwapped ? [r, l] : [l, r];
  return builders[COMPARE[isSwapped ? MIRROR[cmp] : cmp]](desk.subject(left), desk.operand(right));
}

function aggregate({ rows: { fn, over, of } }: RowAggregate, desk: Desk, declared: Declared): BuiltExpression {
  const range = { ...(of === undefined ? {} : { of: `a${of}` }), per: desk.columns(over) };
  const { relation } = declared(over.rel);
  switch (fn) {
    case 'count':
      return builders.countOf(relation, { per: range.per });
    case 'sum':
      return builders.sumOf(relation, range);
    case 'min':
      return builders.minOf(relation, range);
    case 'max':
      return builders.maxOf(relation, range);
  }
}

/** The variables of one rule, and the bindings that its columns need. */
class Desk {
  readonly bindings: Built[] = [];
  readonly #types: Types;
  readonly #name = namer();

  constructor(types: Types) {
    this.#types = types;
  }

  /** `a0`, `a1`, ... by position; `_` is a column that is left out. An expression is bound to a variable of its own first. */
  columns({ args }: Atom): BuiltColumns {
    const entries = args.flatMap((term, i): [string, BuiltVariable | string | number][] => {
      if ('wild' in term) return [];
      if ('args' in term) return [[`a${i}`, this.#bindFresh(term)]];
      return [[`a${i}`, 'var' in term ? this.#variable(term.var) : valueOf(term.const)]];
    });
    return Object.fromEntries(entries);
  }

  /** Binds where nothing else does, compares otherwise. */
  equal(term: Term, expression: BuiltExpression, bound: ReadonlySet<string>): Built {
    if ('var' in term && !bound.has(term.var)) return expression.as(this.#variable(term.var));
    return builders.eq(expression, this.operand(term));
  }

  /** A wildcard here is a variable that nothing binds. */
  operand(term: Term): Operand {
    if ('const' in term) return valueOf(term.const);
    if ('var' in term) return this.#variable(term.var);
    return 'wild' in term ? this.#fresh('wild', term) : this.expression(term);
  }

  /** An operand that is no bare constant. */
  subject(term: Term): Operand {
    return 'const' in term ? this.call('same', [term]) : this.operand(term);
  }

  expression(term: Extract<Term, { readonly args: readonly Term[] }>): BuiltExpression {
    const { args } = term;
    if ('fn' in term || typeOf(term, this.#types) === 'float') return this.call('fn' in term ? term.fn : term.op, args);
    const [left = { const: 0 }, right] = args;
    if (term.op === 'neg') return builders.times(this.subject(left), -1);
    const compute = COMPUTE.get(term.op);
    return compute === undefined || right === undefined ? this.call(term.op, args) : compute(this.subject(left), this.integer(right));
  }

  /** Beside an integer a float keeps its type, for the loader to see: `1.0` is no different from `1` once it is a value. */
  integer(term: Term): Operand {
    return 'const' in term && isFloat(term.const) ? this.subject(term) : this.operand(term);
  }

  call(word: string, args: readonly Term[]): BuiltExpression {
    const types = args.map((arg) => typeOf(arg, this.#types) ?? 'int');
    return functionOf(builders, word, types)(...args.map((arg) => this.operand(arg)));
  }

  #bindFresh(term: Extract<Term, { readonly args: readonly Term[] }>): BuiltVariable {
    const variable = this.#fresh('computed', term);
    this.bindings.push(this.expression(term).as(variable));
    return variable;
  }

  #variable(name: string): BuiltVariable {
    return named(this.#name(name), typeOf({ var: name }, this.#types));
  }

  #fresh(word: string, term: Term): BuiltVariable {
    return named(this.#name(word, Symbol(word)), typeOf(term, this.#types));
  }
}

function named(name: string, type: Type | undefined): BuiltVariable {
  const variables = builders.vars({ [name]: schemaOf[type ?? 'string'] });
  return variables[name] as BuiltVariable; // `vars` gives what it was asked for.
}

function valueOf(constant: string | number | Float): string | number {
  return isFloat(constant) ? constant.float + 0 : constant; // `-0.0` is 0.
}
