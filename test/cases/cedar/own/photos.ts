/** Jane's and Alice's photos: one situation, in which each policy of the photo service meets all that it speaks of. */
import { allButOne } from '../all-but-one.ts';
import { confidence } from '../confidence.ts';
import { friendsAndSales } from '../friends-and-sales.ts';
import { groupViewsPhoto } from '../group-views-photo.ts';
import { owners } from '../owners.ts';
import { privatePhotos } from '../private-photos.ts';
import { salesAndSeniors } from '../sales-and-seniors.ts';
import { uploads } from '../uploads.ts';
import { userEditsAlbum } from '../user-edits-album.ts';
import { userRunsAlbum } from '../user-runs-album.ts';
import { userViewsAlbum } from '../user-views-album.ts';
import { asks, entity, ref, type OwnCase } from './case.ts';

const ofAlice = { account: ref('Account::alice') };
const known = {
  entities: [
    entity('User::alice', { department: 'Design', jobLevel: 5 }, 'UserGroup::jane_friends', 'UserGroup::alice_friends'),
    entity('User::bob', { department: 'Sales', jobLevel: 6 }),
    // Within the two groups only by way of a third.
    entity('User::cleo', { department: 'Design', jobLevel: 7 }, 'UserGroup::close'),
    entity('UserGroup::close', {}, 'UserGroup::alice_friends', 'UserGroup::AVTeam'),
    entity('Account::jane', { owner: ref('User::jane') }),
    entity('Account::alice', { owner: ref('User::alice') }),
    entity('Album::jane_vacation', {}, 'Account::jane'),
    entity('Album::alice_vacation', { ...ofAlice, private: false }, 'Account::alice'),
    entity('Photo::VacationPhoto94.jpg', {}, 'Album::jane_vacation'),
    entity('Photo::sea', { ...ofAlice, private: false }, 'Album::alice_vacation'),
    entity('Photo::taxes', { ...ofAlice, private: true }, 'Album::alice_vacation'),
    entity('Photo::unsaid', ofAlice, 'Album::alice_vacation'),
    entity('Photo::drawer', { ...ofAlice, private: false }, 'Account::alice'),
  ],
};
const JANES = 'Photo::VacationPhoto94.jpg';
const ACTIONS = ['view', 'edit', 'comment', 'delete', 'addPhoto', 'listAlbums', 'listPhotos'];
const signedIn = { authenticated: true };
const file = (filetype: string, filesize_mb: number) => ({ photo: { filetype, filesize_mb } });
const decimal = (arg: string) => ({ confidence_score: { __extn: { fn: 'decimal', arg } } });

