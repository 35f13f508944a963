/**
 * Judges what a program declares beside its rules: kinds of reports, projections, capabilities.
 *
 * Reads  the declarations and the merged relations.
 * Gives  issues: an unknown relation or intent, a field that is not in the payload, rows that no mapper may write, one name twice.
 * Never  runs a mapper.
 */
import type { DeclarationIR } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { namespaceOf } from '../../dsl/law.ts';
import { didYouMean } from '../../dsl/name.ts';
import { digestFault } from './declared.ts';
import type { Declarations } from './merge.ts';

/** The intents, "intent.ask", that are another model turn: whatever carries them out consults a model. One other carrier, and it is an act. */
export function consultingIntents(declared: readonly DeclarationIR[]): ReadonlySet<string> {
  const carriedBy = (consults: boolean) =>
    declared.flatMap((one) => (one.kind === 'capability' && one.consultsModel === consults ? one.intents : []));
  const acting = new Set(carriedBy(false));
  return new Set(carriedBy(true).flatMap((name) => (acting.has(name) ? [] : [`intent.${name}`])));
}

export function declarationIssues(declared: readonly DeclarationIR[], declarations: Declarations): Issue[] {
  const names = declared.map(({ kind, name }) => `${kind} ${name}`);
  const first = declared.filter((one, i) => names.indexOf(`${one.kind} ${one.name}`) === i);
  const bound = first.flatMap((one) => (one.kind === 'capability' ? one.intents : []));
  return [
    ...names.flatMap((name, i) => (names.indexOf(name) === i ? [] : [issue('load/declaration', `${name} is declared twice`)])),
    ...bound.flatMap((name, i) =>
      bound.indexOf(name) === i ? [] : [issue('load/declaration', `intent.${name} is carried by two capabilities`)],
    ),
    ...first.flatMap(payloadIssues),
    ...first.flatMap((one) => issuesOf(one, declarations).map((what) => issue('load/declaration', `${one.kind} ${one.name}: ${what}`))),
  ];
}

/** A payload's schemas are part of the program's digest. */
function payloadIssues(one: DeclarationIR): Issue[] {
  if (one.kind !== 'reportKind') return [];
  return Object.entries(one.payload).flatMap(([field, schema]) => digestFault(schema, `reportKind ${one.name}: payload.${field}`) ?? []);
}

function issuesOf(one: DeclarationIR, { relations, intents }: Declarations): string[] {
  switch (one.kind) {
    case 'projection':
      return one.shows.flatMap((name) => (relations.has(name) ? [] : [`unknown relation ${name}${didYouMean(name, relations.keys())}`]));
    case 'capability':
      return one.intents.flatMap((name) => (intents.has(name) ? [] : [`unknown intent ${name}${didYouMean(name, intents.keys())}`]));
    case 'reportKind': {
      const isForged = (name: string) => !['observation', 'receipt', undefined].includes(namespaceOf(name));
      const unknown = one.writes
        .filter((name) => !relations.has(name) && !isForged(name))
        .map((name) => `unknown relation ${name}${didYouMean(name, relations.keys())}`);
      const forged = one.writes.filter(isForged);
      const absent = one.fallible.filter((field) => !Object.hasOwn(one.payload, field));
      return [
        ...unknown,
        ...forged.map((name) => `a mapper writes observations and receipts, not ${name}`),
        ...absent.map((field) => `${field} is no field of its payload${didYouMean(field, Object.keys(one.payload))}`),
      ];
    }
  }
}
