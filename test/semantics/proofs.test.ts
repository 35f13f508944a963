/** Proofs on random programs and histories: every row, after every event, checked against the rules by something that knows no engine. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IR, type Columns, type OntologyIR } from '../../dsl/ir.ts';
import { canonicalJson } from '../../dsl/digest.ts';
import type { DecisionRecord, LedgerRecord, Row } from '../../dsl/record.ts';
import {
  isCountersignError,
  memory,
  open,
  type Ledger,
  type Model,
  type Outcome,
  type Program,
  type Reason,
  type Why,
  type World,
  type WorldSnapshot,
} from '../../src/index.ts';
import { isPublic } from '../../src/world/net.ts';
import { read } from '../oracle/book.ts';
import { Model as Plain } from '../oracle/model.ts';
import type { OracleState } from '../oracle/state.ts';
import { empty, transition, type OracleEvent } from '../oracle/transition.ts';
import { Checker, faultsOf } from './checked-proof.ts';
import { driverOf } from './driver-world.ts';
import { programIR } from './driver.ts';
import { modelNow, momentsOf, type Moment } from './moments.ts';
import { happeningOf, histories, type Happened, type History } from './random-histories.ts';
import { graphBatches, graphProgram } from './random-graphs.ts';
import { programOf, world as ontology } from './random-programs.ts';

const numRuns = Number(process.env['COUNTERSIGN_RUNS'] ?? 20);
// An ontology carries its IR under the symbol; its type does not say so.
const DECLARED = (ontology as unknown as { readonly [IR]: OntologyIR })[IR].relations;

/** A world with what has happened to it, and the programs that it has had. */
interface Played {
  readonly world: World;
  readonly ledger: Ledger;
  readonly programs: readonly Program[];
  readonly past: readonly Happened[];
  /** The oracle's state before the last event and after it. */
  readonly before: OracleState;
  readonly state: OracleState;
}
type Asks = (played: Played, outcome: Outcome) => Promise<readonly string[]>;

/** Plays a history; asks after every event that the ledger heard of. */
async function play({ choice, wishes }: History, ask: Asks): Promise<Played & { readonly faults: readonly string[] }> {
  const ledger = memory();
  const world = await open(programOf(choice), { tenant: 'tenant', ledger });
  const driver = driverOf(world);
  const past: Happened[] = [];
  const programs = [programOf(choice)];
  const faults: string[] = [];
  let state = empty(programIR(programOf(choice)));
  let before = state;
  for (const wish of wishes) {
    const happened = await happeningOf(wish, driver, past);
    if (happened === undefined) continue;
    past.push(happened);
    [before, state] = [state, transition(state, oracleEvent(happened)).state];
    const outcome = await happenTo(world, happened);
    if (outcome === undefined) continue;
    if (happened.event === 'adopt' && outcome.status === 'committed') programs.push(programOf(happened.choice));
    faults.push(...(await ask({ world, ledger, programs, past, before, state }, outcome)).map((fault) => `event ${past.length}: ${fault}`));
  }
  return { world, ledger, programs, past, before, state, faults };
}

/** Undefined where it was the caller's mistake. */
async function happenTo(world: World, happened: Happened): Promise<Outcome | undefined> {
  try {
    if (happened.event === 'batch') return await world.observe(happened.batch);
    if (happened.event === 'start') return await world.start(happened.intent, happened.key);
    return await world.adopt(programOf(happened.choice), { admitOld: happened.admitOld });
  } catch (error) {
    if (isCountersignError(error) && error.issues.every(({ code }) => code.startsWith('world/'))) return undefined;
    throw error;
  }
}

function oracleEvent(happened: Happened): OracleEvent {
  if (happened.event === 'batch') return { event: 'batch', ...happened.batch };
  return happened.event === 'start'
    ? happened
    : { event: 'adopt', program: programIR(programOf(happened.choice)), admitOld: happened.admitOld };
}

/** Every row that can be asked for, as plain data. */
function plainOf(world: World): Plain {
  const plain = new Plain();
  for (const name of livesOf(world, 'report', 'record', 'view')) for (const row of world.model().rows(name)) plain.put(name, row);
  return plain;
}

function livesOf(world: World, ...lives: readonly string[]): string[] {
  return [...world.plan.relations.values()].filter(({ life, name }) => lives.includes(life) && isPublic(name)).map(({ name }) => name);
}

const isRecorded = (world: World) => {
  const records = new Set(world.records().map((record) => recordKey(record)));
  return ({ relation, row, from }: Why) =>
    from.is === 'record' &&
    records.has(
      `${from.record} ${relation
        .split('.')
        .slice(from.record === 'decision' ? 2 : 1)
        .join('.')} ${String(row['id'])}`,
    );
};

