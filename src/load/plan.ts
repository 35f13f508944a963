/**
 * The plan of a program: tables with numbered columns, rules as flat joins with an order for every change, in the order of their strata.
 *
 * Reads  lowered rules, checked: safe, sorted and stratified.
 * Gives  what the engine runs without looking at a name again, among it one failure rule for each way a rule cannot be computed.
 * Never  chooses by statistics: the same program always gives the same plan.
 */
import type { Literal } from '../../dsl/ir.ts';
import { componentsOf } from './components.ts';
import { failuresOf, overflowing } from './failures.ts';
import { branchesOf, flatten, type Flat } from './flatten.ts';
import type { Lowered, LoweredRule } from './lowered.ts';
import { ordersOf } from './order.ts';
import { split } from './split.ts';
import { bindsOf, type Step } from './steps.ts';
import { tables, type Aggregation, type Book, type Table, type TableId } from './tables.ts';

export type { Aggregation, Table, TableId } from './tables.ts';
export type { Argument, Computation, Step, Test } from './steps.ts';

/** One conjunction of a rule: `or` gives several. */
export interface RulePlan {
  readonly id: string;
  readonly head: TableId;
  /** What each head column takes: a slot of the environment or an interned constant. */
  readonly headColumns: readonly HeadColumn[];
  readonly slots: readonly string[];
  readonly steps: readonly Step[];
  /** In which order the steps join, by where the join starts: at the changed step, at nothing (`whole`), at a given head. */
  readonly orders: ReadonlyMap<number, readonly number[]>;
  readonly whole: readonly number[];
  readonly headFirst: readonly number[];
  /** What a proof is told in: the steps as their author wrote them, with none split off, their order from a given head, their clauses. */
  readonly told: { readonly steps: readonly Step[]; readonly headFirst: readonly number[]; readonly still?: ReadonlyMap<number, string> };
  /** Head columns whose value may be an integer that no column can hold. */
  readonly mayOverflow: readonly number[];
  readonly failure?: FailurePlan;
  /** Of a rule that may fail: what its failure rules wait for. */
  readonly arms?: string;
  /** Of a failure rule: it need not run until the rule that it is about has met a failure. */
  readonly armedBy?: string;
}
export type HeadColumn = { readonly slot: number } | { readonly constant: string | number | boolean };

/** How a rule of views could not be computed: the head is a table of its own, `what` first, then every bound slot. */
export interface FailurePlan {
  readonly rule: string;
  /** Positions in `steps` of the atoms and groups that give the failing arguments: what they rest on is blamed. */
  readonly blamed: readonly number[];
  /** Set when a violated invariant, not a view, could not be computed. */
  readonly invariant?: string;
}

/** Tables that are derived together: alone, or in a cycle. */
export interface Component {
  readonly tables: readonly TableId[];
  readonly isRecursive: boolean;
  readonly rules: readonly RulePlan[];
}

/** What was said of a rule beside its head. */
export type Written = Pick<LoweredRule, 'body' | 'clause' | 'decides' | 'judged' | 'location'>;

export interface InvariantPlan {
  readonly name: string;
  readonly table: TableId;
  readonly variables: readonly string[];
}

export interface Plan extends Lowered {
  readonly tables: readonly Table[];
  readonly tableOf: ReadonlyMap<string, TableId>;
  readonly aggregations: readonly Aggregation[];
  /** In the order in which they are derived. */
  readonly components: readonly Component[];
  /** Failure tables of views and invariants; a row in one of them is never silently dropped. */
  readonly failures: ReadonlyMap<TableId, RulePlan>;
  readonly invariantPlans: readonly InvariantPlan[];
  /** Components of a query, run on demand. */
  readonly queryComponents: ReadonlyMap<string, readonly Component[]>;
  /** The rules and invariants as they were written, by the ids that their plans have. */
  readonly written: ReadonlyMap<string, Written>;
}

