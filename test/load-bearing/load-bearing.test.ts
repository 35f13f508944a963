/**
 * The lines that carry the rest, as far as they exist: one test each, never relaxed. `scripts/mutations.ts` breaks the code behind each
 * of them, and fails when its test does not notice.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import {
  ActorId,
  countOf,
  decide,
  defineOntology,
  eq,
  fn,
  gt,
  invariant,
  isCountersignError,
  keyed,
  load,
  not,
  open,
  program,
  row,
  rule,
  ruleset,
  type ReportRow,
} from '../../src/index.ts';
import { memory } from '../../src/ledger/ledger.ts';

const cents = z.int().nonnegative();
const shop = defineOntology({
  observation: {
    limit: keyed({}, { max: cents }),
    boss: keyed({ user: ActorId }, {}),
    seen: { sku: z.string() },
    shut: { why: z.string() },
  },
  candidate: { order: { sku: z.string(), qty: z.int() } },
  action: { pay: { in: { to: z.string(), amount: cents } } },
  fact: { quiet: { sku: z.string() }, busy: { sku: z.string() } },
});
const { sku, to, amount, max, by, id } = shop.vars;
const { observation, candidate, proposal, decision, fact, receipt, due } = shop;

const isBlocked = fn('isBlocked', '1', [z.string()], z.boolean(), (payee) => {
  if (payee === 'unreadable') throw new Error('cannot be read');
  return payee === 'blocked';
});
const rules = [
  decide('pays', proposal.pay({ to, amount }))
    .needs('a limit is set', observation.limit({ max }))
    .limits('over the limit', { sum: amount, per: {}, max })
    .rejects('blocked', eq(isBlocked(to), true))
    .asks('above 50', gt(amount, 50), { by: observation.boss({ user: by }) })
    .otherwiseApproves(),
  ruleset('shop', {
    shut: rule(decision.rejected.pay({ id, to, amount, reason: 'shut' })).when(proposal.pay({ id, to, amount }), observation.shut({})),
  }),
];
const app = program({
  name: 'shop',
  ontologies: [shop],
  rules,
  invariants: [invariant('two due to one payee').never(due.pay({ to }), gt(countOf(due.pay, { per: { to } }), 1))],
});

const pay = (payee: string, cost: number) => row(proposal.pay, { to: payee, amount: cost });
async function opened(...rows: readonly ReportRow[]) {
  const world = await open(app);
  const tells = (...more: readonly ReportRow[]) => world.observe({ session: 's', actor: 'clerk', reports: [{ rows: more }] });
  const proposes = (capture: string, ...more: readonly ReportRow[]) =>
    world.observe({ session: 's', actor: 'model', reports: [{ capture, rows: more }] });
  await tells(row(observation.limit, { max: 100 }), ...rows);
  return { world, tells, proposes };
}
describe('load-bearing', () => {
  test('2 the cut includes negation and aggregates', () => {
    // The types refuse both rules where they are written; the loader must not need them to.
    const codes = (...body: readonly unknown[]): readonly string[] => {
      const bypass = (rule(fact.quiet({ sku })) as unknown as { readonly when: (...body: readonly unknown[]) => never }).when(...body);
      try {
        load(program({ name: 'shop', ontologies: [shop], rules: [...rules, ruleset('bypass', { bypass })] }));
        return [];
      } catch (error) {
        return isCountersignError(error) ? error.issues.map(({ code }) => code) : [String(error)];
      }
    };
    expect(codes(observation.seen({ sku }), not(candidate.order({ sku })))).toContain('load/cut-bypassed');
    expect(codes(observation.seen({ sku }), gt(countOf(candidate.order, { per: { sku } }), 1))).toContain('load/cut-bypassed');
    expect(codes(observation.seen({ sku }))).toEqual([]);
  });

  test('7 what cannot be computed is a denial', async () => {
    const { world, proposes } = await opened();
    await proposes('c', pay('unreadable', 5));
    expect(world.model().statusOf('c.1')).toBe('rejected');
    expect(world.model().rows('decision.rejected.pay')).toMatchObject([{ reason: 'undecidable: pays.rejects1: cannot be read' }]);
  });

  test('8 a refusal leaves head and queue identical', async () => {
    const { world, proposes } = await opened();
    const before = {
      head: world.head,
      records: world.records(),
      queue: world.model().rows('admitted.pay'),
      rows: world.model().rows('proposal.pay'),
    };
    expect((await proposes('c', pay('x', 5), pay('x', 6))).status).toBe('refused');
    expect({
      head: world.head,
      records: world.records(),
      queue: world.model().rows('admitted.pay'),
      rows: world.model().rows('proposal.pay'),
    }).toEqual(before);
    expect((await proposes('d', pay('x', 7))).status).toBe('committed');
    expect(world.model().rows('admitted.pay')).toMatchObject([{ amount: 7 }]);
  });

  test('11 what the system owns is refused at ingress and at load', async () => {
    const { world, tells } = await opened();
    const forged = { relation: 'decision.approved.pay', columns: { to: 'x', amount: 5 } };
    await expect(tells(forged)).rejects.toThrow(/world\/report-refused/);
    expect(world.model().rows('decision.approved.pay')).toEqual([]);
    const writes = (rule as (head: unknown) => { when: (...body: unknown[]) => never })(
      receipt.pay({ to, amount, act: id, outcome: 'succeeded' }),
    );
    const forging = program({
      name: 'shop',
      ontologies: [shop],
      rules: [...rules, ruleset('r', { r: writes.when(decision.approved.pay({ id, to, amount })) })],
    });
    expect(() => load(forging)).toThrow(/load\/not-derivable/);
  });

  test('12 the digest that an answer is bound to covers the full canonical payload', async () => {
    const { world, tells, proposes } = await opened(row(observation.boss, { user: ActorId.parse('clerk') }));
    await proposes('c', pay('x', 60));
    const [card] = world.model().rows('decision.held.pay');
    const shown = sha256(canonicalJson(['above 50', 'amount', 60, 'id', 'c.1', 'to', 'x']));
    expect(card).toMatchObject({ shown });
    const answer = (digest: string) =>
      tells({ relation: 'confirmed.pay', columns: { id: 'c.1', reason: 'above 50', shown: digest, answer: 'yes' } });
    await answer(sha256(canonicalJson(['above 50', 'id', 'c.1'])));
    expect(world.model().statusOf('c.1')).toBe('held');
    await answer(shown);
    expect(world.model().statusOf('c.1')).toBe('approved');
  });

  test('12 a receipt counts for an act only with all its bindings', async () => {
    const { world, tells, proposes } = await opened();
    const [admitted] = ((await proposes('c', pay('x', 40))) as { admitted: readonly { key: string }[] }).admitted;
    await world.start('pay', admitted?.key ?? '');
    await tells({ relation: 'receipt.pay', columns: { to: 'x', amount: 39, act: 'c.1', outcome: 'failed' } });
    await proposes('d', pay('y', 50), pay('z', 20));
    // 40 and 50 are spent: a receipt of another amount gave nothing back.
    expect([world.model().statusOf('d.1'), world.model().statusOf('d.2')]).toEqual(['approved', 'rejected']);
  });

  test('13 a record is never rewritten', async () => {
    const ledger = memory();
    const world = await open(app, { ledger });
    await world.observe({ session: 's', actor: 'model', reports: [{ capture: 'c', rows: [pay('x', 5)] }] });
    const [entry] = await ledger.read(1);
    const [record] = entry?.records ?? [];
    expect(record).toMatchObject({ verdict: 'rejected' });
    expect(() => Object.assign(record ?? {}, { verdict: 'approved' })).toThrow(TypeError);
    const first = world.records().slice();
    await world.observe({ session: 's', actor: 'clerk', reports: [{ rows: [row(observation.limit, { max: 100 })] }] });
    expect(world.records().slice(0, first.length)).toEqual(first);
  });

  test('14 rejection beats asking beats approval', async () => {
    const { world, tells, proposes } = await opened();
    await proposes('a', pay('x', 60));
    expect(world.model().statusOf('a.1')).toBe('held');
    await tells(row(observation.shut, { why: 'night' }));
    expect(world.model().statusOf('a.1')).toBe('rejected');
    await proposes('b', pay('x', 5), pay('blocked', 60));
    expect([world.model().statusOf('b.1'), world.model().statusOf('b.2')]).toEqual(['rejected', 'rejected']);
  });
});
