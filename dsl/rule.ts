/**
 * Rules, named groups of them, and invariants.
 *
 * Reads  a head atom and the literals of a body.
 * Gives  frozen rules, each with the place where it was written; a rule's id is its group's name and its own key.
 * Never  judges a rule alone: a path may lead through many of them, so the program is judged whole when it loads.
 */
import { carry, entriesOf, literalIR, literalsIR, record } from './carry.ts';
import { irOf, type Atom as AtomIR, type InvariantIR, type Location, type RuleIR, type RulesetIR } from './ir.ts';
import { callerLocation } from './location.ts';
import type { AnyAtom, AnyLit } from './literal.ts';
import type { Checked, HeadName, HeadOk, HeadVariables, Safe } from './reads.ts';

export interface Rule {
  readonly kind: 'rule';
}

export interface Head<Name extends string, Used extends string> {
  /** The head holds when all of the body does. */
  when<Body extends readonly AnyLit[]>(
    this: Safe<Name, Used, Body[number], this>,
    ...body: { [I in keyof Body]: Checked<Name, Body[I]> }
  ): Rule;
}

export function rule<A extends AnyAtom>(head: HeadOk<A>): Head<HeadName<A>, HeadVariables<A>> {
  const headIR = literalIR(head) as AtomIR;
  const when = (...body: readonly unknown[]) => {
    const location = callerLocation();
    const ir: RuleIR = { kind: 'rule', head: headIR, body: literalsIR(body), ...at(location) };
    return carry<Rule>({ kind: 'rule' }, Object.freeze(ir));
  };
  // `when` checks its `this` in types only.
  return Object.freeze({ when }) as never;
}

export interface Ruleset {
  readonly kind: 'ruleset';
  readonly name: string;
}

/** A named group of rules. Its keys become the ids that proofs, receipts and refusals show: "orders.acceptParse". */
export function ruleset(name: string, rules: Readonly<Record<string, Rule>>): Ruleset {
  // What is no rule is refused by the loader, under its id.
  const irs = record(entriesOf(rules).map(([key, value]) => [key, (irOf(value) ?? null) as RuleIR] as const));
  const ir: RulesetIR = { kind: 'ruleset', name, rules: irs };
  return carry({ kind: 'ruleset', name }, Object.freeze(ir));
}

export interface Invariant {
  readonly kind: 'invariant';
}

export interface InvariantHead<Name extends string> {
  /** The body describes an impossible state: a transition that would bring it about is refused. */
  never<Body extends readonly AnyLit[]>(
    this: Safe<Name, never, Body[number], this>,
    ...body: { [I in keyof Body]: Checked<Name, Body[I]> }
  ): Invariant;
}

/** Reads trusted and approved relations, so that no model can block a transition by what it says. */
export function invariant(name: string): InvariantHead<'invariant'> {
  return impossible(name, false);
}

/** Reads everything, and lets a model block transitions: it is reported. */
export function evidenceInvariant(name: string): InvariantHead<'evidenceInvariant'> {
  return impossible(name, true);
}

function impossible<H>(name: string, evidence: boolean): H {
  const never = (...body: readonly unknown[]) => {
    const location = callerLocation();
    const ir: InvariantIR = { kind: 'invariant', name, evidence, body: literalsIR(body), ...at(location) };
    return carry<Invariant>({ kind: 'invariant' }, Object.freeze(ir));
  };
  // `never` checks its `this` in types only.
  return Object.freeze({ never }) as H;
}

export function at(location: Location | undefined): { readonly location?: Location } {
  return location === undefined ? {} : { location };
}
