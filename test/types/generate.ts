/**
 * Writes programs of any size as source, to measure what a rule costs the compiler.
 *
 * Reads  how many rules and decisions are wanted.
 * Gives  one file: 100 relations, 20 of them actions, and rules of the shapes that applications write.
 * Never  draws at random: the same numbers give the same text.
 */
export interface Size {
  readonly rules: number;
  readonly decides: number;
}

/** `from` is the import of the language, as the written file sees it. */
export function programText(from: string, { rules, decides }: Size): string {
  const lines = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index)).join('\n');
  return `import * as z from 'zod';
import { always, and, brand, countOf, decide, defineOntology, fn, gt, keyed, lt, minus, not, oneOf, or, plus, program, rule, ruleset, sumOf } from '${from}';

const Cents = brand('Cents', z.int().nonnegative());
const [ItemId, UserId, SessionId, Day] = [brand('ItemId', z.string()), brand('UserId', z.string()), brand('SessionId', z.string()), brand('Day', z.string())];
const double = fn('double', '1', [z.int()], z.int(), (count) => count * 2);

export const world = defineOntology({
  scope: { session: SessionId, actor: UserId },
  observation: {
${lines(25, (i) => `    seen${i}: keyed({ item${i}: ItemId }, { user: UserId, price${i}: Cents, count${i}: z.int(), state: z.enum(['new', 'paid']) }),`)}
    today: keyed({}, { day: Day }), budget: keyed({}, { most: Cents }), manager: keyed({ user: UserId }, {}), open: keyed({}, { isOpen: z.boolean() }), said: { text: z.string() },
  },
  candidate: {
${lines(15, (i) => `    heard${i}: { item${i}: ItemId, count${i}: z.int(), note${i}: z.string() },`)}
  },
  action: {
${lines(20, (i) => `    pay${i}: { in: { item${i}: ItemId, price${i}: Cents }, ${i % 2 === 0 ? 'records: { day: Day }, ' : ''}receipt: { ref${i}: z.string() }, evidence: { reply${i}: z.string() } },`)}
  },
  fact: {
${lines(20, (i) => `    known${i}: { item${i}: ItemId, count${i}: z.int() },\n    total${i % 5 === 0 ? i : `Of${i}`}: { user: UserId, price${i}: Cents },`)}
  },
  candidateView: { big: { session: SessionId } },
});
const { observation, candidate, proposal, decision, fact, intent, receipt } = world;
const { user, actor, state, day, by, most, text, id, ${Array.from({ length: 25 }, (_, i) => `item${i}, price${i}, count${i}`).join(', ')} } = world.vars;
${lines(20, (i) => `const sum${i} = price${i}.as('sum${i}'), many${i} = count${i}.as('many${i}'), other${i} = item${i}.as('other${i}');`)}

${lines(decides, decideText)}

export const rules = ruleset('rules', {
${lines(rules, ruleText)}
});
export const app = program({ name: 'budget', ontologies: [world], rules: [rules, ${Array.from({ length: decides }, (_, i) => `decide${i}`).join(', ')}] });
void [always, and, or, plus, minus, oneOf, lt, double, text, id, user, state, day, by, most, actor, candidate, intent];
`;
}

/** Eight clauses, the longest chain that an application writes. Two programs in one differ in the action only, so a later one is not free. */
function decideText(index: number): string {
  const i = index % 20;
  const records = i % 2 === 0 ? `.records({ day })` : '';
  return `export const decide${index} = decide('decide${index}', proposal.pay${i}({ item${i}, price${i}, actor }))
  .needs('known', observation.seen${i}({ item${i}, user: actor, state, count${i} }))
  .needs('a budget', observation.budget({ most }))
  .awaits('a date', observation.today({ day }))${records}
  .rejects('not paid', not(oneOf(state, 'paid')))
  .rejects('too many', gt(count${i}, ${index + 3}))
  .limits('budget', { sum: price${i}, per: { actor }, max: most })
  .asks('high', gt(price${i}, 100), { by: observation.manager({ user: by }) })
  .stillNeeds('open', observation.open({ isOpen: true }))
  .otherwiseApproves();`;
}

function ruleText(index: number): string {
  const i = index % 15;
  const j = Math.floor(index / 8) % 25;
  const bodies = [
    `rule(fact.known${i}({ item${i}, count${i} })).when(decision.accepted.heard${i}({ item${i}, count${i} }), gt(count${i}, ${index}))`,
    `rule(fact.known${i}({ item${i}, count${i}: many${i} })).when(decision.accepted.heard${i}({ item${i}, count${i} }), observation.seen${j}({ item${j}, user }), double(count${i}).as(many${i}))`,
    `rule(decision.rejected.heard${i}({ id, item${i}, count${i}, note${i}: 'x', reason: 'r${index}' })).when(candidate.heard${i}({ id, item${i}, count${i}, note${i}: 'x' }), not(observation.seen${j}({ item${j}: item${i} })))`,
    `rule(intent.pay${i}({ item${i}, price${i} })).when(decision.approved.pay${i}({ item${i}, price${i} }), not(fact.known${j % 20}({ item${j % 20}: item${i} })))`,
    `rule(fact.known${i}({ item${i}, count${i} })).when(or(observation.seen${i}({ item${i}, count${i} }), and(fact.known${i}({ item${i}: other${i}, count${i} }), observation.seen${j}({ item${j}: item${i} }))))`,
    `rule(fact.total${i % 5 === 0 ? i : `Of${i}`}({ user, price${i} })).when(observation.seen${j}({ user, item${j}: item${i} }), sumOf(receipt.pay${i}, { of: 'price${i}', per: { item${i}, outcome: 'succeeded' } }).as(sum${i}), minus(sum${i}, ${index}).as(price${i}))`,
    `rule(decision.rejected.pay${i}({ id, item${i}, price${i}, reason: 'r${index}' })).when(proposal.pay${i}({ id, item${i}, price${i}, actor }), gt(plus(price${i}, sumOf(decision.approved.pay${i}, { of: 'price${i}', per: { actor } })), ${index}))`,
    `rule(fact.known${i}({ item${i}, count${i}: ${index} })).when(observation.seen${j}({ item${j}: item${i}, state: 'paid', price${j} }), lt(price${j}, ${index}), gt(countOf(receipt.pay${i}, { per: { item${i} } }), 2))`,
  ];
  return `  rule${index}: ${bodies[index % bodies.length] ?? ''},`;
}
