/** A set of objects that mostly has one member or none, and is then no `Set`. */
export type Few<Item extends object> = Item | Set<Item> | undefined;

export function withOne<Item extends object>(few: Few<Item>, item: Item): Few<Item> {
  if (few === undefined || few === item) return item;
  if (few instanceof Set) return few.add(item);
  return new Set([few, item]);
}

export function withoutOne<Item extends object>(few: Few<Item>, item: Item): Few<Item> {
  if (few === item) return undefined;
  if (!(few instanceof Set)) return few;
  few.delete(item);
  return few.size === 0 ? undefined : few;
}

const NONE: readonly never[] = [];

export function membersOf<Item extends object>(few: Few<Item>): Iterable<Item> {
  if (few === undefined) return NONE;
  return few instanceof Set ? few : [few];
}
