/**
 * A shop that refunds: an action with a daily budget, confirmations above an amount, and a fact from a candidate.
 *
 * Gives  the program `app`, its ontology and its brands, for tests of every floor.
 */
import * as z from 'zod';
import { brand, decide, defineOntology, gt, invariant, keyed, minus, not, oneOf, program, rule, ruleset, sumOf } from '../../src/index.ts';

export const Cents = brand('Cents', z.int().nonnegative());
export const OrderId = brand('OrderId', z.string());
export const UserId = brand('UserId', z.string());
export const SessionId = brand('SessionId', z.string());
export const Day = brand('Day', z.string());

export const shop = defineOntology({
  scope: { session: SessionId, actor: UserId },
  observation: {
    order: keyed({ order: OrderId }, { user: UserId, state: z.enum(['placed', 'delivered', 'returned']), paid: Cents }),
    refundLimit: keyed({}, { perDay: Cents }),
    manager: keyed({ user: UserId }, {}),
    today: keyed({}, { day: Day }),
    shopOpen: keyed({}, { open: z.boolean() }),
    said: { text: z.string() },
  },
  candidate: { address: { order: OrderId, street: z.string() } },
  proposal: { note: { text: z.string() } },
  action: {
    refund: {
      in: { order: OrderId, amount: Cents },
      records: { day: Day },
      receipt: { providerRef: z.string() },
      evidence: { message: z.string() },
    },
  },
  fact: {
    refunded: { order: OrderId, amount: Cents },
    refundable: { order: OrderId, left: Cents },
    shipTo: { order: OrderId, street: z.string() },
  },
  query: { ordersOf: { in: { user: UserId }, out: { order: OrderId } } },
});
const { id, order, amount, actor, user, state, paid, perDay, day, by, text, street, left } = shop.vars;
const { observation, proposal, candidate, decision, receipt, fact, query, due } = shop;
const done = amount.as('done');

export const refunds = decide('refunds', proposal.refund({ order, amount, actor }))
  .needs('the order is yours', observation.order({ order, user: actor, state, paid }))
  .needs('a limit is set', observation.refundLimit({ perDay }))
  .awaits('a date', observation.today({ day }))
  .records({ day })
  .rejects('not delivered or returned', not(oneOf(state, 'delivered', 'returned')))
  .limits('more than was paid', { sum: amount, per: { order }, max: paid })
  .limits('daily budget', { sum: amount, per: { actor, day }, max: perDay })
  .asks('above 100 EUR', gt(amount, 10_000), { by: observation.manager({ user: by }) })
  .stillNeeds('the shop is open', observation.shopOpen({ open: true }))
  .otherwiseApproves();

export const notes = decide('notes', proposal.note({ text })).approvesWithoutConditions('a note is read by nobody but its author');

export const addresses = decide('addresses', candidate.address({ order, street, actor }))
  .needs('the order is yours', observation.order({ order, user: actor }))
  .otherwiseAccepts();

export const books = ruleset('books', {
  refunded: rule(fact.refunded({ order, amount })).when(receipt.refund({ order, amount, outcome: 'succeeded' })),
  left: rule(fact.refundable({ order, left })).when(
    observation.order({ order, paid }),
    sumOf(receipt.refund, { of: 'amount', per: { order, outcome: 'succeeded' } }).as(done),
    minus(paid, done).as(left),
  ),
  shipTo: rule(fact.shipTo({ order, street })).when(decision.accepted.address({ order, street })),
  // A verdict written by hand, beside those of the clauses.
  shouting: rule(decision.rejected.refund({ id, order, amount, reason: 'the shopper shouted' })).when(
    proposal.refund({ id, order, amount, actor }),
    observation.said({ actor, text: 'REFUND NOW' }),
  ),
});

export const orders = ruleset('ordersOf', { all: rule(query.ordersOf({ user, order })).when(observation.order({ order, user })) });

export const app = program({
  name: 'shop',
  ontologies: [shop],
  rules: [refunds, notes, addresses, books],
  queries: [orders],
  invariants: [
    invariant('an open refund above the limit').never(due.refund({ amount }), observation.refundLimit({ perDay }), gt(amount, perDay)),
  ],
});
