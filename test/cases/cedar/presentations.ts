/** Presentations and templates that carry lists of those who may see and change them. */
import { defineOntology, oneOf, program, rule, ruleset } from '../../../src/index.ts';
import { entities, Entity, hierarchy, scope } from './entities.ts';
import { actions, IN_MARKET, INSIDE, OUTSIDE, requests, sales, sharing, TEMPLATE_EDITING, TEMPLATE_INSIDE } from './sales.ts';

const lists = defineOntology({
  scope,
  observation: {
    viewers: { entity: Entity, viewers: Entity },
    editors: { entity: Entity, editors: Entity },
    viewerMarkets: { entity: Entity, viewerMarkets: Entity },
    editorMarkets: { entity: Entity, editorMarkets: Entity },
  },
});
const { user, action, resource } = sales.vars;
const { group } = entities.vars;
const { job, owner } = sales.observation;
const { viewers, editors, viewerMarkets, editorMarkets } = lists.observation;

const may = rule(sales.fact.may({ user, action, resource }));
const member = entities.fact.within({ entity: user, group });
const any = sales.fact.known({ action });

const permits = ruleset('permits', {
  viewers: may.when(viewers({ entity: resource, viewers: group }), member, any, oneOf(action, ...OUTSIDE)),
  insiders: may.when(
    job({ entity: user, job: 'Job::internal' }),
    viewers({ entity: resource, viewers: group }),
    member,
    any,
    oneOf(action, ...INSIDE, ...TEMPLATE_INSIDE),
  ),
  markets: may.when(viewerMarkets({ entity: resource, viewerMarkets: group }), member, any, oneOf(action, ...IN_MARKET)),
  owner: may.when(owner({ entity: resource, owner: user }), any),
  editors: may.when(editors({ entity: resource, editors: group }), member, any),
  marketEditors: may.when(editorMarkets({ entity: resource, editorMarkets: group }), member, any, oneOf(action, ...TEMPLATE_EDITING)),
});

export const presentations = program({
  name: 'presentations',
  ontologies: [entities, sales, lists],
  rules: [hierarchy, actions, permits, sharing, requests],
});
