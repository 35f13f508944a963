/**
 * A queue of ids by their position, as a binary heap: the first is found at once, and nothing is sorted twice.
 *
 * Reads  ids with a number each.
 * Gives  the ids in order of that number.
 * Never  holds an id twice.
 */
export class Queue {
  #heap: { readonly id: string; readonly at: number }[] = [];
  readonly #ids = new Set<string>();

  add(id: string, at: number): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    const heap = this.#heap;
    let child = heap.push({ id, at }) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.#at(child) >= this.#at(parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  drop(id: string): void {
    this.#ids.delete(id);
  }

  clear(): void {
    this.#heap = [];
    this.#ids.clear();
  }

  /** Ids in order. Those that are seen and not dropped stay in the queue. */
  *inOrder(): Generator<string> {
    const seen: { readonly id: string; readonly at: number }[] = [];
    try {
      for (let first = this.#pop(); first !== undefined; first = this.#pop()) {
        // An id that was dropped and came back may stand in the heap twice.
        if (!this.#ids.has(first.id) || seen.some(({ id }) => id === first?.id)) continue;
        seen.push(first);
        yield first.id;
      }
    } finally {
      for (const { id, at } of seen) {
        if (this.#ids.delete(id)) this.add(id, at);
      }
    }
  }

  #pop(): { readonly id: string; readonly at: number } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) if (child < heap.length && this.#at(child) < this.#at(least)) least = child;
      if (least === parent) return first;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #at(i: number): number {
    return (this.#heap[i] as { readonly at: number }).at;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap as { readonly id: string; readonly at: number }[];
    [heap[a], heap[b]] = [heap[b] as (typeof heap)[number], heap[a] as (typeof heap)[number]];
  }
}
