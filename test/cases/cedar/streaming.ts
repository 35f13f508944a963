/**
 * Films and series: who may watch, rent and buy what, and when; and when children are in bed.
 *
 * Reads  kinds of members and of works, and for each request what time it is, in the world and where the member is.
 * Gives  one decide for watching, and one each for renting and buying.
 * Never  reads a clock: where nobody says what time it is, nothing is open.
 */
import * as z from 'zod';
import { decide, defineOntology, fn, gt, gte, keyed, lt, minus, not, or, program, rule, ruleset, SessionId } from '../../../src/index.ts';
import { entities, Entity, scope } from './entities.ts';

const Milliseconds = z.int();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PROMOTION = { from: Date.parse('2025-02-02T19:00:00-05:00'), to: Date.parse('2025-03-02T19:00:00-05:00') };

const wish = { resource: Entity };
const stream = defineOntology({
  scope,
  observation: {
    subscriptionTier: keyed({ entity: Entity }, { subscriptionTier: z.string() }),
    profileIsKid: keyed({ entity: Entity }, { profileIsKid: z.boolean() }),
    isFree: keyed({ entity: Entity }, { isFree: z.boolean() }),
    needsRentOrBuy: keyed({ entity: Entity }, { needsRentOrBuy: z.boolean() }),
    isOscarNominated: keyed({ entity: Entity }, { isOscarNominated: z.boolean() }),
    isEarlyAccess: keyed({ entity: Entity }, { isEarlyAccess: z.boolean() }),
    releaseDate: keyed({ entity: Entity }, { releaseDate: Milliseconds }),
    nowDatetime: keyed({ session: SessionId }, { nowDatetime: Milliseconds }),
    nowLocalTimeOffset: keyed({ session: SessionId }, { nowLocalTimeOffset: Milliseconds }),
  },
  proposal: { watch: wish, rent: wish, buy: wish },
  fact: { open: { session: SessionId, user: Entity, work: Entity } },
});
const { session, user, work, resource, actor, nowDatetime: now, nowLocalTimeOffset: offset, releaseDate } = stream.vars;
const time = now.as('time');
const { observation, proposal, fact } = stream;
const { type } = entities.observation;

const open = rule(fact.open({ session, user, work }));
const at = observation.nowDatetime({ session, nowDatetime: now });
const subscriber = type({ entity: user, type: 'Subscriber' });
const show = type({ entity: work, type: 'Show' });
const early = observation.isEarlyAccess({ entity: work, isEarlyAccess: true });
const release = observation.releaseDate({ entity: work, releaseDate });

const permits = ruleset('permits', {
  shows: open.when(at, subscriber, show, observation.isEarlyAccess({ entity: work, isEarlyAccess: false })),
  releasedShows: open.when(at, subscriber, show, early, release, gte(now, releaseDate)),
  premium: open.when(
    at,
    observation.subscriptionTier({ entity: user, subscriptionTier: 'premium' }),
    subscriber,
    show,
    early,
    release,
    gte(now, minus(releaseDate, DAY)),
  ),
  movies: open.when(
    at,
    subscriber,
    type({ entity: work, type: 'Movie' }),
    observation.needsRentOrBuy({ entity: work, needsRentOrBuy: false }),
  ),
  free: open.when(at, type({ entity: user, type: 'FreeMember' }), observation.isFree({ entity: work, isFree: true })),
});

const timeOfDay = fn(
  'timeOfDay',
  '1',
  [Milliseconds, Milliseconds],
  Milliseconds,
  (instant, zone) => (((instant + zone) % DAY) + DAY) % DAY,
);
const child = observation.profileIsKid({ entity: actor, profileIsKid: true });

const watches = decide('watches', proposal.watch({ resource, actor, session }))
  .needs('is not open to this member now', fact.open({ session, user: actor, work: resource }))
  .needs('nobody says what time it is', observation.nowDatetime({ session, nowDatetime: now }))
  // The original would pass over its prohibition here, and permit.
  .rejects('is a child, and nobody says what time it is there', child, not(observation.nowLocalTimeOffset({ session })))
  .rejects(
    'is a child, and it is bedtime',
    child,
    observation.nowLocalTimeOffset({ session, nowLocalTimeOffset: offset }),
    timeOfDay(now, offset).as(time),
    or(lt(time, 6 * HOUR), gt(time, 21 * HOUR)),
  )
  .otherwiseApproves();

const purchases = (['rent', 'buy'] as const).map((name) =>
  decide(name, proposal[name]({ resource, actor, session }))
    .needs('is no subscriber', type({ entity: actor, type: 'Subscriber' }))
    .needs('is no movie', type({ entity: resource, type: 'Movie' }))
    .needs('is not nominated', observation.isOscarNominated({ entity: resource, isOscarNominated: true }))
    .needs('nobody says what time it is', observation.nowDatetime({ session, nowDatetime: now }))
    .rejects('the promotion is not on', or(lt(now, PROMOTION.from), gte(now, PROMOTION.to)))
    .otherwiseApproves(),
);

export const streaming = program({
  name: 'streaming',
  ontologies: [entities, stream],
  rules: [permits, watches, ...purchases],
});
