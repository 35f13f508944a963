/**
 * Containment as a test: a hostile model, random truth and people who answer, over a program of the author's own.
 *
 * Reads  a program, and trusted rows to begin with.
 * Gives  nothing but counts when every law held; else the first law that broke, with the shortest history that shows it.
 * Never  judges whether a rule is wise: what is judged is what a model can do that no rule meant it to.
 */
import fc from 'fast-check';
import { called } from '../../../dsl/carry.ts';
import type { Program } from '../../../dsl/program.ts';
import type { ReportRow } from '../../../dsl/record.ts';
import { sortName, sortOf } from '../../../dsl/value.ts';
import { checkProgram, list, taken, text, whole } from '../arguments.ts';
import { beginning, Broken, played, type Counts } from './laws.ts';
import { histories, moveText, type Move } from './moves.ts';
import { arbitraries, givenRows, relationNames } from './options.ts';
import { evidenceOf, ontologiesIn, poolOf, relationsIn, type ColumnArbitraries } from './rows.ts';

export interface ContainmentOptions {
  /** Trusted rows that the world begins with, reported in one batch. Rows that let something be approved make the test sharper. */
  readonly given?: readonly ReportRow[];
  /** Arbitraries of the author's own, by relation and column. */
  readonly columns?: ColumnArbitraries;
  /**
   * Evidence relations of which a row may be let through in a world that knows nothing: "proposal.note". Those of decisions that
   * end in `approvesWithoutConditions` or `acceptsWithoutConditions` are among them already.
   */
  readonly freely?: readonly string[];
  /** Who may turn up: the actors of reports, replies and answers. Those that stand in `given`, and a stranger, where left out. */
  readonly actors?: readonly string[];
  /** Whose sessions they are. */
  readonly sessions?: readonly string[];
  /** Moves of one history. 12 by default. */
  readonly movesMax?: number;
  /** Histories that are tried. 50 by default. */
  readonly numRuns?: number;
  /** Of an earlier failure: its seed and path, to see it again. */
  readonly seed?: number;
  readonly path?: string;
}

type Details = Pick<fc.RunDetails<[readonly Move[]]>, 'numRuns' | 'seed' | 'counterexamplePath' | 'counterexample'>;

/**
 * Plays random histories in three worlds: the one under test, one that hears the truth alone, and one that hears the model alone.
 *
 * Shape   resolves with what happened in all; where next to nothing was approved, `given` lets too little pass for the laws to mean much.
 * Errors  names the law, what broke it, the history, the proof, and the seed that shows it again.
 */
export async function containment(program: Program, options: ContainmentOptions = {}): Promise<Counts> {
  checkProgram(program, 'containment');
  const own = checked(program, options);
  const { given = [], columns = {}, freely = [], movesMax = 12, numRuns = 50, seed, path } = own;
  const { actors = [...new Set(actorsIn(program, given))], sessions = ['session-1', 'session-2'] } = own;
  const counts = { histories: 0, replies: 0, malformed: 0, approved: 0, denied: 0, held: 0, admitted: 0, started: 0 };
  const setting = { given, freely, by: { session: sessions[0] ?? 'session-1', actor: actors[0] ?? 'nobody' }, counts };
  const begin = await beginning(program, setting);
  const property = fc.asyncProperty(histories(program, { given, columns, actors, sessions, movesMax }), (moves) =>
    played(begin, moves, setting),
  );
  const details = await fc.check(property, {
    numRuns,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return counts;
  const { errorInstance: cause } = details;
  const error = new Error(brokenText(details, cause), { cause });
  error.name = 'ContainmentError';
  throw error;
}

function checked(program: Program, options: ContainmentOptions): ContainmentOptions {
  const relations = relationsIn(program);
  return taken<ContainmentOptions>(options, 'containment', {
    given: givenRows(relations),
    columns: arbitraries(relations),
    freely: relationNames(evidenceOf(program)),
    actors: list(text, 1),
    sessions: list(text, 1),
    movesMax: whole(1, 10_000),
    numRuns: whole(1),
    seed: whole(Number.MIN_SAFE_INTEGER),
    path: (path) => (typeof path === 'string' && PATH.test(path) ? undefined : `${called(path)} is no path of a failure, "0:1:1"`),
  });
}

/** Fast-check's: which value failed, and how it was made smaller. Empty where the failure needed no search. */
const PATH = /^(\d+(:\d+)*)?$/;

function brokenText({ numRuns, seed, counterexamplePath, counterexample }: Details, cause: unknown): string {
  const [moves] = counterexample ?? [[]];
  const { law, what, at, proof } =
    cause instanceof Broken ? cause : { law: 'nothing throws', what: String(cause), at: moves.length, proof: '' };
  const story = moves.slice(0, at + 1).map((move, i) => `  ${i + 1} ${moveText(move)}`);
  return [
    `${law}: ${what}`,
    ['after the given rows and', ...story].join('\n'),
    proof,
    `history ${numRuns}; again with { seed: ${seed}, path: ${JSON.stringify(counterexamplePath ?? '')} }`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll(UNSEEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** Characters that would hide or turn what stands beside them. */
const UNSEEN = /[^\P{C}\n]/gu;

/** Whoever stands in the given rows may turn up, and somebody whom they do not know. */
function actorsIn(program: Program, given: readonly ReportRow[]): string[] {
  const pool = poolOf(program, given);
  const sorts = new Set(ontologiesIn(program).map(({ scope }) => sortName(sortOf(scope.actor) ?? { base: 'string' })));
  const known = [...sorts].flatMap((sort) => pool.get(sort) ?? []);
  return [...known, 'nobody'].map(String);
}
