/**
 * What became of an act, in one sentence: what let it in, what withdrew it, what it still waits for.
 *
 * Reads  the records of acts, what they were made for, and how far the rules of an intent come now.
 * Gives  a sentence for each record, and a note for a row whose act is not where its decision would have it.
 * Never  says that an act was done: that is for its receipt.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { lineText } from '../engine/engine.ts';
import { Premises } from './premises.ts';
import { rowText, type Premise, type Reason } from './proof.ts';
import type { Evidence, State } from './state.ts';
import { missText } from './told.ts';
import type { Status } from './verdict.ts';

export function actSentence(state: State, act: IntentRecord, because: readonly Reason[]): string {
  const about = `${act.record}: ${bindingsText(state, act)}`;
  switch (act.record) {
    case 'admitted':
    case 'started': {
      const rules = [...new Set(because.map(({ rule }) => rule))];
      return rules.length === 0 ? about : `${about} (by ${rules.join(', ')})`;
    }
    case 'withdrawn':
      return `${about}: ${failsText(state, because, String(act.row['id'])) ?? 'it does not hold with its whole group'}`;
    case 'conflict':
      return `${about} and ${otherText(state, act.intent, act.key, act.row)} have one identity`;
  }
}

/** What is to be said of the act of a decided row beside its records; undefined where they say it all. */
export function actNote(state: State, { id, source, row }: Evidence, is: Status, premises: Premises): string | undefined {
  const { intent } = source;
  const table = intent === undefined ? undefined : state.table(`intent.${intent}`);
  const isOwn = (act: IntentRecord) => intent === undefined || act.intent === intent;
  const last = state.actsAbout(id).findLast((act) => act.row['id'] === id && act.record !== 'conflict' && isOwn(act));
  if (is === 'revoked' && last !== undefined) return last.record === 'started' ? 'its act had started' : 'its act has not started';
  if (is !== 'approved' || intent === undefined || table === undefined) return undefined;
  if (last?.record === 'admitted' || last?.record === 'started') return undefined;
  const known: Row = { ...row, ...source.constants };
  const columns = (state.plan.tables[table]?.columns ?? []).flatMap((column, i) => {
    const value = known[column];
    return value === undefined ? [] : [{ column, i, value }];
  });
  const tried = state.engine.prover.attempts(table, new Map(columns.map(({ i, value }) => [i, value])));
  if (tried.every((one) => one.tried !== undefined)) {
    const [furthest] = [...tried].sort((left, right) => (right.tried?.length ?? 0) - (left.tried?.length ?? 0));
    const why = furthest === undefined ? undefined : failsText(state, [premises.reason(furthest)], id);
    return why === undefined ? undefined : `its act waits: ${why}`;
  }
  const own = Object.fromEntries(columns.map(({ column, value }) => [column, value]));
  const key = state.docket.keyOf(intent, own);
  if (state.dormant.has(key)) return 'its act is dormant: the program that derives it was adopted after the approval';
  return state.conflicts.has(key) ? `its act is in conflict with ${otherText(state, intent, key, own)}` : undefined;
}

/** How the act of a row of an intent stands, whether it has a record or not: `letter c1.1 { order: "o1" } was admitted at 3 and has not started`. */
export function actStanding(state: State, intent: string, row: Row): string {
  const key = state.docket.keyOf(intent, row);
  const name = bindingsText(state, { intent, row });
  const last = state.acts.get(key);
  if (last !== undefined && isSame(last.row, row)) {
    const made = state.madeOf.get(last);
    const own = last.row['id'] === row['id'] ? name : `${name} is one act with ${bindingsText(state, last)}, which`;
    const was = `${own} was ${last.record} at ${made?.position ?? 0}`;
    const aside = last.restsOn.find((id) => state.aside.has(id));
    if (last.record === 'started') return was;
    if (aside !== undefined) return `${was}, and left the model when ${lineText(aside)} was set aside`;
    if (last.record === 'admitted') return `${was} and has not started`;
    const premises = new Premises(state);
    const because = (made?.because ?? []).map((one) => premises.reason(one, made));
    return `${was}: ${failsText(state, because, String(row['id'])) ?? 'it did not hold with its whole group'}`;
  }
  if (state.dormant.has(key)) {
    const slept = state.made.find(({ record }) => record.record === 'dormant' && record.key === key);
    const { position = 0, program = '' } = slept ?? {};
    return `${name} is dormant since the adoption at ${position} of program ${program.slice(0, 12)}, which derives it from what was there before`;
  }
  return state.conflicts.has(key)
    ? `${name} is in conflict with ${otherText(state, intent, key, row)}: they have one identity`
    : `${name} is derived and was not admitted`;
}

/** Rows of one identity with the same bindings are one act. */
export function isSame(row: Row, other: Row): boolean {
  return canonicalJson({ ...row, id: '' }) === canonicalJson({ ...other, id: '' });
}

/** The premise that a rule of the intent fails at, with the reason of its clause; of another act where the act itself holds. */
function failsText(state: State, because: readonly Reason[], id: string): string | undefined {
  const miss = because.find(({ isMiss }) => isMiss === true);
  const fails = miss?.premises.at(-1);
  if (miss === undefined || fails === undefined) return undefined;
  const [of = id] = miss.premises.flatMap((premise) => (isApproval(premise) ? [String(premise.columns['id'])] : []));
  const beside = of === id ? [] : [`stands with ${lineText(of)}`];
  const decided = isApproval(fails) ? state.decisions.get(of) : undefined;
  const fallen = decided?.revoked ?? (decided?.final.verdict === 'rejected' ? decided.final : undefined);
  if (fallen !== undefined) return [...beside, lineText(`${of} was ${fallen.verdict}: ${fallen.reasons.join('; ')}`)].join(': ');
  return [...beside, ...(fails.reason === undefined ? [] : [lineText(fails.reason)]), missText(fails)].join(': ');
}

function isApproval(premise: Premise): premise is Premise & { readonly is: 'row' } {
  return premise.is === 'row' && /^decision\.(accepted|approved)\./.test(premise.relation) && premise.columns['id'] !== undefined;
}

/** The act of the same identity that has other bindings. */
function otherText(state: State, intent: string, key: string, row: Row): string {
  const known = [...(state.acts.has(key) ? [state.acts.get(key)?.row ?? {}] : []), ...(state.docket.identity(key)?.rows.values() ?? [])];
  const other = known.find((one) => !isSame(one, row));
  return other === undefined ? 'another act' : bindingsText(state, { intent, row: other });
}

/** `refund c1.1 { order: "o1" }`; an act that no row proposed has an id that says nothing. */
function bindingsText({ evidence }: State, { intent, row: { id, ...bindings } }: Pick<IntentRecord, 'intent' | 'row'>): string {
  return rowText(evidence.has(String(id)) ? `${intent} ${String(id)}` : intent, bindings);
}
