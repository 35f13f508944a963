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

/** A letter, a digit, a mark or a sign: no space, and nothing that cannot be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
