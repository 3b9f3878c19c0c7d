/** What is reached from a root along links, by hand: everything that a node leads to, and nothing when the root has gone. */
export class Reach {
  readonly #links = new Map<number, number[]>();
  readonly #reached = new Set<number>();

  add(from: number, to: number): void {
    const links = this.#links.get(from);
    if (links === undefined) this.#links.set(from, [to]);
    else links.push(to);
  }

  /** Reaches all that a root leads to. */
  root(from: number): void {
    const queue = [from];
    this.#reached.add(from);
    for (const node of queue) {
      for (const next of this.#links.get(node) ?? []) {
        if (this.#reached.has(next)) continue;
        this.#reached.add(next);
        queue.push(next);
      }
    }
  }

  /** Follows the only root once more, and drops what it led to. */
  dropRoot(from: number): void {
    const queue = [from];
    this.#reached.delete(from);
    for (const node of queue) {
      for (const next of this.#links.get(node) ?? []) if (this.#reached.delete(next)) queue.push(next);
    }
  }

  get size(): number {
    return this.#reached.size;
  }
}
