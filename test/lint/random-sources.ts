/**
 * Small programs, each as source and as the value that the source builds.
 *
 * Reads  a seed.
 * Gives  programs whose rules read anything in any way that the language has.
 * Never  looks at the law: what is refused and what is not comes as it comes.
 */
import * as z from 'zod';
import { and, countOf, defineOntology, gt, minOf, not, or, program, rule, ruleset } from '../load/language.ts';

const text = z.string();
const columns = { k: text };
const DECLARED = {
  observation: { seen: columns, other: columns },
  candidate: { order: columns, claim: columns },
  proposal: { hint: columns },
  action: { ping: { in: columns, identity: ['k'], receipt: {} } },
  query: { find: { in: columns, out: { found: text } } },
  fact: { a: columns, b: columns },
  approvedView: { v: columns },
  candidateView: { c: columns },
  proposalView: { p: columns },
};
export const ONTOLOGY_SOURCE = `
import * as z from 'zod';
import { defineOntology } from 'countersign';
const text = z.string();
const columns = { k: text };
export const small = defineOntology({
  observation: { seen: columns, other: columns },
  candidate: { order: columns, claim: columns },
  proposal: { hint: columns },
  action: { ping: { in: columns, identity: ['k'], receipt: {} } },
  query: { find: { in: columns, out: { found: text } } },
  fact: { a: columns, b: columns },
  approvedView: { v: columns },
  candidateView: { c: columns },
  proposalView: { p: columns },
});
`;
const small = defineOntology(DECLARED);
const { k, id } = small.vars;

/** A piece of a rule: as it is written, and what it builds. */
interface Piece {
  readonly source: string;
  readonly value: unknown;
}
type Builders = Readonly<Record<string, Readonly<Record<string, (columns: object) => unknown>>>>;

/** A relation by its name in the ontology: "decision.accepted.order". */
function relation(name: string): Piece & { readonly at: (columns: Piece) => Piece } {
  let value: unknown = small;
  for (const part of name.split('.')) value = (value as Builders)[part];
  const build = value as (columns: unknown) => unknown;
  return { source: `small.${name}`, value, at: (given) => ({ source: `small.${name}(${given.source})`, value: build(given.value) }) };
}

const K: Piece = { source: '{ k }', value: { k } };
const ID: Piece = { source: '{ id, k }', value: { id, k } };

const READ = [
  ...['observation.seen', 'observation.other', 'candidate.order', 'candidate.claim', 'proposal.hint', 'proposal.ping'],
  ...['fact.a', 'fact.b', 'approvedView.v', 'candidateView.c', 'proposalView.p'],
  ...['decision.accepted.order', 'decision.accepted.claim', 'decision.approved.hint', 'decision.approved.ping'],
  ...['decision.rejected.order', 'decision.rejected.hint', 'decision.held.order', 'decision.held.hint'],
  ...['admitted.ping', 'receipt.ping', 'queryresult.find'],
] as const;
const HEADS = [
  ...['fact.a', 'fact.b', 'fact.a', 'approvedView.v', 'candidateView.c', 'proposalView.p', 'intent.ping', 'intent.ping'],
  ...['decision.accepted.order', 'decision.accepted.claim', 'decision.approved.hint', 'decision.approved.ping'],
] as const;

const WAYS: Readonly<Record<string, (name: string) => Piece>> = {
  atom: (name) => relation(name).at(K),
  'under not': (name) => piece('not', not, relation(name).at(K)),
  'by a count': (name) => {
    const count = { source: `countOf(small.${name}, { per: { k } })`, value: countOf(relation(name).value, { per: { k } }) };
    return { source: `gt(${count.source}, 1)`, value: gt(count.value, 1) };
  },
  'in an or': (name) => piece('or', or, seen(), relation(name).at(K)),
  'in an and': (name) => piece('and', and, seen(), relation(name).at(K)),
  'by the least': (name) => {
    const least = { source: `minOf(small.${name}, { of: 'k', per: {} })`, value: minOf(relation(name).value, { of: 'k', per: {} }) };
    return { source: `gt(${least.source}, k)`, value: gt(least.value, k) };
  },
};
const seen = () => relation('observation.seen').at(K);

function piece(name: string, build: (...given: unknown[]) => unknown, ...given: Piece[]): Piece {
  return { source: `${name}(${given.map(({ source }) => source).join(', ')})`, value: build(...given.map(({ value }) => value)) };
}

export interface RandomProgram {
  readonly source: string;
  readonly value: unknown;
  /** How its rules read what, "candidate.order under not". */
  readonly reads: readonly string[];
}

/** `below(n)` draws a whole number from 0. */
export function randomProgram(below: (bound: number) => number): RandomProgram {
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const reads: string[] = [];
  const rules = Array.from({ length: 1 + below(4) }, () => {
    const name = pick(HEADS);
    const judged = /^decision\.(?:accepted|approved)\.(.*)$/.exec(name)?.[1];
    const bound =
      judged === undefined ? seen() : relation(`${name.startsWith('decision.accepted') ? 'candidate' : 'proposal'}.${judged}`).at(ID);
    const head = relation(name).at(judged === undefined ? K : ID);
    const body = Array.from({ length: below(3) }, () => {
      const way = pick(Object.keys(WAYS));
      const read = pick(READ);
      reads.push(`${read} ${way}`);
      return (WAYS[way] as (one: string) => Piece)(read);
    });
    const literals = [bound, ...body];
    return {
      source: `rule(${head.source}).when(${literals.map(({ source }) => source).join(', ')})`,
      value: rule(head.value).when(...literals.map(({ value }) => value)),
    };
  });
  const source = [
    "import { and, countOf, gt, minOf, not, or, program, rule, ruleset } from 'countersign';",
    "import { small } from './small.ts';",
    'const { k, id } = small.vars;',
    'const rules = {',
    ...rules.map((one, i) => `  r${i}: ${one.source},`),
    '};',
    "export const app = program({ name: 'small', ontologies: [small], rules: [ruleset('m', rules)] });",
    'export const used = [and, countOf, gt, minOf, not, or, id];',
  ].join('\n');
  const value = program({
    name: 'small',
    ontologies: [small],
    rules: [ruleset('m', Object.fromEntries(rules.map((one, i) => [`r${i}`, one.value])))],
  });
  return { source, value, reads };
}
