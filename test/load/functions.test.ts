/** What a function is given: values of at most one row of evidence, so that a failure has one row to blame. */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  amount,
  candidate,
  candidateView,
  Cents,
  decision,
  fact,
  id,
  issuesOf,
  k,
  max,
  n,
  observation,
  other,
  programOf,
  programWith,
  proposal,
} from './fixture.ts';
import { countOf, decide, fn, gt, neq, or, plus, rule, sumOf } from './language.ts';

const risk = fn('risk', '1', [Cents, Cents], z.int(), (left: number, right: number) => left - right);
const one = fn('one', '1', [Cents], z.int(), (cents: number) => cents);
const two = amount.as('second');
const m = n.as('m');
const told = (value: unknown) => issuesOf(value, 'load/function-evidence').map((issue) => issue.what);
const view = (...body: unknown[]) => told(programOf({ r: rule(candidateView.n({ n })).when(...body) }));

describe('the arguments of a function', () => {
  test('come from one row of evidence and any trusted rows', () => {
    expect(view(candidate.quote({ k, amount }), observation.limit({ k, max }), risk(amount, max).as(n))).toEqual([]);
  });

  test('do not come from two rows of evidence', () => {
    expect(view(candidate.quote({ k, amount }), candidate.quote({ k: other, amount: two }), risk(amount, two).as(n))).toEqual([
      'rule m.r: risk takes values of candidate.quote and candidate.quote, more than one row of evidence',
    ]);
  });

  test('do not come from two rows of evidence through a binding', () => {
    const body = [
      candidate.quote({ k, amount }),
      candidate.quote({ k: other, amount: two }),
      plus(two, 0).as(amount.as('sum')),
      risk(amount, amount.as('sum')).as(n),
    ];
    expect(view(...body)).toHaveLength(1);
  });

  test('do not come from an aggregate over evidence', () => {
    expect(view(candidate.order({ k }), sumOf(candidate.quote, { of: 'amount', per: { k } }).as(amount), one(amount).as(n))).toEqual([
      'rule m.r: one takes an aggregate over candidate.quote, which is evidence',
    ]);
    expect(view(observation.limit({ k, max }), sumOf(observation.limit, { of: 'max' }).as(amount), risk(amount, max).as(n))).toEqual([]);
  });

  test('do not come from two rows of facts that rest on evidence', () => {
    const rules = {
      accept: rule(decision.accepted.quote({ k, amount, day: 'd' })).when(candidate.quote({ k, amount })),
      total: rule(fact.total({ k, amount })).when(decision.accepted.quote({ k, amount })),
      r: rule(fact.n({ k, n })).when(fact.total({ k, amount }), fact.total({ k: other, amount: two }), risk(amount, two).as(n)),
    };
    expect(told(programOf(rules))).toEqual(['rule m.r: risk takes values of fact.total and fact.total, more than one row of evidence']);
  });

  test('may come from two rows of facts that rest on observations', () => {
    const rules = {
      total: rule(fact.total({ k, amount })).when(observation.limit({ k, max: amount })),
      r: rule(fact.n({ k, n })).when(fact.total({ k, amount }), fact.total({ k: other, amount: two }), risk(amount, two).as(n)),
    };
    expect(told(programOf(rules))).toEqual([]);
  });

  test('may come from different rows in two branches of an or', () => {
    expect(view(or(candidate.quote({ k, amount }), observation.limit({ k, max: amount })), one(amount).as(n))).toEqual([]);
  });
});

describe('the arguments of a function in a decision', () => {
  const decided = (...body: unknown[]) =>
    told(programOf({ r: rule(decision.rejected.quote({ id, k, amount, reason: 'x' })).when(candidate.quote({ id, k, amount }), ...body) }));

  test('come from the judged row', () => {
    expect(decided(observation.limit({ k, max }), risk(amount, max).as(n), gt(n, 3))).toEqual([]);
    expect(
      decided(candidate.quote({ id: id.as('another'), amount: two }), neq(id, id.as('another')), one(amount).as(n), gt(n, two)),
    ).toEqual([]);
  });

  test('do not come from another row of evidence', () => {
    expect(
      decided(candidate.quote({ id: id.as('another'), amount: two }), neq(id, id.as('another')), risk(amount, two).as(n), gt(n, 3)),
    ).toEqual(['rule m.r: risk takes values of candidate.quote, evidence that is not the judged row']);
  });

  test('do not come from another row of evidence in a clause', () => {
    const clause = (...literals: unknown[]) =>
      told(
        programWith(
          decide('pays', proposal.pay({ k, amount }))
            .needs('a maximum', observation.limit({ k, max }))
            .rejects('risky', ...literals),
        ),
      );
    expect(clause(risk(amount, max).as(n), gt(n, 3))).toEqual([]);
    expect(clause(candidate.quote({ k, amount: two }), risk(amount, two).as(n), gt(n, 3))).toEqual([
      'decide pays: rejects "risky": risk takes values of candidate.quote, evidence that is not the judged row',
    ]);
    expect(clause(gt(one(sumOf(proposal.pay, { of: 'amount', per: { k } })), 3))).toEqual([
      'decide pays: rejects "risky": one takes an aggregate over proposal.pay, which is evidence',
    ]);
  });

  test('may be a count of trusted rows', () => {
    const counted = fn('counted', '1', [z.int()], z.int(), (count: number) => count);
    expect(decided(counted(countOf(observation.seen)).as(m), gt(m, 3))).toEqual([]);
  });
});
