/**
 * What the types of the language take, and what they refuse: one statement a claim, each refused one under its id.
 *
 * Gives  source for the type suite, which compiles it with three compilers and compares what each says with `sentences.ts`.
 * Never  runs what is refused.
 */
import * as z from 'zod';
import {
  always,
  and,
  brand,
  countOf,
  decide,
  defineOntology,
  ended,
  eq,
  evidenceInvariant,
  fn,
  gt,
  gte,
  invariant,
  keyed,
  lt,
  maxOf,
  minOf,
  minus,
  neq,
  not,
  oneOf,
  or,
  plus,
  program,
  recorded,
  RowId,
  row,
  rule,
  ruleset,
  SessionId,
  sumOf,
  times,
  together,
  vars,
  type AnyLit,
  type Rule,
} from './face.ts';

const Sku = brand('Sku', z.string());
const Cents = brand('Cents', z.int());
const UserId = brand('UserId', z.string());
const Day = brand('Day', z.string());
const o = defineOntology({
  scope: { session: SessionId, actor: UserId },
  observation: {
    menu: keyed({ sku: Sku }, { price: Cents }),
    note: { text: z.string(), open: z.boolean(), ratio: z.number() },
    edge: { from: Sku, to: Sku },
    manager: keyed({ user: UserId }, {}),
    state: keyed({ sku: Sku }, { status: z.enum(['new', 'paid']) }),
    lane: keyed({ session: SessionId }, { open: z.boolean() }),
    today: keyed({}, { day: Day }),
  },
  candidate: { order: { sku: Sku, qty: z.int() }, place: recorded({ text: z.string() }, { day: Day }) },
  proposal: { hint: { text: z.string() } },
  action: {
    offer: { in: { sku: Sku, price: Cents }, receipt: { ref: z.string() }, evidence: { reply: z.string() } },
    pos: { in: { sku: Sku }, identity: ['sku'] },
    refund: { in: { sku: Sku, price: Cents }, records: { day: Day } },
  },
  fact: {
    order: { session: SessionId, sku: Sku, qty: z.int() },
    quiet: { session: SessionId },
    hot: { sku: Sku },
    total: { session: SessionId, n: z.int() },
    spend: { session: SessionId, total: Cents },
    reach: { from: Sku, to: Sku },
  },
  approvedView: { live: { session: SessionId } },
  candidateView: { big: { session: SessionId } },
  proposalView: { asked: { session: SessionId, n: z.int() } },
  query: { impacted: { in: { sku: Sku }, out: { service: z.string() } } },
});
const { observation, candidate, proposal, decision, fact, intent, queryresult, query, candidateView, proposalView, approvedView } = o;
const { receipt, confirmed, admitted, started, withdrawn, conflict, due, lifecycle } = o;
const { session, sku, qty, price, n, open, text, from, to, total, service, actor, user, by, id, status, ratio, reply, act, ref, req } =
  o.vars;
const { day, seq, reason, shown, captured } = o.vars;
const mid = sku.as('mid');
const sum = total.as('sum');
const { left } = vars({ left: Cents });
const double = fn('double', '1', [z.int()], z.int(), (x) => x * 2);
const lineTotal = fn('lineTotal', '1', [z.int(), Cents], Cents, (count, each) => Cents.parse(count * each));

