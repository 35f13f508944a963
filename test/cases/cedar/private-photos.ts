/** Alice's friends may view what is in her account; what is private, only its owner. */
import { decide, neq, not } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { owners, photoPolicy, photos } from './photos.ts';

const { action, resource, actor } = photos.vars;
const { observation, fact, proposal } = photos;

const requests = decide('requests', proposal.request({ action, resource, actor }))
  .rejects('may only be viewed', neq(action, 'view'))
  .needs("is not in Alice's account", entities.fact.within({ entity: resource, group: 'Account::alice' }))
  .needs('is no friend of Alice', entities.fact.within({ entity: actor, group: 'UserGroup::alice_friends' }))
  // The original would pass over its prohibition here, and permit.
  .needs('nobody says whether it is private', observation.private({ entity: resource }))
  .rejects('is private', observation.private({ entity: resource, private: true }), not(fact.owns({ user: actor, entity: resource })))
  .otherwiseApproves();

export const privatePhotos = photoPolicy('private-photos', hierarchy, owners, requests);
