/**
 * The grounds of a row: where following its derivation ends, and which evidence stands there.
 *
 * Reads  the state: which relations are evidence, decisions and records of acts.
 * Gives  leaves for the engine's lineage.
 * Never  follows a decision to what it rested on: a record is a ground of its own.
 */
import type { LeafOf } from '../engine/engine.ts';
import type { State } from './state.ts';

const ACTS: ReadonlySet<string> = new Set(['admitted', 'started', 'withdrawn', 'conflict']);

export function leafOf(state: State): LeafOf {
  const evidence = new Set([...state.plan.sources.values()].map(({ relation }) => relation));
  return (table, row) => {
    const { name, life, columns } = state.plan.tables[table] ?? { name: '', life: 'view', columns: [] };
    if (life === 'view' || life === 'query') return undefined;
    const id = String(row[columns.indexOf('id')]);
    const [namespace = '', own = ''] = name.split('.');
    if (evidence.has(name) || namespace === 'decision' || namespace === 'open' || namespace === 'exposure') return [id];
    return ACTS.has(namespace) ? groundsOfAct(state, namespace, own, id) : [];
  };
}

function groundsOfAct(state: State, kind: string, intent: string, id: string): readonly string[] {
  return state
    .actsAbout(id)
    .flatMap((record) => (record.record === kind && record.intent === intent && record.row['id'] === id ? record.restsOn : []));
}
