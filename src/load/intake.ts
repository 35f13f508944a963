/**
 * Intake: reads an untrusted value once, and copies what it says.
 *
 * Reads  anything at all: hand-built, cast, proxied, cyclic, endless.
 * Gives  fields, items, names and values that later rooms may read as often as they like, or one refusal.
 * Never  reads a property twice, so a value that answers differently each time has nothing to gain.
 */
import type { ZodType } from 'zod';
import { CountersignError, issue, type Issue, type IssueCode } from '../../dsl/issue.ts';
import { describe } from '../../dsl/value.ts';

/** How deep literals and expressions may stand in one another. */
export const depthMax = 64;
/** How many nodes one rule, decide or invariant may have. */
export const nodesMax = 20_000;
/** How many members a list or a record may have. */
export const membersMax = 100_000;
/** Into how many conjunctions the `or` of one rule may multiply out. */
export const branchesMax = 64;

/** Thrown inside the loader only, to leave one malformed part; `attempt` turns it into an issue. */
class Refusal extends Error {
  readonly issue: Issue;
  constructor(refused: Issue) {
    super(refused.what);
    this.issue = refused;
  }
}

export function refuse(code: IssueCode, what: string): never {
  throw new Refusal(issue(code, what));
}

/** Runs one part's reading; what it refuses becomes an issue, and so does whatever the value throws when it is read. */
export function attempt<Result>(where: string, issues: Issue[], read: () => Result): Result | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Refusal) issues.push(thrown.issue);
    else if (thrown instanceof CountersignError) issues.push(...thrown.issues);
    else issues.push(issue('load/not-ours', `${where}: reading it throws`));
    return undefined;
  }
}

/** One part's allowance of nodes and depth. */
export interface Allowance {
  nodes: number;
}

export function spend(allowance: Allowance, depth: number, where: string): void {
  if (depth > depthMax) refuse('load/too-deep', `${where}: nested deeper than depthMax = ${depthMax}`);
  if (++allowance.nodes > nodesMax) refuse('load/too-large', `${where}: more nodes than nodesMax = ${nodesMax}`);
}

export type Fields = ReadonlyMap<string, unknown>;

/** The own fields of a plain record, each read once. */
export function fields(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('load/malformed', `${where}: ${describe(value)} is no record`);
  const names = Object.keys(value);
  if (names.length > membersMax) refuse('load/too-large', `${where}: more members than membersMax = ${membersMax}`);
  const read = new Map<string, unknown>();
  for (const name of names) read.set(name, (value as Record<string, unknown>)[name]);
  return read;
}

/** Refuses a field that is not among these: what is not understood is not skipped. */
export function only(read: Fields, where: string, ...known: readonly string[]): void {
  for (const name of read.keys()) if (!known.includes(name)) refuse('load/malformed', `${where}: ${describe(name)} is no field of it`);
}

/** A record without a prototype, so that `constructor` and `toString` are names like any other. */
export function record<Member>(entries: Iterable<readonly [string, Member]>): Readonly<Record<string, Member>> {
  const made = Object.create(null) as Record<string, Member>;
  for (const [name, member] of entries) made[name] = member;
  return made;
}

export function items(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) return refuse('load/malformed', `${where}: ${describe(value)} is no list`);
  const { length } = value;
  if (length > membersMax) refuse('load/too-large', `${where}: more members than membersMax = ${membersMax}`);
  return Array.from({ length }, (_, index) => (value as readonly unknown[])[index]);
}

/** A text goes into the program's digest, so it has to have one. */
export function text(value: unknown, where: string): string {
  if (typeof value !== 'string') return refuse('load/malformed', `${where}: ${describe(value)} is no string`);
  return LONE_SURROGATE.test(value) ? refuse('dsl/not-canonical', `${where}: the string holds a lone surrogate`) : value;
}
const LONE_SURROGATE = /\p{Surrogate}/u;

export function texts(value: unknown, where: string): readonly string[] {
  return items(value, where).map((item) => text(item, where));
}

export function optional<Result>(value: unknown, read: (value: unknown) => Result): Result | undefined {
  return value === undefined ? undefined : read(value);
}

/** One of a closed set of words. */
export function word<const Word extends string>(value: unknown, where: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === value);
  return found ?? refuse('load/malformed', `${where}: ${describe(value)} is none of ${words.join(', ')}`);
}

/** A zod schema, by structure: two copies of zod are common. */
export function schema(value: unknown, where: string): ZodType {
  const like = value as { readonly _zod?: { readonly def?: unknown }; readonly safeParse?: unknown } | null | undefined;
  const isSchema = typeof like === 'object' && like !== null && typeof like._zod?.def === 'object' && typeof like.safeParse === 'function';
  return isSchema ? (value as ZodType) : refuse('dsl/column-type', `${where}: ${describe(value)} is no zod schema`);
}
