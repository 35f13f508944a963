/**
 * The shape of a batch, before anything is done with it: plain data, copied once, or a fault.
 *
 * Reads  whatever was handed in as a batch, each property once.
 * Gives  a frozen copy without prototypes, getters or proxies behind it.
 * Never  trusts an object: what cannot be read is a fault, and a fault of a capture is the capture's own.
 */
import type { Value } from '../../dsl/ir.ts';
import { CountersignError, issue, type Issue } from '../../dsl/issue.ts';
import type { Report, ReportRow, Row } from '../../dsl/record.ts';
import { describe, plainFault } from '../../dsl/value.ts';

/** Reports of one batch; rows of one report; columns of one row. */
export const reportsMax = 1_000;
export const rowsMax = 100_000;
export const columnsMax = 1_000;

export interface Taken {
  readonly session: string;
  readonly actor: string;
  readonly reports: readonly TakenReport[];
}
/** A report as it was read, with what could not be. */
export interface TakenReport extends Report {
  readonly actor: string;
  readonly ends: readonly ReportRow[];
  readonly faults: readonly string[];
}

/** Errors  `world/batch-malformed`: what is wrong with the batch itself, or with a report that has no capture to blame. */
export function takeBatch(given: unknown): Taken {
  const faults: string[] = [];
  const batch = fields(given, ['session', 'actor', 'reports'], 'a batch', faults);
  const session = text(batch['session'], 'session', faults);
  const actor = text(batch['actor'], 'actor', faults);
  const reports = list(batch['reports'], 'reports', reportsMax, faults).map((report, place) => takeReport(report, place, actor));
  for (const report of reports) if (report.capture === undefined) faults.push(...report.faults);
  if (faults.length > 0) throw new CountersignError(faults.map((fault): Issue => issue('world/batch-malformed', fault)));
  return { session, actor, reports };
}

function takeReport(given: unknown, place: number, batchActor: string): TakenReport {
  const faults: string[] = [];
  const where = `report ${place}`;
  const report = fields(given, ['capture', 'actor', 'rows', 'ends', 'malformed'], where, faults);
  const capture = report['capture'] === undefined ? undefined : text(report['capture'], `${where}: capture`, faults);
  const actor = report['actor'] === undefined ? batchActor : text(report['actor'], `${where}: actor`, faults);
  const known = report['malformed'];
  if (known !== undefined) for (const fault of list(known, `${where}: malformed`, rowsMax, faults)) faults.push(String(fault));
  const rows = list(report['rows'], `${where}: rows`, rowsMax, faults).map((row, i) => takeRow(row, `${where}, row ${i}`, faults));
  const listed = report['ends'] === undefined ? [] : list(report['ends'], `${where}: ends`, rowsMax, faults);
  const ends = listed.map((end, i) => takeRow(end, `${where}, end ${i}`, faults));
  const id = capture === undefined || capture === '' ? {} : { capture };
  // What could not be read has no text that the ledger could keep: the faults stand for it.
  return faults.length === 0 ? { ...id, actor, rows, ends, faults } : { ...id, actor, rows: [], ends: [], faults };
}

function takeRow(given: unknown, where: string, faults: string[]): ReportRow {
  const row = fields(given, ['relation', 'columns'], where, faults);
  const relation = text(row['relation'], `${where}: relation`, faults);
  const columns: Record<string, Value> = Object.create(null) as Record<string, Value>;
  const entries = entriesOf(row['columns']);
  if (entries === undefined) faults.push(`${where}: columns is ${describe(row['columns'])}, not an object of columns`);
  else if (entries.length > columnsMax) faults.push(`${where}: ${entries.length} columns are more than columnsMax = ${columnsMax}`);
  else {
    for (const [column, value] of entries) {
      const fault = plainFault(value);
      if (fault === undefined) columns[column] = value as Value;
      else faults.push(`${where}: ${relation}.${column}: ${fault}`);
    }
  }
  return { relation, columns: columns as Row };
}

function fields(given: unknown, names: readonly string[], where: string, faults: string[]): Readonly<Record<string, unknown>> {
  const entries = entriesOf(given);
  if (entries === undefined) {
    faults.push(`${where} is ${describe(given)}, not an object`);
    return {};
  }
  for (const [name] of entries) if (!names.includes(name)) faults.push(`${where} has no ${describe(name)}`);
  return Object.fromEntries(entries.filter(([name]) => names.includes(name)));
}

function list(given: unknown, where: string, max: number, faults: string[]): readonly unknown[] {
  if (!Array.isArray(given)) {
    faults.push(`${where} is ${describe(given)}, not a list`);
    return [];
  }
  if (given.length > max) {
    faults.push(`${where}: ${given.length} are more than ${max}`);
    return [];
  }
  try {
    return Array.from(given as readonly unknown[]);
  } catch {
    faults.push(`${where} cannot be read`);
    return [];
  }
}

function text(given: unknown, where: string, faults: string[]): string {
  if (typeof given === 'string' && given !== '') return given;
  faults.push(`${where} is ${describe(given)}, not a text`);
  return '';
}

/** Own enumerable properties, read once; undefined for what is no plain object or throws when it is read. */
function entriesOf(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  try {
    return Object.entries(given);
  } catch {
    return undefined;
  }
}
