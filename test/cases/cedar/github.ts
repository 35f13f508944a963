/**
 * Repositories and their issues: what readers, triagers, writers, maintainers, admins and reporters may do.
 *
 * Reads  five groups of each repository, and the repository and the reporter of each issue.
 * Gives  one decide for each action, of which the reason names the role that is lacking.
 * Never  takes a maintainer for a writer by itself: that the groups are within one another is the hierarchy's.
 */
import * as z from 'zod';
import { decide, defineOntology, keyed, program, rule, ruleset } from '../../../src/index.ts';
import { entities, Entity, hierarchy, scope } from './entities.ts';

const Role = z.enum(['reader', 'triager', 'writer', 'maintainer', 'admin']);
const wish = { resource: Entity };

const git = defineOntology({
  scope,
  observation: {
    readers: keyed({ entity: Entity }, { readers: Entity }),
    triagers: keyed({ entity: Entity }, { triagers: Entity }),
    writers: keyed({ entity: Entity }, { writers: Entity }),
    maintainers: keyed({ entity: Entity }, { maintainers: Entity }),
    admins: keyed({ entity: Entity }, { admins: Entity }),
    repo: keyed({ entity: Entity }, { repo: Entity }),
    reporter: keyed({ entity: Entity }, { reporter: Entity }),
  },
  proposal: {
    ...{ pull: wish, fork: wish, push: wish },
    ...{ editIssue: wish, deleteIssue: wish, assignIssue: wish },
    ...{ addReader: wish, addTriager: wish, addWriter: wish, addMaintainer: wish, addAdmin: wish },
  },
  fact: {
    has: { user: Entity, role: Role, repo: Entity },
    edits: { user: Entity, issue: Entity },
    deletes: { user: Entity, issue: Entity },
  },
});
const { user, repo, issue, resource, actor } = git.vars;
const { group } = entities.vars;
const { observation, proposal, fact } = git;

const member = entities.fact.within({ entity: user, group });

const roles = ruleset('roles', {
  reader: rule(fact.has({ user, role: 'reader', repo })).when(observation.readers({ entity: repo, readers: group }), member),
  triager: rule(fact.has({ user, role: 'triager', repo })).when(observation.triagers({ entity: repo, triagers: group }), member),
  writer: rule(fact.has({ user, role: 'writer', repo })).when(observation.writers({ entity: repo, writers: group }), member),
  maintainer: rule(fact.has({ user, role: 'maintainer', repo })).when(
    observation.maintainers({ entity: repo, maintainers: group }),
    member,
  ),
  admin: rule(fact.has({ user, role: 'admin', repo })).when(observation.admins({ entity: repo, admins: group }), member),
});

/** An issue is its reporter's as long as that is a reader. */
const ofIssue = observation.repo({ entity: issue, repo });
const ownReport = [ofIssue, observation.reporter({ entity: issue, reporter: user }), fact.has({ user, role: 'reader', repo })] as const;

const issues = ruleset('issues', {
  reporterEdits: rule(fact.edits({ user, issue })).when(...ownReport),
  writerEdits: rule(fact.edits({ user, issue })).when(ofIssue, fact.has({ user, role: 'writer', repo })),
  reporterDeletes: rule(fact.deletes({ user, issue })).when(...ownReport),
  maintainerDeletes: rule(fact.deletes({ user, issue })).when(ofIssue, fact.has({ user, role: 'maintainer', repo })),
});

const reads = (['pull', 'fork'] as const).map((name) =>
  decide(name, proposal[name]({ resource, actor }))
    .needs('is no reader', fact.has({ user: actor, role: 'reader', repo: resource }))
    .otherwiseApproves(),
);
const pushes = decide('push', proposal.push({ resource, actor }))
  .needs('is no writer', fact.has({ user: actor, role: 'writer', repo: resource }))
  .otherwiseApproves();
const additions = (['addReader', 'addTriager', 'addWriter', 'addMaintainer', 'addAdmin'] as const).map((name) =>
  decide(name, proposal[name]({ resource, actor }))
    .needs('is no admin', fact.has({ user: actor, role: 'admin', repo: resource }))
    .otherwiseApproves(),
);
const edits = decide('editIssue', proposal.editIssue({ resource, actor }))
  .needs('is neither a writer nor a reader who reported it', fact.edits({ user: actor, issue: resource }))
  .otherwiseApproves();
const deletions = decide('deleteIssue', proposal.deleteIssue({ resource, actor }))
  .needs('is neither a maintainer nor a reader who reported it', fact.deletes({ user: actor, issue: resource }))
  .otherwiseApproves();
const assignments = decide('assignIssue', proposal.assignIssue({ resource, actor }))
  .needs('is in no repository', observation.repo({ entity: resource, repo }))
  .needs('is no triager', fact.has({ user: actor, role: 'triager', repo }))
  .otherwiseApproves();

export const github = program({
  name: 'github',
  ontologies: [entities, git],
  rules: [hierarchy, roles, issues, ...reads, pushes, ...additions, edits, deletions, assignments],
});
