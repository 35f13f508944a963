/**
 * The product's world behind the face of a driver.
 *
 * Reads  a program, and what a driver is asked.
 * Gives  what the world says, in the order in which the oracle would say it.
 * Never  hides a fault: only what the world calls the caller's mistake is one.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import { isCountersignError } from '../../dsl/issue.ts';
import type { Row } from '../../dsl/record.ts';
import { byCodePoint } from '../../dsl/value.ts';
import { open, type Outcome, type World } from '../../src/world.ts';
import type { Came, Driver, Opens } from './driver.ts';

export const openWorld: Opens = async (program) => driverOf(await open(program, { tenant: 'tenant' }));

export function driverOf(world: World): Driver {
  const came = async (act: () => Promise<Outcome>): Promise<Came> => {
    try {
      return (await act()).status;
    } catch (error) {
      if (isCountersignError(error) && error.issues.every(({ code }) => code.startsWith('world/'))) return 'faulty';
      throw error;
    }
  };
  return {
    observe: async (batch) => came(() => world.observe(batch)),
    start: async (intent, key) => came(() => world.start(intent, key)),
    adopt: async (next, admitOld = []) => came(() => world.adopt(next, { admitOld })),
    statusOf: async (id) => world.model().statusOf(id),
    records: async () => world.records(),
    rows: async (relation) => inOrder(world.plan.relations.has(relation) ? world.model().rows(relation) : []),
  };
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((left, right) => byCodePoint(canonicalJson(left), canonicalJson(right)));
}
