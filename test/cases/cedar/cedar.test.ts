/**
 * Policies of another language, written by hand in ours: the given cases, our own, and each policy with a part left out.
 *
 * Reads  the given file where its folder is present, and `own/` always.
 * Gives  one test for each case with all of its requests; where the given ones are absent, a title that says which.
 * Never  shows what is expected to whatever decides.
 */
import { describe, expect, test } from 'vitest';
import { isCountersignError, type Program } from '../../../src/index.ts';
import { givenCases, POLICIES, type Request } from './cases.ts';
import { mutants } from './mutate.ts';
import { githubCases } from './own/github.ts';
import { hotelCases } from './own/hotels.ts';
import { photoCases } from './own/photos.ts';
import { salesCases } from './own/sales.ts';
import { streamingCases } from './own/streaming.ts';
import { taxCases } from './own/taxes.ts';
import type { OwnCase } from './own/case.ts';
import { ask, type Answer } from './play.ts';

const given = givenCases();
const absent = Object.keys(POLICIES).filter((policy) => !given.some(({ id }) => id === policy));
const own = [...photoCases, ...githubCases, ...hotelCases, ...salesCases, ...streamingCases, ...taxCases];
const named = own.map((one) => [one.policy.name, one] as const);

describe.runIf(given.length > 0)('the given case', () => {
  test.each(given.map((one) => [one.id, one] as const))('%s is decided as it expects', async (id, { entities, linked, requests }) => {
    const policy = POLICIES[id];
    expect(policy, 'it has no policy').toBeDefined();
    const asked = requests.map(({ principal, action, resource, context }) => ({ principal, action, resource, context }));
    const answers = await ask(policy!, { entities, ...(linked === undefined ? {} : { linked }) }, asked);
    const decided = answers.map(({ status, reasons }, index) => {
      // A rejection says why, and an approval has nothing to say.
      expect(reasons.length > 0).toBe(status === 'rejected');
      return [requests[index]?.description, status];
    });
    expect(decided).toEqual(requests.map(({ description, decision }) => [description, decision === 'allow' ? 'approved' : 'rejected']));
  });
});

describe.runIf(absent.length > 0)('the given case', () => {
  test.skip.each(absent)('%s was not run: it is absent', () => undefined);
});

describe('our own case', () => {
  test.each(named)('of %s is decided, with the reasons that it expects', async (_name, one) => {
    expect(await outcomes(one.policy, one)).toEqual(expected(one));
  });

  test('is there for every policy', () => {
    expect(new Set(own.map(({ policy }) => policy))).toEqual(new Set(Object.values(POLICIES)));
  });
});

describe('each rule and each clause', () => {
  test.each(named)('of %s decides a request of our own case', async (_name, one) => {
    const unnoticed: string[] = [];
    for (const [part, mutant] of mutants(one.policy)) {
      const seen = await outcomes(mutant, one).catch((error: unknown) => {
        if (!isCountersignError(error)) throw error;
        return error.message;
      });
      if (JSON.stringify(seen) === JSON.stringify(expected(one))) unnoticed.push(part);
    }
    expect(unnoticed).toEqual([]);
  });
});

async function outcomes(policy: Program, { known, requests }: OwnCase): Promise<readonly string[]> {
  const answers = await ask(policy, known, requests.map(unanswered));
  return answers.map((answer, index) => told(requests[index]!, answer));
}

function expected({ requests }: OwnCase): readonly string[] {
  return requests.map((request) =>
    told(request, { status: request.reasons.length === 0 ? 'approved' : 'rejected', reasons: request.reasons }),
  );
}

/** A request without what is expected of it. */
function unanswered({ principal, action, resource, context }: Request): Request {
  return { principal, action, resource, context };
}

function told({ principal, action, resource }: Request, { status, reasons }: Answer): string {
  return [principal, action, resource, status, ...reasons.toSorted()].join(', ');
}
