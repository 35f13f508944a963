/** Alice's friends may view her account, Sales may use one album of it; nobody may who is not signed in, nor what is another's and private. */
import { decide, not, rule, ruleset } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { actions, owners, photoPolicy, photos } from './photos.ts';

const { action, resource, actor, session, user } = photos.vars;
const { observation, fact, proposal } = photos;

const permits = ruleset('permits', {
  friends: rule(fact.may({ user, action: 'view', resource })).when(
    entities.fact.within({ entity: user, group: 'UserGroup::alice_friends' }),
    entities.fact.within({ entity: resource, group: 'Account::alice' }),
  ),
  sales: rule(fact.may({ user, action, resource })).when(
    observation.department({ entity: user, department: 'Sales' }),
    fact.known({ action }),
    entities.fact.within({ entity: resource, group: 'Album::alice_vacation' }),
  ),
});

const requests = decide('requests', proposal.request({ action, resource, actor, session }))
  .needs('nothing permits it', fact.may({ user: actor, action, resource }))
  .needs('nobody is signed in', observation.authenticated({ session, authenticated: true }))
  .needs('nobody says whether it is private', observation.private({ entity: resource }))
  .rejects('is private', observation.private({ entity: resource, private: true }), not(fact.owns({ user: actor, entity: resource })))
  .otherwiseApproves();

export const friendsAndSales = photoPolicy('friends-and-sales', hierarchy, actions, owners, permits, requests);
