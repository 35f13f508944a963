/**
 * Surveys a project: every part of a program that its source builds, with the place where it was written.
 *
 * Reads  the sources of a compiler's program, from the outermost expressions inwards.
 * Gives  parts as the builders made them, what they refused, casts on the way, and what could not be followed.
 * Never  skips: a builder that nothing reached is told like one that was given something unknown.
 */
import type { ts } from 'ts-morph';
import { irOf } from '../dsl/ir.ts';
import { isCountersignError, issue, type Issue } from '../dsl/issue.ts';
import { located } from '../dsl/location.ts';
import { Evaluator, withFunctions, type Listener } from './evaluate.ts';
import { mayCall, PARTS, RUNNERS, WHOLES } from './known.ts';
import { Closure, isPlain, NotFollowed, Scope, Unread, unreadIn } from './values.ts';
import type { Symbols } from './symbols.ts';

/** Something that a builder made. */
export interface Part {
  readonly value: object;
  readonly ir: { readonly kind?: string };
  readonly node: ts.CallExpression;
  /** What stands in it and could not be followed; it is judged without. */
  readonly lacks?: Unread;
}
export interface Survey {
  readonly parts: readonly Part[];
  /** The relation that an atom is of, as its ontology declares it. */
  readonly relationOf: ReadonlyMap<object, object>;
  /** IRs of parts that were given to what could not be followed. */
  readonly givenAway: ReadonlySet<object>;
  readonly refused: readonly { readonly node: ts.Node; readonly issues: readonly Issue[] }[];
  readonly casts: readonly { readonly node: ts.Node; readonly value: object }[];
  readonly unread: readonly Unread[];
}

export function survey(symbols: Symbols, sources: readonly ts.SourceFile[]): Survey {
  const surveyor = new Surveyor(symbols);
  for (const source of sources) surveyor.read(source);
  for (const source of sources) surveyor.missed(source);
  return surveyor;
}

