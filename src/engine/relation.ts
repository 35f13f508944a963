/**
 * A relation in memory: distinct rows of interned values, each with its support, as it is now and as it was before this settlement.
 *
 * Reads  rows of integers with a sign: one more, or one fewer, reason for the row to be there.
 * Gives  membership by the full row, indexes by any columns, and the rows whose presence differs from before.
 * Never  takes a hash for an answer: the full row is compared, always.
 */
import { copyTo, finish, hashColumns, Index, mix } from './index-chain.ts';

/** The row is there now; it was there before this settlement; it has been touched by this settlement. */
export const NOW = 1;
export const BEFORE = 2;
const TOUCHED = 4;

/** Looks through all rows that cost less than an index. */
const looksMax = 64;
/** Rows that are looked through rather than an index made. */
const fewMax = 256;

export class Relation {
  readonly name: string;
  readonly arity: number;
  /** Row-major; row r starts at r * arity. */
  rows: Int32Array<ArrayBuffer>;
  flags = new Uint8Array(16);
  /** Rows in use or free: every row number is below this. */
  end = 0;
  /** Rows that were touched, in order, until `commit`. */
  readonly touched: number[] = [];
  readonly indexes: Index[] = [];
  #support = new Int32Array(16);
  #slots = new Int32Array(32).fill(-1);
  #used = 0;
  #count = 0;
  readonly #free: number[] = [];
  /** How often rows were looked for by columns that have no index. */
  readonly #looks = new Map<string, number>();
  readonly #all: readonly number[];

  constructor(name: string, arity: number) {
    this.name = name;
    this.arity = arity;
    this.rows = new Int32Array(16 * arity);
    this.#all = Array.from({ length: arity }, (_, i) => i);
  }

  /** How many rows are there now. */
  get count(): number {
    return this.#count;
  }

  isNow(row: number): boolean {
    return ((this.flags[row] as number) & NOW) !== 0;
  }

