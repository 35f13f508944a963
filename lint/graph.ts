/**
 * The graph of relations that a program's rules make, to be looked at: who reads what, where the gates stand, and what goes around them.
 *
 * Reads  what the loader found out about a program.
 * Gives  the graph as data, as a Mermaid flowchart and as a DOT digraph.
 * Never  leaves out an edge: what the runtime writes is in it, told apart from rules.
 */
import { CUTS, gradeOf, namespaceOf, type Cut, type Grade } from '../dsl/law.ts';
import type { Check } from '../src/load/load.ts';
import { detours } from './detours.ts';

export interface Graph {
  readonly name: string;
  readonly relations: readonly { readonly name: string; readonly grade: Grade; readonly isGate: boolean }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly by: string; readonly isBypass: boolean }[];
}
export const GRAPH_FORMATS = ['mermaid', 'dot', 'json'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

const GATES: ReadonlySet<string | undefined> = new Set(CUTS.flatMap((one: Cut) => Object.values(one.gates).flat()));

/** Of the relations that anything reads or writes. */
export function graphOf(name: string, found: Check): Graph {
  const around = new Set(detours(found).map(({ edge }) => keyOf(edge)));
  const edges = new Map(found.edges.map((edge) => [keyOf(edge), { ...edge, isBypass: around.has(keyOf(edge)) }]));
  const byRule = [...edges.values()].filter(({ by }) => by !== 'runtime');
  const named = new Set(byRule.flatMap(({ from, to }) => [from, to]));
  // What the runtime makes of what no rule names says nothing about the rules.
  const shown = [...edges.values()].filter(({ by, from, to }) => by !== 'runtime' || (named.has(from) && named.has(to)));
  const relations = [...named]
    .sort()
    .map((one) => ({ name: one, grade: gradeOf(one, found.gradeOfSource), isGate: GATES.has(namespaceOf(one)) }));
  return { name, relations, edges: shown };
}

function keyOf({ from, to, by }: { readonly from: string; readonly to: string; readonly by: string }): string {
  return `${from} ${to} ${by}`;
}

export function drawn(graphs: readonly Graph[], format: GraphFormat): string {
  return { mermaid: mermaids, dot, json: (all: readonly Graph[]) => JSON.stringify(all, null, 2) }[format](graphs);
}

const COLOURS: Readonly<Record<Grade, string>> = { trusted: '#d5e8d4', approved: '#dae8fc', candidate: '#fff2cc', proposal: '#f8cecc' };

/** One diagram a program; a line that begins with %% says which. */
function mermaids(graphs: readonly Graph[]): string {
  return graphs.map(mermaid).join('\n\n');
}

function mermaid({ name, relations, edges }: Graph): string {
  const id = new Map(relations.map((one, i) => [one.name, `r${i}`]));
  const nodes = relations.map(({ name: own, grade, isGate }) => {
    const [open, close] = isGate ? ['{{', '}}'] : ['[', ']'];
    return `  ${id.get(own)}${open}"${own}"${close}:::${grade}`;
  });
  const arrows = edges.map(({ from, to, by, isBypass }) => {
    const arrow = isBypass ? '==>' : by === 'runtime' ? '-.->' : '-->';
    return `  ${id.get(from)} ${arrow}|"${by}"| ${id.get(to)}`;
  });
  const bypasses = edges.flatMap(({ isBypass }, i) => (isBypass ? [i] : []));
  const classes = Object.entries(COLOURS).map(([grade, colour]) => `  classDef ${grade} fill:${colour},stroke:#555,color:#000`);
  const red = bypasses.length === 0 ? [] : [`  linkStyle ${bypasses.join(',')} stroke:#c00,stroke-width:3px`];
  return [`%% ${name}`, 'flowchart LR', ...nodes, ...arrows, ...classes, ...red].join('\n');
}

function dot(graphs: readonly Graph[]): string {
  return graphs
    .map(({ name, relations, edges }) => {
      const nodes = relations.map(
        (one) => `  "${one.name}" [style=filled, fillcolor="${COLOURS[one.grade]}", shape=${one.isGate ? 'hexagon' : 'box'}];`,
      );
      const arrows = edges.map(({ from, to, by, isBypass }) => {
        const style = isBypass ? ', color=red, penwidth=3' : by === 'runtime' ? ', style=dashed' : '';
        return `  "${from}" -> "${to}" [label="${by}"${style}];`;
      });
      return [`digraph "${name}" {`, '  rankdir=LR;', ...nodes, ...arrows, '}'].join('\n');
    })
    .join('\n\n');
}
