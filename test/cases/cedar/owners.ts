/** Owners may do anything with what is in their account. */
import { decide } from '../../../src/index.ts';
import { photoPolicy, photos, owners as rules } from './photos.ts';

const { action, resource, actor } = photos.vars;

const requests = decide('requests', photos.proposal.request({ action, resource, actor }))
  // What has no account has no owner, so that nothing more need be said about it.
  .needs('belongs to somebody else', photos.fact.owns({ user: actor, entity: resource }))
  .otherwiseApproves();

export const owners = photoPolicy('owners', rules, requests);
