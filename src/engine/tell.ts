/**
 * Tells a step of a rule in its author's words: the variables by name, and the same with the values that they had.
 *
 * Reads  the slots of one instance.
 * Gives  premises as data, with texts such as `done + amount > perDay` and `80 + 80 > 100`.
 * Never  computes anything.
 */
import type { ComparisonName, Value } from '../../dsl/ir.ts';
import {
  COMPARISONS,
  OPERATORS,
  toldName,
  type Aggregation,
  type Argument,
  type Computation,
  type Plan,
  type RulePlan,
  type Step,
} from '../load/load.ts';
import type { TableId, Test } from '../load/load.ts';
import type { Wide } from './dictionary.ts';

/** An instance of a rule, or how far the search for one came: the values by slot, undefined where none was found. */
export interface Because {
  readonly plan: Plan;
  readonly rule: RulePlan;
  readonly values: readonly (Wide | undefined)[];
  /** Of no instance: the steps that were tried, in order. The last one held for nothing, or was one too many to try. */
  readonly tried?: readonly number[];
  readonly gaveUp?: true;
}

/**
 * One step of a rule with values in it. Columns and sides that have no value are left out.
 *
 * Shape   relations by the plan's names, generated ones among them. `holds`, `row` and `now` say how it is now; of a rule of another
 *         program they are left out.
 */
export type Premise = { readonly holds?: boolean } & (
  | { readonly is: 'row'; readonly relation: string; readonly columns: Row; readonly row?: readonly Value[] }
  | { readonly is: 'absent'; readonly relation: string; readonly columns: Row }
  | {
      readonly is: 'counted';
      readonly aggregate: string;
      readonly relation: string;
      readonly of?: string;
      readonly per: Row;
      readonly value?: Wide;
      readonly now?: Wide;
    }
  /** `instead` is what is so where it does not hold, and `pass` what would hold in its place. */
  | {
      readonly is: 'compared' | 'computed';
      readonly text: string;
      readonly values: string;
      readonly instead?: string;
      readonly pass?: string;
    }
  | { readonly is: 'failed'; readonly text: string }
);
type Row = Readonly<Record<string, Value>>;

type Mode = 'names' | 'values';

export class Teller {
  readonly #plan: Plan;
  readonly #rule: RulePlan;
  readonly #values: readonly (Wide | undefined)[];

  constructor({ plan, rule, values }: Because) {
    this.#plan = plan;
    this.#rule = rule;
    this.#values = values;
  }

  value(slot: number): Wide | undefined {
    return this.#values[slot];
  }