function recordKey(record: LedgerRecord): string {
  if (record.record === 'decision')
    return `decision ${record.source.startsWith('queryRequested') ? 'queryExecute' : record.source} ${record.id}`;
  return 'row' in record && 'intent' in record ? `${record.record} ${record.intent} ${String(record.row['id'])}` : record.record;
}

// What is asked.

async function provenRows({ world, state }: Played): Promise<string[]> {
  return provenBy(world, modelNow(state, world.plan));
}

function provenBy(world: World, plain: Plain): string[] {
  const checker = new Checker(world.plan);
  const model = world.model();
  return livesOf(world, 'view', 'record').flatMap((relation) =>
    model.rows(relation).flatMap((row) => {
      const why = model.why(relation, row);
      return faultsOf(why, checker, plain, isRecorded(world)).map((fault) => `why ${relation}: ${fault}`);
    }),
  );
}

/** Patterns that no row has: rows that are there with another value in one column. */
function absentPatterns(model: Model, relations: readonly string[]): { readonly relation: string; readonly where: Row }[] {
  const pool: Readonly<Record<string, readonly (string | number)[]>> = {
    to: ['x', 'y', 'z'],
    from: ['x', 'y'],
    n: [10, 50],
    id: ['c0.1', 'c1.1', 'c2.1'],
  };
  return relations.flatMap((relation) => {
    const columns = Object.keys({ ...DECLARED[relation]?.columns, ...DECLARED[relation]?.reserved });
    const wheres = Object.keys(pool).flatMap((column) =>
      columns.includes(column) ? (pool[column] ?? []).map((value): Row => ({ [column]: value })) : [],
    );
    return wheres.filter((where) => model.rows(relation, where).length === 0).map((where) => ({ relation, where }));
  });
}

async function missedRows({ world, state }: Played): Promise<string[]> {
  const checker = new Checker(world.plan);
  const plain = modelNow(state, world.plan);
  const model = world.model();
  const relations = Object.keys(DECLARED).filter((name) => ['view', 'record'].includes(world.plan.relations.get(name)?.life ?? ''));
  return absentPatterns(model, relations).flatMap(({ relation, where }) => {
    const { tried, notes } = model.whyNot(relation, where);
    const silent = world.plan.rules.filter(
      ({ id, head }) =>
        head.relation === relation &&
        !id.startsWith('runtime.held') &&
        mayGive(head.columns, where) &&
        !tried.some(({ rule }) => rule === id),
    );
    const faults = silent.map(({ id }) => `whyNot ${relation} ${JSON.stringify(where)} says nothing of ${id}`);
    if (tried.length + notes.length === 0) faults.push(`whyNot ${relation} ${JSON.stringify(where)} says nothing`);
    const wrong = tried.flatMap(({ fails, since: _, ...reason }) =>
      checker.miss(reason, fails, where, plain).map((fault) => `whyNot ${relation} ${JSON.stringify(where)}: ${fault}`),
    );
    return [...faults, ...wrong];
  });
}

/** Whether no constant of a head says otherwise. */
function mayGive(columns: Columns, where: Row): boolean {
  return Object.entries(columns).every(
    ([column, term]) => !('const' in term) || where[column] === undefined || where[column] === term.const,
  );
}

/** For every row that a transition took away: what withdrew it. */
function goneRows(world: World, outcome: Outcome): string[] {
  if (outcome.status !== 'committed') return [];
  const changes = outcome.difference();
  const checker = new Checker(world.plan);
  const views = new Set(livesOf(world, 'view'));
  return changes.flatMap(({ relation, row, sign }) => {
    if (sign > 0 || !views.has(relation)) return [];
    const gone = world.model().whyGone(relation, row);
    const faults = gone === undefined ? ['nothing is said'] : checker.gone(gone, changes);
    return faults.map((fault) => `whyGone ${relation} ${JSON.stringify(row)}: ${fault}`);
  });
}

/** What each record of a transition was made for, as it was at the moment at which it was made. */
function recordedFor(world: World, moments: readonly Moment[]): string[] {
  const checker = new Checker(world.plan);
  // A group that falls is judged as if each of its rows had been decided by itself, and that is taken back.
  const torn = new Set(
    moments.flatMap(({ record }) =>
      record.record === 'decision' && /^stands with/.test(record.reasons[0] ?? '') ? [captureOf(record)] : [],
    ),
  );
  return moments.flatMap(({ record, model }, i) => {
    if (record.record === 'decision' && torn.has(captureOf(record))) return [];
    if (record.record === 'decision') {
      // Of a row that was decided and revoked in one transition, the revocation is told.
      if (moments.slice(i + 1).some((later) => later.record.record === 'decision' && later.record.id === record.id)) return [];
      return decidedFor(record, world.model().verdict(record.id)?.because ?? [], checker, model);
    }
    if (!('restsOn' in record)) return [];
    const act = world
      .model()
      .verdict(record.restsOn[0] ?? '')
      ?.acts.findLast((one) => one.record === record.record && one.key === record.key);
    if (act === undefined) return [];
    const isOwn = ({ premises }: Reason) => premises.some((one) => one.is === 'row' && one.columns['id'] === record.row['id']);
    return act.because.flatMap((reason) => reasonFaults(reason, isOwn(reason) ? record.row : {}, checker, model));
  });
}

