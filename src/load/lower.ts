/**
 * Lowers a program that passed every check: decisions become verdicts over open rows, acts get their ids, decides are written out.
 *
 * Reads  the program's parts, the author's graph and the declarations.
 * Gives  relations, sources, intents and rules for the plan.
 * Never  refuses: what could be wrong was told before.
 */
import type { Atom, Literal, ProgramIR } from '../../dsl/ir.ts';
import { canonicalJson, sha256 } from '../../dsl/digest.ts';
import { namespaceOf, ownName } from '../../dsl/law.ts';
import { byCodePoint } from '../../dsl/value.ts';
import type { Authored } from './authored.ts';
import type { Decide } from './clauses.ts';
import { actId } from './digests.ts';
import { writeOut, type Surroundings, type WrittenOut } from './decide.ts';
import { approvalsOf, JUDGED_ID, replaceAtoms, restate, type Restated } from './faithful.ts';
import { dueRule, generatedRelations, heldRule, relation } from './generated.ts';
import { record } from './intake.ts';
import type { Lowered, LoweredQuery, LoweredRule, Relation } from './lowered.ts';
import type { Declarations } from './merge.ts';
import { programDigest } from './program-digest.ts';
import { functionsOf } from './shape.ts';
import { sortsOf, type RelationOf } from './sorts.ts';

/** A program with everything that the checks found out about it. */
export interface Checked {
  readonly program: ProgramIR;
  readonly declarations: Declarations;
  readonly authored: readonly Authored[];
  readonly decides: readonly Decide[];
}

export function lower({ program, declarations, authored, decides }: Checked): Lowered {
  const relations = new Map([...declarations.relations.values(), ...generatedRelations(declarations)].map((one) => [one.name, one]));
  const relationOf: RelationOf = (name) => relations.get(name);
  const byName = new Map(authored.map((one) => [one.id, one]));
  const written = decides.map((decide) => writeOut(decide, surroundingsOf(decide, byName, declarations, relationOf)));
  for (const one of written) for (const view of one.relations) relations.set(view.name, view);
  const rules = [
    ...authored.flatMap((one) => (one.role === 'rule' ? [lowerRule(one, declarations)] : [])),
    ...written.flatMap((one) => one.rules),
    ...askedSources(written, decides).flatMap((source) => heldRule(source, declarations)),
    ...[...declarations.intents.values()].map(dueRule),
  ];
  return {
    name: program.name,
    digest: programDigest(program, authored),
    relations,
    sources: declarations.sources,
    intents: declarations.intents,
    rules: byId(rules),
    queries: queriesOf(authored, declarations),
    invariants: [...program.invariants]
      .sort((left, right) => byCodePoint(left.name, right.name))
      .map(({ name, evidence, body, location }) => ({ name, evidence, body, ...(location === undefined ? {} : { location }) })),
    groups: groupsOf(program, declarations),
    declarations: program.declarations,
    functions: functionsOf(authored),
    scope: declarations.scope,
  };
}

function byId<Rule extends { readonly id: string }>(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((left, right) => byCodePoint(left.id, right.id));
}

function surroundingsOf(
  decide: Decide,
  authored: ReadonlyMap<string, Authored>,
  declarations: Declarations,
  relationOf: RelationOf,
): Surroundings {
  const { source, ir } = decide;
  const evidence = declarations.relations.get(source.relation)?.columns ?? [];
  const intent = source.intent === undefined ? undefined : declarations.intents.get(source.intent);
  const isAnsweredByQuery = relationOf(`confirmed.${source.decided}`)?.columns.some(({ name }) => name === 'query') === true;
  const id = evidence.find(({ name }) => name === 'id');
  const view: Surroundings['view'] = (name, clause, columns): Relation => {
    const own = authored.get(`${ir.name}.${clause}`);
    const { sorts } = own === undefined ? { sorts: new Map<string, never>() } : sortsOf(own, relationOf);
    return relation(
      name,
      'view',
      Object.entries(columns).flatMap(([column, term]) => {
        const ranged = column === 'id' ? id : 'var' in term ? sorts.get(term.var) : undefined;
        return ranged === undefined ? [] : [{ name: column, sort: ranged.sort, schema: ranged.schema, isReserved: false }];
      }),
    );
  };
  const payload = evidence.filter(({ isReserved }) => !isReserved).map(({ name }) => name);
  return { payload, isAnsweredByQuery, view, ...(intent === undefined ? {} : { intent }) };
}

