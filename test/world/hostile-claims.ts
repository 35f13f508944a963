/**
 * What has to come of hostile input: an issue of ours with nothing to be seen of it, or a malformed capture that is kept without rows.
 *
 * Gives  both claims as functions over a world, and rows that no builder would make.
 * Never  takes an error that is not ours for a refusal.
 */
import { expect } from 'vitest';
import type { Batch, Report, ReportRow } from '../../src/index.ts';
import { batch, issuesOf, shown, type World } from './shop.ts';

export type Columns = Readonly<Record<string, unknown>>;

export const malformed = /^world\/batch-malformed: /;
export const trusted = /^world\/(batch-malformed|report-refused): /;

let captures = 0;
export const nextCapture = () => `bad${(captures += 1)}`;

// Hostile rows are made without the builders, and go past the types that would refuse them.
export const raw = (relation: unknown, columns: unknown) => ({ relation, columns }) as ReportRow;
export const given = (value: unknown) => value as Batch;

/** Refused by an issue of ours, with nothing to be seen of it; gives the issues. */
export async function refused(world: World, act: () => unknown, code: RegExp): Promise<string[]> {
  const before = shown(world);
  const issues = await issuesOf(act);
  expect(issues.length).toBeGreaterThan(0);
  for (const one of issues) expect(one).toMatch(code);
  expect(shown(world)).toEqual(before);
  return issues;
}

/** Kept as a malformed capture without rows; gives what was wrong with it. */
export async function kept(world: World, report: Report): Promise<readonly string[]> {
  const before = shown(world);
  const outcome = await world.observe(batch(report));
  if (outcome.status !== 'committed') throw new Error(`the capture was ${outcome.status}`);
  const [record, ...more] = outcome.records;
  if (record?.record !== 'captureRefused' || more.length > 0) throw new Error('the capture was not refused');
  expect(record.class).toBe('malformed');
  // Of a refused capture nothing stands in the model but that it was refused.
  const { 'lifecycle.captureRefused': told = [], ...rows } = shown(world).rows;
  const { 'lifecycle.captureRefused': toldBefore = [], ...rowsBefore } = before.rows;
  expect(rows).toEqual(rowsBefore);
  expect(told.length).toBe(toldBefore.length + 1);
  expect(shown(world).records).toEqual([...before.records, record]);
  return record.issues;
}
