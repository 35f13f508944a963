/** Who may read what: clearances, and rows that are for some readers only. */
import { describe, expect, test } from 'vitest';
import {
  admitted,
  amount,
  approvedView,
  by,
  candidate,
  candidateView,
  confirmed,
  decision,
  due,
  fact,
  found,
  id,
  intent,
  issuesOf,
  k,
  loweredOf,
  max,
  observation,
  pays,
  programOf,
  programWith,
  proposal,
  proposalView,
  query,
  receipt,
  started,
  told,
  withdrawn,
} from './fixture.ts';
import { countOf, decide, evidenceInvariant, gt, invariant, not, rule, ruleset } from './language.ts';

const seen = observation.seen({ k });

describe('the clearance of a head', () => {
  test.each<[string, object, string | undefined]>([
    [
      'a fact reads facts, observations, receipts and acceptances',
      rule(fact.a({ k })).when(fact.b({ k }), seen, receipt.ping({ k }), decision.accepted.order({ k })),
      undefined,
    ],
    [
      'a fact reads no approval',
      rule(fact.a({ k })).when(decision.approved.ping({ k })),
      'fact.a reads up to trusted, and decision.approved.ping is approved',
    ],
    [
      'a fact reads no admission',
      rule(fact.a({ k })).when(admitted.ping({ k })),
      'fact.a reads up to trusted, and admitted.ping is approved',
    ],
    [
      'an approved view reads approvals and records of acts',
      rule(approvedView.v({ k })).when(
        decision.approved.ping({ k }),
        admitted.ping({ k }),
        started.ping({ k }),
        not(withdrawn.ping({ k })),
      ),
      undefined,
    ],
    [
      'an approved view reads no candidate',
      rule(approvedView.v({ k })).when(candidate.order({ k })),
      'approvedView.v reads up to approved, and candidate.order is candidate',
    ],
    [
      'an acceptance reads candidates',
      rule(decision.accepted.order({ k })).when(candidate.order({ k }), candidateView.c({ k }), decision.rejected.quote({ k })),
      undefined,
    ],
    [
      'an acceptance reads no proposal',
      rule(decision.accepted.order({ k })).when(candidate.order({ k }), proposal.hint({ k })),
      'decision.accepted.order reads up to candidate, and proposal.hint is proposal',
    ],
    [
      'an approval reads everything',
      rule(decision.approved.hint({ k })).when(proposal.hint({ k }), proposalView.p({ k }), candidate.order({ k }), seen),
      undefined,
    ],
    [
      'the rejection of a candidate reads no proposal',
      rule(decision.rejected.order({ k, reason: 'x' })).when(candidate.order({ k }), proposal.hint({ k })),
      'decision.rejected.order reads up to candidate, and proposal.hint is proposal',
    ],
    [
      'the rejection of a proposal reads proposals',
      rule(decision.rejected.hint({ k, reason: 'x' })).when(proposal.hint({ k }), proposal.ping({ k })),
      undefined,
    ],
    [
      'a revocation reads what is approved',
      rule(decision.revoked.hint({ k, reason: 'x' })).when(decision.approved.hint({ k }), seen),
      undefined,
    ],
    [
      'a revocation reads no candidate',
      rule(decision.revoked.order({ k, reason: 'x' })).when(decision.accepted.order({ k }), candidate.order({ k })),
      'decision.revoked.order reads up to approved, and candidate.order is candidate',
    ],
    [
      'a view of candidates reads no proposal',
      rule(candidateView.c({ k })).when(proposal.hint({ k })),
      'candidateView.c reads up to candidate, and proposal.hint is proposal',
    ],
    [
      'a view of proposals reads everything',
      rule(proposalView.p({ k })).when(proposal.hint({ k }), candidate.order({ k }), decision.rejected.ping({ k })),
      undefined,
    ],
  ])('%s', (_claim, one, issue) => {
    const issues = issuesOf(programOf({ r: one }), 'load/grade-exceeded').map((found) => found.what);
    expect(issues).toEqual(issue === undefined ? [] : [`rule m.r: ${issue}`]);
  });

  test.each<[string, object, string]>([
    ['a fact reads no candidate', rule(fact.a({ k })).when(candidate.order({ k })), 'candidate.order reaches fact.a'],
    [
      'an intent reads no rejection',
      rule(intent.ping({ id, k })).when(decision.approved.ping({ id, k }), not(decision.rejected.order({ k }))),
      'decision.rejected.order reaches intent.ping',
    ],
  ])('%s, which is told as the way around the decision that it is', (_claim, one, issue) => {
    expect(told(programOf({ r: one }))).toEqual([expect.stringContaining(`load/cut-bypassed: ${issue} without`)]);
  });

  test("a query's body reads up to candidates", () => {
    const body = (...read: unknown[]) =>
      programOf(
        {},
        { queries: [ruleset('finds', { all: rule(query.find({ k, found })).when(seen, observation.seen({ k: found }), ...read) })] },
      );
    expect(told(body(candidate.order({ k })))).toEqual([]);
    expect(told(body(proposal.hint({ k })))).toEqual([
      'load/grade-exceeded: rule finds.all: query.find reads up to candidate, and proposal.hint is proposal',
    ]);
  });

  test('a decide on a candidate reads no proposal in any clause', () => {
    const one = decide('orders', candidate.order({ k })).needs('seen', seen).rejects('hinted', proposal.hint({ k })).otherwiseAccepts();
    expect(told(programWith(one))).toEqual([
      'load/grade-exceeded: decide orders: rejects "hinted": decision.rejected.order reads up to candidate, and proposal.hint is proposal',
    ]);
  });

  test('needsEvidence takes the word of a model, up to the grade of the source', () => {
    expect(
      told(
        programWith(
          decide('pings', proposal.ping({ k })).needsEvidence('a word', candidate.order({ k })).needs('seen', seen).otherwiseApproves(),
        ),
      ),
    ).toEqual([]);
    const above = decide('orders', candidate.order({ k })).needsEvidence('a wish', proposal.hint({ k })).otherwiseAccepts();
    expect(told(programWith(above))).toContain(
      'load/grade-exceeded: decide orders: needsEvidence "a wish": decision.rejected.order reads up to candidate, and proposal.hint is proposal',
    );
  });
});

