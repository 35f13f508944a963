/**
 * Expressions at run time: exact integer arithmetic, functions that may fail, comparisons.
 *
 * Reads  slots of an environment, decoded by the dictionary.
 * Gives  a value, or a `Failed` with what went wrong: a failure is a value that the plan has rules for.
 * Never  rounds an integer, and never lets what a function throws escape.
 */
import type { FunctionDefinition } from '../../dsl/ir.ts';
import { compareValues, describe, kindFault, sortOf } from '../../dsl/value.ts';
import type { Computation, Test } from '../load/load.ts';
import type { Dictionary, Wide } from './dictionary.ts';

/** Why an expression has no value. */
export class Failed {
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}
export type Computed = (slots: Int32Array) => Wide | Failed;
export type Judged = (slots: Int32Array) => boolean | Failed;

/** The longest explanation that is kept of what a function threw, in characters. */
export const whatLengthMax = 200;

export class Calculator {
  readonly #dictionary: Dictionary;
  readonly #memos = new Map<FunctionDefinition, Map<number | string, Wide | Failed>>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  computed(computation: Computation): Computed {
    if ('slot' in computation) {
      const { slot } = computation;
      return (slots) => this.#dictionary.value(slots[slot] as number);
    }
    if ('constant' in computation) {
      const { constant } = computation;
      return () => constant;
    }
    return 'operator' in computation ? this.#arithmetic(computation) : this.#call(computation);
  }

  judged(test: Test, isNegated: boolean): Judged {
    const holds = this.#test(test);
    if (!isNegated) return holds;
    return (slots) => {
      const result = holds(slots);
      return result instanceof Failed ? result : !result;
    };
  }

  #test(test: Test): Judged {
    if (test.test === 'oneOf') {
      const value = this.computed(test.value);
      const members = new Set<Wide>(test.members);
      return (slots) => {
        const given = value(slots);
        return given instanceof Failed ? given : members.has(given);
      };
    }
    const left = this.computed(test.left);
    const right = this.computed(test.right);
    const holds = COMPARISONS[test.comparison];
    return (slots) => {
      const a = left(slots);
      if (a instanceof Failed) return a;
      const b = right(slots);
      return b instanceof Failed ? b : holds(compareValues(a, b));
    };
  }

  #arithmetic(computation: Extract<Computation, { readonly operator: unknown }>): Computed {
    const left = this.computed(computation.left);
    const right = this.computed(computation.right);
    const { operator } = computation;
    return (slots) => {
      const a = left(slots);
      if (a instanceof Failed) return a;
      const b = right(slots);
      if (b instanceof Failed) return b;
      return exact(operator, a as number | bigint, b as number | bigint);
    };
  }

  /** A function is pure: what it gave for some arguments is remembered, up to a bound, and not asked for again. */
  #call({ definition, args }: Extract<Computation, { readonly definition: unknown }>): Computed {
    const inputs = args.map((arg) => this.computed(arg));
    const memo = this.#memos.get(definition) ?? new Map<number | string, Wide | Failed>();
    this.#memos.set(definition, memo);
    const run = caller(definition);
    return (slots) => {
      const values: Wide[] = [];
      for (const input of inputs) {
        const value = input(slots);
        if (value instanceof Failed) return value;
        if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
          return new Failed(`${value} is no safe integer`);
        values.push(value);
      }
      const key = this.#keyOf(values);
      const known = memo.get(key);
      if (known !== undefined) return known;
      const result = run(values);
      if (memo.size < memoSizeMax) memo.set(key, result);
      return result;
    };
  }

  #keyOf(values: readonly Wide[]): number | string {
    const ids = values.map((value) => this.#dictionary.intern(value));
    // Two numbers of 26 bits make one exact number; anything longer is a text.
    if (ids.length === 1) return ids[0] as number;
    if (ids.length === 2 && (ids[0] as number) < 2 ** 26 && (ids[1] as number) < 2 ** 26)
      return (ids[0] as number) * 2 ** 26 + (ids[1] as number);
    return ids.join(',');
  }
}

/** Results that are remembered per function. */
const memoSizeMax = 65_536;

const COMPARISONS = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;

function exact(operator: string, left: number | bigint, right: number | bigint): Wide {
  if (typeof left === 'number' && typeof right === 'number') {
    const near = operator === 'plus' ? left + right : operator === 'minus' ? left - right : left * right;
    if (Number.isSafeInteger(near)) return near === 0 ? 0 : near;
    // The operands of arithmetic are integers; a sum of floats beyond the finite ones has no exact value to go on with.
    if (!Number.isFinite(left) || !Number.isFinite(right)) return near;
  }
  const a = BigInt(left);
  const b = BigInt(right);
  return operator === 'plus' ? a + b : operator === 'minus' ? a - b : a * b;
}

function caller(definition: FunctionDefinition): (values: readonly Wide[]) => Wide | Failed {
  const sort = sortOf(definition.output);
  if (sort === undefined) return () => new Failed(`${definition.name} has no column type`);
  const implementation = definition.implementation as (...args: readonly Wide[]) => unknown;
  return (values) => {
    let result: unknown;
    try {
      result = implementation(...values);
    } catch (error) {
      return new Failed(messageOf(error));
    }
    // A promise is no value, and nobody else will hear of it when it fails.
    if (result instanceof Promise) result.catch(() => undefined);
    return kindFault(sort, result) === undefined ? (result as Wide) : new Failed(`${definition.name} returned ${describe(result)}`);
  };
}

/** What was thrown, in words; asking an exotic error for its message may itself throw. */
function messageOf(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    // A reason is kept in the ledger, so it must have a canonical text, also where it is cut within a character.
    return String(message)
      .slice(0, whatLengthMax)
      .replace(/\p{Surrogate}/gu, '\ufffd');
  } catch {
    return 'threw something that cannot be described';
  }
}
