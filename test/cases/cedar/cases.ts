/**
 * The given cases, as they lie in their file, and the policy that answers each.
 *
 * Reads  `authz/cedar.json` in the folder of the given cases; nothing where it is absent.
 * Gives  entities, links and requests as they came, and for each id the program that is its policy.
 * Never  reads the texts of a case: its policies and its schema are written anew, as rules and declarations.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../../../src/index.ts';
import { folder } from '../neutral.ts';
import { allButOne } from './all-but-one.ts';
import { confidence } from './confidence.ts';
import { friendsAndSales } from './friends-and-sales.ts';
import { github } from './github.ts';
import { groupViewsPhoto } from './group-views-photo.ts';
import { hotelsLinked } from './hotels-linked.ts';
import { hotels } from './hotels.ts';
import { owners } from './owners.ts';
import { presentationsLinked } from './presentations-linked.ts';
import { presentations } from './presentations.ts';
import { privatePhotos } from './private-photos.ts';
import { salesAndSeniors } from './sales-and-seniors.ts';
import { streaming } from './streaming.ts';
import { taxes } from './taxes.ts';
import { uploads } from './uploads.ts';
import { userEditsAlbum } from './user-edits-album.ts';
import { userRunsAlbum } from './user-runs-album.ts';
import { userViewsAlbum } from './user-views-album.ts';

export type Json = string | number | boolean | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [name: string]: Json;
}

export interface Request {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly context: JsonRecord;
}
/** What a service knows before anybody asks. `linked` is JSON in itself. */
export interface Situation {
  readonly entities: readonly { readonly uid: JsonRecord; readonly attrs: JsonRecord; readonly parents: readonly JsonRecord[] }[];
  readonly linked?: string | null;
}
export interface Case extends Situation {
  readonly id: string;
  readonly requests: readonly (Request & { readonly description: string; readonly decision: 'allow' | 'deny' })[];
}

export const POLICIES: Readonly<Record<string, Program>> = {
  'cedar-it/decimal/1': confidence,
  'cedar-it/example_use_cases/2a': groupViewsPhoto,
  'cedar-it/example_use_cases/2b': userViewsAlbum,
  'cedar-it/example_use_cases/2c': userEditsAlbum,
  'cedar-it/example_use_cases/3c': userRunsAlbum,
  'cedar-it/example_use_cases/4d': owners,
  'cedar-it/example_use_cases/5b': uploads,
  'cedar-it/multi/2': allButOne,
  'cedar-it/multi/3': privatePhotos,
  'cedar-it/multi/4': friendsAndSales,
  'cedar-it/multi/5': salesAndSeniors,
  'cedar-example/github_example': github,
  'cedar-example/hotel_chains/static': hotels,
  'cedar-example/hotel_chains/templated': hotelsLinked,
  'cedar-example/sales_orgs/static': presentations,
  'cedar-example/sales_orgs/templated': presentationsLinked,
  'cedar-example/streaming_service': streaming,
  'cedar-example/tax_preparer': taxes,
};

const file = join(folder, 'authz/cedar.json');

/** None where the file is absent. */
export function givenCases(): readonly Case[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]) : [];
}