function askedSources(written: readonly WrittenOut[], decides: readonly Decide[]) {
  return decides.flatMap(({ source }, index) =>
    written[index]?.rules.some(({ head }) => head.relation === `verdict.held.${source.name}`) === true ? [source] : [],
  );
}

function lowerRule(authored: Authored, declarations: Declarations): LoweredRule {
  const { id, own, location } = authored;
  const head = authored.head ?? missing(id);
  const restated = restate(authored, declarations);
  const at = location === undefined ? {} : { location };
  if (restated !== undefined && 'atoms' in restated) return { id, ...verdictRule(head, own, restated), ...at };
  if (namespaceOf(head.relation) === 'intent') return { id, ...intentRule(head, own, declarations), ...at };
  return { id, head: { relation: head.relation, columns: head.columns }, body: own, ...at };
}

function missing(id: string): never {
  throw new Error(`${id} has no head`);
}

/** A revocation is of a standing decision, which is a record; every other verdict is of an open row. */
function verdictRule(head: Atom, body: readonly Literal[], { source, verdict, id, atoms }: Restated): Omit<LoweredRule, 'id'> {
  const isFinal = verdict === 'accepted' || verdict === 'approved';
  const kept = Object.entries(head.columns).filter(([column]) => (isFinal ? source.recorded.includes(column) : column === 'reason'));
  const restatedAs = (atom: Atom): Atom => ({
    kind: 'atom',
    relation: verdict === 'revoked' ? atom.relation : `open.${source.name}`,
    columns: record([...Object.entries(atom.columns), ['id', id]]),
  });
  return {
    head: { relation: `verdict.${verdict}.${source.name}`, columns: record([['id', id], ...kept]) },
    body: replaceAtoms(body, atoms, restatedAs),
    decides: source.name,
    judged: id,
  };
}

/** The id of an act is the author's, or its decision's, or a digest of its identity. */
function intentRule({ relation, columns }: Atom, own: readonly Literal[], { intents }: Declarations): Pick<LoweredRule, 'head' | 'body'> {
  if (columns['id'] !== undefined) return { head: { relation, columns }, body: own };
  const approvals = approvalsOf({ kind: 'atom', relation, columns }, own);
  const id = [...(approvals ?? [])].flatMap((atom) => atom.columns['id'] ?? [])[0] ?? JUDGED_ID;
  const head = { relation, columns: record([['id', id], ...Object.entries(columns)]) };
  if (approvals === undefined) {
    const identity = [...(intents.get(ownName(relation))?.identity ?? [])].sort(byCodePoint);
    const values = identity.flatMap((column) => [{ const: column }, columns[column] ?? missing(column)]);
    return {
      head,
      body: [...own, { kind: 'bind', variable: JUDGED_ID.var, expression: actId([{ const: ownName(relation) }, ...values]) }],
    };
  }
  const named = (atom: Atom): Atom => ({ ...atom, columns: record([...Object.entries(atom.columns), ['id', id]]) });
  return { head, body: replaceAtoms(own, approvals, named) };
}

function queriesOf(authored: readonly Authored[], declarations: Declarations): ReadonlyMap<string, LoweredQuery> {
  return new Map(
    [...declarations.queries].map(([name, declared]) => {
      const rules = byId(
        authored
          .filter(({ role, head }) => role === 'query' && head?.relation === `query.${name}`)
          .map((one) => lowerRule(one, declarations)),
      );
      const digest = sha256(canonicalJson(rules.map(({ id, head, body }) => ({ id, head, body }))));
      return [name, { name, in: declared.in, out: declared.out, rules, digest }] as const;
    }),
  );
}

function groupsOf(program: ProgramIR, { sourceOf }: Declarations): readonly (readonly string[])[] {
  return program.rules
    .flatMap((part) =>
      part.kind === 'together' ? [part.sources.flatMap((source) => sourceOf.get(source)?.name ?? []).sort(byCodePoint)] : [],
    )
    .sort((left, right) => byCodePoint(left.join(' '), right.join(' ')));
}
