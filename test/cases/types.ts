/**
 * The types of a neutral rule's variables and terms: from the columns they stand in, then through equalities.
 *
 * Reads  one rule and the declared relations.
 * Gives  a type for every variable that some column, aggregate or equality determines, and for any term.
 * Never  refuses: a variable with two types keeps the first, and the loader finds the second.
 */
import type { FlatRule, RowAggregate } from './aggregates.ts';
import { isFloat, type Literal, type Relation, type Rule, type Term, type Type } from './neutral.ts';

export type Types = Map<string, Type>;
export type Relations = ReadonlyMap<string, Relation>;

export function typesOf(rule: Rule | FlatRule, relations: Relations): Types {
  const types: Types = new Map();
  const note = (term: Term, type: Type | undefined) => {
    if ('var' in term && type !== undefined && !types.has(term.var)) types.set(term.var, type);
  };
  const columns = (literals: (Rule | FlatRule)['body']) => {
    for (const literal of literals) {
      const atom = 'atom' in literal ? literal.atom : 'rows' in literal ? literal.rows.over : undefined;
      atom?.args.forEach((term, i) => note(term, relations.get(atom.rel)?.args[i]?.type));
      if ('agg' in literal) columns(literal.agg.body);
    }
  };
  columns(rule.body);
  // Equalities may stand in any order, so one pass for each is enough.
  for (let passes = rule.body.length; passes > 0; passes--) {
    for (const literal of rule.body) {
      if ('cmp' in literal && literal.cmp === '=') {
        note(literal.l, typeOf(literal.r, types));
        note(literal.r, typeOf(literal.l, types));
      }
      if ('agg' in literal) note(literal.agg.result, resultType(literal.agg, types));
      if ('rows' in literal) note(literal.rows.result, resultTypeOverRows(literal, relations));
    }
  }
  return types;
}

/** Undefined for a wildcard and for a variable that nothing determines. */
export function typeOf(term: Term, types: Types): Type | undefined {
  if ('const' in term) return isFloat(term.const) ? 'float' : typeof term.const === 'string' ? 'string' : 'int';
  if ('var' in term) return types.get(term.var);
  if ('wild' in term) return undefined;
  if ('fn' in term && ['concat', 'to_string', 'substr'].includes(term.fn)) return 'string';
  if ('fn' in term && ['strlen', 'to_number'].includes(term.fn)) return 'int';
  if ('fn' in term && term.fn === 'ratio') return 'float';
  // An integer and a float have no sum of their own: it counts as one of integers, which the loader then refuses.
  return term.args.every((arg) => typeOf(arg, types) === 'float') ? 'float' : 'int';
}

function resultType(aggregate: { readonly fn: string; readonly target: Term | null }, types: Types): Type | undefined {
  if (aggregate.fn === 'count') return 'int';
  if (aggregate.fn === 'mean') return 'float';
  return aggregate.target === null ? undefined : typeOf(aggregate.target, types);
}

function resultTypeOverRows({ rows: { fn, over, of } }: RowAggregate, relations: Relations): Type | undefined {
  return fn === 'count' || of === undefined ? 'int' : relations.get(over.rel)?.args[of]?.type;
}

/** The names of all variables of a term, in order. */
export function variablesOf(term: Term): readonly string[] {
  if ('var' in term) return [term.var];
  return 'args' in term ? term.args.flatMap(variablesOf) : [];
}

/** The names of all variables of literals; those inside an aggregate's body only with `inside`. */
export function variablesIn(literals: readonly Literal[], inside: boolean): readonly string[] {
  return literals.flatMap((literal) => {
    if ('atom' in literal) return literal.atom.args.flatMap(variablesOf);
    if ('cmp' in literal) return [...variablesOf(literal.l), ...variablesOf(literal.r)];
    if ('test' in literal) return literal.test.args.flatMap(variablesOf);
    const { target, body, result } = literal.agg;
    return [...variablesOf(result), ...(inside ? [...(target === null ? [] : variablesOf(target)), ...variablesIn(body, true)] : [])];
  });
}

/** Variables that stand bare in a positive atom, or that an aggregate gives. */
export function boundIn(literals: readonly Literal[]): ReadonlySet<string> {
  const bare = (term: Term) => ('var' in term ? [term.var] : []);
  return new Set(
    literals.flatMap((literal) => {
      if ('atom' in literal) return literal.neg === true ? [] : literal.atom.args.flatMap(bare);
      return 'agg' in literal ? bare(literal.agg.result) : [];
    }),
  );
}
