/** `countersign lint` as it is typed: what it prints in each format, and how it ends. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../lint/lint.ts';
import { run } from '../../src/doors/cli.ts';
import { ROOT } from '../house/source.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-lint-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHOP = `
import * as z from 'zod';
import { defineOntology, program, rule, ruleset } from 'countersign';
const shop = defineOntology({ candidate: { order: { order: z.string() } }, fact: { order: { order: z.string() } } });
const { order } = shop.vars;
const books = ruleset('books', {
  // @ts-expect-error: shown to the lint
  all: rule(shop.fact.order({ order })).when(shop.candidate.order({ order })),
});
export const app = program({ name: 'shop', ontologies: [shop], rules: [books] });
`;
const SOUND = SHOP.replaceAll('candidate', 'observation').replace(/.*@ts-expect-error.*\n/, '');
const COMPILER = {
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
  paths: { countersign: [join(ROOT, 'src/index.ts')] },
};

/** A project in a folder of its own, with what this one has installed. */
function projectOf(name: string, files: Readonly<Record<string, string>>, more: object = {}): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'), 'junction');
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, include: ['**/*'], exclude: ['node_modules'], ...more }),
  );
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return place;
}
const bypass = projectOf('bypass', { 'shop.ts': SHOP });
const ROOT_EXAMPLES = projectOf('examples', {}, { include: [join(ROOT, 'examples/**/*')] });

