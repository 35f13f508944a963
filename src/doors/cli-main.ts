#!/usr/bin/env node
/**
 * The program behind `countersign`.
 *
 * Never  decides anything: what is printed and with which code it ends is in `cli.ts`.
 */
import { run } from './cli.ts';

const { out, error, code } = await run(process.argv.slice(2), process.cwd());
if (out !== '') console.log(out);
if (error !== '') console.error(error);
process.exitCode = code;
