/**
 * Which value a name in source stands for, by its symbol and not by how it is spelt.
 *
 * Reads  a program of the compiler, with its checker.
 * Gives  the symbol behind imports, re-exports and shorthands; and for those of the language, of zod or of JavaScript, the value.
 * Never  takes a function of the author for one of the language because it bears the same name.
 */
import type { ts } from 'ts-morph';
import { BUILDERS, GLOBALS, ZOD } from './known.ts';

export type Compiler = typeof ts;

export class Symbols {
  readonly ts: Compiler;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly #isOurs: (file: string) => boolean;

  /** `isOurs` says which files are those of the library. */
  constructor(compiler: Compiler, program: ts.Program, isOurs: (file: string) => boolean) {
    this.ts = compiler;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.#isOurs = isOurs;
  }

  /** The symbol that a name stands for, behind whatever imports and re-exports it. */
  of(name: ts.Node): ts.Symbol | undefined {
    const { ts: compiler, checker } = this;
    const own =
      compiler.isShorthandPropertyAssignment(name.parent) && name.parent.name === name
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
    return own === undefined ? undefined : this.behind(own);
  }

  behind(symbol: ts.Symbol): ts.Symbol {
    return (symbol.flags & this.ts.SymbolFlags.Alias) === 0 ? symbol : this.checker.getAliasedSymbol(symbol);
  }

  /** What the symbol stands for, where it is not the author's. */
  known(symbol: ts.Symbol): { readonly value: unknown } | undefined {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) return symbol.name === 'undefined' ? { value: undefined } : undefined;
    const source = declaration.getSourceFile();
    const values = this.#valuesOf(source);
    if (values === undefined) return undefined;
    if (this.ts.isSourceFile(declaration)) return { value: values };
    return Object.hasOwn(values, symbol.name) ? { value: values[symbol.name] } : undefined;
  }

  /** What an import stands for whose module the compiler did not find. */
  imported(name: ts.Identifier): { readonly value: unknown } | undefined {
    const { ts: compiler, checker } = this;
    const [declaration] = checker.getSymbolAtLocation(name)?.declarations ?? [];
    if (declaration === undefined) return undefined;
    const statement = compiler.findAncestor(declaration, compiler.isImportDeclaration);
    if (statement === undefined || !compiler.isStringLiteral(statement.moduleSpecifier)) return undefined;
    const values = { countersign: BUILDERS, zod: ZOD, 'zod/v4': ZOD }[statement.moduleSpecifier.text];
    if (values === undefined) return undefined;
    if (!compiler.isImportSpecifier(declaration)) return { value: values };
    const member = (declaration.propertyName ?? declaration.name).text;
    return Object.hasOwn(values, member) ? { value: values[member] } : undefined;
  }

  /** Whether a name is declared by the library itself. */
  isOurs(symbol: ts.Symbol): boolean {
    return symbol.declarations?.some((one) => this.#isOurs(one.getSourceFile().fileName)) === true;
  }

  #valuesOf(source: ts.SourceFile): Readonly<Record<string, unknown>> | undefined {
    if (this.#isOurs(source.fileName)) return BUILDERS;
    if (source.fileName.includes('/node_modules/zod/')) return ZOD;
    return this.program.isSourceFileDefaultLibrary(source) ? GLOBALS : undefined;
  }
}
