/** A hand-written decision restates one row of its source as it came, and lowers to a verdict on that row. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  actor,
  amount,
  candidate,
  day,
  decision,
  fact,
  found,
  id,
  intent,
  k,
  loweredOf,
  max,
  observation,
  other,
  programOf,
  proposal,
  queryresult,
  req,
  session,
  told,
} from './fixture.ts';
import { and, defineOntology, eq, gt, keyed, not, or, program, recorded, rule, ruleset } from './language.ts';

const seen = observation.seen({ k });
const today = observation.today({ day });
const unfaithful = (one: object) => told(programOf({ r: one })).filter((line) => line.startsWith('load/unfaithful'));
const lowered = (one: object) => loweredOf(programOf({ r: one })).rules.find((each) => each.id === 'm.r');

describe('a faithful decision', () => {
  test.each<[string, object]>([
    ['accepts a candidate', rule(decision.accepted.order({ k })).when(candidate.order({ k }), seen)],
    ['rejects a candidate with a reason', rule(decision.rejected.order({ k, reason: 'x' })).when(candidate.order({ k }))],
    [
      'approves a proposal, recorded columns given',
      rule(decision.approved.pay({ k, amount, day })).when(proposal.pay({ k, amount }), today),
    ],
    [
      'accepts, approves or rejects rows of a read',
      rule(decision.approved.find({ k, found, req })).when(queryresult.find({ k, found, req })),
    ],
    ['revokes a standing decision', rule(decision.revoked.order({ k, reason: 'x' })).when(decision.accepted.order({ k }), seen)],
    [
      'revokes a standing decision about rows of a read',
      rule(decision.revoked.find({ k, found, req, reason: 'x' })).when(decision.approved.find({ k, found, req }), seen),
    ],
    [
      'approves a request by the name of its query',
      rule(decision.approved.queryExecute({ id, session, query: 'find' })).when(proposal.queryRequested.find({ id, session, k }), seen),
    ],
    [
      'revokes the approval of a request',
      rule(decision.revoked.queryExecute({ id, query: 'find', reason: 'x' })).when(
        decision.approved.queryExecute({ id, query: 'find' }),
        seen,
      ),
    ],
    ['restates constants too', rule(decision.accepted.order({ k: 'x' })).when(candidate.order({ k: 'x' }))],
    [
      'restates in every branch of an or',
      rule(decision.accepted.order({ k })).when(
        or(and(candidate.order({ k }), seen), and(candidate.order({ k }), observation.limit({ k }))),
      ),
    ],
    [
      'may read other rows of its source',
      rule(decision.rejected.order({ id, k, reason: 'twice' })).when(
        candidate.order({ id, k }),
        candidate.order({ id: id.as('first'), k }),
        gt(id, id.as('first')),
      ),
    ],
    ['carries stamps of its row', rule(decision.accepted.order({ k, session, actor })).when(candidate.order({ k, session, actor }))],
  ])('%s', (_claim, one) => {
    expect(told(programOf({ r: one }))).toEqual([]);
  });

  test.each<[string, object]>([
    ['reads no row of its source', rule(decision.accepted.order({ k })).when(seen)],
    ['rejects without a row of its source', rule(decision.rejected.order({ k, reason: 'x' })).when(seen)],
    [
      'edits the payload',
      rule(decision.approved.pay({ k, amount: max, day })).when(proposal.pay({ k, amount }), observation.limit({ k, max }), today),
    ],
    [
      'leaves a payload column of its row open',
      rule(decision.approved.pay({ k, amount, day })).when(proposal.pay({ k }), observation.limit({ k, max: amount }), today),
    ],
    ['writes a constant for a column of its row', rule(decision.accepted.order({ k: 'x' })).when(candidate.order({ k }))],
    [
      'says the same by a comparison only',
      rule(decision.accepted.order({ k: other })).when(candidate.order({ k }), seen, observation.seen({ k: other }), eq(k, other)),
    ],
    ['restates under not', rule(decision.accepted.order({ k })).when(seen, not(candidate.order({ k })))],
    ['restates in one branch of an or', rule(decision.accepted.order({ k })).when(or(candidate.order({ k }), seen))],
    [
      'takes another stamp than its row has',
      rule(decision.accepted.order({ k, actor })).when(candidate.order({ k }), observation.boss({ user: actor })),
    ],
    ['revokes what is no standing decision', rule(decision.revoked.hint({ k, reason: 'x' })).when(decision.rejected.hint({ k }), seen)],
    [
      'approves a request of another query',
      rule(decision.approved.queryExecute({ id, query: 'other' })).when(proposal.queryRequested.find({ id, k })),
    ],
    [
      'approves a request of whatever query',
      rule(decision.approved.queryExecute({ id, query: k })).when(proposal.queryRequested.find({ id, k })),
    ],
    [
      'takes the id of another row of its source',
      rule(decision.accepted.order({ id: id.as('another'), k })).when(
        candidate.order({ id, k }),
        candidate.order({ id: id.as('another') }),
      ),
    ],
    [
      'takes two ids in two branches',
      rule(decision.accepted.order({ k })).when(or(candidate.order({ id, k }), candidate.order({ id: id.as('another'), k }))),
    ],
  ])('is not one that %s', (_claim, one) => {
    expect(unfaithful(one)).toHaveLength(1);
  });

  test('is told what to restate', () => {
    expect(
      unfaithful(
        rule(decision.approved.pay({ k, amount: max, day })).when(proposal.pay({ k, amount }), observation.limit({ k, max }), today),
      ),
    ).toEqual([
      'load/unfaithful: rule m.r: decision.approved.pay must restate a row of proposal.pay: read proposal.pay with the same terms in every column',
    ]);
    expect(unfaithful(rule(decision.revoked.find({ k, found, req, reason: 'x' })).when(queryresult.find({ k, found, req })))[0]).toContain(
      'must restate a row of decision.accepted.find or decision.approved.find',
    );
  });
});

describe('what a decision by hand keeps beside its row', () => {
  const approves = (...body: readonly unknown[]) => ({
    r: rule(decision.approved.pay({ k, amount, day })).when(proposal.pay({ k, amount }), ...body),
  });
  const undetermined =
    'load/records-undetermined: rule m.r: decision.approved.pay.day: its value is not determined by the row of proposal.pay';

  test.each<[string, object]>([
    ['a keyed observation whose key is empty', approves(today)],
    ['a constant', { r: rule(decision.approved.pay({ k, amount, day: 'monday' })).when(proposal.pay({ k, amount })) }],
    [
      'a keyed observation that stands before the row',
      { r: rule(decision.approved.pay({ k, amount, day })).when(today, proposal.pay({ k, amount })) },
    ],
  ])('may come from %s', (_from, rules) => {
    expect(told(programOf(rules))).toEqual([]);
  });

  test.each<[string, object]>([
    ['a claim', approves(candidate.quote({ k, amount: amount.as('other') }), decision.accepted.quote({ k, day }))],
    ['a log', approves(observation.level({ k }), decision.approved.pay({ k, day }))],
    ['one branch of two', approves(or(today, decision.approved.pay({ k, day })))],
  ])('does not come from %s', (_from, rules) => {
    expect(told(programOf(rules))).toContain(undetermined);
  });

  test('is no way for a wish that nobody judged', () => {
    const wide = defineOntology({
      observation: { ok: keyed({ k: z.string() }, {}) },
      candidate: { claim: recorded({ k: z.string() }, { kept: z.string() }), other: { x: z.string() } },
      proposal: { hint: { to: z.string() } },
      action: { pay: { in: { k: z.string() }, records: { dest: z.string() } }, wire: { in: { dest: z.string() } } },
      fact: { f: { k: z.string(), kept: z.string() } },
    });
    const its = wide.vars;
    const launder = ruleset('launder', {
      claims: rule(wide.decision.accepted.claim({ id: its.id, k: its.k, kept: its.x })).when(
        wide.candidate.claim({ id: its.id, k: its.k }),
        wide.observation.ok({ k: its.k }),
        wide.candidate.other({ x: its.x }),
      ),
      wishes: rule(wide.decision.approved.pay({ id: its.id, k: its.k, dest: its.to })).when(
        wide.proposal.pay({ id: its.id, k: its.k }),
        wide.observation.ok({ k: its.k }),
        wide.proposal.hint({ to: its.to }),
      ),
      facts: rule(wide.fact.f({ k: its.k, kept: its.kept })).when(wide.decision.accepted.claim({ k: its.k, kept: its.kept })),
    });
    expect(told(program({ name: 'wide', ontologies: [wide], rules: [launder] }))).toEqual([
      'load/records-undetermined: rule launder.claims: decision.accepted.claim.kept: its value is not determined by the row of candidate.claim',
      'load/records-undetermined: rule launder.wishes: decision.approved.pay.dest: its value is not determined by the row of proposal.pay',
    ]);
  });
});

describe('a hand-written decision, lowered', () => {
  test('is a verdict on an open row, with the id of that row', () => {
    const one = lowered(rule(decision.rejected.order({ k, reason: 'x' })).when(candidate.order({ k }), seen));
    expect(one).toMatchObject({
      head: { relation: 'verdict.rejected.order', columns: { id: { var: '$id' }, reason: { const: 'x' } } },
      body: [{ relation: 'open.order', columns: { k: { var: 'k' }, id: { var: '$id' } } }, { relation: 'observation.seen' }],
      decides: 'order',
      judged: { var: '$id' },
    });
    expect(Object.keys(one?.head.columns ?? {})).toEqual(['id', 'reason']);
  });

  test('keeps the id that the author named, and the columns that are recorded', () => {
    const one = lowered(rule(decision.approved.pay({ id, k, amount, day })).when(proposal.pay({ id, k, amount }), today));
    expect(one?.head).toEqual({ relation: 'verdict.approved.pay', columns: { id: { var: 'id' }, day: { var: 'day' } } });
    expect(one?.judged).toEqual({ var: 'id' });
  });

  test('keeps other rows of its source as they are', () => {
    const twice = rule(decision.rejected.order({ id, k, reason: 'x' })).when(
      candidate.order({ id, k }),
      candidate.order({ id: id.as('first'), k }),
    );
    expect(lowered(twice)?.body.map((literal) => (literal.kind === 'atom' ? literal.relation : ''))).toEqual([
      'open.order',
      'candidate.order',
    ]);
  });

  test('is rewritten in every branch of an or', () => {
    const one = lowered(rule(decision.accepted.order({ k })).when(or(and(candidate.order({ k }), seen), candidate.order({ id, k }))));
    expect(one?.judged).toEqual({ var: 'id' });
    expect(JSON.stringify(one?.body)).not.toContain('candidate.order');
    expect(JSON.stringify(one?.body).match(/"open\.order","columns":\{[^}]*\},"id":\{"var":"id"\}|"id":\{"var":"id"\}/g)).toHaveLength(2);
  });

  test('of a standing decision reads that decision', () => {
    const one = lowered(rule(decision.revoked.order({ k, reason: 'x' })).when(decision.accepted.order({ k }), seen));
    expect(one).toMatchObject({
      head: { relation: 'verdict.revoked.order' },
      body: [{ relation: 'decision.accepted.order', columns: { id: { var: '$id' } } }, {}],
      decides: 'order',
    });
  });

  test('of a request is a verdict on the request of that query', () => {
    const one = lowered(rule(decision.approved.queryExecute({ id, query: 'find' })).when(proposal.queryRequested.find({ id, k })));
    expect(one).toMatchObject({
      head: { relation: 'verdict.approved.queryRequested.find', columns: { id: { var: 'id' } } },
      body: [{ relation: 'open.queryRequested.find' }],
    });
    expect(Object.keys(one?.head.columns ?? {})).toEqual(['id']);
  });

  test('leaves facts and intents as they were written', () => {
    const one = lowered(rule(fact.a({ k })).when(decision.accepted.order({ k })));
    expect(one).toMatchObject({ head: { relation: 'fact.a' }, body: [{ relation: 'decision.accepted.order' }] });
    expect(lowered(rule(intent.ping({ id, k })).when(decision.approved.ping({ id, k })))?.decides).toBeUndefined();
  });
});
