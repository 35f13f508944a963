/**
 * Naive evaluation: every rule over every row, again and again, stratum by stratum, until nothing is new.
 *
 * Reads  the rules of a book and a base model.
 * Gives  the model with all views and verdicts, and every instance of a rule that could not be computed.
 * Never  remembers anything between two evaluations.
 */
import type { Term } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import { completeRelationsOf, isFallible, isVariable, type Simple } from './body.ts';
import type { Book, Branch, Rule } from './book.ts';
import { isTooWide, type Environment } from './expression.ts';
import type { Model } from './model.ts';
import { blameOf, failures, instances, restsOn } from './solve.ts';

/** An instance of a rule that could not be computed. */
export interface Failure {
  readonly rule: string;
  readonly head: string;
  /** Of a deciding rule: the id of the row that it judges. */
  readonly judged?: string;
  readonly what: string;
  /** The evidence to blame. */
  readonly blame: ReadonlySet<string>;
}
export interface Derived {
  readonly model: Model;
  readonly failures: readonly Failure[];
}

export function derive(base: Model, book: Book): Derived {
  const model = base.copy();
  const failed: Failure[] = [];
  for (const rules of strataOf(book.rules)) {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const rule of rules) for (const branch of rule.branches) if (apply(rule, branch, model)) isNew = true;
    }
    for (const rule of rules) for (const branch of rule.branches) failed.push(...failuresOf(rule, branch, model));
  }
  return { model, failures: failed };
}

/** Rules in groups: what a rule reads under `not` or in an aggregate is complete before its group begins. */
export function strataOf(rules: readonly Rule[]): Rule[][] {
  const strata = new Map(rules.map((rule) => [rule.head.relation, 0]));
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const rule of rules) {
      for (const literal of rule.branches.flatMap((branch) => branch.body)) {
        for (const [relation, isComplete] of readsOf(literal)) {
          const least = (strata.get(relation) ?? -1) + (isComplete ? 1 : 0);
          if (least <= (strata.get(rule.head.relation) ?? 0)) continue;
          if (least > rules.length) throw new Error(`${rule.head.relation} depends on its own negation or aggregate`);
          strata.set(rule.head.relation, least);
          isSettled = false;
        }
      }
    }
  }
  const depth = Math.max(0, ...strata.values());
  return Array.from({ length: depth + 1 }, (_, stratum) => rules.filter((rule) => strata.get(rule.head.relation) === stratum));
}

function readsOf(literal: Simple): [string, boolean][] {
  const complete = completeRelationsOf(literal).map((relation): [string, boolean] => [relation, true]);
  return literal.kind === 'atom' ? [[literal.relation, false], ...complete] : complete;
}

function apply(rule: Rule, branch: Branch, model: Model): boolean {
  let isNew = false;
  for (const instance of instances(branch.body, model)) {
    if (tooWideIn(rule, instance.environment).length > 0) continue;
    const row = Object.fromEntries(
      Object.entries(rule.head.columns).map(([column, term]) => [column, valueOf(term, instance.environment)]),
    );
    // No value is wide here: that was asked just before.
    if (model.put(rule.head.relation, row as Row, restsOn(instance))) isNew = true;
  }
  return isNew;
}

function failuresOf(rule: Rule, branch: Branch, model: Model): Failure[] {
  const tell = (environment: Environment, what: readonly string[], blame: ReadonlySet<string>): Failure => {
    const judged = branch.id === undefined ? undefined : valueOf(branch.id, environment);
    const told = [...new Set(what)].sort().join('; ');
    return {
      rule: rule.id,
      head: rule.head.relation,
      what: told,
      blame,
      ...(rule.decides === undefined ? {} : { judged: String(judged) }),
    };
  };
  const broken = branch.body.some(isFallible) ? failures(branch.body, branch.judged, model) : [];
  const wide = instances(branch.body, model).flatMap((instance) => {
    const variables = tooWideIn(rule, instance.environment);
    const what = variables.map((variable) => `${String(instance.environment.get(variable))} is no safe integer`);
    return what.length === 0
      ? []
      : [
          tell(
            instance.environment,
            what,
            blameOf(
              variables.map((variable) => ({ var: variable })),
              instance,
              model,
            ),
          ),
        ];
  });
  return [...broken.map(({ instance, blame }) => tell(instance.environment, instance.what, blame)), ...wide];
}

/** Head variables whose value no column can hold. */
function tooWideIn(rule: Rule, environment: Environment): string[] {
  return Object.values(rule.head.columns).flatMap((term) => {
    const value = isVariable(term) ? environment.get(term.var) : undefined;
    return isVariable(term) && value !== undefined && isTooWide(value) ? [term.var] : [];
  });
}

function valueOf(term: Term, environment: Environment): unknown {
  return isVariable(term) ? environment.get(term.var) : term.const;
}
