/**
 * An index of a table: rows by the values of some columns, as doubly linked chains, so that a row leaves as cheaply as it came.
 *
 * Reads  the row-major integers of its table.
 * Gives  the first row of a bucket and the next of a row; the caller compares the columns, for a bucket is only a hash.
 * Never  removes a row while a join runs: that waits for the end of the settlement.
 */
export class Index {
  readonly columns: readonly number[];
  #heads = new Int32Array(16).fill(-1);
  #next = new Int32Array(16);
  #previous = new Int32Array(16);
  #count = 0;

  constructor(columns: readonly number[]) {
    this.columns = columns;
  }

  /** The first row of the bucket of this hash, or -1. */
  first(hash: number): number {
    return this.#heads[hash & (this.#heads.length - 1)] as number;
  }

  /** The row after this one in its bucket, or -1. */
  next(row: number): number {
    return this.#next[row] as number;
  }

  add(row: number, rows: Int32Array, arity: number): void {
    if (row >= this.#next.length) this.#grow(row);
    if (++this.#count > this.#heads.length) this.#rehash(rows, arity);
    this.#link(row, hashColumns(rows, row * arity, this.columns));
  }

  remove(row: number, rows: Int32Array, arity: number): void {
    const next = this.#next[row] as number;
    const previous = this.#previous[row] as number;
    if (next >= 0) this.#previous[next] = previous;
    if (previous >= 0) this.#next[previous] = next;
    else this.#heads[hashColumns(rows, row * arity, this.columns) & (this.#heads.length - 1)] = next;
    this.#count--;
  }

  clear(): void {
    this.#heads.fill(-1);
    this.#count = 0;
  }

  #link(row: number, hash: number): void {
    const bucket = hash & (this.#heads.length - 1);
    const head = this.#heads[bucket] as number;
    this.#next[row] = head;
    this.#previous[row] = -1;
    if (head >= 0) this.#previous[head] = row;
    this.#heads[bucket] = row;
  }

  #grow(row: number): void {
    const size = Math.max(row + 1, this.#next.length * 2);
    this.#next = copyTo(size, this.#next);
    this.#previous = copyTo(size, this.#previous);
  }

  #rehash(rows: Int32Array, arity: number): void {
    const old = this.#heads;
    const next = this.#next;
    this.#heads = new Int32Array(old.length * 4).fill(-1);
    const chained: number[] = [];
    for (const head of old) for (let row = head; row >= 0; row = next[row] as number) chained.push(row);
    for (const row of chained) this.#link(row, hashColumns(rows, row * arity, this.columns));
  }
}

export function copyTo(size: number, from: Int32Array): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}

/** Mixes the given columns of a row; the same values give the same hash from a row and from an environment. */
export function hashColumns(rows: Int32Array, offset: number, columns: readonly number[]): number {
  let hash = 0;
  for (let i = 0; i < columns.length; i++) hash = mix(hash, rows[offset + (columns[i] as number)] as number);
  return finish(hash);
}

export function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);
}

export function finish(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (spread ^ (spread >>> 13)) >>> 0;
}
