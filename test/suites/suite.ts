/**
 * What a suite has to say for itself, so that its cases can be played: a policy, and how the outside looks through it.
 *
 * Reads  the records of a case, and what was said and read so far.
 * Gives  the trusted rows that the house reports, and the wish that a call to a writing tool is.
 * Never  hears who is behind a call: everything that it reports follows from texts and records.
 */
import type { Program, ReportRow } from '../../src/index.ts';
import type { Call } from './case.ts';

/** A text that somebody other than the user wrote, under the name that the user would call it by. */
export interface Text {
  readonly source: string;
  readonly text: string;
}
export interface Heard {
  readonly prompt: string;
  readonly texts: readonly Text[];
}
export interface Suite {
  readonly name: string;
  readonly program: Program;
  /** Its case files, below the folder of cases. The first one is the one that counts. */
  readonly files: readonly string[];
  /** Who is asked. */
  readonly person: string;
  /** Takes the records of a case, slots filled, as they are before anything is done. */
  readonly open: (environment: unknown) => Opened;
}
export interface Opened {
  /** What the house knows before the request: its books and settings. */
  readonly books: readonly ReportRow[];
  /** Texts in the books that others wrote. */
  readonly texts: readonly Text[];
  /** What a reading call shows besides, given its result with slots filled. */
  readonly shows: (call: Call, result: string) => readonly Text[];
  /** What a writing call wishes for; undefined when the tool only reads. */
  readonly wish: (call: Call) => ReportRow | undefined;
  /** Where things stand, as rows: in the request, in what was read, in the books. Asked again before each wish, with its columns. */
  readonly origins: (heard: Heard, values: readonly string[]) => readonly ReportRow[];
}
