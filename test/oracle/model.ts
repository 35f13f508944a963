/**
 * A model: rows by relation, each with the evidence that any of its derivations rests on.
 *
 * Reads  rows as they are put in.
 * Gives  them back, and says whether a row or a ground for it was new.
 * Never  forgets a row: a model is built up once, and the next one is built from nothing.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import type { Row } from '../../dsl/record.ts';

export interface Tuple {
  readonly row: Row;
  /** Ids of the evidence rows that it rests on. */
  readonly restsOn: ReadonlySet<string>;
}

export class Model {
  readonly #relations = new Map<string, Map<string, { readonly row: Row; readonly restsOn: Set<string> }>>();

  /** True when the row, or something that it rests on, was not known. */
  put(relation: string, row: Row, restsOn: Iterable<string> = []): boolean {
    const tuples = this.#relations.get(relation) ?? new Map();
    this.#relations.set(relation, tuples);
    const key = canonicalJson(row);
    const known = tuples.get(key);
    if (known === undefined) {
      tuples.set(key, { row, restsOn: new Set(restsOn) });
      return true;
    }
    const count = known.restsOn.size;
    for (const id of restsOn) known.restsOn.add(id);
    return known.restsOn.size > count;
  }

  tuples(relation: string): Tuple[] {
    return [...(this.#relations.get(relation)?.values() ?? [])];
  }

  has(relation: string, columns: Row): boolean {
    return this.tuples(relation).some(({ row }) => Object.entries(columns).every(([column, value]) => row[column] === value));
  }

  relations(): string[] {
    return [...this.#relations.keys()];
  }

  copy(): Model {
    const copy = new Model();
    for (const [relation, tuples] of this.#relations) {
      copy.#relations.set(relation, new Map([...tuples].map(([key, { row, restsOn }]) => [key, { row, restsOn: new Set(restsOn) }])));
    }
    return copy;
  }
}
