/**
 * Flattens a rule: `or` is multiplied out, aggregates become lookups, negation becomes membership, names become numbers.
 *
 * Reads  one lowered rule, checked.
 * Gives  one flat conjunction per branch.
 * Never  orders anything: that is for each change apart.
 */
import type { Aggregate, Atom, Columns, Comparison, Expression, Literal, OneOf, Term } from '../../dsl/ir.ts';
import { DEFINITION } from '../../dsl/ir.ts';
import type { HeadColumn } from './plan.ts';
import type { LoweredRule } from './lowered.ts';
import type { Argument, Computation, Step, Test } from './steps.ts';
import type { Book, Table, TableId } from './tables.ts';

/** A conjunction with its head, before join orders. */
export interface Flat {
  readonly id: string;
  readonly head: TableId;
  readonly headColumns: readonly HeadColumn[];
  readonly slots: readonly string[];
  readonly steps: readonly Step[];
  /** The reasons of clauses that steps are of, by the place of the step. */
  readonly still?: ReadonlyMap<number, string>;
  readonly failure?: { readonly rule: string; readonly blamed: readonly number[]; readonly invariant?: string };
  readonly arms?: string;
  readonly armedBy?: string;
}

type Simple = Exclude<Literal, { readonly kind: 'and' | 'or' }>;

function isSimple(literal: Literal): literal is Simple {
  return literal.kind !== 'and' && literal.kind !== 'or';
}

export function flatten(rule: LoweredRule, book: Book): Flat[] {
  return branchesOf(rule.body).map((branch) => flattenBranch(rule, branch, book));
}

/** The branches of a body: `or` multiplied out, `and` spliced in. The empty body is one branch. */
export function branchesOf(literals: readonly Literal[]): Simple[][] {
  if (literals.every(isSimple)) return [[...literals]];
  return literals.reduce<Simple[][]>(
    (branches, literal) => {
      const own =
        literal.kind === 'or'
          ? literal.literals.flatMap((one) => branchesOf([one]))
          : literal.kind === 'and'
            ? branchesOf(literal.literals)
            : [[literal]];
      return branches.flatMap((branch) => own.map((more) => [...branch, ...more]));
    },
    [[]],
  );
}

function flattenBranch(rule: LoweredRule, branch: readonly Simple[], book: Book): Flat {
  const slots: string[] = [];
  const slot = (variable: string): number => {
    const known = slots.indexOf(variable);
    return known >= 0 ? known : slots.push(variable) - 1;
  };
  const steps: Step[] = [];
  const translate = translator(book, slot, (step) => steps.push(step));
  const still = new Map<number, string>();
  for (const literal of branch) {
    const from = steps.length;
    translate(literal);
    const reason = rule.still?.get(literal);
    if (reason !== undefined) for (let i = from; i < steps.length; i++) still.set(i, reason);
  }
  const head = book.named(rule.head.relation);
  const headColumns = head.columns.map((column): HeadColumn => {
    const term = rule.head.columns[column];
    if (term === undefined) throw new Error(`${rule.id}: head column ${column} is not given`);
    return 'var' in term ? { slot: slot(term.var) } : { constant: term.const };
  });
  return { id: rule.id, head: head.id, headColumns, slots, steps, ...(still.size === 0 ? {} : { still }) };
}

/** Most arguments are this one. */
const WILDCARD: Argument = Object.freeze({ wildcard: true });

/** Turns literals into steps; an aggregate inside an expression becomes a step of its own before it. */
function translator(book: Book, slot: (variable: string) => number, push: (step: Step) => void): (literal: Simple) => void {
  const argument = (term: Term): Argument => ('var' in term ? { slot: slot(term.var) } : { constant: term.const });
  const args = (table: Table, columns: Columns): Argument[] =>
    table.columns.map((column) => {
      const term = Object.hasOwn(columns, column) ? columns[column] : undefined;
      return term === undefined ? WILDCARD : argument(term);
    });

  const aggregate = (expression: Aggregate): Computation => {
    const source = book.named(expression.relation);
    const group = source.columns.flatMap((column, i) => (Object.hasOwn(expression.per, column) ? [i] : []));
    const of = expression.of === undefined ? undefined : source.columns.indexOf(expression.of);
    const aggregation = book.aggregation(source.id, expression.aggregate, group, of);
    const groupArgs = group.map((i) => argument(expression.per[source.columns[i] ?? ''] as Term));
    const out = slot(`${expression.aggregate} ${aggregation} ${JSON.stringify(groupArgs)}`);
    push({ step: 'group', aggregation, args: groupArgs, out });
    return { slot: out };
  };
  const computation = (expression: Expression): Computation => {
    if ('var' in expression) return { slot: slot(expression.var) };
    if ('const' in expression) return { constant: expression.const };
    if ('aggregate' in expression) return aggregate(expression);
    if ('arithmetic' in expression) {
      return { operator: expression.arithmetic, left: computation(expression.left), right: computation(expression.right) };
    }
    const definition = expression[DEFINITION];
    if (definition === undefined) throw new Error(`no function ${expression.call}`);
    return { definition, args: expression.args.map(computation) };
  };
  const test = (literal: Comparison | OneOf): Test =>
    literal.kind === 'oneOf'
      ? { test: 'oneOf', value: computation(literal.value), members: literal.members }
      : { test: 'compare', comparison: literal.comparison, left: computation(literal.left), right: computation(literal.right) };

  const absent = (atom: Atom): void => {
    const table = book.named(atom.relation);
    const given = args(table, atom.columns);
    const kept = given.flatMap((arg, i) => ('wildcard' in arg ? [] : [i]));
    const isWhole = kept.length === given.length;
    const target = isWhole ? table.id : book.projection(table.id, kept);
    push({ step: 'absent', table: target, args: isWhole ? given : kept.map((i) => given[i] as Argument) });
  };

  return (literal) => {
    switch (literal.kind) {
      case 'atom': {
        const table = book.named(literal.relation);
        return push({ step: 'scan', table: table.id, args: args(table, literal.columns) });
      }
      case 'bind':
        return push({ step: 'compute', out: slot(literal.variable), computation: computation(literal.expression) });
      case 'not':
        return literal.literal.kind === 'atom'
          ? absent(literal.literal)
          : push({ step: 'test', test: test(literal.literal), isNegated: true });
      case 'comparison':
      case 'oneOf':
        return push({ step: 'test', test: test(literal), isNegated: false });
    }
  };
}