export function plan(lowered: Lowered): Plan {
  const book = tables(lowered);
  const invariants = lowered.invariants.map((invariant, index) =>
    violationRule(invariant.name, invariant.body, `violation.${index}`, book),
  );
  const compile = (rule: LoweredRule, invariant?: string): RulePlan[] =>
    flatten(rule, book).flatMap((flat, branch) => {
      const failures = failuresOf(rule, flat, branch, book, invariant);
      const arms = failures[0]?.armedBy;
      return [
        rulePlan(split(arms === undefined ? flat : { ...flat, arms }, book), book, flat),
        ...failures.map((one) => rulePlan(one, book)),
      ];
    });
  const compiled = [
    ...lowered.rules.flatMap((rule) => compile(rule)),
    ...invariants.flatMap(({ plan: { name }, rule }) => compile(rule, name)),
  ];
  const asked = new Map([...lowered.queries.values()].map((query) => [query.name, query.rules.flatMap((rule) => compile(rule))]));
  const isAsked = (rule: RulePlan) => book.table(rule.head).life === 'query';
  const helpers = book.helpers().map((flat) => rulePlan(flat, book));
  const derived = [...helpers.filter((rule) => !isAsked(rule)), ...compiled];
  return {
    ...lowered,
    tables: book.all(),
    tableOf: book.byName(),
    aggregations: book.aggregations(),
    components: componentsOf(derived, book),
    failures: new Map([...derived, ...[...asked.values()].flat()].filter(hasFailure).map((rule) => [rule.head, rule])),
    invariantPlans: invariants.map((invariant) => invariant.plan),
    written: new Map<string, Written>([
      ...lowered.rules.map((rule) => [rule.id, rule] as const),
      ...lowered.invariants.map((one) => [invariantId(one.name), one] as const),
    ]),
    queryComponents: new Map([...asked].map(([name, own]) => [name, componentsOf([...helpers.filter(isAsked), ...own], book)])),
  };
}

function hasFailure(rule: RulePlan): boolean {
  return rule.failure !== undefined;
}

function violationRule(name: string, body: readonly Literal[], relation: string, book: Book): { plan: InvariantPlan; rule: LoweredRule } {
  const variables = [
    ...new Set(
      branchesOf(body)
        .map(variablesOf)
        .reduce((all, own) => all.filter((variable) => own.includes(variable))),
    ),
  ].sort();
  const columns = Object.fromEntries(variables.map((variable) => [variable, { var: variable }]));
  const table = book.derived(relation, variables);
  return { plan: { name, table, variables }, rule: { id: invariantId(name), head: { relation, columns }, body } };
}

function invariantId(name: string): string {
  return `invariant ${JSON.stringify(name)}`;
}

/** The variables that a branch binds, which a witness shows. */
function variablesOf(branch: readonly Literal[]): string[] {
  return branch.flatMap((literal) =>
    literal.kind === 'atom'
      ? Object.values(literal.columns).flatMap((term) => ('var' in term ? [term.var] : []))
      : literal.kind === 'bind'
        ? [literal.variable]
        : [],
  );
}

function rulePlan(flat: Flat, book: Book, told: Flat = flat): RulePlan {
  const bound = new Set(flat.steps.flatMap(bindsOf));
  for (const column of flat.headColumns) if ('slot' in column && !bound.has(column.slot)) throw new Error(`${flat.id}: unsafe head`);
  const { id, head, headColumns, slots, steps, failure, arms, armedBy } = flat;
  const mayOverflow = overflowing(flat, book);
  const orders = ordersOf(flat, book);
  const headFirst = told === flat ? orders.headFirst : ordersOf(told, book).headFirst;
  return {
    id,
    head,
    headColumns,
    slots,
    steps,
    told: { steps: told.steps, headFirst, ...defined({ still: told.still }) },
    mayOverflow,
    ...orders,
    ...defined({ failure, arms, armedBy }),
  };
}

function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // The compiler cannot know that what is left has no undefined in it.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
