/** Alice may view, edit and comment on whatever is in one album. */
import { decide, neq, not, oneOf } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, actor } = photos.vars;

const requests = decide('requests', photos.proposal.request({ action, resource, actor }))
  .rejects('is not Alice', neq(actor, 'User::alice'))
  .rejects('may only be viewed, edited and commented on', not(oneOf(action, 'view', 'edit', 'comment')))
  .needs('is not in the album', entities.fact.within({ entity: resource, group: 'Album::jane_vacation' }))
  .otherwiseApproves();

export const userEditsAlbum = photoPolicy('user-edits-album', hierarchy, requests);
