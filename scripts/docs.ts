/**
 * `npx tsx scripts/docs.ts`: writes the generated sections of the documentation anew, from the code that they are about.
 *
 * Reads  the law, the bounds, the pages and the titles of the tests; a page marks a section with `<!-- generated: name -->` and
 *        `<!-- end -->`.
 * Gives  the pages, formatted; test/house/generated.test.ts fails when a page says what the code does not.
 * Never  touches a line outside the marks, except the last column of the guarantees.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { CUTS, GRADES, INVARIANT_READS, LAW, type Cut, type Namespace, type Origin } from '../dsl/law.ts';
import { nameLengthMax } from '../dsl/name.ts';
import { stringLengthMax } from '../dsl/value.ts';
import { engineLimits, orderedMax, textLengthMax, valueLengthMax, visitsMax } from '../src/engine/engine.ts';
import { branchesMax, depthMax, membersMax, nodesMax } from '../src/load/intake.ts';
import { callsMax } from '../src/load/shape.ts';
import { followedMax, goneStepsMax } from '../src/world/gone.ts';
import { columnsMax, reportsMax, rowsMax } from '../src/world/intake.ts';
import { countedRowsMax } from '../src/world/premises.ts';
import { refusalsMax } from '../src/world/transition.ts';
import { missesMax } from '../src/world/why-not.ts';
import { proofRowsMax } from '../src/world/why.ts';

/** Pages with generated sections. */
export const PAGES = ['README.md', 'docs/law.md'] as const;
/** The page whose last column names the tests of each row. */
export const GUARANTEES = 'docs/guarantees.md';

async function main(): Promise<void> {
  for (const page of [...PAGES, GUARANTEES]) {
    const text = readFileSync(pathOf(page), 'utf8');
    const fresh = page === GUARANTEES ? await shownBy(page, text) : await refreshed(page, text);
    if (fresh !== text) writeFileSync(pathOf(page), fresh);
    console.log(`${page}: ${fresh === text ? 'as it was' : 'written'}`);
  }
}

const SECTIONS: Readonly<Record<string, () => string>> = { law, cuts, bounds, contents };

/** A page with its generated sections as they are now. Errors  a mark that names no section, or that no end follows. */
export async function refreshed(page: string, text: string): Promise<string> {
  const fresh = text.split(/^(?=<!-- generated: )/m).map((part) => {
    if (!part.startsWith('<!-- generated: ')) return part;
    const [, name = '', rest] = /^<!-- generated: (\w+) -->\n(?:[^]*?\n)??<!-- end -->(\n[^]*)$/.exec(part) ?? [];
    const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
    if (section === undefined || rest === undefined) throw new Error(`${page}: no section, or no end, at ${part.split('\n')[0]}`);
    return `<!-- generated: ${name} -->\n\n${section()}\n\n<!-- end -->${rest}`;
  });
  const path = pathOf(page);
  return format(fresh.join(''), { ...(await resolveConfig(path)), filepath: path });
}

function law(): string {
  const rows = (Object.keys(LAW) as Namespace[]).map((namespace) => {
    const { grade, reads, writer } = LAW[namespace];
    // Only some rows narrow their readers.
    const { readers = '' } = LAW[namespace] as { readonly readers?: string };
    return [starred(namespace), ofSource(grade), reads === 'none' ? '-' : ofSource(reads), writer, readers];
  });
  const own = ['invariant', '-', `${INVARIANT_READS} (\`evidenceInvariant\`: ${GRADES.at(-1)})`, 'you', ''];
  return table(['relation', 'grade', 'its rules read up to', 'written by', 'read only by'], [...rows, own]);
}

function ofSource(grade: string): string {
  return grade === 'source' ? 'that of what it judges' : grade;
}

function cuts(): string {
  const rows = CUTS.flatMap((cut: Cut) =>
    cut.to.map((sink) => [
      cut.name,
      cut.from.map(originText).join(', '),
      `\`${sink}.*\`${sink === 'intent' && cut.passes !== undefined ? ' *' : ''}`,
      (cut.gates[sink] ?? []).map(starred).join(' or '),
    ]),
  );
  const notes = CUTS.flatMap((cut: Cut) => (cut.passes === undefined ? [] : [`\\* ${PASSES[cut.passes]}`]));
  return [table(['cut', 'no path from', 'to', 'but through'], rows), ...notes].join('\n\n');
}

/** Which sinks are none, below the table. */
const PASSES: Readonly<Record<NonNullable<Cut['passes']>, string>> = {
  'consulting intents':
    'An intent that only capabilities with `consultsModel` carry is no end of such a path, since the act is another model turn.\n' +
    'The path goes on through it, to its records, its receipt and what came back.',
};

function originText(origin: Origin): string {
  const [, refused] = /^refused (\w+)$/.exec(origin) ?? [];
  if (refused === undefined) return starred(origin);
  return ['rejected', 'held'].map((verdict) => `\`decision.${verdict}.*\``).join(' and ') + ` of a ${refused}`;
}

function starred(namespace: string): string {
  return namespace === 'queryresult.outcome' ? `\`${namespace}\`` : `\`${namespace}.*\``;
}

