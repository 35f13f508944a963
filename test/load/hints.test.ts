/** Nearest names: offered where a name is misspelt, and never one that an author or a report cannot use. */
import { describe, expect, test } from 'vitest';
import { IR } from '../../dsl/ir.ts';
import { isCountersignError, open, row } from '../../src/index.ts';
import { fact, k, loweredOf, observation, pays, programWith, told } from './fixture.ts';
import { capability, projection, reportKind, rule, ruleset, together } from './language.ts';

const program = programWith(pays().asks('sure?', observation.seen({ k })).stillNeeds('still', observation.seen({ k })).otherwiseApproves());
const misspelt = (relation: string) => ({ relation, [IR]: { name: relation, columns: {} } });
const declared = new Set(Object.keys((programIR().ontologies[0] as { relations: object }).relations));
/** Relations that no ontology declares, with one letter more: the nearest name of each is its own. */
const inner = [...loweredOf(program).relations.keys()].filter((name) => !declared.has(name));
const offered = (text: string) => /\(did you mean ([^?]+)\?\)/.exec(text)?.[1];

function programIR() {
  return (program as { readonly [IR]: { readonly ontologies: readonly unknown[] } })[IR];
}

describe('the nearest name', () => {
  test('is looked for beside relations of the runtime, the helpers of a decide among them', () => {
    expect(inner).toEqual(expect.arrayContaining(['open.pay', 'exposure.pay', 'verdict.approved.pay', 'proposalView.pays.needs1']));
  });

  test.each(inner.map((name) => [name]))('of a rule, a declaration and a report is never %s', async (name) => {
    const typed = `${name}x`;
    const atom = { [IR]: { kind: 'atom', relation: typed, columns: {} } };
    const texts = [
      ...told(programWith(ruleset('m', { r: rule(fact.a({ k: 'x' })).when(atom) }))),
      ...told(programWith(together({ sources: [misspelt(typed)] }))),
      ...told(withDeclaration(projection('p', [misspelt(typed)]))),
      ...told(withDeclaration(reportKind('p', '1', { payload: {}, writes: [misspelt(typed)], mapper: () => [] }))),
      ...told(withDeclaration(capability('p', { carries: [misspelt(`intent.${typed}`)] }))),
      ...(await refused(typed)),
      ...(await refused(typed, 'c1')),
    ];
    expect(texts.length).toBeGreaterThanOrEqual(6);
    expect(texts.map(offered).filter((one) => one !== undefined && inner.includes(one))).toEqual([]);
  });

  test.each([
    ['observation.sen', 'observation.seen'],
    ['receipt.pag', 'receipt.pay'],
    ['lifecycle.modelCaled', 'lifecycle.modelCalled'],
    ['confirmd.ping', 'confirmed.ping'],
    ['propsal.hint', 'proposal.hint'],
  ])('of %s in a trusted report is %s', async (typed, meant) => {
    expect((await refused(typed)).map(offered)).toEqual([meant]);
  });
});

function withDeclaration(one: unknown): unknown {
  const ir = programIR();
  return { [IR]: { ...ir, declarations: [(one as { readonly [IR]: unknown })[IR]] } };
}

/** What a report of one row of this relation is refused with, or its capture kept as. */
async function refused(relation: string, capture?: string): Promise<readonly string[]> {
  const world = await open(program);
  const rows = [row(misspelt(relation) as never, {})];
  const report = capture === undefined ? { rows } : { rows, capture };
  try {
    await world.observe({ session: 's', actor: 'a', reports: [report] });
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return error.issues.map(({ what }) => what);
  }
  return world.records().flatMap((one) => (one.record === 'captureRefused' ? one.issues : []));
}