export const photoCases: readonly OwnCase[] = [
  {
    policy: confidence,
    known,
    requests: [
      asks('User::zoe', 'view', JANES, [], decimal('0.8')),
      asks('User::zoe', 'view', JANES, ['the service is not sure enough'], decimal('0.75')),
      asks('User::zoe', 'view', JANES, ['nobody says how sure the service is']),
      asks('User::zoe', 'edit', JANES, ['may only be viewed'], decimal('0.8')),
      asks('User::zoe', 'view', 'Photo::sea', ['is another photo'], decimal('0.8')),
    ],
  },
  {
    policy: groupViewsPhoto,
    known,
    requests: [
      asks('User::alice', 'view', JANES),
      asks('User::bob', 'view', JANES, ['is no friend of Jane']),
      asks('User::alice', 'edit', JANES, ['may only be viewed']),
      asks('User::alice', 'view', 'Photo::sea', ['is another photo']),
    ],
  },
  {
    policy: userViewsAlbum,
    known,
    requests: [
      asks('User::alice', 'view', JANES),
      // An entity is within itself.
      asks('User::alice', 'view', 'Album::jane_vacation'),
      asks('User::bob', 'view', JANES, ['is not Alice']),
      asks('User::alice', 'edit', JANES, ['may only be viewed']),
      asks('User::alice', 'view', 'Photo::sea', ['is not in the album']),
    ],
  },
  {
    policy: userEditsAlbum,
    known,
    requests: [
      ...['view', 'edit', 'comment'].map((action) => asks('User::alice', action, JANES)),
      asks('User::bob', 'view', JANES, ['is not Alice']),
      asks('User::alice', 'delete', JANES, ['may only be viewed, edited and commented on']),
      asks('User::alice', 'view', 'Photo::sea', ['is not in the album']),
    ],
  },
  {
    policy: userRunsAlbum,
    known,
    requests: [
      ...ACTIONS.map((action) => asks('User::alice', action, JANES)),
      asks('User::bob', 'view', JANES, ['is not Alice']),
      asks('User::alice', 'view', 'Photo::sea', ['is not in the album']),
    ],
  },
  {
    policy: owners,
    known,
    requests: [
      ...ACTIONS.map((action) => asks('User::alice', action, 'Photo::taxes')),
      asks('User::bob', 'view', 'Photo::sea', ['belongs to somebody else']),
      // It has an owner, and is in no account.
      asks('User::alice', 'view', 'Account::alice', ['belongs to somebody else']),
    ],
  },
  {
    policy: uploads,
    known,
    requests: [
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', [], file('JPEG', 1)),
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', ['is larger than 1 MB'], file('PNG', 2)),
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', ['is neither JPEG nor PNG nor RAW'], file('GIF', 1)),
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', ['is RAW, and not by the video team'], file('RAW', 1)),
      asks('User::cleo', 'addPhoto', 'Album::alice_vacation', [], file('RAW', 100)),
      asks('User::cleo', 'addPhoto', 'Album::alice_vacation', ['is larger than 100 MB'], file('RAW', 101)),
      asks('User::cleo', 'addPhoto', 'Album::jane_vacation', ["is not in Alice's account"], file('RAW', 1)),
      asks('User::cleo', 'view', 'Album::alice_vacation', ['photos may only be added'], file('RAW', 1)),
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', ['nobody says how large it is'], { photo: { filetype: 'PNG' } }),
      asks('User::bob', 'addPhoto', 'Album::alice_vacation', ['nobody says what kind of file it is'], { photo: { filesize_mb: 1 } }),
    ],
  },
  {
    policy: allButOne,
    known,
    requests: [
      asks('User::zoe', 'view', JANES),
      asks('User::bob', 'view', JANES, ['Bob is shut out']),
      asks('User::zoe', 'edit', JANES, ['may only be viewed']),
      asks('User::zoe', 'view', 'Photo::sea', ['is not in the album']),
    ],
  },
  {
    policy: privatePhotos,
    known,
    requests: [
      asks('User::cleo', 'view', 'Photo::sea'),
      asks('User::cleo', 'view', 'Photo::taxes', ['is private']),
      asks('User::alice', 'view', 'Photo::taxes'),
      asks('User::bob', 'view', 'Photo::sea', ['is no friend of Alice']),
      asks('User::cleo', 'edit', 'Photo::sea', ['may only be viewed']),
      asks('User::cleo', 'view', 'Photo::unsaid', ['nobody says whether it is private']),
      asks('User::cleo', 'view', JANES, ["is not in Alice's account", 'nobody says whether it is private']),
    ],
  },
  {
    policy: friendsAndSales,
    known,
    requests: [
      asks('User::cleo', 'view', 'Photo::drawer', [], signedIn),
      asks('User::cleo', 'edit', 'Photo::sea', ['nothing permits it'], signedIn),
      ...ACTIONS.map((action) => asks('User::bob', action, 'Photo::sea', [], signedIn)),
      asks('User::bob', 'view', 'Photo::drawer', ['nothing permits it'], signedIn),
      asks('User::bob', 'view', 'Photo::taxes', ['is private'], signedIn),
      asks('User::alice', 'view', 'Photo::taxes', [], signedIn),
      asks('User::bob', 'view', 'Photo::unsaid', ['nobody says whether it is private'], signedIn),
      asks('User::bob', 'view', 'Photo::taxes', ['is private', 'nobody is signed in'], { authenticated: false }),
      asks('User::bob', 'view', 'Photo::sea', ['nobody is signed in']),
    ],
  },
  {
    policy: salesAndSeniors,
    known,
    requests: [
      ...ACTIONS.map((action) => asks('User::bob', action, 'Photo::sea', [], signedIn)),
      asks('User::bob', 'view', JANES, ['nothing permits it'], signedIn),
      asks('User::cleo', 'view', JANES, [], signedIn),
      asks('User::cleo', 'edit', JANES, ['nothing permits it'], signedIn),
      asks('User::bob', 'view', 'Photo::sea', ['nobody is signed in'], { authenticated: false }),
      asks('User::bob', 'view', 'Photo::sea', ['nobody is signed in']),
    ],
  },
];
