/**
 * The author's graph: every rule, query, invariant and clause with its own names, before anything is rewritten.
 *
 * Reads  a program's parts.
 * Gives  one entry per rule, and per clause of a decide, with what the checks of names, sorts, grades and cuts need.
 * Never  names a generated relation, but in a limit, which says what it stands for.
 */
import type { Atom, InvariantIR, Literal, Location, RulesetIR } from '../../dsl/ir.ts';
import { describe } from '../../dsl/value.ts';
import { readsOf, type Read } from './walk.ts';

export interface Authored {
  /** "books.shipTo", "refunds.needs1"; of an invariant its name in quotes. */
  readonly id: string;
  /** How messages call it: "rule books.shipTo", `decide refunds: needs "the order is yours"`. */
  readonly place: string;
  readonly role: 'rule' | 'query' | 'clause' | 'invariant' | 'evidenceInvariant';
  /** Absent of an invariant. Of a clause without its columns: what the clause comes to. */
  readonly head?: Atom;
  /** What earlier clauses bind; judged with them. */
  readonly context: readonly Atom[];
  readonly own: readonly Literal[];
  /** Atoms among `own` that must be trusted or approved, whatever the head may read: of needs, awaits and by. */
  readonly firm?: readonly Atom[];
  /** Of a limit: the generated relation that it adds up, the decisions that this stands for, and the source that they are about. */
  readonly counts?: { readonly relation: string; readonly decisions: string; readonly source: string };
  readonly location?: Location;
}

export function authoredRules(rulesets: readonly RulesetIR[], role: 'rule' | 'query'): Authored[] {
  return rulesets.flatMap((ruleset) =>
    Object.entries(ruleset.rules).map(([key, rule]) => ({
      id: `${ruleset.name}.${key}`,
      place: `rule ${ruleset.name}.${key}`,
      role,
      head: rule.head,
      context: [],
      own: rule.body,
      ...(rule.location === undefined ? {} : { location: rule.location }),
    })),
  );
}

export function authoredInvariant(invariant: InvariantIR): Authored {
  const place = `invariant ${describe(invariant.name)}`;
  return { id: place, place, role: invariant.evidence ? 'evidenceInvariant' : 'invariant', context: [], own: invariant.body };
}

export function bodyOf({ context, own }: Authored): readonly Literal[] {
  return context.length === 0 ? own : [...context, ...own];
}

/** What is read, by the author's names; `own` leaves out what earlier clauses read. */
export function readsIn(authored: Authored, which: 'all' | 'own' = 'all'): readonly Read[] {
  const known = reads[which].get(authored);
  if (known !== undefined) return known;
  const { counts } = authored;
  const written = readsOf(which === 'own' ? authored.own : bodyOf(authored));
  const named =
    counts === undefined
      ? written
      : written.map((read) => (read.relation === counts.relation ? { ...read, relation: counts.decisions } : read));
  reads[which].set(authored, named);
  return named;
}
/** Every check asks for them, and they do not change. */
const reads = { all: new WeakMap<Authored, readonly Read[]>(), own: new WeakMap<Authored, readonly Read[]>() };