// What is taken.
export const taken: Record<string, Rule> = {
  gated: rule(fact.order({ session, sku, qty })).when(decision.accepted.order({ session, sku, qty })),
  accept: rule(decision.accepted.order({ sku, qty })).when(
    candidate.order({ sku, qty }),
    observation.menu({ sku }),
    not(decision.rejected.order({ sku })),
  ),
  reject: rule(decision.rejected.order({ sku, qty, reason: 'too many' })).when(candidate.order({ sku, qty }), gt(qty, 20)),
  wildcard: rule(candidateView.big({ session })).when(candidate.order({ session, qty }), gt(qty, 20)),
  everyBranchBinds: rule(fact.hot({ sku })).when(or(observation.menu({ sku }), observation.edge({ from: sku }))),
  recursion: rule(fact.reach({ from, to })).when(
    or(observation.edge({ from, to }), and(fact.reach({ from, to: mid }), observation.edge({ from: mid, to }))),
  ),
  aggregate: rule(fact.total({ session, n })).when(fact.order({ session }), sumOf(fact.order, { of: 'qty', per: { session } }).as(n)),
  budget: rule(decision.rejected.queryExecute({ id, query: 'impacted', reason: 'budget' })).when(
    proposal.queryRequested.impacted({ id, session }),
    gte(countOf(admitted.queryExecute, { per: { session } }), 2),
  ),
  wishes: rule(proposalView.asked({ session, n })).when(
    proposal.queryRequested.impacted({ session }),
    countOf(proposal.queryRequested.impacted, { per: { session } }).as(n),
  ),
  approve: rule(decision.approved.offer({ sku, price })).when(proposal.offer({ session, sku, price }), candidateView.big({ session })),
  act: rule(intent.offer({ sku, price })).when(decision.approved.offer({ session, sku, price }), not(approvedView.live({ session }))),
  actWithId: rule(intent.offer({ id, sku, price })).when(decision.approved.offer({ id, sku, price }), started.pos({ sku })),
  call: rule(fact.order({ session, sku, qty: n })).when(decision.accepted.order({ session, sku, qty }), double(qty).as(n)),
  nestedCall: rule(fact.spend({ session, total })).when(
    decision.accepted.order({ session, sku, qty }),
    observation.menu({ sku, price }),
    plus(lineTotal(double(qty), price), 5).as(total),
  ),
  arithmetic: rule(fact.hot({ sku })).when(observation.menu({ sku, price }), gt(minus(times(price, 3), price), 100)),
  extremes: rule(fact.hot({ sku })).when(
    observation.menu({ sku, price }),
    eq(price, maxOf(observation.menu, { of: 'price' })),
    gt(price, minOf(observation.menu, { of: 'price' })),
  ),
  constantHead: rule(fact.order({ session, sku, qty: 1 })).when(decision.accepted.order({ session, sku })),
  members: rule(fact.hot({ sku })).when(observation.state({ sku, status }), oneOf(status, 'new', 'paid'), not(eq(status, 'paid'))),
  constants: rule(fact.hot({ sku })).when(observation.menu({ sku }), observation.note({ text, open }), eq(text, 'x'), neq(open, true)),
  orderOfStrings: rule(fact.hot({ sku })).when(
    observation.menu({ sku }),
    observation.today({ day }),
    lt(day, maxOf(observation.today, { of: 'day' })),
  ),
  positions: rule(fact.hot({ sku })).when(observation.menu({ sku, seq }), gte(seq, seq)),
  factDrives: rule(intent.pos({ sku })).when(fact.hot({ sku })),
  approvalInAcceptance: rule(decision.accepted.order({ sku, qty })).when(candidate.order({ sku, qty }), decision.approved.offer({ sku })),
  revoke: rule(decision.revoked.offer({ id, sku, price, reason: 'gone' })).when(
    decision.approved.offer({ id, sku, price }),
    not(observation.menu({ sku })),
  ),
  revocationIsApproved: rule(intent.pos({ sku })).when(fact.hot({ sku }), not(decision.revoked.order({ sku }))),
  result: rule(decision.accepted.offerResult({ reply, act })).when(candidate.offerResult({ reply, act }), admitted.offer({ id: act })),
  receipts: rule(fact.spend({ session, total: price })).when(receipt.offer({ session, price, ref, act, outcome: 'succeeded' })),
  stamps: rule(fact.quiet({ session })).when(observation.note({ session, actor, text: 'bye' }), observation.manager({ user: actor })),
  stampInKey: rule(fact.quiet({ session })).when(observation.lane({ session, open: false })),
  heldInView: rule(candidateView.big({ session })).when(decision.held.order({ session, reason, shown })),
  heldWish: rule(proposalView.asked({ session, n: 1 })).when(decision.held.offer({ session })),
  ownAnswer: rule(decision.rejected.offer({ id, sku, price, reason: 'x' })).when(
    proposal.offer({ id, sku, price }),
    confirmed.offer({ id, answer: 'no', by: user }),
  ),
  recorded: rule(decision.approved.refund({ id, sku, price, day })).when(proposal.refund({ id, sku, price }), observation.today({ day })),
  work: rule(approvedView.live({ session })).when(lifecycle.captureRefused({ session, captured, class: 'too many open' })),
};
export const queryRules: Record<string, Rule> = {
  direct: rule(query.impacted({ sku, service })).when(observation.edge({ from: sku }), observation.note({ text: service })),
  further: rule(query.impacted({ sku, service })).when(observation.edge({ from: sku, to: mid }), query.impacted({ sku: mid, service })),
  evidence: rule(query.impacted({ sku, service })).when(candidate.order({ sku }), observation.note({ text: service })),
  held: rule(query.impacted({ sku, service })).when(decision.held.order({ sku, reason: service })),
};
/** With a reader in an intent it is the loader's to refuse: cut 5 runs over several rules. */
export const outcomeApproved = rule(approvedView.live({ session })).when(queryresult.outcome({ session, outcome: 'failed' }));
const gate = () => decision.accepted.order({ session, sku, qty });
const leak = () => and(candidate.order({ session, sku, qty }), gt(qty, 1));
export const throughFunction = rule(fact.order({ session, sku, qty })).when(gate());
export const invariants = [
  invariant('x').never(receipt.pos({ act, sku }), not(confirmed.pos({ id: act, answer: 'yes' }))),
  invariant('x').never(observation.menu({ sku, price }), gt(sumOf(receipt.offer, { of: 'price', per: { sku } }), price)),
  invariant('x').never(due.offer({ sku, price }), observation.menu({ sku, price: sum }), lt(price, sum)),
  evidenceInvariant('x').never(candidate.order({ qty }), gt(qty, 1_000_000), decision.held.offer({})),
];
export const offers = decide('offers', proposal.offer({ sku, price, actor }))
  .needs('on the menu', observation.menu({ sku, price: sum }))
  .awaits('a word', observation.note({ text }))
  .needsEvidence('asked for', candidate.order({ sku, qty }))
  .rejects('too cheap', lt(price, sum))
  .rejects('too many', gt(plus(price, sumOf(decision.approved.offer, { of: 'price', per: { sku } })), sum))
  .rejects('said no', confirmed.offer({ answer: 'no' }))
  .limits('budget', { sum: price, per: { actor }, max: sum })
  .limits('count', { per: { actor }, max: 3 })
  .asks('above', gt(price, 100), { by: observation.manager({ user: by }) })
  .asks('always', always)
  .expires('too late', observation.note({ text: 'closed' }))
  .stillNeeds('open', observation.note({ open: true }))
  .otherwiseApproves();