describe('invariants', () => {
  const at = (...invariants: unknown[]) => programOf({}, { invariants });

  test('read up to approved, due acts and answers included', () => {
    expect(
      told(
        at(
          invariant('open').never(due.pay({ k, amount }), observation.limit({ k, max }), gt(amount, max)),
          invariant('answered').never(confirmed.pay({ by }), observation.boss({ user: by })),
        ),
      ),
    ).toEqual([]);
  });

  test.each([
    ['a candidate', candidate.order({ k }), 'candidate.order is candidate'],
    ['a proposal', proposal.hint({ k }), 'proposal.hint is proposal'],
    ['a rejection of a proposal', decision.rejected.pay({ k }), 'decision.rejected.pay is proposal'],
  ])('do not read %s, unless they say so', (_what, read, issue) => {
    expect(told(at(invariant('never').never(read)))).toEqual([
      `load/invariant-evidence: invariant "never": ${issue}: a model could block commits`,
    ]);
    expect(told(at(evidenceInvariant('never').never(read)))).toEqual([]);
  });

  test('read no evidence under an aggregate either', () => {
    expect(told(at(invariant('never').never(seen, gt(countOf(candidate.order), 3))))).toEqual([
      'load/invariant-evidence: invariant "never": candidate.order is candidate: a model could block commits',
    ]);
  });

  test('keep their order of names, so that the order in which they were listed does not show', () => {
    const [one, two] = [invariant('b').never(fact.a({ k })), invariant('a').never(fact.b({ k }))];
    expect(loweredOf(at(one, two)).invariants.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('rows that are for some readers only', () => {
  const reader = (rules: object, more?: object) => issuesOf(programOf(rules, more), 'load/reader-refused').map((issue) => issue.what);

  test('answers are read by decisions of their source and by invariants', () => {
    const own = rule(decision.rejected.pay({ id, k, amount, reason: 'late' })).when(
      proposal.pay({ id, k, amount }),
      confirmed.pay({ id, answer: 'no' }),
    );
    expect(told(programOf({ own }))).toEqual([]);
    expect(reader({ r: rule(approvedView.v({ k: 'x' })).when(confirmed.pay({ id })) })).toEqual([
      'rule m.r: confirmed.pay is read by decisions of pay and invariants only',
    ]);
    const foreign = rule(decision.approved.ping({ id, k })).when(proposal.ping({ id, k }), confirmed.pay({ by }));
    expect(reader({ r: foreign })).toEqual(['rule m.r: confirmed.pay is read by decisions of pay and invariants only']);
  });

  test('a clause of its source reads an answer, and a clause of another does not', () => {
    const needs = (one: unknown) => issuesOf(programWith(one), 'load/reader-refused').map((issue) => issue.what);
    expect(
      needs(
        decide('pings', proposal.ping({ id, k }))
          .needs('asked', confirmed.ping({ id, answer: 'yes' }))
          .otherwiseApproves(),
      ),
    ).toEqual([]);
    expect(
      needs(
        decide('pings', proposal.ping({ id, k }))
          .needs('asked', confirmed.pay({ answer: 'yes' }))
          .otherwiseApproves(),
      ),
    ).toEqual(['decide pings: needs "asked": confirmed.pay is read by decisions of pay and invariants only']);
  });

  test('due acts are read by invariants only', () => {
    expect(reader({ r: rule(approvedView.v({ k })).when(due.ping({ k })) })).toEqual(['rule m.r: due.ping is read by invariants only']);
    expect(reader({ r: rule(intent.ping({ id, k })).when(decision.approved.ping({ id, k }), not(due.ping({ k }))) })).toEqual([
      'rule m.r: due.ping is read by invariants only',
    ]);
  });

  test('held cards are read by evidence views, queries and evidence invariants', () => {
    const view = rule(proposalView.p({ k })).when(decision.held.ping({ k }));
    const cards = rule(candidateView.c({ k })).when(decision.held.order({ k }));
    const finds = ruleset('finds', {
      all: rule(query.find({ k, found })).when(decision.held.order({ k }), observation.seen({ k: found })),
    });
    expect(
      told(programOf({ view, cards }, { queries: [finds], invariants: [evidenceInvariant('e').never(decision.held.ping({ k }))] })),
    ).toEqual([]);
  });

  test('no decision rests on a held card, also not through views', () => {
    const view = rule(proposalView.p({ k })).when(decision.held.ping({ k }));
    const far = rule(proposalView.q({ k })).when(proposalView.p({ k }));
    const guard = rule(decision.rejected.hint({ k, reason: 'x' })).when(proposal.hint({ k }), not(proposalView.q({ k })));
    const [issue] = issuesOf(programOf({ view, far, guard }), 'load/reader-refused');
    expect(issue?.what).toBe(
      'rule m.guard: decision.held.ping is read by evidence views and queries only, through proposalView.q, proposalView.p',
    );
    expect(issue?.trail).toEqual(['decision.held.ping', 'proposalView.p', 'proposalView.q']);
    expect(reader({ r: rule(decision.rejected.hint({ k, reason: 'x' })).when(proposal.hint({ k }), decision.held.ping({ k })) })).toEqual([
      'rule m.r: decision.held.ping is read by evidence views and queries only',
    ]);
  });

  test('no clause rests on a held card', () => {
    const view = ruleset('m', { view: rule(proposalView.p({ k })).when(decision.held.ping({ k })) });
    const asks = decide('hints', proposal.hint({ k })).needs('seen', seen).asks('sure?', proposalView.p({ k })).otherwiseApproves();
    expect(issuesOf(programWith(view, asks), 'load/reader-refused').map((issue) => issue.what)).toEqual([
      'decide hints: asks "sure?": decision.held.ping is read by evidence views and queries only, through proposalView.p',
    ]);
    expect(told(programWith(pays().otherwiseApproves()))).toEqual([]);
  });
});
