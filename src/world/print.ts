/**
 * Prints a proof: as text for a terminal, as a Mermaid diagram for a page.
 *
 * Reads  a proof, or why there is none, as `why` and `whyNot` give them; their JSON is what JSON.stringify makes of them.
 * Gives  text, one premise a line, indented by what it is a premise of.
 * Never  looks anything up: what is not in the proof is not in the print.
 */
import { premiseText } from './verdict.ts';
import { oneLine, rowText, type Origin, type Premise, type Reason, type Why, type WhyNot } from './proof.ts';

/** A proof or its absence as indented text. */
export function proofText(proof: Why | WhyNot): string {
  return ('from' in proof ? whyLines(proof, 0) : whyNotLines(proof, 0)).map(oneLine).join('\n');
}

function whyLines({ relation, row, from }: Why, depth: number): string[] {
  return [`${indent(depth)}${rowText(relation, shown(row))}  ${originText(from)}`, ...originLines(from, depth + 1)];
}

function originText(from: Origin): string {
  switch (from.is) {
    case 'report':
      return `[reported at ${from.position}]`;
    case 'rule':
      return `[${ruleText(from)}]`;
    case 'record': {
      const reasons = from.reasons.length === 0 ? '' : `: ${from.reasons.join('; ')}`;
      return `[recorded at ${from.position} by program ${from.program.slice(0, 12)}${reasons}]`;
    }
    case 'seen':
      return '[see above]';
    case 'cut':
      return '[not shown]';
  }
}

function ruleText({ rule, clause, location }: Reason): string {
  return [rule, clause, location].filter((part) => part !== undefined).join(', ');
}

function originLines(from: Origin, depth: number): string[] {
  if (from.is === 'rule') return from.premises.flatMap((premise) => premiseLines(premise, depth, true));
  if (from.is !== 'record') return [];
  return [
    ...from.because.flatMap((reason) => [
      `${indent(depth)}because ${ruleText(reason)}`,
      ...reason.premises.flatMap((one) => premiseLines(one, depth + 1, false)),
    ]),
    ...from.restsOn.flatMap((why) => whyLines(why, depth)),
  ];
}

/** Of a record what its premises are now is told too: they were so when it was made. */
function premiseLines(premise: Premise, depth: number, isNow: boolean): string[] {
  const today = isNow || premise.holds !== false ? '' : premise.is === 'counted' ? `  (now ${String(premise.now)})` : '  (no longer so)';
  if (premise.is !== 'row' || premise.why === undefined) return [`${indent(depth)}${premiseText(premise)}${today}`];
  const [first = '', ...rest] = whyLines(premise.why, depth);
  return [`${first}${today}`, ...rest];
}

function whyNotLines({ relation, columns, tried, notes }: WhyNot, depth: number): string[] {
  return [
    `${indent(depth)}no ${rowText(relation, columns)}${notes.map((note) => `: ${note}`).join('')}`,
    ...tried.flatMap((miss) => [
      `${indent(depth + 1)}${ruleText(miss)} fails at: ${premiseText(miss.fails)}`,
      `${indent(depth + 2)}it would pass with ${miss.wouldPass}`,
      ...(miss.since === undefined ? [] : whyNotLines(miss.since, depth + 2)),
    ]),
  ];
}

/** Stamps are the runtime's; where a row came from is said beside it. */
function shown(row: Why['row']): Why['row'] {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !STAMPS.has(column)));
}
const STAMPS: ReadonlySet<string> = new Set(['session', 'actor', 'capture', 'ordinal', 'seq']);

function indent(depth: number): string {
  return '  '.repeat(depth);
}

/** A proof as a Mermaid flowchart: an arrow from each row to what rests on it. */
export function proofMermaid(proof: Why): string {
  const lines = ['flowchart BT'];
  let nodes = 0;
  const node = (text: string): string => {
    const name = `n${++nodes}`;
    lines.push(`  ${name}["${oneLine(text).replace(/[#"<>&]/g, (character) => `#${character.charCodeAt(0)};`)}"]`);
    return name;
  };
  const premise = (one: Premise, into: string): void => {
    const from = one.is === 'row' && one.why !== undefined ? draw(one.why) : node(premiseText(one));
    lines.push(`  ${from} --> ${into}`);
  };
  const draw = ({ relation, row, from }: Why): string => {
    const own = node(`${rowText(relation, shown(row))} ${originText(from)}`);
    const reasons = from.is === 'rule' ? [from] : from.is === 'record' ? from.because : [];
    for (const { premises } of reasons) for (const one of premises) premise(one, own);
    if (from.is === 'record') for (const why of from.restsOn) lines.push(`  ${draw(why)} --> ${own}`);
    return own;
  };
  draw(proof);
  return lines.join('\n');
}
