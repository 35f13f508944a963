/**
 * Equality that binds: `X = 3` and `X = Y` are carried out in the rule, where no atom binds the variable.
 *
 * Reads  one neutral rule.
 * Gives  the same rule with such variables replaced everywhere, also inside aggregates; comparisons of bound variables stay.
 * Never  replaces a variable by an expression: that is a binding, which the language has.
 */
import type { Literal, Rule, Term } from './neutral.ts';
import { boundIn } from './types.ts';

export function withoutEqualities(rule: Rule): Rule {
  const bound = boundIn(rule.body);
  const isFree = (term: Term): term is { readonly var: string } => 'var' in term && !bound.has(term.var);
  const isPlain = (term: Term) => 'var' in term || 'const' in term;
  for (const literal of rule.body) {
    if (!('cmp' in literal) || literal.cmp !== '=') continue;
    const [free, other] = isFree(literal.l) ? [literal.l, literal.r] : [literal.r, literal.l];
    if (!isFree(free) || !isPlain(other) || ('var' in other && other.var === free.var)) continue;
    const body = rule.body.filter((each) => each !== literal);
    // One at a time: what was free may be bound by what it was replaced with.
    return withoutEqualities(substitute({ head: rule.head, body }, free.var, other));
  }
  return rule;
}

function substitute(rule: Rule, name: string, by: Term): Rule {
  const term = (old: Term): Term => {
    if ('var' in old) return old.var === name ? by : old;
    return 'args' in old ? { ...old, args: old.args.map(term) } : old;
  };
  const literal = (old: Literal): Literal => {
    if ('atom' in old) return { ...old, atom: { ...old.atom, args: old.atom.args.map(term) } };
    if ('cmp' in old) return { ...old, l: term(old.l), r: term(old.r) };
    if ('test' in old) return { ...old, test: { ...old.test, args: old.test.args.map(term) } };
    const { fn, target, body, result } = old.agg;
    return { agg: { fn, target: target === null ? null : term(target), body: body.map(literal), result: term(result) } };
  };
  return { head: { ...rule.head, args: rule.head.args.map(term) }, body: rule.body.map(literal) };
}
