import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openOracle } from './driver.ts';
import { brokenLaws, run, type Run } from './laws.ts';
import { histories } from './random-histories.ts';

const numRuns = Number(process.env['COUNTERSIGN_RUNS'] ?? 40);

describe('a transition, on random programs and histories', () => {
  test('keeps every law', async () => {
    const tally = new Map<string, number>();
    const property = fc.asyncProperty(histories(), async (history) => {
      const done = await run(openOracle, history);
      count(done, tally);
      expect(await brokenLaws(done, openOracle)).toEqual([]);
    });
    await fc.assert(property, { numRuns });
    // A law that nothing comes near is no law: every kind of outcome has to be among what was run.
    for (const kind of ['committed', 'accepted', 'approved', 'rejected', 'admitted', 'started'])
      expect(tally.get(kind), kind).toBeGreaterThan(0);
    console.info(`laws of a transition, over ${numRuns} histories: ${[...tally].map(([kind, times]) => `${kind} ${times}`).join(', ')}`);
  }, 600_000);
});

function count(done: Run, tally: Map<string, number>): void {
  const add = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  for (const { came } of done.steps) add(came);
  for (const record of done.steps.at(-1)?.after.records ?? []) {
    add(record.record === 'decision' ? record.verdict : record.record);
    if (record.record === 'decision')
      for (const reason of record.reasons) add(/^(undecidable|set aside|stands with|invariant|declined)/.exec(reason)?.[0] ?? 'by a rule');
  }
}
