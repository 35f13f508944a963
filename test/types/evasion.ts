/**
 * Four ways round each gate that an author might try: a union, any, never, a cast.
 *
 * Gives  what types stop, under an id each, and after them what only the loader stops, for its own tests.
 * Never  runs what is refused.
 */
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unnecessary-type-assertion -- any and casts are the ways round */
/* eslint-disable @typescript-eslint/unbound-method -- a method that is taken off its chain is one of them */
import * as z from 'zod';
import {
  always,
  and,
  brand,
  countOf,
  decide,
  defineOntology,
  gt,
  invariant,
  not,
  or,
  plus,
  rule,
  SessionId,
  vars,
  type AnyLit,
  type Atom,
  type Expr,
  type Lit,
  type Relation,
} from './face.ts';

const K = brand('K', z.string());
export const evaded = defineOntology({
  candidate: { a: { k: K } },
  proposal: { p: { k: K } },
  action: { act: { in: { k: K } } },
  fact: { a: { session: SessionId } },
  observation: { o: { k: K } },
  approvedView: { v: { session: SessionId } },
  candidateView: { c: { session: SessionId } },
});
const { candidate, proposal, decision, fact, intent, observation, approvedView, candidateView } = evaded;
const { session, k, n } = vars({ session: SessionId, k: K, n: z.int() });
const { by } = evaded.vars;
declare const flip: boolean;

const trusted = observation.o({ session });
const fallible = candidate.a({ session });
const countTrusted = countOf(observation.o, { per: { session } });
const countFallible = countOf(candidate.a, { per: { session } });
const judged = decide('d', proposal.p({ k }));
const acted = decide('d', proposal.act({ k }));

export function neverCalled(): void {
  // A union of something that is taken and something that is not.
  // @ts-expect-error U1 of atoms, in a body
  rule(fact.a({ session })).when(flip ? trusted : fallible);
  // @ts-expect-error U2 of literals, in an array
  rule(fact.a({ session })).when(...[trusted, fallible]);
  // @ts-expect-error U3 of heads
  rule((flip ? fact.a : candidateView.c)({ session })).when(fallible);
  // @ts-expect-error U4 of expressions
  rule(fact.a({ session })).when(trusted, gt(flip ? countTrusted : countFallible, 1));
  // @ts-expect-error U5 of needs
  judged.needs('x', flip ? observation.o({ k }) : candidate.a({ k }));
  // @ts-expect-error U6 of relations, in an aggregate
  rule(fact.a({ session })).when(trusted, gt(countOf(flip ? observation.o : candidate.a), 1));
  // @ts-expect-error U7 of literals, in an invariant
  invariant('x').never(flip ? trusted : fallible);
  // @ts-expect-error U8 of literals, in what must still hold
  acted.stillNeeds('x', flip ? trusted : fallible);
  // @ts-expect-error U9 of rows that may confirm
  judged.asks('x', always, { by: flip ? observation.o({ actor: by }) : candidate.a({ actor: by }) });
  // @ts-expect-error U10 of sources
  decide('d', flip ? proposal.p({ k }) : observation.o({ k }));
  // @ts-expect-error U11 of a wish and a fallible literal, in a view of candidates
  rule(candidateView.c({ session })).when(flip ? fallible : proposal.p({ session }));

  // any, which answers every question with yes.
  // @ts-expect-error A1 in a body
  rule(fact.a({ session })).when(trusted, fallible as any);
  // @ts-expect-error A2 in needs
  judged.needs('x', fallible as any);
  // @ts-expect-error A3 in rejects
  judged.rejects('x', fallible as any);
  // @ts-expect-error A4 as the source
  decide('d', fallible as any);
  // @ts-expect-error A5 as a relation, inside an aggregate
  rule(fact.a({ session })).when(trusted, gt(countOf(candidate.a as any, {} as never), 1));
  // @ts-expect-error A6 in an invariant
  invariant('x').never(fallible as any);
  // @ts-expect-error A7 in what must still hold
  acted.stillNeeds('x', fallible as any);
  // @ts-expect-error A8 in needsEvidence
  judged.needsEvidence('x', fallible as any);
  // @ts-expect-error A9 as the row that says who may confirm
  judged.asks('x', always, { by: fallible as any });
  // @ts-expect-error A10 in an expiry
  judged.expires('x', fallible as any);
  // @ts-expect-error A11 in what is asked about
  judged.asks('x', fallible as any);
  // @ts-expect-error A12 beside a literal that may be read
  judged.rejects('x', trusted, fallible as any);

  // never, which is assignable to everything.
  // @ts-expect-error N1 as the only atom it binds nothing
  rule(fact.a({ session })).when(fallible as never);

  // Casts and annotations.
  // @ts-expect-error K1 of a fallible atom to a trusted one
  const k1: Atom<'observation.o', never, 'session', never> = candidate.a({ session });
  // @ts-expect-error K2 of a fallible relation to a trusted one
  const k2: Relation<'observation.o', never, { k: z.output<typeof K> }> = candidate.a;
  const body: AnyLit[] = [trusted, fallible];
  // @ts-expect-error K3 of an array to any literals
  rule(fact.a({ session })).when(...body);
  const same = <R extends string, B extends string, N extends string>(literal: Lit<R, B, N>): Lit<R, B, N> => literal;
  // @ts-expect-error K4 a generic function keeps what is read
  rule(fact.a({ session })).when(same(fallible));
  // @ts-expect-error K5 nesting keeps what is read
  rule(fact.a({ session })).when(trusted, and(or(trusted, and(trusted, not(fallible)))));
  const asFallible = (relation: typeof candidate.a | typeof observation.o) => relation as typeof candidate.a;
  // @ts-expect-error K6 of a relation to a fallible one is the fallible one
  rule(fact.a({ session })).when(asFallible(observation.o as never)({ session }));
  // @ts-expect-error K7 of an expression to one that reads nothing
  const k7: Expr<never, 'session', 'number'> = plus(countFallible, 1);
  const { when } = rule(fact.a({ session }));
  // @ts-expect-error K8 a method that is taken off its head
  when(fallible);
  const { otherwiseApproves } = judged;
  // @ts-expect-error K9 an end that is taken off its chain
  otherwiseApproves();
  void [k1, k2, k7, decision, approvedView, n, intent];
}

/** What types do not stop, and the loader does: it judges by names alone. */
export const beyondTypes = {
  neverBesideABindingAtom: rule(fact.a({ session })).when(observation.o({ session }), candidate.a({ session }) as never),
  builderCastToAny: (rule(fact.a({ session })) as any).when(candidate.a({ session })),
  nullAsALiteral: rule(fact.a({ session })).when(observation.o({ session }), null as never),
  relationCastInsideAnAggregate: rule(fact.a({ session })).when(
    observation.o({ session }),
    gt(countOf(candidate.a as never as typeof observation.o, { per: { session } }), 1),
  ),
};
export const decisionsBeyondTypes = {
  neverInNeeds: decide('d', proposal.p({ k }))
    .needs('x', candidate.a({ k }) as never)
    .otherwiseApproves(),
  endCastToAny: (decide('d', proposal.p({ k })) as any).otherwiseApproves(),
};
