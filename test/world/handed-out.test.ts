import { expect, test } from 'vitest';
import * as z from 'zod';
import { decide, defineOntology, ended, keyed, memory, open, program, row, rule, ruleset, type World } from '../../src/index.ts';

const bank = defineOntology({
  observation: { limit: keyed({ user: z.string() }, { max: z.int().nonnegative() }) },
  action: { pay: { in: { user: z.string(), amount: z.int().nonnegative() } } },
  fact: { spender: { user: z.string() } },
  query: { spenders: { in: {}, out: { user: z.string() } } },
});
const { user, amount, max } = bank.vars;
const paying = program({
  name: 'bank',
  ontologies: [bank],
  rules: [
    decide('pays', bank.proposal.pay({ user, amount }))
      .needs('has no limit', bank.observation.limit({ user, max }))
      .limits('over', { sum: amount, per: { user }, max })
      .otherwiseApproves(),
    ruleset('spenders', {
      spends: rule(bank.fact.spender({ user })).when(bank.observation.limit({ user })),
    }),
  ],
  queries: [ruleset('asked', { all: rule(bank.query.spenders({ user })).when(bank.fact.spender({ user })) })],
});

/** Everything that a world hands out. */
async function all(world: World): Promise<Record<string, unknown>> {
  const model = world.model();
  return {
    snapshot: world.snapshot(),
    records: world.records(),
    rows: ['observation.limit', 'proposal.pay', 'decision.approved.pay', 'admitted.pay'].map((name) => model.rows(name)),
    verdict: model.verdict('a.1'),
    denial: model.verdict('a.2'),
    why: ['fact.spender', 'decision.rejected.pay', 'admitted.pay'].map((name) => model.why(name)),
    whyNot: model.whyNot('decision.approved.pay', { id: 'a.2' }),
    whyGone: model.whyGone('fact.spender', { user: 'bob' }),
    ask: model.ask('spenders', {}),
    again: await world.observe(reply()),
  };
}
const reply = () => ({
  session: 's',
  actor: 'a',
  reports: [{ capture: 'a', rows: [80, 80].map((cents) => row(bank.proposal.pay, { user: 'ada', amount: cents })) }],
});

function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(spoil);
  for (const key of Object.keys(value)) Reflect.set(value, key, 'spoiled');
}

test('what a world handed out is no way into it, nor is what it was given', async () => {
  const ledger = memory();
  const world = await open(paying, { ledger });
  const limits = ['ada', 'bob'].map((name) => row(bank.observation.limit, { user: name, max: 100 }));
  const given = [
    { session: 's', actor: 'a', reports: [{ rows: limits }] },
    reply(),
    { session: 's', actor: 'a', reports: [{ rows: [], ends: [ended(bank.observation.limit, { user: 'bob' })] }] },
  ];
  const outcomes = [];
  for (const batch of given) outcomes.push(await world.observe(batch));
  const before = JSON.stringify(await all(world));
  const entries = JSON.stringify(await ledger.read(1));
  spoil([given, outcomes, await all(world)]);
  expect(JSON.stringify(await all(world))).toBe(before);
  expect(JSON.stringify(await ledger.read(1))).toBe(entries);

  const snapshot = world.snapshot();
  const reopened = await open(paying, { ledger, snapshot });
  spoil(snapshot);
  expect(JSON.stringify(reopened.snapshot())).toBe(JSON.stringify(world.snapshot()));
});
