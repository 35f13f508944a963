/**
 * Random programs over one ontology: every clause, views with recursion, negation, aggregates and functions that fail, invariants, groups.
 *
 * Gives  fast-check arbitraries of choices, and the program that a choice stands for.
 * Never  makes a program that does not load: what may stand together is said by the lists below.
 */
import fc from 'fast-check';
import * as z from 'zod';
import { countOf, maxOf, minOf, sumOf } from '../../dsl/aggregate.ts';
import { decide } from '../../dsl/decide.ts';
import type { Decision } from '../../dsl/decide-types.ts';
import { fn } from '../../dsl/fn.ts';
import { and, eq, gt, gte, lt, neq, not, oneOf, or } from '../../dsl/literal.ts';
import { defineOntology } from '../../dsl/ontology.ts';
import { program, together, type Program } from '../../dsl/program.ts';
import { evidenceInvariant, invariant, rule, ruleset, type Rule } from '../../dsl/rule.ts';
import { keyed } from '../../dsl/shape.ts';
import { ActorId, RowId } from '../../dsl/stamp.ts';
import { plus, times, vars } from '../../dsl/term.ts';

const text = z.string();
const amount = z.int().nonnegative();

export const world = defineOntology({
  observation: {
    payee: keyed({ to: text }, {}),
    blocked: { to: text },
    boss: keyed({ user: ActorId }, {}),
    today: keyed({}, { day: z.int() }),
    clock: keyed({}, { now: z.int() }, { rising: ['now'] }),
    open: keyed({}, { isOpen: z.boolean() }),
    link: keyed({ from: text, to: text }, {}),
    noise: { text },
  },
  candidate: { seen: { to: text, n: amount } },
  proposal: { plan: { to: text } },
  action: { pay: { in: { to: text, n: amount }, records: { day: z.int() } }, visit: { in: { to: text }, identity: ['to'] } },
  query: { linksOf: { in: { from: text }, out: { to: text } } },
  fact: {
    known: { to: text },
    total: { n: z.int() },
    reach: { from: text, to: text },
    score: { to: text, z: z.int() },
    wide: { to: text, z: z.int() },
  },
  approvedView: { clear: { to: text }, paid: { to: text, n: z.int() } },
  candidateView: { age: { whose: RowId, z: z.int() }, range: { least: z.int(), most: z.int() } },
  proposalView: { age: { whose: RowId, z: z.int() }, waiting: { whose: RowId, to: text } },
});
const { approvedView, candidate, candidateView, decision, fact, observation, proposal, proposalView } = world;
const { id, session, actor, capture, ordinal, to, from, n, day, by, user } = world.vars;
const {
  z: score,
  later,
  over,
  count,
  least,
  most,
} = vars({ z: z.int(), later: z.int(), over: text, count: z.int(), least: z.int(), most: z.int() });

const failing = (isTooMuch: (n: number) => boolean) => (value: number) => {
  if (isTooMuch(value)) throw new Error(`${value} is too much`);
  // Half a unit is of no integer column: the call fails on what it returns.
  return value === 50 ? 0.5 : value;
};
const f = fn(
  'f',
  '1',
  [z.int()],
  z.int(),
  failing((value) => value > 70),
);
const g = fn('g', '1', [z.int(), z.int()], z.int(), (value, on) => failing((sum) => sum > 130)(value + 20 * on));

/** A decide in the making, whatever its clauses have bound so far: which may follow which is said by their order in the lists. */
interface Chain {
  readonly [clause: string]: (...args: readonly unknown[]) => Chain;
}
type Clauses = Readonly<Record<string, (chain: Chain) => Chain>>;
const add =
  (clause: string, ...args: readonly unknown[]) =>
  (chain: Chain): Chain =>
    (chain[clause] as Chain[string])(...args);
const boss = { by: observation.boss({ user: by }) };

