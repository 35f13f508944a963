/**
 * A ledger in memory: the embedded default, for tests, examples and processes that need no record after their end.
 *
 * Reads  entries as they are appended.
 * Gives  them back, frozen.
 * Never  outlives the process.
 */
import { CountersignError, issue } from '../../dsl/issue.ts';
import type { LedgerEntry } from '../../dsl/record.ts';
import type { Ledger } from './ledger.ts';

export function memory(): Ledger {
  const entries: LedgerEntry[] = [];
  return {
    read: async (from) => entries.slice(Math.max(from - 1, 0)),
    append: (entry) => {
      if (entry.position !== entries.length + 1) {
        throw new CountersignError([
          issue('world/position-taken', `position ${entry.position} is not the next one, ${entries.length + 1}`),
        ]);
      }
      entries.push(deepFreeze(entry));
      return undefined;
    },
  };
}

/** Freezes plain data through and through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
