/**
 * An ontology's declaration, read once into plain data, and the relations that follow from it.
 *
 * Reads  what was given to `defineOntology`, each property once, whatever it is.
 * Gives  every declared and generated relation, in a fixed order, with its columns, its stamps and its key.
 * Never  refuses: a wrong declaration gives relations too, and `faults.ts` says what is wrong with it.
 */
import * as z from 'zod';
import { called, entriesOf, isRecord, listOf, reading, record } from './carry.ts';
import { isList } from './value.ts';
import type { RelationIR } from './ir.ts';
import { SHAPE } from './shape.ts';
import { ActorId, CaptureId, RowId, SessionId, stampsOf, type Scope } from './stamp.ts';
import type { Schema, Shape } from './term.ts';

/** A declared relation: its columns, the key of a keyed one, and what its decision keeps. */
export interface DeclaredShape {
  readonly columns: Shape;
  readonly key?: Shape;
  /** Columns of a keyed one that never fall. */
  readonly rising?: readonly string[];
  readonly records: Shape;
}
export interface DeclaredAction {
  readonly in: Shape;
  readonly records: Shape;
  readonly receipt: Shape;
  readonly evidence?: Shape;
  readonly identity?: readonly string[];
  readonly capability?: string;
  readonly unknown: readonly string[];
}
export interface DeclaredQuery {
  readonly in: Shape;
  readonly out: Shape;
  readonly unknown: readonly string[];
}
type ByName<T> = ReadonlyMap<string, T>;
export interface Declared {
  readonly scope: Scope;
  readonly observation: ByName<DeclaredShape>;
  readonly candidate: ByName<DeclaredShape>;
  readonly proposal: ByName<DeclaredShape>;
  readonly action: ByName<DeclaredAction>;
  readonly query: ByName<DeclaredQuery>;
  readonly fact: ByName<DeclaredShape>;
  readonly approvedView: ByName<DeclaredShape>;
  readonly candidateView: ByName<DeclaredShape>;
  readonly proposalView: ByName<DeclaredShape>;
  /** Kinds that nobody can declare. */
  readonly unknown: readonly string[];
  /** What stands where a record belongs, in words. */
  readonly misplaced: readonly string[];
}
export const VIEWS = ['fact', 'approvedView', 'candidateView', 'proposalView'] as const;
export const KINDS: readonly string[] = ['scope', 'observation', 'candidate', 'proposal', 'action', 'query', ...VIEWS];

export function readDeclaration(definition: unknown): Declared {
  const misplaced: string[] = [];
  const reader = new Reader(misplaced);
  const parts = new Map(reader.entries(definition, 'the declaration', 'kinds'));
  const scope = new Map(reader.entries(parts.has('scope') ? parts.get('scope') : {}, 'scope', 'schemas'));
  const read = <T>(kind: string, of: (reader: Reader, value: unknown, place: string) => T): ByName<T> => {
    const given = reader.entries(parts.has(kind) ? parts.get(kind) : {}, kind, 'declarations');
    return new Map(given.map(([name, value]) => [name, of(reader, value, `${kind}.${name}`)]));
  };
  return {
    // What is no schema is told with the other columns.
    scope: { session: (scope.get('session') ?? SessionId) as Schema, actor: (scope.get('actor') ?? ActorId) as Schema },
    observation: read('observation', readShape),
    candidate: read('candidate', readShape),
    proposal: read('proposal', readShape),
    action: read('action', readAction),
    query: read('query', readQuery),
    fact: read('fact', readShape),
    approvedView: read('approvedView', readShape),
    candidateView: read('candidateView', readShape),
    proposalView: read('proposalView', readShape),
    unknown: [...parts.keys()].filter((kind) => !KINDS.includes(kind)),
    misplaced,
  };
}

/** Reads records, and notes what stands where one belongs. */
class Reader {
  readonly misplaced: string[];
  constructor(misplaced: string[]) {
    this.misplaced = misplaced;
  }

  entries(value: unknown, place: string, of: string): [string, unknown][] {
    if (isRecord(value)) return entriesOf(value, place);
    this.note(`${place}: ${called(value)} is no record of ${of}`);
    return [];
  }

  texts(value: unknown, place: string): readonly string[] {
    const texts = isList(value) ? listOf(value, place) : [];
    if (!isList(value) || !texts.every((one) => typeof one === 'string')) this.note(`${place}: ${called(value)} is no list of names`);
    return Object.freeze(texts.filter((one): one is string => typeof one === 'string'));
  }

  note(what: string): void {
    this.misplaced.push(what);
  }

  /** Columns that are no schema are told by `faults.ts`. */
  shape(value: unknown, place: string): Shape {
    return record(this.entries(value, place, 'columns') as [string, Schema][]);
  }
}

