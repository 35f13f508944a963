/** One repository, somebody in each of its groups, and issues that two of them reported. */
import { github } from '../github.ts';
import { asks, entity, ref, type OwnCase } from './case.ts';

const GROUPS = ['readers', 'triagers', 'writers', 'maintainers', 'admins'];
const issue = (name: string, reporter: string) => entity(`Issue::${name}`, { repo: ref('Repository::lib'), reporter: ref(reporter) });

/** Who holds one role, and which of the lower ones by the hierarchy. */
const asAll = (actions: readonly string[], resource: string, lowest: number, reason: string) =>
  actions.flatMap((action) =>
    GROUPS.map((group, rank) => asks(`User::of-${group}`, action, resource, rank < lowest ? [reason] : [])).concat(
      asks('User::stranger', action, resource, [reason]),
    ),
  );

export const githubCases: readonly OwnCase[] = [
  {
    policy: github,
    known: {
      entities: [
        entity('Repository::lib', Object.fromEntries(GROUPS.map((group) => [group, ref(`UserGroup::${group}`)]))),
        ...GROUPS.map((group, rank) =>
          entity(`UserGroup::${group}`, {}, ...GROUPS.slice(rank - 1, rank).map((one) => `UserGroup::${one}`)),
        ),
        ...GROUPS.map((group) => entity(`User::of-${group}`, {}, `UserGroup::${group}`)),
        entity('User::team', {}, 'Team::all'),
        entity('Team::all', {}, 'UserGroup::readers'),
        issue('crash', 'User::of-readers'),
        issue('spam', 'User::stranger'),
        entity('Issue::loose'),
      ],
    },
    requests: [
      ...asAll(['pull', 'fork'], 'Repository::lib', 0, 'is no reader'),
      ...asAll(['push'], 'Repository::lib', 2, 'is no writer'),
      ...asAll(['add_reader', 'add_triager', 'add_writer', 'add_maintainer', 'add_admin'], 'Repository::lib', 4, 'is no admin'),
      ...asAll(['assign_issue'], 'Issue::spam', 1, 'is no triager'),
      ...asAll(['edit_issue'], 'Issue::spam', 2, 'is neither a writer nor a reader who reported it'),
      ...asAll(['delete_issue'], 'Issue::spam', 3, 'is neither a maintainer nor a reader who reported it'),
      asks('User::team', 'pull', 'Repository::lib'),
      asks('User::of-readers', 'edit_issue', 'Issue::crash'),
      asks('User::of-readers', 'delete_issue', 'Issue::crash'),
      asks('User::of-admins', 'assign_issue', 'Issue::loose', ['is in no repository']),
    ],
  },
];
