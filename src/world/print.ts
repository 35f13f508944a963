/**
 * Prints a proof: as text for a terminal, as a Mermaid diagram for a page.
 *
 * Reads  a proof, or why there is none, as `why` and `whyNot` give them; their JSON is what JSON.stringify makes of them.
 * Gives  text, one premise a line, indented by what it is a premise of.
 * Never  looks anything up, and never prints a character of a value that its form would take for its own.
 */
import { lineText } from '../engine/engine.ts';
import { rowText, type Origin, type Premise, type Reason, type Why, type WhyNot } from './proof.ts';
import { missText, premiseText, ruleName, withoutStamps } from './told.ts';

/** A proof or its absence as indented text. */
export function proofText(proof: Why | WhyNot): string {
  return ('from' in proof ? whyLines(proof, 0) : whyNotLines(proof, 0)).join('\n');
}

function whyLines(why: Why, depth: number): string[] {
  return [`${indent(depth)}${headText(why)}`, ...originLines(why.from, depth + 1)];
}

function headText({ relation, row, from }: Why): string {
  return `${rowText(relation, withoutStamps(row))}  [${originText(from)}]`;
}

function originText(from: Origin): string {
  switch (from.is) {
    case 'report':
      return `reported at ${from.position}`;
    case 'rule':
      return ruleText(from);
    case 'record': {
      const { position, program, reasons, revoked } = from;
      const since = revoked === undefined ? '' : `; revoked at ${revoked.position}${reasonsText(revoked.reasons)}`;
      return `recorded at ${position} by program ${program.slice(0, 12)}${reasonsText(reasons)}${since}`;
    }
    case 'seen':
      return 'shown elsewhere';
    case 'cut':
      return 'not shown';
  }
}

function reasonsText(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `: ${reasons.map(lineText).join('; ')}`;
}

function ruleText({ rule, clause, location }: Reason): string {
  return lineText([ruleName(rule), clause, location].filter((part) => part !== undefined).join(', '));
}

function originLines(from: Origin, depth: number): string[] {
  if (from.is === 'rule') return from.premises.flatMap((premise) => premiseLines(premise, depth, true));
  if (from.is !== 'record') return [];
  return [
    ...from.because.flatMap((reason) => [
      `${indent(depth)}${reasonText(from.record, reason)}`,
      ...reason.premises.flatMap((one, i) =>
        isFailing(reason, i) ? [`${indent(depth + 1)}${missText(one)}${failedText(one)}`] : premiseLines(one, depth + 1, false),
      ),
    ]),
    ...from.restsOn.flatMap((why) => whyLines(why, depth)),
  ];
}

/** What a rule had to do with a record: it gave it, it was in the way and did not hold, or it held no more. */
function reasonText(record: string, reason: Reason): string {
  if (reason.isMiss !== true) return `because ${ruleText(reason)}`;
  return record === 'withdrawn' ? `because it did not hold: ${ruleText(reason)}` : `not kept out by ${ruleText(reason)}`;
}

function isFailing({ isMiss, premises }: Reason, i: number): boolean {
  return isMiss === true && i === premises.length - 1;
}

/** Of a record what its premises are now is told too: they were so when it was made. */
function premiseLines(premise: Premise, depth: number, isNow: boolean): string[] {
  const [first = '', ...rest] = premise.is === 'row' && premise.why !== undefined ? whyLines(premise.why, depth) : [];
  const own = first === '' ? `${indent(depth)}${premiseText(premise)}` : first;
  return [`${own}${isNow ? '' : changeText(premise)}`, ...rest];
}

function changeText(premise: Premise): string {
  if (premise.holds !== false) return '';
  return premise.is === 'counted' ? `  (now ${String(premise.now)})` : '  (no longer so)';
}

/** What did not hold may hold by now. */
function failedText({ holds }: Premise): string {
  return holds === true ? '  (no longer so)' : '';
}

function whyNotLines({ relation, columns, tried, notes }: WhyNot, depth: number): string[] {
  return [
    `${indent(depth)}no ${rowText(relation, columns)}${notes.map((note) => `: ${lineText(note)}`).join('')}`,
    ...tried.flatMap((miss) => [
      `${indent(depth + 1)}${ruleText(miss)}`,
      ...miss.premises.map((premise) => `${indent(depth + 2)}${premiseText(premise)}`),
      `${indent(depth + 2)}fails: ${missText(miss.fails)}`,
      `${indent(depth + 2)}${miss.left === 0 ? 'it' : 'this step'} would pass with ${miss.wouldPass}`,
      ...(miss.since === undefined ? [] : whyNotLines(miss.since, depth + 2)),
    ]),
  ];
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

/** A proof as a Mermaid flowchart: an arrow from each row to what rests on it; of what is not there, from what is missing. */
export function proofMermaid(proof: Why | WhyNot): string {
  const lines = ['flowchart BT'];
  let nodes = 0;
  const node = (text: string): string => {
    const name = `n${++nodes}`;
    lines.push(`  ${name}["${labelText(text)}"]`);
    return name;
  };
  const arrow = (from: string, into: string) => lines.push(`  ${from} --> ${into}`);
  const premise = (one: Premise, change = ''): string =>
    one.is === 'row' && one.why !== undefined ? draw(one.why, change) : node(`${premiseText(one)}${change}`);
  const draw = (why: Why, change = ''): string => {
    const { from } = why;
    const own = node(`${headText(why)}${change}`);
    if (from.is === 'rule') for (const one of from.premises) arrow(premise(one), own);
    if (from.is !== 'record') return own;
    for (const reason of from.because) {
      const by = node(reasonText(from.record, reason));
      arrow(by, own);
      for (const [i, one] of reason.premises.entries())
        arrow(isFailing(reason, i) ? node(`${missText(one)}${failedText(one)}`) : premise(one, changeText(one)), by);
    }
    for (const one of from.restsOn) arrow(draw(one), own);
    return own;
  };
  const drawMiss = ({ relation, columns, tried, notes }: WhyNot): string => {
    const own = node([`no ${rowText(relation, columns)}`, ...notes].join(': '));
    for (const miss of tried) {
      const by = node(`${ruleText(miss)} fails: ${missText(miss.fails)}`);
      arrow(by, own);
      for (const one of miss.premises) arrow(premise(one), by);
      if (miss.since !== undefined) arrow(drawMiss(miss.since), by);
    }
    return own;
  };
  if ('from' in proof) draw(proof);
  else drawMiss(proof);
  return lines.join('\n');
}

/** Letters, digits and harmless signs as they are; all else as the code that Mermaid has for it. A colon within a word may be a style's. */
function labelText(text: string): string {
  return text.replace(/[^\p{L}\p{N} _.,:=+()/-]|:(?=\S)/gu, (one) => `#${one.codePointAt(0) ?? 0};`);
}
