/**
 * Hotels again, where a permission is no list of a user's but a link: a template, a user, and the place that it is about.
 *
 * Reads  links, as rows.
 * Gives  one rule for each template, which says what its links permit.
 * Never  needs another rule for another user: what grows is rows.
 */
import * as z from 'zod';
import { decide, defineOntology, oneOf, program, rule, ruleset } from '../../../src/index.ts';
import { entities, Entity, hierarchy, scope } from './entities.ts';

const Action = z.enum([
  ...(['viewReservation', 'updateReservation', 'createReservation', 'grantAccessReservation'] as const),
  ...(['viewProperty', 'updateProperty', 'createProperty', 'grantAccessProperty'] as const),
  ...(['viewHotel', 'updateHotel', 'createHotel', 'grantAccessHotel'] as const),
]);
const Template = z.enum([
  ...(['ViewReservation', 'MemberReservation', 'AdminReservation'] as const),
  ...(['ViewPropertyOrHotel', 'MemberPropertyOrHotel', 'AdminPropertyOrHotel'] as const),
]);

const hotel = defineOntology({
  scope,
  observation: { link: { template: Template, principal: Entity, resource: Entity } },
  proposal: { request: { action: Action, resource: Entity } },
  fact: { known: { action: Action }, may: { user: Entity, action: Action, resource: Entity } },
});
const { user, action, resource, actor } = hotel.vars;
const { observation, proposal, fact } = hotel;
const place = resource.as('place');

const actions = ruleset('actions', Object.fromEntries(Action.options.map((name) => [name, rule(fact.known({ action: name })).when()])));

const linked = (template: z.output<typeof Template>) =>
  [
    observation.link({ template, principal: user, resource: place }),
    entities.fact.within({ entity: resource, group: place }),
    fact.known({ action }),
  ] as const;
const may = rule(fact.may({ user, action, resource }));

const view = ['viewProperty', 'viewHotel'] as const;
const work = [...view, 'updateProperty', 'createProperty', 'updateHotel', 'createHotel'] as const;

const templates = ruleset('templates', {
  viewReservation: may.when(...linked('ViewReservation'), oneOf(action, 'viewReservation')),
  memberReservation: may.when(...linked('MemberReservation'), oneOf(action, 'viewReservation', 'updateReservation', 'createReservation')),
  adminReservation: may.when(
    ...linked('AdminReservation'),
    oneOf(action, 'viewReservation', 'updateReservation', 'createReservation', 'grantAccessReservation'),
  ),
  viewPlace: may.when(...linked('ViewPropertyOrHotel'), oneOf(action, ...view)),
  memberPlace: may.when(...linked('MemberPropertyOrHotel'), oneOf(action, ...work)),
  adminPlace: may.when(...linked('AdminPropertyOrHotel'), oneOf(action, ...work, 'grantAccessProperty', 'grantAccessHotel')),
});

const requests = decide('requests', proposal.request({ action, resource, actor }))
  .needs('no link permits it', fact.may({ user: actor, action, resource }))
  .otherwiseApproves();

export const hotelsLinked = program({
  name: 'hotels-linked',
  ontologies: [entities, hotel],
  rules: [hierarchy, actions, templates, requests],
});