function captureOf({ id }: DecisionRecord): string {
  return id.slice(0, id.lastIndexOf('.'));
}

const BY_NO_RULE = /^(invariant|stands with|set aside)\b/;

function decidedFor(
  { id, verdict, reasons, recorded }: DecisionRecord,
  because: readonly Reason[],
  checker: Checker,
  model: Plain,
): string[] {
  const isEndorsed = verdict === 'accepted' || verdict === 'approved';
  const silent = isEndorsed && because.length === 0 ? [`nothing is said of why ${id} is ${verdict}`] : [];
  const unsaid = reasons.filter((reason) => !BY_NO_RULE.test(reason) && !because.some((one) => one.reason === reason));
  const missing = [...silent, ...unsaid.map((reason) => `nothing is said of why ${id} is ${verdict}: ${reason}`)];
  if (reasons.some((reason) => BY_NO_RULE.test(reason))) return because.length === 0 ? [`nothing is said of ${reasons.join()}`] : missing;
  const head = (reason: Reason): Row => ({
    id,
    ...recorded,
    ...(isEndorsed || reason.reason === undefined ? {} : { reason: reason.reason }),
  });
  return [...missing, ...because.flatMap((reason) => reasonFaults(reason, head(reason), checker, model))];
}

function reasonFaults(reason: Reason, head: Row, checker: Checker, model: Plain): string[] {
  const { isMiss, premises, ...rest } = reason;
  const fails = premises.at(-1);
  if (isMiss !== true || fails === undefined) return checker.instance(reason, head, model);
  return checker.miss({ ...rest, premises: premises.slice(0, -1) }, fails, head, model);
}

