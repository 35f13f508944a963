/**
 * Projects of source that stands in a test.
 *
 * Gives  what the lint finds in each file; the compiler keeps what it has parsed from one project to the next.
 * Never  writes a file.
 */
import { join } from 'node:path';
import { Project, ts } from 'ts-morph';
import { lintProgram, type Finding } from '../../lint/lint.ts';
import { ROOT } from '../house/source.ts';

const project = new Project({
  tsConfigFilePath: join(ROOT, 'tsconfig.json'),
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
  compilerOptions: {
    paths: {
      countersign: [join(ROOT, 'src/index.ts')],
      'countersign/testing': [join(ROOT, 'src/testing/testing.ts')],
      'countersign/testing/fast-check': [join(ROOT, 'src/testing/fast-check.ts')],
    },
  },
});
/** What the lint finds in files that are there. */
export function lintFolder(pattern: string): readonly Finding[] {
  const files = project.addSourceFilesAtPaths(join(ROOT, pattern)).map((source) => source.getFilePath() as string);
  return lintProgram(ts, project.getProgram().compilerObject, (file) => files.includes(file)).findings;
}

let projects = 0;

type Files = Readonly<Record<string, string>>;
type Found = Readonly<Record<string, readonly Finding[]>>;

/** The findings of each file by its name; files of one project see each other. */
export function lintFiles(files: Files): Found {
  const { folder, program } = compiled(files);
  const { findings } = lintProgram(ts, program, (file) => file.startsWith(`${folder}/`));
  return Object.fromEntries(Object.keys(files).map((name) => [name, findings.filter(({ file }) => file === join(folder, name))]));
}

/** Each file by itself, with those that all of them import: what one builds is not judged with what another builds. */
export function lintApart(files: Files, shared: readonly string[] = []): Found {
  const { folder, program } = compiled(files);
  const findingsOf = (name: string) =>
    lintProgram(ts, program, (file) => [name, ...shared].some((one) => file === join(folder, one))).findings.filter(
      ({ file }) => file === join(folder, name),
    );
  return Object.fromEntries(Object.keys(files).map((name) => [name, findingsOf(name)]));
}

/** What the compiler says of each file. */
export function typeErrors(files: Files): Readonly<Record<string, readonly string[]>> {
  const { folder, program } = compiled(files);
  const textsOf = (name: string) => {
    const source = program.getSourceFile(join(folder, name));
    return program.getSemanticDiagnostics(source).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  };
  return Object.fromEntries(Object.keys(files).map((name) => [name, textsOf(name)]));
}

function compiled(files: Files): { readonly folder: string; readonly program: ts.Program } {
  const folder = join(ROOT, `test/lint/virtual${++projects}`);
  for (const [name, text] of Object.entries(files)) project.createSourceFile(join(folder, name), text);
  return { folder, program: project.getProgram().compilerObject };
}
