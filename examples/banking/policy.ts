/**
 * The policy of a bank whose customers let an assistant act for them: what it may do by itself, what it asks, what it never does.
 *
 * Reads  nothing; it is data until it is loaded. What the assistant wants to do comes as proposals, everything else from the bank.
 * Gives  the relations (`bank`), the bank's own settings (`settings`), and the program (`policy`).
 * Never  asks what a text means. It asks who wrote it: the customer, the bank's books, or somebody else.
 */
import * as z from 'zod';
import {
  ActorId,
  and,
  brand,
  decide,
  defineOntology,
  eq,
  fn,
  gt,
  gte,
  keyed,
  lt,
  maxOf,
  neq,
  not,
  or,
  program,
  rule,
  ruleset,
  SessionId,
  times,
} from '../../src/index.ts';

const Text = z.string();
export const Cents = brand('Cents', z.int().nonnegative());
/** A number in the bank's books: of a payment, or of a standing order. */
export const Entry = brand('Entry', z.int());
const Day = z.int();

export const bank = defineOntology({
  observation: {
    // What the customer asked for. A session is one request; `said` tells which values stand in it, word for word.
    request: { text: Text },
    said: { value: Text },
    saidSum: { amount: Cents },
    mentioned: { entry: Entry },
    // What others wrote: files that were read, and the titles that payers give to incoming payments. `source` is its name.
    read: { value: Text, source: Text },
    readSum: { amount: Cents, source: Text },
    mentionedIn: { entry: Entry, source: Text },
    // The bank's books. Titles of outgoing payments are the customer's words, from an earlier day.
    paid: keyed({ entry: Entry }, { recipient: Text, amount: Cents }),
    titled: { entry: Entry, value: Text },
    received: keyed({ entry: Entry }, { sender: Text, amount: Cents }),
    standing: keyed({ entry: Entry }, { recipient: Text, amount: Cents, repeats: z.boolean() }),
    profile: keyed({}, { firstName: Text, lastName: Text, street: Text, city: Text }),
    account: keyed({}, { balance: Cents }),
    customer: keyed({}, { person: ActorId }),
    setting: keyed({}, { perDay: Cents }),
    today: keyed({}, { day: Day }),
  },
  // What an assistant can wish for. A change names everything as it would be afterwards, so that a card shows it whole.
  action: {
    pay: {
      in: { recipient: Text, amount: Cents, timing: z.enum(['now', 'later', 'repeatedly']), title: Text, date: Text },
      records: { day: Day },
    },
    changeOrder: { in: { entry: Entry, recipient: Text, amount: Cents, repeats: z.boolean(), title: Text, date: Text } },
    changeDetails: { in: { firstName: Text, lastName: Text, street: Text, city: Text } },
    changePassword: { in: { password: Text } },
  },
  fact: {
    own: { session: SessionId, value: Text },
    told: { session: SessionId, value: Text },
    concerned: { session: SessionId, entry: Entry },
    writer: { sender: Text },
    usual: { recipient: Text, amount: Cents },
    named: { session: SessionId, recipient: Text },
    agreed: { session: SessionId, recipient: Text, amount: Cents },
    grounds: { session: SessionId, recipient: Text, amount: Cents },
    most: { session: SessionId, recipient: Text, most: Cents },
  },
});

const { observation, proposal, decision, fact } = bank;
const { session, value, source, entry, sender, recipient, amount, most, timing, title, date, repeats, person } = bank.vars;
const { firstName, lastName, street, city, password, balance, perDay, day } = bank.vars;
const theCustomer = observation.customer({ person: person.as('by') });
const before = { recipient: recipient.as('oldRecipient'), amount: amount.as('oldAmount'), repeats: repeats.as('repeated') };
const old = {
  firstName: firstName.as('oldFirst'),
  lastName: lastName.as('oldLast'),
  street: street.as('oldStreet'),
  city: city.as('oldCity'),
};

/** The bank's settings, reported once; a customer may set a lower one. */
export const settings = { perDay: Cents.parse(2_000_00) };

const looksLikeAccount = fn('looksLikeAccount', '1', [Text], z.boolean(), (text) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text));
const isStrong = fn('isStrong', '1', [Text], z.boolean(), (text) => text.length >= 8 && /\d/.test(text) && /\p{L}/u.test(text));

const words = ruleset('words', {
  /** The customer's own words: said, and in nothing that somebody else wrote. What stands in both may have been slipped in. */
  own: rule(fact.own({ session, value })).when(observation.said({ session, value }), not(observation.read({ session, value }))),

  /** What the customer said, and what stands in a file that the customer named. */
  said: rule(fact.told({ session, value })).when(observation.said({ session, value })),
  inNamedFile: rule(fact.told({ session, value })).when(
    observation.said({ session, value: source }),
    observation.read({ session, value, source }),
  ),

  /** Standing orders that the request is about: mentioned by the customer, or by a file that the customer named. */
  concerned: rule(fact.concerned({ session, entry })).when(observation.mentioned({ session, entry })),
  concernedByFile: rule(fact.concerned({ session, entry })).when(
    observation.said({ session, value: source }),
    observation.mentionedIn({ session, entry, source }),
  ),
});

