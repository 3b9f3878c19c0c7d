/** Comparison for properties that compare millions of times: `expect` takes microseconds, and this only where something differs. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Expects both to be equal, as `toEqual` does. */
export function expectEqual(actual: unknown, expected: unknown, what?: string): void {
  if (actual !== expected && !isDeepStrictEqual(actual, expected)) expect(actual, what).toEqual(expected);
}
