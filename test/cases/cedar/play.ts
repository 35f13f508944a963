/**
 * Asks a policy: a world with what is known, and each request in a session of its own.
 *
 * Reads  a program, a situation and requests; what is expected of them is not among it.
 * Gives  what became of each wish, in order, with the reasons of those that were rejected.
 * Never  says anything about a wish that the rules did not: one that they leave open is `pending`.
 */
import { open, type Program } from '../../../src/index.ts';
import type { Request, Situation } from './cases.ts';
import { converter, textOf } from './convert.ts';

export interface Answer {
  readonly status: string;
  readonly reasons: readonly string[];
}

export async function ask(program: Program, known: Situation, requests: readonly Request[]): Promise<readonly Answer[]> {
  const convert = converter(program);
  const world = await open(program);
  await world.observe({ session: 'service', actor: 'service', reports: [{ rows: convert.situation(known) }] });
  const answers: Answer[] = [];
  for (const [index, request] of requests.entries()) {
    const wish = convert.wish(request);
    const capture = `request-${index}`;
    const reports = [{ rows: convert.surroundings(request) }, { capture, rows: [wish] }];
    await world.observe({ session: capture, actor: textOf(request.principal), reports });
    const id = `${capture}.1`;
    const rejected = world.model().rows(wish.relation.replace('proposal', 'decision.rejected'), { id });
    answers.push({
      status: world.model().statusOf(id) ?? 'not taken',
      reasons: rejected.map(({ reason }) => String(reason)).sort(),
    });
  }
  return answers;
}
