/**
 * Findings as text: for a terminal, for tools, for code scanning, for a pull request.
 *
 * Reads  findings.
 * Gives  one text in each format; SARIF 2.1.0 for what reads SARIF.
 * Never  leaves a finding out.
 */
import { ISSUES } from '../dsl/issue.ts';
import type { Finding, Place } from './finding.ts';

export const FORMATS = ['stylish', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

/** Paths are given relative to `root`, where they stand below it. */
export function formatted(findings: readonly Finding[], format: Format, root: string): string {
  const here = findings.map((one) => ({
    ...one,
    file: below(one.file, root),
    related: one.related.map((two) => ({ ...two, file: below(two.file, root) })),
  }));
  return { stylish, json, sarif, github }[format](here);
}

function below(file: string, root: string): string {
  const folder = root.endsWith('/') ? root : `${root}/`;
  return file.startsWith(folder) ? file.slice(folder.length) : file;
}

function stylish(findings: readonly Finding[]): string {
  const files = [...new Set(findings.map(({ file }) => file))];
  const texts = files.map((file) =>
    [
      file,
      ...findings
        .filter((one) => one.file === file)
        .flatMap((one) => [head(one), ...one.related.map(relatedText), `      fix: ${one.fix}`]),
    ].join('\n'),
  );
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const end = findings.length === 0 ? 'nothing was found' : `${errors} errors, ${findings.length - errors} warnings`;
  return [...texts, end].join('\n\n');
}

function head({ line, column, severity, code, what }: Finding): string {
  return `  ${line}:${column}  ${severity}  ${what}  (${code})`;
}

function relatedText({ file, line, column, what }: Place & { readonly what: string }): string {
  return `      ${file}:${line}:${column}  ${what}`;
}

function json(findings: readonly Finding[]): string {
  return JSON.stringify(findings, null, 2);
}

/** Workflow commands, as GitHub Actions reads them. */
function github(findings: readonly Finding[]): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return findings
    .map(({ severity, file, line, column, endLine, endColumn, code, what, fix }) => {
      const place = `file=${property(file)},line=${line},col=${column},endLine=${endLine},endColumn=${endColumn},title=${property(code)}`;
      return `::${severity} ${place}::${escaped(`${what}. ${fix}`)}`;
    })
    .join('\n');
}

function sarif(findings: readonly Finding[]): string {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, shortDescription: { text: ISSUES[code].why }, help: { text: ISSUES[code].fix } }));
  const results = findings.map((one) => ({
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: one.severity,
    message: { text: one.what },
    locations: [{ physicalLocation: physical(one, { endLine: one.endLine, endColumn: one.endColumn }) }],
    relatedLocations: one.related.map((two, id) => ({ id, message: { text: two.what }, physicalLocation: physical(two) })),
  }));
  const driver = { name: 'countersign', rules };
  return JSON.stringify(
    { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }] },
    null,
    2,
  );
}
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

function physical({ file, line, column }: Place, end: object = {}): object {
  const uri = encodeURI(file);
  return { artifactLocation: { uri }, region: { startLine: line, startColumn: column, ...end } };
}
