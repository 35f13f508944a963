/**
 * Reports become base rows: stamped, checked, replaced by key, ended; answers are matched with the cards on the table.
 *
 * Reads  one batch, in order.
 * Gives  rows in the state, and records of what was kept without becoming a row.
 * Never  half takes a capture; a fault in a trusted report refuses the batch.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import { CountersignError, issue } from '../../dsl/issue.ts';
import { namespaceOf, ownName } from '../../dsl/law.ts';
import { didYouMean } from '../../dsl/name.ts';
import type { Row } from '../../dsl/record.ts';
import { valueFault } from '../../dsl/value.ts';
import type { Plan, Relation, Source } from '../load/load.ts';
import { cardsFor, takeAnswers } from './answers.ts';
import type { Taken, TakenReport } from './intake.ts';
import { recordReceipt } from './register.ts';
import type { State } from './state.ts';

export interface Stamps extends Row {
  readonly id: string;
  readonly session: string;
  readonly actor: string;
  readonly capture: string;
  readonly ordinal: number;
  readonly seq: number;
}

/** The captures of a batch that the ledger does not know yet, and its trusted reports, each with its place. */
export function newReports(state: State, batch: Taken): { readonly report: TakenReport; readonly place: number }[] {
  const seen = new Set<string>();
  return batch.reports.flatMap((report, place) => {
    if (report.capture === undefined) return [{ report, place }];
    if (seen.has(report.capture) || state.captures.has(report.capture)) return [];
    seen.add(report.capture);
    return [{ report, place }];
  });
}

/** Errors  `world/report-refused`: every fault of the trusted report that has one. Nothing of the batch is then to be kept. */
export function apply(state: State, batch: Taken, openRowsMax: number): void {
  const onTable = cardsFor(state, batch);
  for (const { report, place } of newReports(state, batch)) {
    if (report.capture !== undefined) applyCapture(state, report, report.capture, batch.session, openRowsMax);
    else applyTrusted(state, report, `report:${state.position + 1}.${place}`, batch.session, onTable);
  }
}

/** A report with as many faults is read no further: the first ones say what is wrong with it. */
export const faultsMax = 100;

// Evidence: all of a capture, or nothing but the record that it came.

function applyCapture(state: State, report: TakenReport, capture: string, session: string, openRowsMax: number): void {
  const { plan } = state;
  state.do(
    () => state.captures.set(capture, state.position + 1),
    () => state.captures.delete(capture),
  );
  const faults = [...report.faults, ...scopeFaults(plan, session, report.actor)];
  if (capture.startsWith('report:')) faults.push('the name of a capture may not begin with report:');
  const rows = report.rows.map((row) => ({ row, source: sourceOf(plan, row.relation) }));
  const judged = [...plan.sources.values()].map((one) => one.relation);
  for (const { row, source } of rows) {
    if (faults.length >= faultsMax) break;
    if (source === undefined) faults.push(`${row.relation} is no evidence${didYouMean(row.relation, judged)}`);
    else faults.push(...columnFaults(plan.relations.get(row.relation), row.columns));
  }
  for (const end of report.ends) faults.push(`a capture cannot end a row of ${end.relation}`);
  const stamps = () => stamp(state, session, report.actor, capture, 0);
  if (faults.length > 0) return refuseCapture(state, stamps(), 'malformed', faults);
  if ((state.openOf.get(session) ?? 0) + rows.length > openRowsMax) {
    return refuseCapture(state, stamps(), 'too many open', []);
  }
  rows.forEach(({ row, source }, i) => {
    const stamps = stamp(state, session, report.actor, capture, i + 1);
    if (source !== undefined)
      state.addEvidence({ id: stamps.id, source, session, capture, seq: stamps.seq, row: { ...row.columns, ...stamps } });
  });
}

/** Kept, without rows of its own (ruling 1): a record says why, and a lifecycle row that it was so. */
function refuseCapture(state: State, stamps: Stamps, refused: 'malformed' | 'too many open', issues: readonly string[]): void {
  state.record({ record: 'captureRefused', capture: stamps.capture, class: refused, issues });
  state.put(OWN, { ...stamps, captured: stamps.capture, class: refused }, 1);
}

// Trusted rows.

/** The world says this itself, of the captures that it refuses. */
const OWN = 'lifecycle.captureRefused';
const TRUSTED: ReadonlySet<string> = new Set(['observation', 'receipt', 'queryresult.outcome', 'lifecycle', 'confirmed']);

function applyTrusted(state: State, report: TakenReport, capture: string, session: string, onTable: ReadonlySet<string>): void {
  const { plan } = state;
  const faults = scopeFaults(plan, session, report.actor);
  for (const { relation, columns } of report.rows) {
    if (faults.length >= faultsMax) break;
    if (!TRUSTED.has(namespaceOf(relation) ?? '') || relation === OWN) faults.push(untrusted(plan, relation));
    else if (!plan.relations.has(relation)) faults.push(`unknown relation ${relation}${didYouMean(relation, reportable(plan))}`);
    else faults.push(...columnFaults(plan.relations.get(relation), columns));
  }
  for (const { relation, columns } of report.ends) faults.push(...endFaults(plan.relations.get(relation), relation, columns));
  const keys = new Set<string>();
  const rows = report.rows.map((given, i) => ({
    given,
    stamps: { session, actor: report.actor, capture, ordinal: i + 1, id: `${capture}.${i + 1}` },
  }));
  for (const { relation, columns } of [...report.ends, ...report.rows]) {
    const key = keyOf(plan.relations.get(relation), relation, { session, actor: report.actor, ...columns });
    if (key !== undefined && keys.has(key)) faults.push(`two rows of one key of ${relation} in one report`);
    if (key !== undefined) keys.add(key);
  }
  for (const { given, stamps } of rows) faults.push(...fallFaults(state, given.relation, { ...stamps, ...given.columns }));
  if (faults.length > 0) throw new CountersignError(faults.map((fault) => issue('world/report-refused', fault)));
  for (const { relation, columns } of report.ends) endKey(state, relation, { session, actor: report.actor, ...columns });
  const answers = rows.flatMap(({ given, stamps }) => {
    const row: Row = { ...stamps, seq: next(state), ...given.columns };
    if (namespaceOf(given.relation) === 'confirmed') return [{ relation: given.relation, row: { ...row, by: report.actor } }];
    putRow(state, given.relation, row);
    return [];
  });
  // An answer is judged on the report's other rows, wherever in it they stand.
  if (answers.length > 0) takeAnswers(state, answers, onTable);
}

