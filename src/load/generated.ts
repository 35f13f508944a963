/**
 * Relations that no one declares: what is open, what rules would decide, answers to cards, what counts, what is settled.
 *
 * Reads  the declarations.
 * Gives  the generated relations with their columns, and the rules that hold for every program.
 * Never  takes a name that an author could write: their first words are no namespaces of the law.
 */
import * as z from 'zod';
import type { Atom, Columns, Literal, Term } from '../../dsl/ir.ts';
import { record } from './intake.ts';
import type { Column, Intent, Life, LoweredRule, Relation, Source } from './lowered.ts';
import type { Declarations } from './merge.ts';

export function generatedRelations(declarations: Declarations): Relation[] {
  return [
    ...[...declarations.sources.values()].flatMap((source) => relationsOfSource(source, declarations)),
    ...[...declarations.intents.values()].flatMap((intent) => relationsOfIntent(intent, declarations)),
  ];
}

/** The name by which an author knows a relation, or what it stands for. */
export function toldName(name: string, { sources }: { readonly sources: ReadonlyMap<string, Source> }): string {
  const [, kind = '', own = ''] = /^(open|verdict\.\w+|answer|exposure|standing)\.(.*)$/.exec(name) ?? [];
  const source = sources.get(own);
  if (kind === 'standing') return `admitted.${own}`;
  if (source === undefined) return name;
  if (kind === 'open') return source.relation;
  if (kind === 'answer') return `confirmed.${source.decided}`;
  if (kind === 'exposure') return `decision.${source.grade === 'candidate' ? 'accepted' : 'approved'}.${source.decided}`;
  return `decision.${kind.slice('verdict.'.length)}.${source.decided}`;
}

function relationsOfSource(source: Source, { relations }: Declarations): Relation[] {
  const { name, decided, recorded } = source;
  const evidence = relations.get(source.relation)?.columns ?? [];
  const verdicts = (['accepted', 'approved', 'rejected', 'revoked', 'held'] as const).filter((verdict) =>
    relations.has(`decision.${verdict}.${decided}`),
  );
  const kept = [...new Set(recorded)].flatMap(
    (column) => columnOf(`decision.approved.${decided}`, column) ?? columnOf(`decision.accepted.${decided}`, column) ?? [],
  );
  const id = evidence.find((column) => column.name === 'id') ?? TEXT('id');
  const by = columnOf(`confirmed.${decided}`, 'by') ?? TEXT('by');
  const own = {
    accepted: kept,
    approved: kept,
    rejected: [TEXT('reason')],
    revoked: [TEXT('reason')],
    held: [TEXT('reason'), TEXT('shown')],
  };
  return [
    relation(`open.${name}`, 'record', evidence),
    ...verdicts.map((verdict) => relation(`verdict.${verdict}.${name}`, 'view', [id, ...own[verdict]])),
    relation(`answer.${name}`, 'view', [
      id,
      TEXT('reason'),
      TEXT('shown'),
      by,
      columnOf(`confirmed.${decided}`, 'answer') ?? TEXT('answer'),
    ]),
    relation(`exposure.${name}`, 'record', [
      ...evidence.filter((column) => !column.isReserved),
      ...kept,
      ...evidence.filter((column) => column.isReserved),
    ]),
  ];

  function columnOf(of: string, column: string): Column | undefined {
    return relations.get(of)?.columns.find((one) => one.name === column);
  }
}

function relationsOfIntent(intent: Intent, { relations }: Declarations): Relation[] {
  const columns = relations.get(`intent.${intent.name}`)?.columns ?? [];
  const due = relations.has(`due.${intent.name}`) ? [] : [relation(`due.${intent.name}`, 'view', columns)];
  return [relation(`standing.${intent.name}`, 'record', columns), ...due];
}

export function relation(name: string, life: Life, columns: readonly Column[]): Relation {
  return { name, life, columns: [...columns] };
}

function TEXT(name: string): Column {
  return { name, sort: { base: 'string' }, schema: z.string(), isReserved: false };
}

/** A card is a status of a row that no rule rejects, with the whole row on it. */
export function heldRule(source: Source, { relations }: Declarations): LoweredRule[] {
  const held = relations.get(`decision.held.${source.decided}`);
  if (held === undefined) return [];
  const evidence = new Set((relations.get(source.relation)?.columns ?? []).map(({ name }) => name));
  const term = (column: string): Term => {
    const fixed = source.constants[column];
    return fixed === undefined ? { var: `$${column}` } : { const: fixed };
  };
  const row = held.columns.map(({ name }) => [name, term(name)] as const);
  const card = record([...['id', 'reason', 'shown'].map((column) => [column, term(column)] as const)]);
  const body: Literal[] = [
    atom(`open.${source.name}`, record(row.filter(([column]) => evidence.has(column)))),
    atom(`verdict.held.${source.name}`, card),
    { kind: 'not', literal: atom(`verdict.rejected.${source.name}`, record([['id', term('id')]])) },
  ];
  return [{ id: `runtime.held.${source.name}`, head: { relation: held.name, columns: record(row) }, body }];
}

/** What may still happen: derived, and admitted as it is, and not started. */
export function dueRule(intent: Intent): LoweredRule {
  const columns = (names: readonly string[]): Columns => record(names.map((name) => [name, { var: `$${name}` }] as const));
  const row = columns(intent.columns);
  return {
    id: `runtime.due.${intent.name}`,
    head: { relation: `due.${intent.name}`, columns: row },
    body: [atom(`intent.${intent.name}`, row), atom(`standing.${intent.name}`, row)],
  };
}

function atom(name: string, columns: Columns): Atom {
  return { kind: 'atom', relation: name, columns };
}
