/**
 * The language as the loader's tests use it: the builders without their types, since most programs here are wrong on purpose.
 *
 * Gives  every builder as `any`, so that a test can write what the compiler would refuse.
 * Never  hides a builder's own check: only types are gone.
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- a wrong program is what these tests are about, and types refuse it */
import * as aggregate from '../../dsl/aggregate.ts';
import * as declaration from '../../dsl/declaration.ts';
import * as decideModule from '../../dsl/decide.ts';
import * as fnModule from '../../dsl/fn.ts';
import * as literal from '../../dsl/literal.ts';
import * as ontology from '../../dsl/ontology.ts';
import * as programModule from '../../dsl/program.ts';
import * as ruleModule from '../../dsl/rule.ts';
import * as shape from '../../dsl/shape.ts';
import * as term from '../../dsl/term.ts';
import * as value from '../../dsl/value.ts';

const untyped: any = {
  ...aggregate,
  ...decideModule,
  ...declaration,
  ...fnModule,
  ...literal,
  ...ontology,
  ...programModule,
  ...ruleModule,
  ...shape,
  ...term,
  ...value,
};
export const { brand, countOf, maxOf, minOf, sumOf, decide, fn, always, and, eq, gt, gte, lt, lte, neq, not, oneOf, or }: any = untyped;
export const {
  defineOntology,
  program,
  together,
  capability,
  projection,
  reportKind,
  evidenceInvariant,
  invariant,
  rule,
  ruleset,
  keyed,
  recorded,
  minus,
  plus,
  times,
  vars,
  variable,
}: any = untyped;
