/**
 * Why a row is not there: for each rule that could give one, the premise that fails first, and what would have let it pass.
 *
 * Reads  the state, and the rules as their authors wrote them.
 * Gives  plain data, at most `missesMax` rules of it.
 * Never  says that there is no way: only where each of the ways that were tried came to an end.
 */
import type { Value } from '../../dsl/ir.ts';
import type { Row } from '../../dsl/record.ts';
import { visitsMax, type Because } from '../engine/engine.ts';
import { toldName, type TableId } from '../load/load.ts';
import { actStanding } from './act-told.ts';
import { rowText, type Miss, type WhyNot } from './proof.ts';
import type { State } from './state.ts';
import { passText } from './told.ts';
import type { Status } from './verdict.ts';
import { Tree } from './why.ts';

/** Rules that one question tries, and how often one follows a premise that is itself derived. */
export const missesMax = 50;
const missDepthMax = 3;

/** How a row of evidence stands, in a sentence. */
export type Stands = (id: string) => { readonly is: Status; readonly sentence: string } | undefined;

export function whyNotRow(state: State, table: TableId, columns: ReadonlyMap<number, Value>, stands: Stands): WhyNot {
  const tree = new Tree(state);
  return tree.grown(new Search(state, tree, stands).whyNot(table, columns, 0));
}

/** Records that no rule gives, and when they are made. */
const WHEN: ReadonlyMap<string, string> = new Map([
  ['withdrawn', 'an act is withdrawn when it is to start and its rule no longer holds'],
  ['conflict', 'acts are in conflict when they have one identity and other bindings'],
]);

class Search {
  readonly #state: State;
  readonly #tree: Tree;
  readonly #stands: Stands;
  #left = missesMax;

  constructor(state: State, tree: Tree, stands: Stands) {
    this.#state = state;
    this.#tree = tree;
    this.#stands = stands;
  }

