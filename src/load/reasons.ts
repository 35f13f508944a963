/**
 * Reasons: what a person or a model reads of a decision says something.
 *
 * Reads  the clauses of decisions, the heads of verdicts by hand, and the names of invariants.
 * Gives  an issue for each that holds nothing to be read.
 * Never  judges words: that a reason is true is for its author.
 */
import type { InvariantIR } from '../../dsl/ir.ts';
import { issue, type Issue } from '../../dsl/issue.ts';
import { describe } from '../../dsl/value.ts';
import type { Authored } from './authored.ts';
import type { Decide } from './clauses.ts';

export function reasonIssues(authored: readonly Authored[], decides: readonly Decide[], invariants: readonly InvariantIR[]): Issue[] {
  const said = [
    ...decides.flatMap(({ ir, clauses }) => [
      ...clauses.map((clause) => ({ place: `decide ${ir.name}: ${clause.ir.clause}`, text: clause.ir.reason })),
      ...(ir.unconditional === undefined ? [] : [{ place: `decide ${ir.name}: why it is unconditional`, text: ir.unconditional }]),
    ]),
    ...authored.flatMap(({ place, role, head }) => {
      const reason = role === 'rule' && head?.relation.startsWith('decision.') === true ? head.columns['reason'] : undefined;
      return reason !== undefined && 'const' in reason ? [{ place: `${place}: reason`, text: String(reason.const) }] : [];
    }),
    ...invariants.map(({ name }) => ({ place: 'invariant', text: name })),
  ];
  return said.flatMap(({ place, text }) =>
    VISIBLE.test(text) ? [] : [issue('load/no-reason', `${place}: ${describe(text)} says nothing`)],
  );
}

/**
 * A letter, a digit or a sign that draws something: no space, no mark alone, and none of the letters and signs that are blank by
 * definition. Unicode lists most of those as ignorable; the empty Braille cell and the null notehead stand beside the list.
 */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;
