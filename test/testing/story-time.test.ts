/**
 * Time, told as scenarios: nothing reads a clock, so what a clock says is a row that systems report, and no model can stop it.
 */
import * as z from 'zod';
import { afterAll, describe, test } from 'vitest';
import { ActorId, decide, defineOntology, ended, fn, gt, keyed, lte, program, row, rule, ruleset } from '../../src/index.ts';
import { coverage, scenario } from '../../src/testing/testing.ts';

const text = z.string();
const Hour = z.int().nonnegative();
const cafe = defineOntology({
  observation: {
    now: keyed({}, { hour: Hour }, { rising: ['hour'] }),
    open: keyed({}, { until: Hour }),
    stock: keyed({ dish: text }, {}),
    table: keyed({ guest: text }, {}),
    waiter: keyed({ who: ActorId }, {}),
  },
  candidate: { mood: { guest: text, score: z.int() } },
  action: { serve: { in: { guest: text, dish: text } } },
  fact: { angry: { guest: text } },
  candidateView: { weighed: { guest: text, weight: z.int() } },
});
const { guest, dish, hour, until, score, weight, by } = cafe.vars;
const { observation, candidate, candidateView, decision, proposal, intent, fact } = cafe;

const serves = decide('serves', proposal.serve({ guest, dish }))
  .needs('nobody knows the time', observation.now({ hour }))
  .needs('nobody knows how long the kitchen is open', observation.open({ until }))
  .rejects('the kitchen is closed', gt(hour, until))
  .awaits('a table', observation.table({ guest }))
  .asks('the last hour', gt(hour, 20), { by: observation.waiter({ who: by }) })
  .expires('nobody waits past midnight', observation.now({ hour }), gt(hour, 24))
  .stillNeeds('there is some left', observation.stock({ dish }))
  .otherwiseApproves();
const moods = decide('moods', candidate.mood({ guest, score })).needs('sits nowhere', observation.table({ guest })).otherwiseAccepts();

/** A function that a model can make fail by what it says now, once the clock has gone on. */
const weigh = fn('weigh', '1', [z.int(), Hour], z.int(), (of, at) => {
  if (at - of > 20) throw new RangeError('too long ago');
  return at - of;
});
const views = ruleset('views', {
  weighed: rule(candidateView.weighed({ guest, weight })).when(
    candidate.mood({ guest, score }),
    observation.now({ hour }),
    weigh(score, hour).as(weight),
  ),
  angry: rule(fact.angry({ guest })).when(decision.accepted.mood({ guest, score }), lte(score, 2)),
});

const policy = program({ name: 'cafe', ontologies: [cafe], rules: [serves, moods, views] });
const seen = coverage(policy);
const now = (n: number) => row(observation.now, { hour: n });
const open = (n: number) => row(observation.open, { until: n });
const stock = (of: string) => row(observation.stock, { dish: of });
const table = (of: string) => row(observation.table, { guest: of });
const waiter = row(observation.waiter, { who: ActorId.parse('mia') });
const serve = (of = 'soup', to = 'ada') => row(proposal.serve, { guest: to, dish: of });
const mood = (of: number) => row(candidate.mood, { guest: 'ada', score: of });

const begun = scenario(policy, { actor: 'ada', coverage: seen });
const noon = begun.given(now(12), open(21), stock('soup'), table('ada'), waiter);

describe('a clock', () => {
  test('R47 that nobody reports is a denial, and no open door', async () => {
    await begun.given(open(21), stock('soup'), table('ada')).proposes(serve()).isDenied('nobody knows the time').never('serve');
  });

  test('R47 that is set back is refused: what time has closed stays closed', async () => {
    await noon
      .given(now(22))
      .proposes(serve())
      .isDenied('the kitchen is closed')
      .given(now(12))
      .isFaulty('it never falls')
      .proposes(serve())
      .isDenied();
  });

  test('is not ended either, since it could begin again from anywhere', async () => {
    await noon.ends(ended(observation.now, {})).isFaulty('cannot end').holds(observation.now, { hour: 12 });
  });

  test('goes on though a model has said what a rule cannot compute then: that row is set aside, and the time is what it is', async () => {
    await noon
      .claims({ sound: mood(1), poison: mood(-8) })
      .isAccepted()
      .given(now(13))
      .holds(observation.now, { hour: 13 })
      .row('poison')
      .isRevoked('set aside: views.weighed: too long ago')
      .lacks(candidate.mood, { score: -8 })
      .row('sound')
      .isAccepted()
      .holds(fact.angry, { guest: 'ada' });
  });

  test('goes on whatever number of such rows there are, and so does every denial', async () => {
    await begun
      .claims(...Array.from({ length: 50 }, (_, n) => mood(-1 - n)))
      .given(now(30), open(21))
      .holds(observation.now, { hour: 30 })
      .lacks(candidate.mood)
      .proposes(serve())
      .isDenied('the kitchen is closed');
  });
});

describe('what has to wait', () => {
  test('waits for what is awaited, and is decided by what is so then', async () => {
    const waits = begun.given(now(12), open(21), stock('soup')).proposes(serve()).isPending('a table');
    await waits.given(table('ada')).isApproved().runs(intent.serve, { dish: 'soup' });
    await waits.given(now(22)).isDenied('the kitchen is closed');
  });

  test('does not wait for ever', async () => {
    await begun.given(now(12), open(30)).proposes(serve()).isPending('a table').given(now(25)).isDenied('nobody waits past midnight');
    await begun
      .given(now(23), open(30), table('ada'), waiter)
      .proposes(serve())
      .isHeld('the last hour')
      .given(now(25))
      .isDenied('nobody waits past midnight');
  });

  test('is asked about once more when an hour has passed since the question', async () => {
    await begun
      .given(now(21), open(24), table('ada'), stock('soup'), waiter)
      .proposes(serve())
      .isHeld('the last hour')
      .seesCard('at nine')
      .given(now(22))
      .confirmedBy('mia', { card: 'at nine' })
      .isIgnored('no such card')
      .isHeld('the last hour')
      .confirmedBy('mia')
      .isApproved();
  });
});

describe('what was true at the decision', () => {
  const approved = noon.proposes(serve()).isApproved();

  test('is asked again at the start: an act whose condition has lapsed is withdrawn, and not done', async () => {
    await approved
      .ends(ended(observation.stock, { dish: 'soup' }))
      .starts()
      .isWithdrawn()
      .lacks('started.serve')
      .isApproved();
  });

  test('is not asked again where the rule does not say so: a need is of the decision', async () => {
    await approved.given(now(22)).runs(intent.serve, { dish: 'soup' });
  });

  test('is waited for where it is not so yet, and the act starts once it is', async () => {
    await noon.proposes(serve('cake')).isApproved().lacks(intent.serve).given(stock('cake')).runs(intent.serve, { dish: 'cake' });
  });
});

describe('a claim', () => {
  test('about somebody of whom nothing is known is denied, for what is missing', async () => {
    await begun.claims(mood(1)).isDenied('sits nowhere').lacks(fact.angry);
    await noon.claims(mood(1)).isAccepted().holds(fact.angry, { guest: 'ada' });
  });
});

afterAll(() => {
  seen.expectFull({ except: ['serves.needs2', 'serves.asks1.declined'] });
});
