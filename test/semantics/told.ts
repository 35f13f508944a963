/**
 * What a driver says about everything that a table expects of it.
 *
 * Reads  a driver, and an expectation.
 * Gives  the same shape, filled with what is.
 * Never  judges: the test compares.
 */
import type { DecisionRecord, LedgerRecord } from '../../dsl/record.ts';
import type { Driver } from './driver.ts';
import type { Hole } from './holes.ts';

/** What the driver says about everything that is expected of it, in the shape of the expectation. */
export async function told(driver: Driver, expected: Hole['expected']): Promise<Hole['expected']> {
  const records = await driver.records();
  const decisions = records.filter((record): record is DecisionRecord => record.record === 'decision');
  const ids = <T>(of: Readonly<Record<string, T>> | undefined) => Object.keys(of ?? {});
  const statuses = await Promise.all(ids(expected.statuses).map(async (id) => [id, await driver.statusOf(id)] as const));
  const rows = await Promise.all(ids(expected.rows).map(async (relation) => [relation, await given(driver, relation, expected)] as const));
  return {
    ...(expected.statuses === undefined ? {} : { statuses: Object.fromEntries(statuses) }),
    ...(expected.acts === undefined ? {} : { acts: actsIn(records) }),
    ...(expected.reasons === undefined
      ? {}
      : {
          reasons: Object.fromEntries(
            ids(expected.reasons).map((id) => [id, decisions.filter((record) => record.id === id).at(-1)?.reasons ?? []]),
          ),
        }),
    ...(expected.rows === undefined ? {} : { rows: Object.fromEntries(rows) }),
    ...(expected.ignored === undefined ? {} : { ignored: records.filter((record) => record.record === 'ignored').length }),
    ...(expected.setAside === undefined
      ? {}
      : { setAside: records.flatMap((record) => (record.record === 'setAside' ? [record.id] : [])) }),
  };
}

/** Acts in order; those of one kind that follow each other go by their names, since nothing says which of them is recorded first. */
function actsIn(records: readonly LedgerRecord[]): string[] {
  const runs: string[][] = [];
  for (const record of records) {
    if (!('intent' in record) || record.record === 'dormant') continue;
    const act = `${record.record} ${record.intent} ${String(record.row['id'])}`;
    const last = runs.at(-1);
    if (last?.[0]?.startsWith(`${record.record} ${record.intent} `) === true) last.push(act);
    else runs.push([act]);
  }
  return runs.flatMap((run) => run.sort());
}

async function given(driver: Driver, relation: string, expected: Hole['expected']) {
  const wanted = expected.rows?.[relation] ?? [];
  const rows = await driver.rows(relation);
  return rows.map((row, index) => Object.fromEntries(Object.keys(wanted[index] ?? row).map((column) => [column, row[column] ?? ''])));
}
