/**
 * The parts of a program that a test can make fire: rules, the clauses of decisions, groups and invariants, each with its id.
 *
 * Reads  the program as its author wrote it.
 * Gives  one part for each thing that can happen, and the words that its rules have for what they refuse.
 * Never  lists a rule that only stands between two parts of a decision: its author has never seen it.
 */
import { irOf, type ClauseIR, type DecideIR, type Literal, type ProgramIR, type RulesetIR } from '../../dsl/ir.ts';

export interface Part {
  /** "books.shipTo", "refunds.limits1", "invariant an open refund above the limit". */
  readonly id: string;
  /** What it is, in its author's words: `limits "daily budget"`, `fact.shipTo`. */
  readonly what: string;
  readonly location?: string;
  readonly by: By;
}
/** How it shows that a part has fired. */
export type By =
  /** One of these rules has derived a row. */
  | { readonly is: 'derived'; readonly rules: readonly string[] }
  /** A decision was recorded for one of these rules; of a decision that was taken back since, the row alone is known. */
  | { readonly is: 'recorded'; readonly rules: readonly string[]; readonly source: string }
  /** An approved row had to wait, or its act was withdrawn. */
  | { readonly is: 'still'; readonly rule: string; readonly source: string; readonly clause: number; readonly sizes: readonly number[] }
  /** A row fell with another one of its reply. */
  | { readonly is: 'group'; readonly sources: readonly string[] }
  | { readonly is: 'violated'; readonly invariant: string };

export interface Parts {
  readonly parts: readonly Part[];
  /** Reasons of clauses and of rejections by hand, and names of invariants. */
  readonly reasons: readonly string[];
}

const known = new WeakMap<ProgramIR, Parts>();

export function partsOf(program: unknown): Parts {
  const ir = irOf(program) as ProgramIR | undefined;
  if (ir?.kind !== 'program') return { parts: [], reasons: [] };
  const read = known.get(ir) ?? readParts(ir);
  known.set(ir, read);
  return read;
}

function readParts({ rules, queries, invariants }: ProgramIR): Parts {
  const written = [...rules, ...queries];
  const rulesets = written.filter((one) => one?.kind === 'ruleset');
  const decides = written.filter((one) => one?.kind === 'decide');
  const groups = written.flatMap((one) => (one?.kind === 'together' ? [one.sources] : []));
  return {
    parts: [
      ...rulesets.flatMap(rulesIn),
      ...decides.flatMap(clausesIn),
      ...groups.map((sources): Part => {
        const id = `together ${sources.join(', ')}`;
        return { id, what: 'one falls, all fall', by: { is: 'group', sources: sources.map(ownOf) } };
      }),
      ...invariants.map(({ name, location }): Part => ({
        id: `invariant ${name}`,
        what: 'violated',
        ...at(location),
        by: { is: 'violated', invariant: name },
      })),
    ],
    reasons: [
      ...decides.flatMap(({ clauses }) => clauses.flatMap((clause) => (clause.clause === 'records' ? [] : [clause.reason]))),
      ...rulesets.flatMap(({ rules: own }) =>
        Object.values(own).flatMap((rule) => {
          const reason = rule?.head?.columns['reason'];
          return reason !== undefined && 'const' in reason ? [String(reason.const)] : [];
        }),
      ),
      ...invariants.map(({ name }) => name),
    ],
  };
}

function rulesIn({ name, rules }: RulesetIR): Part[] {
  return Object.entries(rules).map(([key, rule]) => {
    const id = `${name}.${key}`;
    const relation = rule?.head?.relation ?? '';
    const by: By = relation.startsWith('decision.')
      ? { is: 'recorded', rules: [id], source: ownOf(relation) }
      : { is: 'derived', rules: [id] };
    return { id, what: relation, ...at(rule?.location), by };
  });
}

function clausesIn(decide: DecideIR): Part[] {
  const { name, clauses, end, location, source } = decide;
  const own = ownOf(source.relation);
  const counts = new Map<string, number>();
  const stills = clauses.filter((clause) => clause.clause === 'stillNeeds');
  const part = (key: string, what: string, by: By, place = location): Part => ({ id: `${name}.${key}`, what, ...at(place), by });
  const recorded = (...keys: string[]): By => ({ is: 'recorded', rules: keys.map((key) => `${name}.${key}`), source: own });
  const derived = (...keys: string[]): By => ({ is: 'derived', rules: keys.map((key) => `${name}.${key}`) });
  const ofClause = (clause: Exclude<ClauseIR, { readonly clause: 'records' }>): Part[] => {
    const count = (counts.get(clause.clause) ?? 0) + 1;
    counts.set(clause.clause, count);
    const tag = `${clause.clause}${count}`;
    const what = `${clause.clause} ${JSON.stringify(clause.reason)}`;
    const here = (key: string, by: By, more = '') => part(key, `${what}${more}`, by, clause.location);
    switch (clause.clause) {
      case 'needs':
      case 'needsEvidence':
      case 'rejects':
      case 'limits':
        return [here(tag, recorded(tag))];
      case 'expires':
        return [here(tag, recorded(tag, `${tag}.asked`))];
      case 'awaits':
        return [here(tag, derived(tag))];
      case 'asks':
        return [
          here(tag, derived(tag)),
          here(`${tag}.answer`, derived(`${tag}.answer`), ', answered'),
          here(`${tag}.declined`, recorded(`${tag}.declined`), ', declined'),
        ];
      case 'stillNeeds': {
        const sizes = stills.map((one) => ('literals' in one ? sizeOf(one.literals) : 0));
        return [here(tag, { is: 'still', rule: `${name}.intent`, source: own, clause: count - 1, sizes })];
      }
    }
  };
  const ended = end === undefined ? [] : [part('otherwise', `otherwise ${end}`, recorded('otherwise'))];
  const held = stills.length === 0 || end === undefined ? [] : [part('intent', 'the act may start', derived('intent'))];
  return [...clauses.flatMap((clause) => (clause.clause === 'records' ? [] : ofClause(clause))), ...ended, ...held];
}

/** Steps that literals come to; an `or` comes to several rules, so which clause a step is of is not known. */
function sizeOf(literals: readonly Literal[]): number {
  return literals.reduce((sum, literal) => {
    if (literal?.kind === 'and') return sum + sizeOf(literal.literals);
    return literal?.kind === 'or' ? NaN : sum + 1;
  }, 0);
}

function ownOf(relation: string): string {
  return relation.replace(/^(decision\.\w+|proposal|candidate|queryresult)\./, '');
}

function at(location: string | undefined): { readonly location?: string } {
  return location === undefined ? {} : { location };
}
