/**
 * How a case of our own is written: a situation, and requests with what becomes of each.
 *
 * Gives  cases in the shape of the given ones, in which a rejection is expected by its reasons.
 * Never  says how a request is decided.
 */
import type { Program } from '../../../../src/index.ts';
import type { JsonRecord, Request, Situation } from '../cases.ts';

export interface OwnCase {
  readonly policy: Program;
  readonly known: Situation;
  readonly requests: readonly (Request & { readonly reasons: readonly string[] })[];
}

type Entity = Situation['entities'][number];

export function entity(uid: string, attrs: JsonRecord = {}, ...parents: readonly string[]): Entity {
  return { uid: ref(uid), attrs, parents: parents.map(ref) };
}

export function ref(uid: string): { readonly type: string; readonly id: string } {
  const [type = '', id = ''] = uid.split('::');
  return { type, id };
}

/** No reasons: it is approved. */
export function asks(principal: string, action: string, resource: string, reasons: readonly string[] = [], context: JsonRecord = {}) {
  return { principal, action: `Action::${action}`, resource, context, reasons };
}

export function links(...rows: readonly (readonly [template: string, principal: string, resource: string])[]): string {
  return JSON.stringify(
    rows.map(([template_id, principal, resource]) => ({ template_id, args: { '?principal': principal, '?resource': resource } })),
  );
}
