/** Presentations and templates again, where whoever may see or change one has a link to it. */
import * as z from 'zod';
import { defineOntology, neq, oneOf, program, rule, ruleset } from '../../../src/index.ts';
import { entities, Entity, scope } from './entities.ts';
import { actions, EDITING, IN_MARKET, INSIDE, OUTSIDE, requests, sales, sharing, TEMPLATE_EDITING, TEMPLATE_INSIDE } from './sales.ts';

const Template = z.enum([
  ...(['external-prez-view', 'internal-prez-view', 'template-edit for non-owner'] as const),
  ...(['market-template-view', 'internal-template-view', 'template-edit'] as const),
]);
const links = defineOntology({ scope, observation: { link: { template: Template, principal: Entity, resource: Entity } } });

const { user, action, resource, job } = sales.vars;
const { observation, fact } = sales;
const { link } = links.observation;

const may = rule(fact.may({ user, action, resource }));
const any = fact.known({ action });
const linked = (template: z.output<typeof Template>) => link({ template, principal: user, resource });
const isInside = observation.job({ entity: user, job: 'Job::internal' });
const isOutside = [observation.job({ entity: user, job }), neq(job, 'Job::internal')] as const;

const permits = ruleset('permits', {
  outsiders: may.when(linked('external-prez-view'), ...isOutside, any, oneOf(action, ...OUTSIDE)),
  insiders: may.when(linked('internal-prez-view'), isInside, any, oneOf(action, ...INSIDE)),
  editors: may.when(linked('template-edit for non-owner'), any, oneOf(action, ...EDITING)),
  owner: may.when(observation.owner({ entity: resource, owner: user }), any),
  markets: may.when(linked('market-template-view'), ...isOutside, any, oneOf(action, ...IN_MARKET)),
  templateInsiders: may.when(linked('internal-template-view'), isInside, any, oneOf(action, ...TEMPLATE_INSIDE)),
  templateEditors: may.when(linked('template-edit'), any, oneOf(action, ...TEMPLATE_EDITING)),
});

export const presentationsLinked = program({
  name: 'presentations-linked',
  ontologies: [entities, sales, links],
  rules: [actions, permits, sharing, requests],
});