export const ACTION_PARTS: readonly string[] = ['in', 'records', 'receipt', 'evidence', 'identity', 'capability'];
export const QUERY_PARTS: readonly string[] = ['in', 'out'];

function readShape(reader: Reader, value: unknown, place: string): DeclaredShape {
  const kind = reading(place, () => (Object(value) as { readonly [SHAPE]?: unknown })[SHAPE]);
  if (kind !== 'keyed' && kind !== 'recorded') return { columns: reader.shape(value, place), records: record([]) };
  const parts = new Map(entriesOf(value, place));
  const columns = reader.shape(parts.get('columns'), `${place}, its columns`);
  return kind === 'keyed'
    ? {
        columns,
        key: reader.shape(parts.get('key'), `${place}, its key`),
        ...readMore(reader, parts.get('more'), place),
        records: record([]),
      }
    : { columns, records: reader.shape(parts.get('records'), `${place}, its records`) };
}

function readMore(reader: Reader, value: unknown, place: string): Pick<DeclaredShape, 'rising'> {
  const more = new Map(value === undefined ? [] : reader.entries(value, place, 'options'));
  for (const name of more.keys()) if (name !== 'rising') reader.note(`${place}: ${called(name)} is no option of a keyed observation`);
  return more.has('rising') ? { rising: reader.texts(more.get('rising'), `${place}.rising`) } : {};
}

function readAction(reader: Reader, value: unknown, place: string): DeclaredAction {
  const parts = new Map(reader.entries(value, place, 'parts'));
  const { evidence, identity, capability } = Object.fromEntries(parts);
  const shape = (part: string) => reader.shape(parts.has(part) ? parts.get(part) : {}, `${place}.${part}`);
  const columns = identity === undefined ? undefined : reader.texts(identity, `${place}.identity`);
  if (capability !== undefined && typeof capability !== 'string') reader.note(`${place}.capability: ${called(capability)} is no name`);
  return {
    in: shape('in'),
    records: shape('records'),
    receipt: shape('receipt'),
    ...(evidence === undefined ? {} : { evidence: shape('evidence') }),
    ...(columns === undefined ? {} : { identity: columns }),
    ...(typeof capability === 'string' ? { capability } : {}),
    unknown: [...parts.keys()].filter((part) => !ACTION_PARTS.includes(part)),
  };
}

function readQuery(reader: Reader, value: unknown, place: string): DeclaredQuery {
  const parts = new Map(reader.entries(value, place, 'parts'));
  const shape = (part: string) => reader.shape(parts.has(part) ? parts.get(part) : {}, `${place}.${part}`);
  return {
    in: shape('in'),
    out: shape('out'),
    unknown: [...parts.keys()].filter((part) => !QUERY_PARTS.includes(part)),
  };
}

const NOTHING: Shape = record([]);
const REASON: Shape = record([['reason', z.string()]]);
const SHOWN: Shape = record([['shown', z.string()]]);
const ANSWER: Shape = record([['answer', z.enum(['yes', 'no'])]]);
const QUERY: Shape = record([['query', z.string()]]);
const ID: Shape = record([['id', RowId]]);
const ACT: Shape = record([['act', RowId]]);
const REQUEST: Shape = record([['req', RowId]]);
const DONE: Shape = record([['outcome', z.enum(['succeeded', 'failed'])]]);

/** A relation, with the namespace that an author finds it in. */
export interface Placed {
  readonly namespace: string;
  readonly own: string;
  readonly relation: RelationIR;
}
type Place = (namespace: string, own: string, columns: Shape, more?: More) => void;
interface More {
  readonly reserved?: Shape;
  readonly key?: readonly string[];
  readonly rising?: readonly string[];
  readonly identity?: readonly string[];
  readonly recorded?: readonly string[];
}

export function relationsOf(declared: Declared): readonly Placed[] {
  const placed: Placed[] = [];
  const stamps = stampsOf(declared.scope);
  const place: Place = (namespace, own, columns, more = {}) => {
    const relation = { name: `${namespace}.${own}`, columns, reserved: without(stamps, columns), ...more };
    // The IR has schemas under zod's own type, the language under the cheaper core type: they are the same objects.
    placed.push({ namespace, own, relation: Object.freeze(relation) as never });
  };
  for (const [name, shape] of declared.observation) placeObservation(place, name, shape);
  for (const [name, { columns, records }] of declared.candidate) placeCandidate(place, stamps, name, columns, records);
  for (const [name, { columns, records }] of declared.proposal) placeProposal(place, stamps, name, columns, records);
  for (const [name, action] of declared.action) placeAction(place, stamps, name, action);
  for (const [name, query] of declared.query) placeQuery(place, stamps, name, query);
  for (const kind of VIEWS) for (const [name, { columns }] of declared[kind]) place(kind, name, columns, { reserved: NOTHING });
  placeShared(place, stamps);
  return Object.freeze(placed);
}

