/** Alice may view whatever is in one album. */
import { decide, neq } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, actor } = photos.vars;

const requests = decide('requests', photos.proposal.request({ action, resource, actor }))
  .rejects('is not Alice', neq(actor, 'User::alice'))
  .rejects('may only be viewed', neq(action, 'view'))
  .needs('is not in the album', entities.fact.within({ entity: resource, group: 'Album::jane_vacation' }))
  .otherwiseApproves();

export const userViewsAlbum = photoPolicy('user-views-album', hierarchy, requests);
