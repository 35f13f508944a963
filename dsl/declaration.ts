/**
 * Declarations that stand in a program from the start and are given life by the capabilities that use them: what a kind of report may
 * write, what a model-bound interface may see, what carries an act out.
 *
 * Reads  relations, column schemas and a mapper.
 * Gives  frozen data, part of the program's digest; a mapper hangs on its kind under a symbol, outside of it, as a function's does.
 * Never  runs a mapper, renders a projection or binds a driver.
 */
import type { ZodType } from 'zod';
import { called, carry, entriesOf, isRecord, listOf, optionsOf, reading, record, refuse } from './carry.ts';
import { MAPPER, type CapabilityIR, type ProjectionIR, type ReportKindIR } from './ir.ts';
import type { ReportRow } from './record.ts';

export interface ReportKind {
  readonly kind: 'reportKind';
  readonly name: string;
}
/**
 * A kind of report from outside. Its mapper turns a payload into rows of `writes`, and never receives the `fallible` fields: what a model
 * or a sensor filled becomes evidence, not an observation (ruling 22).
 */
export function reportKind<const Payload extends Readonly<Record<string, ZodType>>, const Fallible extends keyof Payload & string = never>(
  name: string,
  version: string,
  declared: {
    readonly payload: Payload;
    readonly fallible?: readonly Fallible[];
    readonly writes: readonly { readonly relation: `observation.${string}` | `receipt.${string}` }[];
    readonly mapper: (payload: {
      readonly [Field in Exclude<keyof Payload, Fallible>]: Payload[Field]['_zod']['output'];
    }) => readonly ReportRow[];
  },
): ReportKind {
  const place = `reportKind ${called(name)}`;
  const { payload, fallible = [], writes, mapper } = optionsOf(declared, place, ['payload', 'fallible', 'writes', 'mapper']);
  if (!isRecord(payload)) return refuse(`${place}: payload is ${called(payload)}, and no record of schemas`);
  if (typeof mapper !== 'function') return refuse(`${place}: mapper is ${called(mapper)}, and no function`);
  const ir: ReportKindIR = {
    kind: 'reportKind',
    name,
    version,
    // What is no schema and what is no field is told when the program loads.
    payload: record(entriesOf(payload, place)) as ReportKindIR['payload'],
    fallible: Object.freeze(listOf(fallible, `${place}: fallible`)) as readonly string[],
    writes: namesOf(writes, `${place}: writes`),
  };
  return carry({ kind: 'reportKind', name }, Object.freeze(Object.defineProperty(ir, MAPPER, { value: mapper })));
}

export interface Projection {
  readonly kind: 'projection';
  readonly name: string;
}
/** What a model-bound interface sees of the world: these relations and nothing else. */
export function projection(name: string, shows: readonly { readonly relation: string }[]): Projection {
  const ir: ProjectionIR = { kind: 'projection', name, shows: namesOf(shows, `projection ${called(name)}: shows`) };
  return carry({ kind: 'projection', name }, Object.freeze(ir));
}

export interface Capability {
  readonly kind: 'capability';
  readonly name: string;
}
/**
 * What carries acts out. `consultsModel` marks the one kind of capability whose intent may be driven by how a read ended, since the act
 * is only another model turn.
 */
export function capability(
  name: string,
  options: { readonly carries: readonly { readonly relation: `intent.${string}` }[]; readonly consultsModel?: boolean },
): Capability {
  const place = `capability ${called(name)}`;
  const { carries, consultsModel = false } = optionsOf(options, place, ['carries', 'consultsModel']);
  if (typeof consultsModel !== 'boolean') return refuse(`${place}: consultsModel is ${called(consultsModel)}, and neither true nor false`);
  const names = namesOf(carries, `${place}: carries`);
  const other = names.find((relation) => !relation.startsWith('intent.'));
  if (other !== undefined) return refuse(`${place}: carries ${other}, which is no intent`);
  const intents = Object.freeze(names.map((relation) => relation.slice('intent.'.length)));
  const ir: CapabilityIR = { kind: 'capability', name, intents, consultsModel };
  return carry({ kind: 'capability', name }, Object.freeze(ir));
}

/** The names of relations, from whatever bears one: which of them there are is told when the program loads. */
function namesOf(relations: unknown, place: string): readonly string[] {
  const names = listOf(relations, place).map((one, index) => {
    const isBearer = (typeof one === 'object' || typeof one === 'function') && one !== null;
    const name = reading(place, () => (isBearer ? (one as { readonly relation?: unknown }).relation : undefined));
    return typeof name === 'string' ? name : refuse(`${place}: ${called(one)} in place ${index + 1} is no relation`);
  });
  return Object.freeze(names);
}
