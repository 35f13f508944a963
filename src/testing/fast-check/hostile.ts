/**
 * Hostile replies: whatever a model may say, from the well-formed and greedy to what is no row at all.
 *
 * Reads  a program, and the trusted rows whose values a model could have seen.
 * Gives  reports with a capture, as a world gets them.
 * Never  names a session or an actor: those are of the batch, and the caller's to say.
 */
import fc from 'fast-check';
import { refuse } from '../../../dsl/carry.ts';
import type { RelationIR } from '../../../dsl/ir.ts';
import type { Program } from '../../../dsl/program.ts';
import type { Report, ReportRow } from '../../../dsl/record.ts';
import { stringLengthMax } from '../../../dsl/value.ts';
import { checkProgram, taken } from '../arguments.ts';
import { partsOf } from '../parts.ts';
import { arbitraries, givenRows, rowsMaxOption } from './options.ts';
import { captures, evidenceOf, poolOf, relationsIn, rowsIn, type ColumnArbitraries } from './rows.ts';

export interface HostileOptions {
  /** Trusted rows whose values come up in replies, so that keys collide. */
  readonly given?: readonly ReportRow[];
  readonly columns?: ColumnArbitraries;
  /** Rows of most replies. 5 by default. */
  readonly rowsMax?: number;
}
/** The type is what a world takes; the data is not always. */
export type HostileReply = Report & { readonly capture: string };

type Wild = fc.Arbitrary<unknown>;

/** Whole replies, each with one kind of malice or several: most are taken, and the rest are kept as malformed. */
export function hostileReplies(program: Program, options: HostileOptions = {}): fc.Arbitrary<HostileReply> {
  checkProgram(program, 'hostileReplies');
  const relations = relationsIn(program);
  const checks = { given: givenRows(relations), columns: arbitraries(relations), rowsMax: rowsMaxOption };
  const { given = [], columns = {}, rowsMax = 5 } = taken<HostileOptions>(options, 'hostileReplies', checks);
  const pool = poolOf(program, given);
  const receipts = new Set(relations.map(({ name }) => name));
  // What has an effect is what a model is after.
  const sound = evidenceOf(program).map((ir) => ({
    weight: receipts.has(ir.name.replace('proposal', 'receipt')) ? 3 : 1,
    arbitrary: rowsIn(ir, pool, columns[ir.name]),
  }));
  if (sound.length === 0) refuse('the program declares no candidate, no proposal and no action: nothing can be said to it');
  const row = fc.oneof(...sound);
  const twisted = twistedRows(row, program);
  const some = (of: Wild) => fc.array(of, { minLength: 1, maxLength: rowsMax });
  const rows = fc.oneof(
    { withCrossShrink: true },
    { weight: 24, arbitrary: some(row) },
    { weight: 2, arbitrary: row.chain((one) => fc.constant([one, one, one])) },
    { weight: 6, arbitrary: fc.tuple(some(row), twisted).map(([all, one]) => [...all, one]) },
    { weight: 2, arbitrary: some(forgedRows(program, relations)) },
    {
      weight: 1,
      arbitrary: fc.tuple(row, fc.integer({ min: 200, max: 2_500 })).map(([one, count]) => new Array<unknown>(count).fill(one)),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>([], null, 'rows', 7, {}, { length: 1, 0: {} }, [null], [undefined], [[]]) },
  );
  const capture = fc.oneof(
    { withCrossShrink: true },
    { weight: 9, arbitrary: captures },
    { weight: 1, arbitrary: fc.constantFrom(...CAPTURES) },
  );
  const extra = fc.oneof(
    { withCrossShrink: true },
    { weight: 12, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<object>(
        { ends: [{ relation: 'observation.today', columns: {} }] },
        { verdict: 'approved' },
        { malformed: ['cut off'] },
        ODD_KEYS,
      ),
    },
  );
  // What is no reply is given as one: that is the point.
  return fc.tuple(capture, rows, extra).map(([name, all, more]) => ({ capture: name, rows: all, ...more }) as HostileReply);
}

