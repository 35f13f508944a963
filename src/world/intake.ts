/**
 * The shape of a batch, before anything is done with it: plain data, copied once, or a fault.
 *
 * Reads  whatever was handed in as a batch, each property once.
 * Gives  a frozen copy without prototypes, getters or proxies behind it.
 * Never  trusts an object: what cannot be read is a fault, and a fault of a capture is the capture's own.
 */
import type { Value } from '../../dsl/ir.ts';
import { CountersignError, issue, type Issue } from '../../dsl/issue.ts';
import type { Report, ReportRow } from '../../dsl/record.ts';
import { nameLengthMax } from '../../dsl/name.ts';
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
  const reports = list(batch['reports'], 'reports', { reportsMax }, faults).map((report, place) => takeReport(report, place, actor));
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
  if (known !== undefined) faults.push(...list(known, `${where}: malformed`, { rowsMax }, faults).map(told));
  const rows = list(report['rows'], `${where}: rows`, { rowsMax }, faults).map((row, i) => takeRow(row, `${where}, row ${i}`, faults));
  const listed = report['ends'] === undefined ? [] : list(report['ends'], `${where}: ends`, { rowsMax }, faults);
  const ends = listed.map((end, i) => takeRow(end, `${where}, end ${i}`, faults));
  const id = capture === undefined || capture === '' ? {} : { capture };
  // What could not be read has no text that the ledger could keep: the faults stand for it.
  return faults.length === 0 ? { ...id, actor, rows, ends, faults } : { ...id, actor, rows: [], ends: [], faults };
}

function takeRow(given: unknown, where: string, faults: string[]): ReportRow {
  const row = fields(given, ['relation', 'columns'], where, faults);
  const relation = name(row['relation'], `${where}: relation`, faults);
  const columns: Record<string, Value> = Object.create(null) as Record<string, Value>;
  const entries = entriesOf(row['columns']);
  if (entries === undefined) faults.push(`${where}: columns is ${describe(row['columns'])}, not an object of columns`);
  else if (entries.length > columnsMax) faults.push(`${where}: ${entries.length} columns are more than columnsMax = ${columnsMax}`);
  else {
    for (const [column, value] of entries) {
      const fault = plainFault(value);
      const place = `${where}: ${relation}.${name(column, `${where}: column`, faults)}`;
      if (fault === undefined) columns[column] = value as Value;
      else faults.push(`${place}: ${fault}`);
    }
  }
  return { relation, columns: columns };
}

function fields(given: unknown, names: readonly string[], where: string, faults: string[]): Readonly<Record<string, unknown>> {
  const entries = entriesOf(given);
  if (entries === undefined) {
    faults.push(`${where} is ${describe(given)}, not an object`);
    return {};
  }
  for (const [field] of entries) if (!names.includes(field)) faults.push(`${where}: there is no field ${describe(field)}`);
  return Object.fromEntries(entries.filter(([field]) => names.includes(field)));
}

function list(given: unknown, where: string, bound: Readonly<Record<string, number>>, faults: string[]): readonly unknown[] {
  const [[boundName, max] = ['', 0]] = Object.entries(bound);
  const items = itemsOf(given, max);
  if (typeof items === 'object') return items;
  faults.push(
    items === undefined ? `${where} is ${describe(given)}, not a list` : `${where}: ${items} are more than ${boundName} = ${max}`,
  );
  return [];
}

/** The items of a list, each read once; their count where they are more than may be; undefined for what is no list or cannot be read. */
export function itemsOf(given: unknown, max: number): readonly unknown[] | number | undefined {
  try {
    if (!Array.isArray(given)) return undefined;
    const length: unknown = given.length;
    if (typeof length !== 'number' || !Number.isSafeInteger(length)) return undefined;
    // By index: an iterator of its own could go on for ever.
    return length > max ? length : Array.from({ length }, (_, i) => (given as readonly unknown[])[i]);
  } catch {
    return undefined;
  }
}

function text(given: unknown, where: string, faults: string[]): string {
  const fault = typeof given === 'string' && given !== '' ? plainFault(given) : `${describe(given)} is no text`;
  if (fault === undefined) return given as string;
  faults.push(`${where}: ${fault}`);
  return '';
}

/** A name as a report gives it: it stands in messages and records, so it has an end. */
function name(given: unknown, where: string, faults: string[]): string {
  const known = text(given, where, faults);
  if (known.length <= nameLengthMax) return known;
  faults.push(`${where}: ${describe(known)} is longer than nameLengthMax = ${nameLengthMax}`);
  return '';
}

/** What the caller says was wrong with a capture, as far as a record can hold it. */
function told(fault: unknown): string {
  return typeof fault === 'string' && plainFault(fault) === undefined ? fault : describe(fault);
}

/** Own enumerable properties, read once; undefined for what is no plain object or throws when it is read. */
export function entriesOf(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  try {
    return Array.isArray(given) ? undefined : Object.entries(given);
  } catch {
    return undefined;
  }
}