  /** Whether the argument has a value. */
  has(arg: Argument): boolean {
    return 'constant' in arg || ('slot' in arg && this.#values[arg.slot] !== undefined);
  }

  premise(step: Step): Premise {
    switch (step.step) {
      case 'scan':
        return { is: 'row', relation: this.#name(step.table), columns: this.columns(step.table, step.args) };
      case 'absent': {
        const source = this.#plan.tables[step.table]?.projects ?? step.table;
        return { is: 'absent', relation: this.#name(source), columns: this.columns(step.table, step.args) };
      }
      case 'group': {
        const { aggregate, source, group, of } = this.#plan.aggregations[step.aggregation] as Aggregation;
        const { columns = [] } = this.#plan.tables[source] ?? {};
        const value = this.#values[step.out];
        return {
          is: 'counted',
          aggregate,
          relation: this.#name(source),
          ...(of === undefined ? {} : { of: columns[of] ?? '' }),
          per: Object.fromEntries(group.flatMap((column, i) => this.named(columns[column] ?? '', step.args[i] as Argument))),
          ...(value === undefined ? {} : { value }),
        };
      }
      case 'compute':
        return {
          is: 'computed',
          text: cutTo(textLengthMax, `${this.slot(step.out, 'names')} = ${this.computation(step.computation, 'names')}`),
          values: this.equation(this.slot(step.out, 'values'), step.computation),
        };
      case 'test':
        return {
          is: 'compared',
          text: this.test(step.test, step.isNegated, 'names'),
          values: this.test(step.test, step.isNegated, 'values'),
        };
      case 'fails':
      case 'overflows':
        return { is: 'failed', text: String(this.#values[step.out] ?? '') };
    }
  }

  /** As `premise`, of a comparison that did not hold with what was so. */
  asItWas(step: Step, isFailing: boolean): Premise {
    const isTest = step.step === 'test' && isFailing;
    return { ...this.premise(step), ...(isTest ? { instead: this.test(step.test, !step.isNegated, 'values') } : {}) };
  }

  #name(table: TableId): string {
    return this.#plan.tables[table]?.name ?? '';
  }

  /** The columns of an atom that have a value, by name. */
  columns(table: TableId, args: readonly Argument[]): Readonly<Record<string, Value>> {
    const { columns = [] } = this.#plan.tables[table] ?? {};
    return Object.fromEntries(args.flatMap((arg, i) => this.named(columns[i] ?? '', arg)));
  }

  named(column: string, arg: Argument): readonly (readonly [string, Value])[] {
    const value = 'constant' in arg ? arg.constant : 'slot' in arg ? this.#values[arg.slot] : undefined;
    return value === undefined ? [] : [[column, plain(value)]];
  }

  /** A slot by its variable, or by the aggregate that fills it. */
  slot(slot: number, mode: Mode): string {
    const value = this.#values[slot];
    if (mode === 'values' && value !== undefined) return valueText(value);
    const group = this.#rule.told.steps.find(
      (step): step is Step & { readonly step: 'group' } => step.step === 'group' && step.out === slot,
    );
    if (group === undefined) return (this.#rule.slots[slot] ?? '').replace(/^[$?]/, '');
    const aggregation = this.#plan.aggregations[group.aggregation];
    const { name = '', columns = [] } = this.#plan.tables[aggregation?.source ?? -1] ?? {};
    const of = aggregation?.of === undefined ? '' : `.${columns[aggregation.of] ?? ''}`;
    return `${aggregation?.aggregate ?? ''}(${toldName(name, this.#plan)}${of})`;
  }

  equation(result: string, computation: Computation): string {
    return cutTo(textLengthMax, `${result} = ${this.computation(computation, 'values')}`);
  }

  computation(computation: Computation, mode: Mode): string {
    if ('slot' in computation) return this.slot(computation.slot, mode);
    if ('constant' in computation) return valueText(computation.constant);
    if ('operator' in computation)
      return `${this.#operand(computation.left, mode)} ${OPERATORS[computation.operator]} ${this.#operand(computation.right, mode)}`;
    return `${computation.definition.name}(${computation.args.map((arg) => this.computation(arg, mode)).join(', ')})`;
  }

  test(test: Test, isNegated: boolean, mode: Mode): string {
    return cutTo(textLengthMax, this.#test(test, isNegated, mode));
  }

  #test(test: Test, isNegated: boolean, mode: Mode): string {
    if (test.test === 'oneOf') {
      const is = isNegated ? 'is not one of' : 'is one of';
      const more = test.members.length > membersToldMax ? ` and ${test.members.length - membersToldMax} more` : '';
      return `${this.computation(test.value, mode)} ${is} ${test.members.slice(0, membersToldMax).map(valueText).join(', ')}${more}`;
    }
    const comparison = isNegated ? OPPOSITES[test.comparison] : test.comparison;
    return `${this.computation(test.left, mode)} ${COMPARISONS[comparison]} ${this.computation(test.right, mode)}`;
  }

  #operand(computation: Computation, mode: Mode): string {
    const text = this.computation(computation, mode);
    return 'operator' in computation ? `(${text})` : text;
  }
}

/** The longest text of a value, and of a premise or a reason, in characters of their own. */
export const valueLengthMax = 200;
export const textLengthMax = 2_000;
/** Members of a `oneOf` that are told one by one. */
const membersToldMax = 20;

/** A value as a text of one line. */
export function valueText(value: Wide): string {
  if (typeof value !== 'string') return String(value);
  const cut = value.slice(0, valueLengthMax);
  return `"${plainText(cut.replace(/["\\]/g, '\\$&'))}"${lengthText(value, cut)}`;
}

/** What somebody wrote, as a text of one line. */
export function lineText(text: string): string {
  return plainText(cutTo(textLengthMax, text));
}

function cutTo(length: number, text: string): string {
  const cut = text.slice(0, length);
  return cut + lengthText(text, cut);
}

function lengthText({ length }: string, cut: string): string {
  return cut.length < length ? `... (${length} characters)` : '';
}

/** What would begin a line, turn its direction, hide in it or command a terminal is written out: no value fakes a line of a proof. */
function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A value that a column and JSON can hold. */
export function plain(value: Wide): Value {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}

const OPPOSITES: Readonly<Record<ComparisonName, ComparisonName>> = { eq: 'neq', neq: 'eq', gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' };