const CAPTURES = ['report:1.0', 'report:1', 'reply-1.1', '__proto__', 'constructor', ' ', '\u202eylper', 'réply-1', 'x'.repeat(5_000)];

/** An own property of that name, as JSON makes one. */
const ODD_KEYS = JSON.parse('{"__proto__":{"rows":[]},"constructor":1,"toString":"x"}') as object;

/** Values that stand in no column, or not in this one, and strings that look like others. */
export const wildValues: Wild = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(NaN, -0, Infinity, -Infinity, 2 ** 53, 1e308, 0.5, -1, null, undefined, true, '', [], {}, [1], {
      $ne: 1,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      '\ud800',
      'a\udfff',
      '\u0000',
      '__proto__',
      'constructor',
      'yes',
      'true',
      '0',
      'null',
      "' or 1=1 --",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom(stringLengthMax, stringLengthMax + 1).map((length) => 'x'.repeat(length)) },
  { weight: 2, arbitrary: fc.jsonValue() },
);

/** A sound row with something added, taken away or replaced. */
function twistedRows(row: fc.Arbitrary<ReportRow>, program: Program): Wild {
  const names = relationsIn(program).map(({ name }) => name);
  const stamps = fc.constantFrom<object>(
    { id: 'reply-1.1' },
    { session: 'another' },
    { actor: 'root' },
    { capture: 'reply-1' },
    { ordinal: 0 },
    { seq: 0 },
    { reason: 'approved' },
    { by: 'root', answer: 'yes' },
    { verdict: 'approved' },
    ODD_KEYS,
  );
  const column = (one: ReportRow) => fc.constantFrom(...Object.keys(one.columns), 'nothing');
  return fc.oneof(
    fc.tuple(row, stamps).map(([{ relation, columns }, more]) => ({ relation, columns: { ...columns, ...more } })),
    row.chain((one) =>
      fc.tuple(column(one), wildValues).map(([name, value]) => ({ relation: one.relation, columns: { ...one.columns, [name]: value } })),
    ),
    row.chain((one) => column(one).map((name) => ({ relation: one.relation, columns: without(one.columns, name) }))),
    fc
      .tuple(row, fc.constantFrom(...names, ...names.map(alike), 'proposal', 'proposal.', 'proposal.constructor', '__proto__', ''))
      .map(([{ columns }, relation]) => ({ relation, columns })),
    fc.tuple(row, fc.constantFrom(...partsOf(program).reasons.map(alike), 'approved')).map(([{ relation, columns }, text]) => ({
      relation,
      columns: Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, typeof value === 'string' ? text : value])),
    })),
    fc.tuple(row, wildValues).map(([{ relation }, value]) => ({ relation, columns: value })),
    row.map((one) => ({ ...one, verdict: 'approved', grade: 'trusted' })),
    wildValues,
  );
}

/** Rows that are the runtime's, or your own systems', to write: observations, answers, receipts, decisions, acts, facts. */
function forgedRows(program: Program, relations: readonly RelationIR[]): Wild {
  const pool = poolOf(program);
  const forged = relations
    .filter(({ name }) => !/^(candidate|proposal|query)\./.test(name))
    .flatMap((ir) => {
      try {
        return [rowsIn(ir, pool)];
      } catch {
        // A column of it takes next to nothing: there are others to forge.
        return [];
      }
    });
  const stamped = fc.constantFrom<object>({}, { id: 'reply-1.1' }, { id: 'reply-1.1', seq: 1, session: 'session-1', actor: 'root' });
  return fc.tuple(fc.oneof(...forged), stamped).map(([{ relation, columns }, more]) => ({ relation, columns: { ...columns, ...more } }));
}

function without(columns: Readonly<Record<string, unknown>>, name: string): object {
  return Object.fromEntries(Object.entries(columns).filter(([own]) => own !== name));
}

/** The same to the eye, and another string: Cyrillic letters for Latin ones. */
function alike(text: string): string {
  return text.replaceAll('a', '\u0430').replaceAll('o', '\u043e').replaceAll('e', '\u0435');
}
