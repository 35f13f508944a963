import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  capability,
  decide,
  defineOntology,
  dependencies,
  isCountersignError,
  keyed,
  load,
  program,
  projection,
  reportKind,
  row,
  rule,
  ruleset,
} from '../../src/index.ts';

const shop = defineOntology({
  observation: { price: keyed({ sku: z.string() }, { cents: z.int() }), open: { yes: z.boolean() } },
  candidate: { order: { sku: z.string() }, review: { text: z.string() } },
  action: { pay: { in: { cents: z.int() } } },
  fact: { ordered: { sku: z.string() }, praised: { text: z.string() } },
});
const { sku, cents, text } = shop.vars;
const { observation, candidate, decision, fact, proposal, intent } = shop;
const rules = [
  decide('orders', candidate.order({ sku })).needs('a price', observation.price({ sku })).otherwiseAccepts(),
  decide('reviews', candidate.review({ text })).acceptsWithoutConditions('shown as what somebody wrote'),
  decide('pays', proposal.pay({ cents }))
    .needs('open', observation.open({ yes: true }))
    .otherwiseApproves(),
  ruleset('facts', {
    ordered: rule(fact.ordered({ sku })).when(decision.accepted.order({ sku })),
    praised: rule(fact.praised({ text })).when(decision.accepted.review({ text })),
  }),
];
const prices = reportKind('priceChanged', '1', {
  payload: { sku: z.string(), cents: z.int(), note: z.string() },
  fallible: ['note'],
  writes: [observation.price],
  mapper: (payload) => [row(observation.price, { sku: payload.sku, cents: payload.cents })],
});
const whole = (...declarations: readonly unknown[]) =>
  program({ name: 'shop', ontologies: [shop], rules, declarations: declarations as never });
const issuesOf = (given: unknown): string[] => {
  try {
    load(given);
    return [];
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return error.issues.map(({ code, what }) => `${code}: ${what}`);
  }
};

describe('what a program declares beside its rules', () => {
  test('loads, and is part of the digest', () => {
    const declared = [prices, projection('till', [fact.ordered, observation.price]), capability('bank', { carries: [intent.pay] })];
    const loaded = load(whole(...declared));
    expect(loaded.declarations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'reportKind priceChanged',
      'projection till',
      'capability bank',
    ]);
    expect(loaded.digest).toBe(load(whole(...[...declared].reverse())).digest);
    expect(loaded.digest).not.toBe(load(whole()).digest);
  });

  test.each<[string, unknown, string]>([
    [
      'a projection of an unknown relation',
      projection('till', [{ relation: 'fact.orderd' }]),
      'unknown relation fact.orderd, did you mean fact.ordered',
    ],
    [
      'a capability for an unknown intent',
      capability('bank', { carries: [{ relation: 'intent.pai' }] }),
      'unknown intent pai, did you mean pay',
    ],
    [
      'a mapper that would write evidence',
      reportKind('x', '1', { payload: {}, writes: [{ relation: 'candidate.order' as never }], mapper: () => [] }),
      'a mapper writes observations and receipts, not candidate.order',
    ],
    [
      'a fallible field that the payload lacks',
      reportKind('x', '1', { payload: { sku: z.string() }, fallible: ['skuu' as never], writes: [], mapper: () => [] }),
      'skuu is no field of its payload',
    ],
    ['what this library did not make', { kind: 'projection' }, ''],
  ])('refuses %s', (_name, declaration, what) => {
    const [issue = ''] = issuesOf(whole(declaration));
    expect(issue).toMatch(what === '' ? /^load\// : /^load\/declaration/);
    expect(issue).toContain(what.split(',')[0]);
  });

  test('refuses one name twice, and one intent carried twice', () => {
    const bank = capability('bank', { carries: [intent.pay] });
    expect(issuesOf(whole(bank, bank))).toEqual(['load/declaration: capability bank is declared twice']);
    expect(issuesOf(whole(bank, capability('post', { carries: [intent.pay] })))).toEqual([
      'load/declaration: intent.pay is carried by two capabilities',
    ]);
  });
});

describe('a capability that consults a model', () => {
  const turns = defineOntology({
    observation: { asked: { text: z.string() } },
    action: { ask: { in: { text: z.string() }, identity: ['text'] }, pay: { in: { text: z.string() }, identity: ['text'] } },
  });
  const { text: said } = turns.vars;
  const asked = turns.observation.asked({ text: said });
  const again = rule(turns.intent.ask({ text: said })).when(asked, turns.lifecycle.modelCalled({ class: 'failed' }));
  const model = capability('model', { carries: [turns.intent.ask], consultsModel: true });
  const trails = (own: object, ...declarations: readonly unknown[]) => {
    try {
      load(program({ name: 'turns', ontologies: [turns], rules: [ruleset('m', own as never)], declarations: declarations as never }));
      return [];
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      return error.issues.map(({ code, what, trail }) => (trail.length === 0 ? `${code}: ${what}` : trail.join(' > ')));
    }
  };

  test('may be driven by how a call ended, and no other may', () => {
    expect(trails({ again }, model)).toEqual([]);
    expect(trails({ again })).toEqual(['lifecycle.modelCalled > intent.ask']);
    expect(trails({ again }, capability('model', { carries: [turns.intent.ask] }))).toEqual(['lifecycle.modelCalled > intent.ask']);
  });

  test.each<[string, object, string]>([
    ['receipt', rule(turns.intent.pay({ text: said })).when(asked, turns.receipt.ask({ text: said })), 'receipt.ask'],
    ['admission', rule(turns.intent.pay({ text: said })).when(asked, turns.admitted.ask({ text: said })), 'admitted.ask'],
  ])('opens no other act by its %s', (_what, pays, record) => {
    expect(trails({ again, pays }, model)).toEqual([`lifecycle.modelCalled > intent.ask > ${record} > intent.pay`]);
  });

  test('is none where another capability carries the act too', () => {
    const both = trails({ again }, model, capability('mail', { carries: [turns.intent.ask] }));
    expect(both).toEqual(['lifecycle.modelCalled > intent.ask', 'load/declaration: intent.ask is carried by two capabilities']);
  });
});

describe('the dependencies of a program', () => {
  test('J25 show what can reach what, and prove two parts separate', () => {
    const reach = dependencies(whole());
    expect(reach.reaches('candidate.order')).toContain('fact.ordered');
    expect(reach.reaches('candidate.order')).not.toContain('fact.praised');
    expect(reach.reachedBy('fact.ordered')).toEqual(
      expect.arrayContaining(['candidate.order', 'decision.accepted.order', 'observation.price']),
    );
    expect(reach.areSeparate(['candidate.order'], ['candidate.review'])).toBe(true);
    expect(reach.areSeparate(['candidate.order'], ['fact.ordered'])).toBe(false);
    expect(reach.areSeparate(['candidate.order'], ['observation.price'])).toBe(false);
    expect(reach.edges).toContainEqual(
      expect.objectContaining({ from: 'decision.accepted.order', to: 'fact.ordered', by: 'facts.ordered' }),
    );
  });

  test('are not told of a program that does not load', () => {
    expect(() => dependencies(whole(projection('till', [{ relation: 'fact.nothing' }])))).toThrow(/load\/declaration/);
  });
});