export const refunds = decide('refunds', proposal.refund({ sku, price, actor }))
  .awaits('a date', observation.today({ day }))
  .needs('on the menu', observation.menu({ sku }))
  .records({ day })
  .limits('daily budget', { sum: price, per: { actor, day }, max: 100 })
  .stillNeeds('the same day', observation.today({ day }))
  .otherwiseApproves();
export const places = decide('places', candidate.place({ text }))
  .needs('a date', observation.today({ day }))
  .records({ day })
  .otherwiseAccepts();
export const orders = decide('orders', candidate.order({ sku, qty }))
  .needs('menu', observation.menu({ sku }))
  .needs('approved', decision.approved.offer({ sku }))
  .rejects('others say no', candidateView.big({}))
  .otherwiseAccepts();
export const pendingElse = decide('hints', proposal.hint({ text })).rejects('shouting', eq(text, '!'));
export const noConditions = decide('hints', proposal.hint({ text })).approvesWithoutConditions('read by nobody');
export const rows = [
  decide('a', queryresult.impacted({ service, sku })).needs('menu', observation.menu({ sku })).otherwiseAccepts(),
  decide('b', queryresult.impacted({ service, sku })).needs('menu', observation.menu({ sku })).otherwiseApproves(),
];
export const reads = decide('reads', proposal.queryRequested.impacted({ session, sku }))
  .needs('menu', observation.menu({ sku }))
  .needs('asked', confirmed.queryExecute({ query: 'impacted' }))
  .rejects('two', gte(countOf(decision.approved.queryExecute, { per: { session } }), 2))
  .otherwiseApproves();
