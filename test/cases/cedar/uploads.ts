/** Anyone may add small pictures to what is in Alice's account, and her video team large raw ones too. */
import { decide, eq, gt, neq, not, oneOf } from '../../../src/index.ts';
import { entities, hierarchy } from './entities.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, actor, session, photoFiletype, photoFilesizeMb } = photos.vars;
const { observation, proposal } = photos;

const requests = decide('requests', proposal.request({ action, resource, actor, session }))
  .rejects('photos may only be added', neq(action, 'addPhoto'))
  .needs("is not in Alice's account", entities.fact.within({ entity: resource, group: 'Account::alice' }))
  .needs('nobody says what kind of file it is', observation.photoFiletype({ session, photoFiletype }))
  .needs('nobody says how large it is', observation.photoFilesizeMb({ session, photoFilesizeMb }))
  .rejects('is neither JPEG nor PNG nor RAW', not(oneOf(photoFiletype, 'JPEG', 'PNG', 'RAW')))
  .rejects('is larger than 1 MB', oneOf(photoFiletype, 'JPEG', 'PNG'), gt(photoFilesizeMb, 1))
  .rejects('is larger than 100 MB', eq(photoFiletype, 'RAW'), gt(photoFilesizeMb, 100))
  .rejects(
    'is RAW, and not by the video team',
    eq(photoFiletype, 'RAW'),
    not(entities.fact.within({ entity: actor, group: 'UserGroup::AVTeam' })),
  )
  .otherwiseApproves();

export const uploads = photoPolicy('uploads', hierarchy, requests);
