/**
 * A program with one of its parts left out: every rule, and every clause of a decide, one after the other.
 *
 * Reads  a program's representation, which is plain data.
 * Gives  the name of each part, with the program that lacks it.
 * Never  leaves out what is no part of a policy: a declaration, or the end of a decide.
 */
import { carry } from '../../../dsl/carry.ts';
import { irOf, type DecideIR, type ProgramIR, type RulesetIR } from '../../../dsl/ir.ts';
import type { Program } from '../../../src/index.ts';

export function mutants(program: Program): readonly (readonly [part: string, mutant: Program])[] {
  const ir = irOf(program) as ProgramIR;
  return ir.rules.flatMap((group, index) => {
    const put = (part: string, changed: RulesetIR | DecideIR) =>
      [part, carry<Program>({ ...program }, { ...ir, rules: ir.rules.with(index, changed) })] as const;
    if (group.kind === 'ruleset') {
      return Object.keys(group.rules).map((key) => {
        const { [key]: _dropped, ...rules } = group.rules;
        return put(`${group.name}.${key}`, { ...group, rules });
      });
    }
    if (group.kind !== 'decide') return [];
    return group.clauses.map((clause, at) =>
      put(`${group.name}: ${clause.clause} ${at + 1}`, { ...group, clauses: group.clauses.toSpliced(at, 1) }),
    );
  });
}
