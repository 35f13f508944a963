/**
 * What authorized an act: the rule that derived it, the decisions that it rests on, and the answers that these rest on.
 *
 * Reads  the record of the admission, and the verdicts of the rows that it rests on.
 * Gives  plain data.
 * Never  says more than the records do: what was true then, not what is true now.
 */
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { Premises } from './premises.ts';
import type { Reason } from './proof.ts';
import type { State } from './state.ts';
import { decisionOf, type DecisionTold } from './verdict.ts';

export interface Authorization {
  readonly key: string;
  readonly intent: string;
  readonly row: Row;
  /** What last became of it. */
  readonly is: IntentRecord['record'];
  /** Of the admission: the transition and the program that made it, and the rules of the intent that gave it. */
  readonly position: number;
  readonly program: string;
  readonly because: readonly Reason[];
  /** The decisions that it rests on as they were made, in order of the rows that they are about; beside each what revoked it since. */
  readonly decisions: readonly DecisionTold[];
  /** Who said yes to what. */
  readonly answers: readonly Row[];
}

export function authorizationOf(state: State, key: string): Authorization | undefined {
  const last = state.acts.get(key);
  if (last === undefined) return undefined;
  const admission = state.actsAbout(String(last.row['id'])).findLast((act) => act.key === key && act.record === 'admitted');
  const made = admission === undefined ? undefined : state.madeOf.get(admission);
  if (admission === undefined || made === undefined) return undefined;
  const premises = new Premises(state);
  const decisions = admission.restsOn.flatMap((id) => decisionOf(state, id) ?? []);
  return {
    key,
    intent: admission.intent,
    row: { ...admission.row },
    is: last.record,
    position: made.position,
    program: made.program,
    because: made.because.map((one) => premises.reason(one, made)),
    decisions,
    answers: decisions.flatMap(({ because }) => because.flatMap((reason) => answersIn(state, reason))),
  };
}

/** The answers among the premises of a decision, each with the stamps of its report. */
function answersIn(state: State, { premises }: Reason): Row[] {
  return premises.flatMap((premise) => {
    if (premise.is !== 'row' || !premise.relation.startsWith('confirmed.')) return [];
    const table = state.table(premise.relation);
    const row = table === undefined ? undefined : state.engine.prover.first(table, premise.columns);
    return table === undefined || row === undefined ? [] : [state.named(table, row)];
  });
}
