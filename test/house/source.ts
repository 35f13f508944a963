/**
 * What a source file asks for: the modules that it imports and the globals that it uses, read from its syntax tree.
 *
 * Gives  plain findings with line numbers; house.ts says which of them a floor may have.
 * Never  resolves a module or reads a library, so a thousand lines take milliseconds and a missing folder is no error.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Node, Project, type Identifier, type SourceFile } from 'ts-morph';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Power = 'clock' | 'chance' | 'network' | 'environment' | 'code-from-text';

export interface Source {
  readonly path: string;
  /** `specifier` is absent where an import names its module by an expression. */
  readonly imports: readonly { readonly specifier: string | undefined; readonly line: number }[];
  readonly powers: readonly { readonly power: Power; readonly name: string; readonly line: number }[];
  readonly isOnlyReexports: boolean;
}

const GLOBALS: Readonly<Record<string, Power>> = {
  Date: 'clock',
  Temporal: 'clock',
  performance: 'clock',
  setTimeout: 'clock',
  setInterval: 'clock',
  setImmediate: 'clock',
  'AbortSignal.timeout': 'clock',
  'Math.random': 'chance',
  'crypto.randomUUID': 'chance',
  'crypto.getRandomValues': 'chance',
  fetch: 'network',
  XMLHttpRequest: 'network',
  WebSocket: 'network',
  EventSource: 'network',
  process: 'environment',
  require: 'environment',
  Deno: 'environment',
  Bun: 'environment',
  eval: 'code-from-text',
  Function: 'code-from-text',
  WebAssembly: 'code-from-text',
};
/** Objects that are harmless by member and not as a whole: under another name, nobody sees which member is used. */
const WHOLES: Readonly<Record<string, Power>> = { Math: 'chance', crypto: 'chance', globalThis: 'environment' };

/** The TypeScript files below a folder, as paths from the root with `/`; none where the folder does not exist. */
export function filesBelow(folder: string): readonly string[] {
  if (!statSync(join(ROOT, folder), { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/'))
    .sort();
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readSources(texts: Readonly<Record<string, string>>): readonly Source[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, noResolve: true, types: [] },
  });
  for (const [path, text] of Object.entries(texts)) project.createSourceFile(`/${path}`, text);
  return project.getSourceFiles().map(read);
}

function read(file: SourceFile): Source {
  const imports: Source['imports'][number][] = [];
  const powers: Source['powers'][number][] = [];
  file.forEachDescendant((node) => {
    // Only findings ask for their line: ts-morph counts it from the start of the file.
    const asked = importOf(node);
    if (asked !== undefined) imports.push({ specifier: asked.specifier, line: node.getStartLineNumber() });
    const used = powerOf(node);
    if (used !== undefined) powers.push({ ...used, line: node.getStartLineNumber() });
  });
  const statements = file.getStatements();
  const isOnlyReexports =
    statements.length > 0 && statements.every((statement) => Node.isExportDeclaration(statement) && statement.hasModuleSpecifier());
  return { path: file.getFilePath().slice(1), imports, powers, isOnlyReexports };
}

/** Every form in which a file can name another: import, export from, import(), an import type, import x = require(). */
function importOf(node: Node): { specifier: string | undefined } | undefined {
  if (Node.isImportDeclaration(node)) return { specifier: node.getModuleSpecifierValue() };
  if (Node.isExportDeclaration(node) && node.hasModuleSpecifier()) return { specifier: node.getModuleSpecifierValue() };
  if (Node.isExternalModuleReference(node)) return { specifier: literal(node.getExpression()) };
  if (Node.isImportTypeNode(node)) {
    const argument = node.getArgument();
    return { specifier: Node.isLiteralTypeNode(argument) ? literal(argument.getLiteral()) : undefined };
  }
  if (Node.isCallExpression(node) && Node.isImportExpression(node.getExpression())) return { specifier: literal(node.getArguments()[0]) };
  return undefined;
}

function powerOf(node: Node): { power: Power; name: string } | undefined {
  if (Node.isCallExpression(node) || Node.isNewExpression(node)) {
    // `(() => 0).constructor('...')` is `new Function` by its other name.
    if (memberOf(node.getExpression()) === 'constructor') return { power: 'code-from-text', name: '.constructor()' };
    return undefined;
  }
  if (!Node.isIdentifier(node) || !isGlobalUse(node)) return undefined;

  let name = node.getText();
  let outer = climb(node);
  if (name === 'globalThis' && memberOf(outer.getParent(), outer) !== undefined) {
    name = memberOf(outer.getParent(), outer) ?? name;
    outer = climb(outer.getParentOrThrow());
  }
  const member = memberOf(outer.getParent(), outer);
  const dotted = `${name}.${member}`;
  if (name in GLOBALS) return { power: GLOBALS[name]!, name };
  if (member === undefined && name in WHOLES) return { power: WHOLES[name]!, name: `${name} under another name` };
  if (dotted in GLOBALS) return { power: GLOBALS[dotted]!, name: dotted };
  return undefined;
}

/** Casts and parentheses do not change what a value is: `(globalThis as Host).process`. */
function climb(node: Node): Node {
  const parent = node.getParent();
  const isWrapper =
    Node.isParenthesizedExpression(parent) ||
    Node.isAsExpression(parent) ||
    Node.isNonNullExpression(parent) ||
    Node.isSatisfiesExpression(parent);
  return isWrapper ? climb(parent) : node;
}

/** The literal name of a member access, on `object` where it is given. */
function memberOf(node: Node | undefined, object?: Node): string | undefined {
  if (!Node.isPropertyAccessExpression(node) && !Node.isElementAccessExpression(node)) return undefined;
  if (object !== undefined && node.getExpression() !== object) return undefined;
  return Node.isPropertyAccessExpression(node) ? node.getName() : literal(node.getArgumentExpression());
}

/** A use as a value of a name that this file does not bind; a `declare` binds nothing, it only claims. */
function isGlobalUse(identifier: Identifier): boolean {
  const name = identifier.getText();
  if (!(name in GLOBALS) && !(name in WHOLES) && name !== 'AbortSignal') return false;
  const parent = identifier.getParent();
  const isMemberName = Node.isPropertyAccessExpression(parent) && parent.getNameNode() === identifier;
  const isType = identifier.getFirstAncestor((ancestor) => Node.isTypeNode(ancestor) && !Node.isExpressionWithTypeArguments(ancestor));
  if (isMemberName || isType !== undefined || isDeclaredName(identifier)) return false;

  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : identifier.getSymbol();
  const bindings = symbol?.getDeclarations() ?? [];
  return !bindings.some((binding) => !isAmbient(binding));
}

function isDeclaredName(identifier: Identifier): boolean {
  const parent = identifier.getParent();
  if (Node.isShorthandPropertyAssignment(parent)) return false;
  if (Node.isBindingElement(parent)) return parent.getInitializer() !== identifier;
  // Twenty kinds of declarations have this method, and ts-morph has no type for all of them.
  return 'getNameNode' in parent && (parent.getNameNode as () => Node | undefined)() === identifier;
}

function isAmbient(node: Node): boolean {
  const isDeclare = (one: Node): boolean => Node.isAmbientable(one) && one.hasDeclareKeyword();
  return isDeclare(node) || node.getFirstAncestor(isDeclare) !== undefined;
}

function literal(node: Node | undefined): string | undefined {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralValue() : undefined;
}