  /** The row with these values, or -1; present now or before. */
  find(values: Int32Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hash(values) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot] as number;
      if (row < 0) return -1;
      if (this.#equals(row, values)) return row;
    }
  }

  /** Adds to the support of a row, which comes into being or goes with it. Gives its number. */
  add(values: Int32Array, sign: number): number {
    const row = this.#place(values);
    const support = (this.#support[row] as number) + sign;
    if (support < 0) throw new Error(`${this.name}: a row lost more support than it had`);
    this.#support[row] = support;
    this.#show(row, support > 0);
    return row;
  }

  /** Makes a row present (1 or more) or absent (0), whatever supported it: for relations that are derived in a cycle, by age. */
  set(row: number, age: number): void {
    this.#support[row] = age;
    this.#show(row, age > 0);
  }

  /** Of a relation that is derived in a cycle: some derivation of the row rests on rows of a lower age only. */
  age(row: number): number {
    return this.#support[row] as number;
  }

  /** The number of a row that may be absent, so that `set` can make it present. */
  place(values: Int32Array): number {
    return this.#place(values);
  }

  /** The index by these columns, made when it is first asked for. */
  index(columns: readonly number[]): Index {
    const known = this.#known(columns);
    if (known !== undefined) return known;
    const index = new Index(columns);
    // A row that is only touched is in the table too, and leaves with the others.
    for (let row = 0; row < this.end; row++) if (this.flags[row] !== 0) index.add(row, this.rows, this.arity);
    this.indexes.push(index);
    return index;
  }

  /**
   * The rows that are there now and have these values in these columns, each column once.
   *
   * Cost    by an index, or one by some of the columns that leaves few rows; without any a look through all rows, until such looks have
   *         cost what an index does.
   */
  *select(columns: readonly number[], key: Int32Array): Generator<number> {
    const order = columns.map((_, i) => i).sort((a, b) => (columns[a] as number) - (columns[b] as number));
    const sorted = order.map((i) => columns[i] as number);
    if (sorted.length === this.arity) {
      const row = this.find(Int32Array.from(order, (i) => key[i] as number));
      if (row >= 0 && this.isNow(row)) yield row;
      return;
    }
    const has = (row: number) => this.isNow(row) && columns.every((column, i) => this.rows[row * this.arity + column] === key[i]);
    const index = this.#known(sorted);
    const rows = index === undefined ? (this.#few(columns, key) ?? this.#through(sorted, columns, key)) : bucketOf(index, columns, key);
    for (const row of rows) if (has(row)) yield row;
  }

  /** Makes every row that is there count as new, for a settlement that derives all anew. */
  renew(): void {
    for (const row of this.touched) {
      if (this.isNow(row)) continue;
      this.flags[row] = 0;
      this.#remove(row);
    }
    this.touched.length = 0;
    for (let row = 0; row < this.end; row++) {
      if (!this.isNow(row)) continue;
      this.flags[row] = NOW | TOUCHED;
      this.touched.push(row);
    }
  }

  /** Ends the settlement: what is, was. Rows that are gone give their place back. */
  commit(): void {
    for (const row of this.touched) {
      const isPresent = this.isNow(row);
      this.flags[row] = isPresent ? NOW | BEFORE : 0;
      if (!isPresent) this.#remove(row);
    }
    this.touched.length = 0;
  }

  /** Forgets every row. */
  clear(): void {
    this.end = 0;
    this.touched.length = 0;
    this.#count = 0;
    this.#used = 0;
    this.#free.length = 0;
    this.#slots.fill(-1);
    this.flags.fill(0);
    this.#support.fill(0);
    // In place: joins hold on to the indexes they use.
    for (const index of this.indexes) index.clear();
  }

  #known(columns: readonly number[]): Index | undefined {
    return this.indexes.find(
      (index) => index.columns.length === columns.length && index.columns.every((column, i) => column === columns[i]),
    );
  }

  /** What an index by some of the columns leaves, where that is few rows: joins have made such indexes for themselves. */
  #few(columns: readonly number[], key: Int32Array): number[] | undefined {
    for (const index of this.indexes) {
      if (index.columns.length === 0 || !index.columns.every((column) => columns.includes(column))) continue;
      const rows: number[] = [];
      for (const row of bucketOf(index, columns, key)) if (rows.push(row) > fewMax) break;
      if (rows.length <= fewMax) return rows;
    }
    return undefined;
  }

  /** All rows, or those of an index once it is worth its price: one that is asked for once is dearer than what it saves. */
  *#through(sorted: readonly number[], columns: readonly number[], key: Int32Array): Generator<number> {
    const [first] = columns;
    if (first === undefined) {
      for (let row = 0; row < this.end; row++) yield row;
      return;
    }
    const name = sorted.join();
    const looks = (this.#looks.get(name) ?? 0) + 1;
    this.#looks.set(name, looks);
    if (looks > looksMax) yield* bucketOf(this.index(sorted), columns, key);
    else for (let row = 0; row < this.end; row++) if (this.rows[row * this.arity + first] === key[0]) yield row;
  }

  #show(row: number, isPresent: boolean): void {
    const flags = this.flags[row] as number;
    const was = (flags & NOW) !== 0;
    if (was !== isPresent) this.#count += isPresent ? 1 : -1;
    if ((flags & TOUCHED) === 0) this.touched.push(row);
    this.flags[row] = (flags & ~NOW) | TOUCHED | (isPresent ? NOW : 0);
  }

  #place(values: Int32Array): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hash(values) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot] as number;
      if (row < 0) break;
      if (this.#equals(row, values)) return row;
    }
    const row = this.#free.pop() ?? this.#extend();
    this.rows.set(this.arity === values.length ? values : values.subarray(0, this.arity), row * this.arity);
    this.#slots[slot] = row;
    for (const index of this.indexes) index.add(row, this.rows, this.arity);
    if (++this.#used * 2 > this.#slots.length) this.#rehash();
    // Touched at once, so that a row that never becomes present is swept all the same.
    this.flags[row] = TOUCHED;
    this.touched.push(row);
    return row;
  }

  #extend(): number {
    const row = this.end++;
    if (row >= this.flags.length) {
      const size = this.flags.length * 2;
      this.rows = copyTo(size * this.arity, this.rows);
      this.#support = copyTo(size, this.#support);
      const flags = new Uint8Array(size);
      flags.set(this.flags);
      this.flags = flags;
    }
    return row;
  }

  /** Linear probing without tombstones: what would be cut off behind the hole moves into it. */
  #remove(row: number): void {
    const mask = this.#slots.length - 1;
    let hole = this.#hashRow(row) & mask;
    while (this.#slots[hole] !== row) hole = (hole + 1) & mask;
    for (let slot = (hole + 1) & mask; (this.#slots[slot] as number) >= 0; slot = (slot + 1) & mask) {
      const home = this.#hashRow(this.#slots[slot] as number) & mask;
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        this.#slots[hole] = this.#slots[slot] as number;
        hole = slot;
      }
    }
    this.#slots[hole] = -1;
    for (const index of this.indexes) index.remove(row, this.rows, this.arity);
    this.#used--;
    this.#free.push(row);
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 4).fill(-1);
    const mask = this.#slots.length - 1;
    for (const row of old) {
      if (row < 0) continue;
      let slot = this.#hashRow(row) & mask;
      while ((this.#slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = row;
    }
  }

  #equals(row: number, values: Int32Array): boolean {
    const offset = row * this.arity;
    for (let i = 0; i < this.arity; i++) if (this.rows[offset + i] !== values[i]) return false;
    return true;
  }

  #hash(values: Int32Array): number {
    let hash = 0;
    for (let i = 0; i < this.arity; i++) hash = mix(hash, values[i] as number);
    return finish(hash);
  }

  #hashRow(row: number): number {
    return hashColumns(this.rows, row * this.arity, this.#all);
  }
}

/** The rows whose values may be these, as far as the columns of the index go. */
function* bucketOf(index: Index, columns: readonly number[], key: Int32Array): Generator<number> {
  let hash = 0;
  for (const column of index.columns) hash = mix(hash, key[columns.indexOf(column)] as number);
  for (let row = index.first(finish(hash)); row >= 0; row = index.next(row)) yield row;
}
