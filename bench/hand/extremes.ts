/** W14 by hand: a heap for either end. An old value stays in its heap until it comes to the top. */
type Told = (end: 0 | 1, value: number) => void;

export class Extremes {
  readonly #values: number[];
  readonly #least: Heap;
  readonly #greatest: Heap;
  readonly #tell: Told;

  constructor(values: readonly number[], tell: Told) {
    this.#values = [...values];
    this.#least = new Heap(this.#values, 1);
    this.#greatest = new Heap(this.#values, -1);
    this.#tell = tell;
  }

  /** Reports the least and the greatest value when they are others than before. */
  change(id: number, value: number): void {
    const [least, greatest] = [this.#least.top(), this.#greatest.top()];
    this.#values[id] = value;
    this.#least.push(id, value);
    this.#greatest.push(id, value);
    if (this.#least.top() !== least) this.#tell(0, this.#least.top());
    if (this.#greatest.top() !== greatest) this.#tell(1, this.#greatest.top());
  }
}

interface Entry {
  readonly id: number;
  readonly value: number;
}

class Heap {
  readonly #entries: Entry[] = [];
  readonly #values: readonly number[];
  /** 1 with the least value on top, -1 with the greatest. */
  readonly #sign: 1 | -1;

  constructor(values: readonly number[], sign: 1 | -1) {
    this.#values = values;
    this.#sign = sign;
    for (const [id, value] of values.entries()) this.push(id, value);
  }

  push(id: number, value: number): void {
    const entries = this.#entries;
    let at = entries.length;
    const entry = { id, value };
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || !this.#before(entry, parent)) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  /** Returns the value at the top that an item still has. */
  top(): number {
    for (;;) {
      const top = this.#entries[0];
      if (top === undefined || this.#values[top.id] === top.value) return top?.value ?? Number.NaN;
      this.#pop();
    }
  }

  #pop(): void {
    const entries = this.#entries;
    const entry = entries.pop();
    if (entry === undefined || entries.length === 0) return;
    let at = 0;
    for (;;) {
      const left = entries[2 * at + 1];
      const right = entries[2 * at + 2];
      const next = right !== undefined && left !== undefined && this.#before(right, left) ? right : left;
      if (next === undefined || !this.#before(next, entry)) break;
      entries[at] = next;
      at = 2 * at + (next === left ? 1 : 2);
    }
    entries[at] = entry;
  }

  #before(a: Entry, b: Entry): boolean {
    return this.#sign * (a.value - b.value) < 0;
  }
}
