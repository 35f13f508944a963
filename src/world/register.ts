/**
 * The register: how a decision, an act or a set-aside becomes a record, and the rows that rules read of it.
 *
 * Reads  records as deciding and acts make them.
 * Gives  the record in the state, and its rows in the engine: standing decisions, acts, what limits count.
 * Never  rewrites a record: what changes is which rows stand for it.
 */
import type { DecisionRecord, IntentRecord, Row } from '../../dsl/record.ts';
import type { Because } from '../engine/engine.ts';
import type { Cause } from './corrections.ts';
import type { Decided, Evidence, State } from './state.ts';

const NO_STAMPS: Row = { session: '', actor: '', capture: '', ordinal: 0, seq: 0 };

export function recordDecision(state: State, record: DecisionRecord, because?: readonly Because[], program?: string): void {
  state.record(record, because, program);
  const { id } = record;
  const evidence = state.evidence.get(id) as Evidence;
  const known = state.decisions.get(id);
  const decided: Decided =
    known === undefined ? { final: record, position: state.position + 1, place: state.made.length } : { ...known, revoked: record };
  if (!state.aside.has(id)) {
    decisionRows(state, evidence, known, -1);
    if (known === undefined) state.open(evidence, -1);
    decisionRows(state, evidence, decided, 1);
  }
  state.do(
    () => state.decisions.set(id, decided),
    () => (known === undefined ? state.decisions.delete(id) : state.decisions.set(id, known)),
  );
  expose(state, id);
  if (record.verdict === 'revoked') state.docket.fell(evidence);
}

/** The rows that rules read of a decision. */
function decisionRows(state: State, { source, row }: Evidence, decided: Decided | undefined, sign: 1 | -1): void {
  if (decided === undefined) return;
  const { final, revoked } = decided;
  const own = { ...row, ...source.constants };
  if (final.verdict === 'rejected')
    for (const reason of final.reasons) state.put(`decision.rejected.${source.decided}`, { ...own, reason }, sign);
  else if (revoked === undefined) state.put(`decision.${final.verdict}.${source.decided}`, { ...own, ...final.recorded }, sign);
  for (const reason of revoked?.reasons ?? []) state.put(`decision.revoked.${source.decided}`, { ...own, reason }, sign);
}

/** The row leaves the model for good; its decision is taken back, or never made. */
export function setAside(state: State, id: string, { reason, because }: Cause): void {
  state.record({ record: 'setAside', id, reason }, because);
  leave(state, id);
  const { source } = state.evidence.get(id) as Evidence;
  const decided = state.decisions.get(id);
  const about = { record: 'decision', source: source.name, id, reasons: [reason], recorded: {} } as const;
  if (decided === undefined) recordDecision(state, { ...about, verdict: 'rejected' }, because);
  else if (decided.final.verdict !== 'rejected' && decided.revoked === undefined)
    recordDecision(state, { ...about, verdict: 'revoked' }, because);
}

/** Takes every row out that stands for a row of evidence, the acts that rest on it and have not started among them. */
export function leave(state: State, id: string): void {
  const evidence = state.evidence.get(id) as Evidence;
  const decided = state.decisions.get(id);
  state.put(evidence.source.relation, evidence.row, -1);
  if (decided === undefined) state.open(evidence, -1);
  else decisionRows(state, evidence, decided, -1);
  for (const act of actsOn(state, id)) actRow(state, act, -1);
  state.do(
    () => state.aside.add(id),
    () => state.aside.delete(id),
  );
  expose(state, id);
  state.docket.fell(evidence);
}

/** Records of acts that rest on a row and leave the model with it: those of an act that has started stay. */
function actsOn(state: State, id: string): IntentRecord[] {
  return state.actsAbout(id).filter(({ key, restsOn }) => {
    const hasBegun = state.acts.get(key)?.record === 'started';
    return restsOn.includes(id) && !hasBegun && !restsOn.some((one) => state.aside.has(one));
  });
}