const sums = ruleset('sums', {
  /** Whoever sends a payment writes its title, and the assistant reads titles: such people can talk to it. */
  writer: rule(fact.writer({ sender })).when(observation.received({ sender })),

  /** What a recipient is used to: what the customer paid to its account number, or under its name in the title. */
  paid: rule(fact.usual({ recipient, amount })).when(observation.paid({ recipient, amount }), not(fact.writer({ sender: recipient }))),
  paidAs: rule(fact.usual({ recipient, amount })).when(
    observation.titled({ value: recipient, entry }),
    observation.paid({ entry, amount }),
    eq(looksLikeAccount(recipient), false),
  ),
  /** A writer is used to no more than what it sent itself: all it can talk the assistant into is its own money back. */
  received: rule(fact.usual({ recipient, amount })).when(observation.received({ sender: recipient, amount })),

  /** Named: the customer said who, and has dealt with them before. */
  named: rule(fact.named({ session, recipient })).when(observation.said({ session, value: recipient }), fact.usual({ recipient })),
  /** Agreed: the customer said who and how much; or how much, and exactly that came from there. */
  agreed: rule(fact.agreed({ session, recipient, amount })).when(
    fact.own({ session, value: recipient }),
    observation.saidSum({ session, amount }),
  ),
  givenBack: rule(fact.agreed({ session, recipient, amount })).when(
    observation.saidSum({ session, amount }),
    observation.received({ sender: recipient, amount }),
  ),

  /** Every sum that speaks for paying a recipient in this request; the largest is the most that it gets in it. */
  bySaying: rule(fact.grounds({ session, recipient, amount })).when(
    observation.said({ session, value: recipient }),
    observation.saidSum({ session, amount }),
  ),
  byHabit: rule(fact.grounds({ session, recipient, amount })).when(observation.request({ session }), fact.usual({ recipient, amount })),
  byFile: rule(fact.grounds({ session, recipient, amount })).when(
    observation.said({ session, value: source }),
    observation.read({ session, value: recipient, source }),
    observation.readSum({ session, amount, source }),
  ),
  most: rule(fact.most({ session, recipient, most })).when(
    fact.grounds({ session, recipient }),
    maxOf(fact.grounds, { of: 'amount', per: { session, recipient } }).as(most),
  ),
});

/** Money goes to whom the customer named, up to what was said or is usual. A recipient from a file is asked about, any other refused. */
const payments = decide('payments', proposal.pay({ session, recipient, amount, timing, title, date }))
  .needs('nothing that you said, paid or named has this recipient', fact.most({ session, recipient, most }))
  .needs('no daily limit is set', observation.setting({ perDay }))
  .needs('nobody says what day it is', observation.today({ day }))
  .records({ day })
  .rejects('neither an account number nor somebody you paid', not(fact.usual({ recipient })), eq(looksLikeAccount(recipient), false))
  .limits('more in all than you said, or than they usually get', { sum: amount, per: { session, recipient }, max: most })
  .limits('above the daily limit', { sum: amount, per: { day }, max: perDay })
  .asks('you did not name this recipient', and(not(fact.named({ session, recipient })), not(fact.agreed({ session, recipient, amount }))), {
    by: theCustomer,
  })
  .asks('paid once already in this request', decision.approved.pay({ session, recipient, amount }), { by: theCustomer })
  .asks('repeats, to somebody who writes to you', and(eq(timing, 'repeatedly'), fact.writer({ sender: recipient })), { by: theCustomer })
  .stillNeeds('there is enough in the account', observation.account({ balance }), or(neq(timing, 'now'), gte(balance, amount)))
  .otherwiseApproves();

/** A standing order that the request is about may change its amount by a quarter. Its recipient changes only as the customer said. */
const orders = decide('orders', proposal.changeOrder({ session, entry, recipient, amount, repeats, title, date }))
  .needs('there is no such standing order', observation.standing({ entry, ...before }))
  .needs('your request is not about this standing order', fact.concerned({ session, entry }))
  .rejects(
    'nothing that you said or named has this recipient',
    neq(recipient, before.recipient),
    not(fact.told({ session, value: recipient })),
  )
  .asks(
    'another recipient, and not in your words alone',
    and(neq(recipient, before.recipient), not(fact.own({ session, value: recipient }))),
    { by: theCustomer },
  )
  .asks(
    'more than a quarter up or down, and you did not say the amount',
    and(
      or(gt(times(amount, 4), times(before.amount, 5)), lt(times(amount, 4), times(before.amount, 3))),
      not(observation.saidSum({ session, amount })),
    ),
    { by: theCustomer },
  )
  .asks('starts or stops to repeat', neq(repeats, before.repeats), { by: theCustomer })
  .asks('changed once already in this request', decision.approved.changeOrder({ session, entry }), { by: theCustomer })
  .stillNeeds('the standing order is still there', observation.standing({ entry }))
  .otherwiseApproves();

/** An address is taken from the customer's words; from a named file it is asked about. A name is always asked about. */
const details = decide('details', proposal.changeDetails({ session, firstName, lastName, street, city }))
  .needs('there is no such customer', observation.profile(old))
  .rejects('nothing that you said or named has this street', neq(street, old.street), not(fact.told({ session, value: street })))
  .rejects('nothing that you said or named has this city', neq(city, old.city), not(fact.told({ session, value: city })))
  .asks(
    'an address that is not in your words alone',
    or(
      and(neq(street, old.street), not(fact.own({ session, value: street }))),
      and(neq(city, old.city), not(fact.own({ session, value: city }))),
    ),
    { by: theCustomer },
  )
  .asks('another name', or(neq(firstName, old.firstName), neq(lastName, old.lastName)), { by: theCustomer })
  .otherwiseApproves();

/** A password is the customer's own word, or nothing. */
const passwords = decide('passwords', proposal.changePassword({ session, password }))
  .needs('you did not say this password', observation.said({ session, value: password }))
  .rejects('too weak: at least 8 characters with a letter and a digit', eq(isStrong(password), false))
  .asks('this password also stands in something that others wrote', not(fact.own({ session, value: password })), { by: theCustomer })
  .otherwiseApproves();

export const policy = program({ name: 'bank', ontologies: [bank], rules: [words, sums, payments, orders, details, passwords] });
