/**
 * A small ontology with one of everything, and how a test asks what a program's issues are.
 *
 * Gives  the relations, a program around some rules, and the issues that the loader finds in it.
 * Never  loads twice: what a test sees is one call of the loader.
 */
import * as z from 'zod';
import type { Issue, IssueCode } from '../../dsl/issue.ts';
import { check, type Check } from '../../src/load/load.ts';
import { brand, decide, defineOntology, keyed, program, recorded, rule, ruleset } from './language.ts';

export const K = brand('K', z.string());
export const Cents = brand('Cents', z.int().nonnegative());
export const Day = brand('Day', z.string());
export const SessionId = brand('SessionId', z.string());
export const ActorId = brand('ActorId', z.string());
export const scope = { session: SessionId, actor: ActorId };

export const small = defineOntology({
  scope,
  observation: {
    seen: { k: K },
    limit: keyed({ k: K }, { max: Cents }),
    today: keyed({}, { day: Day }),
    boss: keyed({ user: ActorId }, {}),
    mine: keyed({ actor: ActorId }, { k: K }),
    level: { k: K, x: z.number(), flag: z.boolean(), state: z.enum(['on', 'off']), text: z.string() },
  },
  candidate: { order: { k: K }, quote: recorded({ k: K, amount: Cents }, { day: Day }) },
  proposal: { hint: { k: K } },
  action: {
    pay: { in: { k: K, amount: Cents }, records: { day: Day }, receipt: { reference: z.string() }, evidence: { reply: z.string() } },
    ping: { in: { k: K } },
    call: { in: { k: K, at: Day }, identity: ['k', 'at'] },
  },
  query: { find: { in: { k: K }, out: { found: K } }, other: { in: { k: K }, out: { found: K } } },
  fact: { a: { k: K }, b: { k: K }, c: { k: K }, n: { k: K, n: z.int() }, total: { k: K, amount: Cents }, loud: { text: z.string() } },
  approvedView: { v: { k: K } },
  candidateView: { c: { k: K }, d: { k: K }, n: { n: z.int() } },
  proposalView: { p: { k: K }, q: { k: K } },
});

export const { k, amount, max, day, user, actor, id, n, found, req, x, flag, state, text, by, at, session, seq } = small.vars;
export const other = k.as('other');
export const { observation, candidate, proposal, decision, fact, intent, approvedView, candidateView, proposalView } = small;
export const { confirmed, admitted, started, withdrawn, due, receipt, lifecycle, query, queryresult } = small;

export const accept = rule(decision.accepted.order({ k })).when(candidate.order({ k }), observation.seen({ k }));
export const gated = rule(fact.a({ k })).when(decision.accepted.order({ k }));
/** A decide that loads; tests add what they are about before it ends. */
export const pays = () =>
  decide('pays', proposal.pay({ k, amount, actor }))
    .needs('a maximum', observation.limit({ k, max }))
    .needs('a date', observation.today({ day }))
    .records({ day });

/** A program of one ruleset `m`, or of the parts given. */
export function programOf(rules: object, more: object = {}): unknown {
  return program({ name: 'small', ontologies: [small], rules: Object.keys(rules).length === 0 ? [] : [ruleset('m', rules)], ...more });
}
export function programWith(...parts: readonly unknown[]): unknown {
  return program({ name: 'small', ontologies: [small], rules: parts });
}

export function checked(value: unknown): Check {
  return check(value);
}

/** The issues of a program as `code: what`. */
export function told(value: unknown): readonly string[] {
  return check(value).issues.map(({ code, what }) => `${code}: ${what}`);
}
export function codes(value: unknown): readonly IssueCode[] {
  return [...new Set(check(value).issues.map(({ code }) => code))].sort();
}
export function issuesOf(value: unknown, code: IssueCode): readonly Issue[] {
  return check(value).issues.filter((issue) => issue.code === code);
}
/** The lowered rules of a program that loads, by id. */
export function loweredOf(value: unknown) {
  const { lowered, issues } = check(value);
  if (lowered === undefined) throw new Error(issues.map(({ code, what }) => `${code}: ${what}`).join('\n'));
  return lowered;
}