export function putRow(state: State, relation: string, row: Row): void {
  const known = state.plan.relations.get(relation);
  const table = state.table(relation);
  if (table === undefined) return;
  const key = keyOf(known, relation, row);
  if (key !== undefined) {
    endKey(state, relation, row);
    state.do(
      () => state.keyed.set(key, { table, row }),
      () => state.keyed.delete(key),
    );
  }
  state.put(relation, row, 1);
  if (namespaceOf(relation) === 'receipt' && row['outcome'] === 'failed') recordReceipt(state, ownName(relation), row);
}

function endKey(state: State, relation: string, row: Row): void {
  const key = keyOf(state.plan.relations.get(relation), relation, row);
  const known = key === undefined ? undefined : state.keyed.get(key);
  if (key === undefined || known === undefined) return;
  state.write(known.table, state.columns(known.table, known.row), -1);
  state.do(
    () => state.keyed.delete(key),
    () => state.keyed.set(key, known),
  );
}

function keyOf(known: Relation | undefined, relation: string, row: Row): string | undefined {
  return known?.key === undefined ? undefined : canonicalJson([relation, ...known.key.map((column) => row[column] ?? null)]);
}

// What every row is checked for.

function columnFaults(known: Relation | undefined, columns: Row): string[] {
  if (known === undefined) return ['unknown relation'];
  const relation = known.name;
  const given = known.columns.filter((column) => !column.isReserved && !isStamped(known, column.name));
  const names = new Set(given.map(({ name }) => name));
  const unknown = Object.keys(columns).filter((name) => !names.has(name));
  return [
    ...unknown.map((name) => `${relation} has no column ${name} to report${didYouMean(name, names)}`),
    ...given.flatMap(({ name, schema, sort }) => {
      if (!Object.hasOwn(columns, name)) return [`${relation}.${name} is missing`];
      const fault = valueFault(schema, sort, columns[name]);
      return fault === undefined ? [] : [`${relation}.${name}: ${fault}`];
    }),
  ];
}

/** What rises may not fall: a clock that was set back would open again what time has closed. */
function fallFaults(state: State, relation: string, row: Row): string[] {
  const known = state.plan.relations.get(relation);
  const before = state.keyed.get(keyOf(known, relation, row) ?? '')?.row;
  return (known?.rising ?? []).flatMap((column) => {
    const [was, is] = [before?.[column], row[column]];
    return was !== undefined && is !== undefined && is < was
      ? [`${relation}.${column}: ${is} is less than ${was}, and it never falls`]
      : [];
  });
}

function untrusted(plan: Plan, relation: string): string {
  if (sourceOf(plan, relation) !== undefined) return `${relation} is evidence: give its report a capture`;
  return `${relation} is no relation of trusted reports${didYouMean(relation, reportable(plan))}`;
}

/** What a report may name, in a capture or without one; the world has relations of its own besides. */
function reportable({ relations, sources }: Plan): string[] {
  const trusted = [...relations.keys()].filter((name) => TRUSTED.has(namespaceOf(name) ?? '') && name !== OWN);
  return [...trusted, ...[...sources.values()].map(({ relation }) => relation)];
}

/** Of an answer, who gives it is the runtime's to say; of an observation, a scope's column in its key is the stamp. */
function isStamped(known: Relation, column: string): boolean {
  return namespaceOf(known.name) === 'confirmed' && column === 'by';
}

function endFaults(known: Relation | undefined, relation: string, columns: Row): string[] {
  if (known?.key === undefined) return [`${relation} has no key that could end`];
  if (known.rising?.length) return [`${relation} cannot end: ${known.rising.join(', ')} would begin again from anywhere`];
  const inKey = { ...known, columns: known.columns.filter((column) => known.key?.includes(column.name)) };
  return columnFaults(inKey, columns);
}

function scopeFaults({ relations }: Plan, session: string, actor: string): string[] {
  for (const { columns } of relations.values()) {
    const stamps = columns.filter((column) => column.isReserved && (column.name === 'session' || column.name === 'actor'));
    if (stamps.length < 2) continue;
    return stamps.flatMap(({ name, schema, sort }) => {
      const fault = valueFault(schema, sort, name === 'session' ? session : actor);
      return fault === undefined ? [] : [`${name}: ${fault}`];
    });
  }
  return [];
}

function sourceOf({ sources }: Plan, relation: string): Source | undefined {
  for (const source of sources.values()) if (source.relation === relation) return source;
  return undefined;
}

function stamp(state: State, session: string, actor: string, capture: string, ordinal: number): Stamps {
  return { id: `${capture}.${ordinal}`, session, actor, capture, ordinal, seq: next(state) };
}

function next(state: State): number {
  state.do(
    () => state.seq++,
    () => state.seq--,
  );
  return state.seq;
}
