/**
 * `decide`: how the rows of one source are judged, clause by clause.
 *
 * Reads  a source atom, and the clauses in their order.
 * Gives  a decision after each clause, so that one that does not end is one too; the loader writes them out as ordinary rules.
 * Never  changes what it was: every clause returns a new frozen value.
 */
import { carry, columnsIR, literalIR, literalsIR, optionsOf, termIR, variableName } from './carry.ts';
import type { AnySource, Decided, Decision, SourceOk } from './decide-types.ts';
import { irOf, type Atom, type ClauseIR, type DecideIR, type Location } from './ir.ts';
import { CountersignError, issue } from './issue.ts';
import { callerLocation } from './location.ts';
import { at } from './rule.ts';
import { describe } from './value.ts';

export function decide<A extends SourceOk<A> = AnySource>(name: string, source: A): Decided<A> {
  const location = callerLocation();
  // The chain's types follow from the source's; at run time every link has every clause.
  return link({ kind: 'decide', name, source: atomIR(source), clauses: Object.freeze([]), ...at(location) }) as never;
}

/** A thing that is no atom is left for the loader, which names the clause. */
function atomIR(value: unknown): Atom {
  return literalIR(value) as Atom;
}

function link(ir: DecideIR): Decision {
  const add = (clause: ClauseIR, location: Location | undefined) =>
    link({ ...ir, clauses: Object.freeze([...ir.clauses, Object.freeze({ ...clause, ...at(location) })]) });
  const end = (how: 'approves' | 'accepts', why?: string) =>
    ended({ ...ir, end: how, ...(why === undefined ? {} : { unconditional: why }) });
  const withAtom = (clause: 'needs' | 'needsEvidence' | 'awaits') => (reason: string, atom: unknown) => {
    const location = callerLocation();
    return add({ clause, reason, atom: atomIR(atom) }, location);
  };
  const withLiterals =
    (clause: 'rejects' | 'stillNeeds' | 'expires') =>
    (reason: string, ...literals: readonly unknown[]) => {
      const location = callerLocation();
      return add({ clause, reason, literals: literalsIR(literals) }, location);
    };
  const clauses = {
    needs: withAtom('needs'),
    needsEvidence: withAtom('needsEvidence'),
    awaits: withAtom('awaits'),
    rejects: withLiterals('rejects'),
    stillNeeds: withLiterals('stillNeeds'),
    expires: withLiterals('expires'),
    limits: (reason: string, limit: unknown) => {
      const location = callerLocation();
      return add(limitsIR(ir.source, reason, limit), location);
    },
    asks: (reason: string, when: unknown, who?: unknown) => {
      const location = callerLocation();
      return add(asksIR(reason, when, who), location);
    },
    records: (columns: unknown) => {
      const location = callerLocation();
      return add({ clause: 'records', columns: columnsIR(`records of ${ir.name}`, columns) }, location);
    },
    otherwiseApproves: () => end('approves'),
    otherwiseAccepts: () => end('accepts'),
    approvesWithoutConditions: (why: string) => end('approves', why),
    acceptsWithoutConditions: (why: string) => end('accepts', why),
  };
  return carry({ kind: 'decide', name: ir.name, ...clauses }, Object.freeze(ir));
}

function ended(ir: DecideIR): Decision {
  return carry({ kind: 'decide', name: ir.name }, Object.freeze(ir));
}

function asksIR(reason: string, when: unknown, who: unknown): ClauseIR {
  const { by } = who === undefined ? {} : optionsOf(who, `asks ${describe(reason)}`, ['by']);
  const literals = Object.freeze([literalIR(when)]);
  return by === undefined ? { clause: 'asks', reason, literals } : { clause: 'asks', reason, literals, by: atomIR(by) };
}

function limitsIR(source: Atom, reason: string, limit: unknown): ClauseIR {
  const place = `limits ${describe(reason)}`;
  const { sum, per, max } = optionsOf(limit, place, ['sum', 'per', 'max']);
  const relation = source?.relation ?? 'limits';
  const bound = { per: columnsIR(relation, per), max: termIR(max, `max of ${place}`) };
  if (sum === undefined) return { clause: 'limits', reason, ...bound };
  const name = variableName(irOf(sum));
  if (name === undefined) throw new CountersignError([issue('dsl/not-ours', `sum of ${place} is no variable`)]);
  return { clause: 'limits', reason, sum: name, ...bound };
}
