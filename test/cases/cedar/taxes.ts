/** A tax preparer may view a client's document that is assigned to an organisation of his, or linked to him, where the client consented. */
import * as z from 'zod';
import { decide, defineOntology, keyed, program, rule, ruleset, SessionId } from '../../../src/index.ts';
import { Entity, scope } from './entities.ts';

const text = z.string();
const tax = defineOntology({
  scope,
  observation: {
    owner: keyed({ entity: Entity }, { owner: Entity }),
    organization: keyed({ entity: Entity }, { organization: text }),
    serviceline: keyed({ entity: Entity }, { serviceline: text }),
    location: keyed({ entity: Entity }, { location: text }),
    assignedOrgs: { entity: Entity, organization: text, serviceline: text, location: text },
    link: { template: z.enum(['adhoc-access']), principal: Entity, resource: Entity },
    // The consent that comes with a request: whose it is, and the places that it is for.
    consentClient: keyed({ session: SessionId }, { consentClient: Entity }),
    consentTeamRegionList: { consentTeamRegionList: text },
  },
  proposal: { viewDocument: { resource: Entity } },
  fact: { mayView: { user: Entity, document: Entity } },
});
const { session, user, document, owner, organization, serviceline, location, resource, actor } = tax.vars;
const { observation, proposal, fact } = tax;

const permits = ruleset('permits', {
  assigned: rule(fact.mayView({ user, document })).when(
    observation.owner({ entity: document, owner }),
    observation.organization({ entity: owner, organization }),
    observation.serviceline({ entity: document, serviceline }),
    observation.location({ entity: document, location }),
    observation.assignedOrgs({ entity: user, organization, serviceline, location }),
  ),
  linked: rule(fact.mayView({ user, document })).when(observation.link({ template: 'adhoc-access', principal: user, resource: document })),
});

const views = decide('views', proposal.viewDocument({ resource, actor, session }))
  .needs('is neither assigned nor linked', fact.mayView({ user: actor, document: resource }))
  .needs("is nobody's", observation.owner({ entity: resource, owner }))
  .needs('its owner did not consent', observation.consentClient({ session, consentClient: owner }))
  .needs('nobody says where the preparer is', observation.location({ entity: actor, location }))
  .needs('the consent is for other places', observation.consentTeamRegionList({ session, consentTeamRegionList: location }))
  .otherwiseApproves();

export const taxes = program({ name: 'taxes', ontologies: [tax], rules: [permits, views] });
