/** Random numbers that are the same on every machine, and the sum that says what fired. */

export type Random = () => number;

export const SEED = 20_261_115;

/** Mulberry32: one word of state, from 0 up to 1. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

export function shuffle<Item>(random: Random, items: Item[]): Item[] {
  for (let index = items.length - 1; index > 0; index--) {
    const other = below(random, index + 1);
    const [item, swapped] = [items[index], items[other]];
    if (item === undefined || swapped === undefined) continue;
    items[index] = swapped;
    items[other] = item;
  }
  return items;
}

/** Counts firings and adds them up in a way that any order gives the same sum. */
export class Tally {
  firings = 0;
  checksum = 0;

  readonly fire = (rule: number, id: number): void => {
    this.firings++;
    const mixed = Math.imul(rule + 1, 0x9e3779b1) ^ Math.imul(id + 1, 0x85ebca6b);
    this.checksum = (this.checksum + (mixed >>> 0)) >>> 0;
  };

  /** What was counted since the last time. */
  take(): { firings: number; checksum: number } {
    const { firings, checksum } = this;
    this.firings = 0;
    this.checksum = 0;
    return { firings, checksum };
  }
}
