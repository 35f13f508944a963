/**
 * The steps that a scenario is made of: what each does when it is played, and how the story tells it.
 *
 * Reads  what the author's method was given.
 * Gives  a step without its place, which the scenario adds.
 * Never  looks at a world before the step is played.
 */
import { relationName } from '../../dsl/carry.ts';
import type { ReportRow, Row } from '../../dsl/record.ts';
import { rowText } from '../world/proof.ts';
import { hasCome, hasStatus, holds, intentOf, lacks, relationsOf, theAct, waiting } from './checks.ts';
import { Miss, type Step } from './step.ts';
import type { Play } from './play.ts';

/** Rows of one reply, each under a name of its own: `{ first: row(...), second: row(...) }`. */
export type Labelled = Readonly<Record<string, ReportRow>>;
export type Said = readonly ReportRow[] | readonly [Labelled];
/** Which cards are answered: those of one reason, or those that were seen under a name. */
export type Which = string | { readonly card: string } | undefined;
export type Unplaced = Omit<Step, 'trace'>;

/** A step that takes note of something, and takes nothing to the world. */
export function notes(verb: string, told: string, note: (play: Play) => void): Unplaced {
  return {
    verb,
    told,
    run: (play) => {
      note(play);
      return '';
    },
  };
}

// What comes in.

export function reports(verb: string, rows: readonly ReportRow[], ends?: readonly ReportRow[]): Unplaced {
  const told = rowsText(ends ?? rows);
  return { verb, told, run: (play) => play.report(ends === undefined ? { rows } : { rows, ends }) };
}

export function says(verb: string, namespace: 'candidate' | 'proposal' | undefined, given: Said): Unplaced {
  const [first] = given;
  const labelled = given.length === 1 && first !== undefined && typeof first.relation !== 'string' ? (first as Labelled) : undefined;
  const rows = labelled === undefined ? (given as readonly ReportRow[]) : Object.values(labelled);
  return {
    verb,
    told: rowsText(rows),
    run: (play) => {
      const strange = rows.find(({ relation }) => namespace !== undefined && !relation.startsWith(`${namespace}.`));
      if (strange === undefined) return play.reply({ rows }, Object.keys(labelled ?? {}));
      throw new Miss(`${strange.relation} is no ${namespace}: claims takes candidates, proposes takes proposals, replies takes both`);
    },
  };
}

export function unreadable(issues: readonly string[]): Unplaced {
  const malformed = issues.length === 0 ? ['no reply that could be read'] : issues;
  return {
    verb: 'malformed',
    told: textsOf(issues),
    run: async (play) => {
      const came = await play.reply({ rows: [], malformed });
      // It was said to be so.
      play.isNew = false;
      return came;
    },
  };
}

export function answers(verb: string, given: 'yes' | 'no', actor: string, which: Which): Unplaced {
  const told = which === undefined ? [actor] : [actor, typeof which === 'string' ? JSON.stringify(which) : `the card ${which.card}`];
  return { verb, told: told.join(', '), run: (play) => play.answers(actor, given, which) };
}

export function sees(name: string): Unplaced {
  return notes('seesCard', name, (play) => {
    const seen = play.cards();
    if (seen.length === 0) throw new Miss('there is no card to see');
    play.seen.set(name, seen);
  });
}

// What is expected.

export function status(
  verb: string,
  is: Parameters<typeof hasStatus>[1],
  reasons: readonly string[],
  known: () => readonly string[],
): Unplaced {
  return notes(verb, textsOf(reasons), (play) => hasStatus(play, is, reasons, known()));
}

export function came(verb: string, is: Parameters<typeof hasCome>[1], text?: string): Unplaced {
  return notes(verb, text === undefined ? '' : JSON.stringify(text), (play) => hasCome(play, is, text));
}

export function rows(verb: 'holds' | 'lacks', of: unknown, columns: Row): Unplaced {
  const relation = nameOf(of, verb);
  return notes(verb, rowText(relation, columns), (play) => (verb === 'holds' ? holds : lacks)(play, relation, columns));
}

export function never(of: unknown, columns: Row): Unplaced {
  const name = nameOf(of, 'never');
  const watch = (play: Play) => {
    for (const relation of relationsOf(name)) lacks(play, relation, columns);
  };
  return { ...notes('never', rowText(name, columns), watch), watch };
}

// Acts.

export function starts(): Unplaced {
  return { verb: 'starts', told: '', run: (play) => play.start(waiting(play)) };
}

export function runs(of: unknown, columns: Row): Unplaced {
  const intent = intentOf(nameOf(of, 'runs'));
  return {
    verb: 'runs',
    told: rowText(intent, columns),
    run: (play) => {
      const act = theAct(play, intent, columns);
      if (act.record === 'admitted') return play.start([act]);
      if (act.record === 'withdrawn') throw new Miss(`the act ${rowText(intent, columns)} was withdrawn`);
      play.started = [act];
      return 'has started';
    },
  };
}

export function receipt(verb: string, outcome: 'succeeded' | 'failed', columns: Row): Unplaced {
  return { verb, told: rowText('', columns).trim(), run: (play) => play.receipts(outcome, columns) };
}

// Texts.

function nameOf(of: unknown, verb: string): string {
  return typeof of === 'string' ? of : relationName(of, verb);
}

function rowsText(given: readonly ReportRow[]): string {
  return given.map(({ relation, columns }) => rowText(relation, columns)).join(', ');
}

function textsOf(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}
