/** Checks for bugs of the engine. Mistakes in programs and data are never reported here: they are diagnostics. */

/** Marks a place that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** Returns a value that must be present; throws with the broken promise when it is missing. */
export function must<T>(value: T | null | undefined, promise: string): T {
  if (value === null || value === undefined) throw new Error(`broken promise: ${promise}`);
  return value;
}
