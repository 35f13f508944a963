import * as z from 'zod';
import { brand } from '../../dsl/value.ts';
import { keyed } from '../../dsl/shape.ts';
import { defineOntology } from '../../dsl/ontology.ts';
import { decide } from '../../dsl/decide.ts';
import { invariant, rule, ruleset } from '../../dsl/rule.ts';
import { program } from '../../dsl/program.ts';
import { row } from '../../dsl/report.ts';
import { sumOf } from '../../dsl/aggregate.ts';
import { gt, not, oneOf } from '../../dsl/literal.ts';
import { minus } from '../../dsl/term.ts';
import { irOf } from '../../dsl/ir.ts';

const Cents = brand('Cents', z.int().nonnegative());
const [OrderId, UserId, SessionId, Day] = [brand('OrderId', z.string()), brand('UserId', z.string()), brand('SessionId', z.string()), brand('Day', z.string())];

export const shop = defineOntology({
  scope: { session: SessionId, actor: UserId },
  observation: {
    order: keyed({ order: OrderId }, { user: UserId, state: z.enum(['placed', 'delivered', 'returned']), paid: Cents }),
    refundLimit: keyed({}, { perDay: Cents }), manager: keyed({ user: UserId }, {}), today: keyed({}, { day: Day }), shopOpen: keyed({}, { open: z.boolean() }),
    said: { text: z.string() },
  },
  candidate: { address: { order: OrderId, street: z.string() } },
  proposal: { note: { text: z.string() } },
  action: { refund: { in: { order: OrderId, amount: Cents }, records: { day: Day }, receipt: { providerRef: z.string() }, evidence: { message: z.string() } } },
  fact: { shipTo: { order: OrderId, street: z.string() }, refundable: { order: OrderId, left: Cents } },
  query: { ordersOf: { in: { user: UserId }, out: { order: OrderId } } },
});
const { id, order, amount, actor, user, state, paid, perDay, day, by, street, left } = shop.vars;
const done = amount.as('done');
const { observation, proposal, candidate, decision, receipt, fact, query } = shop;

export const refunds = decide('refunds', proposal.refund({ order, amount, actor }))
  .needs('the order is yours', observation.order({ order, user: actor, state, paid }))
  .needs('a limit is set', observation.refundLimit({ perDay }))
  .awaits('a date', observation.today({ day })).records({ day })
  .rejects('not delivered or returned', not(oneOf(state, 'delivered', 'returned')))
  .limits('more than was paid', { sum: amount, per: { order }, max: paid })
  .limits('daily budget', { sum: amount, per: { actor, day }, max: perDay })
  .asks('above 100 EUR', gt(amount, 10_000), { by: observation.manager({ user: by }) })
  .stillNeeds('the shop is open', observation.shopOpen({ open: true }))
  .otherwiseApproves();

export const addresses = decide('addresses', candidate.address({ order, street, actor }))
  .needs('the order is yours', observation.order({ order, user: actor }))
  .otherwiseAccepts();

export const books = ruleset('books', {
  shipTo: rule(fact.shipTo({ order, street })).when(decision.accepted.address({ order, street })),
  left: rule(fact.refundable({ order, left }))
    .when(observation.order({ order, paid }), sumOf(receipt.refund, { of: 'amount', per: { order, outcome: 'succeeded' } }).as(done), minus(paid, done).as(left)),
  shouting: rule(decision.rejected.refund({ id, order, amount, reason: 'the shopper shouted' })).when(proposal.refund({ id, order, amount, actor }), observation.said({ actor, text: 'REFUND NOW' })),
});

export const orders = ruleset('ordersOf', { all: rule(query.ordersOf({ user, order })).when(observation.order({ order, user })) });

export const app = program({ name: 'shop', ontologies: [shop], rules: [refunds, addresses, books], queries: [orders], invariants: [
  invariant('an open refund above the limit').never(shop.due.refund({ amount }), observation.refundLimit({ perDay }), gt(amount, perDay))] });
export const r = row(shop.observation.order, { order: OrderId.parse('o1'), user: UserId.parse('u'), state: 'placed', paid: Cents.parse(5) });
export const c = row(shop.confirmed.refund, { id: 'x' as never, reason: 'x', shown: 'y', answer: 'yes' });
if (process.argv[2]) console.log(JSON.stringify(irOf(app), null, 1), r, c);
