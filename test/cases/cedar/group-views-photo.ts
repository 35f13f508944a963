/** Jane's friends may view one photo. */
import { decide, neq } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, actor } = photos.vars;

const requests = decide('requests', photos.proposal.request({ action, resource, actor }))
  .rejects('may only be viewed', neq(action, 'view'))
  .rejects('is another photo', neq(resource, 'Photo::VacationPhoto94.jpg'))
  .needs('is no friend of Jane', entities.fact.within({ entity: actor, group: 'UserGroup::jane_friends' }))
  .otherwiseApproves();

export const groupViewsPhoto = photoPolicy('group-views-photo', hierarchy, requests);
