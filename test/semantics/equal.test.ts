import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openOracle } from './driver.ts';
import { openWorld } from './driver-world.ts';
import { brokenLaws, run, see } from './laws.ts';
import { happen, histories } from './random-histories.ts';
import { programOf } from './random-programs.ts';

const numRuns = Number(process.env['COUNTERSIGN_RUNS'] ?? 60);

describe('the world, on random programs and histories', () => {
  test('R46 A43 J12 makes the records of the oracle and shows its rows, after every event', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      const oracle = await run(openOracle, history);
      const world = await openWorld(programOf(history.choice));
      for (const { happened, came, after } of oracle.steps) {
        expect(await happen(world, happened)).toBe(came);
        const seen = await see(world);
        expect(seen.records).toEqual(after.records);
        for (const [relation, rows] of after.rows) expect([relation, seen.rows.get(relation)]).toEqual([relation, rows]);
      }
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  test('R13 R55 R56 keeps every law of a transition', async () => {
    const property = fc.asyncProperty(histories(), async (history) => {
      expect(await brokenLaws(await run(openWorld, history), openWorld)).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);
});
