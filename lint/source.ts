/**
 * What only source shows: casts on parts, and comments that hide what the compiler says of them.
 *
 * Reads  the casts of a survey, the text above each part, and what the compiler says of the files.
 * Gives  findings, each on the line that it is about.
 * Never  judges code that has nothing to do with rules.
 */
import type { ts } from 'ts-morph';
import { finding, type Finding } from './finding.ts';
import type { Survey } from './survey.ts';
import type { Symbols } from './symbols.ts';

export function sourceFindings({ parts, casts }: Survey, symbols: Symbols): Finding[] {
  return [
    ...casts.map(({ node }) => finding('lint/cast', `${short(node)} hides what the compiler says of it`, node)),
    ...suppressed(
      parts.map(({ node }) => node),
      symbols,
    ),
  ];
}

const DIRECTIVE = /@ts-(?:ignore|expect-error|nocheck)/;

/** A directive speaks of the line below it; `@ts-nocheck` of the whole file. */
function suppressed(nodes: readonly ts.CallExpression[], { ts: compiler }: Symbols): Finding[] {
  const found = new Map<string, Finding>();
  for (const node of nodes) {
    const source = node.getSourceFile();
    const lines = source.text.split('\n');
    const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
    const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
    for (let line = Math.max(first - 1, 0); line < last; line++) {
      const directive = DIRECTIVE.exec(commentIn(lines[line] ?? ''));
      if (directive === null) continue;
      const what = `${directive[0]} stands over ${short(node)}`;
      const key = `${source.fileName}:${line}`;
      if (!found.has(key)) found.set(key, finding('lint/suppressed', what, node));
    }
    const nocheck = /^\s*(?:\/\/|\/\*)\s*@ts-nocheck/m.exec(source.text.slice(0, source.getStart()));
    void compiler;
    if (nocheck !== null && !found.has(source.fileName))
      found.set(source.fileName, finding('lint/suppressed', '@ts-nocheck stands over the file', node));
  }
  return [...found.values()];
}

function commentIn(line: string): string {
  return /\/[/*].*$/.exec(line)?.[0] ?? (line.trim().startsWith('*') ? line : '');
}

export function notCompiled(symbols: Symbols, sources: readonly ts.SourceFile[]): Finding[] {
  return sources.flatMap((source) => {
    const [first, ...others] = symbols.program.getSyntacticDiagnostics(source);
    if (first === undefined) return [];
    const text = symbols.ts.flattenDiagnosticMessageText(first.messageText, ' ');
    const more = others.length === 0 ? '' : `, and ${others.length} more in this file`;
    const at = source.getLineAndCharacterOfPosition(first.start ?? 0);
    const place = { line: at.line + 1, column: at.character + 1, endLine: at.line + 1, endColumn: at.character + 1 };
    return [{ ...finding('lint/not-compiled', `the compiler says: ${text}${more}`, source), ...place }];
  });
}

function short(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}...` : text;
}
const textLengthMax = 60;
