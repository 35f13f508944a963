/**
 * Entities and their hierarchy, as every policy here sees them: typed ids, parents, and who is within what.
 *
 * Reads  what a service knows: which entities there are, and the direct parents of each.
 * Gives  the type `Entity`, the scope in which whoever asks is one, and the rules of `fact.within`.
 * Never  says who may do what.
 */
import * as z from 'zod';
import { defineOntology, keyed, rule, ruleset, SessionId } from '../../../src/index.ts';

/** Its type and its id: `Photo::sea.jpg`. No brand, since a comparison with a constant takes plain strings only. */
export const Entity = z.string();

/** Whoever asks is stamped on the request, so no request says for whom it speaks. What is known about it has its session as key. */
export const scope = { session: SessionId, actor: Entity };

export const entities = defineOntology({
  scope,
  observation: {
    type: keyed({ entity: Entity }, { type: z.string() }),
    parent: { entity: Entity, parent: Entity },
  },
  fact: { within: { entity: Entity, group: Entity } },
});

const { entity, group, parent } = entities.vars;
const { observation, fact } = entities;

export const hierarchy = ruleset('hierarchy', {
  itself: rule(fact.within({ entity, group: entity })).when(observation.type({ entity })),
  above: rule(fact.within({ entity, group })).when(observation.parent({ entity, parent }), fact.within({ entity: parent, group })),
});
