/**
 * Sorts: what each variable of a rule ranges over, and whether everything that meets in it is of one kind and brand.
 *
 * Reads  a rule and the columns of its relations.
 * Gives  the sort of every variable, and issues where two sorts, a constant, a comparison, an expression or a call do not fit.
 * Never  looks at ranges of variables: a derived value may leave its column's range (only constants are held to it).
 */
import * as z from 'zod';
import {
  DEFINITION,
  type Aggregate,
  type Arithmetic,
  type Atom,
  type Call,
  type Comparison,
  type Expression,
  type Literal,
  type OneOf,
  type Term,
  type Value,
} from '../../dsl/ir.ts';
import { issue, type Issue, type IssueCode } from '../../dsl/issue.ts';
import { didYouMean } from '../../dsl/name.ts';
import { describe, kindFault, sortName, sortOf, unifies, valueFault, type Sort } from '../../dsl/value.ts';
import { bodyOf, type Authored } from './authored.ts';
import { schemaFault } from './declared.ts';
import type { Column, Relation } from './lowered.ts';
import { expressionsOf, parts } from './walk.ts';

/** What a variable ranges over, with a schema of that kind. */
export interface Ranged {
  readonly sort: Sort;
  readonly schema: z.ZodType;
  /** A row's position: compared, never computed with. */
  readonly isPosition?: boolean;
  /** A constant takes the sort of what it meets. */
  readonly constant?: Value;
}
export type RelationOf = (name: string) => Relation | undefined;

export function sortsOf(
  authored: Authored,
  relationOf: RelationOf,
): { readonly sorts: ReadonlyMap<string, Ranged>; readonly issues: readonly Issue[] } {
  const judge = new Sorts(authored, relationOf);
  const { issues } = judge;
  // A context was told at its own clause; here it only says what its variables are.
  authored.context.forEach((atom) => judge.atom(atom));
  issues.length = 0;
  authored.own.forEach((literal) => judge.atoms(literal));
  if (authored.head !== undefined) judge.atom(authored.head);
  judge.bindings(bodyOf(authored));
  authored.own.forEach((literal) => judge.expressions(literal));
  judge.heads(authored);
  return { sorts: judge.variables, issues };
}

const INTEGER: Ranged = { sort: { base: 'integer' }, schema: z.int() };

class Sorts {
  readonly variables = new Map<string, Ranged>();
  /** Where each variable was met first: a relation and a column, or an expression. */
  readonly places = new Map<string, readonly [relation: string, column?: string]>();
  /** Whether a column of floats was met at all. */
  hasFloats = false;
  readonly issues: Issue[] = [];
  readonly place: string;
  readonly counts: Authored['counts'];
  readonly relationOf: RelationOf;
  /** Variables of two sorts: what else they meet is not judged. */
  readonly clashing = new Map<string, Set<string>>();

  constructor({ place, counts }: Authored, relationOf: RelationOf) {
    this.place = place;
    this.counts = counts;
    this.relationOf = relationOf;
  }

  /** What a limit adds up is called by the source whose rows it counts. */
  nameOf(relation: string): string {
    return relation === this.counts?.relation ? this.counts.source : relation;
  }

  tell(code: IssueCode, what: string): void {
    this.issues.push(issue(code, `${this.place}: ${what}`));
  }

  /** Every atom below a literal, and the groups of its aggregates. */
  atoms(literal: Literal): void {
    switch (literal.kind) {
      case 'atom':
        return this.atom(literal);
      case 'not':
        return this.atoms(literal.literal);
      case 'and':
      case 'or':
        return literal.literals.forEach((one) => this.atoms(one));
      case 'comparison':
      case 'oneOf':
      case 'bind':
        return expressionsOf(literal).forEach((expression) => this.groups(expression));
    }
  }

  groups(expression: Expression): void {
    if ('aggregate' in expression) return this.atom({ kind: 'atom', relation: expression.relation, columns: expression.per });
    parts(expression).forEach((part) => this.groups(part));
  }

