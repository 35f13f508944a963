/**
 * What a world is opened, asked to adopt, start or fork with, checked before anything is done with it.
 *
 * Reads  whatever was handed in beside a program or a batch.
 * Gives  every fault of it at once.
 * Never  takes a bound that is no number for none at all: `NaN` is never exceeded.
 */
import { CountersignError, issue, type IssueCode } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import { describe, plainFault } from '../../dsl/value.ts';
import { entriesOf, itemsOf } from './intake.ts';

/** Programs of one ledger, intents of one program. */
const listMax = 10_000;
const OPTIONS = ['ledger', 'tenant', 'earlier', 'adopt', 'openRowsMax', 'limits', 'snapshot', 'fired'];

/** Errors  `world/options-malformed`. */
export function checkOptions(given: unknown): void {
  const entries = entriesOf(given);
  if (entries === undefined) throw refusal([`options are ${describe(given)}, not an object`]);
  const options = Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
  const { ledger, tenant, earlier, adopt, openRowsMax, limits, fired } = options;
  const faults = entries.flatMap(([name]) =>
    OPTIONS.includes(name) ? [] : [`there is no option ${describe(name)}${didYouMean(name, OPTIONS)}`],
  );
  if (ledger !== undefined && !isLedger(ledger)) faults.push('ledger has no functions read and append');
  if (tenant !== undefined) faults.push(...textFault(tenant, 'tenant'));
  if (earlier !== undefined && typeof itemsOf(earlier, listMax) !== 'object')
    faults.push(`earlier is ${describe(earlier)}, not a list of programs`);
  if (openRowsMax !== undefined) faults.push(...boundFault(openRowsMax, 'openRowsMax'));
  if (limits !== undefined)
    faults.push(...boundFault(Object.fromEntries(entriesOf(limits) ?? [])['derivedRowsMax'], 'limits.derivedRowsMax'));
  if (fired !== undefined && typeof fired !== 'function') faults.push(`fired is ${describe(fired)}, not a function`);
  if (adopt !== undefined && typeof adopt !== 'boolean' && entriesOf(adopt) === undefined) faults.push(`adopt is ${describe(adopt)}`);
  refuse(faults);
}

/** A snapshot's parts, each read once. Errors  `world/options-malformed` for what is none. */
export function takeSnapshot<T extends Readonly<Record<'program' | 'digest' | 'checksum', string>> & { readonly state: object }>(
  given: T,
): T {
  const parts = Object.fromEntries(entriesOf(given) ?? []) as Readonly<Record<string, unknown>>;
  const { program, digest, checksum, state } = parts;
  const faults = Object.entries({ program, digest, checksum }).flatMap(([name, part]) => textFault(part, `snapshot.${name}`));
  if (entriesOf(state) === undefined) faults.push(`snapshot.state is ${describe(state)}, not an object`);
  refuse(faults);
  return parts as T;
}

/** The intents of which acts of old may be admitted. Errors  `world/options-malformed`. */
export function takeAdmitOld(given: unknown, intents: readonly string[]): readonly string[] {
  const options = entriesOf(given);
  if (options === undefined) throw refusal([`options of an adoption are ${describe(given)}, not an object`]);
  refuse(options.flatMap(([name]) => (name === 'admitOld' ? [] : [unknownName('option', name, ['admitOld'])])));
  const { admitOld = [] } = Object.fromEntries(options) as { readonly admitOld?: unknown };
  const names = itemsOf(admitOld, listMax);
  if (typeof names !== 'object') throw refusal([`admitOld is ${describe(admitOld)}, not a list of intents`]);
  refuse(names.flatMap((name) => (intents.includes(name as string) ? [] : [`admitOld: ${unknownName('intent', name, intents)}`])));
  return names as readonly string[];
}

/** Errors  `world/not-startable`. */
export function checkStart(intent: unknown, key: unknown, intents: readonly string[]): void {
  if (!intents.includes(intent as string)) refuse([unknownName('intent', intent, intents)], 'world/not-startable');
  refuse(textFault(key, 'the key of an act'), 'world/not-startable');
}

/** Errors  `world/position-unknown`. */
export function checkPosition(position: unknown, last: number): void {
  if (Number.isSafeInteger(position) && (position as number) >= 0 && (position as number) <= last) return;
  refuse([`${describe(position)} is no position from 0 to ${last}`], 'world/position-unknown');
}

/** `no intent "refnd" (did you mean refund?)`, for whatever was given as a name. */
export function unknownName(kind: string, name: unknown, known: Iterable<string>): string {
  return `no ${kind} ${describe(name)}${typeof name === 'string' ? didYouMean(name, known) : ''}`;
}

function refuse(faults: readonly string[], code: IssueCode = 'world/options-malformed'): void {
  if (faults.length > 0) throw refusal(faults, code);
}

function refusal(faults: readonly string[], code: IssueCode = 'world/options-malformed'): CountersignError {
  return new CountersignError(faults.map((fault) => issue(code, fault)));
}

function textFault(given: unknown, where: string): string[] {
  const fault = typeof given === 'string' && given !== '' ? plainFault(given) : `${describe(given)} is no text`;
  return fault === undefined ? [] : [`${where}: ${fault}`];
}

function boundFault(given: unknown, name: string): string[] {
  return Number.isSafeInteger(given) && (given as number) >= 0 ? [] : [`${name} is ${describe(given)}, not a whole number of at least 0`];
}

function isLedger(given: unknown): boolean {
  try {
    const { read, append } = given as { readonly read?: unknown; readonly append?: unknown };
    return typeof read === 'function' && typeof append === 'function';
  } catch {
    return false;
  }
}
