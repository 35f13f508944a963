/** What a builder refused: the code and the words of each issue; none where it returned. */
import { isCountersignError } from '../../src/index.ts';

export function issuesOf(build: () => unknown): { readonly code: string; readonly what: string }[] {
  try {
    build();
  } catch (error) {
    if (isCountersignError(error)) return error.issues.map(({ code, what }) => ({ code, what }));
    throw error;
  }
  return [];
}
