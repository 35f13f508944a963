/** Members of each kind before works of each kind, by day and by night. */
import { streaming } from '../streaming.ts';
import { asks, entity, type OwnCase } from './case.ts';

const subscriber = (name: string, tier: string, isKid = false) =>
  entity(`Subscriber::${name}`, { subscription: { tier }, profile: { isKid } });
const at = (datetime: string, offset = '0h') => ({
  now: { datetime: { fn: 'datetime', arg: datetime }, localTimeOffset: { fn: 'duration', arg: offset } },
});
const NOON = at('2025-02-20T12:00:00Z');
const CLOSED = ['is not open to this member now'];
const BEDTIME = ['is a child, and it is bedtime'];
const OVER = ['the promotion is not on'];

export const streamingCases: readonly OwnCase[] = [
  {
    policy: streaming,
    known: {
      entities: [
        subscriber('ada', 'standard'),
        subscriber('pia', 'premium'),
        subscriber('kim', 'standard', true),
        entity('FreeMember::fred'),
        entity('Movie::classic', { isFree: true, needsRentOrBuy: false, isOscarNominated: false }),
        entity('Movie::hit', { isFree: false, needsRentOrBuy: true, isOscarNominated: true }),
        entity('Show::daily', { isFree: true, isEarlyAccess: false, releaseDate: '2025-03-01' }),
        entity('Show::soon', { isFree: false, isEarlyAccess: true, releaseDate: '2025-02-21' }),
        entity('Show::award', { isFree: false, isOscarNominated: true }),
      ],
    },
    requests: [
      asks('Subscriber::ada', 'watch', 'Show::daily', [], NOON),
      asks('Subscriber::ada', 'watch', 'Movie::classic', [], NOON),
      asks('Subscriber::ada', 'watch', 'Movie::hit', CLOSED, NOON),
      asks('Subscriber::ada', 'watch', 'Movie::classic', [...CLOSED, 'nobody says what time it is']),
      asks('Subscriber::ada', 'watch', 'Show::soon', CLOSED, at('2025-02-20T23:59:59Z')),
      asks('Subscriber::ada', 'watch', 'Show::soon', [], at('2025-02-21T00:00:00Z')),
      asks('Subscriber::pia', 'watch', 'Show::soon', CLOSED, at('2025-02-19T23:59:59Z')),
      asks('Subscriber::pia', 'watch', 'Show::soon', [], at('2025-02-20T00:00:00Z')),
      asks('FreeMember::fred', 'watch', 'Movie::classic', [], NOON),
      asks('FreeMember::fred', 'watch', 'Show::daily', [], NOON),
      asks('FreeMember::fred', 'watch', 'Show::soon', CLOSED, NOON),
      asks('Subscriber::kim', 'watch', 'Show::daily', [], at('2025-02-20T06:00:00Z')),
      asks('Subscriber::kim', 'watch', 'Show::daily', BEDTIME, at('2025-02-20T05:59:59Z')),
      asks('Subscriber::kim', 'watch', 'Show::daily', [], at('2025-02-20T21:00:00Z')),
      asks('Subscriber::kim', 'watch', 'Show::daily', BEDTIME, at('2025-02-20T21:00:01Z')),
      // The same instant is another time of day elsewhere, on the day before or after.
      asks('Subscriber::kim', 'watch', 'Show::daily', BEDTIME, at('2025-02-20T03:00:00Z', '-5h')),
      asks('Subscriber::kim', 'watch', 'Show::daily', [], at('2025-02-20T20:00:00Z', '11h')),
      asks('Subscriber::kim', 'watch', 'Show::daily', ['is a child, and nobody says what time it is there'], {
        now: { datetime: { fn: 'datetime', arg: '2025-02-20T12:00:00Z' } },
      }),
      ...['rent', 'buy'].flatMap((action) => [
        asks('Subscriber::ada', action, 'Movie::hit', [], NOON),
        asks('Subscriber::ada', action, 'Movie::classic', ['is not nominated'], NOON),
        asks('Subscriber::ada', action, 'Show::award', ['is no movie'], NOON),
        asks('FreeMember::fred', action, 'Movie::hit', ['is no subscriber'], NOON),
        asks('Subscriber::ada', action, 'Movie::hit', ['nobody says what time it is']),
        asks('Subscriber::ada', action, 'Movie::hit', [], at('2025-02-02T19:00:00-0500')),
        asks('Subscriber::ada', action, 'Movie::hit', OVER, at('2025-02-02T18:59:59-0500')),
        asks('Subscriber::ada', action, 'Movie::hit', OVER, at('2025-03-02T19:00:00-0500')),
      ]),
    ],
  },
];