function bounds(): string {
  const rows = [
    [
      'openRowsMax',
      openRowsMax(),
      'open rows of one session; set it when a world is opened',
      'the capture is kept, with no rows: `too many open`',
    ],
    [
      'derivedRowsMax',
      engineLimits.derivedRowsMax,
      'rows derived in one transition; set it in `limits`',
      '`engine/too-many-rows`, and the state is as before',
    ],
    ['reportsMax', reportsMax, 'reports of a batch', '`world/batch-malformed`'],
    ['rowsMax', rowsMax, 'rows of a report', '`world/batch-malformed`; of a capture: kept as malformed'],
    ['columnsMax', columnsMax, 'columns of a row', 'as above'],
    ['stringLengthMax', stringLengthMax, 'UTF-16 units of a string', 'as above'],
    ['nameLengthMax', nameLengthMax, 'characters of a name', '`dsl/name-malformed`'],
    ['depthMax', depthMax, 'levels of a program', '`load/too-deep`'],
    ['nodesMax', nodesMax, 'parts of one rule, decide or invariant', '`load/too-large`'],
    ['membersMax', membersMax, 'members of a list of a program', '`load/too-large`'],
    ['branchesMax', branchesMax, 'branches that an `or` multiplies out into', '`load/too-large`'],
    ['callsMax', callsMax, 'function calls of one body', '`load/too-large`'],
    ['proofRowsMax', proofRowsMax, 'rows that one proof tells of', 'the rows furthest away are named, and not told of: `cut`'],
    ['visitsMax', visitsMax, 'rows that one search for an instance looks at', 'it gives up, and says so'],
    ['missesMax', missesMax, 'rules that one `whyNot` tries', 'a note says so'],
    ['orderedMax', orderedMax, 'rows that fit, of which the first by its values is told', 'which one is told hangs on their order'],
    ['countedRowsMax', countedRowsMax, 'rows of one aggregate that are named', '`and 3 others`'],
    ['followedMax', followedMax, 'changes that one `whyGone` follows', 'the way is `isCut`'],
    ['goneStepsMax', goneStepsMax, 'steps of such a way', 'those in the middle are `leftOut`'],
    ['refusalsMax', refusalsMax, 'refusals of which the proof is kept', 'a fork at the position before has it again'],
    ['valueLengthMax', valueLengthMax, 'characters of a value in a text', 'it is cut, with its length'],
    ['textLengthMax', textLengthMax, 'characters of a premise or a reason in a text', 'as above'],
  ] as const;
  return table(
    ['bound', 'default', 'of what', 'beyond it'],
    rows.map(([name, value, what, beyond]) => [`\`${name}\``, value.toLocaleString('en-US'), what, beyond]),
  );
}

/** The default of an option of `open`. Errors  when world.ts has no such default any longer. */
function openRowsMax(): number {
  const [, value] = /\bopenRowsMax = ([\d_]+)/.exec(readFileSync(pathOf('src/world.ts'), 'utf8')) ?? [];
  if (value === undefined) throw new Error('src/world.ts: openRowsMax has no default');
  return Number(value.replaceAll('_', ''));
}

/** The pages below docs/, and the front page of each folder there: its title, and its first sentence where it opens with one. */
function contents(): string {
  const names = readdirSync(pathOf('docs'), { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names
    .filter((name) => /^[^/]+\.md$|^[^/]+\/README\.md$/.test(name))
    .sort((left, right) => placeOf(left) - placeOf(right) || (left < right ? -1 : 1))
    .map((name) => {
      const [, title = name, about] = /^# (.*)\n\n(?:([A-Z][^]*?\.)\s)?/.exec(readFileSync(pathOf(`docs/${name}`), 'utf8')) ?? [];
      return `- [${title}](docs/${name})${about === undefined ? '' : `: ${about.replaceAll('\n', ' ')}`}`;
    })
    .join('\n');
}

/** Reading order; a page that it does not name comes last. */
function placeOf(name: string): number {
  const place = ['language.md', 'law.md', 'semantics.md', 'testing.md', 'guarantees.md'].indexOf(name);
  return place < 0 ? 100 : place;
}
/** A row of the guarantees, as far as its last cell. */
const GUARANTEE = /^(\| ([ABCDJKTR]\d\d) +\|.*\|)[^|]*\|$/gm;

/** The guarantees, each with the test files of which a title opens with its id. */
async function shownBy(page: string, text: string): Promise<string> {
  const tests = titledTests();
  const fresh = text.replaceAll(GUARANTEE, (_row, start: string, id: string) => `${start} ${(tests.get(id) ?? ['-']).join(', ')} |`);
  const path = pathOf(page);
  return format(fresh, { ...(await resolveConfig(path)), filepath: path });
}

/** Test files by the ids that open titles in them. A title is a string that begins with ids; three at most count. */
export function titledTests(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(pathOf('test'), { recursive: true, encoding: 'utf8' }).map((name) => `test/${name.replaceAll('\\', '/')}`);
  const found = new Map<string, string[]>();
  // The samples of the script that looks for titles are no titles.
  for (const file of files.filter((name) => name.endsWith('.ts') && name !== 'test/house/scripts.test.ts').sort()) {
    const titles = readFileSync(pathOf(file), 'utf8').matchAll(/['"`]((?:[ABCDJKTR]\d\d\b[ ,:]*){1,3})/g);
    for (const id of new Set([...titles].flatMap(([, ids = '']) => ids.match(/\w\d\d/g) ?? [])))
      found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}

/** What the guarantees say of their tests: files by id. */
export function claimedTests(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map([...text.matchAll(GUARANTEE)].map(([row, , id = '']) => [id, row.match(/test\/[^ ,|]+/g) ?? []]));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function pathOf(page: string): string {
  return fileURLToPath(new URL(`../${page}`, import.meta.url));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
