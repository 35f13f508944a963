/** Anyone may view one photo, where the service is sure enough of who is asking. */
import { decide, lte, neq } from '../../../src/index.ts';
import { photoPolicy, photos } from './photos.ts';

const { action, resource, session, confidenceScore } = photos.vars;
const { observation, proposal } = photos;

const requests = decide('requests', proposal.request({ action, resource, session }))
  .rejects('may only be viewed', neq(action, 'view'))
  .rejects('is another photo', neq(resource, 'Photo::VacationPhoto94.jpg'))
  .needs('nobody says how sure the service is', observation.confidenceScore({ session, confidenceScore }))
  .rejects('the service is not sure enough', lte(confidenceScore, 0.75))
  .otherwiseApproves();

export const confidence = photoPolicy('confidence', requests);
