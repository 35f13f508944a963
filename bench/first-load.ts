/**
 * Loads a policy once, as the first thing that a process does with the loader, and prints the milliseconds.
 *
 * Reads  how many rules and decides, as arguments.
 * Gives  one number.
 * Never  loads anything before: the first load also compiles the loader.
 */
import { load } from '../src/index.ts';
import { policyOf } from './policy.ts';

const [rules = 0, decides = 0] = process.argv.slice(2).map(Number);
const policy = policyOf(rules, decides);
const start = performance.now();
load(policy);
console.log(performance.now() - start);