describe('countersign lint', () => {
  test('prints what is wrong, where and what to do, and ends with 1', async () => {
    const { out, error, code } = await run(['lint'], bypass);
    expect([error, code]).toEqual(['', 1]);
    expect(out.split('\n')).toEqual([
      'shop.ts',
      '  8:8  error  candidate.order reaches fact.order without a decision: candidate.order -[books.all]-> fact.order  (load/cut-bypassed)',
      expect.stringMatching(/^ {6}fix: Route the path|^ {6}fix: /) as string,
      expect.stringMatching(/^ {2}\d+:\d+ {2}error {2}@ts-expect-error stands over .* {2}\(lint\/suppressed\)$/) as string,
      expect.stringMatching(/^ {6}fix: Remove the comment/) as string,
      '',
      '2 errors, 0 warnings',
    ]);
  });

  test('finds nothing in a sound project, and ends with 0', async () => {
    expect(await run(['lint'], projectOf('sound', { 'shop.ts': SOUND }))).toEqual({ out: 'nothing was found', error: '', code: 0 });
  });

  test('gives findings as data, as SARIF and as annotations', async () => {
    const json = JSON.parse((await run(['lint', '--format', 'json'], bypass)).out) as Finding[];
    expect(json.map(({ code, file, line, column }) => [code, file, line, column])).toEqual([
      ['load/cut-bypassed', 'shop.ts', 8, 8],
      ['lint/suppressed', 'shop.ts', 8, expect.any(Number)],
    ]);
    const sarif: unknown = JSON.parse((await run(['lint', '--format', 'sarif'], bypass)).out);
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'countersign', rules: [{ id: 'load/cut-bypassed' }, { id: 'lint/suppressed' }] } },
          results: [
            {
              ruleId: 'load/cut-bypassed',
              ruleIndex: 0,
              level: 'error',
              locations: [{ physicalLocation: { artifactLocation: { uri: 'shop.ts' }, region: { startLine: 8, startColumn: 8 } } }],
            },
            { ruleId: 'lint/suppressed', ruleIndex: 1 },
          ],
        },
      ],
    });
    const github = (await run(['lint', '--format', 'github'], bypass)).out.split('\n');
    expect(github[0]).toMatch(
      /^::error file=shop\.ts,line=8,col=8,endLine=8,endColumn=\d+,title=load\/cut-bypassed::candidate\.order reaches /,
    );
    expect(github).toHaveLength(2);
  });

  test('reads other folders, aliases, .mts files, and JavaScript where the project has it', async () => {
    const aliased = projectOf(
      'aliased',
      {
        'lib/ontology.mts': SHOP.split('\n')
          .slice(0, 4)
          .join('\n')
          .replace('const shop', 'export const shop')
          .replace(', program, rule, ruleset', ''),
        'app/rules.js': [
          "import { program, rule, ruleset } from 'countersign';",
          "import { shop } from '#lib/ontology.mts';",
          'const { order } = shop.vars;',
          "const books = ruleset('books', { all: /** @type {any} */ (rule)(shop.fact.order({ order })).when(shop.candidate.order({ order })) });",
          "export const app = program({ name: 'shop', ontologies: [shop], rules: [books] });",
        ].join('\n'),
      },
      { compilerOptions: { ...COMPILER, allowJs: true, checkJs: true, paths: { ...COMPILER.paths, '#lib/*': ['./lib/*'] } } },
    );
    const { out } = await run(['lint', '--format', 'json', aliased], folder);
    const found = (JSON.parse(out) as Finding[]).map(({ code, file, line }) => [code, file, line]);
    expect(found).toContainEqual(['load/cut-bypassed', 'aliased/app/rules.js', 4]);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['no command', [], /^countersign: usage: /],
    ['another command', ['lent'], /^countersign: usage: /],
    ['an unknown option', ['lint', '--formt', 'json'], /^countersign: .*--formt/],
    ['an unknown format', ['lint', '--format', 'xml'], /^countersign: there is no format xml; there are stylish, json, sarif, github$/],
    ['no tsconfig', ['lint', 'nowhere.json'], /^countersign: there is no .*nowhere\.json$/],
    ['too many arguments', ['lint', 'a.json', 'b.json'], /^countersign: usage: /],
  ])('cannot run with %s, says why and ends with 2', async (_what, args, message) => {
    const { out, error, code } = await run(args, bypass);
    expect([out, code]).toEqual(['', 2]);
    expect(error).toMatch(message);
  });

  test('cannot run on a project without files, or on a tsconfig that is none', async () => {
    const empty = await run(['lint'], projectOf('empty', {}));
    expect(empty).toMatchObject({ code: 2, error: expect.stringContaining('has no source files') as string });
    const torn = projectOf('torn', { 'shop.ts': SOUND });
    writeFileSync(join(torn, 'tsconfig.json'), '{ "compilerOptions": ');
    expect((await run(['lint'], torn)).code).toBe(2);
  });

  test('draws the relations of each program, with its gates and what goes around them', async () => {
    const { out, code } = await run(['graph'], bypass);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '%% shop',
      'flowchart LR',
      '  r0["candidate.order"]:::candidate',
      '  r1["fact.order"]:::trusted',
      '  r0 ==>|"books.all"| r1',
      expect.stringContaining('classDef trusted') as string,
      expect.stringContaining('classDef approved') as string,
      expect.stringContaining('classDef candidate') as string,
      expect.stringContaining('classDef proposal') as string,
      '  linkStyle 0 stroke:#c00,stroke-width:3px',
    ]);
    const dot = (await run(['graph', '--format', 'dot'], bypass)).out;
    expect(dot).toContain('"candidate.order" -> "fact.order" [label="books.all", color=red, penwidth=3];');
    const json = JSON.parse((await run(['graph', '--format', 'json', '.'], ROOT_EXAMPLES)).out) as {
      name: string;
      relations: { name: string; isGate: boolean }[];
    }[];
    const drive = json.find(({ name }) => name === 'drive-through');
    expect(drive?.relations.filter(({ isGate }) => isGate).map(({ name }) => name)).toContain('decision.approved.sendOrder');
    expect(await run(['graph', '--format', 'stylish'], bypass)).toMatchObject({
      code: 2,
      error: expect.stringContaining('mermaid, dot, json') as string,
    });
    expect(await run(['graph'], projectOf('none', { 'a.ts': 'export {};' }))).toMatchObject({ code: 2 });
  });

  test('--help says how it is used', async () => {
    expect(await run(['--help'], bypass)).toMatchObject({ code: 0, out: expect.stringContaining('countersign lint') as string });
  });
});