  atom(atom: Atom): void {
    const relation = this.relationOf(atom.relation);
    if (relation === undefined) return;
    const columns = columnsByName(relation);
    for (const name of Object.keys(atom.columns)) {
      const column = columns.get(name);
      const term = atom.columns[name];
      if (column === undefined) this.unknown(atom.relation, name, columns.keys());
      else if (term !== undefined) this.term(term, column, this.nameOf(atom.relation), name);
    }
  }

  unknown(relation: string, column: string, columns: Iterable<string>): void {
    this.tell('load/column-unknown', `${this.nameOf(relation)} has no column ${column}${didYouMean(column, columns)}`);
  }

  term(term: Term, column: Ranged, relation: string, name: string): void {
    if ('var' in term) return this.use(term.var, column, relation, name);
    const fault = valueFault(column.schema, column.sort, term.const);
    if (fault !== undefined) this.tell('load/constant-type', `${describe(term.const)} is not a value of ${relation}.${name}: ${fault}`);
  }

  use(variable: string, ranged: Ranged, relation: string, column?: string): void {
    const known = this.variables.get(variable);
    if (ranged.sort.base === 'number') this.hasFloats = true;
    if (known === undefined) {
      this.variables.set(variable, ranged);
      this.places.set(variable, column === undefined ? [relation] : [relation, column]);
    } else if (!unifies(known.sort, ranged.sort)) {
      const sort = sortName(ranged.sort);
      const told = this.clashing.get(variable) ?? new Set();
      if (!told.has(sort)) {
        const first = `${sortName(known.sort)} in ${(this.places.get(variable) ?? []).join('.')}`;
        const second = `${sort} in ${column === undefined ? relation : `${relation}.${column}`}`;
        this.tell('load/sort-clash', `variable ${variable} has two sorts: ${first}, ${second}`);
      }
      this.clashing.set(variable, told.add(sort));
    }
  }

  /** A float meets an integer in a body, where they are compared; it may not be what an integer column of the head is filled with. */
  heads(authored: Authored): void {
    if (!this.hasFloats) return;
    const body = bodyOf(authored);
    for (const [name, term] of Object.entries(authored.head?.columns ?? {})) {
      const column = this.relationOf(authored.head?.relation ?? '')?.columns.find((one) => one.name === name);
      if (column?.sort.base !== 'integer' || !('var' in term)) continue;
      const bases = new Set(body.flatMap((literal) => this.boundAs(term.var, literal)));
      if (!bases.has('number') || bases.has('integer')) continue;
      const where = `${authored.head?.relation ?? ''}.${name}`;
      this.tell('load/sort-clash', `variable ${term.var} is a float, and ${where} takes integers`);
    }
  }

  /** The bases of what a literal binds a variable to. */
  boundAs(variable: string, literal: Literal): Sort['base'][] {
    switch (literal.kind) {
      case 'atom':
        return Object.entries(literal.columns).flatMap(([name, term]) => {
          const column =
            'var' in term && term.var === variable
              ? this.relationOf(literal.relation)?.columns.find((one) => one.name === name)
              : undefined;
          return column === undefined ? [] : [column.sort.base];
        });
      case 'bind': {
        const ranged = literal.variable === variable ? this.expression(literal.expression) : undefined;
        return ranged === undefined ? [] : [ranged.sort.base];
      }
      case 'and':
      case 'or':
        return literal.literals.flatMap((one) => this.boundAs(variable, one));
      case 'not':
      case 'comparison':
      case 'oneOf':
        return [];
    }
  }

