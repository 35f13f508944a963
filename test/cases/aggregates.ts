/**
 * Aggregates over bindings become aggregates over rows: one helper relation for each, with every variable of its body as a column.
 *
 * Reads  neutral rules and the declared relations.
 * Gives  rules whose aggregates range over one atom, the helper relations, and the rules that fill them.
 * Never  drops a column: two bindings that differ anywhere are two rows, so each counts.
 */
import { withoutEqualities } from './equalities.ts';
import type { Aggregate, Atom, Literal, Relation, Rule, Term } from './neutral.ts';
import { boundIn, typeOf, typesOf, variablesIn, variablesOf } from './types.ts';

/** Over the rows of one atom: its variables are bound outside, everything else in it is a wildcard or a constant. */
export interface RowAggregate {
  readonly rows: { readonly fn: 'count' | 'sum' | 'min' | 'max'; readonly over: Atom; readonly of?: number; readonly result: Term };
}
export type FlatLiteral = Exclude<Literal, { readonly agg: Aggregate }> | RowAggregate;
export interface FlatRule {
  readonly head: Atom;
  readonly body: readonly FlatLiteral[];
}
export interface Flat {
  readonly rules: readonly FlatRule[];
  /** The helpers, apart from the program's own relations. */
  readonly helpers: readonly Relation[];
}

export function flatten(rules: readonly Rule[], relations: readonly Relation[]): Flat {
  const known = new Map(relations.map((relation) => [relation.name, relation]));
  const helpers: Relation[] = [];
  const flat: FlatRule[] = [];

  const flattenRule = (given: Rule) => {
    const rule = withoutEqualities(given);
    flat.push({ head: rule.head, body: rule.body.flatMap((literal) => ('agg' in literal ? overRows(literal, rule) : [literal])) });
  };

  const overRows = (literal: { readonly agg: Aggregate }, rule: Rule): readonly FlatLiteral[] => {
    const { fn, result } = literal.agg;
    const { over, of } = direct(literal, rule) ?? helper(literal, rule);
    if (fn !== 'mean') return [{ rows: { fn, over, result, ...(of === undefined ? {} : { of }) } }];
    const [sum, count] = [{ var: `sum_${helpers.length}_${flat.length}` }, { var: `count_${helpers.length}_${flat.length}` }];
    return [
      { rows: { fn: 'sum', over, result: sum, ...(of === undefined ? {} : { of }) } },
      { rows: { fn: 'count', over, result: count } },
      { cmp: '>', l: count, r: { const: 0 } },
      { cmp: '=', l: result, r: { fn: 'ratio', args: [sum, count] } },
    ];
  };

  const helper = (literal: { readonly agg: Aggregate }, rule: Rule): Over => {
    const { target, body } = literal.agg;
    const shared = sharedWith(rule, literal);
    const rows = [...binders(rule, literal, shared), ...withNamedWildcards(body)];
    const isColumn = target !== null && !('var' in target);
    const columns = [...new Set([...variablesIn(rows, false), ...(target === null || isColumn ? [] : variablesOf(target))])];
    const name = `rows ${helpers.length}`;
    const head = { rel: name, args: [...columns.map((column) => ({ var: column })), ...(isColumn ? [target] : [])] };
    const types = typesOf({ head, body: rows }, known);
    const relation = { name, args: head.args.map((term, i) => ({ name: `a${i}`, type: typeOf(term, types) ?? 'int' })) };
    helpers.push(relation);
    known.set(name, relation);
    flattenRule({ head, body: rows });
    const args = head.args.map((term): Term => ('var' in term && shared.has(term.var) ? term : { wild: true }));
    const of = target === null ? undefined : isColumn ? columns.length : columns.indexOf(variablesOf(target)[0] ?? '');
    return { over: { rel: name, args }, of };
  };

  rules.forEach(flattenRule);
  return { rules: flat, helpers };
}

interface Over {
  readonly over: Atom;
  readonly of: number | undefined;
}

/** One atom without repetitions and a column of it as the target needs no helper: its rows are the bindings. */
function direct(literal: { readonly agg: Aggregate }, rule: Rule): Over | undefined {
  const { target, body } = literal.agg;
  const [only] = body;
  if (body.length !== 1 || only === undefined || !('atom' in only) || only.neg === true) return undefined;
  const names = only.atom.args.flatMap(variablesOf);
  if (only.atom.args.some((term) => 'args' in term) || new Set(names).size < names.length) return undefined;
  const of = target === null ? undefined : only.atom.args.findIndex((term) => 'var' in term && 'var' in target && term.var === target.var);
  if (of === -1) return undefined;
  const shared = sharedWith(rule, literal);
  const args = only.atom.args.map((term): Term => ('var' in term && !shared.has(term.var) ? { wild: true } : term));
  return { over: { rel: only.atom.rel, args }, of };
}

/** The variables of an aggregate that the rule uses outside of it; a variable of two aggregates only is local to each. */
function sharedWith(rule: Rule, literal: { readonly agg: Aggregate }): ReadonlySet<string> {
  const outside = new Set([
    ...rule.head.args.flatMap(variablesOf),
    ...variablesOf(literal.agg.result),
    ...variablesIn(
      rule.body.filter((each) => each !== literal),
      false,
    ),
  ]);
  return new Set(variablesIn([literal], true).filter((name) => outside.has(name)));
}

/** Atoms of the rule that bind those shared variables which the aggregate's body only compares. */
function binders(rule: Rule, literal: { readonly agg: Aggregate }, shared: ReadonlySet<string>): readonly Literal[] {
  const bound = boundIn(literal.agg.body);
  const open = [...shared].filter((name) => !bound.has(name));
  return rule.body.flatMap((each): readonly Literal[] => {
    if (!('atom' in each) || each.neg === true || !each.atom.args.some((term) => 'var' in term && open.includes(term.var))) return [];
    // Only the open variables are wanted: another column of the outer row would multiply the bindings.
    const args = each.atom.args.map((term): Term => ('var' in term && !shared.has(term.var) ? { wild: true } : term));
    return [{ atom: { rel: each.atom.rel, args } }];
  });
}

/** In a positive atom `_` stands for each value once, so it is a column like any other. */
function withNamedWildcards(literals: readonly Literal[]): readonly Literal[] {
  let count = 0;
  const named = (term: Term): Term => ('wild' in term ? { var: `any_${count++}` } : term);
  return literals.map((literal) =>
    'atom' in literal && literal.neg !== true ? { atom: { rel: literal.atom.rel, args: literal.atom.args.map(named) } } : literal,
  );
}
