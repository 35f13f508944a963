/**
 * The instances of one conjunction: every way to make it hold, and every way in which it cannot be computed.
 *
 * Reads  a flat body and a model.
 * Gives  environments, each with the evidence that every literal rests on.
 * Never  uses an index; literals are taken as soon as their variables have values, which is quicker and changes nothing.
 */
import type { Atom, Expression, Value } from '../../dsl/ir.ts';
import { aggregatesIn, aggregatesOf, bindsOf, expressionsOf, isFallible, variablesOf, variablesOfExpression, type Simple } from './body.ts';
import { compared, compute, groupOf, type Computed, type Environment, type Wide } from './expression.ts';
import type { Model } from './model.ts';

export interface Instance {
  readonly environment: Environment;
  /** What each atom and each aggregate of the body matched, as the evidence it rests on. */
  readonly support: ReadonlyMap<Simple, readonly string[]>;
  /** In words, what could not be computed; empty where everything holds. */
  readonly what: readonly string[];
}
/** A literal that must hold, or one that must fail to be computed. */
interface Goal {
  readonly literal: Simple;
  readonly mustFail: boolean;
}

/** Every instance in which the whole body holds. */
export function instances(body: readonly Simple[], model: Model): Instance[] {
  return [
    ...solve(
      body.map((literal) => ({ literal, mustFail: false })),
      start,
      model,
    ),
  ];
}

/** Every instance that fails: some expressions cannot be computed, and every literal that does not need their values holds. */
export function failures(
  body: readonly Simple[],
  judged: Atom | undefined,
  model: Model,
): { readonly instance: Instance; readonly blame: Set<string> }[] {
  const fallible = body.filter(isFallible);
  return subsets(fallible).flatMap((failing) => {
    const needed = neededWhen(failing, body, fallible, judged);
    if (needed === undefined) return [];
    const goals = [...needed.map((literal) => ({ literal, mustFail: false })), ...failing.map((literal) => ({ literal, mustFail: true }))];
    const subjects = failing.flatMap(expressionsOf);
    return [...solve(goals, start, model)].map((instance) => ({ instance, blame: blameOf(subjects, instance, model) }));
  });
}

export function restsOn(instance: Instance): Set<string> {
  return new Set([...instance.support.values()].flat());
}

/** The evidence that gave the expressions their arguments; where none did, all that the instance rests on. */
export function blameOf(expressions: readonly Expression[], instance: Instance, model: Model): Set<string> {
  const blamed = new Set<string>();
  const seen = new Set<string>();
  const follow = (expression: Expression): void => {
    for (const aggregate of aggregatesIn(expression)) {
      for (const tuple of groupOf(aggregate, instance.environment, model)) for (const id of tuple.restsOn) blamed.add(id);
    }
    // What selects a group is no argument: only plain operands are followed.
    for (const variable of plainVariables(expression)) if (!seen.has(variable)) followVariable(variable);
  };
  const followVariable = (variable: string): void => {
    seen.add(variable);
    for (const [literal, ids] of instance.support) {
      if (!bindsOf(literal).includes(variable)) continue;
      if (literal.kind === 'bind') follow(literal.expression);
      else for (const id of ids) blamed.add(id);
    }
  };
  for (const expression of expressions) follow(expression);
  return blamed.size > 0 ? blamed : restsOn(instance);
}

function plainVariables(expression: Expression): string[] {
  if ('aggregate' in expression) return [];
  if ('arithmetic' in expression) return [...plainVariables(expression.left), ...plainVariables(expression.right)];
  return 'call' in expression ? expression.args.flatMap(plainVariables) : variablesOfExpression(expression);
}

const start: Instance = { environment: new Map(), support: new Map(), what: [] };

function* solve(goals: readonly Goal[], so: Instance, model: Model): Generator<Instance> {
  if (goals.length === 0) return yield so;
  const next = goals.find((goal) => isReady(goal, goals, so.environment)) ?? bestAtom(goals, so.environment);
  if (next === undefined) throw new Error(`a body that binds too little: ${JSON.stringify(goals.map((goal) => goal.literal))}`);
  const rest = goals.filter((goal) => goal !== next);
  for (const step of stepsOf(next, so, model)) yield* solve(rest, step, model);
}

/** A literal that binds nothing new and whose variables have values; a variable that nothing binds is a wildcard of its negated atom. */
function isReady(goal: Goal, goals: readonly Goal[], environment: Environment): boolean {
  const { literal } = goal;
  if (literal.kind === 'atom') return false;
  if (literal.kind === 'not' && literal.literal.kind === 'atom') {
    const others = new Set(goals.flatMap((other) => (other === goal ? [] : bindsOf(other.literal))));
    return variablesOf(literal).every((variable) => environment.has(variable) || !others.has(variable));
  }
  return expressionsOf(literal)
    .flatMap(variablesOfExpression)
    .every((variable) => environment.has(variable));
}

