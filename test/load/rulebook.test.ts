import { describe, expect, test } from 'vitest';
import { decide, eq, isCountersignError, load, program, reasons, rule, ruleset, rulesOf, type Decision } from '../../src/index.ts';
import { refunds, shop, shopProgram } from '../world/shop.ts';

const { id, order, amount } = shop.vars;
const text = shop.vars.text;

describe('the rules behind a relation', () => {
  test('A09 are told in words, with id and place, whether they are written by hand or as clauses', () => {
    const byHand = rulesOf(shopProgram, 'decision.accepted.price');
    expect(byHand).toEqual([
      {
        rule: 'prices.accept',
        relation: 'decision.accepted.price',
        text: 'decision.accepted.price({ id, order, amount }) when candidate.price({ id, order, amount }), observation.order({ order })',
        location: expect.stringMatching(/test\/world\/shop\.ts:\d+:\d+$/) as string,
      },
    ]);
    expect(rulesOf(shopProgram, 'decision.rejected.refund').map((one) => [one.rule, one.text])).toEqual([
      ['refunds.needs1', 'needs "the order is known": observation.order({ order })'],
      ['refunds.awaits1', 'awaits "a date": observation.today({ day })'],
      ['refunds.needs2', 'needs "a limit is set": observation.limit({ most })'],
      ['refunds.limits1', 'limits "daily budget": (sum(decision.approved.refund.amount per day) + amount) > most'],
      ['refunds.asks1', 'asks "above 50": amount > 50, confirmed.refund({ by, answer: "no" }), observation.manager({ user: by })'],
    ]);
    expect(rulesOf(shopProgram, 'decision.approved.refund').map((one) => one.text)).toEqual([
      'decision.approved.refund when proposal.refund({ order, amount }), and no clause is against it',
    ]);
    expect(rulesOf(shopProgram, 'fact.priced').map((one) => one.text)).toEqual([
      'fact.priced({ order, amount }) when decision.accepted.price({ order, amount })',
    ]);
  });

  test('A09 have each the place of their own clause, which is part of no digest', () => {
    const placed = rulesOf(shopProgram, 'decision.rejected.refund').map(({ location }) => Number(location?.split(':').at(-2)));
    expect(new Set(placed).size).toBe(5);
    expect([...placed].sort((left, right) => left - right)).toEqual(placed);
    const clausesOf = (name: string) => {
      const begun = decide('notes', shop.proposal.note({ text }));
      return begun.rejects(name, eq(text, '')).approvesWithoutConditions('a note does nothing');
    };
    const digestOf = (part: Decision) => load(program({ name: 'shop', ontologies: [shop], rules: [part] })).digest;
    const elsewhere = decide('notes', shop.proposal.note({ text }))
      .rejects('empty', eq(text, ''))
      .approvesWithoutConditions('a note does nothing');
    expect(digestOf(clausesOf('empty'))).toBe(digestOf(elsewhere));
    expect(digestOf(clausesOf('other'))).not.toBe(digestOf(elsewhere));
  });

  test('A09 of a relation that nobody writes are none, and of an unknown one the nearest name is offered', () => {
    expect(rulesOf(shopProgram, 'observation.order')).toEqual([]);
    expect.assertions(3);
    try {
      rulesOf(shopProgram, 'fact.prized');
    } catch (error) {
      expect(isCountersignError(error)).toBe(true);
      expect(String(error)).toContain('did you mean fact.priced?');
    }
  });
});

describe('the reasons of a program', () => {
  test('B39 are a catalogue: what it is about, the verdict, the words, the rule', () => {
    expect(reasons(shopProgram).map(({ about, verdict, reason, rule: by }) => [about, verdict, reason, by])).toEqual([
      ['proposal.refund', 'rejected', 'the order is known', 'refunds.needs1'],
      ['proposal.refund', 'pending', 'a date', 'refunds.awaits1'],
      ['proposal.refund', 'rejected', 'a limit is set', 'refunds.needs2'],
      ['proposal.refund', 'rejected', 'daily budget', 'refunds.limits1'],
      ['proposal.refund', 'held', 'above 50', 'refunds.asks1'],
      ['proposal.refund', 'rejected', 'declined: above 50', 'refunds.asks1'],
    ]);
  });

  test('B39 name a rule that takes its reason from a row, and those that are written by hand', () => {
    const mine = ruleset('mine', {
      fixed: rule(shop.decision.rejected.price({ id, order, amount, reason: 'too dear' })).when(
        shop.candidate.price({ id, order, amount }),
      ),
      taken: rule(shop.decision.rejected.note({ id, text, reason: text })).when(shop.proposal.note({ id, text })),
      undone: rule(shop.decision.revoked.refund({ id, order, amount, reason: 'the order is gone' })).when(
        shop.decision.approved.refund({ id, order, amount }),
      ),
    });
    const all = reasons(program({ name: 'shop', ontologies: [shop], rules: [refunds, mine] }));
    expect(all.slice(-3).map(({ about, verdict, reason, rule: by }) => [about, verdict, reason, by])).toEqual([
      ['candidate.price', 'rejected', 'too dear', 'mine.fixed'],
      ['proposal.note', 'rejected', undefined, 'mine.taken'],
      ['decision.approved.refund', 'revoked', 'the order is gone', 'mine.undone'],
    ]);
  });
});
