/**
 * Rows as they are reported, typed by the relation that they are rows of.
 *
 * Reads  a relation that the outside writes, and a value for each of its declared columns.
 * Gives  frozen rows for a batch, answers to cards among them, and the keys of keyed observations that hold no longer.
 * Never  checks a value: that is done at ingress, for typed rows and for those that came as JSON alike.
 */
import { entriesOf, optionsOf, record, refuse, relationName } from './carry.ts';
import type { Value } from './ir.ts';
import { CountersignError, issue } from './issue.ts';
import type { Namespace } from './law.ts';
import type { Batch, Card, Report, ReportRow } from './record.ts';
import { describe } from './value.ts';

export type { Batch, Report, ReportRow };

/** Namespaces whose rows come in by reports. */
type ReportedNamespace = Extract<
  Namespace,
  'observation' | 'candidate' | 'proposal' | 'confirmed' | 'receipt' | 'lifecycle' | 'queryresult'
>;
/** A relation that a report may give rows of. */
export interface Reportable<Columns> {
  readonly relation: `${ReportedNamespace}.${string}`;
  readonly '~row': Columns;
}

/** One row of a report: every declared column, none of the stamped ones. */
export function row<Columns>(relation: Reportable<Columns>, columns: NoInfer<Given<Columns>>): ReportRow {
  return rowOf(relationName(relation, 'a row'), entriesOf(columns));
}

/** The key of a keyed observation that holds no longer, for `ends`. A stamp in the key is left out: it is the batch's own. */
export function ended<Columns, Key extends string>(
  relation: Reportable<Columns> & { readonly '~key': Key },
  key: NoInfer<Given<Pick<Columns, Extract<keyof Columns, Key>>>>,
): ReportRow {
  return rowOf(relationName(relation, 'a row'), entriesOf(key));
}

/**
 * The answer to a card, for a trusted report: `world.observe({ session, actor: 'mia', reports: [{ rows: [answer(card, 'yes')] }] })`.
 *
 * Shape   who answers is the actor of the report, which the runtime stamps.
 */
export function answer(card: Card, given: 'yes' | 'no'): ReportRow {
  if (given !== 'yes' && given !== 'no') refuse(`answer: ${describe(given)} is neither yes nor no`);
  const { id, reason, shown, relation, row: held } = optionsOf(card, 'answer: its card', ['id', 'reason', 'shown', 'relation', 'row']);
  if (typeof relation !== 'string') return refuse(`answer: ${describe(relation)} is no relation of answers`);
  // A request is told apart from those of other queries by the query's name.
  const query = relation === 'confirmed.queryExecute' ? entriesOf(held).filter(([column]) => column === 'query') : [];
  const columns = { id, reason, shown, answer: given };
  return rowOf(relation, [...Object.entries(columns), ...query]);
}

/** `by` is the actor of the report, which the runtime stamps. */
type Given<Columns> = { readonly [Column in keyof Columns]: Columns[Column] };

function rowOf(relation: string, columns: readonly (readonly [string, unknown])[]): ReportRow {
  const values = columns.map(([column, value]) => [column, valueOf(value, `${relation}.${column}`)] as const);
  return Object.freeze({ relation, columns: record(values) });
}

function valueOf(value: unknown, place: string): Value {
  if (value === undefined) throw new CountersignError([issue('dsl/column-undefined', `${place} was given as undefined`)]);
  // Any other value is compared with its column at ingress.
  return value as Value;
}
