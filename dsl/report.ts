/**
 * Rows as they are reported, typed by the relation that they are rows of.
 *
 * Reads  a relation that the outside writes, and a value for each of its declared columns.
 * Gives  frozen rows for a batch, and the keys of keyed observations that hold no longer.
 * Never  checks a value: that is done at ingress, for typed rows and for those that came as JSON alike.
 */
import { entriesOf, record, relationName } from './carry.ts';
import type { Value } from './ir.ts';
import { CountersignError, issue } from './issue.ts';
import type { Namespace } from './law.ts';
import type { Batch, Report, ReportRow } from './record.ts';

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
  return rowOf(relation, columns);
}

/** The key of a keyed observation that holds no longer, for `ends`. A stamp in the key is left out: it is the batch's own. */
export function ended<Columns, Key extends string>(
  relation: Reportable<Columns> & { readonly '~key': Key },
  key: NoInfer<Given<Pick<Columns, Extract<keyof Columns, Key>>>>,
): ReportRow {
  return rowOf(relation, key);
}

/** `by` is the actor of the report, which the runtime stamps. */
type Given<Columns> = { readonly [Column in keyof Columns]: Columns[Column] };

function rowOf(of: unknown, columns: unknown): ReportRow {
  const relation = relationName(of, 'a row');
  const values = entriesOf(columns).map(([column, value]) => [column, valueOf(value, `${relation}.${column}`)] as const);
  return Object.freeze({ relation, columns: record(values) });
}

function valueOf(value: unknown, place: string): Value {
  if (value === undefined) throw new CountersignError([issue('dsl/column-undefined', `${place} was given as undefined`)]);
  // Any other value is compared with its column at ingress.
  return value as Value;
}
