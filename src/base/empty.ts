/**
 * Empties a map or set. V8 makes a new table for `clear()` even where there is nothing to remove, and a session that is used
 * again has dozens of tables that one request leaves empty.
 */
export function empty(table: { readonly size: number; clear(): void }): void {
  if (table.size > 0) table.clear();
}

/** Returns an empty list: the same one when it is empty. */
export function emptied<Item>(list: Item[]): Item[] {
  return list.length === 0 ? list : [];
}
