/**
 * The ledger's port: an append-only list of entries of one tenant.
 *
 * Reads  nothing; an interface, and the digest that chains its entries.
 * Gives  what world, runtime and replay need of a store, and no more.
 * Never  changes or drops an entry.
 */
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import type { LedgerEntry } from '../../dsl/record.ts';

export { deepFreeze, memory } from './memory.ts';

export interface Ledger {
  /** Entries from this position on, in order; positions begin at 1. */
  read(from: number): Promise<readonly LedgerEntry[]>;
  /**
   * Appends one entry.
   *
   * Errors  rejects when the entry's position is not the next one, and then nothing is appended: somebody else was first.
   * Cost    a store that answers with a promise makes each transition be computed twice, so that nobody reads what it may yet refuse.
   */
  append(entry: LedgerEntry): Promise<void> | undefined;
}

/** The digest of the entry before the first. */
export const GENESIS = '0'.repeat(64);

/** SHA-256 over the previous digest and the entry's canonical JSON: an entry that changes breaks every later digest. */
export function entryDigest(previous: string, entry: Omit<LedgerEntry, 'digest'>): string {
  return sha256(previous + canonicalJson(entry));
}
