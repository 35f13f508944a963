/**
 * What stands in a body: atoms, comparisons, and their combinations.
 *
 * Reads  terms and expressions.
 * Gives  `not`, `and`, `or`, `oneOf`, the six comparisons and `always`.
 * Never  says what is true: a literal is data with the variables that it binds and needs in its type.
 */
import { carry, expressionIR, literalIR, literalsIR } from './carry.ts';
import type { ComparisonName, Value } from './ir.ts';
import type { Constant, OrderedSort, Val } from './term.ts';

/** `Reads`: relations read that are not fully trusted. `Binds`: variables bound. `Needs`: variables that something else must bind. */
export interface Lit<out Reads extends string, out Binds extends string, out Needs extends string> {
  readonly '~reads': Reads;
  readonly '~binds': Binds;
  readonly '~needs': Needs;
}
export type AnyLit = Lit<string, string, string>;

/** `Missing`: declared columns that were left out, wildcards in a body and an error in a head. */
export interface Atom<out Name extends string, out Reads extends string, out Used extends string, out Missing extends string> extends Lit<
  Reads,
  Used,
  never
> {
  readonly '~relation': Name;
  readonly '~missing': Missing;
}
export type AnyAtom = Atom<string, string, string, string>;

/** The columns of what is judged. Under one name, so that what carries it stays short however many there are. */
export interface SourceRow {
  readonly declared: unknown;
  readonly stamped: unknown;
  /** What a decision keeps with it. */
  readonly recorded: unknown;
}
/** An atom of evidence that a `decide` may judge. */
export interface SourceAtom<out Name extends string, out Used extends string, out Row extends SourceRow> extends Atom<
  Name,
  Name,
  Used,
  never
> {
  readonly '~row': Row;
}

export interface Comparison<out Reads extends string, out Used extends string> extends Lit<Reads, never, Used> {
  readonly '~compares': true;
}

/** Holds when the literal does not. It binds nothing; to negate a conjunction, name it with a view first. */
export function not<Reads extends string, Used extends string>(
  literal: Atom<string, Reads, Used, string> | Comparison<Reads, Used>,
): Lit<Reads, never, Used> {
  return carry({}, Object.freeze({ kind: 'not', literal: literalIR(literal) }));
}

export function and<Body extends readonly AnyLit[]>(
  ...literals: Body
): Lit<Body[number]['~reads'], Body[number]['~binds'], Exclude<Body[number]['~needs'], Body[number]['~binds']>> {
  return carry({}, Object.freeze({ kind: 'and', literals: literalsIR(literals) }));
}

/** Binds a variable only where every branch binds it. */
export function or<Body extends readonly [AnyLit, AnyLit, ...AnyLit[]]>(
  ...literals: Body
): Lit<Body[number]['~reads'], BoundByAll<Body>, Body[number]['~needs']> {
  return carry({}, Object.freeze({ kind: 'or', literals: literalsIR(literals) }));
}
type BoundByAll<Body> = Body extends readonly [Lit<string, infer Binds, string>, ...infer Rest]
  ? Rest extends readonly []
    ? Binds
    : Binds & BoundByAll<Rest>
  : never;

/** True of every row: for an `asks` that always asks. */
export const always: Lit<never, never, never> = carry({}, Object.freeze({ kind: 'and', literals: Object.freeze([]) }));

/** Whether the value is one of the constants. */
export function oneOf<Reads extends string, Used extends string, S>(
  value: Val<Reads, Used, S>,
  ...members: [Constant<NoInfer<S>>, ...Constant<NoInfer<S>>[]]
): Comparison<Reads, Used> {
  const copy: readonly Value[] = Object.freeze([...members]);
  return carry({}, Object.freeze({ kind: 'oneOf', value: expressionIR(value, 'value of oneOf'), members: copy }));
}

export const eq = equality('eq');
export const neq = equality('neq');
export const gt = order('gt');
export const gte = order('gte');
export const lt = order('lt');
export const lte = order('lte');

function equality(name: ComparisonName) {
  return <Reads1 extends string, Used1 extends string, S, Reads2 extends string = never, Used2 extends string = never>(
    left: Val<Reads1, Used1, S>,
    right: Val<Reads2, Used2, NoInfer<S>> | Constant<NoInfer<S>>,
  ): Comparison<Reads1 | Reads2, Used1 | Used2> => comparison(name, left, right);
}

function order(name: ComparisonName) {
  return <Reads1 extends string, Used1 extends string, S extends OrderedSort, Reads2 extends string = never, Used2 extends string = never>(
    left: Val<Reads1, Used1, S>,
    right: Val<Reads2, Used2, NoInfer<S>> | Constant<NoInfer<S>>,
  ): Comparison<Reads1 | Reads2, Used1 | Used2> => comparison(name, left, right);
}

function comparison<C>(name: ComparisonName, left: unknown, right: unknown): C {
  const ir = {
    kind: 'comparison',
    comparison: name,
    left: expressionIR(left, `left of ${name}`),
    right: expressionIR(right, `right of ${name}`),
  };
  return carry({}, Object.freeze(ir));
}