function bestAtom(goals: readonly Goal[], environment: Environment): Goal | undefined {
  const known = (goal: Goal) =>
    goal.literal.kind === 'atom'
      ? Object.values(goal.literal.columns).filter((term) => !('var' in term) || environment.has(term.var)).length
      : -1;
  return goals.filter((goal) => goal.literal.kind === 'atom').sort((left, right) => known(right) - known(left))[0];
}

function* stepsOf({ literal, mustFail }: Goal, so: Instance, model: Model): Generator<Instance> {
  if (literal.kind === 'atom') {
    for (const tuple of model.tuples(literal.relation)) {
      const environment = matched(literal, tuple.row, so.environment);
      if (environment !== undefined) yield { ...so, environment, support: new Map(so.support).set(literal, [...tuple.restsOn]) };
    }
    return;
  }
  const support = new Map(so.support).set(literal, groundsOf(literal, so.environment, model));
  if (mustFail) {
    const what = failureOf(literal, so.environment, model);
    if (what !== undefined) yield { ...so, support, what: [...so.what, what] };
    return;
  }
  if (literal.kind === 'bind') {
    const result = compute(literal.expression, so.environment, model);
    const known = so.environment.get(literal.variable);
    if (result.is !== 'value' || (known !== undefined && known !== result.value)) return;
    return yield { ...so, support, environment: new Map(so.environment).set(literal.variable, result.value) };
  }
  if (holds(literal, so.environment, model)) yield { ...so, support };
}

function matched(atom: Atom, row: Readonly<Record<string, Value>>, environment: Environment): Environment | undefined {
  const extended = new Map<string, Wide>(environment);
  for (const [column, term] of Object.entries(atom.columns)) {
    const value = Object.hasOwn(row, column) ? row[column] : undefined;
    if (value === undefined) return undefined;
    const wanted = 'var' in term ? extended.get(term.var) : term.const;
    if (wanted === undefined && 'var' in term) extended.set(term.var, value);
    else if (wanted !== value) return undefined;
  }
  return extended;
}

function holds(literal: Exclude<Simple, { readonly kind: 'atom' | 'bind' }>, environment: Environment, model: Model): boolean {
  if (literal.kind !== 'not') return compared(literal, environment, model) === true;
  const negated = literal.literal;
  if (negated.kind !== 'atom') return compared(negated, environment, model) === false;
  return model.tuples(negated.relation).every((tuple) => matched(negated, tuple.row, environment) === undefined);
}

function failureOf(literal: Simple, environment: Environment, model: Model): string | undefined {
  const told = (result: boolean | Computed) => (typeof result === 'object' && result.is === 'failed' ? result.what : undefined);
  if (literal.kind === 'bind') return told(compute(literal.expression, environment, model));
  const test = literal.kind === 'not' ? literal.literal : literal;
  return test.kind === 'atom' ? undefined : told(compared(test, environment, model));
}

function groundsOf(literal: Simple, environment: Environment, model: Model): string[] {
  return aggregatesOf(literal).flatMap((aggregate) => groupOf(aggregate, environment, model).flatMap((tuple) => [...tuple.restsOn]));
}

function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((all, item) => [...all, ...all.map((one) => [...one, item])], [[]]).slice(1);
}

/**
 * The literals that must hold although these fail. A failing binding's output has no value, unless an atom binds it apart from every
 * fallible binding; what mentions such a variable is not needed, and what only unneeded literals bind has no value either.
 * Undefined where a failing expression waits for the output of another one, whose failure is told by itself.
 */
function neededWhen(
  failing: readonly Simple[],
  body: readonly Simple[],
  fallible: readonly Simple[],
  judged: Atom | undefined,
): Simple[] | undefined {
  const outputs = new Set(fallible.flatMap(bindsOf));
  const atoms = body.filter((literal) => literal.kind === 'atom');
  const apart = atoms.filter((atom) => atom === judged || !bindsOf(atom).some((variable) => outputs.has(variable)));
  const args = failing.flatMap(expressionsOf).flatMap(variablesOfExpression);
  for (const ground of [apart, atoms]) {
    const { needed, valueless } = settle(failing, body, new Set<Simple>(ground));
    if (!args.some((variable) => valueless.has(variable))) return needed;
  }
  return undefined;
}

function settle(
  failing: readonly Simple[],
  body: readonly Simple[],
  ground: ReadonlySet<Simple>,
): { needed: Simple[]; valueless: Set<string> } {
  const groundBinds = new Set([...ground].flatMap(bindsOf));
  const valueless = new Set(failing.flatMap(bindsOf).filter((variable) => !groundBinds.has(variable)));
  let needed = body.filter((literal) => !failing.includes(literal));
  for (let size = -1; size !== valueless.size;) {
    size = valueless.size;
    needed = needed.filter((literal) => ground.has(literal) || !variablesOf(literal).some((variable) => valueless.has(variable)));
    const stillBound = new Set(needed.flatMap(bindsOf));
    for (const variable of body.flatMap(bindsOf)) if (!stillBound.has(variable)) valueless.add(variable);
  }
  return { needed, valueless };
}
