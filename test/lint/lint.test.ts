/** What the lint follows, what it finds, and where it points. */
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../lint/lint.ts';
import { lintFiles, lintFolder } from './project.ts';

const ONTOLOGY = `
import * as z from 'zod';
import { defineOntology } from 'countersign';
export const shop = defineOntology({
  observation: { order: { order: z.string() } },
  candidate: { order: { order: z.string() } },
  proposal: { note: { order: z.string() } },
  fact: { order: { order: z.string() }, other: { order: z.string() } },
  candidateView: { seen: { order: z.string() } },
});
export const { order } = shop.vars;
`;
const IMPORTS = `import { decide, program, rule, ruleset } from 'countersign';\nimport { order, shop } from './shop.ts';\n`;

/** Findings of one file beside the ontology, as "line code what". */
function told(text: string, more: Readonly<Record<string, string>> = {}): string[] {
  const found = lintFiles({ 'shop.ts': ONTOLOGY, 'rules.ts': `${IMPORTS}${text}`, ...more });
  return Object.values(found).flatMap((all) => all.map(shown));
}
const shown = ({ file, line, code, what }: Finding) => `${file.replace(/^.*\//, '')}:${line} ${code}: ${what}`;
const BYPASS = 'candidate.order reaches fact.order without a decision: candidate.order -[books.all]-> fact.order';
const READING = 'rule(shop.fact.order({ order })).when(shop.candidate.order({ order }))';
const PROGRAM = `export const app = program({ name: 'shop', ontologies: [shop], rules: [books] });`;

