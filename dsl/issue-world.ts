/**
 * The words of issues that a running world can have; those of a program that does not load stand in `issue.ts`.
 *
 * Reads  nothing.
 * Gives  why each is refused and the next move, by code.
 * Never  words for a denied request or a violated invariant: those are outcomes.
 */
const WHOLE = 'A fault in a trusted report refuses its batch whole, so that no half of what was reported is taken for all of it.';
const NAMED = 'A question is asked in the names of the program.';

export const WORLD_ISSUES = {
  'engine/too-many-rows': {
    why: 'A rule that makes new values from its own may never end; the bound stops it loudly, and nothing of the transition is kept.',
    fix: 'Bound the values that the rule makes, or raise `limits.derivedRowsMax` when the rows are wanted.',
  },
  'engine/query-failed': {
    why: 'A query whose rules cannot be computed has no answer, rather than one with rows left out.',
    fix: 'Mend the function, or keep the rows on which it fails out of the query.',
  },
  'world/batch-malformed': { why: WHOLE, fix: 'Give { session, actor, reports: [{ rows: [row(relation, columns)] }] } as plain data.' },
  'world/report-refused': {
    why: WHOLE,
    fix: 'Report the declared columns with values of their types; put evidence into a report with a capture.',
  },
  'world/not-startable': {
    why: 'An act starts once, on the strength of its admission; one that was never admitted, has started or was withdrawn has none.',
    fix: 'Start acts that the last outcome lists as admitted, with the key that stands there.',
  },
  'world/position-taken': {
    why: 'Entries follow one another; somebody else has written at this position since it was read.',
    fix: 'Open the ledger again, and observe again.',
  },
  'world/program-changed': {
    why: 'A ledger goes on under another program only when somebody says so, since open rows are then judged by other rules.',
    fix: 'Open with `adopt: true` to go on under this program, and give the earlier ones in `earlier`.',
  },
  'world/adoption-refused': {
    why: 'A program whose invariants refuse the state of the ledger cannot go on with it; the ledger is as it was, with the refusal in it.',
    fix: 'Mend the state by reports under the earlier program, or the invariant.',
  },
  'world/program-unknown': {
    why: 'Each stretch of a ledger is replayed under the program that it was written under.',
    fix: 'Give the program with this digest in `earlier`.',
  },
  'world/replay-differs': {
    why: 'A replay that gives another digest means that an entry, a function or the program is not what it was.',
    fix: 'Compare the entry with its backup; give a function that changed a new version.',
  },
  'world/snapshot-altered': {
    why: 'What a snapshot says was decided is believed without being decided again; one that was changed could let an act start twice.',
    fix: 'Take another from a world that is open, or open the ledger without one.',
  },
  'world/schema-changed': {
    why: 'Rows are kept as they were reported; a column that they lack has no value.',
    fix: 'Declare the changed relation under a new name, and keep the old one for the rows that there are.',
  },
  'world/relation-unknown': { why: NAMED, fix: 'Use the name of a relation that the program declares or generates.' },
  'world/column-unknown': { why: NAMED, fix: 'Use the name of a column of the relation.' },
  'world/row-unknown': {
    why: 'Only a row that is there has a proof; for one that is not, the question is another.',
    fix: 'Look at the rows of the relation, or ask `whyNot` with the same columns.',
  },
  'world/query-unknown': { why: NAMED, fix: 'Use the name of a declared query.' },
  'world/bindings-differ': {
    why: 'Rows are asked for by values of their columns; a declared query by all of its `in` columns, and nothing else.',
    fix: 'Give an object with a value for each column, of a query for each `in` column.',
  },
  'world/value-refused': {
    why: 'A question about a value that the column cannot hold has no answer; an empty list would look like one.',
    fix: 'Give a value of the type of the column; nothing is converted.',
  },
  'world/options-malformed': {
    why: 'A bound or an intent that is not understood could be taken for none at all.',
    fix: 'Give the options that the type lists: bounds as whole numbers, intents by their names.',
  },
  'world/append-failed': {
    why: 'A transition counts when the ledger has its entry. The world is as it was; whether the ledger has the entry, only it can say.',
    fix: 'See the cause, then observe again; if the position is taken by then, open the ledger again.',
  },
  'world/read-failed': {
    why: 'A world is what follows from its entries; without all of them there is none.',
    fix: 'See the cause, and open the ledger again when it can be read.',
  },
  'world/position-unknown': {
    why: 'A world is as it was at a position of its ledger.',
    fix: 'Give a whole number from 0 to the last position.',
  },
} as const;
