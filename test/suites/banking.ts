/**
 * Banking: the records of a customer's account, and an assistant with tools that read and write them.
 *
 * Reads  the bank's records, the request, and the texts that the assistant was shown.
 * Gives  the rows of `examples/banking/policy.ts`, and each call to a writing tool as one of its wishes.
 * Never  reads the results of tools that list the bank's own records: the records themselves are reported. (In the recorded runs such a
 *        result may show an entry as it is after a write that comes later.) Of an incoming payment the title alone is a stranger's text.
 */
import * as z from 'zod';
import { ActorId, row, type ReportRow } from '../../src/index.ts';
import { bank, Cents, Entry, policy, settings } from '../../examples/banking/policy.ts';
import type { Args, Call } from './case.ts';
import type { Heard, Opened, Suite, Text } from './suite.ts';
import { mentions, stands, sumsIn } from './texts.ts';

const Payment = z.object({
  id: z.int(),
  sender: z.string(),
  recipient: z.string(),
  amount: z.number(),
  subject: z.string(),
  date: z.string(),
  recurring: z.boolean(),
});
const Records = z.object({
  bank_account: z.object({ balance: z.number(), transactions: z.array(Payment), scheduled_transactions: z.array(Payment) }),
  user_account: z.object({ first_name: z.string(), last_name: z.string(), street: z.string(), city: z.string() }),
});
type Records = z.output<typeof Records>;
const PERSON = 'customer';

export const banking: Suite = {
  name: 'banking',
  program: policy,
  files: ['agentdojo/v1.2.2/banking.json', 'agentdojo/v1/banking.json'],
  person: PERSON,
  open: (environment) => opened(Records.parse(environment)),
};

function opened(records: Records): Opened {
  const { transactions, scheduled_transactions: orders } = records.bank_account;
  const incoming = transactions.filter(({ recipient }) => recipient === 'me');
  const outgoing = transactions.filter(({ recipient }) => recipient !== 'me');
  return {
    books: booksOf(records, incoming, outgoing),
    texts: incoming.map(({ id, subject }) => ({ source: `title of payment ${id}`, text: subject })),
    shows: ({ tool, args }, text) => (tool === 'read_file' ? [{ source: String(args['file_path']), text }] : []),
    wish: (call) => wishOf(call, records),
    origins: (heard, values) => [
      ...saidOf(heard, values, orders),
      ...heard.texts.flatMap((text) => readOf(text, values, orders)),
      ...outgoing.flatMap(({ id, subject }) =>
        values.filter((value) => stands(subject, value)).map((value) => row(bank.observation.titled, { entry: Entry.parse(id), value })),
      ),
    ],
  };
}

type Payments = Records['bank_account']['transactions'];

function booksOf({ bank_account, user_account }: Records, incoming: Payments, outgoing: Payments): readonly ReportRow[] {
  const { observation } = bank;
  const { first_name: firstName, last_name: lastName, street, city } = user_account;
  const money = (amount: number) => Cents.parse(Math.round(amount * 100));
  return [
    ...outgoing.map(({ id, recipient, amount }) => row(observation.paid, { entry: Entry.parse(id), recipient, amount: money(amount) })),
    ...incoming.map(({ id, sender, amount }) => row(observation.received, { entry: Entry.parse(id), sender, amount: money(amount) })),
    ...bank_account.scheduled_transactions.map(({ id, recipient, amount, recurring }) =>
      row(observation.standing, { entry: Entry.parse(id), recipient, amount: money(amount), repeats: recurring }),
    ),
    row(observation.profile, { firstName, lastName, street, city }),
    row(observation.account, { balance: money(bank_account.balance) }),
    row(observation.customer, { person: ActorId.parse(PERSON) }),
    row(observation.setting, settings),
    row(observation.today, { day: 1 }),
  ];
}

/** What stands in the request: values of a wish, names of what was read, sums, and standing orders that it speaks of. */
function saidOf({ prompt, texts }: Heard, values: readonly string[], orders: Payments): readonly ReportRow[] {
  const { observation } = bank;
  return [
    row(observation.request, { text: prompt }),
    ...[...values, ...texts.map(({ source }) => source)]
      .filter((value) => stands(prompt, value))
      .map((value) => row(observation.said, { value })),
    ...sumsIn(prompt).map((amount) => row(observation.saidSum, { amount: Cents.parse(amount) })),
    ...spokenOf(prompt, orders).map((entry) => row(observation.mentioned, { entry })),
  ];
}

function readOf({ source, text }: Text, values: readonly string[], orders: Payments): readonly ReportRow[] {
  const { observation } = bank;
  return [
    ...values.filter((value) => stands(text, value)).map((value) => row(observation.read, { value, source })),
    ...sumsIn(text).map((amount) => row(observation.readSum, { amount: Cents.parse(amount), source })),
    ...spokenOf(text, orders).map((entry) => row(observation.mentionedIn, { entry, source })),
  ];
}

function spokenOf(text: string, orders: Payments) {
  return orders.filter(({ recipient, subject }) => stands(text, recipient) || mentions(text, subject)).map(({ id }) => Entry.parse(id));
}

/** A call as it comes from a model: nothing is checked here, since the world does that. A change is filled up with what is there now. */
function wishOf({ tool, args }: Call, { bank_account, user_account }: Records): ReportRow | undefined {
  const title = args['subject'] ?? '';
  const { date = '' } = args;
  switch (tool) {
    case 'send_money':
    case 'schedule_transaction': {
      const timing = tool === 'send_money' ? 'now' : args['recurring'] === true ? 'repeatedly' : 'later';
      return wish('pay', { recipient: args['recipient'], amount: hundredths(args['amount']), timing, title, date });
    }
    case 'update_scheduled_transaction': {
      const order = bank_account.scheduled_transactions.find(({ id }) => id === args['id']);
      const { id: entry, recipient, amount, recurring: repeats, subject, ...rest } = { ...order, ...given(args) } as Args;
      return wish('changeOrder', { entry, recipient, amount: hundredths(amount), repeats, title: subject, date: rest['date'] });
    }
    case 'update_user_info': {
      const { first_name: firstName, last_name: lastName, street, city } = { ...user_account, ...given(args) } as Args;
      return wish('changeDetails', { firstName, lastName, street, city });
    }
    case 'update_password':
      return wish('changePassword', { password: args['password'] });
    default:
      return undefined;
  }
}

function wish(action: string, columns: Args): ReportRow {
  // What a model gives may be anything; the world takes it whole or refuses it.
  return { relation: `proposal.${action}`, columns: columns as ReportRow['columns'] };
}

/** Null stands for "as it is". */
function given(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** A sum that is no whole number of hundredths stays what it is, and is refused as malformed. */
function hundredths(amount: unknown): unknown {
  const [exact, rounded] = [Number(amount) * 100, Math.round(Number(amount) * 100)];
  return typeof amount === 'number' && Math.abs(exact - rounded) < 1e-6 ? rounded : amount;
}
