/** Whatever is handed in, a world answers with an issue of ours or keeps a malformed capture, and nothing else of it shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { open, type Report } from '../../src/index.ts';
import * as claims from './hostile-claims.ts';
import { given, malformed, nextCapture, raw, trusted, type Columns } from './hostile-claims.ts';
import { noLists, noObjects, noValues, revoked, thrower } from './hostile.ts';
import { batch, issuesOf, lively, price, replied, reported, shopProgram, today, type World } from './shop.ts';

let world: World;
beforeAll(async () => {
  world = await lively();
});
const refused = (act: () => unknown, code: RegExp) => claims.refused(world, act, code);
const kept = (report: Report) => claims.kept(world, report);

describe('a value that stands in no column', () => {
  test.each(noValues())('refuses the trusted report that holds it: %s', async (_name, value) => {
    await refused(() => world.observe(reported(today(2), raw('observation.weight', { grams: value }))), trusted);
    await refused(() => world.observe(reported(today(2), raw('observation.said', { text: value }))), trusted);
  });

  test.each(noValues())('leaves a capture that holds it without rows: %s', async (_name, value) => {
    const rows = [price('o1', 1), raw('candidate.price', { order: 'o1', amount: value })];
    const [issue, ...more] = await kept({ capture: nextCapture(), rows });
    expect(issue).toContain('candidate.price.amount');
    expect(issue?.length).toBeLessThan(400);
    expect(more).toEqual([]);
  });

  test.each(noValues())('is no session, no actor and no capture: %s', async (name, value) => {
    await refused(() => world.observe(given({ session: value, actor: 'a', reports: [{ rows: [today(2)] }] })), malformed);
    await refused(() => world.observe(given({ session: 's', actor: value, reports: [{ rows: [today(2)] }] })), malformed);
    if (name === 'undefined') return;
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: [{ capture: value, rows: [today(2)] }] })), malformed);
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: [{ actor: value, rows: [today(2)] }] })), malformed);
  });

  test.each(noValues())('ends no key: %s', async (_name, value) => {
    const ends = [raw('observation.order', { order: value })];
    await refused(() => world.observe(batch({ rows: [today(2)], ends })), trusted);
  });

  test.each(noValues())('is no key of an act and no name of an intent: %s', async (_name, value) => {
    await refused(() => world.start('refund', value as never), /^world\/not-startable: /);
    await refused(() => world.start(value as never, 'key'), /^world\/not-startable: /);
  });

  test.each(noValues())('is no program to adopt: %s', async (_name, value) => {
    await refused(() => world.adopt(value), /^load\//);
  });

  test.each(noValues())('names no relation and no query of a model, and no row has it: %s', async (name, value) => {
    await refused(() => world.model().rows(value as never), /^world\/relation-unknown: /);
    await refused(() => world.model().count(value as never), /^world\/relation-unknown: /);
    await refused(() => world.model().ask(value as never, {}), /^world\/query-unknown: /);
    await refused(() => world.model().ask('pricesOf', { order: value as never }), /^world\/value-refused: query.pricesOf.order: /);
    await refused(
      () => world.model().rows('observation.order', { paid: value as never }),
      /^world\/value-refused: observation.order.paid: /,
    );
    expect(world.model().statusOf(value as never), name).toBeUndefined();
  });
});

describe('a thing that is no batch', () => {
  test.each(noObjects())('is refused: %s', async (_name, value) => {
    await refused(() => world.observe(given(value)), malformed);
  });

  test.each(noObjects())('is no report, no row and no columns of a row either: %s', async (_name, value) => {
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: [{ rows: [today(2)] }, value] })), malformed);
    await refused(() => world.observe(reported(today(2), value as never)), malformed);
    await refused(() => world.observe(reported(today(2), raw('observation.order', value))), trusted);
    expect(await kept({ capture: nextCapture(), rows: [price('o1', 1), value as never] })).not.toEqual([]);
    expect(await kept({ capture: nextCapture(), rows: [price('o1', 1), raw('candidate.price', value)] })).not.toEqual([]);
  });

  test.each(noObjects())('binds no query, narrows no question and says nothing of an adoption: %s', async (name, value) => {
    await refused(() => world.model().ask('pricesOf', value as never), /^world\/bindings-differ: /);
    // Without bindings at all every row is asked for, which an empty object says too.
    const isEmpty = [
      'undefined',
      'an empty object',
      'an object without a prototype',
      'a date',
      'a boxed number',
      'a promise',
      'a map',
      'an instance of a class',
      'an error',
    ];
    if (!isEmpty.includes(name))
      await refused(() => world.model().rows('observation.order', value as never), /^world\/(column-unknown|bindings-differ): /);
    if (name === 'undefined') return;
    await refused(() => world.adopt(shopProgram, { admitOld: value as never }), /^world\/options-malformed: /);
    if (!isEmpty.includes(name)) await refused(() => world.adopt(shopProgram, value as never), /^world\/options-malformed: /);
  });

  test.each(noLists())('is no list of reports and no list of rows: %s', async (_name, value) => {
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: value })), malformed);
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: [{ rows: value }] })), malformed);
    await refused(() => world.observe(given({ session: 's', actor: 'a', reports: [{ rows: [today(2)], ends: value }] })), malformed);
    expect(await kept({ capture: nextCapture(), rows: value as never })).not.toEqual([]);
    expect(await kept({ capture: nextCapture(), rows: [], malformed: value as never })).not.toEqual([]);
  });

  test('is refused for a field that a batch, a report or a row does not have', async () => {
    await refused(() => world.observe(given({ ...reported(today(2)), head: 1 })), /a batch: there is no field "head"/);
    await refused(() => world.observe(given(batch({ rows: [], trusted: true } as never))), /report 0: there is no field "trusted"/);
    await refused(() => world.observe(given(batch({ rows: [{ ...today(2), id: 'x' } as never] }))), /row 0: there is no field "id"/);
  });

  test('is refused for a fault that the caller says a trusted report has', async () => {
    await refused(() => world.observe(batch({ rows: [today(2)], malformed: ['unreadable'] })), /unreadable/);
    expect(await kept({ capture: nextCapture(), rows: [], malformed: ['unreadable'] })).toEqual(['unreadable']);
    for (const fault of [thrower(), revoked(), Symbol('s'), Object.create(null)]) {
      expect(await kept({ capture: nextCapture(), rows: [], malformed: [fault as never] })).toHaveLength(1);
    }
  });
});

describe('options that make no sense', () => {
  const options: [string, unknown][] = [
    ['null', null],
    ['a text', 'adopt'],
    ['a tenant that is no text', { tenant: 1 }],
    ['an empty tenant', { tenant: '' }],
    ['a tenant with a lone surrogate', { tenant: '\ud800' }],
    ['a bound of NaN', { openRowsMax: NaN }],
    ['a negative bound', { openRowsMax: -1 }],
    ['a bound that is a text', { openRowsMax: '256' }],
    ['limits without a bound', { limits: {} }],
    ['a limit of NaN', { limits: { derivedRowsMax: NaN } }],
    ['a listener that is none', { fired: 'rule' }],
    ['a ledger that cannot be read', { ledger: {} }],
    ['earlier programs that are no list', { earlier: shopProgram }],
    ['an adoption that is a text', { adopt: 'yes' }],
    ['an option that does not exist', { openRowMax: 3 }],
    ['a proxy that throws', thrower()],
  ];
  test.each(options)('do not open a world: %s', async (_name, value) => {
    expect(await issuesOf(() => open(shopProgram, value as never))).toEqual([expect.stringMatching(/^world\/options-malformed: /)]);
  });

  test('an intent that the program does not have is none whose old acts may be admitted', async () => {
    await refused(() => world.adopt(shopProgram, { admitOld: ['refunds'] }), /world\/options-malformed: .*refunds.*did you mean refund\?/);
  });
});

describe('a name that the program does not have', () => {
  const rows: [string, string, Columns, string][] = [
    ['relation', 'observation.ordr', { order: 'o1' }, 'observation.ordr'],
    ['relation of evidence', 'candidate.prize', { order: 'o1' }, 'candidate.prize'],
    ['namespace', 'order', { order: 'o1' }, 'order'],
    ['column', 'observation.weight', { gram: 1 }, 'did you mean grams?'],
    ['missing column', 'observation.order', { order: 'o1', paid: 1 }, 'observation.order.state is missing'],
    ['column too many', 'observation.today', { day: 1, hour: 2 }, 'observation.today has no column hour'],
    ['member', 'observation.order', { order: 'o1', paid: 1, state: 'lost' }, 'observation.order.state'],
    ['range', 'observation.order', { order: 'o1', paid: -1, state: 'placed' }, 'observation.order.paid'],
    ['fraction', 'observation.today', { day: 1.5 }, 'observation.today.day: 1.5 is no safe integer'],
    ['number as a text', 'observation.today', { day: '1' }, 'observation.today.day: "1" is no number'],
    ['text as a number', 'observation.said', { text: 1 }, 'observation.said.text: 1 is no string'],
    ['boolean as a number', 'observation.mine', { open: 1 }, 'observation.mine.open: 1 is no boolean'],
  ];
  test.each(rows)('refuses a trusted report: a %s', async (_kind, relation, columns, what) => {
    const issues = await refused(() => world.observe(reported(today(2), raw(relation, columns))), /^world\/report-refused: /);
    expect(issues.join('\n')).toContain(what);
  });

  test('is told with the nearest one', async () => {
    const nearest: [() => unknown, string][] = [
      [() => world.observe(reported(raw('observation.ordr', {}))), 'did you mean observation.order?'],
      [() => world.model().rows('observation.ordr'), 'did you mean observation.order?'],
      [() => world.model().rows('observation.order', { paids: 1 }), 'did you mean paid?'],
      [() => world.model().ask('priceOf', { order: 'o1' }), 'did you mean pricesOf?'],
      [() => world.start('refnd', 'key'), 'did you mean refund?'],
    ];
    for (const [act, what] of nearest) expect((await refused(act, /^world\//)).join('\n')).toContain(what);
    expect((await kept({ capture: nextCapture(), rows: [raw('candidate.prise', { order: 'o', amount: 1 })] })).join('\n')).toContain(
      'did you mean candidate.price?',
    );
    expect((await kept({ capture: nextCapture(), rows: [raw('candidate.price', { order: 'o', amont: 1 })] })).join('\n')).toContain(
      'did you mean amount?',
    );
  });

  const exotic = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'a\ud800', '', 'x'.repeat(10_000_000)];
  test.each(exotic.map((name): [string, string] => [JSON.stringify(name.slice(0, 20)), name]))(
    'R62 is refused or kept, and no more, where it is a relation, a column or an intent: %s',
    async (_shown, name) => {
      for (const relation of [name, `observation.${name}`, `candidate.${name}`, `fact.${name}`]) {
        await refused(() => world.observe(reported(today(2), raw(relation, {}))), trusted);
        expect(await kept({ capture: nextCapture(), rows: [raw(relation, {})] })).not.toEqual([]);
        await refused(() => world.model().rows(relation), /^world\/relation-unknown: /);
      }
      const columns = (rest: Columns) => Object.defineProperty({ ...rest }, name, { value: 1, enumerable: true });
      await refused(() => world.observe(reported(raw('observation.today', columns({ day: 2 })))), trusted);
      expect(await kept({ capture: nextCapture(), rows: [raw('candidate.price', columns({ order: 'o1', amount: 1 }))] })).not.toEqual([]);
      await refused(() => world.model().rows('observation.today', columns({}) as never), /^world\/column-unknown: /);
      await refused(() => world.model().ask('pricesOf', columns({ order: 'o1' }) as never), /^world\/bindings-differ: /);
      await refused(() => world.start(name, 'key'), /^world\/not-startable: /);
    },
  );

  test('says what is wrong with a name of 10 MB in a few words', async () => {
    const long = 'x'.repeat(10_000_000);
    const issues = [
      ...(await refused(() => world.observe(reported(raw(long, {}))), trusted)),
      ...(await refused(() => world.model().rows(long), /./)),
      ...(await refused(() => world.start(long, long), /./)),
      ...(await kept({ capture: nextCapture(), rows: [raw(long, { [long]: 1 })] })),
    ];
    for (const one of issues) expect(one.length).toBeLessThan(500);
  });
});

describe('relations that the loader writes for itself', () => {
  test.each([
    'open.refund',
    'verdict.rejected.refund',
    'answer.refund',
    'exposure.refund',
    'standing.refund',
    'proposalView.refunds.needs1',
  ])('are in no answer: %s', async (relation) => {
    expect(world.plan.relations.has(relation)).toBe(true);
    await refused(async () => world.model().rows(relation), /^world\/relation-unknown: /);
    await refused(async () => world.model().whyNot(relation), /^world\/relation-unknown: /);
  });
});

describe('rows that only the runtime writes', () => {
  const names = () => [...world.plan.relations.values()].filter(({ life }) => life !== 'report').map(({ name }) => name);

  test('R41 are refused in a trusted report and kept without rows in a capture, whichever they are', async () => {
    expect(names().length).toBeGreaterThan(70);
    for (const relation of names()) {
      const columns = Object.fromEntries((world.plan.relations.get(relation)?.columns ?? []).map(({ name }) => [name, 'x']));
      const issues = await refused(() => world.observe(reported(today(2), raw(relation, columns))), /^world\/report-refused: /);
      expect(issues[0]).toContain(relation);
    }
    const rows = names().map((relation) => raw(relation, {}));
    expect(await kept({ capture: nextCapture(), rows })).toHaveLength(names().length);
  }, 60_000);

  test('are evidence that a trusted report does not bring, and trusted rows that a capture does not', async () => {
    await refused(() => world.observe(reported(today(2), price('o1', 1))), /candidate\.price is evidence: give its report a capture/);
    expect(await kept({ capture: nextCapture(), rows: [price('o1', 1), today(2)] })).toEqual([
      expect.stringContaining('observation.today is no evidence'),
    ]);
    const report = { ...replied(nextCapture(), price('o1', 1)).reports[0]!, ends: [raw('observation.order', { order: 'o1' })] };
    expect(await kept(report)).toEqual(['a capture cannot end a row of observation.order']);
  });

  test.each(['id', 'session', 'actor', 'capture', 'ordinal', 'seq'])('have stamps that no caller gives: %s', async (stamp) => {
    await refused(
      () => world.observe(reported(raw('observation.today', { day: 2, [stamp]: 'x' }))),
      new RegExp(`no column ${stamp} to report`),
    );
    await refused(
      () => world.observe(reported(raw('observation.mine', { open: true, [stamp]: 'x' }))),
      new RegExp(`no column ${stamp} to report`),
    );
    const [issue] = await kept({ capture: nextCapture(), rows: [raw('candidate.price', { order: 'o1', amount: 1, [stamp]: 'x' })] });
    expect(issue).toContain(`no column ${stamp} to report`);
  });

  test('have an answerer that no caller gives', async () => {
    const answer = { id: 'c2.2', reason: 'above 50', shown: 'x', answer: 'yes', by: 'boss' };
    await refused(() => world.observe(reported(raw('confirmed.refund', answer))), /no column by to report/);
  });

  test('are replaced once in a report: two rows of one key refuse it', async () => {
    await refused(() => world.observe(reported(today(2), today(3))), /two rows of one key of observation.today/);
    await refused(() => world.observe(batch({ rows: [today(3)], ends: [raw('observation.today', {})] })), /two rows of one key/);
  });
});

test('the shop of these tests is as lively as it has to be', () => {
  for (const relation of [
    'due.refund',
    'started.refund',
    'decision.held.refund',
    'decision.approved.refund',
    'fact.priced',
    'proposal.note',
  ]) {
    expect(world.model().count(relation), relation).toBeGreaterThan(0);
  }
});
