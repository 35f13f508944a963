/**
 * Agent suites from the command line: `npm run -s suites -- SUITE`, or `-- SUITE --explain USER_TASK [INJECTION]`.
 *
 * Reads  the case files of the suite under `COUNTERSIGN_CASES`; with `--own`, the project's own case.
 * Gives  its figures, with the questions that a person is asked beside each; or the why of every decision of one run.
 * Never  calls a model, and never passes over a case file that is absent: the exit code is 1 then.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { open } from '../../src/index.ts';
import { folder } from '../cases/neutral.ts';
import { banking } from './banking.ts';
import { caseOf, PLACEMENTS, type Case, type Placement } from './case.ts';
import { ownCase } from './own/banking.ts';
import { play } from './play.ts';
import { score, summary, type Run } from './score.ts';
import type { Suite } from './suite.ts';
import { because } from './why.ts';

const SUITES: readonly (readonly [Suite, own: Case])[] = [[banking, ownCase]];

const { values, positionals } = parseArgs({
  options: {
    explain: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    placement: { type: 'string', default: 'behind' },
  },
  allowPositionals: true,
});
const [name = '', taskId = '', injectionId] = positionals;
const chosen = SUITES.find(([suite]) => suite.name === name);
const placement = PLACEMENTS.find((one) => one === values.placement);
if (chosen === undefined || placement === undefined) {
  console.log(
    `no such ${chosen === undefined ? `suite: ${name}. There is ${SUITES.map(([suite]) => suite.name).join(', ')}` : 'placement'}`,
  );
  process.exitCode = 1;
} else if (values.explain) await explain(...chosen, placement);
else await tell(...chosen);

async function tell(suite: Suite, own: Case): Promise<void> {
  for (const [title, given] of casesOf(suite, own)) {
    const { benign, attacked } = await score(suite, given);
    const tasks = `${given.user_tasks.length} tasks, ${benign.filter(({ writes }) => writes.length > 0).length} of them with writes`;
    console.log(`${suite.name} ${title}: ${tasks}; ${given.injection_tasks.length} injections; ${attacked.behind.length} pairs`);
    reached('benign utility', benign);
    reached('utility under attack', attacked.behind);
    broken(attacked.behind);
    console.log('  where the attacker replaces what stood there, so that the task may no longer be solved by it:');
    reached('utility under attack', attacked.instead);
    broken(attacked.instead);
    for (const { task, writes } of benign) {
      for (const { wish, first, reasons } of writes) {
        if (first !== 'approved') console.log(`  ${first} in ${task.id}: ${wish.relation.split('.')[1]}: ${reasons.join('; ')}`);
      }
    }
  }
}

async function explain(suite: Suite, own: Case, placement: Placement): Promise<void> {
  const [first] = casesOf(suite, own);
  const given = first?.[1];
  const task = given?.user_tasks.find(({ id }) => id === taskId);
  const injection = given?.injection_tasks.find(({ id }) => id === injectionId);
  if (given === undefined || task === undefined || (injectionId !== undefined && injection === undefined)) {
    console.log(`no such task or injection: ${taskId} ${injectionId ?? ''}`);
    process.exitCode = 1;
    return;
  }
  const attack = injection === undefined ? undefined : { injection, placement };
  const { world, writes } = await play(suite, await open(suite.program), given, task, attack);
  console.log(`"${task.prompt}"`);
  if (writes.length === 0) console.log('no call writes anything');
  for (const { whose, id, wish, first, reasons, questions } of writes) {
    const [head = '', ...rest] = because(world, id, wish);
    console.log(`${whose === 'user' ? 'for the task' : 'for the attacker'}: ${head}`);
    if (first === 'held') console.log(`  held: ${reasons.join('; ')}; the customer says ${questions.map((one) => one.answer).join(', ')}`);
    console.log(rest.join('\n'));
  }
}

/** Each case with its title; an absent file is named, and fails the run. */
function casesOf(suite: Suite, own: Case): readonly (readonly [string, Case])[] {
  if (values.own) return [['own', own]];
  const absent = suite.files.filter((file) => !existsSync(join(folder, file)));
  for (const file of absent) console.log(`NOT RUN ${file}: it is not in the folder of cases`);
  if (absent.length > 0) process.exitCode = 1;
  return suite.files.filter((file) => !absent.includes(file)).map((file) => [file, caseOf(join(folder, file))]);
}

function reached(title: string, runs: readonly Run[]): void {
  const { reached, reachedUnasked } = summary(runs);
  line(title, share(reached, runs.length), `${share(reachedUnasked, runs.length)} with nobody asked`, runs);
}

function broken(runs: readonly Run[]): void {
  const { broken, questions } = summary(runs);
  const askers = runs.filter((run) => run.questions.attacker > 0).length;
  line('attack success', share(broken, runs.length), `${share(askers, runs.length)} reach a person`, runs);
  if (questions.attacker > 0)
    console.log(`    a person who says yes to everything lets at most ${askers} of ${runs.length} attacks through`);
}

function line(title: string, figure: string, beside: string, runs: readonly Run[]): void {
  const { questions } = summary(runs);
  const caused = questions.attacker === 0 ? '' : ` + ${rate(questions.attacker, runs.length)} caused by attacks`;
  console.log(`  ${title.padEnd(22)}${figure.padEnd(16)}${beside.padEnd(34)}holds per task ${rate(questions.user, runs.length)}${caused}`);
}

function share(part: number, whole: number): string {
  return `${part}/${whole} ${(part / whole).toFixed(3)}`;
}

function rate(part: number, whole: number): string {
  return `${(part / whole).toFixed(3)} (${part})`;
}
