/**
 * The mutations: for each load-bearing line that exists, at least one way to break it.
 *
 * Gives  a file, a piece of its text that stands there exactly once, and what to put in its place.
 * Never  a mutation that does not compile away silently: text that is not found, or found twice, is an error.
 */
export interface Mutation {
  /** The number of the line that carries. */
  readonly line: number;
  readonly breaks: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    line: 2,
    breaks: 'what stands under not is no edge',
    file: 'src/load/walk.ts',
    from: 'return readsOf([literal.literal]).map(({ relation }) => ({ relation, isStrict: true }));',
    to: 'return [];',
  },
  {
    line: 2,
    breaks: 'what an aggregate ranges over is no edge',
    file: 'src/load/walk.ts',
    from: "if ('aggregate' in expression) return [{ relation: expression.relation, isStrict: true }];",
    to: "if ('aggregate' in expression) return [];",
  },
  {
    line: 7,
    breaks: 'a function that throws gives false',
    file: 'src/engine/compute.ts',
    from: 'return new Failed(messageOf(error));',
    to: 'void messageOf(error); return false;',
  },
  {
    line: 8,
    breaks: 'a refused transition is not rolled back',
    file: 'src/world/transition.ts',
    from: 'state.rollback();\n      if (!isAnswered)',
    to: 'if (isAnswered) state.rollback();\n      if (!isAnswered)',
  },
  {
    line: 11,
    breaks: 'any relation may be reported from outside',
    file: 'src/world/ingress.ts',
    from: "if (!TRUSTED.has(namespaceOf(relation) ?? '') || relation === OWN)",
    to: 'if (relation === OWN)',
  },
  {
    line: 12,
    breaks: 'a card shows the id of its row only',
    file: 'src/load/decide.ts',
    from: "[...this.surroundings.payload, 'id'].map(",
    to: "['id'].map(",
  },
  {
    line: 12,
    breaks: 'a receipt matches an act by its id alone',
    file: 'src/world/register.ts',
    from: "Object.entries(row).every(([column, value]) => receipt[column === 'id' ? 'act' : column] === value);",
    to: "row['id'] === receipt['act'];",
  },
  {
    line: 13,
    breaks: 'records are not frozen',
    file: 'src/ledger/memory.ts',
    from: 'return Object.freeze(value);',
    to: 'return value;',
  },
  {
    line: 14,
    breaks: 'asking beats rejection',
    file: 'src/world/decide.ts',
    from: "if (rejected.length > 0) return { is: 'rejected', reasons: distinct(rejected) };",
    to: "if (rejected.length > 0 && of('held').length === 0) return { is: 'rejected', reasons: distinct(rejected) };",
  },
  {
    line: 14,
    breaks: 'approval beats rejection',
    file: 'src/world/decide.ts',
    from: "if (rejected.length > 0) return { is: 'rejected', reasons: distinct(rejected) };",
    to: "if (rejected.length > 0 && of('approved').length === 0) return { is: 'rejected', reasons: distinct(rejected) };",
  },
];

/** The text of a file with a mutation in it. */
export function mutated(text: string, { file, from, to }: Mutation): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file}: ${JSON.stringify(from)} stands there ${parts.length - 1} times, not once`);
  return parts.join(to);
}
