/**
 * Loading: programs of 200 and of 1,000 rules, and a policy of 1,000 rules and 50 decides.
 *
 * Gives  the time of a whole load and of its plan alone, and the ratio per rule between the two sizes; of the policy, the fastest load of
 *        several and the first one of a process, for its budget.
 * Never  times the writing of the program as data; that is the author's, once.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { defineOntology, load, program, rule, ruleset, type AnyAtom } from '../src/index.ts';
import { check } from '../src/load/load.ts';
import { plan } from '../src/load/plan.ts';
import { medians, milliseconds, shown, thousands, type Line } from './measure.ts';
import { policyOf } from './policy.ts';

const sizes = [200, 1_000] as const;
const samples = 3;

export async function loading(): Promise<Line[]> {
  const shapes = [...(await ofShape('views side by side', () => 0)), ...(await ofShape('views in a chain', (i) => i))];
  return [...shapes, ...(await ofPolicy(1_000, 50))];
}

async function ofPolicy(rules: number, decides: number): Promise<Line[]> {
  const size = `${thousands(rules)} rules, ${decides} decides`;
  const path = fileURLToPath(new URL('first-load.ts', import.meta.url));
  const first = execFileSync(process.execPath, [...process.execArgv, path, String(rules), String(decides)]);
  const program = policyOf(rules, decides);
  const { lowered } = check(program);
  if (lowered === undefined) throw new Error('the policy does not load');
  const [whole, its] = await fastest([() => load(program), () => plan(lowered)], 20);
  return [
    {
      name: 'a policy: its first load in a process',
      size,
      value: shown(Number(String(first))),
      near: 'for scale: it also compiles the loader',
    },
    { name: 'a policy: its fastest load', size, value: shown(whole ?? 0), near: 'below 150 ms, where nothing else runs' },
    { name: 'a policy: its plan alone, the fastest', size, value: shown(its ?? 0), near: 'for scale' },
  ];
}

/** The least time of each act, where what is asked is what the code costs and not what else the machine does. */
async function fastest(acts: readonly (() => unknown)[], samples: number): Promise<number[]> {
  const least = acts.map(() => Infinity);
  for (let sample = 0; sample < samples; sample++)
    for (const [i, act] of acts.entries()) least[i] = Math.min(least[i] ?? Infinity, await milliseconds(act));
  return least;
}

/** Each view reads the base relation and an earlier view: the one with the number that `before` gives. */
async function ofShape(name: string, before: (view: number) => number): Promise<Line[]> {
  const programs = sizes.map((size) => programOf(size, before));
  const plans = programs.map((one) => {
    const { lowered, issues } = check(one);
    if (lowered === undefined) throw new Error(issues[0]?.what);
    return () => plan(lowered);
  });
  const times = await medians([...programs.map((one) => () => load(one)), ...plans], samples);
  return ['load', 'its plan alone'].flatMap((part, p) =>
    sizes.map((size, i) => {
      const time = times[p * sizes.length + i] ?? 0;
      const base = times[p * sizes.length] ?? 0;
      const perRule = time / size / (base / sizes[0]);
      return { name: `${name}: ${part}`, size: `${thousands(size)} rules`, value: shown(time), ratio: perRule, near: '1 per rule' };
    }),
  );
}

function programOf(size: number, before: (view: number) => number): unknown {
  const columns = { item: z.string(), count: z.int() };
  const names = Array.from({ length: size + 1 }, (_, i) => `view${i}`);
  const shop = defineOntology({ observation: { base: columns }, fact: Object.fromEntries(names.map((one) => [one, columns])) });
  const { item, count } = shop.vars;
  // The names of the views are not known to the compiler, which therefore knows no type of theirs.
  const facts = shop.fact as unknown as Readonly<Record<string, (given: object) => AnyAtom>>;
  const view = (i: number) => (facts[`view${i}`] as (given: object) => AnyAtom)({ item, count });
  const when = (head: AnyAtom, ...body: readonly AnyAtom[]) => rule(head as never).when(...(body as never[]));
  const base = shop.observation.base({ item, count }) as AnyAtom;
  const rules = Object.fromEntries(names.map((one, i) => [one, i === 0 ? when(view(0), base) : when(view(i), base, view(before(i - 1)))]));
  return program({ name: 'many', ontologies: [shop], rules: [ruleset('views', rules)] });
}
