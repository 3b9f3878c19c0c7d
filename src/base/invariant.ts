/** For our own bugs only. What a user wrote never ends here: that is a diagnostic. */

/** Marks a place that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** The value, which our own code promises to be there. */
export function must<T>(value: T | null | undefined, promise: string): T {
  if (value === null || value === undefined) throw new Error(`broken promise: ${promise}`);
  return value;
}
