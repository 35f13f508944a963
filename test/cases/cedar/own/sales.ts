/** A presentation and a template, with somebody of each kind on their lists, and with a link of each kind. */
import { presentationsLinked } from '../presentations-linked.ts';
import { presentations } from '../presentations.ts';
import { asks, entity, links, ref, type OwnCase } from './case.ts';

const person = (name: string, job: string, customerId: string, ...parents: readonly string[]) =>
  entity(`User::${name}`, { job: ref(`Job::${job}`), customerId }, ...parents);
const people = [
  person('owner', 'internal', '-'),
  person('insider', 'internal', '-'),
  person('editor', 'distributor', 'c1'),
  person('viewer', 'distributor', 'c1'),
  person('shopper', 'customer', 'c1', 'Market::young'),
  person('other', 'customer', 'c2', 'Market::old'),
  entity('Market::young'),
  entity('Market::old'),
];
const owner = { owner: ref('User::owner') };

const P = 'Presentation::p';
const T = 'Template::t';
const WITH_P = ['viewPresentation', 'removeSelfAccessFromPresentation', 'duplicatePresentation', 'editPresentation'];
const WITH_T = ['viewTemplate', 'duplicateTemplate', 'removeSelfAccessFromTemplate', 'editTemplate', 'removeOthersAccessToTemplate'];
const NOTHING = ['nothing permits it'];
const CUSTOMER = ['a customer is shown things by a distributor of theirs, and by nobody else'];
const INSIDERS = ['only insiders become editors'];
const NOBODY = ['nobody says with whom'];
const target = (name: string) => ({ target: ref(`User::${name}`) });
const targetUser = (name: string) => ({ targetUser: ref(`User::${name}`) });

/** The first so many are approved, the rest are not. */
const first = (count: number, who: string, actions: readonly string[], resource: string) =>
  actions.map((action, index) => asks(`User::${who}`, action, resource, index < count ? [] : NOTHING));

const both = [
  ...first(4, 'owner', WITH_P, P),
  ...first(5, 'owner', WITH_T, T),
  ...first(4, 'editor', WITH_P, P),
  ...first(5, 'editor', WITH_T, T),
  ...first(3, 'insider', WITH_P, P),
  ...first(3, 'insider', WITH_T, T),
  ...first(2, 'viewer', WITH_P, P),
  ...first(2, 'shopper', WITH_T, T),
  ...first(0, 'other', [...WITH_P, ...WITH_T], T),
  asks('User::insider', 'grantViewAccessToPresentation', P, NOTHING, target('viewer')),
  asks('User::owner', 'grantViewAccessToPresentation', P, [], target('viewer')),
  asks('User::owner', 'grantViewAccessToPresentation', P, CUSTOMER, target('shopper')),
  asks('User::editor', 'grantViewAccessToPresentation', P, [], target('shopper')),
  asks('User::editor', 'grantViewAccessToPresentation', P, CUSTOMER, target('other')),
  asks('User::editor', 'grantViewAccessToPresentation', P, NOBODY),
  asks('User::editor', 'grantEditAccessToPresentation', P, [], target('insider')),
  asks('User::editor', 'grantEditAccessToPresentation', P, INSIDERS, target('viewer')),
  asks('User::editor', 'grantEditAccessToPresentation', P, INSIDERS, target('unknown')),
  asks('User::editor', 'grantEditAccessToPresentation', P, NOBODY),
  asks('User::owner', 'grantViewAccessToTemplate', T, CUSTOMER, targetUser('shopper')),
  asks('User::editor', 'grantViewAccessToTemplate', T, [], targetUser('shopper')),
  // Not with a person but with a market.
  asks('User::editor', 'grantViewAccessToTemplate', T, [], { targetMarket: ref('Market::old') }),
  asks('User::editor', 'grantEditAccessToTemplate', T, INSIDERS, targetUser('shopper')),
  asks('User::editor', 'grantEditAccessToTemplate', T, [], targetUser('insider')),
];

const listed = (...names: readonly string[]) => names.map((name) => ref(`User::${name}`));

export const salesCases: readonly OwnCase[] = [
  {
    policy: presentations,
    known: {
      entities: [
        ...people,
        person('outsider', 'distributor', 'c3'),
        person('local', 'customer', 'c3', 'Market::local'),
        entity('Market::local'),
        entity(P, { ...owner, viewers: listed('insider', 'viewer', 'shopper'), editors: listed('editor') }),
        entity(T, {
          ...{ ...owner, viewers: listed('insider', 'outsider'), editors: listed('editor') },
          ...{ viewerMarkets: [ref('Market::young')], editorMarkets: [ref('Market::local')] },
        }),
      ],
    },
    requests: [
      ...both,
      ...first(0, 'outsider', WITH_T, T),
      ...first(5, 'local', WITH_T, T),
      asks('User::local', 'viewPresentation', P, NOTHING),
    ],
  },
  {
    policy: presentationsLinked,
    known: {
      entities: [...people, entity(P, owner), entity(T, owner)],
      linked: links(
        ['external-prez-view', 'User::viewer', P],
        ['external-prez-view', 'User::owner', T],
        ['internal-prez-view', 'User::insider', P],
        ['internal-prez-view', 'User::shopper', P],
        ['template-edit for non-owner', 'User::editor', P],
        ['market-template-view', 'User::shopper', T],
        ['internal-template-view', 'User::insider', T],
        ['internal-template-view', 'User::viewer', T],
        ['template-edit', 'User::editor', T],
      ),
    },
    requests: [
      ...both,
      // Links that do not fit the job permit nothing.
      ...first(0, 'shopper', WITH_P, P),
      ...first(0, 'viewer', WITH_T, T),
    ],
  },
];
