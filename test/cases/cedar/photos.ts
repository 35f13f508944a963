/**
 * The photo service that eleven of the policies are about: what is known of accounts, albums, photos and people, and one wish.
 *
 * Reads  nothing; it is data until it is loaded.
 * Gives  its ontology, the table of its actions, and the programs of its policies.
 * Never  permits anything: each policy is a file of its own.
 */
import * as z from 'zod';
import { defineOntology, keyed, program, rule, ruleset, SessionId, type Decision, type Program, type Ruleset } from '../../../src/index.ts';
import { entities, Entity, scope } from './entities.ts';

const Action = z.enum(['view', 'edit', 'comment', 'delete', 'addPhoto', 'listAlbums', 'listPhotos']);

export const photos = defineOntology({
  scope,
  observation: {
    account: keyed({ entity: Entity }, { account: Entity }),
    owner: keyed({ entity: Entity }, { owner: Entity }),
    private: keyed({ entity: Entity }, { private: z.boolean() }),
    department: keyed({ entity: Entity }, { department: z.string() }),
    jobLevel: keyed({ entity: Entity }, { jobLevel: z.int() }),
    // Of one request each.
    authenticated: keyed({ session: SessionId }, { authenticated: z.boolean() }),
    confidenceScore: keyed({ session: SessionId }, { confidenceScore: z.number() }),
    photoFiletype: keyed({ session: SessionId }, { photoFiletype: z.string() }),
    photoFilesizeMb: keyed({ session: SessionId }, { photoFilesizeMb: z.int() }),
  },
  proposal: { request: { action: Action, resource: Entity } },
  fact: {
    known: { action: Action },
    owns: { user: Entity, entity: Entity },
    may: { user: Entity, action: Action, resource: Entity },
  },
});

const { entity, account, user } = photos.vars;
const { observation, fact } = photos;

/** Every action that there is, for rules that permit any of them. */
export const actions = ruleset(
  'actions',
  Object.fromEntries(Action.options.map((action) => [action, rule(fact.known({ action })).when()])),
);

/** What is in an account belongs to the owner of the account. */
export const owners = ruleset('owners', {
  owns: rule(fact.owns({ user, entity })).when(
    observation.account({ entity, account }),
    observation.owner({ entity: account, owner: user }),
  ),
});

export function photoPolicy(name: string, ...rules: readonly (Decision | Ruleset)[]): Program {
  return program({ name, ontologies: [entities, photos], rules });
}
