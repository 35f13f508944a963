/**
 * Findings: what is wrong, where in the source, and the places that led to it.
 *
 * Gives  one shape for every face of the lint.
 * Never  words of its own: they stand with the codes.
 */
import type { ts } from 'ts-morph';
import { ISSUES, type Issue, type IssueCode } from '../dsl/issue.ts';

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}
export interface Finding extends Place {
  readonly code: IssueCode;
  readonly severity: 'error' | 'warning';
  /** What is wrong, in the author's words. */
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly endLine: number;
  readonly endColumn: number;
  /** The other places of a way, in order. */
  readonly related: readonly (Place & { readonly what: string })[];
}

/** What is certain to be wrong is an error; the rest is for its author to look at. */
const ERRORS: ReadonlySet<IssueCode> = new Set(['lint/cast', 'lint/suppressed']);

export function finding(code: IssueCode, what: string, node: ts.Node, related: Finding['related'] = []): Finding {
  const { why, fix } = ISSUES[code];
  return { code, severity: code.startsWith('lint/') && !ERRORS.has(code) ? 'warning' : 'error', what, why, fix, ...spanOf(node), related };
}

export function findingOf({ code, what }: Issue, node: ts.Node, related: Finding['related'] = []): Finding {
  return finding(code, what, node, related);
}

export function spanOf(node: ts.Node): Place & Pick<Finding, 'endLine' | 'endColumn'> {
  const source = node.getSourceFile();
  const begin = source.getLineAndCharacterOfPosition(node.getStart(source));
  const end = source.getLineAndCharacterOfPosition(node.getEnd());
  return {
    file: source.fileName,
    line: begin.line + 1,
    column: begin.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** By file and place; of one place, each thing once. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const each = new Map(findings.map((one) => [`${one.file} ${one.line} ${one.column} ${one.code} ${one.what}`, one]));
  return [...each.values()].sort(
    (left, right) =>
      compare(left.file, right.file) || left.line - right.line || left.column - right.column || compare(left.code, right.code),
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
