/**
 * Names of a foreign program as names that the language takes.
 *
 * Reads  any text.
 * Gives  a name of letters and digits that begins with a lower-case letter, the same one for the same text, and no name twice.
 * Never  remembers across namers: each program has one for relations, each rule one for variables.
 */

/** `key` tells apart what has the same text; left out, the text is its own key. */
export type Namer = (text: string, key?: unknown) => string;

export function namer(): Namer {
  const byKey = new Map<unknown, string>();
  const taken = new Set<string>();
  return (text, key = text) => {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const wanted = camelCase(text);
    let name = wanted;
    for (let copies = 2; taken.has(name); copies++) name = `${wanted}n${copies}`;
    taken.add(name);
    byKey.set(key, name);
    return name;
  };
}

function camelCase(text: string): string {
  const [first = '', ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = [
    first.slice(0, 1).toLowerCase() + first.slice(1),
    ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)),
  ].join('');
  return /^[a-z]/.test(joined) ? joined : `n${joined}`;
}
