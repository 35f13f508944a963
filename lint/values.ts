/**
 * What an expression comes to where it is read and not run.
 *
 * Gives  `Unread`, for what cannot be followed, with the place and the reason; functions of the author as closures.
 * Never  guesses: what is not certain is unread, and what is made of it is unread too.
 */
import type { ts } from 'ts-morph';

/** What could not be followed. */
export class Unread {
  readonly node: ts.Node;
  readonly why: string;
  constructor(node: ts.Node, why: string) {
    this.node = node;
    this.why = why;
  }
}

/** Thrown where nothing can be given at all; caught at the nearest value. */
export class NotFollowed extends Error {
  readonly unread: Unread;
  constructor(node: ts.Node, why: string) {
    super(why);
    this.unread = new Unread(node, why);
  }
}

/** A function of the author, with the values that it closes over. */
export class Closure {
  readonly node: ts.FunctionLikeDeclaration;
  readonly scope: Scope;
  constructor(node: ts.FunctionLikeDeclaration, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** Values of parameters and of constants within a function, by symbol. */
export class Scope {
  /** Of code that runs once: the values of its calls, so that who reads one twice reads one part, not two. */
  readonly calls: Map<ts.Node, unknown> | undefined;
  readonly #outer: Scope | undefined;
  readonly #values = new Map<ts.Symbol, unknown>();

  constructor(outer?: Scope, runs: 'once' | 'often' = 'often') {
    this.#outer = outer;
    this.calls = runs === 'once' ? new Map() : undefined;
  }

  set(symbol: ts.Symbol, value: unknown): void {
    this.#values.set(symbol, value);
  }

  has(symbol: ts.Symbol): boolean {
    return this.#values.has(symbol) || this.#outer?.has(symbol) === true;
  }

  get(symbol: ts.Symbol): unknown {
    return this.#values.has(symbol) ? this.#values.get(symbol) : this.#outer?.get(symbol);
  }
}

/** The first part of a value that could not be followed: of lists and records what stands in them. */
export function unreadIn(value: unknown, depth = 0): Unread | undefined {
  if (value instanceof Unread) return value;
  if (depth > depthMax || typeof value !== 'object' || value === null || value instanceof Closure) return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return undefined;
  for (const part of Object.values(value)) {
    const found = unreadIn(part, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
const depthMax = 50;

/** What source writes with braces. What a builder made is no such record: it carries more than its members. */
export function isPlain(value: object): value is Record<string, unknown> {
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
