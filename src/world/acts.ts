/**
 * The life of an act: admitted, in conflict, started or withdrawn, dormant.
 *
 * Reads  identities whose intent rows or records have changed.
 * Gives  records of acts. Admission is a record, not a derivation (ruling 23).
 * Never  runs anything: that is for the runtime, with an admission in its hand.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Because } from '../engine/engine.ts';
import type { Identity } from './docket.ts';
import { recordAct } from './register.ts';
import type { State } from './state.ts';

/** Admits every row of every intent whose identity is free. True when anything was recorded. */
export function admit(state: State): boolean {
  const records = state.docket.takeTouched().flatMap((identity) => admissionOf(state, identity) ?? []);
  const because = records.map(({ intent, row }) => derivationsOf(state, intent, row));
  records.forEach((record, i) => recordAct(state, record, because[i]));
  if (records.length > 0) state.settle();
  return records.length > 0;
}

function admissionOf(state: State, { intent, key, rows }: Identity): IntentRecord | undefined {
  if (state.dormant.has(key)) return undefined;
  const last = state.acts.get(key);
  const isTaken = last?.record === 'admitted' || last?.record === 'started';
  // Two proposals of one identity with the same bindings are one act, whichever of them it is named after.
  const others = [...rows.values()]
    .filter((row) => !isTaken || bindingsOf(row) !== bindingsOf(last.row))
    .sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right)));
  const [first] = others;
  if (first === undefined) return undefined;
  const isConflict = isTaken || new Set(others.map(bindingsOf)).size > 1;
  // One conflict record an identity: it says that the bindings differ, and to whom it matters that is enough.
  if (isConflict && state.conflicts.has(key)) return undefined;
  return { record: isConflict ? 'conflict' : 'admitted', intent, key, row: first, restsOn: groundsOf(state, intent, first) };
}

function derivationsOf(state: State, intent: string, row: Row): Because[] {
  const table = state.table(`intent.${intent}`);
  return table === undefined ? [] : [...state.engine.prover.instances(table, state.columns(table, row))];
}

/** How far each rule of the intent comes with the bindings of an act that it does not give. */
function missesOf(state: State, { intent, row }: Pick<IntentRecord, 'intent' | 'row'>): Because[] {
  const table = state.table(`intent.${intent}`);
  if (table === undefined) return [];
  return state.engine.prover.attempts(table, new Map(state.columns(table, row).entries())).filter(({ tried }) => tried !== undefined);
}

function bindingsOf({ id: _, ...bindings }: Row): string {
  return canonicalJson(bindings);
}

function groundsOf(state: State, intent: string, row: Row): string[] {
  const table = state.table(`intent.${intent}`);
  if (table === undefined) return [];
  return [...state.engine.lineage(table, state.columns(table, row), state.leafOf)].sort(byCodePoint);
}

/** True when the key is that of an act that was admitted and has neither started nor been withdrawn. */
export function mayStart(state: State, intent: string, key: string): boolean {
  const last = state.acts.get(key);
  return last?.record === 'admitted' && last.intent === intent;
}

/** Starts an act with its whole group, if every one of them still holds; else withdraws them. */
export function start(state: State, key: string): void {
  const own = state.acts.get(key);
  if (own === undefined) return;
  const groups = new Set(groupsOf(state, own));
  const beside = [...groups]
    .flatMap((group) => state.members(group))
    .flatMap((id) => state.actsAbout(id).flatMap(({ key: its }) => state.acts.get(its) ?? []));
  const together = [...new Set([own, ...beside])].filter(
    (record) => record === own || (record.record === 'admitted' && groupsOf(state, record).some((group) => groups.has(group))),
  );
  const missing = membersOf(state, groups).find((id) => !together.some((record) => record.restsOn.includes(id)));
  const holds = ({ key: its, row }: IntentRecord) => state.docket.identity(its)?.rows.has(canonicalJson(row)) === true;
  together.sort((left, right) => byCodePoint(left.key, right.key));
  const fallen = together.find((record) => !holds(record)) ?? (missing === undefined ? undefined : actOf(state, missing));
  const becomes = fallen === undefined ? 'started' : 'withdrawn';
  const because = together.map((record) => {
    if (fallen === undefined) return derivationsOf(state, record.intent, record.row);
    // One that falls with another falls for what the other fell for.
    return missesOf(state, holds(record) ? fallen : record);
  });
  together.forEach((record, i) => recordAct(state, { ...record, record: becomes }, because[i]));
}

/** The act that an approved row leads to, whether it was admitted or not. */
function actOf({ evidence }: State, id: string): Pick<IntentRecord, 'intent' | 'row'> | undefined {
  const { source, row } = evidence.get(id) ?? {};
  return source?.intent === undefined || row === undefined ? undefined : { intent: source.intent, row: { ...row, ...source.constants } };
}

/** The groups of the approved rows that an act rests on. */
function groupsOf(state: State, { restsOn }: IntentRecord): string[] {
  return restsOn.flatMap((id) => {
    const evidence = state.evidence.get(id);
    return evidence === undefined || state.decisions.get(id)?.final.verdict !== 'approved' ? [] : (state.groupOf(evidence) ?? []);
  });
}

/** Rows of these groups that lead to an intent: all of them have to be there for any of them to start. */
function membersOf(state: State, groups: ReadonlySet<string>): string[] {
  return [...groups].flatMap((group) => state.members(group).filter((id) => state.evidence.get(id)?.source.intent !== undefined));
}

/** Identities that a newly adopted program derives and that no record knows are recorded, and never admitted. */
export function putToSleep(state: State, admitOld: readonly string[]): void {
  const unknown = [...state.docket.identities()].filter(
    ({ intent, key }) => !admitOld.includes(intent) && !state.acts.has(key) && !state.conflicts.has(key) && !state.dormant.has(key),
  );
  for (const { intent, key } of unknown.sort((a, b) => byCodePoint(a.intent, b.intent) || byCodePoint(a.key, b.key))) {
    state.do(
      () => state.dormant.add(key),
      () => state.dormant.delete(key),
    );
    state.record({ record: 'dormant', intent, key });
  }
}
