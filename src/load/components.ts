/**
 * Components: tables that are derived together, in an order in which each finds its inputs done.
 *
 * Reads  rules with numbered tables.
 * Gives  Tarjan's strongly connected components, inputs first.
 * Never  judges: that no cycle passes a negation or an aggregate was checked with names, where the cycle can be printed.
 */
import type { Component, RulePlan } from './plan.ts';
import type { Step } from './steps.ts';
import type { Book, TableId } from './tables.ts';

export function componentsOf(rules: readonly RulePlan[], book: Book): Component[] {
  const byHead = new Map<TableId, RulePlan[]>();
  for (const rule of rules) {
    const known = byHead.get(rule.head);
    if (known === undefined) byHead.set(rule.head, [rule]);
    else known.push(rule);
  }
  const armed = new Map(rules.flatMap((rule) => (rule.arms === undefined ? [] : [[rule.arms, rule.head] as const])));
  const own = (table: TableId) => byHead.get(table) ?? [];
  const inputsOf = new Map<TableId, readonly TableId[]>();
  const inputs = (table: TableId): readonly TableId[] => {
    const known = inputsOf.get(table);
    if (known !== undefined) return known;
    const found = new Set<TableId>();
    for (const rule of own(table)) {
      for (const step of rule.steps) {
        const input = inputOf(step, book);
        if (input !== undefined && byHead.has(input)) found.add(input);
      }
    }
    const made = [...found];
    inputsOf.set(table, made);
    return made;
  };
  // A failure rule runs after the rule that it is about, which tells it whether to run at all.
  const before = (table: TableId): TableId[] => {
    const rulesMet = own(table).flatMap((rule) => (rule.armedBy === undefined ? [] : (armed.get(rule.armedBy) ?? [])));
    return [...inputs(table), ...rulesMet.filter((head) => head !== table)];
  };
  return stronglyConnected([...byHead.keys()], before).map((tables) => ({
    tables,
    isRecursive: tables.length > 1 || tables.some((table) => inputs(table).includes(table)),
    rules: tables.flatMap((table) => byHead.get(table) ?? []),
  }));
}

function inputOf(step: Step, book: Pick<Book, 'aggregationAt'>): TableId | undefined {
  if (step.step === 'scan' || step.step === 'absent') return step.table;
  return step.step === 'group' ? book.aggregationAt(step.aggregation).source : undefined;
}

/** Tarjan's algorithm, without recursion: a chain of ten thousand views is a program too. Components come after all that they reach. */
export function stronglyConnected<Node>(nodes: readonly Node[], successors: (node: Node) => readonly Node[]): Node[][] {
  const index = new Map<Node, number>();
  const low = new Map<Node, number>();
  const stack: Node[] = [];
  const onStack = new Set<Node>();
  const result: Node[][] = [];
  for (const root of nodes) {
    if (index.has(root)) continue;
    const work: { readonly node: Node; readonly next: Iterator<Node> }[] = [enter(root)];
    while (work.length > 0) {
      const top = work[work.length - 1] as (typeof work)[number];
      const step = top.next.next();
      if (step.done !== true) {
        if (!index.has(step.value)) work.push(enter(step.value));
        else if (onStack.has(step.value)) lower(top.node, index.get(step.value) as number);
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent !== undefined) lower(parent.node, low.get(top.node) as number);
      if (low.get(top.node) === index.get(top.node)) result.push(leave(top.node));
    }
  }
  return result;

  function enter(node: Node): { node: Node; next: Iterator<Node> } {
    low.set(node, index.size);
    index.set(node, index.size);
    stack.push(node);
    onStack.add(node);
    return { node, next: successors(node)[Symbol.iterator]() };
  }
  function lower(node: Node, to: number): void {
    if (to < (low.get(node) as number)) low.set(node, to);
  }
  function leave(root: Node): Node[] {
    const component = stack.splice(stack.indexOf(root));
    component.forEach((node) => onStack.delete(node));
    return component;
  }
}