describe('proofs, on random programs and histories', () => {
  test('J26 of every row are re-derived step by step from rules and rows, and go in no circle', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      expect((await play(history, provenRows)).faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('J26 of what is not there: the premises that are shown hold, and the one that fails does not', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      expect((await play(history, missedRows)).faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('J26 of a record tell what it was made for, as it was at that moment', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      let known = 0;
      const { faults } = await play(history, async ({ world, past, before }, outcome) => {
        const event = oracleEvent(past.at(-1) as Happened);
        const book = event.event === 'adopt' ? read(event.program) : before.book;
        const records = world.records().slice(known);
        known += records.length;
        return outcome.status === 'committed' ? recordedFor(world, momentsOf(before, event, book, world.plan, records)) : [];
      });
      expect(faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('J08 of every row that a transition took away name what withdrew it', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      expect((await play(history, async ({ world }, outcome) => goneRows(world, outcome))).faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);
});

/** Where a rule of a view waits for a report: with that report it fails later, or gives the row. */
async function passesWith({ world, ledger, programs, state }: Played): Promise<string[]> {
  const relations = Object.keys(DECLARED).filter((name) => /^(fact|approvedView|candidateView|proposalView|intent)\./.test(name));
  const patterns = absentPatterns(
    world.model(),
    relations.filter((name) => world.plan.relations.has(name)),
  );
  const missing = patterns.flatMap(({ relation, where }) =>
    world
      .model()
      .whyNot(relation, where)
      .tried.flatMap(({ fails, ...miss }) => (fails.is === 'row' && isReported(fails.relation) ? [{ relation, where, fails, miss }] : [])),
  );
  // One of them an event is enough.
  const [one] = missing.slice(Number(world.position) % Math.max(missing.length, 1));
  if (one === undefined) return [];
  const again = await reopened(world, ledger, programs);
  const columns = { ...REPORTS[one.fails.relation], ...one.fails.columns };
  const batch = { session: 's', actor: 's', reports: [{ rows: [{ relation: one.fails.relation, columns }] }] };
  const outcome = await again.observe(batch);
  const plain = modelNow(transition(state, { event: 'batch', ...batch }).state, again.plan);
  const checker = new Checker(again.plan);
  // Where what was found before holds no longer, since the report moved other things too, the search may end earlier.
  const isElse = checker.miss(one.miss, one.fails, one.where, plain).some((fault) => !fault.endsWith(' holds'));
  if (outcome.status !== 'committed' || isElse) return [];
  const then = again
    .model()
    .whyNot(one.relation, one.where)
    .tried.filter(({ rule }) => rule === one.miss.rule);
  const before = missing.filter(
    ({ miss, relation, where }) => miss.rule === one.miss.rule && relation === one.relation && where === one.where,
  );
  const comesNoFurther = then.length >= before.length && then.every(({ premises }) => premises.length <= one.miss.premises.length);
  return comesNoFurther ? [`${one.miss.rule} comes no further with ${one.miss.wouldPass}`] : [];
}

const REPORTS: Readonly<Record<string, Row>> = {
  'observation.payee': { to: 'x' },
  'observation.blocked': { to: 'x' },
  'observation.today': { day: 1 },
  'observation.open': { isOpen: true },
  'observation.link': { from: 'x', to: 'x' },
};

function isReported(relation: string): boolean {
  return REPORTS[relation] !== undefined;
}

/** The same world, from a snapshot that has been text, and a ledger of its own. */
async function reopened(world: World, ledger: Ledger, programs: readonly Program[]): Promise<World> {
  const snapshot = JSON.parse(JSON.stringify(world.snapshot())) as WorldSnapshot;
  const entries = [...(await ledger.read(1))];
  const copy = memory();
  for (const entry of entries) await copy.append(entry);
  return open(programs.at(-1), { tenant: 'tenant', ledger: copy, snapshot, earlier: programs.slice(0, -1) });
}

/** What a person reads of every row of evidence. */
function sentencesOf(world: World): string[] {
  return [...world.plan.sources.values()].flatMap(({ relation }) =>
    world
      .model()
      .rows(relation)
      .map(({ id }) => {
        const verdict = world.model().verdict(String(id));
        return [verdict?.sentence, ...(verdict?.acts.map(({ sentence }) => sentence) ?? [])].join(' | ');
      })
      .sort(),
  );
}

describe('questions', () => {
  test('J26 that say what would let a rule pass are right: with that report it comes further', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      expect((await play(history, passesWith)).faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('J26 are answered alike by a world that was opened from a snapshot, whatever programs it has had', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      const { world, ledger, programs } = await play(history, async () => []);
      expect(sentencesOf(await reopened(world, ledger, programs))).toEqual(sentencesOf(world));
    });
    // A row that falls with its group under a later program, for what the first of the group fell for under an earlier one.
    const path = '6:0:0:0:0:0:4:3:3:3:4:3:4:3:4:4:4:5:5:5:5:5:6:9:9:9:3:8:8:8:8:9:9:9:9:9:9:9:9:8:9';
    await fc.assert(property, { seed: -1180275769, path, numRuns: 1 });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('J26 change nothing: neither digests nor rows nor what comes later nor what others are told', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      const outcomes: Outcome['status'][][] = [];
      const worlds = [];
      for (const asks of [[], [provenRows, missedRows]]) {
        const came: Outcome['status'][] = [];
        const { world } = await play(history, async (played, outcome) => {
          came.push(outcome.status);
          for (const ask of asks) await ask(played);
          if (asks.length > 0) goneRows(played.world, outcome);
          return [];
        });
        outcomes.push(came);
        worlds.push(world);
      }
      const [quiet, asked] = worlds.map((world) => [world.digest, plainText(world), sentencesOf(world)]);
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(asked).toEqual(quiet);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);
});

function plainText(world: World): string[] {
  const plain = plainOf(world);
  return plain
    .relations()
    .flatMap((name) => plain.tuples(name).map(({ row }) => `${name} ${canonicalJson(row)}`))
    .sort();
}

describe('refusals, on random programs and histories', () => {
  test('A22 J26 come with the proof of their witness', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      const { faults } = await play(history, async ({ world }, outcome) => {
        if (outcome.status !== 'refused') return [];
        const { why, refusal, position } = outcome;
        if (why?.from.is !== 'rule') return [`nothing is said of why ${refusal.invariant} refused`];
        const isShown = Object.values(refusal.witness).every((value) => JSON.stringify(why.from).includes(JSON.stringify(value)));
        const isKept = world.model().whyRefused(position) === why;
        return [
          ...(isKept ? [] : ['it is not kept']),
          ...(why.from.premises.length > 0 && isShown ? [] : [`the witness of ${refusal.invariant} is not shown`]),
        ];
      });
      expect(faults).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);
});

describe('proofs, on random graphs with cycles', () => {
  test('J08 J26 of every row are re-derived, and of every row that went name what withdrew it', async () => {
    const property = fc.asyncProperty(fc.array(graphBatches, { minLength: 1, maxLength: 12 }), async (batches) => {
      const world = await open(graphProgram);
      for (const batch of batches) {
        const outcome = await world.observe(batch);
        expect([...provenBy(world, plainOf(world)), ...goneRows(world, outcome)]).toEqual([]);
      }
    });
    await fc.assert(property, { numRuns });
  }, 600_000);
});