  whyNot(table: TableId, columns: ReadonlyMap<number, Value>, depth: number): WhyNot {
    const { name, life, columns: names } = this.#state.plan.tables[table] ?? { name: '', life: 'view', columns: [] };
    const given = Object.fromEntries([...columns].map(([i, value]) => [names[i] ?? '', value]));
    const about = { relation: toldName(name, this.#state.plan), columns: given };
    const row = this.#state.engine.prover.first(table, given);
    const isThere = row === undefined ? [] : ['there is such a row'];
    if (life === 'report') return { ...about, tried: [], notes: row === undefined ? ['no report has such a row'] : isThere };
    if (life === 'query') return { ...about, tried: [], notes: ['rows of a query exist only while it is asked'] };
    const [, kind = '', own = ''] = /^(decision\.\w+|admitted|started|withdrawn|conflict|due)\.(.*)$/.exec(name) ?? [];
    const { tried, notes } =
      row === undefined && own !== '' ? this.#unmade(table, kind, own, given, depth) : this.#tried(table, given, depth);
    const none = tried.length + notes.length + isThere.length === 0 ? ['no rule could give such a row'] : [];
    return { ...about, tried, notes: [...isThere, ...notes, ...none] };
  }

  #tried(table: TableId, given: Row, depth: number): Pick<WhyNot, 'tried' | 'notes'> {
    const { columns: names = [] } = this.#state.plan.tables[table] ?? {};
    const columns = Object.entries(given).flatMap(([name, value]) => (names.includes(name) ? [[names.indexOf(name), value] as const] : []));
    let isCut = false;
    const isAsked = () => this.#left-- > 0 || !(isCut = true);
    const tried = this.#state.engine.prover.attempts(table, new Map(columns), isAsked);
    return {
      tried: tried.flatMap((one) => this.#miss(one, depth) ?? []),
      notes: isCut ? [`no more than ${missesMax} rules were tried`] : [],
    };
  }

  /** A record is made where rules derive what it is of: a verdict on an open row, a row of an intent. */
  #unmade(table: TableId, kind: string, own: string, given: Row, depth: number): Pick<WhyNot, 'tried' | 'notes'> {
    const [, verdict] = kind.split('.');
    return verdict === undefined ? this.#noAct(table, kind, own, given, depth) : this.#undecided(verdict, own, given, depth);
  }

  /** Of an act that is derived, or was admitted, it is said how it stands; of any other, how far its rules come. */
  #noAct(table: TableId, kind: string, own: string, given: Row, depth: number): Pick<WhyNot, 'tried' | 'notes'> {
    const intent = this.#state.table(`intent.${own}`);
    const general = WHEN.get(kind);
    const when = general === undefined ? [] : [general];
    if (intent === undefined) return { tried: [], notes: when };
    const derived = this.#rowOf(intent, given);
    const known = derived ?? (kind === 'admitted' ? undefined : this.#rowOf(this.#state.table(`admitted.${own}`), given));
    const columns = this.#state.plan.tables[intent]?.columns ?? [];
    const row = known === undefined ? undefined : Object.fromEntries(columns.map((column) => [column, known[column] ?? '']));
    const notes = [...when, ...(row === undefined ? [] : [actStanding(this.#state, own, row)])];
    // Whatever is derived fails at no rule of its intent, and no rule withdraws an act or brings it into conflict.
    if (when.length > 0 || (derived !== undefined && kind !== 'due')) return { tried: [], notes };
    // What is derived and not due has started or was not admitted, which the note says.
    const { tried, notes: more } = this.#tried(kind === 'due' ? table : intent, given, derived === undefined ? depth : missDepthMax);
    return { tried, notes: [...notes, ...more] };
  }

  #rowOf(table: TableId | undefined, given: Row): Row | undefined {
    const { columns = [] } = this.#state.plan.tables[table ?? -1] ?? {};
    const own = Object.fromEntries(Object.entries(given).filter(([column]) => columns.includes(column)));
    const row = table === undefined ? undefined : this.#state.engine.prover.first(table, own);
    return row === undefined || table === undefined ? undefined : this.#state.named(table, row);
  }

  #undecided(verdict: string, own: string, given: Row, depth: number): Pick<WhyNot, 'tried' | 'notes'> {
    const sources = [...this.#state.plan.sources.values()].filter(({ decided }) => decided === own);
    const all = sources.map(({ name, relation, payload, constants }): Pick<WhyNot, 'tried' | 'notes'> => {
      if (Object.entries(constants).some(([column, value]) => given[column] !== undefined && given[column] !== value))
        return { tried: [], notes: [] };
      const wanted = Object.fromEntries(Object.entries(given).filter(([column]) => column === 'id' || payload.includes(column)));
      const id = this.#idOf(relation, name, wanted);
      if (id === undefined) return { tried: [], notes: [`there is no ${rowText(relation, wanted)}`] };
      const stands = this.#stands(id);
      const notes = stands === undefined || stands.is === verdict ? [] : [`${id} is ${stands.sentence}`];
      const table = this.#state.table(`verdict.${verdict}.${name}`);
      const isOpen = stands?.is === 'held' || stands?.is === 'pending' || verdict === 'revoked';
      if (!isOpen || table === undefined) return { tried: [], notes };
      const { tried, notes: more } = this.#tried(table, { ...given, id }, depth);
      return { tried, notes: [...notes, ...more] };
    });
    return { tried: all.flatMap(({ tried }) => tried), notes: all.flatMap(({ notes }) => notes) };
  }

  /** The row that is spoken of: an open one before one that is decided. */
  #idOf(relation: string, source: string, wanted: Row): string | undefined {
    for (const name of [`open.${source}`, relation]) {
      const table = this.#state.table(name);
      const row = table === undefined ? undefined : this.#state.engine.prover.first(table, wanted);
      if (table !== undefined && row !== undefined) return String(this.#state.named(table, row)['id']);
    }
    return this.#state.evidence.has(String(wanted['id'])) ? String(wanted['id']) : undefined;
  }

  #miss(because: Because, depth: number): Miss | undefined {
    if (because.tried === undefined) return undefined;
    const { premises, isMiss: _, ...reason } = this.#tree.reason(because);
    const fails = premises.at(-1);
    if (fails === undefined) return undefined;
    const left = because.rule.told.steps.length - because.tried.length;
    const own = { ...reason, premises: premises.slice(0, -1), fails, left };
    if (because.gaveUp) return { ...own, wouldPass: `nothing that was found: the search gave up after ${visitsMax} rows` };
    const table = fails.is === 'row' ? this.#state.table(fails.relation) : undefined;
    const isDerived = this.#state.plan.tables[table ?? -1]?.life !== 'report';
    if (table === undefined || fails.is !== 'row' || depth >= missDepthMax || !isDerived) return { ...own, wouldPass: passText(fails) };
    const { columns: names = [] } = this.#state.plan.tables[table] ?? {};
    const columns = new Map(Object.entries(fails.columns).map(([name, value]) => [names.indexOf(name), value]));
    return { ...own, wouldPass: passText(fails), since: this.whyNot(table, columns, depth + 1) };
  }
}
