/**
 * The dictionary: every value gets a small integer, once, so that rows are integers and equality is one comparison.
 *
 * Reads  values of columns, and the wide values that exact arithmetic gives inside a body.
 * Gives  the same number for the same value, for the life of an engine.
 * Never  a number for NaN or -0: they are refused before they come here.
 */
import type { Value } from '../../dsl/ir.ts';

/** An exact integer beyond the safe range, or a sum of floats beyond the finite ones: may be compared, not stored. */
export type Wide = Value | bigint;

/** Values that one map takes: it ends at 2 ** 24, and beyond so many a further one is begun. */
const mapSizeMax = 16_000_000;

export class Dictionary {
  readonly #ids = [new Map<Wide, number>()];
  readonly #values: Wide[] = [];
  readonly #isWide: boolean[] = [];

  /** The number of a value; a safe bigint is the integer itself. */
  intern(given: Wide): number {
    const value = typeof given === 'bigint' && isSafe(given) ? Number(given) : given;
    const known = this.#find(value);
    if (known !== undefined) return known;
    const id = this.#values.length;
    if (id > 0 && id % mapSizeMax === 0) this.#ids.push(new Map());
    this.#ids.at(-1)?.set(value, id);
    this.#values.push(value);
    this.#isWide.push(typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)));
    return id;
  }

  /** The number of a value that some row already has; -1 for any other. */
  find(value: Value): number {
    return this.#find(value) ?? -1;
  }

  #find(value: Wide): number | undefined {
    for (const ids of this.#ids) {
      const known = ids.get(value);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  value(id: number): Wide {
    return this.#values[id] as Wide;
  }

  /** Whether no column can hold it. */
  isWide(id: number): boolean {
    return this.#isWide[id] === true;
  }

  get size(): number {
    return this.#values.length;
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}
