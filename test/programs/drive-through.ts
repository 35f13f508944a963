/**
 * A drive-through: what the shopper says becomes order lines, the model may offer extras, and an order goes out when it is confirmed.
 *
 * Gives  the program `app`, its ontology and its brands, for tests of every floor.
 */
import * as z from 'zod';
import {
  always,
  brand,
  decide,
  defineOntology,
  fn,
  gt,
  invariant,
  keyed,
  lt,
  neq,
  program,
  rule,
  ruleset,
  SessionId,
  sumOf,
} from '../../src/index.ts';

export const LineId = brand('LineId', z.string());
export const Sku = brand('Sku', z.string());
export const OfferId = brand('OfferId', z.string());
export const ShopperId = brand('ShopperId', z.string());
export const Cents = brand('Cents', z.int().nonnegative());
const Quantity = z.int().positive();

export const drive = defineOntology({
  scope: { session: SessionId, actor: ShopperId },
  observation: {
    menuItem: keyed({ sku: Sku }, { price: Cents, quantityMax: Quantity }),
    offerFloor: keyed({ sku: Sku }, { floor: Cents }),
    // One row for each session: the stamp is the key.
    lane: keyed({ session: SessionId }, { open: z.boolean() }),
  },
  candidate: { orderParse: { line: LineId, sku: Sku, quantity: Quantity } },
  action: {
    sendOrder: { in: { total: Cents }, receipt: { ticket: z.string() } },
    speakOffer: { in: { offer: OfferId, sku: Sku, price: Cents } },
  },
  fact: {
    orderLine: { session: SessionId, line: LineId, sku: Sku, quantity: Quantity, total: Cents },
    orderTotal: { session: SessionId, total: Cents },
    sold: { session: SessionId, total: Cents },
  },
  candidateView: { oversized: { line: LineId } },
});
const { session, line, sku, quantity, price, total, quantityMax, offer, floor, actor, by } = drive.vars;
const { observation, candidate, proposal, decision, fact, candidateView, receipt, due } = drive;
const ordered = total.as('ordered');
const lineTotal = fn('lineTotal', '1', [Quantity, Cents], Cents, (count, each) => Cents.parse(count * each));

export const parses = decide('parses', candidate.orderParse({ line, sku, quantity }))
  .needs('on the menu', observation.menuItem({ sku, quantityMax }))
  .rejects('more than this item allows', gt(quantity, quantityMax))
  .otherwiseAccepts();

export const orders = ruleset('orders', {
  line: rule(fact.orderLine({ session, line, sku, quantity, total })).when(
    decision.accepted.orderParse({ session, line, sku, quantity }),
    observation.menuItem({ sku, price }),
    lineTotal(quantity, price).as(total),
  ),
  total: rule(fact.orderTotal({ session, total })).when(
    fact.orderLine({ session }),
    sumOf(fact.orderLine, { of: 'total', per: { session } }).as(total),
  ),
  big: rule(candidateView.oversized({ line })).when(candidate.orderParse({ line, quantity }), gt(quantity, 20)),
  sold: rule(fact.sold({ session, total })).when(receipt.sendOrder({ session, total, outcome: 'succeeded' })),
});

/** The shopper confirms one total. It is compared with the order when it is decided, and again when it starts. */
export const sends = decide('sends', proposal.sendOrder({ session, total, actor }))
  .needs('something is ordered', fact.orderTotal({ session, total: ordered }))
  .rejects('not the total of the order', neq(total, ordered))
  .asks('the shopper confirms the total', always, { by: observation.lane({ session, open: true, actor: by }) })
  .stillNeeds('the total is still that', fact.orderTotal({ session, total }))
  .otherwiseApproves();

export const offers = decide('offers', proposal.speakOffer({ session, offer, sku, price }))
  .needs('on the menu', observation.menuItem({ sku }))
  .needs('a floor is set', observation.offerFloor({ sku, floor }))
  .rejects('below the floor', lt(price, floor))
  .limits('three offers a session', { per: { session }, max: 3 })
  .otherwiseApproves();

export const app = program({
  name: 'drive-through',
  ontologies: [drive],
  rules: [parses, orders, sends, offers],
  invariants: [
    invariant('an open offer below the floor').never(
      due.speakOffer({ sku, price }),
      observation.offerFloor({ sku, floor }),
      lt(price, floor),
    ),
    invariant('an order of nothing').never(due.sendOrder({ total: Cents.parse(0) })),
  ],
});
