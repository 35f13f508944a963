/**
 * Hotels, their properties and reservations: each user has lists of the places that he may look at, work on and run.
 *
 * Reads  six lists of places for each user.
 * Gives  three levels, of which each may what the one below it may, with whatever is within a place on a list.
 * Never  lets an action be about a thing of another kind than it is for.
 */
import * as z from 'zod';
import { decide, defineOntology, oneOf, program, rule, ruleset } from '../../../src/index.ts';
import { entities, Entity, hierarchy, scope } from './entities.ts';

const VIEW = ['viewReservation', 'viewProperty', 'viewHotel'] as const;
const UPDATE = ['updateReservation', 'updateProperty', 'updateHotel'] as const;
const CREATE = ['createReservation', 'createProperty', 'createHotel'] as const;
const GRANT = ['grantAccessReservation', 'grantAccessProperty', 'grantAccessHotel'] as const;
const Action = z.enum([...VIEW, ...UPDATE, ...CREATE, ...GRANT]);

/** Something is created in the place that it is to be in. */
const ABOUT = {
  Reservation: ['viewReservation', 'updateReservation', 'grantAccessReservation'],
  Property: ['viewProperty', 'updateProperty', 'grantAccessProperty', 'createReservation'],
  Hotel: ['viewHotel', 'updateHotel', 'grantAccessHotel', 'createProperty', 'createHotel'],
} as const;
const Level = z.enum(['viewer', 'member', 'admin']);

const hotel = defineOntology({
  scope,
  observation: {
    viewPermissionsHotelReservations: { entity: Entity, viewPermissionsHotelReservations: Entity },
    viewPermissionsPropertyReservations: { entity: Entity, viewPermissionsPropertyReservations: Entity },
    memberPermissionsHotelReservations: { entity: Entity, memberPermissionsHotelReservations: Entity },
    memberPermissionsPropertyReservations: { entity: Entity, memberPermissionsPropertyReservations: Entity },
    hotelAdminPermissions: { entity: Entity, hotelAdminPermissions: Entity },
    propertyAdminPermissions: { entity: Entity, propertyAdminPermissions: Entity },
  },
  proposal: { request: { action: Action, resource: Entity } },
  fact: {
    about: { action: Action, type: z.string() },
    fits: { action: Action, resource: Entity },
    listed: { user: Entity, level: Level, place: Entity },
    may: { user: Entity, action: Action, resource: Entity },
  },
});
const { user, level, place, type, action, resource, actor } = hotel.vars;
const { observation, proposal, fact } = hotel;
const entity = user;

const levels = ruleset('levels', {
  viewsHotel: rule(fact.listed({ user, level: 'viewer', place })).when(
    observation.viewPermissionsHotelReservations({ entity, viewPermissionsHotelReservations: place }),
  ),
  viewsProperty: rule(fact.listed({ user, level: 'viewer', place })).when(
    observation.viewPermissionsPropertyReservations({ entity, viewPermissionsPropertyReservations: place }),
  ),
  worksOnHotel: rule(fact.listed({ user, level: 'member', place })).when(
    observation.memberPermissionsHotelReservations({ entity, memberPermissionsHotelReservations: place }),
  ),
  worksOnProperty: rule(fact.listed({ user, level: 'member', place })).when(
    observation.memberPermissionsPropertyReservations({ entity, memberPermissionsPropertyReservations: place }),
  ),
  runsHotel: rule(fact.listed({ user, level: 'admin', place })).when(
    observation.hotelAdminPermissions({ entity, hotelAdminPermissions: place }),
  ),
  runsProperty: rule(fact.listed({ user, level: 'admin', place })).when(
    observation.propertyAdminPermissions({ entity, propertyAdminPermissions: place }),
  ),
});

const kinds = ruleset('kinds', {
  ...Object.fromEntries(
    Object.entries(ABOUT).flatMap(([type, names]) => names.map((action) => [action, rule(fact.about({ action, type })).when()])),
  ),
  fits: rule(fact.fits({ action, resource })).when(fact.about({ action, type }), entities.observation.type({ entity: resource, type })),
});

const may = rule(fact.may({ user, action, resource }));
const inside = [entities.fact.within({ entity: resource, group: place }), fact.fits({ action, resource })] as const;

const permits = ruleset('permits', {
  view: may.when(fact.listed({ user, place }), ...inside, oneOf(action, ...VIEW)),
  work: may.when(fact.listed({ user, level, place }), oneOf(level, 'member', 'admin'), ...inside, oneOf(action, ...UPDATE, ...CREATE)),
  grant: may.when(fact.listed({ user, level: 'admin', place }), ...inside, oneOf(action, ...GRANT)),
});

const requests = decide('requests', proposal.request({ action, resource, actor }))
  .needs('is on none of the lists for it', fact.may({ user: actor, action, resource }))
  .otherwiseApproves();

export const hotels = program({ name: 'hotels', ontologies: [entities, hotel], rules: [hierarchy, levels, kinds, permits, requests] });
