/**
 * The lint: reads the source of a project and tells what the loader would refuse, before anything runs, and what only source shows.
 *
 * Reads  a TypeScript project through the compiler.
 * Gives  findings by file and line, in the loader's words where the loader would speak.
 * Never  runs a line of what it reads.
 */
import { Project, ts } from 'ts-morph';
import { finding, inOrder, type Finding } from './finding.ts';
import type { Graph } from './graph.ts';
import { graphsIn, judge } from './judge.ts';
import { notCompiled, sourceFindings } from './source.ts';
import { survey } from './survey.ts';
import { Symbols, type Compiler } from './symbols.ts';

export type { Finding, Place } from './finding.ts';
export { drawn, GRAPH_FORMATS, type Graph, type GraphFormat } from './graph.ts';
export { FORMATS, formatted, type Format } from './format.ts';

export interface LintOptions {
  /** "tsconfig.json" of the project, from the working directory. */
  readonly tsconfig: string;
}
export interface Linted {
  readonly findings: readonly Finding[];
  /** Files that were read. */
  readonly files: number;
  /** Programs that were judged. */
  readonly programs: number;
  /** The relations and rules of each program, as far as it could be read. */
  readonly graphs: readonly Graph[];
}

/**
 * Lints the project of a tsconfig.
 *
 * Cost    what the compiler takes to load the project, and about as much again for a project of rules.
 * Errors  those of the compiler for a tsconfig that is none.
 */
export function lint({ tsconfig }: LintOptions): Linted {
  const project = new Project({ tsConfigFilePath: tsconfig });
  return lintProgram(ts, project.getProgram().compilerObject);
}

/** Lints what a compiler of TypeScript 5.9 or 6 has loaded, or those of its files that are asked for. */
export function lintProgram(compiler: Compiler, program: ts.Program, isAsked: (file: string) => boolean = () => true): Linted {
  const symbols = new Symbols(compiler, program, isLibrary);
  const sources = program
    .getSourceFiles()
    .filter((source) => !source.isDeclarationFile && !program.isSourceFileFromExternalLibrary(source))
    .filter(({ fileName }) => !isLibrary(fileName) && isAsked(fileName));
  const found = survey(symbols, sources);
  const findings = [
    ...judge(found, symbols),
    ...sourceFindings(found, symbols),
    ...found.unread.map(({ node, why }) => finding('lint/not-followed', why, node)),
    ...notCompiled(symbols, sources),
  ];
  const graphs = graphsIn(found);
  return { findings: inOrder(findings), files: sources.length, programs: graphs.length, graphs };
}

/** The library as it is installed, or as it stands here. */
function isLibrary(file: string): boolean {
  if (/\/node_modules\/countersign\//.test(file)) return true;
  return ['dsl/', 'src/', 'dist/'].some((folder) => file.startsWith(`${ROOT}${folder}`));
}
const ROOT = decodeURIComponent(new URL('../', import.meta.url).pathname);
