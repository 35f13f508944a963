/**
 * Every small program: all sets of up to so many rules, with all bodies of up to so many atoms, over two views and one base relation.
 *
 * Gives  the programs one by one, each as a value of the language and as text for an answer-set solver.
 * Never  samples: what is small enough to be enumerated is enumerated, recursion and negation among it.
 */
import * as z from 'zod';
import { not, type AnyLit } from '../../dsl/literal.ts';
import { defineOntology } from '../../dsl/ontology.ts';
import { program, type Program } from '../../dsl/program.ts';
import { rule, ruleset, type Rule } from '../../dsl/rule.ts';
import { vars } from '../../dsl/term.ts';

export type View = 'p' | 'q';
type Name = 'x' | 'y';
/** `edge(x, y)` or `p(x)`, or the negation of one. */
export interface SmallAtom {
  readonly relation: 'edge' | View;
  readonly terms: readonly Name[];
  readonly isNegated: boolean;
}
/** The head is the view of `x`. */
export interface SmallRule {
  readonly head: View;
  readonly body: readonly SmallAtom[];
}
export type SmallProgram = readonly SmallRule[];
/** Edges between small numbers. */
export type Edges = readonly (readonly [from: number, to: number])[];

export const small = defineOntology({
  observation: { edge: { from: z.int(), to: z.int() } },
  fact: { p: { at: z.int() }, q: { at: z.int() } },
});
const { x, y } = vars({ x: z.int(), y: z.int() });

/** All programs of one to `rulesMax` different rules whose bodies have one to `atomsMax` different atoms and bind what they use. */
export function* smallPrograms(rulesMax: number, atomsMax: number): Generator<SmallProgram> {
  const rules = (['p', 'q'] as const).flatMap((head) => bodies(atomsMax).map((body): SmallRule => ({ head, body })));
  yield* combinations(rules, rulesMax);
}

/** Safe bodies: `x`, and whatever a negated atom names, stands in a positive one. */
export function bodies(atomsMax: number): SmallAtom[][] {
  const edges = (
    [
      ['x', 'y'],
      ['y', 'x'],
      ['x', 'x'],
    ] as const
  ).map((terms) => ({ relation: 'edge' as const, terms }));
  const views = (['p', 'q'] as const).flatMap((relation) => (['x', 'y'] as const).map((term) => ({ relation, terms: [term] })));
  const atoms = [false, true].flatMap((isNegated) => [...edges, ...views].map((atom): SmallAtom => ({ ...atom, isNegated })));
  return [...combinations(atoms, atomsMax)].filter((body) => {
    const bound = new Set(body.filter((atom) => !atom.isNegated).flatMap((atom) => atom.terms));
    return bound.has('x') && body.every((atom) => atom.terms.every((term) => bound.has(term)));
  });
}

/** Whether a view depends on its own negation. Found by walking, so that what is refused is judged by a second opinion too. */
export function isStratified(rules: SmallProgram): boolean {
  const uses = (head: View, isOnlyNegated: boolean): Set<View> =>
    new Set(
      rules
        .filter((one) => one.head === head)
        .flatMap(({ body }) =>
          body.flatMap((atom) => (atom.relation !== 'edge' && (atom.isNegated || !isOnlyNegated) ? [atom.relation] : [])),
        ),
    );
  const reaches = (from: View): Set<View> => {
    const reached = new Set([from]);
    for (const view of reached) for (const next of uses(view, false)) reached.add(next);
    return reached;
  };
  return (['p', 'q'] as const).every((head) => [...uses(head, true)].every((view) => !reaches(view).has(head)));
}

export function programOfRules(rules: SmallProgram): Program {
  const named = rules.map((one, index): [string, Rule] => [`r${index}`, ruleOf(one)]);
  return program({ name: 'small', ontologies: [small], rules: [ruleset('small', Object.fromEntries(named))] });
}

/** The program in the solver's words; `suffix` keeps the views of programs apart that are solved in one go. */
export function solverText(rules: SmallProgram, suffix: string): string {
  const name = (relation: string) => (relation === 'edge' ? 'edge' : `${relation}${suffix}`);
  const text = ({ relation, terms, isNegated }: SmallAtom) =>
    `${isNegated ? 'not ' : ''}${name(relation)}(${terms.join(',').toUpperCase()})`;
  return rules.map(({ head, body }) => `${name(head)}(X) :- ${body.map(text).join(', ')}.`).join('\n');
}

export function edgeText(edges: Edges): string {
  return edges.map(([from, to]) => `edge(${from},${to}).`).join(' ');
}

function ruleOf({ head, body }: SmallRule): Rule {
  const terms = { x, y };
  const literals = body.map(({ relation, terms: names, isNegated }): AnyLit => {
    const [first, second] = names.map((name) => terms[name]);
    // An edge names two variables and a view names one.
    const atom =
      relation === 'edge' ? small.observation.edge({ from: first ?? x, to: second ?? x }) : small.fact[relation]({ at: first ?? x });
    return isNegated ? not(atom) : atom;
  });
  // Which atoms stand in the body is not known to the compiler, so it cannot see that the law holds; the loader can.
  return (rule(small.fact[head]({ at: x })).when as (...body: readonly AnyLit[]) => Rule)(...literals);
}

/** All sets of one to `sizeMax` different items, smaller ones first. */
function* combinations<T>(items: readonly T[], sizeMax: number, from = 0): Generator<T[]> {
  for (let size = 1; size <= sizeMax; size++) yield* ofSize(items, size, from);
}

function* ofSize<T>(items: readonly T[], size: number, from: number): Generator<T[]> {
  if (size === 0) return yield [];
  for (let index = from; index < items.length; index++) {
    for (const rest of ofSize(items, size - 1, index + 1)) yield [items[index] as T, ...rest];
  }
}
