/** Two chains of hotels, with somebody on each list, and with a link of each template. */
import { hotelsLinked } from '../hotels-linked.ts';
import { hotels } from '../hotels.ts';
import { asks, entity, links, ref, type OwnCase } from './case.ts';

const places = [
  entity('Hotel::inn'),
  entity('Hotel::spa'),
  entity('Property::east', {}, 'Hotel::inn'),
  entity('Property::west', {}, 'Hotel::spa'),
  entity('Reservation::r1', {}, 'Property::east'),
  entity('Reservation::r2', {}, 'Property::west'),
];
const EACH = ['Reservation', 'Property', 'Hotel'];
const LEVELS = [['view'], ['update', 'create'], ['grantAccess']];
/** Actions as far as a level, and those above it. */
const upTo = (level: number, kinds = EACH) =>
  LEVELS.slice(0, level).flatMap((verbs) => verbs.flatMap((verb) => kinds.map((kind) => verb + kind)));
const above = (level: number, kinds = EACH) =>
  LEVELS.slice(level).flatMap((verbs) => verbs.flatMap((verb) => kinds.map((kind) => verb + kind)));

/** Of the first chain: what an action is about, which for a new thing is the place that it is to be in. */
function placeOf(action: string): string {
  if (action === 'createReservation') return 'Property::east';
  if (action.startsWith('create')) return 'Hotel::inn';
  return action.endsWith('Reservation') ? 'Reservation::r1' : action.endsWith('Property') ? 'Property::east' : 'Hotel::inn';
}

const lists = ({ view = [], member = [], admin = [] }: Readonly<Record<string, readonly string[]>>) => {
  const of = (type: string, uids: readonly string[]) => uids.filter((uid) => uid.startsWith(type)).map(ref);
  return {
    viewPermissions: { hotelReservations: of('Hotel', view), propertyReservations: of('Property', view) },
    memberPermissions: { hotelReservations: of('Hotel', member), propertyReservations: of('Property', member) },
    hotelAdminPermissions: of('Hotel', admin),
    propertyAdminPermissions: of('Property', admin),
  };
};

const UNLISTED = ['is on none of the lists for it'];
const UNLINKED = ['no link permits it'];
const PLACE = ['Property', 'Hotel'];

export const hotelCases: readonly OwnCase[] = [
  {
    policy: hotels,
    known: {
      entities: [
        ...places,
        ...['Hotel::inn', 'Property::east'].flatMap((place) =>
          ['view', 'member', 'admin'].map((level) => entity(`User::${level} ${place.split('::')[0]}`, lists({ [level]: [place] }))),
        ),
      ],
    },
    requests: ['Hotel', 'Property'].flatMap((list) =>
      ['view', 'member', 'admin'].flatMap((level, rank) => {
        const who = `User::${level} ${list}`;
        // No hotel is within a property.
        const isListed = (action: string) => list === 'Hotel' || placeOf(action) !== 'Hotel::inn';
        return [
          ...upTo(rank + 1).map((action) => asks(who, action, placeOf(action), isListed(action) ? [] : UNLISTED)),
          ...above(rank + 1).map((action) => asks(who, action, placeOf(action), UNLISTED)),
          asks(who, 'viewReservation', 'Reservation::r2', UNLISTED),
          asks(who, 'viewProperty', 'Reservation::r1', UNLISTED),
        ];
      }),
    ),
  },
  {
    policy: hotelsLinked,
    known: {
      entities: places,
      linked: links(
        ['ViewReservation', 'User::1', 'Hotel::inn'],
        ['MemberReservation', 'User::2', 'Hotel::inn'],
        ['AdminReservation', 'User::3', 'Property::east'],
        ['ViewPropertyOrHotel', 'User::4', 'Hotel::inn'],
        ['MemberPropertyOrHotel', 'User::5', 'Hotel::inn'],
        ['AdminPropertyOrHotel', 'User::6', 'Hotel::inn'],
      ),
    },
    requests: [1, 2, 3].flatMap((level) => [
      ...upTo(level, ['Reservation']).map((action) => asks(`User::${level}`, action, 'Reservation::r1')),
      ...above(level, ['Reservation']).map((action) => asks(`User::${level}`, action, 'Reservation::r1', UNLINKED)),
      asks(`User::${level}`, 'viewReservation', 'Reservation::r2', UNLINKED),
      asks(`User::${level}`, 'viewProperty', 'Property::east', UNLINKED),
      ...upTo(level, PLACE).map((action) => asks(`User::${level + 3}`, action, 'Property::east')),
      ...above(level, PLACE).map((action) => asks(`User::${level + 3}`, action, 'Property::east', UNLINKED)),
      asks(`User::${level + 3}`, 'viewHotel', 'Hotel::spa', UNLINKED),
      asks(`User::${level + 3}`, 'viewReservation', 'Reservation::r1', UNLINKED),
    ]),
  },
];
