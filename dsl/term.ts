/**
 * Variables, constants and arithmetic: what stands in a column or beside a comparison.
 *
 * Reads  column types, as sorts.
 * Gives  `Var`, `Expr` and what a column takes, with `plus`, `minus`, `times` and `vars`.
 * Never  computes: an expression is data until a body is evaluated.
 */
import type * as z from 'zod';
import { carry, entriesOf, expressionIR, record, variableName } from './carry.ts';
import { irOf, type Expression, type Operator } from './ir.ts';
import { CountersignError, issue } from './issue.ts';
import type { Lit } from './literal.ts';

/** A printable name of a column's type: two columns meet in a variable when their sorts are the same string. An enum's members are quoted. */
export type Sort<T> =
  T extends z.core.$brand<infer Name>
    ? `${Base<T>}<${Name & string}>`
    : T extends string
      ? string extends T
        ? 'string'
        : `'${T}'`
      : Base<T>;
type Base<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'boolean'
      : T extends Position
        ? 'position'
        : 'not a column type';

/** The type of `seq`: a row's place in the record, to be bound and compared and nothing else. */
export interface Position {
  readonly '~position': true;
}

/** Sorts with arithmetic. */
export type NumberSort = 'number' | `number<${string}>`;
/** Sorts with an order: numbers by size, strings by code point. An enum and a boolean have none. */
export type OrderedSort = NumberSort | 'string' | `string<${string}>` | 'position';

/** The constants that may stand beside a value of a sort. Beside a branded string or boolean it is one that its schema made. */
export type Constant<S> = S extends `number${string}`
  ? number
  : S extends 'string'
    ? string
    : S extends 'boolean'
      ? boolean
      : S extends `'${infer Member}'`
        ? Member
        : S extends `string<${infer Name}>`
          ? string & z.core.$brand<Name>
          : S extends `boolean<${infer Name}>`
            ? boolean & z.core.$brand<Name>
            : never;

/**
 * Anything that has a value in a body.
 *
 * Shape  `Reads` are the relations below trusted that it reads, `Used` the variables in it. The sort comes first: where two types
 *        differ, the compiler shows the first property that differs.
 */
export interface Val<out Reads extends string, out Used extends string, out S> {
  readonly '~sort': S;
  readonly '~reads': Reads;
  readonly '~used': Used;
}

/** What a column takes besides a constant. Apart from `Var`, so that a variable of another sort is not inferred and errs once. */
export interface Bound<out Name extends string, out S> {
  readonly '~is': 'a variable';
  readonly '~sort': S;
  readonly '~used': Name;
}

export interface Var<out Name extends string, out S> extends Val<never, Name, S> {
  readonly '~is': 'a variable';
  readonly name: Name;
  /** The same sort under another name. */
  as<Other extends string>(name: Other): Var<Other, S>;
}

/** Arithmetic, a call or an aggregate. */
export interface Expr<out Reads extends string, out Used extends string, out S> extends Val<Reads, Used, S> {
  readonly '~is': 'an expression: bind it first, with .as(variable)';
  /** Binds the variable to the value; where something else binds it, compares. */
  as<Name extends string>(variable: Var<Name, S>): Lit<Reads, Name, Used>;
}

export type Term<Name extends string, T> = T | Bound<Name, Sort<T>>;

/** A schema by its core type: any class of zod's is compared with it at no cost worth naming, unlike with `ZodType`. */
export type Schema = z.core.$ZodType;
export type Shape = Readonly<Record<string, Schema>>;
/** The values of a shape's columns. */
export type Values<S> = { [K in keyof S]: S[K] extends { _zod: { output: infer T } } ? T : never };

/** Variables of your own, for names that no column has. */
export function vars<const S extends Shape>(shape: S): { readonly [K in keyof S & string]: Var<K, Sort<Values<S>[K]>> } {
  // The sorts live in types only; a variable is its name.
  return record(entriesOf(shape).map(([name]) => [name, variable(name)] as const)) as never;
}

/** A variable of any sort: who calls this says which. */
export function variable(name: string): Var<string, never> {
  return carry({ name, as: variable }, Object.freeze({ var: name }));
}

export const plus = arithmetic('plus');
export const minus = arithmetic('minus');

/** The second factor is plain: cents times a quantity is cents, and cents times cents is nothing. */
export function times<
  Reads1 extends string,
  Used1 extends string,
  S extends NumberSort,
  Reads2 extends string = never,
  Used2 extends string = never,
  Factor = 'number',
>(
  left: Val<Reads1, Used1, S>,
  right: number | ([Factor] extends ['number'] ? Val<Reads2, Used2, Factor> : NoInfer<NotPlain<Factor>>),
): Expr<Reads1 | Reads2, Used1 | Used2, S> {
  return operation('times', left, right);
}
type NotPlain<S> = `times takes a plain number as its second factor, not ${S & string}`;

function arithmetic(operator: Operator) {
  return <Reads1 extends string, Used1 extends string, S extends NumberSort, Reads2 extends string = never, Used2 extends string = never>(
    left: Val<Reads1, Used1, S>,
    right: Val<Reads2, Used2, NoInfer<S>> | number,
  ): Expr<Reads1 | Reads2, Used1 | Used2, S> => operation(operator, left, right);
}

function operation<E>(operator: Operator, left: unknown, right: unknown): E {
  return expression({
    arithmetic: operator,
    left: expressionIR(left, `left of ${operator}`),
    right: expressionIR(right, `right of ${operator}`),
  });
}

/** The carrier of an expression's IR, with its `.as`. */
export function expression<E>(ir: Expression): E {
  Object.freeze(ir);
  const as = (target: unknown) => {
    const name = variableName(irOf(target));
    if (name === undefined) throw new CountersignError([issue('dsl/not-ours', '.as(...) was given something that is no variable')]);
    return carry({}, Object.freeze({ kind: 'bind', variable: name, expression: ir }));
  };
  return carry({ as }, ir);
}
