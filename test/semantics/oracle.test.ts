import { describe, expect, test } from 'vitest';
import { openOracle, play } from './driver.ts';
import { holes, type Hole } from './holes.ts';
import { told } from './told.ts';

describe('the oracle', () => {
  test.each(holes.map((hole): [string, Hole] => [hole.title, hole]))('%s', async (_title, { program, events, expected }) => {
    const driver = await openOracle(program);
    const came = await play(driver, events);
    expect(await told(driver, expected)).toEqual({ ...expected, ...(expected.came === undefined ? {} : { came: undefined }) });
    if (expected.came !== undefined) expect(came.slice(-expected.came.length)).toEqual(expected.came);
  });
});