class Surveyor implements Survey, Listener {
  readonly parts: Part[] = [];
  readonly relationOf = new Map<object, object>();
  readonly givenAway = new Set<object>();
  readonly refused: { readonly node: ts.Node; readonly issues: readonly Issue[] }[] = [];
  readonly casts: { readonly node: ts.Node; readonly value: object }[] = [];
  readonly unread: Unread[] = [];
  readonly #symbols: Symbols;
  readonly #evaluator: Evaluator;
  readonly #reached = new Set<ts.Node>();
  readonly #known = new Set<object>();
  readonly #told = new Set<ts.Node>();

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
    this.#evaluator = new Evaluator(symbols, this);
  }

  /** Every call outside of functions, the outermost first. */
  read(source: ts.SourceFile): void {
    const { ts } = this.#symbols;
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
      if (ts.isCallExpression(node)) this.#readCall(node);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  /** Of a helper that cannot be followed, the builders in it are told that are not reached by another way. */
  #readCall(node: ts.CallExpression): void {
    const callee = this.#evaluator.read(node.expression);
    if (callee instanceof Unread) return;
    const value = this.#evaluator.read(node);
    if (!(callee instanceof Closure)) this.#tell(value);
  }

  /** Builders that no reading has come to: their functions are read for what can be known without a caller. */
  missed(source: ts.SourceFile): void {
    this.#loosely(source, this.#evaluator.top);
    for (const node of this.#missing(source)) this.#tell(new Unread(node, UNREACHED));
  }

  #missing(within: ts.Node): ts.Node[] {
    const { ts } = this.#symbols;
    const own = ts.isCallExpression(within) && !this.#reached.has(within) && this.#isPart(within.expression) ? [within] : [];
    const found: ts.Node[] = [...own];
    ts.forEachChild(within, (child) => void found.push(...this.#missing(child)));
    return found;
  }

  /** Reads the functions in a node that hold what was missed, each statement by itself, with parameters that nobody knows. */
  #loosely(node: ts.Node, scope: Scope): void {
    const { ts } = this.#symbols;
    ts.forEachChild(node, (child) => {
      if (!ts.isFunctionLike(child)) return this.#loosely(child, scope);
      if (this.#missing(child).length === 0) return;
      const inner = new Scope(scope, 'once');
      for (const { name } of child.parameters)
        if (!ts.isStringLiteralLike(name)) this.#evaluator.bind(name, new Unread(name, 'a parameter: who calls it is not read'), inner);
      if ('body' in child && child.body !== undefined) this.#statements(child.body, inner);
    });
  }

  #statements(node: ts.Node, scope: Scope): void {
    const { ts } = this.#symbols;
    const visit = (child: ts.Node): void => {
      if (ts.isFunctionLike(child)) return;
      if (ts.isVariableDeclaration(child) && child.initializer !== undefined)
        this.#evaluator.bind(child.name, this.#evaluator.value(child.initializer, scope), scope);
      else if (ts.isCallExpression(child)) this.#evaluator.value(child, scope);
      ts.forEachChild(child, visit);
    };
    visit(node);
    this.#loosely(node, scope);
  }

  #isPart(callee: ts.Expression): boolean {
    const { ts } = this.#symbols;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    const symbol = this.#symbols.of(name);
    const known = symbol === undefined ? undefined : this.#symbols.known(symbol);
    return known !== undefined && PARTS.has(known.value);
  }

  #tell(value: unknown): void {
    const unread = unreadIn(value);
    if (unread === undefined || this.#told.has(unread.node)) return;
    this.#told.add(unread.node);
    if (!SILENT.has(unread.why)) this.unread.push(unread);
  }

  called(node: ts.CallExpression, callee: unknown, receiver: unknown, given: readonly unknown[]): unknown {
    this.#reached.add(node);
    if (typeof callee !== 'function') throw new NotFollowed(node, 'what is called is not known');
    if (RUNNERS.has(callee)) this.#run(node, given[0]);
    const called = callee as (...args: unknown[]) => unknown;
    if (!mayCall(called, receiver)) throw new NotFollowed(node, 'what is called runs, and is not read');
    const lacks = unreadIn(given);
    // A program or a ruleset is judged without the part that is unknown, and says so; anything smaller is unknown with it.
    const isWhole = WHOLES.has(callee) && !given.some((one) => one instanceof Unread);
    if (lacks !== undefined) this.#tell(lacks);
    if (lacks !== undefined && !isWhole) {
      this.lost(given);
      return lacks;
    }
    const args = (lacks === undefined ? given : (without(given) as unknown[])).map((one) => withFunctions(one, this.#evaluator));
    try {
      const value = located(this.#locationOf(node), () => Reflect.apply(called, receiver, args));
      this.#take(value, node, lacks);
      const [made, of] = [irOf(value), irOf(callee)];
      if (isObject(made) && isObject(of)) this.relationOf.set(made, of);
      return value;
    } catch (error) {
      if (error instanceof NotFollowed) throw error;
      if (!isCountersignError(error)) throw new NotFollowed(node, `it throws: ${error instanceof Error ? error.message : String(error)}`);
      this.refused.push({ node, issues: error.issues });
      return new Unread(node, REFUSED);
    }
  }

  /** A program that was made by hand is refused where it is loaded. */
  #run(node: ts.CallExpression, given: unknown): never {
    const kind = (irOf(given) as { readonly kind?: unknown } | undefined)?.kind;
    if (kind !== 'program' && !(given instanceof Unread)) {
      const name = nameOfCall(node, this.#symbols).getText();
      this.refused.push({ node, issues: [issue('load/not-ours', `${name} was given something that is no program of this library`)] });
    }
    throw new NotFollowed(node, RUNS);
  }

  #take(value: unknown, node: ts.CallExpression, lacks: Unread | undefined): void {
    const ir = irOf(value);
    if (!isObject(ir) || this.#known.has(ir)) return;
    this.#known.add(ir);
    this.parts.push({ value: value as object, ir, node, ...(lacks === undefined ? {} : { lacks }) });
  }

  lost(given: readonly unknown[]): void {
    const visit = (value: unknown): void => {
      const ir = irOf(value);
      if (isObject(ir)) this.givenAway.add(ir);
      else if (isObject(value) && (Array.isArray(value) || isPlain(value))) Object.values(value).forEach(visit);
    };
    given.forEach(visit);
  }

  cast(node: ts.AsExpression | ts.TypeAssertion, value: unknown): void {
    const isOurs = irOf(value) !== undefined || PARTS.has(value);
    if (isOurs && !this.#symbols.ts.isConstTypeReference(node.type)) this.casts.push({ node, value: value as object });
  }

  /** As the engine tells it of a call: where its last name begins. */
  #locationOf(node: ts.CallExpression): string {
    return placeOf(nameOfCall(node, this.#symbols));
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const UNREACHED = 'it stands where no reading comes to: in a class, or in a function that was left before it';
const REFUSED = 'it was refused';
const RUNS = 'it runs, and is not read';
const SILENT: ReadonlySet<string> = new Set([REFUSED, RUNS]);

export function nameOfCall({ expression }: ts.CallExpression, { ts }: Symbols): ts.Node {
  return ts.isPropertyAccessExpression(expression) ? expression.name : expression;
}

/** "file:line:column" of the beginning of a node, both from 1. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName}:${line + 1}:${character + 1}`;
}

/** A list or a record without what could not be followed. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !(one instanceof Unread)).map(without);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !(one instanceof Unread))
      .map(([name, one]) => [name, without(one)]),
  );
}