  /** Bindings, in whatever order they depend on one another. */
  bindings(literals: readonly Literal[]): void {
    const open = literals.flatMap(bindingsIn);
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const binding of [...open]) {
        const told = this.issues.length;
        const ranged = this.expression(binding.expression);
        // What is wrong in the expression is told once, when all variables are known.
        this.issues.length = told;
        if (ranged === undefined) continue;
        open.splice(open.indexOf(binding), 1);
        isChanged = true;
        const { constant: _, ...plain } = ranged;
        this.use(binding.variable, plain, 'an expression');
      }
    }
  }

  expressions(literal: Literal): void {
    switch (literal.kind) {
      case 'atom':
        return;
      case 'not':
        return this.expressions(literal.literal);
      case 'and':
      case 'or':
        return literal.literals.forEach((one) => this.expressions(one));
      case 'comparison':
        return this.comparison(literal);
      case 'oneOf':
        return this.oneOf(literal);
      case 'bind':
        this.expression(literal.expression);
    }
  }

  comparison({ comparison, left, right }: Comparison): void {
    const [one, other] = [this.expression(left), this.expression(right)];
    if (one === undefined || other === undefined) return;
    const fault = this.meets(one, other);
    if (fault !== undefined) return this.tell('load/comparison-type', `${comparison} ${fault}${variablesText(left, right)}`);
    const isOrdered = comparison !== 'eq' && comparison !== 'neq';
    const unordered = [one, other].find(({ sort }) => sort.base === 'boolean' || sort.base === 'enum');
    if (isOrdered && unordered !== undefined)
      this.tell('load/comparison-type', `${comparison} compares ${sortName(unordered.sort)}, which has no order`);
  }

  oneOf({ value, members }: OneOf): void {
    const ranged = this.expression(value);
    if (ranged === undefined) return;
    for (const member of members) {
      const fault = this.meets(ranged, constantOf(member));
      if (fault !== undefined) this.tell('load/comparison-type', `oneOf ${fault}`);
    }
  }

  /** Why two values may not meet. A constant fits where its kind fits, and in an enum where it is a member. */
  meets(left: Ranged, right: Ranged): string | undefined {
    if (left.constant !== undefined && right.constant === undefined) return this.meets(right, left);
    if (right.constant === undefined || left.constant !== undefined) {
      return unifies(left.sort, right.sort) ? undefined : `compares ${sortName(left.sort)} with ${sortName(right.sort)}`;
    }
    const { sort } = left;
    const fault = kindFault(sort, right.constant);
    return fault === undefined ? undefined : `compares ${sortName(sort)} with ${describe(right.constant)}: ${fault}`;
  }

  /** The sort of an expression; undefined where a variable in it has none yet, or what is wrong was told. */
  expression(expression: Expression): Ranged | undefined {
    if ('var' in expression) return this.clashing.has(expression.var) ? undefined : this.variables.get(expression.var);
    if ('const' in expression) return constantOf(expression.const);
    if ('aggregate' in expression) return this.aggregate(expression);
    if ('call' in expression) return this.call(expression);
    const [left, right] = [this.expression(expression.left), this.expression(expression.right)];
    if (left === undefined || right === undefined) return undefined;
    const wrong = [left, right].find(({ sort, isPosition }) => sort.base !== 'integer' || isPosition === true);
    if (wrong !== undefined) {
      const operation = isLimit(expression) ? 'a limit sums' : `${expression.arithmetic} takes`;
      this.tell('load/arithmetic-type', `${operation} integers, not ${wrong.isPosition === true ? 'a position' : sortName(wrong.sort)}`);
      return undefined;
    }
    return this.combined(expression.arithmetic, left, right);
  }

  /** Cents and cents give cents; cents times a plain number gives cents. */
  combined(operator: string, left: Ranged, right: Ranged): Ranged | undefined {
    const [first, second] = left.constant === undefined ? [left, right] : [right, left];
    if (second.constant !== undefined) return { sort: first.sort, schema: first.schema };
    if (operator !== 'times' && !unifies(first.sort, second.sort)) {
      this.tell('load/arithmetic-type', `${operator} takes two of one sort, not ${sortName(first.sort)} and ${sortName(second.sort)}`);
      return undefined;
    }
    if (operator === 'times' && first.sort.brand !== undefined && second.sort.brand !== undefined) {
      this.tell('load/arithmetic-type', `times takes one plain integer, not ${sortName(first.sort)} and ${sortName(second.sort)}`);
      return undefined;
    }
    const branded = first.sort.brand === undefined ? second : first;
    return { sort: branded.sort, schema: branded.schema };
  }

  aggregate({ aggregate, relation, of }: Aggregate): Ranged | undefined {
    if (of === undefined) return INTEGER;
    const declared = this.relationOf(relation);
    if (declared === undefined) return undefined;
    const columns = columnsByName(declared);
    const ranged = columns.get(of);
    if (ranged === undefined) {
      this.unknown(relation, of, columns.keys());
      return undefined;
    }
    const { base } = ranged.sort;
    const fits =
      aggregate === 'sum' ? ranged.isPosition !== true && (base === 'integer' || base === 'number') : base !== 'boolean' && base !== 'enum';
    if (fits) return ranged;
    this.tell('load/aggregate-type', `${this.nameOf(relation)}.${of} is ${sortName(ranged.sort)}, which has no ${aggregate}`);
    return undefined;
  }

  call(call: Call): Ranged | undefined {
    const definition = call[DEFINITION];
    if (definition === undefined) return undefined;
    if (call.args.length !== definition.input.length) {
      this.tell('load/call-type', `${call.call} takes ${definition.input.length} arguments, not ${call.args.length}`);
    }
    call.args.forEach((argument, index) => this.argument(call, argument, definition.input[index], index));
    const fault = schemaFault(definition.output, `${this.place}: what ${call.call} returns`);
    if (fault !== undefined) this.issues.push(fault);
    const sort = sortOf(definition.output);
    return sort === undefined ? undefined : { sort, schema: definition.output };
  }

  argument(call: Call, argument: Expression, input: z.ZodType | undefined, index: number): void {
    const ranged = this.expression(argument);
    if (input === undefined) return;
    const wrong = schemaFault(input, `${this.place}: argument ${index + 1} of ${call.call}`);
    if (wrong !== undefined) this.issues.push(wrong);
    const sort = sortOf(input);
    if (sort === undefined || ranged === undefined) return;
    const fault = this.meets({ sort, schema: input }, ranged);
    if (fault !== undefined) this.tell('load/call-type', `argument ${index + 1} of ${call.call} ${fault}`);
  }
}