export const app = program({
  name: 'cases',
  ontologies: [o],
  rules: [ruleset('r', taken), offers, orders, pendingElse, together({ sources: [proposal.offer, candidate.order] })],
  queries: [ruleset('q', queryRules)],
  invariants,
});
export const reported = [
  row(observation.menu, { sku: Sku.parse('tea'), price: Cents.parse(250) }),
  row(observation.lane, { open: true }),
  row(receipt.offer, { sku: Sku.parse('tea'), price: Cents.parse(250), ref: 'x', act: RowId.parse('r'), outcome: 'failed' }),
  row(confirmed.offer, { id: RowId.parse('r'), reason: 'x', shown: 'd', answer: 'yes' }),
  ended(observation.menu, { sku: Sku.parse('tea') }),
];

export function neverCalled(): void {
  // The cut.
  // @ts-expect-error C1 a candidate does not support a fact
  rule(fact.order({ session, sku, qty })).when(candidate.order({ session, sku, qty }));
  // @ts-expect-error C2 a candidate joined with its decision is a bypass still
  rule(fact.order({ session, sku, qty })).when(candidate.order({ session, sku, qty }), decision.accepted.order({ session, sku }));
  // @ts-expect-error C3 nor under not
  rule(fact.quiet({ session })).when(receipt.pos({ session }), not(candidate.order({ session })));
  // @ts-expect-error C4 nor inside or and and
  rule(fact.hot({ sku })).when(or(observation.menu({ sku }), and(candidate.order({ sku, qty }), gt(qty, 3))));
  // @ts-expect-error C5 nor through a function that returns a literal
  rule(fact.order({ session, sku, qty })).when(leak());
  // @ts-expect-error C6 nor counted
  rule(fact.total({ session, n })).when(receipt.pos({ session }), countOf(candidate.order, { per: { session } }).as(n));
  // @ts-expect-error C7 a proposal does not drive an intent
  rule(intent.offer({ sku, price })).when(proposal.offer({ sku, price }));
  // @ts-expect-error C8 rows of a query do not drive an intent
  rule(intent.pos({ sku })).when(queryresult.impacted({ sku }));
  // @ts-expect-error C9 rows of a query do not support a fact
  rule(fact.quiet({ session })).when(queryresult.impacted({ session }));
  // @ts-expect-error C10 an approval does not make a truth
  rule(fact.hot({ sku })).when(decision.approved.offer({ sku }));
  // @ts-expect-error C11 a rejection is no gate
  rule(intent.pos({ sku })).when(decision.rejected.order({ sku }));
  // @ts-expect-error C12 a view of evidence does not support a fact
  rule(fact.quiet({ session })).when(candidateView.big({ session }));
  // @ts-expect-error C13 a candidate does not stand in an approved view
  rule(approvedView.live({ session })).when(candidate.order({ session }));
  // @ts-expect-error C14 a wish does not support an acceptance
  rule(decision.accepted.order({ sku, qty: 1 })).when(proposal.offer({ sku }));
  // @ts-expect-error C15 a candidate does not drive an intent
  rule(intent.pos({ sku })).when(candidate.order({ sku }));
  // @ts-expect-error C16 an invariant does not read a model's word
  invariant('no silly orders').never(candidate.order({ qty }), gt(qty, 1000));
  // @ts-expect-error C17 any is no literal
  rule(fact.quiet({ session })).when(receipt.pos({ session }), JSON.parse('{}'));
  // @ts-expect-error C18 a widened literal may read anything
  rule(fact.quiet({ session })).when(receipt.pos({ session }), leak() as AnyLit);
  // @ts-expect-error C19 an array is judged element by element
  rule(fact.quiet({ session })).when(receipt.pos({ session }), ...[observation.menu({ sku }), candidate.order({ sku })]);
  // @ts-expect-error C20 a rejected wish is a wish
  rule(decision.accepted.order({ sku, qty: 1 })).when(candidate.order({ sku }), not(decision.rejected.offer({ sku })));
  // @ts-expect-error C21 an aggregate in a comparison is read
  rule(fact.quiet({ session })).when(receipt.pos({ session }), gt(countOf(candidate.order, { per: { session } }), 1));
  // @ts-expect-error C22 an aggregate in an argument in arithmetic is read
  rule(intent.pos({ sku })).when(fact.hot({ sku }), gt(plus(double(countOf(proposal.offer, { per: { sku } })), 1), 1));
  // @ts-expect-error C23 a wish does not reject a candidate
  rule(decision.rejected.order({ sku, qty, reason: 'r' })).when(candidate.order({ sku, qty }), proposal.offer({ sku }));
  // @ts-expect-error C24 a wish takes no decision back
  rule(decision.revoked.offer({ sku, price, reason: 'r' })).when(decision.approved.offer({ sku, price }), proposal.hint({ text: 'undo' }));
  // @ts-expect-error C25 nor does a candidate
  rule(decision.revoked.order({ sku, qty, reason: 'r' })).when(decision.accepted.order({ sku, qty }), candidate.order({ sku }));
  // @ts-expect-error C26 what an act brought back is a candidate
  rule(fact.quiet({ session })).when(candidate.offerResult({ session }));
  // @ts-expect-error C27 an answer permits nothing
  rule(intent.offer({ sku: Sku.parse('x'), price: Cents.parse(1) })).when(confirmed.offer({ answer: 'yes' }));
  // @ts-expect-error C28 an answer is no truth
  rule(fact.hot({ sku: Sku.parse('x') })).when(confirmed.offer({ answer: 'yes' }));
  // @ts-expect-error C29 how a read ended is no truth
  rule(fact.quiet({ session })).when(queryresult.outcome({ session, outcome: 'failed' }));
  // @ts-expect-error C30 a query reads up to candidates
  rule(query.impacted({ sku, service: 'x' })).when(proposal.offer({ sku }));
  // @ts-expect-error C31 a query is read by queries only
  rule(fact.hot({ sku })).when(query.impacted({ sku }));
  // @ts-expect-error C32 an admission is no truth
  rule(fact.hot({ sku })).when(admitted.offer({ sku }));
  // @ts-expect-error C33 an evidence view does not read a query
  rule(candidateView.big({ session })).when(receipt.pos({ session }), query.impacted({}));
  // @ts-expect-error C34 a decision does not read a held card
  rule(decision.rejected.order({ sku, qty, reason: 'r' })).when(candidate.order({ sku, qty }), decision.held.order({ sku }));
  // @ts-expect-error C35 a fact does not read a held card
  rule(fact.hot({ sku })).when(decision.held.order({ sku }));
  // @ts-expect-error C36 an invariant does not read a held card
  invariant('x').never(decision.held.order({ sku }));
  // @ts-expect-error C37 a candidate's view does not read a wish that is held
  rule(candidateView.big({ session })).when(decision.held.offer({ session }));
  // @ts-expect-error C38 what is due is for invariants
  rule(approvedView.live({ session })).when(receipt.pos({ session }), due.offer({}));
  // @ts-expect-error C39 an answer to another source is not read
  rule(decision.rejected.offer({ sku, price, reason: 'r' })).when(proposal.offer({ sku, price }), confirmed.pos({ answer: 'no' }));
  // @ts-expect-error C40 how work went is no truth
  rule(fact.quiet({ session })).when(lifecycle.modelCalled({ session, class: 'failed' }));
  // @ts-expect-error C41 a revocation is no truth
  rule(fact.hot({ sku })).when(decision.revoked.order({ sku }));
  // @ts-expect-error C42 a wish does not support a fact
  rule(fact.hot({ sku })).when(proposal.offer({ sku }));

  // Range restriction.
  // @ts-expect-error S1 a variable of the head is bound
  rule(fact.order({ session, sku, qty })).when(decision.accepted.order({ session, sku }));
  // @ts-expect-error S2 an operand is bound
  rule(fact.quiet({ session })).when(receipt.pos({ session }), gt(n, 2));
  // @ts-expect-error S3 not binds nothing
  rule(fact.quiet({ session })).when(receipt.pos({ session }), not(observation.menu({ sku })));
  // @ts-expect-error S4 one branch of or binds nothing
  rule(fact.hot({ sku })).when(or(observation.menu({ sku }), observation.edge({ from })));
  // @ts-expect-error S5 an empty body binds nothing
  rule(fact.hot({ sku })).when();
  // @ts-expect-error S6 an argument is bound
  rule(fact.order({ session, sku, qty: n })).when(decision.accepted.order({ session, sku }), double(qty).as(n));
  // @ts-expect-error S7 a group is bound
  rule(fact.total({ session, n })).when(receipt.pos({ session }), sumOf(fact.order, { of: 'qty', per: { session, sku } }).as(n));
  // @ts-expect-error S8 an operand of arithmetic is bound
  rule(fact.hot({ sku })).when(observation.menu({ sku }), gt(plus(price, 1), 2));

  // Columns and sorts.
  // @ts-expect-error T1 a brand does not meet another in a head
  rule(fact.quiet({ session: user })).when(receipt.pos({ session }));
  // @ts-expect-error T2 a head gives every column
  rule(fact.order({ session, sku })).when(decision.accepted.order({ session, sku }));
  // @ts-expect-error T3 no rule writes a candidate
  rule(candidate.order({ sku, qty })).when(decision.accepted.order({ sku, qty }));
  // @ts-expect-error T4 a misspelt column
  candidate.order({ skuu: sku });
  // @ts-expect-error T5 a plain string is no branded one
  candidate.order({ sku: 's1' });
  // @ts-expect-error T6 booleans have no order
  gt(open, 1);
  // @ts-expect-error T7 enums have no order
  gt(status, 'new');
  // @ts-expect-error T8 two brands are not compared
  gt(price, n);
  // @ts-expect-error T9 nor for equality
  eq(session, user);
  // @ts-expect-error T10 an argument has its type
  double(price);
  // @ts-expect-error T11 an enum has its members
  queryresult.outcome({ outcome: 'done' });
  // @ts-expect-error T12 an expression is bound before it stands in a column
  observation.menu({ price: sumOf(observation.menu, { of: 'price' }) });
  // @ts-expect-error T13 no such relation
  void decision.accepted.ordr;
  // @ts-expect-error T14 a count is no money
  countOf(fact.order, { per: { session } }).as(total);
  // @ts-expect-error T15 a string has no sum
  sumOf(fact.order, { of: 'sku', per: { session } });
  // @ts-expect-error T16 a head is no rule yet
  ruleset('x', { x: rule(fact.quiet({ session })) });
  // @ts-expect-error T17 a conjunction is not negated
  not(and(observation.menu({ sku }), observation.edge({ from: sku })));
  // @ts-expect-error T18 a misspelt column of a group
  countOf(fact.order, { per: { sesion: session } });
  // @ts-expect-error T19 a brand does not meet another in a group
  countOf(fact.order, { per: { session: user } });
  // @ts-expect-error T20 money times money is nothing
  times(price, price);
  // @ts-expect-error T21 money plus a number is nothing
  plus(price, n);
  // @ts-expect-error T22 oneOf takes members
  oneOf(status, 'new', 'gone');
  // @ts-expect-error T23 a constant has the type of the other side
  eq(open, 'true');
  // @ts-expect-error T24 a stamped column is not declared
  defineOntology({ candidate: { x: { id: z.string() } } });
  // @ts-expect-error T25 nor in an action
  defineOntology({ action: { x: { in: { actor: UserId } } } });
  // @ts-expect-error T26 no rule writes a receipt
  rule(receipt.offer({ sku, price, ref: 'x', act: RowId.parse('r'), outcome: 'succeeded' })).when(observation.menu({ sku, price }));
  // @ts-expect-error T27 no rule writes an answer
  rule(confirmed.offer({ id, reason: 'x', shown: 'y', answer: 'yes' })).when(receipt.offer({ act: id }));
  // @ts-expect-error T28 an action without evidence has no result
  void candidate.posResult;
  // @ts-expect-error T29 a plain proposal has no intent
  void intent.hint;
  // @ts-expect-error T30 a fact has no stamp
  fact.hot({ sku, id });
  // @ts-expect-error T31 a generated column is not declared on what is judged
  defineOntology({ proposal: { x: { reason: z.string() } } });
  // @ts-expect-error T32 nor is shown
  defineOntology({ candidate: { x: recorded({ shown: z.string() }, {}) } });
  // @ts-expect-error T33 a misspelt kind declares nothing
  defineOntology({ facts: { x: { text: z.string() } } });
  // @ts-expect-error T34 a misspelt part of an action declares nothing
  defineOntology({ action: { x: { in: {}, reciept: { text: z.string() } } } });
  // @ts-expect-error T35 a position is only compared
  plus(seq, 1);
  // @ts-expect-error T36 a held card is a status
  rule(decision.held.order({ sku, qty, reason: 'r', shown: 's' })).when(candidate.order({ sku, qty }));
  // @ts-expect-error T37 an answer has no payload
  confirmed.offer({ sku });
  // @ts-expect-error T38 a recorded column is given in the head
  rule(decision.approved.refund({ id, sku, price })).when(proposal.refund({ id, sku, price }));
  // @ts-expect-error T39 a program has a name
  program({ ontologies: [o] });
  // @ts-expect-error T40 a function has a version
  fn('double', [z.int()], z.int(), (x: number) => x * 2);
  // @ts-expect-error T41 facts do not stand together
  together({ sources: [fact.hot] });
  // @ts-expect-error T42 a row has every column
  row(observation.menu, { sku: Sku.parse('tea') });
  // @ts-expect-error T43 a row leaves the stamp in its key out
  row(observation.lane, { session: SessionId.parse('s'), open: true });
  // @ts-expect-error T44 no report has rows of a fact
  row(fact.hot, { sku: Sku.parse('tea') });
  // @ts-expect-error T45 only a keyed observation ends
  ended(observation.edge, { from: Sku.parse('a') });
  // @ts-expect-error T46 an outcome of an act does not expire
  receipt.offer({ outcome: 'expired' });
  // @ts-expect-error T47 a brand does not meet another where it is bound
  plus(price, 1).as(n);
  // @ts-expect-error T48 a query has rules of its own relation
  void query.impactd;
  // @ts-expect-error T49 of two arguments the wrong one errs
  lineTotal(qty, n);
  // @ts-expect-error T50 text is no factor
  times(price, text);

  // Decisions.
  const d = decide('offers', proposal.offer({ sku, price, actor }));
  const dc = decide('orders', candidate.order({ sku, qty }));
  const dr = decide('refunds', proposal.refund({ sku, price, actor }));
  // @ts-expect-error D1 a need is no candidate
  d.needs('ordered', candidate.order({ sku }));
  // @ts-expect-error D2 a need is no proposal
  d.needs('hinted', proposal.hint({ text }));
  // @ts-expect-error D3 a need is no condition
  d.needs('cheap', lt(price, 5));
  // @ts-expect-error D4 what refuses is bound
  d.rejects('too many', gt(qty, 5));
  // @ts-expect-error D5 what is bound later is not bound yet
  d.rejects('below', lt(price, total)).needs('total', fact.spend({ total }));
  // @ts-expect-error D6 an approval needs something
  d.rejects('cheap', lt(price, 5)).otherwiseApproves();
  // @ts-expect-error D7 evidence is no condition of an approval
  d.needsEvidence('ordered', candidate.order({ sku })).otherwiseApproves();
  // @ts-expect-error D8 a proposal is not accepted
  d.needs('menu', observation.menu({ sku })).otherwiseAccepts();
  // @ts-expect-error D9 a candidate is not approved
  dc.needs('menu', observation.menu({ sku })).otherwiseApproves();
  // @ts-expect-error D10 an acceptance needs something
  dc.otherwiseAccepts();
  // @ts-expect-error D11 a wish does not reject a candidate
  dc.rejects('hinted', proposal.hint({ text }));
  // @ts-expect-error D12 a wish is no evidence for a candidate
  dc.needsEvidence('hinted', proposal.hint({ text }));
  // @ts-expect-error D13 a group of a limit is bound
  d.limits('budget', { sum: price, per: { actor: user }, max: 3 });
  // @ts-expect-error D14 a limit has the sort of its sum
  d.needs('n', fact.total({ n })).limits('budget', { sum: price, per: { actor }, max: n });
  // @ts-expect-error D15 what is asked about is bound
  d.asks('above', gt(total, 5));
  // @ts-expect-error D16 evidence does not say who may confirm
  d.asks('above', gt(price, 5), { by: candidate.order({ sku }) });
  // @ts-expect-error D17 who confirms is by
  d.asks('above', gt(price, 5), { by: observation.manager({ user }) });
  // @ts-expect-error D18 an act does not start on evidence
  d.stillNeeds('open', candidate.order({ sku }));
  // @ts-expect-error D19 what was bound at the decision is past
  d.needs('menu', observation.menu({ sku, price: sum })).stillNeeds('same', observation.menu({ sku, price: sum }));
  // @ts-expect-error D20 a fact is not decided
  decide('x', fact.hot({ sku }));
  // @ts-expect-error D21 an outcome is not decided
  decide('x', queryresult.outcome({ outcome: 'failed' }));
  // @ts-expect-error D22 any is no need
  d.needs('x', JSON.parse('{}'));
  // @ts-expect-error D23 any refuses nothing
  d.rejects('x', JSON.parse('{}'));
  // @ts-expect-error D24 a rejection has a condition
  d.rejects('x');
  // @ts-expect-error D25 a group in a rejection is bound
  d.rejects('many', gt(countOf(decision.approved.offer, { per: { actor: user } }), 3));
  // @ts-expect-error D26 not binds nothing in a rejection
  d.rejects('unknown', not(observation.manager({ user })));
  // @ts-expect-error D27 nothing is awaited of a model
  d.awaits('ordered', candidate.order({ sku }));
  // @ts-expect-error D28 an answer about another source is not needed
  dc.needs('confirmed', confirmed.offer({ answer: 'yes' }));
  // @ts-expect-error D29 a need is judged whole
  d.needs('either', Math.random() > 0.5 ? observation.menu({ sku }) : candidate.order({ sku }));
  // @ts-expect-error D30 a candidate is not approved without conditions either
  dc.approvesWithoutConditions('x');
  // @ts-expect-error D31 what is recorded is bound
  dr.records({ day });
  // @ts-expect-error D32 what is recorded was declared
  d.needs('a date', observation.today({ day })).records({ day });
  // @ts-expect-error D33 what was declared is recorded
  dr.needs('menu', observation.menu({ sku })).otherwiseApproves();
  // @ts-expect-error D34 what is recorded has its sort
  dr.needs('menu', observation.menu({ sku, price: sum })).records({ day: sum });
  // @ts-expect-error D35 a limit groups by columns of its source
  d.limits('budget', { sum: price, per: { price2: price }, max: 3 });
  // @ts-expect-error D36 what expires is bound
  d.expires('late', gt(qty, 5));
  // @ts-expect-error D37 a held card is not read
  d.rejects('held', decision.held.offer({ sku }));
  // @ts-expect-error D38 what is due is not needed
  d.needs('due', due.offer({ sku }));
  // @ts-expect-error D39 a query is not read
  d.rejects('query', query.impacted({ sku }));
  // @ts-expect-error D40 what still must hold is bound
  d.stillNeeds('cheap', lt(total, 5));
  // @ts-expect-error D41 after its end a decision has no clauses
  d.approvesWithoutConditions('x').needs('x', observation.menu({ sku }));
  // @ts-expect-error D42 an answer about another source rejects nothing
  d.rejects('declined', confirmed.pos({ answer: 'no' }));
  // @ts-expect-error D43 what is not decided errs once, and none of its clauses
  decide('x', fact.hot({ sku })).needs('menu', observation.menu({ sku })).rejects('many', gt(qty, 5)).otherwiseApproves();
}
void [left, ratio, withdrawn, conflict, req, started];
