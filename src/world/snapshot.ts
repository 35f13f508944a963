/**
 * Snapshots: a ledger's head as data, and the state that follows from it under a program, the same one or another.
 *
 * Reads  evidence, trusted rows and records; never a view, since views are derived anew.
 * Gives  plain JSON, and the state again.
 * Never  runs a rule to make a record: what was decided stays decided, by whichever program.
 */
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { CountersignError, issue } from '../../dsl/issue.ts';
import type { Value } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import { valueFault } from '../../dsl/value.ts';
import type { Because, EngineLimits } from '../engine/engine.ts';
import type { Plan, RulePlan, Source } from '../load/load.ts';
import { putRow } from './ingress.ts';
import { leave, recordAct, recordDecision } from './register.ts';
import { State, type KeptBecause, type Made } from './state.ts';

/** A head as data: what `open` needs to go on from there without the entries before it. */
export interface WorldSnapshot {
  readonly program: string;
  /** Of the ledger's entry that it was taken at. */
  readonly digest: string;
  readonly state: Snapshot;
  /** SHA-256 of the other three: what was changed since is told from what was taken. */
  readonly checksum: string;
}

export interface Snapshot {
  readonly tenant: string;
  readonly position: number;
  readonly head: number;
  readonly seq: number;
  readonly captures: readonly (readonly [capture: string, position: number])[];
  readonly sources: readonly Source[];
  /** In the order in which they came. */
  readonly evidence: readonly { readonly source: string; readonly row: Row }[];
  readonly trusted: readonly { readonly relation: string; readonly row: Row }[];
  readonly made: readonly Kept[];
}

/** A record as a snapshot keeps it: what it was made for by the places of the rules in its program's plan, and their values. */
export interface Kept extends Omit<Made, 'because' | 'place' | 'kept'> {
  readonly because: readonly KeptBecause[];
}

/** A snapshot shares nothing with the world that it is of. Cost  every row and record once. */
export function sealed(state: State, digest: string): WorldSnapshot {
  const taken: Sealed = { program: state.plan.digest, digest, state: snapshotOf(state) };
  return { ...copied(taken), checksum: sha256(canonicalJson(taken)) };
}

/** The snapshot as it was taken. Errors  `world/snapshot-altered` for one that is not. */
export function unsealed({ program, digest, state, checksum }: WorldSnapshot): Sealed {
  let text = '';
  try {
    text = canonicalJson({ program, digest, state });
  } catch {
    // What JSON cannot say was not taken.
  }
  if (sha256(text) === checksum) return copied({ program, digest, state });
  throw new CountersignError([issue('world/snapshot-altered', `what it says has not the checksum ${checksum}`)]);
}
type Sealed = Omit<WorldSnapshot, 'checksum'>;

/** Columns keep the order in which a person reads them. */
function copied(taken: Sealed): Sealed {
  return JSON.parse(JSON.stringify(taken)) as Sealed;
}

export function snapshotOf(state: State): Snapshot {
  const { tenant, position, head, seq, plan, engine } = state;
  const judged = new Set([...plan.sources.values()].map(({ relation }) => relation));
  const reported = plan.tables.filter(({ life, name }) => life === 'report' && !judged.has(name));
  const evidence = [...state.evidence.values()].sort((a, b) => a.seq - b.seq);
  const places = new Map<Plan, ReadonlyMap<RulePlan, number>>();
  const placeOf = ({ plan: its, rule }: Because): number => {
    const known = places.get(its) ?? new Map(rulesOf(its).map((one, place) => [one, place]));
    places.set(its, known);
    return known.get(rule) ?? -1;
  };
  return {
    tenant,
    position,
    head,
    seq,
    captures: [...state.captures],
    sources: [...new Map(evidence.map(({ source }) => [source.name, source])).values()],
    evidence: evidence.map(({ source, row }) => ({ source: source.name, row })),
    trusted: reported
      .flatMap(({ id, name }) => [...engine.rows(id)].map((row) => ({ relation: name, row: state.named(id, row) })))
      .concat(state.parked)
      .sort((a, b) => Number(a.row['seq']) - Number(b.row['seq'])),
    made: state.made.map(({ position, program, record, because, kept: asItCame }) => ({
      position,
      program,
      record,
      because:
        asItCame ??
        because.map((one) => ({ ...kept(one, placeOf(one)), ...(one.plan.digest === program ? {} : { program: one.plan.digest }) })),
    })),
  };
}

function kept({ values, tried, gaveUp }: Because, rule: number): KeptBecause {
  const plain = values.map((value) => (value === undefined ? null : isWide(value) ? { wide: String(value) } : (value as Value)));
  return { rule, values: plain, ...(tried === undefined ? {} : { tried }), ...(gaveUp === undefined ? {} : { gaveUp }) };
}

/** What JSON cannot hold: large integers, and sums of floats that are none any more. */
function isWide(value: Value | bigint): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
}

