/** Requirements about deciding, budgets, identity and invariants, shown on a running world. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  countOf,
  decide,
  defineOntology,
  eq,
  gt,
  gte,
  invariant,
  keyed,
  lt,
  minOf,
  not,
  open,
  program,
  row,
  rule,
  ruleset,
  SessionId,
  sumOf,
  type ReportRow,
} from '../../src/index.ts';
import {
  batch,
  issuesOf,
  lively,
  limitOf,
  note,
  orderOf,
  price,
  refund,
  replied,
  reported,
  shop,
  shopProgram,
  shown,
  sorted,
  today,
  told,
  type World,
} from './shop.ts';

const funded = async (most: number): Promise<World> => {
  const world = await open(shopProgram);
  await world.observe(reported(orderOf('o1'), orderOf('o2'), today(1), limitOf(most)));
  return world;
};

describe('evidence', () => {
  test('A03 A08 stands under candidate with the capture that it came by, whoever read it: model, sensor and webhook meet one cut', async () => {
    const world = await funded(100);
    for (const actor of ['model', 'camera', 'webhook']) {
      await world.observe({ session: 's', actor, reports: [{ capture: actor, rows: [price('o1', 7), price('unknown', 7)] }] });
      expect(
        world
          .model()
          .rows('candidate.price', { capture: actor })
          .map((one) => [one['actor'], one['ordinal']])
          .sort(),
      ).toEqual([
        [actor, 1],
        [actor, 2],
      ]);
      expect(world.model().rows('decision.accepted.price', { capture: actor })).toMatchObject([{ id: `${actor}.1`, order: 'o1' }]);
      expect(world.model().statusOf(`${actor}.2`)).toBe('pending');
    }
    expect(world.model().rows('fact.priced')).toEqual([{ order: 'o1', amount: 7 }]);
    expect(await issuesOf(() => world.observe(reported(price('o1', 8))))).toEqual([
      expect.stringContaining('candidate.price is evidence: give its report a capture'),
    ]);
  });

  test('A43 of two agents in one batch gives one model, whichever came first', async () => {
    const one = { capture: 'one', actor: 'first', rows: [refund('o1', 10), price('o1', 3)] };
    const two = { capture: 'two', actor: 'second', rows: [refund('o2', 20), price('o2', 4)] };
    const [left, right] = [await funded(100), await funded(100)];
    await left.observe(batch(one, two));
    await right.observe(batch(two, one));
    for (const relation of ['fact.priced', 'intent.refund', 'due.refund']) {
      expect(left.model().count(relation), relation).toBe(2);
      expect(sorted(left.model().rows(relation)), relation).toEqual(sorted(right.model().rows(relation)));
    }
    expect(told(left).sort()).toEqual(told(right).sort());
  });
});

describe('a rejection', () => {
  test('R13 beats approval, whichever rule is written first, and a standing approval of the like before it', async () => {
    const { proposal, decision, observation } = shop;
    const { id, text } = shop.vars;
    const yes = rule(decision.approved.note({ id, text })).when(proposal.note({ id, text }));
    const no = rule(decision.rejected.note({ id, text, reason: 'not now' })).when(proposal.note({ id, text }), observation.said({ text }));
    for (const rules of [
      { yes, no },
      { no, yes },
    ]) {
      const world = await open(program({ name: 'notes', ontologies: [shop], rules: [ruleset('notes', rules)] }));
      await world.observe(replied('a', note('x')));
      await world.observe(reported(row(observation.said, { text: 'x' })));
      await world.observe(replied('b', note('x'), note('y')));
      expect(told(world)).toEqual(['approved note a.1', 'rejected note b.1 not now', 'approved note b.2']);
    }
  });

  test('B39 has a reason in the words of the program, and the plan lists every such reason', async () => {
    const world = await funded(100);
    const reasons = world.plan.rules.flatMap(({ head }) => {
      const reason = head.relation.startsWith('verdict.rejected.') ? head.columns['reason'] : undefined;
      return reason !== undefined && 'const' in reason ? [reason.const] : [];
    });
    expect([...new Set(reasons)].sort()).toEqual(['a limit is set', 'daily budget', 'declined: above 50', 'the order is known']);
    await world.observe(replied('c', refund('o3', 1), refund('o1', 45), refund('o1', 45), refund('o1', 45)));
    const recorded = world
      .model()
      .rows('decision.rejected.refund')
      .map(({ reason }) => reason);
    expect(recorded.sort()).toEqual(['daily budget', 'the order is known']);
  });

  test('R19 is not avoided by an answer that is no answer: only yes and no are', async () => {
    const world = await lively();
    const [card] = world.model().rows('decision.held.refund');
    expect(card).toMatchObject({ id: 'c2.2', reason: 'above 50' });
    const answered = (answer: string, actor = 'boss') => {
      const columns = { id: 'c2.2', reason: 'above 50', shown: String(card?.['shown']), answer };
      return world.observe({ session: 's', actor, reports: [{ rows: [{ relation: 'confirmed.refund', columns }] }] });
    };
    for (const answer of ['Yes', 'true', 'approve', 'always', '']) {
      const before = shown(world);
      expect(await issuesOf(() => answered(answer))).toEqual([
        expect.stringMatching(/^world\/report-refused: confirmed\.refund\.answer: /),
      ]);
      expect(shown(world)).toEqual(before);
    }
    await answered('yes', 'somebody');
    expect(world.model().statusOf('c2.2')).toBe('held');
    await answered('yes');
    expect(world.model().statusOf('c2.2')).toBe('approved');
  });
});

describe('a budget', () => {
  test('B37 is a rule of the program and no option of anything', async () => {
    for (const option of ['budget', 'budgets', 'limit', 'maxCost']) {
      expect(await issuesOf(() => open(shopProgram, { [option]: 1 }))).toEqual([
        expect.stringMatching(/^world\/options-malformed: there is no option/),
      ]);
    }
    const rules = (await funded(1)).plan.rules.filter(({ id }) => id.startsWith('refunds.limits'));
    expect(rules.map(({ head }) => head.relation)).toEqual(['verdict.rejected.refund']);
  });

  test('R67 holds for proposals that come at once: the first that fit are approved, the others are denied with the reason', async () => {
    const four = [40, 40, 30, 20].map((amount) => refund('o1', amount));
    const expected = ['approved refund c.1', 'approved refund c.2', 'rejected refund c.3 daily budget', 'approved refund c.4'];
    const together = await funded(100);
    await together.observe(replied('c', ...four));
    expect(told(together).filter((line) => !line.startsWith('admitted'))).toEqual(expected);
    const apart = await funded(100);
    const captures = four.map((one, i) => replied(`c${i + 1}`, one));
    await Promise.all(captures.map((one) => apart.observe(one)));
    expect(told(apart).filter((line) => !line.startsWith('admitted'))).toEqual(expected.map((line) => line.replace(/c\.(\d)/, 'c$1.1')));
    const sum = apart
      .model()
      .rows('due.refund')
      .reduce((total, one) => total + Number(one['amount']), 0);
    expect(sum).toBe(100);
  });

  test('R53 of nothing is nothing: at 0 of 0 the first is denied, and what costs nothing is not', async () => {
    const world = await funded(0);
    await world.observe(replied('c', refund('o1', 1), refund('o1', 0)));
    expect(told(world)).toEqual(['rejected refund c.1 daily budget', 'approved refund c.2', 'admitted refund c.2']);
  });

  const triage = defineOntology({
    observation: { here: keyed({ session: SessionId }, {}), gone: { n: z.int() }, stock: keyed({ item: z.string() }, { n: z.int() }) },
    query: { find: { in: { k: z.string() }, out: { found: z.string() } } },
    approvedView: { queries: { session: SessionId, n: z.int() } },
    fact: { items: { n: z.int() }, total: { n: z.int() }, least: { n: z.int() } },
  });
  const { observation, proposal, decision, approvedView, fact } = triage;
  const { id, session, k, n } = triage.vars;
  const counted = rule(approvedView.queries({ session, n })).when(
    observation.here({ session }),
    countOf(decision.approved.queryExecute, { per: { session } }).as(n),
  );
  const run = rule(decision.approved.queryExecute({ id, session, query: 'find' })).when(proposal.queryRequested.find({ id, session, k }));
  const exhausted = rule(decision.rejected.queryExecute({ id, session, query: 'find', reason: 'budget_exhausted' })).when(
    proposal.queryRequested.find({ id, session, k }),
    approvedView.queries({ session, n }),
    gte(n, 2),
  );
  const ask = (count: number): ReportRow[] => Array.from({ length: count }, (_, i) => row(proposal.queryRequested.find, { k: `k${i}` }));

  test('B38 B40 over a count of decisions has a constant for a reason, and lets the first ones through since the count sees zero', async () => {
    const world = await open(program({ name: 'triage', ontologies: [triage], rules: [ruleset('triage', { counted, run, exhausted })] }));
    await world.observe(reported(row(observation.here, {})));
    expect(world.model().rows('approvedView.queries')).toEqual([{ session: 's', n: 0 }]);
    await world.observe(replied('c', ...ask(3)));
    expect(told(world).filter((line) => !line.startsWith('admitted'))).toEqual([
      'approved queryRequested.find c.1',
      'approved queryRequested.find c.2',
      'rejected queryRequested.find c.3 budget_exhausted',
    ]);
    expect(world.model().rows('approvedView.queries')).toEqual([{ session: 's', n: 2 }]);
    await world.observe({ session: 'other', actor: 'a', reports: [{ rows: [row(observation.here, {})] }, { capture: 'd', rows: ask(1) }] });
    expect(world.model().statusOf('d.1')).toBe('approved');
  });

  test('B40 R53 rests on counts that follow their rows up and down, and on sums that are 0 over nothing', async () => {
    const rules = ruleset('stock', {
      items: rule(fact.items({ n })).when(countOf(observation.stock).as(n)),
      total: rule(fact.total({ n })).when(sumOf(observation.stock, { of: 'n' }).as(n)),
      least: rule(fact.least({ n })).when(minOf(observation.stock, { of: 'n' }).as(n)),
    });
    const world = await open(program({ name: 'stock', ontologies: [triage], rules: [rules] }));
    const now = () =>
      ['items', 'total', 'least'].map((name) =>
        world
          .model()
          .rows(`fact.${name}`)
          .map((one) => one['n']),
      );
    const stock = (item: string, count: number) => row(observation.stock, { item, n: count });
    expect(now()).toEqual([[0], [0], []]);
    await world.observe(reported(stock('a', 3), stock('b', 4)));
    expect(now()).toEqual([[2], [7], [3]]);
    await world.observe(reported(stock('a', 5)));
    expect(now()).toEqual([[2], [9], [4]]);
    await world.observe(batch({ rows: [], ends: [{ relation: 'observation.stock', columns: { item: 'b' } }] }));
    expect(now()).toEqual([[1], [5], [5]]);
    await world.observe(batch({ rows: [], ends: [{ relation: 'observation.stock', columns: { item: 'a' } }] }));
    expect(now()).toEqual([[0], [0], []]);
  });
});

describe('the identity of an act', () => {
  const payroll = defineOntology({
    observation: { hired: keyed({ who: z.string() }, {}) },
    action: { pay: { in: { who: z.string(), month: z.int(), amount: z.int().nonnegative() }, identity: ['who', 'month'] } },
  });
  const { who, month, amount } = payroll.vars;
  const pays = decide('pays', payroll.proposal.pay({ who, month, amount }))
    .needs('is hired', payroll.observation.hired({ who }))
    .otherwiseApproves();
  const pay = (to: string, of: number, cents: number) => row(payroll.proposal.pay, { who: to, month: of, amount: cents });

  test('B34 is made of its declared columns: derived again it is not admitted again, and with other bindings it is a conflict', async () => {
    const world = await open(program({ name: 'payroll', ontologies: [payroll], rules: [pays] }));
    await world.observe(reported(row(payroll.observation.hired, { who: 'ann' })));
    const first = await world.observe(replied('a', pay('ann', 1, 100)));
    const key = first.status === 'committed' ? (first.admitted[0]?.key ?? '') : '';
    const acts = () => told(world).filter((line) => !line.startsWith('approved'));
    const named = (kind: string) => acts().filter((line) => line.startsWith(kind)).length;
    expect([named('admitted'), named('conflict')]).toEqual([1, 0]);
    await world.observe(reported(row(payroll.observation.hired, { who: 'bob' })));
    expect([named('admitted'), named('conflict')]).toEqual([1, 0]);
    await world.observe(replied('b', pay('ann', 1, 100)));
    await world.observe(replied('c', pay('ann', 1, 101)));
    expect([named('admitted'), named('conflict')]).toEqual([1, 1]);
    await world.start('pay', key);
    await world.observe(replied('d', pay('ann', 1, 100)));
    expect(await issuesOf(() => world.start('pay', key))).toEqual([expect.stringMatching(/^world\/not-startable: /)]);
    await world.observe(replied('e', pay('ann', 2, 100)));
    expect([named('admitted'), named('started')]).toEqual([2, 1]);
  });

  test('B34 that is new twice in one batch with different bindings admits neither', async () => {
    const world = await open(program({ name: 'payroll', ontologies: [payroll], rules: [pays] }));
    await world.observe(reported(row(payroll.observation.hired, { who: 'ann' })));
    await world.observe(replied('a', pay('ann', 1, 100), pay('ann', 1, 200)));
    expect(
      told(world)
        .filter((line) => !line.startsWith('approved'))
        .map((line) => line.split(' ')[0]),
    ).toEqual(['conflict']);
    expect(world.model().count('due.pay')).toBe(0);
  });
});

describe('an invariant', () => {
  const offers = defineOntology({
    observation: {
      floor: keyed({ item: z.string() }, { least: z.int() }),
      offer: keyed({ item: z.string() }, { asked: z.int() }),
      opened: { item: z.string() },
      closed: { item: z.string() },
    },
    fact: { settled: { item: z.string() } },
  });
  const { observation, fact } = offers;
  const { item, least, asked } = offers.vars;
  const settled = rule(fact.settled({ item })).when(observation.opened({ item }), observation.closed({ item }));
  const count = countOf(observation.opened);
  const worldOf = (...invariants: ReturnType<ReturnType<typeof invariant>['never']>[]) =>
    open(program({ name: 'offers', ontologies: [offers], rules: [ruleset('books', { settled })], invariants }));
  const floor = (cents: number) => row(observation.floor, { item: 'tea', least: cents });
  const offer = (cents: number) => row(observation.offer, { item: 'tea', asked: cents });

  test('A20 compares numbers of two relations: at the floor passes, one below is refused, and so is a floor that rises above', async () => {
    const world = await worldOf(
      invariant('no offer below the floor').never(observation.floor({ item, least }), observation.offer({ item, asked }), lt(asked, least)),
    );
    expect((await world.observe(reported(floor(100), offer(100)))).status).toBe('committed');
    const before = shown(world);
    const below = await world.observe(reported(offer(99)));
    expect(below).toMatchObject({
      status: 'refused',
      refusal: { invariant: 'no offer below the floor', witness: { item: 'tea', least: 100, asked: 99 } },
    });
    expect((await world.observe(reported(floor(101)))).status).toBe('refused');
    expect(shown(world).rows).toEqual(before.rows);
    expect((await world.observe(reported(floor(101), offer(101)))).status).toBe('committed');
  });

  test('A21 is judged on the completed model: what is mended within the batch passes, what only the whole batch breaks is refused', async () => {
    const unsettled = invariant('what opens settles').never(observation.opened({ item }), not(fact.settled({ item })));
    const alone = invariant('one opens at a time').never(observation.closed({}), gt(count, 1));
    const open = (name: string) => row(observation.opened, { item: name });
    const close = (name: string) => row(observation.closed, { item: name });
    const first = await worldOf(unsettled);
    expect((await first.observe(batch({ rows: [open('tea')] }, { rows: [close('tea')] }))).status).toBe('committed');
    expect((await first.observe(reported(open('milk')))).status).toBe('refused');
    const second = await worldOf(alone);
    expect((await second.observe(reported(open('tea'), close('tea')))).status).toBe('committed');
    expect(await second.observe(batch({ rows: [open('milk')] }))).toMatchObject({
      status: 'refused',
      refusal: { invariant: 'one opens at a time' },
    });
  });

  test('A22 that refuses is named with its witness, and head, acts and model are as before', async () => {
    const world = await lively();
    const before = shown(world);
    await world.observe(reported(limitOf(19)));
    expect(world.model().statusOf('c2.1')).toBe('revoked');
    expect(before.head).toBe(4);
    const strict = await worldOf(invariant('tea is closed').never(observation.opened({ item }), eq(item, 'tea')));
    const head = strict.head;
    const refusal = { invariant: 'tea is closed', witness: { item: 'tea' }, detail: '' };
    expect(await strict.observe(reported(row(observation.opened, { item: 'tea' }), row(observation.opened, { item: 'milk' })))).toEqual({
      status: 'refused',
      head,
      position: head + 1,
      refusal,
      why: strict.model().whyRefused(head + 1),
    });
    expect(strict.model().count('observation.opened')).toBe(0);
  });
});
