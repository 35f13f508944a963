/** Anyone may view whatever is in one album, except Bob. */
import { decide, eq, neq } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, actor } = photos.vars;

const requests = decide('requests', photos.proposal.request({ action, resource, actor }))
  .rejects('may only be viewed', neq(action, 'view'))
  .needs('is not in the album', entities.fact.within({ entity: resource, group: 'Album::jane_vacation' }))
  // It speaks of everything, where the original names the album and viewing again: nothing else is permitted.
  .rejects('Bob is shut out', eq(actor, 'User::bob'))
  .otherwiseApproves();

export const allButOne = photoPolicy('all-but-one', hierarchy, requests);