describe('a bypass is found', () => {
  test.each<[string, string, Readonly<Record<string, string>>?]>([
    ['A04 on the line where it is written', `const books = ruleset('books', {\n  all: ${READING},\n});\n${PROGRAM}`],
    ['A11 that a constant holds', `const reading = ${READING};\nconst books = ruleset('books', { all: reading });\n${PROGRAM}`],
    [
      'through a helper with parameters',
      `const from = (head: never, body: never) => rule(head).when(body);\nconst books = ruleset('books', { all: from(shop.fact.order({ order }) as never, shop.candidate.order({ order }) as never) });\n${PROGRAM}`,
    ],
    [
      'through a helper that is declared below',
      `const books = ruleset('books', { all: reading() });\n${PROGRAM}\nfunction reading() {\n  const body = shop.candidate.order({ order });\n  return rule(shop.fact.order({ order })).when(body as never);\n}`,
    ],
    ['through a spread of rules', `const all = { all: ${READING} };\nconst books = ruleset('books', { ...all });\n${PROGRAM}`],
    [
      'under a name that is made of parts',
      `const part = 'l';\nconst books = ruleset(\`boo\${'ks'}\`, { [\`al\${part}\`]: ${READING} });\n${PROGRAM}`,
    ],
    [
      'through a re-export',
      `import { books } from './again.ts';\n${PROGRAM}`,
      {
        'again.ts': `export { shelf as books } from './books.ts';`,
        'books.ts': `${IMPORTS}export const shelf = ruleset('books', { all: ${READING} });`,
      },
    ],
    [
      'through a namespace',
      `import * as all from './books.ts';\nconst books = all.shelf;\n${PROGRAM}`,
      { 'books.ts': `${IMPORTS}export const shelf = ruleset('books', { all: ${READING} });` },
    ],
    [
      'through a default export',
      `import books from './books.ts';\n${PROGRAM}`,
      { 'books.ts': `${IMPORTS}export default ruleset('books', { all: ${READING} });` },
    ],
    [
      'in a list that a map makes',
      `const [books] = ['books'].map((name) => ruleset(name, { all: ${READING} }));\nexport const app = program({ name: 'shop', ontologies: [shop], rules: [books!] });`,
    ],
    [
      'under other names of the builders',
      `import { rule as when, ruleset as group } from 'countersign';\nconst books = group('books', { all: when(shop.fact.order({ order })).when(shop.candidate.order({ order })) });\n${PROGRAM}`,
    ],
    [
      'through a namespace of the library',
      `import * as cs from 'countersign';\nconst books = cs.ruleset('books', { all: cs.rule(shop.fact.order({ order })).when(shop.candidate.order({ order })) });\n${PROGRAM}`,
    ],
    [
      'in a condition that is known',
      `const isStrict = false;\nconst books = ruleset('books', isStrict ? {} : { all: ${READING} });\n${PROGRAM}`,
    ],
    [
      'in a function that nothing calls',
      `export function app() {\n  const books = ruleset('books', { all: ${READING} });\n  return program({ name: 'shop', ontologies: [shop], rules: [books] });\n}`,
    ],
    [
      'in a callback',
      `declare function later(act: () => void): void;\nlater(() => {\n  const books = ruleset('books', { all: ${READING} });\n  return program({ name: 'shop', ontologies: [shop], rules: [books] });\n});`,
    ],
  ])('%s', (_way, text, more) => {
    const found = told(text, more);
    expect(found.filter((one) => one.includes('load/cut-bypassed')).map((one) => one.replace(/^.*?load\/cut-bypassed: /, ''))).toEqual([
      BYPASS,
    ]);
    expect(found.filter((one) => one.includes('not-followed'))).toEqual([]);
  });

  test('A10 over two modules, at each rule on the way, with the places of the others', () => {
    const found = lintFiles({
      'shop.ts': ONTOLOGY,
      'views.ts': `${IMPORTS}export const views = ruleset('views', { seen: rule(shop.candidateView.seen({ order })).when(shop.candidate.order({ order })) });`,
      'rules.ts': `${IMPORTS}import { views } from './views.ts';\nconst books = ruleset('books', { all: rule(shop.fact.order({ order })).when(shop.candidateView.seen({ order })) });\nexport const app = program({ name: 'shop', ontologies: [shop], rules: [books, views] });`,
    });
    const [view] = found['views.ts'] ?? [];
    const [book] = found['rules.ts'] ?? [];
    const way = 'candidate.order -[views.seen]-> candidateView.seen -[books.all]-> fact.order';
    expect(view).toMatchObject({
      code: 'load/cut-bypassed',
      what: `candidate.order reaches fact.order without a decision: ${way}`,
      line: 3,
    });
    expect(view?.related).toMatchObject([{ line: 4, what: 'books.all: fact.order reads candidateView.seen' }]);
    expect(book).toMatchObject({ code: 'load/cut-bypassed', line: 4 });
    expect(book?.why).toContain('only where a decision rule you wrote says so');
  });

  test('A04 also where the rule stands in no program, and in a program of another ontology with the same names', () => {
    const other = ONTOLOGY.replaceAll('shop', 'mall').replace('candidate: { order', 'candidate: { never');
    const found = told(
      `import { mall } from './mall.ts';\nexport const loose = ${READING};\nconst own = ruleset('own', { all: rule(mall.fact.order({ order })).when(mall.observation.order({ order })) });\nexport const app = program({ name: 'mall', ontologies: [mall], rules: [own] });`,
      { 'mall.ts': other },
    );
    expect(found.sort()).toEqual([
      'mall.ts:4 lint/undecided: proposal.note is judged by no rule: its rows stay pending for good',
      'rules.ts:4 lint/unused: rule fact.order stands in no ruleset',
      'rules.ts:4 load/cut-bypassed: candidate.order reaches fact.order without a decision: candidate.order -[apart.rule]-> fact.order',
    ]);
  });
});

describe('a sound program', () => {
  test('has no findings, whatever else its files hold', () => {
    expect(
      told(`
const notes = decide('notes', shop.proposal.note({ order })).needs('is known', shop.observation.order({ order })).otherwiseApproves();
const books = ruleset('books', { known: rule(shop.fact.order({ order })).when(shop.observation.order({ order })) });
export const app = program({ name: 'shop', ontologies: [shop], rules: [notes, books] });
export class Other { at = Date.now(); run() { return fetch('http://localhost'); } }
export const rule2 = (rule: (text: string) => string) => rule('a function that has the name of a builder');
console.log(new Other(), rule2((text) => text));
`),
    ).toEqual([]);
  });
});

