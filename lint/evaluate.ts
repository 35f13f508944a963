/**
 * Reads expressions: what the builders of a program would be given, without running anything of the author.
 *
 * Reads  source through the compiler, following constants, imports, helper functions, spreads, destructuring and templates.
 * Gives  the very values that the builders make, or `Unread` with the place that could not be followed.
 * Never  takes one of two ways because it is likely: a condition that is not known leaves the whole expression unread.
 */
import type { ts } from 'ts-morph';
import { Bodies } from './bodies.ts';
import { memberOf } from './known.ts';
import { operation } from './operators.ts';
import type { Symbols } from './symbols.ts';
import { Closure, isPlain, NotFollowed, Scope, Unread } from './values.ts';

/** Is told of what is called, and of casts, on the way. */
export interface Listener {
  /** Calls what is no function of the author. */
  called(node: ts.CallExpression, callee: unknown, receiver: unknown, given: readonly unknown[]): unknown;
  cast(node: ts.AsExpression | ts.TypeAssertion, value: unknown): void;
  /** Is told of arguments of what cannot be followed. */
  lost(given: readonly unknown[]): void;
}

/** Expressions that one reading visits: what is larger is not read to its end. */
export const expressionsMax = 5_000_000;

export class Evaluator {
  readonly symbols: Symbols;
  readonly listener: Listener;
  readonly #bodies: Bodies;
  readonly #constants = new Map<ts.Symbol, unknown>();
  readonly #top = new Scope(undefined, 'once');
  #count = 0;

  constructor(symbols: Symbols, listener: Listener) {
    this.symbols = symbols;
    this.listener = listener;
    this.#bodies = new Bodies(this);
  }

  /** The scope of what stands outside of every function. */
  get top(): Scope {
    return this.#top;
  }

  /** Takes a declaration into a scope. */
  bind(name: ts.BindingName, value: unknown, scope: Scope): void {
    this.#bodies.bind(name, value, scope);
  }

