/**
 * Reports become base rows: stamped, checked, replaced by key, ended; answers are matched with the cards on the table.
 *
 * Reads  one batch, in order, and the draft that it is put into.
 * Gives  rows in the draft, and records of what was kept without becoming a row.
 * Never  half takes a capture; a fault in a trusted report refuses the batch.
 */
import { namespaceOf, ownName } from '../../dsl/law.ts';
import type { RelationIR, Value } from '../../dsl/ir.ts';
import type { Batch, Report, ReportRow, Row } from '../../dsl/record.ts';
import { sortOf, valueFault } from '../../dsl/value.ts';
import { canonicalJson } from '../../dsl/digest.ts';
import { decisionsOf, Draft, evidenceOf, sourceOf } from './state.ts';

/** A trusted report that cannot be taken. */
export class Faulty extends Error {}

/** Captures that the ledger knows are answered with their first outcome: what is left of a batch is what is new in it. */
export function newReports(batch: Batch, known: ReadonlySet<string>): { readonly report: Report; readonly place: number }[] {
  const seen = new Set(known);
  return batch.reports.flatMap((report, place) => {
    if (report.capture === undefined) return [{ report, place }];
    if (seen.has(report.capture)) return [];
    seen.add(report.capture);
    return [{ report, place }];
  });
}

export function apply(draft: Draft, batch: Batch): void {
  for (const { report, place } of newReports(batch, draft.captures)) {
    const stamps = { session: batch.session, actor: report.actor ?? batch.actor };
    if (report.capture === undefined) putTrusted(draft, report, stamps, `report:${draft.position}.${place}`);
    else putCapture(draft, report, stamps, report.capture);
  }
}

interface Who {
  readonly session: string;
  readonly actor: string;
}

// Evidence: all of a capture, or nothing but the record that it came.

function putCapture(draft: Draft, report: Report, who: Who, capture: string): void {
  draft.captures.add(capture);
  const issues = capture.startsWith('report:') ? ['the name of a capture may not begin with report:'] : [];
  for (const { relation, columns } of report.rows) {
    if (sourceOf(draft.book, relation) === undefined) issues.push(`${relation} is no evidence`);
    else issues.push(...faultsOf(draft.book.relations.get(relation), columns, []));
  }
  for (const { relation } of report.ends ?? []) issues.push(`a capture cannot end a row of ${relation}`);
  if (issues.length > 0) return refuseCapture(draft, who, capture, 'malformed', issues);
  if (openOf(draft, who.session) + report.rows.length > draft.limits.openMax) {
    return refuseCapture(draft, who, capture, 'too many open', []);
  }
  report.rows.forEach(({ relation, columns }, index) =>
    draft.put({ relation, row: { ...stamped(draft, who, capture, index + 1), ...columns } }),
  );
}

/** Kept, without rows of its own: a record says why, and a lifecycle row that it was so. */
function refuseCapture(draft: Draft, who: Who, capture: string, refused: 'malformed' | 'too many open', issues: readonly string[]): void {
  draft.record({ record: 'captureRefused', capture, class: refused, issues });
  draft.put({ relation: 'lifecycle.captureRefused', row: { ...stamped(draft, who, capture, 0), captured: capture, class: refused } });
}

function openOf(draft: Draft, session: string): number {
  const decided = decisionsOf(draft.made);
  return evidenceOf(draft).filter((row) => row.row['session'] === session && !decided.has(row.id)).length;
}

// Trusted rows.

function putTrusted(draft: Draft, report: Report, who: Who, capture: string): void {
  const keys = new Set<string>();
  for (const end of report.ends ?? []) endKey(draft, end, who, keys);
  const answers: { readonly relation: string; readonly row: Row }[] = [];
  report.rows.forEach((given, index) => {
    const row = trustedRow(draft, given, who, { ...stamped(draft, who, capture, index + 1) });
    if (namespaceOf(given.relation) === 'confirmed') return void answers.push({ relation: given.relation, row });
    const known = draft.book.relations.get(given.relation);
    const key = keyOf(known, given.relation, row);
    const before = draft.rows.find((base) => base.relation === given.relation && keyOf(known, given.relation, base.row) === key)?.row;
    for (const column of known?.rising ?? []) {
      if (before !== undefined && Number(row[column]) < Number(before[column])) throw new Faulty(`${given.relation}.${column} fell`);
    }
    if (key !== undefined) replace(draft, key, given.relation, keys);
    draft.put({ relation: given.relation, row });
  });
  // An answer is judged on the report's other rows, wherever in it they stand.
  const cards = new Set(draft.cards.map((card) => canonicalJson(card)));
  const judged = answers.map((answer) => ({ answer, why: whyIgnored(draft, answer, cards) }));
  for (const { answer, why } of judged) {
    if (why === undefined) draft.put(answer);
    else draft.record({ record: 'ignored', relation: answer.relation, row: declared(draft, answer), why });
  }
}

