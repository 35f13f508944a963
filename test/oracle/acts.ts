/**
 * The life of an act: admitted, started or withdrawn, in conflict, dormant.
 *
 * Reads  the rows of `intent.*` on a draft, and what the ledger knows about their identities.
 * Gives  records of acts, and `due`, the acts that may still happen.
 * Never  runs anything.
 */
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Model, Tuple } from './model.ts';
import { decisionsOf, intentRecordsOf, sourceOf, type Draft } from './state.ts';
import { groupKeyOf, look } from './verdicts.ts';

/** Admits every row of every intent whose identity is free. True when anything was recorded. */
export function admit(draft: Draft): boolean {
  const records: IntentRecord[] = [];
  for (const { intent, key, tuples } of identitiesOf(draft, look(draft).model)) {
    if (draft.dormant.has(key)) continue;
    const last = lastOf(draft, key);
    const isTaken = last?.record === 'admitted' || last?.record === 'started';
    const others = isTaken ? tuples.filter(({ row }) => bindingsOf(row) !== bindingsOf(last.row)) : tuples;
    const [first] = others;
    if (first === undefined) continue;
    const isConflict = isTaken || new Set(others.map(({ row }) => bindingsOf(row))).size > 1;
    if (isConflict && intentRecordsOf(draft.made).some((record) => record.record === 'conflict' && record.key === key)) continue;
    records.push({
      record: isConflict ? 'conflict' : 'admitted',
      intent,
      key,
      row: first.row,
      restsOn: [...first.restsOn].sort(byCodePoint),
    });
  }
  draft.record(...records);
  return records.length > 0;
}

/** What an act does, whichever proposal it is named after. */
function bindingsOf({ id: _, ...bindings }: Row): string {
  return canonicalJson(bindings);
}

/** True when the key is that of an act that was admitted and has neither started nor been withdrawn. */
export function mayStart(draft: Draft, intent: string, key: string): boolean {
  const last = lastOf(draft, key);
  return last?.record === 'admitted' && last.intent === intent;
}

/** Starts an act with its whole group in one record, if every one of them still holds; else withdraws them. */
export function start(draft: Draft, key: string): void {
  const admitted = keysOf(draft)
    .flatMap((known) => lastOf(draft, known) ?? [])
    .filter((record) => record.record === 'admitted');
  const own = admitted.find((record) => record.key === key);
  if (own === undefined) return;
  const groups = groupsOf(draft, own);
  const together = admitted.filter((record) => record === own || groupsOf(draft, record).some((group) => groups.includes(group)));
  const { model } = look(draft);
  const holds = ({ intent, row, key: its }: IntentRecord) =>
    identitiesOf(draft, model).some(
      (one) => one.intent === intent && one.key === its && one.tuples.some((tuple) => canonicalJson(tuple.row) === canonicalJson(row)),
    );
  const isWhole = membersOf(draft, groups).every((id) => together.some((record) => record.restsOn.includes(id)));
  const becomes = isWhole && together.every(holds) ? 'started' : 'withdrawn';
  draft.record(
    ...together.sort((left, right) => byCodePoint(left.key, right.key)).map((record): IntentRecord => ({ ...record, record: becomes })),
  );
}

/** Identities that a newly adopted program derives and that no record knows. */
export function putToSleep(draft: Draft, admitOld: readonly string[]): void {
  const known = new Set(keysOf(draft));
  for (const { intent, key } of identitiesOf(draft, look(draft).model)) {
    if (admitOld.includes(intent) || known.has(key) || draft.dormant.has(key)) continue;
    draft.dormant.add(key);
    draft.record({ record: 'dormant', intent, key });
  }
}

/** Rows of an intent that were admitted, still hold and have not started. */
export function dueOf(draft: Draft, model: Model): { readonly relation: string; readonly tuple: Tuple }[] {
  return identitiesOf(draft, model).flatMap(({ intent, key, tuples }) => {
    const last = lastOf(draft, key);
    const due = tuples.filter(({ row }) => last?.record === 'admitted' && canonicalJson(row) === canonicalJson(last.row));
    return due.map((tuple) => ({ relation: `due.${intent}`, tuple }));
  });
}

interface Identity {
  readonly intent: string;
  readonly key: string;
  readonly tuples: readonly Tuple[];
}

/** The rows of every intent by identity, in the order of intents and keys. */
function identitiesOf(draft: Draft, model: Model): Identity[] {
  const { name, intents } = draft.book;
  return [...intents]
    .sort(([left], [right]) => byCodePoint(left, right))
    .flatMap(([intent, identity]) => {
      const byKey = new Map<string, Tuple[]>();
      for (const { row, restsOn } of model.tuples(`intent.${intent}`)) {
        const columns = Object.fromEntries(identity.map((column) => [column, row[column] ?? '']));
        const key = sha256(canonicalJson([name, draft.limits.tenant, intent, columns]));
        byKey.set(key, [...(byKey.get(key) ?? []), { row, restsOn }]);
      }
      return [...byKey]
        .sort(([left], [right]) => byCodePoint(left, right))
        .map(([key, tuples]) => ({
          intent,
          key,
          tuples: tuples.sort((left, right) => byCodePoint(canonicalJson(left.row), canonicalJson(right.row))),
        }));
    });
}

function keysOf(draft: Draft): string[] {
  return [...new Set(intentRecordsOf(draft.made).map((record) => record.key))];
}

/** What last became of an identity; conflicts apart. */
function lastOf(draft: Draft, key: string): IntentRecord | undefined {
  return intentRecordsOf(draft.made)
    .filter((record) => record.key === key && record.record !== 'conflict')
    .at(-1);
}

/** The groups of the approved rows that an act rests on. */
function groupsOf(draft: Draft, record: IntentRecord): string[] {
  const decisions = decisionsOf(draft.made);
  return draft.rows.flatMap((base) => {
    const id = String(base.row['id']);
    if (
      !record.restsOn.includes(id) ||
      sourceOf(draft.book, base.relation) === undefined ||
      decisions.get(id)?.final.verdict !== 'approved'
    )
      return [];
    return groupKeyOf(draft, base) ?? [];
  });
}

/** Rows of these groups that lead to an intent: all of them have to be there for any of them to start. */
function membersOf(draft: Draft, groups: readonly string[]): string[] {
  return draft.rows.flatMap((base) => {
    const source = sourceOf(draft.book, base.relation);
    const key = source?.intent === undefined ? undefined : groupKeyOf(draft, base);
    return key !== undefined && groups.includes(key) ? [String(base.row['id'])] : [];
  });
}
