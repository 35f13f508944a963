/**
 * Reads the body of a function for arguments that are known: helpers that make rules are followed as if they were written out.
 *
 * Reads  parameters with their defaults and patterns, constants, conditions that are known, loops over lists that are known.
 * Gives  what the function returns.
 * Never  follows what may depend on more than its arguments: a variable that changes, a `try`, a loop without an end in sight.
 */
import type { ts } from 'ts-morph';
import type { Evaluator } from './evaluate.ts';
import { memberOf } from './known.ts';
import { Closure, NotFollowed, Scope, Unread } from './values.ts';

/** Functions within functions, as far as they are followed. */
export const callsDeepMax = 100;

/** What a statement came to: undefined where the next one follows. */
type Done = { readonly value: unknown } | undefined;

export class Bodies {
  readonly #evaluator: Evaluator;
  #depth = 0;

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  apply({ node, scope: outer }: Closure, given: readonly unknown[], at: ts.Node): unknown {
    const { ts } = this.#evaluator.symbols;
    const { body } = node;
    if (body === undefined) return new Unread(at, 'the function has no body that is read');
    // What is awaited is read as what it comes to.
    if (node.asteriskToken !== undefined) return new Unread(at, 'the function gives its values one by one');
    if (this.#depth >= callsDeepMax) return new Unread(at, `it calls itself more than callsDeepMax = ${callsDeepMax} times`);
    this.#depth++;
    try {
      const scope = new Scope(outer);
      node.parameters.forEach((parameter, i) => {
        const rest = parameter.dotDotDotToken === undefined ? given[i] : given.slice(i);
        this.bind(
          parameter.name,
          rest === undefined && parameter.initializer ? this.#evaluator.value(parameter.initializer, scope) : rest,
          scope,
        );
      });
      if (!ts.isBlock(body)) return this.#evaluator.value(body, scope);
      return this.#block(body.statements, scope)?.value;
    } catch (error) {
      if (error instanceof NotFollowed) return error.unread;
      throw error;
    } finally {
      this.#depth--;
    }
  }

  #block(statements: readonly ts.Statement[], scope: Scope): Done {
    for (const statement of statements) {
      const done = this.#statement(statement, scope);
      if (done !== undefined) return done;
    }
    return undefined;
  }

  #statement(node: ts.Statement, scope: Scope): Done {
    const { ts } = this.#evaluator.symbols;
    const evaluator = this.#evaluator;
    if (ts.isReturnStatement(node)) return { value: node.expression === undefined ? undefined : evaluator.value(node.expression, scope) };
    if (ts.isVariableStatement(node)) return this.#constants(node.declarationList, scope);
    if (ts.isBlock(node)) return this.#block(node.statements, new Scope(scope));
    if (ts.isIfStatement(node)) {
      const taken = evaluator.isTrue(node.expression, scope) ? node.thenStatement : node.elseStatement;
      return taken === undefined ? undefined : this.#statement(taken, scope);
    }
    if (ts.isExpressionStatement(node)) {
      const value = evaluator.value(node.expression, scope);
      if (value instanceof Unread) throw new NotFollowed(value.node, value.why);
      return undefined;
    }
    if (ts.isForOfStatement(node)) return this.#loop(node, scope);
    if (ts.isFunctionDeclaration(node)) {
      const symbol = node.name === undefined ? undefined : evaluator.symbols.of(node.name);
      if (symbol !== undefined) scope.set(symbol, new Closure(node, scope));
      return undefined;
    }
    if (ts.isEmptyStatement(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return undefined;
    throw new NotFollowed(node, `${ts.SyntaxKind[node.kind]} is not read`);
  }

  #constants(list: ts.VariableDeclarationList, scope: Scope): Done {
    const { ts } = this.#evaluator.symbols;
    for (const one of list.declarations) {
      if ((list.flags & ts.NodeFlags.Const) === 0 || one.initializer === undefined)
        throw new NotFollowed(one, `${one.name.getText()} is no constant`);
      this.bind(one.name, this.#evaluator.value(one.initializer, scope), scope);
    }
    return undefined;
  }

  #loop(node: ts.ForOfStatement, scope: Scope): Done {
    const { ts } = this.#evaluator.symbols;
    const list = this.#evaluator.value(node.expression, scope);
    if (!Array.isArray(list) || !ts.isVariableDeclarationList(node.initializer))
      throw new NotFollowed(node, 'what it loops over is not known');
    const [one] = node.initializer.declarations;
    for (const value of list as unknown[]) {
      const inner = new Scope(scope);
      if (one !== undefined) this.bind(one.name, value, inner);
      const done = this.#statement(node.statement, inner);
      if (done !== undefined) return done;
    }
    return undefined;
  }

  bind(name: ts.BindingName, value: unknown, scope: Scope): void {
    const { symbols } = this.#evaluator;
    if (symbols.ts.isIdentifier(name)) {
      const symbol = symbols.of(name);
      if (symbol !== undefined) scope.set(symbol, value);
      return;
    }
    for (const element of name.elements)
      if (!symbols.ts.isOmittedExpression(element)) this.bind(element.name, this.#part(element, value, scope), scope);
  }

  /** What a name of a pattern outside of every function is bound to. */
  boundIn(element: ts.BindingElement, scope: Scope, at: ts.Node): unknown {
    const { ts } = this.#evaluator.symbols;
    const { parent } = element.parent;
    if (ts.isParameter(parent)) return new Unread(at, 'it is of a function that is not read from here');
    if (ts.isBindingElement(parent)) return this.#part(element, this.boundIn(parent, scope, at), scope);
    if ((ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) === 0 || parent.initializer === undefined)
      return new Unread(at, `${element.name.getText()} is no constant`);
    return this.#part(element, this.#evaluator.read(parent.initializer), scope);
  }

  /** The part of a value that an element of a pattern takes. */
  #part(element: ts.BindingElement, of: unknown, scope: Scope): unknown {
    const { ts } = this.#evaluator.symbols;
    if (of instanceof Unread) return of;
    const pattern = element.parent;
    if (ts.isArrayBindingPattern(pattern)) {
      const place = pattern.elements.indexOf(element);
      if (!Array.isArray(of)) return new Unread(element, 'it is taken from a list that is not known');
      return element.dotDotDotToken === undefined ? this.#orElse(element, of[place], scope) : of.slice(place);
    }
    if (element.dotDotDotToken !== undefined) {
      const taken = new Set(pattern.elements.filter((one) => one !== element).map((one) => this.#keyOf(one, scope)));
      return Object.fromEntries(Object.entries(Object(of) as object).filter(([name]) => !taken.has(name)));
    }
    const member = memberOf(of, this.#keyOf(element, scope));
    return member === undefined ? new Unread(element, `${element.name.getText()} is not read`) : this.#orElse(element, member.value, scope);
  }

  #orElse({ initializer }: ts.BindingElement, value: unknown, scope: Scope): unknown {
    return value === undefined && initializer !== undefined ? this.#evaluator.value(initializer, scope) : value;
  }

  #keyOf({ propertyName, name }: ts.BindingElement, scope: Scope): string {
    return propertyName === undefined ? name.getText() : this.#evaluator.nameOf(propertyName, scope);
  }
}