function trustedRow(draft: Draft, { relation, columns }: ReportRow, who: Who, stamps: Row): Row {
  const known = draft.book.relations.get(relation);
  const namespace = namespaceOf(relation);
  const isTrusted = ['observation', 'receipt', 'queryresult.outcome', 'lifecycle', 'confirmed'].includes(namespace ?? '');
  if (!isTrusted || known === undefined) throw new Faulty(`${relation} is no relation of trusted reports`);
  const stamped = stampedIn(known);
  const faults = faultsOf(known, columns, stamped);
  if (faults.length > 0) throw new Faulty(faults.join('; '));
  return { ...stamps, ...columns, ...(stamped.includes('by') ? { by: who.actor } : {}) };
}

/** Of an answer, who gives it is the runtime's to say. A stamp in the key of an observation is no declared column at all. */
function stampedIn(relation: RelationIR): string[] {
  return namespaceOf(relation.name) === 'confirmed' ? ['by'] : [];
}

function endKey(draft: Draft, { relation, columns }: ReportRow, who: Who, keys: Set<string>): void {
  const known = draft.book.relations.get(relation);
  if (known?.key === undefined) throw new Faulty(`${relation} has no key that could end`);
  if (known.rising !== undefined) throw new Faulty(`${relation} cannot end`);
  const inKey = Object.entries(known.columns).filter(([column]) => known.key?.includes(column));
  const faults = faultsOf({ ...known, columns: Object.fromEntries(inKey) }, columns, []);
  if (faults.length > 0) throw new Faulty(faults.join('; '));
  replace(draft, keyOf(known, relation, { ...who, ...columns }) ?? '', relation, keys);
}

/** Takes the row of the key away; a second one in the same report is a contradiction. */
function replace(draft: Draft, key: string, relation: string, keys: Set<string>): void {
  if (keys.has(key)) throw new Faulty(`two rows of one key of ${relation} in one report`);
  keys.add(key);
  draft.rows = draft.rows.filter(
    (base) => base.relation !== relation || keyOf(draft.book.relations.get(relation), relation, base.row) !== key,
  );
  draft.touch();
}

function keyOf(known: RelationIR | undefined, relation: string, row: Row): string | undefined {
  return known?.key === undefined ? undefined : canonicalJson([relation, ...known.key.map((column) => row[column] as Value)]);
}

/** An answer is to a card that lies on the table and is still what its row asks, by someone who may give it now. */
function whyIgnored(
  draft: Draft,
  { relation, row }: { readonly relation: string; readonly row: Row },
  cards: ReadonlySet<string>,
): 'no such card' | 'not admissible' | undefined {
  const decided = ownName(relation);
  const { id, reason, shown, by, answer } = row as Record<'id' | 'reason' | 'shown' | 'by' | 'answer', string>;
  const isOnTable =
    cards.has(canonicalJson({ decided, id, reason, shown })) && draft.derived().model.has(`asked.${decided}`, { id, reason, shown });
  if (!isOnTable) return 'no such card';
  const trial = new Draft(draft);
  trial.put({ relation, row });
  return trial.derived().model.has(`answer.${decided}`, { id, reason, shown, by, answer }) ? undefined : 'not admissible';
}

function declared(draft: Draft, { relation, row }: { readonly relation: string; readonly row: Row }): Row {
  const columns = draft.book.relations.get(relation)?.columns ?? {};
  return Object.fromEntries(Object.entries(row).filter(([column]) => Object.hasOwn(columns, column)));
}

// Both.

function stamped(draft: Draft, who: Who, capture: string, ordinal: number): Row {
  draft.seq += 1;
  return { ...who, id: `${capture}.${ordinal}`, capture, ordinal, seq: draft.seq };
}

/** What is wrong with the columns of a report's row: missing, unknown, out of range. */
function faultsOf(relation: RelationIR | undefined, columns: Row, stamped: readonly string[]): string[] {
  if (relation === undefined) return ['an unknown relation'];
  const expected = Object.keys(relation.columns).filter((column) => !stamped.includes(column));
  const unknown = Object.keys(columns).filter((column) => !expected.includes(column));
  return [
    ...unknown.map((column) => `${relation.name} has no column ${column} to report`),
    ...expected.flatMap((column) => {
      const schema = relation.columns[column];
      const sort = sortOf(schema);
      const fault = schema === undefined || sort === undefined ? 'no column type' : valueFault(schema, sort, columns[column]);
      return fault === undefined ? [] : [`${relation.name}.${column}: ${fault}`];
    }),
  ];
}