/** A relation is read by many rules, and its columns do not change. */
function columnsByName(relation: Relation): ReadonlyMap<string, Ranged> {
  const known = columns.get(relation);
  if (known !== undefined) return known;
  const made = new Map(relation.columns.map((column) => [column.name, rangedOf(column)]));
  columns.set(relation, made);
  return made;
}
const columns = new WeakMap<Relation, ReadonlyMap<string, Ranged>>();

function rangedOf({ name, sort, schema, isReserved }: Column): Ranged {
  return isReserved && name === 'seq' ? { sort, schema, isPosition: true } : { sort, schema };
}

/** What a limit has counted, with the row that is judged: the author wrote no sum. */
function isLimit({ left }: Arithmetic): boolean {
  return 'aggregate' in left && left.relation.startsWith('exposure.');
}

function constantOf(constant: Value): Ranged {
  if (typeof constant === 'string') return { sort: { base: 'string' }, schema: z.string(), constant };
  if (typeof constant === 'boolean') return { sort: { base: 'boolean' }, schema: z.boolean(), constant };
  return Number.isInteger(constant) ? { ...INTEGER, constant } : { sort: { base: 'number' }, schema: z.number(), constant };
}

function bindingsIn(literal: Literal): Extract<Literal, { readonly kind: 'bind' }>[] {
  if (literal.kind === 'bind') return [literal];
  return literal.kind === 'and' || literal.kind === 'or' ? literal.literals.flatMap(bindingsIn) : [];
}

function variablesText(left: Expression, right: Expression): string {
  return 'var' in left && 'var' in right ? `: ${left.var} and ${right.var}` : '';
}
