/**
 * A policy of a chosen size: 100 relations, 20 of them actions; rules of the shapes that applications write, and a decide for each source.
 *
 * Reads  how many rules and decides are wanted; at most 50 decides, since a source has one.
 * Gives  a program that loads.
 * Never  draws at random: the same numbers give the same program.
 */
import * as z from 'zod';
import * as face from '../src/index.ts';

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call -- a relation that is named by a number has no type */
/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-return -- as above */
/* eslint-disable @typescript-eslint/no-unsafe-member-access -- as above */
const { and, countOf, decide, defineOntology, gt, lt, minus, not, oneOf, or, plus, rule, ruleset, sumOf } = face as any;
const { brand, keyed } = face;
const [Item, User, Session, Day] = ['Item', 'User', 'Session', 'Day'].map((name) => brand(name, z.string()));
const Cents = brand('Cents', z.int().nonnegative());
const state = z.enum(['new', 'paid']);

function many<T>(count: number, of: (i: number) => readonly [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)));
}

const shop = defineOntology({
  scope: { session: Session, actor: User },
  observation: {
    ...many(25, (i) => [
      `seen${i}`,
      keyed({ [`item${i}`]: Item } as never, { user: User, [`price${i}`]: Cents, [`count${i}`]: z.int(), state } as never),
    ]),
    today: keyed({}, { day: Day } as never),
    budget: keyed({}, { most: Cents }),
    manager: keyed({ user: User } as never, {}),
    open: keyed({}, { isOpen: z.boolean() }),
    said: { text: z.string() },
  },
  candidate: many(15, (i) => [`heard${i}`, { [`item${i}`]: Item, [`count${i}`]: z.int(), [`note${i}`]: z.string() }]),
  proposal: many(15, (i) => [`wish${i}`, { [`item${i}`]: Item, [`price${i}`]: Cents }]),
  action: many(20, (i) => [
    `pay${i}`,
    {
      in: { [`item${i}`]: Item, [`price${i}`]: Cents },
      ...(i % 2 === 0 ? { records: { day: Day } } : {}),
      receipt: { [`ref${i}`]: z.string() },
      evidence: { [`reply${i}`]: z.string() },
    },
  ]),
  fact: {
    ...many(15, (i) => [`known${i}`, { [`item${i}`]: Item, [`count${i}`]: z.int() }]),
    ...many(5, (i) => [`total${i}`, { user: User, [`price${i}`]: Cents }]),
  },
});
const double = face.fn('double', '1', [z.int()], z.int(), (count) => 2 * count) as unknown as (count: unknown) => {
  as: (other: unknown) => unknown;
};

export function policyOf(rules: number, decides: number): unknown {
  return face.program({
    name: 'policy',
    ontologies: [shop],
    rules: [
      ruleset(
        'rules',
        many(rules, (i) => [`rule${i}`, ruleOf(i)]),
      ),
      ...Array.from({ length: decides }, (_, i) => decideOf(i)),
    ],
  });
}

function ruleOf(index: number): unknown {
  const { observation, candidate, proposal, decision, fact, intent, receipt, vars } = shop;
  const [i, j, k] = [index % 15, Math.floor(index / 8) % 25, index % 5];
  const [item, price, count] = [vars[`item${i}`], vars[`price${i}`], vars[`count${i}`]];
  const heard = { [`item${i}`]: item, [`count${i}`]: count };
  const paid = { [`item${i}`]: item, [`price${i}`]: price };
  const seen = (columns: object = {}) => observation[`seen${j}`]({ [`item${j}`]: item, ...columns });
  const known = fact[`known${i}`];
  const judged = { id: vars.id, reason: `r${index}` };
  const shapes: (() => unknown)[] = [
    () => rule(known(heard)).when(decision.accepted[`heard${i}`](heard), gt(count, index)),
    () =>
      rule(known({ ...heard, [`count${i}`]: count.as('twice') })).when(
        decision.accepted[`heard${i}`](heard),
        seen({ user: vars.user }),
        double(count).as(count.as('twice')),
      ),
    () =>
      rule(decision.rejected[`heard${i}`]({ ...judged, ...heard, [`note${i}`]: 'x' })).when(
        candidate[`heard${i}`]({ id: vars.id, ...heard, [`note${i}`]: 'x' }),
        not(seen()),
      ),
    () => rule(intent[`pay${i}`](paid)).when(decision.approved[`pay${i}`](paid), not(fact[`known${j % 15}`]({ [`item${j % 15}`]: item }))),
    () => rule(known(heard)).when(or(observation[`seen${i}`](heard), and(known({ ...heard, [`item${i}`]: item.as('other') }), seen()))),
    () =>
      rule(fact[`total${k}`]({ user: vars.user, [`price${k}`]: price })).when(
        seen({ user: vars.user }),
        sumOf(receipt[`pay${i}`], { of: `price${i}`, per: { [`item${i}`]: item, outcome: 'succeeded' } }).as(price.as('sum')),
        minus(price.as('sum'), index).as(price),
      ),
    () =>
      rule(decision.rejected[`pay${i}`]({ ...judged, ...paid })).when(
        proposal[`pay${i}`]({ id: vars.id, ...paid, actor: vars.actor }),
        gt(plus(price, sumOf(decision.approved[`pay${i}`], { of: `price${i}`, per: { actor: vars.actor } })), index),
      ),
    () =>
      rule(known({ ...heard, [`count${i}`]: index })).when(
        seen({ state: 'paid', [`price${j}`]: vars[`price${j}`] }),
        lt(vars[`price${j}`], index),
        gt(countOf(receipt[`pay${i}`], { per: { [`item${i}`]: item } }), 2),
      ),
  ];
  return shapes[index % shapes.length]?.();
}

/** Eight clauses or more: the actions first, then what is only proposed, then what is said. */
function decideOf(index: number): unknown {
  const { observation, candidate, proposal, vars } = shop;
  const kind = index < 20 ? 'pay' : index < 35 ? 'wish' : 'heard';
  const i = index < 20 ? index : (index - 20) % 15;
  const [item, price, count] = [vars[`item${i}`], vars[`price${i}`], vars[`count${i}`]];
  const source = (kind === 'heard' ? candidate : proposal)[`${kind}${i}`];
  const isPaid = kind !== 'heard';
  const judged = decide(`decide${index}`, source({ [`item${i}`]: item, ...(isPaid ? { [`price${i}`]: price } : {}), actor: vars.actor }))
    .needs('known', observation[`seen${i}`]({ [`item${i}`]: item, user: vars.actor, state: vars.state, [`count${i}`]: count }))
    .needs('a budget', observation.budget({ most: vars.most }))
    .awaits('a date', observation.today({ day: vars.day }));
  const kept = kind === 'pay' && i % 2 === 0 ? judged.records({ day: vars.day }) : judged;
  const refused = kept.rejects('not paid', not(oneOf(vars.state, 'paid'))).rejects('too many', gt(count, index + 3));
  const limited = isPaid ? refused.limits('budget', { sum: price, per: { actor: vars.actor }, max: vars.most }) : refused;
  const asked = limited.asks('high', gt(count, 100), { by: observation.manager({ user: vars.by }) });
  if (kind !== 'pay') return isPaid ? asked.otherwiseApproves() : asked.otherwiseAccepts();
  return asked.stillNeeds('open', observation.open({ isOpen: true })).otherwiseApproves();
}
