/** Random choices. */

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** Returns a random item; undefined when there is none. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[below(random, items.length)];
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** Returns at most `size` of the items, in their order. */
export function sampleOf<Item>(random: Random, items: readonly Item[], size: number): Item[] {
  if (items.length <= size) return [...items];
  const chosen = new Set<number>();
  while (chosen.size < size) chosen.add(below(random, items.length));
  return [...chosen].sort((a, b) => a - b).map((index) => items[index] as Item);
}