describe('the examples', () => {
  test('A12 have one bypass, which is there to be refused', () => {
    expect(
      lintFolder('examples/**/*.ts')
        .map(shown)
        .map((one) => one.replace(/: .*/s, '')),
    ).toEqual(['bypass.ts:14 load/cut-bypassed', 'bypass.ts:14 lint/suppressed', 'policy.ts:87 load/cut-bypassed']);
  });
});

describe('what hides from the compiler is told', () => {
  test.each<[string, string, string]>([
    [
      'A12 a rule as any',
      `const books = ruleset('books', { all: (rule as any)(shop.fact.order({ order })).when(shop.observation.order({ order })) });\n${PROGRAM}`,
      'rules.ts:3 lint/cast: rule as any hides what the compiler says of it',
    ],
    [
      'a body as never',
      `const books = ruleset('books', { all: rule(shop.fact.order({ order })).when(shop.observation.order({ order }) as never) });\n${PROGRAM}`,
      'rules.ts:3 lint/cast: shop.observation.order({ order }) as never hides what the compiler says of it',
    ],
    [
      'a comment over a rule',
      `const books = ruleset('books', {\n  // @ts-ignore\n  all: rule(shop.fact.order({ order })).when(shop.observation.order({ order })),\n});\n${PROGRAM}`,
      'rules.ts:3 lint/suppressed',
    ],
  ])('%s', (_way, text, expected) => {
    expect(told(text).filter((one) => one.startsWith(expected) || one.replace(/:\d+/, ':3').startsWith(expected))).toHaveLength(1);
  });
});

describe('what cannot be followed is told, and the rest is judged', () => {
  test.each<[string, string, string]>([
    [
      'a rule that a file gives',
      `declare const given: never;\nconst books = ruleset('books', { all: ${READING}, more: given });\n${PROGRAM}`,
      'lint/not-followed: given is declared without a value',
    ],
    [
      'a variable that changes',
      `let name = 'books';\nname += '2';\nconst other = ruleset(name, {});\nconst books = ruleset('books', { all: ${READING} });\nexport const app = program({ name: 'shop', ontologies: [shop], rules: [books, other] });`,
      'lint/not-followed: name is no constant: what it is when it is used is not known',
    ],
    [
      'a condition of the machine',
      `const other = process.env['X'] ? ruleset('a', {}) : ruleset('b', {});\nconst books = ruleset('books', { all: ${READING} });\nexport const app = program({ name: 'shop', ontologies: [shop], rules: [books, other] });`,
      'lint/not-followed',
    ],
  ])('%s', (_what, text, expected) => {
    const found = told(text);
    expect(found.some((one) => one.includes(expected))).toBe(true);
    expect(found.filter((one) => one.includes('load/cut-bypassed')).length).toBeGreaterThan(0);
  });

  test('source is not run: neither functions of the author nor what leads to the platform', () => {
    const found = told(`
declare global { var hasRun: boolean; }
const run = (): string => { globalThis.hasRun = true; return 'books'; };
export const a = ruleset(run(), {});
export const b = ruleset([].constructor.constructor('globalThis.hasRun = true')() as string, {});
export const c = ruleset(\`\${Reflect.get(globalThis, 'process').exit(3)}\`, {});
`);
    expect(Reflect.get(globalThis, 'hasRun')).toBeUndefined();
    expect(found.filter((one) => one.includes('lint/not-followed')).length).toBe(3);
  });

  test('a file that does not parse is told, and others are judged', () => {
    const found = told(`const books = ruleset('books', { all: ${READING} });\n${PROGRAM}`, { 'broken.ts': 'const = ;' });
    expect(found.filter((one) => one.includes('lint/not-compiled'))).toEqual([
      'broken.ts:1 lint/not-compiled: the compiler says: Variable declaration expected.',
    ]);
    expect(found.filter((one) => one.includes('load/cut-bypassed'))).toHaveLength(1);
  });
});
