/**
 * Rows, premises and reasons in words, one line each.
 *
 * Reads  proofs as data.
 * Gives  the texts that sentences and prints are made of.
 * Never  lets a value begin a line or run on: what a model wrote is quoted, written out and cut.
 */
import type { Row } from '../../dsl/record.ts';
import { lineText, valueText } from '../engine/engine.ts';
import { rowText, type Premise } from './proof.ts';

/** Stamps are the runtime's; where a row came from is said beside it. */
export function withoutStamps(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !STAMPS.has(column)));
}
const STAMPS: ReadonlySet<string> = new Set(['session', 'actor', 'capture', 'ordinal', 'seq']);

/** The name of a clause, which may say what is wrong where it is right: `"no seat" is met by ...`. */
export function quoted(reason: string): string {
  return JSON.stringify(lineText(reason));
}

/** A premise as it was found. */
export function premiseText(premise: Premise): string {
  switch (premise.is) {
    case 'row':
      return answerText(premise) ?? rowText(premise.relation, premise.columns);
    case 'absent':
      return `no ${rowText(premise.relation, premise.columns)}`;
    case 'counted':
      return [`${premise.text} = ${premise.value === undefined ? 'nothing' : valueText(premise.value)}`, ...countedText(premise)].join(' ');
    case 'compared':
    case 'computed':
      return premise.values;
    case 'status':
      return premise.text;
    case 'failed':
      return lineText(premise.text);
  }
}

/** How things are where a premise does not hold. */
export function missText(premise: Premise): string {
  switch (premise.is) {
    case 'row':
      return `no ${rowText(premise.relation, premise.columns)}`;
    case 'absent':
      return `there is ${rowText(premise.relation, premise.columns)}`;
    case 'compared':
    case 'computed':
      return premise.instead ?? `not ${premise.values}`;
    case 'counted':
      return isOther(premise)
        ? `${premise.text} is ${valueText(premise.now ?? '')}, not ${valueText(premise.value ?? '')}`
        : premiseText(premise);
    default:
      return premiseText(premise);
  }
}

/** What would let a premise pass. */
export function passText(premise: Premise): string {
  switch (premise.is) {
    case 'row':
      return `a row ${rowText(premise.relation, premise.columns)}`;
    case 'absent':
      return `no row ${rowText(premise.relation, premise.columns)}`;
    case 'counted':
      return isOther(premise) ? `${premise.text} = ${valueText(premise.now ?? '')}` : `another value of ${premise.text}`;
    case 'compared':
    case 'computed':
      return premise.pass ?? premise.text;
    case 'status':
      return premise.pass ?? `another status than that ${premise.text}`;
    case 'failed':
      return `something else than that ${lineText(premise.text)}`;
  }
}

/** Whether something else was asked for than there is. */
function isOther({ value, now }: Premise & { readonly is: 'counted' }): boolean {
  return value !== undefined && now !== undefined && value !== now;
}

export function countedText(premise: Premise & { readonly is: 'counted' }): string[] {
  const { counted, more, isCut, isLess } = premise;
  if (counted.length === 0) return isLess ? ['(of what was counted, nothing is there any longer)'] : [];
  const others = more === 0 ? '' : ` and ${more}${isCut ? ' or more' : ''} others`;
  const what = isLess === true ? 'still there of what was counted' : 'counted';
  return [`(${what}${isCut === true ? ', for example' : ''}: ${counted.join(', ')}${others})`];
}

/** What somebody answered to a card: `"boss" said no`. */
function answerText({ relation, columns }: Premise & { readonly is: 'row' }): string | undefined {
  const { by, answer } = columns;
  return relation.startsWith('confirmed.') && by !== undefined && answer !== undefined
    ? `${valueText(by)} said ${lineText(String(answer))}`
    : undefined;
}

/** The name of a rule; one that the runtime has for every program goes by the relation that it fills. */
export function ruleName(id: string): string {
  return id.replace(/^runtime\.held\./, 'decision.held.').replace(/^runtime\./, '');
}