export function recordAct(state: State, record: IntentRecord, because?: readonly Because[], program?: string): void {
  state.record(record, because, program);
  const { key } = record;
  const known = state.acts.get(key);
  const wasPending = known?.record === 'admitted';
  if (record.record === 'conflict') {
    state.do(
      () => state.conflicts.add(key),
      () => state.conflicts.delete(key),
    );
  } else {
    if (wasPending) standing(state, known, -1);
    if (record.record === 'admitted') standing(state, record, 1);
    state.do(
      () => state.acts.set(key, record),
      () => (known === undefined ? state.acts.delete(key) : state.acts.set(key, known)),
    );
  }
  // What is withdrawn after its row was set aside has left the model with it.
  if (record.record === 'started' || !record.restsOn.some((id) => state.aside.has(id))) actRow(state, record, 1);
  if (record.record === 'started') {
    for (const id of record.restsOn.filter((one) => !state.begun.has(one))) {
      state.do(
        () => state.begun.add(id),
        () => state.begun.delete(id),
      );
      expose(state, id);
    }
    judgeReceipts(state, record);
  }
  state.docket.touch(key);
}

/** Acts that were admitted and have not started: what `due` is made of. */
function standing(state: State, { intent, row }: IntentRecord, sign: 1 | -1): void {
  state.put(`standing.${intent}`, row, sign);
}

/** A record of an act as rules read it, with the stamps of the row that the act was. */
function actRow(state: State, { record, intent, row }: IntentRecord, sign: 1 | -1): void {
  const own = state.evidence.get(String(row['id']))?.row;
  state.put(`${record}.${intent}`, { ...(own ?? NO_STAMPS), ...row }, sign);
}

/** A receipt says of the started act that it names, and whose bindings it restates, that it was certainly not done. */
export function recordReceipt(state: State, intent: string, receipt: Row): void {
  const id = String(receipt['act']);
  const isKnown = state.actsAbout(id).some((act) => act.record === 'started' && act.intent === intent && isReceiptOf(receipt, act));
  if (state.failed.has(id) || !isKnown) return;
  state.do(
    () => state.failed.add(id),
    () => state.failed.delete(id),
  );
  expose(state, id);
}

/** A receipt is of an act when it names it and restates all of its bindings. */
export function isReceiptOf(receipt: Row, { row }: IntentRecord): boolean {
  return Object.entries(row).every(([column, value]) => receipt[column === 'id' ? 'act' : column] === value);
}

/** A receipt that came before the start was recorded counts as one that comes after it. */
function judgeReceipts(state: State, { intent, row }: IntentRecord): void {
  const table = state.table(`receipt.${intent}`);
  if (table === undefined) return;
  const columns = state.plan.tables[table]?.columns ?? [];
  const failed = state.engine.matching(table, [columns.indexOf('act'), columns.indexOf('outcome')], [String(row['id']), 'failed']);
  for (const receipt of [...failed]) recordReceipt(state, intent, state.named(table, receipt));
}

/** What limits count: endorsed rows that had an effect or still can have one. */
function expose(state: State, id: string): void {
  const evidence = state.evidence.get(id);
  const decided = state.decisions.get(id);
  if (evidence === undefined || decided === undefined) return;
  const hasFallen = decided.revoked !== undefined || state.aside.has(id);
  const counts = decided.final.verdict !== 'rejected' && !state.failed.has(id) && (!hasFallen || state.begun.has(id));
  if (counts === state.exposed.has(id)) return;
  const { source, row } = evidence;
  state.put(`exposure.${source.name}`, { ...row, ...source.constants, ...decided.final.recorded }, counts ? 1 : -1);
  const set = (isIn: boolean) => (isIn ? state.exposed.add(id) : state.exposed.delete(id));
  state.do(
    () => set(counts),
    () => set(!counts),
  );
}
