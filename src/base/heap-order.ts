/** A list as a binary heap: the first item comes before all others. Adding and removing the first take O(log n). */

export function makeHeap<Item>(items: Item[], compare: (a: Item, b: Item) => number): Item[] {
  for (let at = (items.length >> 1) - 1; at >= 0; at--) sink(items, at, compare);
  return items;
}

export function dropFirst<Item>(items: Item[], compare: (a: Item, b: Item) => number): void {
  const last = items.pop();
  if (last === undefined || items.length === 0) return;
  items[0] = last;
  sink(items, 0, compare);
}

function sink<Item>(items: Item[], from: number, compare: (a: Item, b: Item) => number): void {
  const item = items[from] as Item;
  let at = from;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= items.length) break;
    const right = below + 1;
    if (right < items.length && compare(items[right] as Item, items[below] as Item) < 0) below = right;
    if (compare(item, items[below] as Item) <= 0) break;
    items[at] = items[below] as Item;
    at = below;
  }
  items[at] = item;
}

export function addToHeap<Item>(items: Item[], item: Item, compare: (a: Item, b: Item) => number): void {
  let at = items.length;
  items.push(item);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (compare(items[above] as Item, item) <= 0) break;
    items[at] = items[above] as Item;
    at = above;
  }
  items[at] = item;
}
