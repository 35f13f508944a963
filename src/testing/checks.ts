/**
 * What a scenario may expect: of the rows that are spoken of, of what came of the last step, and of the model.
 *
 * Reads  a play at the step that expects.
 * Gives  nothing when it is so; a `Miss` with the verdict's sentence and the proof when it is not.
 * Never  takes what it cannot find for what is not there: an unknown relation, column or reason is said to be one.
 */
import { didYouMean } from '../../dsl/name.ts';
import { isCountersignError } from '../../dsl/issue.ts';
import type { IntentRecord, Row } from '../../dsl/record.ts';
import { rowText } from '../world/proof.ts';
import { proofText, type Model, type Verdict, type World } from '../world.ts';
import { cameProof, cameText, STATUS_WORDS, type Came, type Play } from './play.ts';
import { Miss } from './step.ts';

type Status = Verdict['is'];

/** Every row that is spoken of has this status, for each of these reasons; `known` are those that the program's rules can give. */
export function hasStatus(play: Play, wanted: Status, reasons: readonly string[], known: readonly string[]): void {
  // "declined: above 100", "stands with reply-1.2: no room" and their like end in what a rule says.
  const strange = reasons.find((reason) => !known.some((one) => reason.endsWith(one)) && !reason.includes('undecidable: '));
  const hint = strange === undefined ? '' : `; no rule gives the reason ${JSON.stringify(strange)}${didYouMean(strange, known)}`;
  for (const id of play.subject()) {
    const verdict = play.model.verdict(id);
    if (verdict === undefined) throw new Miss(`the world knows no row ${id}`, cameText(play.came).join('\n'));
    const { is, sentence } = verdict;
    if (is !== wanted)
      throw new Miss(`${id} is not ${STATUS_WORDS[wanted]}${hint}`, sentenceOf(play, sentence), proofOf(play.world, verdict));
    const missing = reasons.find((reason) => !verdict.reasons.includes(reason));
    if (missing === undefined) continue;
    throw new Miss(`${id} is ${STATUS_WORDS[is]}, but not for ${JSON.stringify(missing)}${hint}`, sentence, proofOf(play.world, verdict));
  }
}

/** Of an answer that was ignored the verdict says nothing, and it is most often why the row is as it is. */
function sentenceOf({ came }: Play, sentence: string): string {
  return came.is === 'ignored' ? `${sentence}\n${cameText(came).join(': ')}` : sentence;
}

function proofOf(world: World, { id, is, relation }: Verdict): string {
  const source = [...world.plan.sources.values()].find((one) => one.relation === relation);
  if (source === undefined) return '';
  const endorsed = source.grade === 'candidate' ? 'accepted' : 'approved';
  return is === 'pending'
    ? whyNotText(world.model(), `decision.${endorsed}.${source.decided}`, { id })
    : whyText(world.model(), `decision.${is}.${source.decided}`, { id });
}

function whyText(model: Model, relation: string, row: Row): string {
  try {
    return proofText(model.why(relation, row));
  } catch (error) {
    // A row that was set aside has left the model: its sentence is all there is.
    if (isCountersignError(error)) return '';
    throw error;
  }
}

function whyNotText(model: Model, relation: string, row: Row): string {
  return proofText(model.whyNot(relation, row));
}

// What came of the last step.

/** The last step came out like this, and what is known of it holds the text. */
export function hasCome({ came }: Play, is: Came['is'], text?: string): void {
  const [what, found] = cameText(came);
  if (came.is !== is) throw new Miss(`the step before is not ${is}: ${what}`, found, cameProof(came));
  if (text === undefined || `${what}\n${found}`.includes(text)) return;
  throw new Miss(`the step before is ${is}, but not for ${JSON.stringify(text)}: ${what}`, found, cameProof(came));
}

// The model.

export function holds({ model }: Play, relation: string, columns: Row): void {
  if (model.rows(relation, columns).length === 0)
    throw new Miss(`there is no ${rowText(relation, columns)}`, '', whyNotText(model, relation, columns));
}

export function lacks({ model }: Play, relation: string, columns: Row): void {
  const [row] = model.rows(relation, columns);
  if (row === undefined) return;
  throw new Miss(`there is ${model.rows(relation, columns).length} ${rowText(relation, columns)}`, '', whyText(model, relation, row));
}

// Acts.

/** The relations of an intent in which a row would mean that the act was let through, or is about to be. */
export function relationsOf(name: string): readonly string[] {
  const [namespace = '', own] = name.split('.');
  if (own === undefined) return ['intent', 'admitted', 'started'].map((one) => `${one}.${name}`);
  return ['intent', 'admitted', 'started'].includes(namespace) ? relationsOf(own) : [name];
}

/** The name of an intent, also where its relation was given. */
export function intentOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The one act of an intent with these bindings that is spoken of. */
export function theAct(play: Play, intent: string, columns: Row): IntentRecord {
  // Asked first, so that a misspelt name is said to be one.
  const derived = play.model.rows(`intent.${intent}`, columns);
  const acts = play.acts(intent).filter(({ row }) => Object.entries(columns).every(([column, value]) => row[column] === value));
  const [act, ...more] = acts;
  const text = rowText(intent, columns);
  if (act === undefined) {
    const others = play.acts(intent).map(({ record, row }) => `${record}: ${rowText(intent, row)}`);
    const found = derived.length > 0 ? ['its intent holds, and was not admitted'] : others;
    throw new Miss(
      `no act ${text} was admitted`,
      [...sentencesOf(play), ...found].join('\n'),
      whyNotText(play.model, `intent.${intent}`, columns),
    );
  }
  if (more.length > 0)
    throw new Miss(
      `${acts.length} acts are ${text}: row(...) or more columns say which`,
      acts.map(({ row }) => rowText(intent, row)).join('\n'),
    );
  return act;
}

/** The acts of what is spoken of that wait to be started. */
export function waiting(play: Play): readonly IntentRecord[] {
  const acts = play.acts().filter(({ record }) => record === 'admitted');
  if (acts.length > 0) return acts;
  const others = play.acts().map(({ record, intent, row }) => `${record}: ${rowText(intent, row)}`);
  throw new Miss('no act waits to be started', [...sentencesOf(play), ...others].join('\n'));
}

function sentencesOf({ focus, model }: Play): string[] {
  return focus.flatMap((id) => {
    const verdict = model.verdict(id);
    return verdict === undefined ? [] : [`${id} is ${verdict.sentence}`];
  });
}
