import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Expression, Literal, Term, Value } from '../../dsl/ir.ts';
import { sortOf, type Sort } from '../../dsl/value.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Lowered, LoweredRule, Relation } from '../../src/load/lowered.ts';
import { plan } from '../../src/load/plan.ts';
import { distinct, naive, type Rows } from './naive.ts';

const BASES = ['observation.a', 'observation.b'];
const VIEWS = ['fact.p', 'fact.q', 'fact.r', 'fact.s'];
const int = z.int();
const relation = (name: string): Relation => ({
  name,
  life: name.startsWith('fact') ? 'view' : 'report',
  columns: ['x', 'y'].map((column) => ({ name: column, sort: sortOf(int) as Sort, schema: int, isReserved: false })),
});
const lowered = (rules: readonly LoweredRule[]): Lowered => ({
  name: 'test',
  digest: '',
  relations: new Map([...BASES, ...VIEWS].map((name) => [name, relation(name)])),
  sources: new Map(),
  intents: new Map(),
  rules,
  queries: new Map(),
  invariants: [],
  groups: [],
  declarations: [],
  functions: new Map(),
  scope: { session: z.string(), actor: z.string() },
});

const variable = fc.constantFrom('u', 'v', 'w');
const term: fc.Arbitrary<Term> = fc.oneof(
  { weight: 4, arbitrary: variable.map((name) => ({ var: name })) },
  { weight: 1, arbitrary: fc.nat(3).map((n) => ({ const: n })) },
);
const columns = fc.record({ x: term, y: term }, { requiredKeys: [] });
const atom = (names: readonly string[]) => fc.record({ kind: fc.constant('atom' as const), relation: fc.constantFrom(...names), columns });

/** A safe rule for the n-th view: it reads any view up to its own positively, and lower ones under negation and in aggregates. */
function ruleFor(n: number): fc.Arbitrary<LoweredRule> {
  const lower = [...BASES, ...VIEWS.slice(0, n)];
  // Views 1 and 2 may read each other, so that cycles of two are among the programs.
  const positive = [...lower, VIEWS[n] as string, ...(n === 1 ? [VIEWS[2] as string] : [])];
  const strictly = n === 2 ? [...BASES, VIEWS[0] as string] : lower;
  const aggregate = fc
    .record({
      aggregate: fc.constantFrom('count', 'sum', 'min', 'max'),
      relation: fc.constantFrom(...strictly),
      per: fc.constantFrom('x', 'y', 'none'),
    })
    .map(({ aggregate: name, relation: source, per }): Literal => {
      const of = name === 'count' ? {} : { of: 'y' };
      const expression = { aggregate: name, relation: source, ...of, per: per === 'none' ? {} : { [per]: { var: 'u' } } } as Expression;
      return { kind: 'bind', variable: 'm', expression };
    });
  return fc
    .record({
      atoms: fc.array(atom(positive), { minLength: 1, maxLength: 3 }),
      negated: fc.array(atom(strictly), { maxLength: 1 }),
      aggregates: fc.array(aggregate, { maxLength: 1 }),
      isGreater: fc.boolean(),
      head: fc.tuple(term, term),
    })
    .map(({ atoms, negated, aggregates, isGreater, head }) => {
      const bound = new Set(atoms.flatMap((one) => Object.values(one.columns).flatMap((t) => ('var' in t ? [t.var] : []))));
      const safe = (t: Term): Term => ('const' in t || bound.has(t.var) ? t : { const: 1 });
      const usable = aggregates.filter(
        (literal) => bound.has('u') || literal.kind !== 'bind' || !JSON.stringify(literal.expression).includes('"var"'),
      );
      const hasAggregate = usable.length > 0;
      const body: Literal[] = [
        ...usable,
        ...negated.map((one): Literal => ({
          kind: 'not',
          literal: { ...one, columns: Object.fromEntries(Object.entries(one.columns).map(([c, t]) => [c, safe(t)])) },
        })),
        ...atoms,
        ...(isGreater && bound.has('u')
          ? [{ kind: 'comparison', comparison: 'gt', left: { var: 'u' }, right: { const: 0 } } as const]
          : []),
      ];
      const values = { x: safe(head[0]), y: hasAggregate && n !== 1 && n !== 2 ? { var: 'm' } : safe(head[1]) };
      return { id: `rule.${n}`, head: { relation: VIEWS[n] as string, columns: values }, body };
    });
}
const program = fc
  .tuple(...[0, 1, 2, 3].flatMap((n) => [ruleFor(n), ruleFor(n)]))
  .map((rules) => lowered(rules.map((rule, i) => ({ ...rule, id: `${rule.id}.${i}` }))));
const STRATA = [['fact.p'], ['fact.q', 'fact.r'], ['fact.s']];

const row = fc.tuple(fc.constantFrom(...BASES), fc.nat(3), fc.nat(3));
const history = fc.array(fc.array(row, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

const sorted = (rows: Iterable<readonly Value[]>) => [...rows].map((one) => JSON.stringify(one)).sort();

describe('the engine', () => {
  test('R46 R58 agrees with a naive evaluation after every change, whatever came and went', () => {
    fc.assert(
      fc.property(program, history, (given, batches) => {
        const planned = plan(given);
        const engine = new Engine(planned);
        const table = (name: string) => planned.tableOf.get(name) as number;
        const base: Rows = new Map(BASES.map((name) => [name, []]));
        const seen = new Map(VIEWS.map((name) => [name, new Set<string>()]));
        engine.settle();
        for (const batch of batches) {
          for (const [name, x, y] of batch) {
            const rows = base.get(name) as Value[][];
            const at = rows.findIndex((one) => one[0] === x && one[1] === y);
            // A row that is there goes, one that is not comes: histories withdraw about half of what they bring.
            if (at >= 0) rows.splice(at, 1);
            else rows.push([x, y]);
            engine.change(table(name), [x, y], at >= 0 ? -1 : 1);
          }
          const changes = engine.settle();
          const expected = naive(given, base, STRATA);
          for (const name of VIEWS) {
            const rows = sorted(distinct(expected.get(name) ?? []));
            expect(sorted(engine.rows(table(name)))).toEqual(rows);
            // The difference, applied to what was, gives what is.
            const known = seen.get(name) as Set<string>;
            for (const change of changes.filter((one) => one.table === table(name))) {
              expect(known.has(JSON.stringify(change.row))).toBe(change.sign < 0);
              if (change.sign > 0) known.add(JSON.stringify(change.row));
              else known.delete(JSON.stringify(change.row));
            }
            expect([...known].sort()).toEqual(rows);
          }
        }
        engine.rebuild();
        const expected = naive(given, base, STRATA);
        for (const name of VIEWS) expect(sorted(engine.rows(table(name)))).toEqual(sorted(distinct(expected.get(name) ?? [])));
      }),
      { numRuns: 400 },
    );
  });
});
