/**
 * Presentations and templates of a sales organisation: what is known of people, what may be wished, and with whom nobody may share.
 *
 * Reads  the job and the customer of each person, the owner of each thing, and with whom a request would share it.
 * Gives  the ontology, the table of actions, the groups that they fall into, and the decide; two policies give the permissions.
 * Never  permits anything: `fact.may` is theirs.
 */
import * as z from 'zod';
import { decide, defineOntology, keyed, not, oneOf, rule, ruleset, SessionId } from '../../../src/index.ts';
import { Entity, scope } from './entities.ts';

const Action = z.enum([
  ...(['viewPresentation', 'removeSelfAccessFromPresentation', 'duplicatePresentation', 'editPresentation'] as const),
  ...(['grantViewAccessToPresentation', 'grantEditAccessToPresentation'] as const),
  ...(['viewTemplate', 'duplicateTemplate', 'removeSelfAccessFromTemplate', 'editTemplate', 'removeOthersAccessToTemplate'] as const),
  ...(['grantViewAccessToTemplate', 'grantEditAccessToTemplate'] as const),
]);

/** What outsiders may do with a presentation that they may see; insiders; and whoever may change it. */
export const OUTSIDE = ['viewPresentation', 'removeSelfAccessFromPresentation'] as const;
export const INSIDE = [...OUTSIDE, 'duplicatePresentation'] as const;
export const EDITING = [...INSIDE, 'editPresentation', 'grantViewAccessToPresentation', 'grantEditAccessToPresentation'] as const;
/** With a template that a market may see; insiders; and whoever may change it. */
export const IN_MARKET = ['viewTemplate', 'duplicateTemplate'] as const;
export const TEMPLATE_INSIDE = [...IN_MARKET, 'removeSelfAccessFromTemplate'] as const;
export const TEMPLATE_EDITING = [
  ...TEMPLATE_INSIDE,
  ...(['editTemplate', 'removeOthersAccessToTemplate', 'grantViewAccessToTemplate', 'grantEditAccessToTemplate'] as const),
] as const;

export const sales = defineOntology({
  scope,
  observation: {
    job: keyed({ entity: Entity }, { job: Entity }),
    customerId: keyed({ entity: Entity }, { customerId: z.string() }),
    owner: keyed({ entity: Entity }, { owner: Entity }),
    // With whom a request would share: a presentation's, a template's.
    target: keyed({ session: SessionId }, { target: Entity }),
    targetUser: keyed({ session: SessionId }, { targetUser: Entity }),
  },
  proposal: { request: { action: Action, resource: Entity } },
  fact: {
    known: { action: Action },
    may: { user: Entity, action: Action, resource: Entity },
    getsAccess: { session: SessionId, person: Entity },
    serves: { user: Entity, person: Entity },
  },
});
const { session, user, person, customerId, action, resource, actor } = sales.vars;
const { observation, proposal, fact } = sales;

export const actions = ruleset(
  'actions',
  Object.fromEntries(Action.options.map((name) => [name, rule(fact.known({ action: name })).when()])),
);

export const sharing = ruleset('sharing', {
  presentation: rule(fact.getsAccess({ session, person })).when(observation.target({ session, target: person })),
  template: rule(fact.getsAccess({ session, person })).when(observation.targetUser({ session, targetUser: person })),
  serves: rule(fact.serves({ user, person })).when(
    observation.job({ entity: user, job: 'Job::distributor' }),
    observation.customerId({ entity: user, customerId }),
    observation.customerId({ entity: person, customerId }),
  ),
});

export const requests = decide('requests', proposal.request({ action, resource, actor, session }))
  .needs('nothing permits it', fact.may({ user: actor, action, resource }))
  // The original would pass over its prohibitions here, and permit.
  .rejects(
    'nobody says with whom',
    oneOf(action, 'grantViewAccessToPresentation', 'grantEditAccessToPresentation'),
    not(observation.target({ session })),
  )
  .rejects(
    'a customer is shown things by a distributor of theirs, and by nobody else',
    oneOf(action, 'grantViewAccessToPresentation', 'grantViewAccessToTemplate'),
    fact.getsAccess({ session, person }),
    observation.job({ entity: person, job: 'Job::customer' }),
    not(fact.serves({ user: actor, person })),
  )
  .rejects(
    'only insiders become editors',
    oneOf(action, 'grantEditAccessToPresentation', 'grantEditAccessToTemplate'),
    fact.getsAccess({ session, person }),
    not(observation.job({ entity: person, job: 'Job::internal' })),
  )
  .otherwiseApproves();
