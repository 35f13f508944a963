/** Captures are taken once and alone; what is read is read once and copied, and of what is refused nothing stays. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.ts';
import * as claims from './hostile-claims.ts';
import { malformed, nextCapture, raw, trusted } from './hostile-claims.ts';
import { batch, lively, note, price, refund, replied, reported, shown, today, type World } from './shop.ts';

let world: World;
beforeAll(async () => {
  world = await lively();
});
const refused = (act: () => unknown, code: RegExp) => claims.refused(world, act, code);
const kept = (report: Report) => claims.kept(world, report);

describe('a capture', () => {
  test('R26 is taken once, however often and wherever it comes', async () => {
    const own = await lively();
    const capture = { capture: 'twice', rows: [note('a')] };
    const outcome = await own.observe(batch(capture, { capture: 'twice', rows: [note('b'), note('c')] }));
    expect(outcome.status).toBe('committed');
    expect(
      own
        .model()
        .rows('proposal.note', { capture: 'twice' })
        .map((one) => one['text']),
    ).toEqual(['a']);
    const before = shown(own);
    const again = await own.observe(batch({ capture: 'twice', rows: [note('d')] }));
    expect(again).toMatchObject({ status: 'answered', captures: [{ capture: 'twice', position: outcome.position }] });
    expect(shown(own)).toEqual(before);
    await own.observe(batch({ capture: 'twice', rows: [note('e')] }, { rows: [today(2)] }));
    expect(own.model().count('proposal.note')).toBe(2);
    expect(own.model().rows('observation.today')).toMatchObject([{ day: 2 }]);
  });

  test('is answered with its refusal where it was malformed', async () => {
    const capture = nextCapture();
    await kept({ capture, rows: [today(2)] });
    const again = await world.observe(replied(capture, price('o1', 1)));
    expect(again).toMatchObject({ status: 'answered', captures: [{ capture, refused: { class: 'malformed' } }] });
  });

  test('does not pass for a report: its name may not begin as the runtime names those', async () => {
    expect(await kept({ capture: 'report:1.0', rows: [price('o1', 1)] })).toEqual(['the name of a capture may not begin with report:']);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a.1', '\u{1f600}', ' '])(
    'R62 may be called anything else: %s',
    async (name) => {
      const own = await lively();
      await own.observe({ session: name, actor: name, reports: [{ capture: name, rows: [refund(name, 1), note(name)] }] });
      expect(own.model().rows('proposal.note', { session: name, actor: name, capture: name, text: name })).toHaveLength(1);
      expect(own.model().statusOf(`${name}.1`)).toBe('rejected');
      expect(own.model().rows('decision.rejected.refund', { order: name })).toMatchObject([{ reason: 'the order is known' }]);
      expect((await own.observe({ session: name, actor: name, reports: [{ capture: name, rows: [] }] })).status).toBe('answered');
    },
  );

  test('is refused alone: the captures beside it and the clock go on', async () => {
    const own = await lively();
    const bad = { capture: 'bad', rows: [raw('candidate.price', { order: 'o1', amount: NaN })] };
    const outcome = await own.observe(batch({ capture: 'good', rows: [price('o1', 9)] }, bad, { rows: [today(9)] }));
    expect(outcome.status).toBe('committed');
    expect(own.model().statusOf('good.1')).toBe('accepted');
    expect(own.model().rows('observation.today')).toMatchObject([{ day: 9 }]);
  });
});

describe('what is read', () => {
  test('is read once, before anything else happens: a caller who changes it afterwards changes nothing', async () => {
    const own = await lively();
    const columns = { text: 'first' };
    const reports = [{ capture: 'mine', rows: [{ relation: 'proposal.note', columns }] }];
    const pending = own.observe({ session: 's', actor: 'a', reports });
    columns.text = 'second';
    reports.length = 0;
    await pending;
    expect(own.model().rows('proposal.note', { capture: 'mine' })).toMatchObject([{ text: 'first' }]);
  });

  test('may be frozen, without a prototype, an instance or behind a proxy, as long as it is plain data when it is read', async () => {
    const own = await lively();
    const bare = (value: object): never => Object.assign(Object.create(null), value) as never;
    class Told {
      relation = 'proposal.note';
      columns = new Proxy({ text: 'told' }, {});
    }
    const rows = [Object.freeze(note('frozen')), bare({ relation: 'proposal.note', columns: bare({ text: 'bare' }) }), new Told()];
    await own.observe(bare({ session: 's', actor: 'a', reports: Object.freeze([bare({ capture: 'odd', rows })]) }));
    expect(
      own
        .model()
        .rows('proposal.note', { capture: 'odd' })
        .map((one) => one['text'])
        .sort(),
    ).toEqual(['bare', 'frozen', 'told']);
  });

  test('is asked for each value once: a value that changes when it is read again gains nothing', async () => {
    let reads = 0;
    const turns = {
      get text() {
        return (reads += 1) === 1 ? 'once' : NaN;
      },
    };
    const own = await lively();
    await own.observe(replied('turns', raw('proposal.note', turns)));
    expect(own.model().rows('proposal.note', { capture: 'turns' })).toMatchObject([{ text: 'once' }]);
    expect(reads).toBe(1);
  });

  test('stays as it was for who asks: rows and records that a caller writes to are copies or frozen', async () => {
    const before = shown(world);
    for (const one of world.model().rows('observation.order')) (one as Record<string, unknown>)['paid'] = 0;
    for (const record of world.records()) expect(() => Object.assign(record, { id: 'forged' })).toThrow(TypeError);
    (world.records() as unknown[]).length = 0;
    expect(shown(world)).toEqual(before);
  });

  test('of a refused batch nothing is kept, also of its reports without fault', async () => {
    await refused(
      () =>
        world.observe(
          batch({ rows: [today(5)] }, { capture: 'beside', rows: [price('o1', 1)] }, { rows: [raw('observation.today', { day: 'x' })] }),
        ),
      trusted,
    );
    const own = await world.observe(batch({ capture: 'beside', rows: [note('again')] }));
    expect(own.status).toBe('committed');
  });

  test('is answered in bounded time, also a batch of faults alone', async () => {
    const columns = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, 1]));
    const started = performance.now();
    await refused(() => world.observe(reported(raw('observation.today', columns))), trusted);
    await refused(() => world.observe(batch(...Array.from({ length: 10_000 }, () => ({ rows: [today(1)] })))), malformed);
    await refused(() => world.observe(reported(...Array.from({ length: 50_000 }, () => raw('observation.ordr', { order: NaN })))), trusted);
    await kept({ capture: nextCapture(), rows: Array.from({ length: 50_000 }, () => raw('candidate.prise', { order: 'o', amount: 1 })) });
    expect(performance.now() - started).toBeLessThan(10_000);
  }, 30_000);
});
