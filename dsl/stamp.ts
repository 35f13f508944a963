/**
 * The columns that the runtime stamps on every row, and the types of those that have a brand of ours.
 *
 * Reads  the scope of an ontology: what a session and an actor are called there.
 * Gives  the stamped columns as schemas and as types.
 * Never  stands in a model's response schema: who spoke, and when, is not the speaker's to say.
 */
import * as z from 'zod';
import { brand } from './value.ts';
import { record } from './carry.ts';
import type { Position, Schema, Shape } from './term.ts';

export const SessionId = brand('SessionId', z.string());
export const ActorId = brand('ActorId', z.string());
export const RowId = brand('RowId', z.string());
export const CaptureId = brand('CaptureId', z.string());

export type SessionId = z.output<typeof SessionId>;
export type ActorId = z.output<typeof ActorId>;
export type RowId = z.output<typeof RowId>;
export type CaptureId = z.output<typeof CaptureId>;

/** Optional in every atom. `seq` is opaque: it may be bound and compared. */
export interface Stamps<Session, Actor> {
  id: RowId;
  session: Session;
  actor: Actor;
  capture: CaptureId;
  ordinal: number;
  seq: Position;
}

export interface Scope {
  readonly session: Schema;
  readonly actor: Schema;
}

export function stampsOf(scope: Scope): Shape {
  return record<Schema>([
    ['id', RowId],
    ['session', scope.session],
    ['actor', scope.actor],
    ['capture', CaptureId],
    ['ordinal', z.int()],
    ['seq', z.int()],
  ]);
}
