/** What a decide comes to: one rule for each clause, each as a person would write it. */
import { describe, expect, test } from 'vitest';
import type { Literal } from '../../dsl/ir.ts';
import { DEFINITION } from '../../dsl/ir.ts';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { LoweredRule } from '../../src/load/lowered.ts';
import { unboundIn } from '../../src/load/safety.ts';
import { readsOf, variablesIn } from '../../src/load/walk.ts';
import {
  actor,
  amount,
  by,
  candidate,
  day,
  id,
  k,
  loweredOf,
  max,
  observation,
  pays,
  programWith,
  proposal,
  queryresult,
  user,
} from './fixture.ts';
import { always, decide, eq, gt, not } from './language.ts';

const seen = observation.seen({ k });
const needing = () => decide('pings', proposal.ping({ k, actor })).needs('seen', seen);

describe('a decide, written out', () => {
  const rulesOf = (...parts: unknown[]) => loweredOf(programWith(...parts)).rules;
  const text = (rule: LoweredRule) =>
    `${atomText({ kind: 'atom', relation: rule.head.relation, columns: rule.head.columns })} <- ${rule.body.map(literalText).join(', ')}`;
  const whole = pays()
    .awaits('a boss', observation.boss({ user }))
    .rejects('nothing', eq(amount, 0))
    .limits('much', { sum: amount, per: { actor, day }, max })
    .asks('big', gt(amount, max), { by: observation.boss({ user: by }) })
    .expires('late', observation.today({ day: 'late' }))
    .stillNeeds('seen', seen)
    .otherwiseApproves();

  test('gives a rule for each clause, by its name', () => {
    expect(rulesOf(whole).flatMap((rule) => (rule.id.startsWith('pays.') ? [rule.id] : []))).toEqual([
      ...['asks1', 'asks1.answer', 'asks1.declined', 'awaits1', 'awaits1.met', 'expires1', 'expires1.asked', 'intent', 'limits1'].map(
        (tag) => `pays.${tag}`,
      ),
      ...['needs1', 'needs1.met', 'needs2', 'needs2.met', 'otherwise', 'rejects1'].map((tag) => `pays.${tag}`),
    ]);
  });

  test.each<[string, string]>([
    [
      'pays.needs1',
      'verdict.rejected.pay(id: $id, reason: "a maximum") <- open.pay(k, amount, actor, id: $id), not proposalView.pays.needs1(id: $id)',
    ],
    ['pays.needs1.met', 'proposalView.pays.needs1(id: $id) <- open.pay(k, amount, actor, id: $id), observation.limit(k, max)'],
    ['pays.awaits1', 'proposalView.pays.waits(id: $id) <- open.pay(k, amount, actor, id: $id), not proposalView.pays.awaits1(id: $id)'],
    ['pays.rejects1', 'verdict.rejected.pay(id: $id, reason: "nothing") <- open.pay(k, amount, actor, id: $id), amount eq 0'],
    [
      'pays.limits1',
      'verdict.rejected.pay(id: $id, reason: "much") <- open.pay(k, amount, actor, id: $id), observation.limit(k, max), observation.today(day), sum(exposure.pay.amount; actor, day) plus amount gt max',
    ],
    [
      'pays.asks1',
      'verdict.held.pay(id: $id, reason: "big", shown: $shown) <- open.pay(k, amount, actor, id: $id), observation.limit(k, max), amount gt max, $shown = shown("big", "amount", amount, "id", $id, "k", k, "max", max), not answer.pay(id: $id, reason: "big", shown: $shown, answer: "yes")',
    ],
    [
      'pays.asks1.answer',
      'answer.pay(id: $id, reason: "big", shown: $shown, by, answer: $answer) <- open.pay(k, amount, actor, id: $id), observation.limit(k, max), amount gt max, $shown = shown("big", "amount", amount, "id", $id, "k", k, "max", max), confirmed.pay(id: $id, reason: "big", shown: $shown, by, answer: $answer), observation.boss(user: by)',
    ],
    [
      'pays.asks1.declined',
      'verdict.rejected.pay(id: $id, reason: "declined: big") <- open.pay(k, amount, actor, id: $id), answer.pay(id: $id, reason: "big", by: $by, answer: "no")',
    ],
    [
      'pays.expires1',
      'verdict.rejected.pay(id: $id, reason: "late") <- open.pay(k, amount, actor, id: $id), observation.today(day: "late"), proposalView.pays.waits(id: $id)',
    ],
    [
      'pays.expires1.asked',
      'verdict.rejected.pay(id: $id, reason: "late") <- open.pay(k, amount, actor, id: $id), observation.today(day: "late"), verdict.held.pay(id: $id)',
    ],
    [
      'pays.otherwise',
      'verdict.approved.pay(id: $id, day) <- open.pay(k, amount, actor, id: $id), proposalView.pays.needs1(id: $id), proposalView.pays.needs2(id: $id), observation.today(day), not proposalView.pays.waits(id: $id)',
    ],
    ['pays.intent', 'intent.pay(id: $id, k, amount) <- decision.approved.pay(id: $id, k, amount, actor, day), observation.seen(k)'],
    [
      'runtime.held.pay',
      'decision.held.pay(k: $k, amount: $amount, reason: $reason, shown: $shown, id: $id, session: $session, actor: $actor, capture: $capture, ordinal: $ordinal, seq: $seq) <- open.pay(k: $k, amount: $amount, id: $id, session: $session, actor: $actor, capture: $capture, ordinal: $ordinal, seq: $seq), verdict.held.pay(id: $id, reason: $reason, shown: $shown), not verdict.rejected.pay(id: $id)',
    ],
    [
      'runtime.due.pay',
      'due.pay(id: $id, k: $k, amount: $amount) <- intent.pay(id: $id, k: $k, amount: $amount), standing.pay(id: $id, k: $k, amount: $amount)',
    ],
  ])('%s', (name, written) => {
    const found = rulesOf(whole).find((one) => one.id === name);
    expect(found === undefined ? undefined : text(found)).toBe(written);
  });

  test('a need with several rows asks for one of its own for every row of the need that it uses', () => {
    const one = decide('pings', proposal.ping({ k }))
      .needs('seen', observation.seen({ k, actor }))
      .needs('known', observation.boss({ user: actor }))
      .otherwiseApproves();
    const lowered = loweredOf(programWith(one));
    const byId = new Map(lowered.rules.map((each) => [each.id, text(each)]));
    expect(byId.get('pings.needs2')).toBe(
      'verdict.rejected.ping(id: $id, reason: "known") <- open.ping(k, id: $id), observation.seen(k, actor), not proposalView.pings.needs2(id: $id, actor)',
    );
    expect(byId.get('pings.needs2.met')).toBe(
      'proposalView.pings.needs2(id: $id, actor) <- open.ping(k, id: $id), observation.seen(k, actor), observation.boss(user: actor)',
    );
    expect(byId.get('pings.otherwise')).toBe(
      'verdict.approved.ping(id: $id) <- open.ping(k, id: $id), proposalView.pings.needs1(id: $id), proposalView.pings.needs2(id: $id)',
    );
    expect(lowered.relations.get('proposalView.pings.needs2')?.columns.map(({ name, sort }) => [name, sort.brand])).toEqual([
      ['id', 'RowId'],
      ['actor', 'ActorId'],
    ]);
  });

  test('a decide on a request is about that query: its decision and its act name it', () => {
    const one = decide('finds', proposal.queryRequested.find({ k }))
      .needs('seen', seen)
      .limits('many', { per: { k }, max: 3 })
      .asks('sure?', always)
      .otherwiseApproves();
    const lowered = loweredOf(programWith(one));
    const byId = new Map(lowered.rules.map((each) => [each.id, text(each)]));
    expect(byId.get('finds.otherwise')).toBe(
      'verdict.approved.queryRequested.find(id: $id) <- open.queryRequested.find(k, id: $id), proposalView.finds.needs1(id: $id)',
    );
    expect(byId.get('finds.intent')).toBe(
      'intent.queryExecute(id: $id, query: "find") <- decision.approved.queryExecute(id: $id, query: "find")',
    );
    expect(byId.get('finds.asks1.answer')).toContain(
      'confirmed.queryExecute(id: $id, reason: "sure?", shown: $shown, by, answer: $answer, query: "find")',
    );
    expect(byId.get('runtime.held.queryRequested.find')).toMatch(/^decision\.held\.queryExecute\(query: "find", /);
    expect(lowered.sources.get('queryRequested.find')).toEqual({
      name: 'queryRequested.find',
      relation: 'proposal.queryRequested.find',
      grade: 'proposal',
      decided: 'queryExecute',
      payload: [],
      constants: { query: 'find' },
      recorded: [],
      intent: 'queryExecute',
    });
  });

  test('rules that judge say what they judge, and by which id', () => {
    for (const one of rulesOf(whole)) {
      const judges = one.id.startsWith('pays.') && one.id !== 'pays.intent';
      expect([one.id, one.decides, one.judged]).toEqual([one.id, judges ? 'pay' : undefined, judges ? { var: '$id' } : undefined]);
    }
  });

  test('the id is the one that the author named', () => {
    const one = decide('pings', proposal.ping({ id, k })).needs('seen', seen).otherwiseApproves();
    expect(rulesOf(one).find((each) => each.id === 'pings.otherwise')?.judged).toEqual({ var: 'id' });
  });

  test('a card shows what its clause binds, and what says who may answer', () => {
    const lowered = (one: unknown) =>
      rulesOf(one)
        .find((each) => each.id === 'pings.asks1')
        ?.body.find((literal) => literal.kind === 'bind');
    const asking = (when: object, who?: object) =>
      decide('pings', proposal.ping({ k })).needs('seen', observation.seen({ k, actor })).asks('sure?', when, who).otherwiseApproves();
    const binds = lowered(asking(observation.limit({ k, max })));
    expect(binds === undefined ? '' : literalText(binds)).toBe('$shown = shown("sure?", "id", $id, "k", k, "max", max)');
    const answered = lowered(asking(always, { by: observation.boss({ user: actor, actor: by }) }));
    expect(answered === undefined ? '' : literalText(answered)).toBe('$shown = shown("sure?", "actor", actor, "id", $id, "k", k)');
  });

  test('shown is the digest of the reason, the row and the values of the clause', () => {
    const bind = rulesOf(whole)
      .find((each) => each.id === 'pays.asks1')
      ?.body.find((literal) => literal.kind === 'bind');
    const call = bind?.kind === 'bind' && 'call' in bind.expression ? bind.expression : undefined;
    const implementation = call?.[DEFINITION]?.implementation as ((...args: unknown[]) => unknown) | undefined;
    expect(implementation?.('big', 'amount', 5, 'id', 'r1')).toBe(sha256(canonicalJson(['big', 'amount', 5, 'id', 'r1'])));
  });

  test('every rule reads known relations, gives every column of its head, and binds every variable', () => {
    const orders = decide('orders', candidate.order({ k, actor }))
      .needs('seen', seen)
      .awaits('limit', observation.limit({ k, max }))
      .rejects('big', gt(max, 5))
      .asks('sure?', not(eq(k, 'x')))
      .otherwiseAccepts();
    const reads = decide('rows', queryresult.find({ k })).needs('seen', seen).asks('sure?', always).otherwiseApproves();
    const lowered = loweredOf(programWith(whole, orders, reads, needing().otherwiseApproves()));
    for (const { id: name, head, body } of lowered.rules) {
      expect([name, readsOf(body).filter(({ relation }) => !lowered.relations.has(relation))]).toEqual([name, []]);
      expect([name, Object.keys(head.columns).sort()]).toEqual([
        name,
        lowered.relations
          .get(head.relation)
          ?.columns.map((column) => column.name)
          .sort(),
      ]);
      expect([name, unboundIn(body, variablesIn(head.columns))]).toEqual([name, []]);
    }
  });
});

function atomText({ relation, columns }: Extract<Literal, { kind: 'atom' }>): string {
  return `${relation}(${columnsText(columns)})`;
}
function columnsText(columns: object): string {
  return Object.entries(columns)
    .map(([name, term]) => (termText(term) === name ? name : `${name}: ${termText(term)}`))
    .join(', ');
}
function termText(term: { readonly var?: string; readonly const?: unknown }): string {
  return term.var ?? JSON.stringify(term.const);
}
function expressionText(one: unknown): string {
  const expression = one as {
    call?: string;
    args: unknown[];
    aggregate?: string;
    relation: string;
    of: string;
    per: object;
    arithmetic?: string;
    left: unknown;
    right: unknown;
  };
  if (expression.call !== undefined) return `${expression.call}(${expression.args.map(expressionText).join(', ')})`;
  if (expression.aggregate !== undefined)
    return `${expression.aggregate}(${expression.relation}.${expression.of}; ${columnsText(expression.per)})`;
  if (expression.arithmetic !== undefined)
    return `${expressionText(expression.left)} ${expression.arithmetic} ${expressionText(expression.right)}`;
  return termText(expression as { var?: string; const?: unknown });
}
function literalText(literal: Literal): string {
  switch (literal.kind) {
    case 'atom':
      return atomText(literal);
    case 'not':
      return `not ${literalText(literal.literal)}`;
    case 'comparison':
      return `${expressionText(literal.left)} ${literal.comparison} ${expressionText(literal.right)}`;
    case 'bind':
      return `${literal.variable} = ${expressionText(literal.expression)}`;
    default:
      return literal.kind;
  }
}
