/** Sales may use one album, and seniors may view anything, where they are signed in. */
import { decide, gte, rule, ruleset } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { actions, photoPolicy, photos } from './photos.ts';

const { action, resource, actor, session, user, jobLevel } = photos.vars;
const { observation, fact, proposal } = photos;

const permits = ruleset('permits', {
  sales: rule(fact.may({ user, action, resource })).when(
    observation.department({ entity: user, department: 'Sales' }),
    fact.known({ action }),
    entities.fact.within({ entity: resource, group: 'Album::alice_vacation' }),
  ),
  seniors: rule(fact.may({ user, action: 'view', resource })).when(
    observation.jobLevel({ entity: user, jobLevel }),
    gte(jobLevel, 7),
    // Any resource: what is anything at all has a type.
    entities.observation.type({ entity: resource }),
  ),
});

const requests = decide('requests', proposal.request({ action, resource, actor, session }))
  .needs('nothing permits it', fact.may({ user: actor, action, resource }))
  .needs('nobody is signed in', observation.authenticated({ session, authenticated: true }))
  .otherwiseApproves();

export const salesAndSeniors = photoPolicy('sales-and-seniors', hierarchy, actions, permits, requests);