const PAY: Clauses = {
  'needs known': add('needs', 'known', fact.known({ to })),
  'needs payee': add('needs', 'a payee', observation.payee({ to })),
  'needs evidence': add('needsEvidence', 'seen', candidate.seen({ to, n: count })),
  'awaits day': add('awaits', 'a day', observation.today({ day })),
  'awaits plan': add('awaits', 'a plan', decision.approved.plan({ session })),
  blocked: add('rejects', 'blocked', observation.blocked({ to })),
  superseded: add('rejects', 'superseded', proposal.plan({ capture, to, ordinal: later }), gt(later, ordinal)),
  planned: add('rejects', 'planned', decision.approved.plan({ to })),
  'no plan': add('rejects', 'no plan', not(decision.approved.plan({ session }))),
  function: add('rejects', 'too much of f', f(n).as(score), gt(score, 60)),
  'not function': add('rejects', 'not less than f', not(lt(f(n), 80))),
  either: add('rejects', 'either', or(eq(to, 'z'), gt(plus(n, 10), 90))),
  limit: add('limits', 'budget', { sum: n, per: { actor }, max: 100 }),
  'limit of the day': add('limits', 'budget of the day', { sum: n, per: { actor, day }, max: 60 }),
  'limit of two': add('limits', 'two a payee', { per: { to }, max: 2 }),
  'asks large': add('asks', 'large', gt(n, 40), boss),
  'asks new': add('asks', 'new', not(observation.payee({ to })), boss),
  'asks today': add('asks', 'today', observation.today({ day: later }), boss),
  'asks function': add('asks', 'f', and(f(n).as(score), gt(score, 30)), boss),
  'asks anybody': add('asks', 'anybody', oneOf(to, 'y')),
  expires: add('expires', 'too late', observation.today({ day: later }), gte(later, 4)),
  'still open': add('stillNeeds', 'open', observation.open({ isOpen: true })),
};
const PLAN: Clauses = {
  'needs pay': add('needs', 'a payment', decision.approved.pay({ to })),
  'needs rejected': add('needsEvidence', 'a rejected payment', decision.rejected.pay({ to })),
  'awaits admitted': add('awaits', 'an admission', world.admitted.pay({ to })),
  'awaits started': add('awaits', 'a start', world.started.pay({ to })),
  'one only': add('rejects', 'one only', decision.approved.plan({ session })),
  'not paid': add('rejects', 'not paid', not(decision.approved.pay({ to }))),
  expires: add('expires', 'too late', observation.today({ day: later }), gte(later, 4)),
};
const SEEN: Clauses = {
  twice: add('rejects', 'twice', decision.accepted.seen({ to })),
  'awaits day': add('awaits', 'a day', observation.today({ day })),
  asks: add('asks', 'large', gt(n, 60), boss),
};
const REQUEST: Clauses = {
  'needs payee': add('needs', 'a payee', observation.payee({ to: from })),
  limit: add('limits', 'two a session', { per: { session }, max: 2 }),
  asks: add('asks', 'every read', neq(from, 'z'), boss),
};
const RESULT: Clauses = {
  unknown: add('rejects', 'no such link', not(observation.link({ from, to }))),
  once: add('rejects', 'once', decision.accepted.linksOf({ from, to })),
};

const RULES: Readonly<Record<string, Rule>> = {
  known: rule(fact.known({ to })).when(decision.accepted.seen({ to })),
  total: rule(fact.total({ n: count })).when(observation.open({ isOpen: true }), sumOf(decision.accepted.seen, { of: 'n' }).as(count)),
  link: rule(fact.reach({ from, to })).when(observation.link({ from, to })),
  reach: rule(fact.reach({ from, to })).when(fact.reach({ from, to: over }), fact.reach({ from: over, to })),
  score: rule(fact.score({ to, z: score })).when(decision.accepted.seen({ to, n }), observation.today({ day }), g(n, day).as(score)),
  wide: rule(fact.wide({ to, z: score })).when(
    decision.accepted.seen({ to, n }),
    observation.open({}),
    times(n, 200_000_000_000_000).as(score),
  ),
  clear: rule(approvedView.clear({ to })).when(observation.payee({ to }), not(decision.approved.pay({ to }))),
  paid: rule(approvedView.paid({ to, n: count })).when(
    observation.payee({ to }),
    sumOf(world.started.pay, { of: 'n', per: { to } }).as(count),
  ),
  'candidate age': rule(candidateView.age({ whose: id, z: score })).when(
    candidate.seen({ id, n }),
    observation.today({ day }),
    g(n, day).as(score),
  ),
  range: rule(candidateView.range({ least, most })).when(
    minOf(candidate.seen, { of: 'n' }).as(least),
    maxOf(candidate.seen, { of: 'n' }).as(most),
    neq(least, most),
  ),
  'proposal age': rule(proposalView.age({ whose: id, z: score })).when(
    proposal.pay({ id, n }),
    observation.today({ day }),
    g(n, day).as(score),
  ),
  waiting: rule(proposalView.waiting({ whose: id, to })).when(decision.held.pay({ id, to })),
  'revoke pay': rule(decision.revoked.pay({ id, to, n, reason: 'blocked later' })).when(
    decision.approved.pay({ id, to, n }),
    observation.blocked({ to }),
  ),
  'revoke seen': rule(decision.revoked.seen({ id, to, n, reason: 'a lie' })).when(
    decision.accepted.seen({ id, to, n }),
    observation.blocked({ to }),
  ),
  'revoke old': rule(decision.revoked.pay({ id, to, n, reason: 'old' })).when(
    decision.approved.pay({ id, to, n }),
    observation.today({ day: later }),
    g(n, later).as(score),
    lt(score, 0),
  ),
  visit: rule(world.intent.visit({ to })).when(approvedView.clear({ to }), observation.open({ isOpen: true })),
  'visit approved': rule(world.intent.visit({ to })).when(decision.approved.visit({ to }), not(observation.blocked({ to }))),
  'approve by hand': rule(decision.approved.visit({ id, to })).when(
    proposal.visit({ id, to }),
    observation.today({ day }),
    f(times(day, 20)).as(score),
    lt(score, 50),
  ),
  read: rule(fact.reach({ from, to })).when(decision.accepted.linksOf({ from, to })),
  'reject by hand': rule(decision.rejected.pay({ id, to, n, reason: 'by hand' })).when(
    proposal.pay({ id, to, n, session }),
    candidate.seen({ to, session, n: count }),
    gt(count, 70),
  ),
};
/** Those of the rules that need nothing but trusted rows and accepted candidates. */
const FACTS = ['known', 'total', 'link', 'reach', 'score', 'wide'];

