/**
 * Random tests over a program: rows, replies and hostile replies as fast-check arbitraries, and containment as a law to run.
 *
 * Gives  the names of the published face `countersign/testing/fast-check`, apart from the rest, since only this needs fast-check.
 * Never  fixes a seed of its own: fast-check's configuration is the author's.
 */
export { containment } from './fast-check/containment.ts';
export { hostileReplies } from './fast-check/hostile.ts';
export { repliesOf, rowsOf } from './fast-check/rows.ts';

export type { ContainmentOptions } from './fast-check/containment.ts';
export type { HostileOptions, HostileReply } from './fast-check/hostile.ts';
export type { Counts } from './fast-check/laws.ts';
export type { ColumnArbitraries, ReplyOptions, RowOptions } from './fast-check/rows.ts';
