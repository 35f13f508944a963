/**
 * The examples of the documentation: every TypeScript block of a page or of a docstring, with the place where it stands.
 *
 * Gives  blocks in reading order; `no-check` ones are left out, since they are only shown.
 * Never  runs or judges a block.
 */
import ts from 'typescript';

export interface Example {
  /** The page or source file, and the line where the code begins, counted from 1. */
  readonly path: string;
  readonly line: number;
  readonly code: string;
  readonly mayRun: boolean;
}

const FENCE = /^([ \t]*)(`{3,})[ \t]*([\w-]*)[ \t]*(.*)$/;

/** The blocks fenced as ```ts of a page. `no-run` after it means that the block is checked only, `no-check` that it is shown only. */
export function examplesOfPage(path: string, text: string): readonly Example[] {
  const examples: Example[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const [, indent, fence, language, words] = FENCE.exec(lines[index]!) ?? [];
    if (indent === undefined || fence === undefined) continue;

    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`${path}:${index + 1} opens a block that never ends`);
    const marks = words!.split(/\s+/);
    const isCode = language === 'ts' || language === 'typescript';
    if (isCode && !marks.includes('no-check')) {
      const code = lines.slice(index + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      examples.push({ path, line: index + 2, code: `${code.join('\n')}\n`, mayRun: !marks.includes('no-run') });
    }
    index = end;
  }
  return examples;
}

/**
 * The examples in the docstrings of a source file: fenced blocks anywhere, and what follows `@example` or an `Example` row unfenced.
 */
export function examplesOfSource(path: string, text: string): readonly Example[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const starts = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) starts.set(pos, text.slice(pos, end));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return [...starts]
    .filter(([, comment]) => comment.startsWith('/**'))
    .sort(([a], [b]) => a - b)
    .flatMap(([start, comment]) => examplesOfComment(path, comment, file.getLineAndCharacterOfPosition(start).line + 1));
}

function examplesOfComment(path: string, comment: string, firstLine: number): readonly Example[] {
  const lines = comment
    .replace(/\s*\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\*\*|\*)? ?/, ''));
  const fenced = examplesOfPage(path, lines.join('\n')).map((example) => ({ ...example, line: example.line + firstLine - 1 }));
  const hasFence = lines.some((line) => FENCE.test(line));
  return hasFence ? fenced : unfenced(path, lines, firstLine);
}

function unfenced(path: string, lines: readonly string[], firstLine: number): readonly Example[] {
  return lines.flatMap((line, start) => {
    const [, opening] = /^(?:@example\b|Example(?=\s{2,}|$))\s*(.*)$/.exec(line) ?? [];
    if (opening === undefined) return [];
    // The example ends at an empty line, at the next tag, or at the next row of the docstring.
    const rest = lines.slice(start + 1);
    const length = rest.findIndex((next) => next.trim() === '' || /^(@\w|[A-Z][a-z]+ {2,})/.test(next));
    const code = [opening, ...(length < 0 ? rest : rest.slice(0, length))].join('\n');
    return code.trim() === '' ? [] : [{ path, line: firstLine + start, code: `${code}\n`, mayRun: true }];
  });
}
