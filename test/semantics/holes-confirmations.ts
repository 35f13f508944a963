/** Counterexamples about answers: a yes is to one card, on the table, by someone who may give it now. */
import { decide } from '../../dsl/decide.ts';
import { gt } from '../../dsl/literal.ts';
import { bank, bankProgram, boss, fresh, limit, pay, today } from './bank.ts';
import { answers, reports, says, sees } from './driver.ts';
import type { Hole } from './holes.ts';

const { observation, proposal } = bank;
const { id, to, n, most, day, by } = bank.vars;

const asking = bankProgram({
  rules: [
    decide('pay', proposal.pay({ id, to, n }))
      .needs('a limit', observation.limit({ most }))
      .asks('above the limit', gt(n, most), { by: observation.boss({ user: by }) })
      .asks('a new payee', observation.fresh({ to }), { by: observation.boss({ user: by }) })
      .records({ day: 0 })
      .otherwiseApproves(),
  ],
});
const begin = [reports('s', boss('m'), limit(10)), says('s', 'a', pay('x', 60)), sees('card', 'pay', 'a.1', 'above the limit')] as const;

const askingByDay = bankProgram({
  rules: [
    decide('pay', proposal.pay({ id, to, n }))
      .asks('on this day', observation.today({ day }), { by: observation.boss({ user: by }) })
      .records({ day: 0 })
      .approvesWithoutConditions('a person is asked'),
  ],
});

export const confirmationHoles: readonly Hole[] = [
  {
    title: 'a yes to the card on the table lets its clause pass',
    program: asking,
    events: [...begin, answers('card', 'm', 'yes')],
    expected: { statuses: { 'a.1': 'approved' }, ignored: 0 },
  },
  {
    title: 'a no is final, with the question as its reason',
    program: asking,
    events: [...begin, answers('card', 'm', 'no')],
    expected: { statuses: { 'a.1': 'rejected' }, reasons: { 'a.1': ['declined: above the limit'] } },
  },
  {
    title: 'a yes to one question does not answer another that came up meanwhile',
    program: asking,
    events: [...begin, answers('card', 'm', 'yes', fresh('x'))],
    expected: { statuses: { 'a.1': 'held' }, ignored: 0, rows: { 'decision.held.pay': [{ id: 'a.1', reason: 'a new payee' }] } },
  },
  {
    title: 'a card that was answered has left the table: a no after the yes is ignored, while another question is open',
    program: asking,
    events: [...begin, answers('card', 'm', 'yes', fresh('x')), answers('card', 'm', 'no')],
    expected: { statuses: { 'a.1': 'held' }, ignored: 1 },
  },
  {
    title: 'a yes to a card whose values have changed is ignored, and there is a new card',
    program: asking,
    events: [...begin, reports('s', limit(50)), answers('card', 'm', 'yes')],
    expected: { statuses: { 'a.1': 'held' }, ignored: 1 },
  },
  {
    title: 'a value that the question itself looks up is on its card too: a yes of yesterday is to the card of yesterday',
    program: askingByDay,
    events: [
      reports('s', boss('m'), today(1)),
      says('s', 'a', pay('x', 60)),
      sees('yesterday', 'pay', 'a.1'),
      reports('s', today(2)),
      answers('yesterday', 'm', 'yes'),
    ],
    expected: { statuses: { 'a.1': 'held' }, ignored: 1 },
  },
  {
    title: 'a yes before there is a row is ignored, also when its id can be known',
    program: asking,
    events: [
      reports('s', boss('m'), limit(10)),
      sees('card', 'pay', 'a.1', 'above the limit'),
      answers('card', 'm', 'yes'),
      says('s', 'a', pay('x', 60)),
    ],
    expected: { statuses: { 'a.1': 'held' }, ignored: 1 },
  },
  {
    title: 'a yes by someone who may not give it stays nothing when he may later',
    program: asking,
    events: [
      reports('s', limit(10)),
      says('s', 'a', pay('x', 60)),
      sees('card', 'pay', 'a.1'),
      answers('card', 'm', 'yes'),
      reports('s', boss('m')),
    ],
    expected: { statuses: { 'a.1': 'held' }, ignored: 1 },
  },
  {
    title: 'who may answer is asked of the whole report, wherever in it the answer stands',
    program: asking,
    events: [reports('s', limit(10)), says('s', 'a', pay('x', 60)), sees('card', 'pay', 'a.1'), answers('card', 'm', 'yes', boss('m'))],
    expected: { statuses: { 'a.1': 'approved' }, ignored: 0 },
  },
  {
    title: 'the by atoms hold again when the row is judged: a yes of someone who may no longer give it lets nothing pass',
    program: asking,
    events: [
      ...begin,
      answers('card', 'm', 'yes', fresh('x')),
      { observe: { session: 's', actor: 's', reports: [{ rows: [], ends: [boss('m')] }] } },
      sees('again', 'pay', 'a.1', 'above the limit'),
    ],
    expected: { statuses: { 'a.1': 'held' }, rows: { 'decision.held.pay': [{ reason: 'a new payee' }, { reason: 'above the limit' }] } },
  },
  {
    title: 'an answer after the final decision is kept, without effect',
    program: asking,
    events: [...begin, answers('card', 'm', 'no'), answers('card', 'm', 'yes')],
    expected: { statuses: { 'a.1': 'rejected' }, ignored: 1 },
  },
  {
    title: 'a role ends with its key: a boss who is reported twice is one row, and none after its end',
    program: asking,
    events: [
      reports('s', boss('m')),
      reports('s', boss('m')),
      { observe: { session: 's', actor: 's', reports: [{ rows: [], ends: [boss('m')] }] } },
    ],
    expected: { rows: { 'observation.boss': [] } },
  },
];
