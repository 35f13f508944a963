import { describe, expect, test } from 'vitest';
import { play } from './driver.ts';
import { openWorld } from './driver-world.ts';
import { holes, type Hole } from './holes.ts';
import { told } from './told.ts';

describe('the world', () => {
  const loadable = holes.filter((hole) => hole.isRefused !== true);
  test.each(loadable.map((hole): [string, Hole] => [hole.title, hole]))('%s', async (_title, { program, events, expected }) => {
    const driver = await openWorld(program);
    const came = await play(driver, events);
    expect(await told(driver, expected)).toEqual({ ...expected, ...(expected.came === undefined ? {} : { came: undefined }) });
    if (expected.came !== undefined) expect(came.slice(-expected.came.length)).toEqual(expected.came);
  });

  test.each(holes.filter((hole) => hole.isRefused === true).map((hole): [string, Hole] => [hole.title, hole]))(
    'does not load: %s',
    async (_title, { program }) => {
      await expect(openWorld(program)).rejects.toThrow(/load\//);
    },
  );
});
