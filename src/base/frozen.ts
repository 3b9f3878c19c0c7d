/**
 * Freezes what several listeners receive, so that none of them can change what the others, or the session, see.
 *
 * Getters are not called: they may be made to compute something late. What is frozen already is frozen all the way down.
 */

/** Freezes an object or a list, and everything that its properties hold. Returns it. */
export function frozen<Data>(data: Data): Data {
  if (typeof data !== "object" || data === null || Object.isFrozen(data)) return data;
  if (Array.isArray(data)) for (const item of data as readonly unknown[]) frozen(item);
  else for (const name of Object.keys(data)) freezeProperty(data, name);
  return Object.freeze(data);
}

function freezeProperty(data: object, name: string): void {
  const property = Object.getOwnPropertyDescriptor(data, name);
  if (property !== undefined && "value" in property) frozen(property.value as unknown);
}