const INVARIANTS = {
  'one to each': invariant('one to each').never(
    world.admitted.pay({ to }),
    countOf(world.admitted.pay, { per: { to } }).as(count),
    gt(count, 1),
  ),
  'due and blocked': invariant('due and blocked').never(world.due.pay({ to }), observation.blocked({ to })),
  'two accepted': invariant('two accepted').never(countOf(decision.accepted.seen, { per: { to: 'x' } }).as(count), gt(count, 2)),
  circle: invariant('circle').never(observation.link({ from: to, to })),
  'large reply': evidenceInvariant('large reply').never(candidate.seen({ capture, n: 90 }), proposal.pay({ capture, n: 90 })),
  visits: invariant('visits').never(countOf(world.admitted.visit).as(count), gt(count, 1)),
  'boss blocked': invariant('boss blocked').never(
    observation.boss({ user }),
    observation.open({ isOpen: false }),
    countOf(observation.boss).as(count),
    gt(count, 1),
  ),
} as const;

/** Which of the lists above a program takes. */
export interface Choice {
  readonly pay: readonly string[];
  readonly plan: readonly string[];
  readonly seen: readonly string[];
  readonly request: readonly string[];
  readonly result: readonly string[];
  readonly rules: readonly string[];
  readonly invariants: readonly (keyof typeof INVARIANTS)[];
  readonly groups: readonly ('pay' | 'plan')[];
}

export function choices(): fc.Arbitrary<Choice> {
  const of = <T extends string>(list: Readonly<Record<T, unknown>>, maxLength: number) =>
    fc.subarray(Object.keys(list) as T[], { maxLength });
  return fc.record({
    pay: of(PAY, 5),
    plan: of(PLAN, 3),
    seen: of(SEEN, 2),
    request: of(REQUEST, 2),
    result: of(RESULT, 1),
    rules: of(RULES, 7),
    invariants: of(INVARIANTS, 2),
    groups: fc.constantFrom<Choice['groups']>([], [], ['pay'], ['pay', 'plan']),
  });
}

/** `turn` puts the rules into another order, which must not show. */
export function programOf(choice: Choice, turn: <T>(items: readonly T[]) => readonly T[] = (items) => items): Program {
  const records = { day: choice.pay.includes('awaits day') ? day : 0 };
  const decisions = [
    chain(decide('pay', proposal.pay({ id, session, actor, capture, ordinal, to, n })), PAY, choice.pay, (made) =>
      add('approvesWithoutConditions', 'a test')(add('records', records)(made)),
    ),
    chain(decide('plan', proposal.plan({ id, session, to })), PLAN, choice.plan, add('approvesWithoutConditions', 'a test')),
    chain(decide('seen', candidate.seen({ id, to, n })), SEEN, choice.seen, add('acceptsWithoutConditions', 'a test')),
  ];
  const rules = Object.fromEntries(
    turn(choice.rules).map((name) => [name.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase()), RULES[name] as Rule]),
  );
  const groups = choice.groups.length === 0 ? [] : [together({ sources: choice.groups.map((name) => proposal[name]) })];
  return program({
    name: 'random',
    ontologies: [world],
    rules: turn([...decisions, ruleset('rules', rules), ...groups]),
    invariants: turn(choice.invariants).map((name) => INVARIANTS[name]),
  });
}

/** The same facts, over candidates that are accepted as they come, and nothing else. */
export function factsAlone(choice: Choice): Program {
  const accepts = decide('seen', candidate.seen({ id, to, n })).acceptsWithoutConditions('it was accepted elsewhere');
  const rules = Object.fromEntries(choice.rules.filter((name) => FACTS.includes(name)).map((name) => [name, RULES[name] as Rule]));
  return program({ name: 'random', ontologies: [world], rules: [accepts, ruleset('rules', rules)] });
}

function chain(begun: unknown, list: Clauses, chosen: readonly string[], end: (chain: Chain) => Chain): Decision {
  // A decide in the making has one method per clause; its type says which may follow, which the lists say here.
  let made = begun as Chain;
  // Only what waits or is asked about can expire, and a budget of the day needs the day.
  const mayExpire = chosen.some((name) => name.startsWith('awaits') || name.startsWith('asks'));
  const isFit = (name: string) => (name !== 'expires' || mayExpire) && (name !== 'limit of the day' || chosen.includes('awaits day'));
  const names = Object.keys(list).filter((name) => chosen.includes(name) && isFit(name));
  for (const name of names) made = (list[name] as Clauses[string])(made);
  return end(made) as unknown as Decision;
}
