/**
 * The policy of a drive-through: what may be ordered, what may be offered, and who confirms.
 *
 * Reads  nothing; it is data until it is loaded.
 * Gives  the relations (`drive`), the parts of the program, and the program (`policy`).
 * Never  calls the till or the speaker: what is decided here is carried out elsewhere, once it is admitted.
 */
import * as z from 'zod';
import {
  ActorId,
  brand,
  decide,
  defineOntology,
  gt,
  invariant,
  keyed,
  lt,
  not,
  program,
  RowId,
  rule,
  ruleset,
  times,
} from '../../src/index.ts';

export const Sku = brand('Sku', z.string());
export const LineId = brand('LineId', z.string());
export const Cents = brand('Cents', z.int().nonnegative());
const Quantity = z.int().positive();

export const drive = defineOntology({
  observation: {
    said: { text: z.string() },
    menuItem: keyed({ sku: Sku }, { price: Cents, mostPerOrder: Quantity }),
    offerFloor: keyed({ sku: Sku }, { floor: Cents }),
    atWindow: keyed({}, { guest: ActorId }),
  },
  // What a model heard, and what it wishes to do about it.
  candidate: { orderParse: { line: LineId, sku: Sku, qty: Quantity } },
  action: {
    // The wish has no price: the price is the menu's, and is kept with the approval.
    sendOrder: {
      in: { line: LineId, sku: Sku, qty: Quantity },
      records: { price: Cents },
      receipt: { ticket: z.string(), charged: Cents },
    },
    speakOffer: { in: { sku: Sku, price: Cents } },
  },
  fact: {
    orderLine: { line: LineId, sku: Sku, qty: Quantity },
    sold: { line: LineId, sku: Sku, qty: Quantity, charged: Cents },
  },
  proposalView: { onScreen: { wish: RowId, line: LineId, sku: Sku, qty: Quantity, total: Cents } },
});

const { observation, candidate, proposal, decision, proposalView, started, due, receipt, fact } = drive;
const { id, act, line, sku, qty, price, mostPerOrder, total, floor, charged, by } = drive.vars;

/** What was heard is taken down when the menu has it and one order may hold so much of it. */
const parses = decide('parses', candidate.orderParse({ line, sku, qty }))
  .needs('not on the menu', observation.menuItem({ sku, mostPerOrder }))
  .rejects('more than one order may hold', gt(qty, mostPerOrder))
  .otherwiseAccepts();

/** An order goes out as it was taken down, at the price that was true when it was approved and still is when it starts. */
const orders = decide('orders', proposal.sendOrder({ line, sku, qty }))
  .needs('not on the menu', observation.menuItem({ sku, price, mostPerOrder }))
  .records({ price })
  .rejects('more than one order may hold', gt(qty, mostPerOrder))
  .awaits('the order is taken down', fact.orderLine({ line, sku, qty }))
  .asks('above 20.00 the guest confirms', gt(times(price, qty), 2_000), { by: observation.atWindow({ guest: by }) })
  .stillNeeds('the price is still that', observation.menuItem({ sku, price }))
  .otherwiseApproves();

const offers = decide('offers', proposal.speakOffer({ sku, price }))
  .needs('no floor is set', observation.offerFloor({ sku, floor }))
  .rejects('below the floor', lt(price, floor))
  .otherwiseApproves();

const books = ruleset('books', {
  line: rule(fact.orderLine({ line, sku, qty })).when(decision.accepted.orderParse({ line, sku, qty })),
  sold: rule(fact.sold({ line, sku, qty, charged })).when(receipt.sendOrder({ line, sku, qty, charged, outcome: 'succeeded' })),
});

/** What the crew sees: every wish with its total at today's price, decided or not. */
const screen = ruleset('screen', {
  wishes: rule(proposalView.onScreen({ wish: id, line, sku, qty, total })).when(
    proposal.sendOrder({ id, line, sku, qty }),
    observation.menuItem({ sku, price }),
    times(price, qty).as(total),
  ),
});

export const parts = {
  name: 'drive-through',
  ontologies: [drive],
  rules: [parses, orders, offers, books, screen],
  invariants: [
    invariant('a receipt of an order that was never started').never(receipt.sendOrder({ act }), not(started.sendOrder({ id: act }))),
    invariant('more is due than one order may hold').never(
      due.sendOrder({ sku, qty }),
      observation.menuItem({ sku, mostPerOrder }),
      gt(qty, mostPerOrder),
    ),
    invariant('an offer is due below the floor').never(
      due.speakOffer({ sku, price }),
      observation.offerFloor({ sku, floor }),
      lt(price, floor),
    ),
  ],
};

export const policy = program(parts);