  /** An expression outside of every function. */
  read(node: ts.Expression): unknown {
    return this.value(node, this.#top);
  }

  /** The value of an expression, with what could not be followed in its place. */
  value(node: ts.Expression, scope: Scope): unknown {
    try {
      return this.#expression(node, scope);
    } catch (error) {
      if (error instanceof NotFollowed) return error.unread;
      if (error instanceof RangeError) return new Unread(node, 'it is nested too deeply');
      throw error;
    }
  }

  #expression(node: ts.Expression, scope: Scope): unknown {
    const { ts } = this.symbols;
    if (++this.#count > expressionsMax) throw new NotFollowed(node, `more than expressionsMax = ${expressionsMax} expressions`);
    const isThrough = ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node);
    if (isThrough || ts.isAwaitExpression(node)) return this.value(node.expression, scope);
    if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) return this.#cast(node, scope);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isRegularExpressionLiteral(node)) return regExp(node);
    if (ts.isIdentifier(node)) return this.#name(node, scope);
    if (ts.isObjectLiteralExpression(node)) return this.#record(node, scope);
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => this.#element(element, scope));
    if (ts.isPropertyAccessExpression(node)) return this.#member(node, node.expression, node.name.text, scope);
    if (ts.isElementAccessExpression(node)) return this.#keyed(node, scope);
    if (ts.isCallExpression(node)) return this.#call(node, scope);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return new Closure(node, scope);
    if (ts.isTemplateExpression(node)) return this.#template(node, scope);
    if (ts.isConditionalExpression(node)) return this.value(this.isTrue(node.condition, scope) ? node.whenTrue : node.whenFalse, scope);
    if (ts.isPrefixUnaryExpression(node) || ts.isBinaryExpression(node)) return operation(this, node, scope);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    throw new NotFollowed(node, `${ts.SyntaxKind[node.kind]} is not read`);
  }

  /** A condition. Errors  `NotFollowed` where it is not known. */
  isTrue(node: ts.Expression, scope: Scope): boolean {
    const value = this.value(node, scope);
    if (value instanceof Unread) throw new NotFollowed(value.node, value.why);
    return Boolean(value);
  }

  #cast(node: ts.AsExpression | ts.TypeAssertion, scope: Scope): unknown {
    const value = this.value(node.expression, scope);
    this.listener.cast(node, value);
    return value;
  }

  // Names.

  #name(node: ts.Identifier, scope: Scope): unknown {
    const symbol = this.symbols.of(node);
    if (symbol === undefined) return this.#imported(node);
    if (scope.has(symbol)) return scope.get(symbol);
    const known = this.symbols.known(symbol);
    if (known !== undefined) return known.value;
    if (this.symbols.isOurs(symbol)) throw new NotFollowed(node, `${node.text} runs, and is not read`);
    if (symbol.declarations === undefined || symbol.declarations.length === 0) return this.#imported(node);
    return this.constant(symbol, node);
  }

  #imported(node: ts.Identifier): unknown {
    const known = this.symbols.imported(node);
    if (known === undefined) throw new NotFollowed(node, `${node.text} is declared nowhere that is read`);
    return known.value;
  }

  /** What a name outside of every function is, read once. */
  constant(symbol: ts.Symbol, at: ts.Node): unknown {
    if (this.#constants.has(symbol)) return this.#constants.get(symbol);
    this.#constants.set(symbol, new Unread(at, `${symbol.name} is made of itself`));
    const value = this.#declared(symbol, at);
    this.#constants.set(symbol, value);
    return value;
  }

  #declared(symbol: ts.Symbol, at: ts.Node): unknown {
    const { ts, checker } = this.symbols;
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
    if (declaration === undefined) return new Unread(at, `${symbol.name} is declared nowhere that is read`);
    if (ts.isFunctionDeclaration(declaration) && declaration.body !== undefined) return new Closure(declaration, this.#top);
    if (ts.isEnumMember(declaration)) return checker.getConstantValue(declaration);
    if (ts.isExportAssignment(declaration)) return this.read(declaration.expression);
    if (ts.isBindingElement(declaration)) return this.#bodies.boundIn(declaration, this.#top, at);
    if (ts.isEnumDeclaration(declaration)) return this.#enumeration(declaration);
    if (ts.isSourceFile(declaration)) return new Namespace(symbol);
    if (!ts.isVariableDeclaration(declaration)) return new Unread(at, `${symbol.name} is no constant`);
    const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    if (!isConstant) return new Unread(at, `${symbol.name} is no constant: what it is when it is used is not known`);
    if (ts.findAncestor(declaration, ts.isFunctionLike) !== undefined)
      return new Unread(at, `${symbol.name} is of a function that is not read from here`);
    if (declaration.initializer === undefined) return new Unread(at, `${symbol.name} is declared without a value`);
    return this.read(declaration.initializer);
  }

  #enumeration(declaration: ts.EnumDeclaration): unknown {
    const { checker } = this.symbols;
    return Object.fromEntries(declaration.members.map((member) => [member.name.getText(), checker.getConstantValue(member)]));
  }

  // Records, lists, members.

  #record(node: ts.ObjectLiteralExpression, scope: Scope): Record<string, unknown> {
    const { ts } = this.symbols;
    const made: Record<string, unknown> = {};
    const put = (name: string, value: unknown) =>
      Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.value(property.expression, scope);
        if (spread instanceof Unread) throw new NotFollowed(spread.node, spread.why);
        for (const [name, value] of Object.entries(Object(spread) as object)) put(name, value);
      } else if (ts.isPropertyAssignment(property)) put(this.nameOf(property.name, scope), this.value(property.initializer, scope));
      else if (ts.isShorthandPropertyAssignment(property)) put(property.name.text, this.value(property.name, scope));
      else if (ts.isMethodDeclaration(property)) put(this.nameOf(property.name, scope), new Closure(property, scope));
      else throw new NotFollowed(property, 'a getter or setter is not read');
    }
    return made;
  }

  nameOf(name: ts.PropertyName, scope: Scope): string {
    const { ts } = this.symbols;
    if (!ts.isComputedPropertyName(name)) return ts.isPrivateIdentifier(name) || !('text' in name) ? name.getText() : name.text;
    const value = this.value(name.expression, scope);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new NotFollowed(name, 'the name of a property is not known');
  }

  #element(node: ts.Expression, scope: Scope): unknown[] {
    const { ts } = this.symbols;
    if (ts.isOmittedExpression(node)) return [undefined];
    if (!ts.isSpreadElement(node)) return [this.value(node, scope)];
    const spread = this.value(node.expression, scope);
    if (Array.isArray(spread)) return spread;
    if (typeof spread === 'string') return [...spread];
    return [spread instanceof Unread ? spread : new Unread(node, 'what is spread is no list that is known')];
  }

  #keyed(node: ts.ElementAccessExpression, scope: Scope): unknown {
    const key = this.value(node.argumentExpression, scope);
    if (typeof key !== 'string' && typeof key !== 'number') throw new NotFollowed(node.argumentExpression, 'the key is not known');
    return this.#member(node, node.expression, String(key), scope);
  }

  #member(node: ts.PropertyAccessExpression | ts.ElementAccessExpression, of: ts.Expression, name: string, scope: Scope): unknown {
    const holder = this.value(of, scope);
    if (holder instanceof Unread) return holder;
    if ((holder === undefined || holder === null) && node.questionDotToken !== undefined) return undefined;
    if (holder instanceof Namespace) return this.#exported(holder, name, node);
    const member = memberOf(holder, name);
    if (member === undefined) throw new NotFollowed(node, `${name} is not read of ${holder === null ? 'null' : typeof holder}`);
    return member.value;
  }

  /** A member of `import * as rules from './rules.ts'`. */
  #exported({ symbol }: Namespace, name: string, node: ts.Node): unknown {
    const exported = this.symbols.checker.getExportsOfModule(symbol).find((one) => one.name === name);
    if (exported === undefined) throw new NotFollowed(node, `the module exports no ${name}`);
    const behind = this.symbols.behind(exported);
    return this.symbols.known(behind)?.value ?? this.constant(behind, node);
  }

  #template(node: ts.TemplateExpression, scope: Scope): string {
    const parts = node.templateSpans.map((span) => {
      const value = this.value(span.expression, scope);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return `${value}${span.literal.text}`;
      throw new NotFollowed(span.expression, 'a part of the text is not known');
    });
    return node.head.text + parts.join('');
  }

  // Calls.

  #call(node: ts.CallExpression, scope: Scope): unknown {
    if (scope.calls?.has(node) === true) return scope.calls.get(node);
    const value = this.#called(node, scope);
    scope.calls?.set(node, value);
    return value;
  }

  #called(node: ts.CallExpression, scope: Scope): unknown {
    const { ts } = this.symbols;
    const target = this.#unwrapped(node.expression);
    const isMember = ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target);
    const receiver = isMember ? this.value(target.expression, scope) : undefined;
    const callee = receiver instanceof Unread ? receiver : this.value(node.expression, scope);
    if (callee === undefined && node.questionDotToken !== undefined) return undefined;
    const given = node.arguments.flatMap((argument) => this.#element(argument, scope));
    if (callee instanceof Unread) {
      this.listener.lost(given);
      return callee;
    }
    if (callee instanceof Closure) {
      const value = this.apply(callee, given, node);
      if (value instanceof Unread) this.listener.lost(given);
      return value;
    }
    return this.listener.called(node, callee, receiver instanceof Namespace ? undefined : receiver, given);
  }

  /** A receiver stands behind parentheses and casts. */
  #unwrapped(node: ts.Expression): ts.Expression {
    const { ts } = this.symbols;
    return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node)
      ? this.#unwrapped(node.expression)
      : node;
  }

  /** What a function of the author gives for arguments. */
  apply(closure: Closure, given: readonly unknown[], at: ts.Node): unknown {
    return this.#bodies.apply(closure, given, at);
  }

  /** A function that others may call: what it does not follow, it throws. */
  asFunction(closure: Closure): (...given: unknown[]) => unknown {
    return (...given) => {
      const value = this.apply(closure, given, closure.node);
      if (value instanceof Unread) throw new NotFollowed(value.node, value.why);
      return value;
    };
  }
}

function regExp(node: ts.RegularExpressionLiteral): RegExp {
  const end = node.text.lastIndexOf('/');
  try {
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  } catch {
    throw new NotFollowed(node, 'the pattern is not read');
  }
}

/** A module of the author's, imported as one. */
class Namespace {
  readonly symbol: ts.Symbol;
  constructor(symbol: ts.Symbol) {
    this.symbol = symbol;
  }
}

/** Closures in what others are given become functions. */
export function withFunctions(value: unknown, evaluator: Evaluator, depth = 0): unknown {
  if (value instanceof Closure) return evaluator.asFunction(value);
  if (depth > depthMax || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(holdsClosure) ? value.map((one) => withFunctions(one, evaluator, depth + 1)) : value;
  if (!isPlain(value) || !Object.values(value).some(holdsClosure)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withFunctions(one, evaluator, depth + 1)]));
}
const depthMax = 20;

function holdsClosure(value: unknown): boolean {
  return value instanceof Closure || (typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value)));
}