/** What a record was made for; of a program that is not at hand, nobody can tell here, and it is kept as it is. */
function because(plans: ReadonlyMap<string, Plan>, { because: all, program }: Kept): Because[] {
  return all.flatMap(({ rule: place, values, program: its = program, ...missed }) => {
    const plan = plans.get(its);
    const rule = plan === undefined ? undefined : rulesOf(plan)[place];
    return plan === undefined || rule === undefined ? [] : [{ plan, rule, values: values.map(wideOf), ...missed }];
  });
}

function wideOf(value: KeptBecause['values'][number]): Because['values'][number] {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  return /^-?\d+$/.test(value.wide) ? BigInt(value.wide) : Number(value.wide);
}

function rulesOf({ components }: Plan): RulePlan[] {
  return components.flatMap(({ rules }) => rules);
}

/** What is at hand beside a snapshot: the state that it was taken of, or the plans of the programs that its records were made by. */
export interface Beside {
  readonly living?: State;
  readonly plans?: ReadonlyMap<string, Plan>;
}

/**
 * The state of a snapshot under a program.
 *
 * Cost    every row and record once, and one derivation of all views.
 * Errors  `world/schema-changed` when a row lacks a column that the program declares.
 */
export function restore(plan: Plan, snapshot: Snapshot, limits?: EngineLimits, { living, plans = new Map() }: Beside = {}): State {
  const state = new State(plan, snapshot.tenant, limits);
  const sources = new Map([...snapshot.sources.map((source) => [source.name, source] as const), ...plan.sources]);
  for (const { source, row } of snapshot.evidence) {
    const known = sources.get(source);
    if (known === undefined) continue;
    checkRow(plan, snapshot, source, row);
    const { id, session, capture, seq } = row as Row & {
      readonly id: string;
      readonly session: string;
      readonly capture: string;
      readonly seq: number;
    };
    state.addEvidence({ id, source: known, session, capture, seq, row });
  }
  for (const made of snapshot.made) {
    const known = living?.madeOf.get(made.record);
    remake(state, made, known?.because ?? because(plans, made));
    const isTold = known === undefined ? made.because.every(({ program = made.program }) => plans.has(program)) : known.kept === undefined;
    if (!isTold) state.keep(made.record, made.because);
  }
  for (const [position, why] of living?.refusals ?? []) state.refusals.set(position, why);
  // Receipts say what became of acts, so they come after them.
  for (const { relation, row } of snapshot.trusted) {
    if (state.table(relation) === undefined) state.parked.push({ relation, row });
    else {
      checkColumns(plan, relation, row);
      putRow(state, relation, row);
    }
  }
  const kept = [...state.plan.tables].filter(({ life, name }) => life === 'report' && plan.relations.get(name)?.key !== undefined);
  for (const { name, id } of kept) {
    const reported = snapshot.trusted.filter(({ relation }) => relation === name).length;
    // A log that became keyed would silently lose all but its last row of each key.
    if (state.engine.count(id) !== reported) throw changed(`${name} has several rows of one key`);
  }
  for (const [capture, position] of snapshot.captures) state.captures.set(capture, position);
  state.position = snapshot.position;
  state.head = snapshot.head;
  state.seq = snapshot.seq;
  state.begin();
  state.engine.rebuild();
  state.docket.refill();
  return state;
}

/** A row of evidence must be what the program takes that name for, or a wish could come back as a claim. */
function checkRow(plan: Plan, { sources }: Snapshot, name: string, row: Row): void {
  const now = plan.sources.get(name);
  if (now === undefined) return;
  const was = sources.find((source) => source.name === name);
  if (was?.relation !== now.relation) throw changed(`${name} was ${was?.relation ?? 'unknown'} and is ${now.relation}`);
  checkColumns(plan, now.relation, row);
}

/** Rows stay as they were reported: where the declaration has changed under them, they do not fit it any more. */
function checkColumns(plan: Plan, relation: string, row: Row): void {
  for (const { name, schema, sort } of plan.relations.get(relation)?.columns ?? []) {
    const value = row[name];
    const fault = value === undefined ? 'a row has none' : valueFault(schema, sort, value);
    if (fault !== undefined) throw changed(`${relation}.${name}: ${fault}`);
  }
}

function changed(what: string): CountersignError {
  return new CountersignError([issue('world/schema-changed', what)]);
}

/** Makes a record again, with what follows from it, at the position where it was made. */
function remake(state: State, { position, program, record }: Kept, because: readonly Because[]): void {
  state.position = position - 1;
  switch (record.record) {
    case 'decision':
      return recordDecision(state, record, because, program);
    case 'admitted':
    case 'started':
    case 'withdrawn':
    case 'conflict':
      return recordAct(state, record, because, program);
    case 'setAside':
      state.record(record, because, program);
      return leave(state, record.id);
    case 'dormant':
      state.record(record, because, program);
      state.dormant.add(record.key);
      return;
    case 'ignored':
    case 'captureRefused':
      return state.record(record, because, program);
  }
}
