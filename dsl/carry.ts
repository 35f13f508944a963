/**
 * How a value of the language carries its IR, and how an argument is read back into IR.
 *
 * Reads  whatever an author passes in, each property once.
 * Gives  frozen carriers, null-prototype records, and the IR of terms, columns, expressions and literals.
 * Never  judges: what is no value of the language is left for the loader, which tells everything at once; it throws only where
 *        there is nothing that IR could say.
 */
import { CountersignError, isCountersignError, issue } from './issue.ts';
import { IR, irOf, type Columns, type Expression, type Literal, type Term, type Value } from './ir.ts';
import { didYouMean } from './name.ts';
import { describe, isList, isSchema } from './value.ts';

/** Puts the IR on a value, out of sight of `Object.keys` and of JSON, and freezes the value. */
export function carry<Carrier>(value: object, ir: unknown): Carrier {
  // What a carrier promises beyond its IR exists in types only, so the compiler cannot see that the value keeps it.
  return Object.freeze(Object.defineProperty(value, IR, { value: ir })) as Carrier;
}

/** `Object.freeze`, typed plainly: its overloads compare every type that they are given with an index signature, at a great cost. */
export function frozen<T extends object>(value: T): T {
  return Object.freeze(value);
}

/** A frozen record that has the given names and no others: no prototype, so `constructor` is a name like any other. */
export function record<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const names = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) names[name] = value;
  return Object.freeze(names);
}

/** Runs the reading of an argument; what the argument throws when it is read becomes the cause of an issue. */
export function reading<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw new CountersignError([issue('dsl/argument-type', `${place}: reading it throws`)], { cause: thrown });
  }
}

/** Throws: an argument is not what its place takes. */
export function refuse(what: string): never {
  throw new CountersignError([issue('dsl/argument-type', what)]);
}

/** The entries of an object, each property read once; none for what is no object. */
export function entriesOf(value: unknown, place = 'an argument'): [string, unknown][] {
  return typeof value === 'object' && value !== null ? reading(place, () => Object.entries(value)) : [];
}

/** The options of a builder, each read once: a record, and none but the known ones, since a misspelt one would say nothing. */
export function optionsOf<const Name extends string>(
  value: unknown,
  place: string,
  known: readonly Name[],
): { readonly [N in Name]?: unknown } {
  if (!isRecord(value)) return refuse(`${place}: ${called(value)} is no record of ${known.join(', ')}`);
  const options = entriesOf(value, place);
  const isKnown = (name: string) => known.some((one) => one === name);
  const faults = options.flatMap(([name, given]) => {
    if (!isKnown(name)) return [issue('dsl/argument-type', `${place} takes no ${name}${didYouMean(name, known)}`)];
    return given === undefined ? [issue('dsl/argument-type', `${place}: ${name} was given as undefined`)] : [];
  });
  if (faults.length > 0) throw new CountersignError(faults);
  return record(options) as { readonly [N in Name]?: unknown };
}

/** A copy of a list. */
export function listOf(value: unknown, place: string): readonly unknown[] {
  return isList(value) ? reading(place, () => Array.from(value)) : refuse(`${place}: ${called(value)} is no list`);
}

/** A plain record: what is written with braces. A date, a map or a schema has entries that nobody wrote. */
export function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isSchema(value) || isList(value)) return false;
  return reading('an argument', () => {
    const parent: unknown = Object.getPrototypeOf(value);
    return parent === null || Object.getPrototypeOf(parent) === null;
  });
}

/** An argument in a message. */
export function called(value: unknown): string {
  if (isSchema(value)) return 'a schema';
  return describe(value);
}

export function columnsIR(relation: string, columns: unknown): Columns {
  return record(entriesOf(columns, relation).map(([name, value]) => [name, termIR(value, `${relation}.${name}`)] as const));
}

/** The IR of what stands in a column: a variable or a constant. The constant may be of any kind; the loader compares it with its column. */
export function termIR(value: unknown, place: string): Term {
  if (value === undefined) throw new CountersignError([issue('dsl/column-undefined', `${place} was given as undefined`)]);
  const ir = irOf(value);
  if (ir === undefined) return Object.freeze({ const: value as Value });
  const name = variableName(ir);
  if (name === undefined) throw new CountersignError([issue('dsl/expression-in-column', `${place} was given an expression or a literal`)]);
  return Object.freeze({ var: name });
}

/** The name of a variable, from its IR; undefined for any other IR. */
export function variableName(ir: unknown): string | undefined {
  if (typeof ir !== 'object' || ir === null || !('var' in ir)) return undefined;
  const name = ir.var;
  return typeof name === 'string' ? name : undefined;
}

/** The name of a relation, from its IR: a string that somebody else put on an object names nothing. */
export function relationName(value: unknown, place: string): string {
  const ir = irOf(value);
  const name: unknown = typeof ir === 'object' && ir !== null && 'columns' in ir && 'name' in ir ? ir.name : undefined;
  if (typeof name === 'string') return name;
  throw new CountersignError([issue('dsl/not-ours', `${place} was given something that is no relation`)]);
}

export function expressionIR(value: unknown, place: string): Expression {
  if (value === undefined) throw new CountersignError([issue('dsl/column-undefined', `${place} was given as undefined`)]);
  // What carries IR is an expression or is refused by the loader.
  return (irOf(value) as Expression | undefined) ?? Object.freeze({ const: value as Value });
}

/** The IR of a literal. What carries none stands in the body as null, so that the loader refuses it by its place. */
export function literalIR(value: unknown): Literal {
  return (irOf(value) ?? null) as Literal;
}

export function literalsIR(values: readonly unknown[]): readonly Literal[] {
  return Object.freeze(values.map(literalIR));
}
