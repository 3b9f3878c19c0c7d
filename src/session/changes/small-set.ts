/** A set of objects that costs no `Set` while it has one member or none. */
export type SmallSet<Item extends object> = Item | Set<Item> | undefined;

/** Returns the set with one more member; a `Set` is changed in place. */
export function withOne<Item extends object>(set: SmallSet<Item>, item: Item): SmallSet<Item> {
  if (set === undefined || set === item) return item;
  if (set instanceof Set) return set.add(item);
  return new Set([set, item]);
}

/** Returns the set without a member; undefined when it becomes empty. */
export function withoutOne<Item extends object>(set: SmallSet<Item>, item: Item): SmallSet<Item> {
  if (set === item) return undefined;
  if (!(set instanceof Set)) return set;
  set.delete(item);
  return set.size === 0 ? undefined : set;
}

const NONE: readonly never[] = [];

/** Returns the members, in the order they were added. */
export function membersOf<Item extends object>(set: SmallSet<Item>): Iterable<Item> {
  if (set === undefined) return NONE;
  return set instanceof Set ? set : [set];
}
