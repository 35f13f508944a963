/**
 * Entities, links and requests as rows: one converter for every policy, which knows nothing of any.
 *
 * Reads  JSON of a case, and which observations and proposals a program declares.
 * Gives  a row for each parent, each attribute, each member of a set, each value of a context; and the wish itself.
 * Never  decides: an attribute that no relation is declared for is left out, and one that does not fit is refused at the door.
 */
import { load, type Program, type ReportRow, type Value } from '../../../src/index.ts';
import type { Json, JsonRecord, Request, Situation } from './cases.ts';

export interface Converter {
  /** What is known before anybody asks. */
  situation(known: Situation): readonly ReportRow[];
  /** What is known of one request. Who asks, and about what, has a type even where no entity is listed. */
  surroundings(request: Request): readonly ReportRow[];
  wish(request: Request): ReportRow;
}

type Key = Readonly<Record<string, string>>;

export function converter(program: Program): Converter {
  const { relations } = load(program);

  const row = (name: string, columns: Readonly<Record<string, Json>>): ReportRow[] => {
    const relation = `observation.${name}`;
    const declared = relations.get(relation);
    if (declared === undefined) return [];
    const kinds = new Map(declared.columns.map((column) => [column.name, column.sort.base]));
    const values = Object.entries(columns).map(([column, value]) => [column, valueOf(value, kinds.get(column))] as const);
    return [{ relation, columns: Object.fromEntries(values) }];
  };

  /** A record goes by its path, a set by its members, and a member that is a record is one row. */
  const attribute = (name: string, value: Json, key: Key): ReportRow[] => {
    if (isList(value)) {
      return value.flatMap((member) =>
        isRecord(member)
          ? row(name, { ...key, ...Object.fromEntries(Object.entries(member).map(([field, one]) => [camel(field), one])) })
          : row(name, { ...key, [name]: member }),
      );
    }
    if (!isRecord(value)) return row(name, { ...key, [name]: value });
    return Object.entries(value).flatMap(([field, one]) => attribute(camel(`${name}_${field}`), one, key));
  };
  const attributes = (record: JsonRecord, key: Key) =>
    Object.entries(record).flatMap(([name, value]) => attribute(camel(name), value, key));

  const types = (texts: readonly string[]) => [...new Set(texts)].flatMap((entity) => row('type', { entity, type: partsOf(entity).type }));

  const linksOf = (linked: string) =>
    (JSON.parse(linked) as readonly { readonly template_id: string; readonly args: Readonly<Record<string, string>> }[]).flatMap(
      ({ template_id: template, args }) =>
        row('link', { template, principal: textOf(args['?principal'] ?? ''), resource: textOf(args['?resource'] ?? '') }),
    );

  return {
    situation: ({ entities, linked }) => [
      ...types(entities.flatMap(({ uid, parents }) => [uid, ...parents].map(uidOf))),
      ...entities.flatMap(({ uid, attrs, parents }) => {
        const entity = uidOf(uid);
        return [...parents.flatMap((parent) => row('parent', { entity, parent: uidOf(parent) })), ...attributes(attrs, { entity })];
      }),
      ...(typeof linked === 'string' ? linksOf(linked) : []),
    ],
    surroundings: ({ principal, resource, context }) => [...types([textOf(principal), textOf(resource)]), ...attributes(context, {})],
    wish: ({ action, resource }) => {
      const name = partsOf(action).id;
      if (relations.has('proposal.request')) return { relation: 'proposal.request', columns: { action: name, resource: textOf(resource) } };
      return { relation: `proposal.${camel(name)}`, columns: { resource: textOf(resource) } };
    },
  };
}

/** `User::ada`, also where the id stands in quotation marks. */
export function textOf(written: string): string {
  const { type, id } = partsOf(written);
  return `${type}::${id}`;
}

function partsOf(written: string): { readonly type: string; readonly id: string } {
  const [, type = '', quoted, bare = ''] = /^(.*)::(?:"(.*)"|([^"]*))$/.exec(written) ?? [];
  return { type, id: quoted ?? bare };
}

function uidOf(uid: JsonRecord): string {
  const { type, id } = (uid['__entity'] ?? uid) as { readonly type: string; readonly id: string };
  return `${type}::${id}`;
}

/** A text for a column of numbers is a decimal or an instant: the given files write both with and without their function. */
function valueOf(value: Json, kind: string | undefined): Value {
  if (typeof value === 'string') return kind === 'integer' ? instant(value) : kind === 'number' ? Number(value) : value;
  if (typeof value !== 'object') return value;
  const { __extn: extension = value } = value as JsonRecord;
  const { fn, arg } = extension as { readonly fn?: string; readonly arg: string };
  return fn === undefined ? uidOf(value as JsonRecord) : called(fn, arg);
}

function called(fn: string, arg: string): Value {
  switch (fn) {
    case 'decimal':
      return Number(arg);
    case 'datetime':
      return instant(arg);
    case 'duration':
      return duration(arg);
    default:
      return arg;
  }
}

/** Milliseconds. The zone may be written without a colon. */
function instant(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+)(d|h|ms|m|s)/g)].map(([, count, unit = '']) => Number(count) * (UNITS[unit] ?? Number.NaN));
  return parts.reduce((sum, part) => sum + part, 0) * (text.startsWith('-') ? -1 : 1);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A record, and neither an entity nor a call of an extension. */
function isRecord(value: Json): value is JsonRecord {
  if (typeof value !== 'object' || isList(value)) return false;
  const names = Object.keys(value).sort().join(' ');
  return !['id type', '__entity', '__extn', 'arg fn'].includes(names);
}

function camel(name: string): string {
  return name.replace(/_+(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