/** A stamp in the key is no column of the report: the runtime fills it. */
function placeObservation(place: Place, name: string, { columns, key, rising = [] }: DeclaredShape): void {
  if (key === undefined) return place('observation', name, columns);
  const isStamp = (column: string) => column === 'session' || column === 'actor';
  const given = record(Object.entries(key).filter(([column]) => !isStamp(column)));
  const risen = rising.length === 0 ? {} : { rising };
  place('observation', name, join(given, columns), { key: Object.freeze(Object.keys(key)), ...risen });
}

function placeCandidate(place: Place, stamps: Shape, name: string, columns: Shape, records: Shape): void {
  place('candidate', name, columns);
  place('decision.accepted', name, join(columns, records), { recorded: Object.freeze(Object.keys(records)) });
  placeVerdicts(place, stamps, name, columns);
}

function placeProposal(place: Place, stamps: Shape, name: string, columns: Shape, records: Shape): void {
  place('proposal', name, columns);
  place('decision.approved', name, join(columns, records), { recorded: Object.freeze(Object.keys(records)) });
  placeVerdicts(place, stamps, name, columns);
}

/** What every judged row may meet, besides being accepted or approved. An answer names the row that it is about, so `id` is its own column. */
function placeVerdicts(place: Place, stamps: Shape, name: string, columns: Shape, more: Shape = NOTHING): void {
  place('decision.rejected', name, join(columns, REASON));
  place('decision.held', name, join(columns, REASON, SHOWN));
  place('decision.revoked', name, join(columns, REASON));
  place('confirmed', name, join(ID, REASON, SHOWN, ANSWER, record([['by', stamps.actor ?? ActorId]]), more));
}

function placeAction(place: Place, stamps: Shape, name: string, action: DeclaredAction): void {
  placeProposal(place, stamps, name, action.in, action.records);
  placeIntent(place, name, action.in, action.identity);
  place('receipt', name, join(action.in, action.receipt, ACT, DONE));
  if (action.evidence !== undefined) placeCandidate(place, stamps, `${name}Result`, join(action.evidence, ACT), NOTHING);
}

function placeIntent(place: Place, name: string, columns: Shape, identity?: readonly string[]): void {
  const more = identity === undefined ? {} : { identity };
  const act = join(ID, columns);
  place('intent', name, act, { reserved: NOTHING, ...more });
  for (const kind of ['admitted', 'started', 'withdrawn', 'conflict']) place(kind, name, columns, more);
  place('due', name, act, { reserved: NOTHING, ...more });
}

function placeQuery(place: Place, stamps: Shape, name: string, query: DeclaredQuery): void {
  const row = join(query.in, query.out);
  const result = join(row, REQUEST);
  place('query', name, row, { reserved: NOTHING });
  place('proposal.queryRequested', name, query.in);
  place('queryresult', name, result);
  for (const verdict of ['decision.accepted', 'decision.approved']) place(verdict, name, result, { recorded: Object.freeze([]) });
  placeVerdicts(place, stamps, name, result);
}

/** The same in every ontology: what the runtime says about reads, and about work that has no row of its own. */
function placeShared(place: Place, stamps: Shape): void {
  place('decision.approved', 'queryExecute', QUERY, { recorded: Object.freeze([]) });
  placeVerdicts(place, stamps, 'queryExecute', QUERY, QUERY);
  placeIntent(place, 'queryExecute', QUERY);
  place('queryresult', 'outcome', join(REQUEST, QUERY, record([['outcome', z.enum(['succeeded', 'failed', 'expired'])]])));
  for (const [name, about, classes] of LIFECYCLE) place('lifecycle', name, record<Schema>([about, ['class', z.enum(classes)]]));
}
const CAPTURED = ['captured', CaptureId] as const;
export const LIFECYCLE = [
  ['modelCalled', CAPTURED, ['answered', 'refused', 'failed']],
  ['captureRefused', CAPTURED, ['malformed', 'too many open']],
  ['contractViolated', CAPTURED, ['precondition', 'postcondition', 'invariant']],
  ['effectUnknown', ['act', RowId], ['timeout', 'crash', 'unknown']],
] as const;

export function join(...shapes: readonly Shape[]): Shape {
  return record(shapes.flatMap((shape) => Object.entries(shape)));
}

function without(shape: Shape, others: Shape): Shape {
  return record(Object.entries(shape).filter(([column]) => !Object.hasOwn(others, column)));
}
