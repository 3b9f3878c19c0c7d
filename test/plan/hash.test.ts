/** Tests the hash that names nodes: XXH64 with known values, and the same result with and without WebAssembly. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainXxHash64, xxHash64 } from "../../src/plan/hash.ts";

test("the plain version gives what the WebAssembly gives", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: "binary" }), (text) => plainXxHash64(text) === xxHash64(text)),
  );
});

test("known values of XXH64 with seed 0", () => {
  expect(plainXxHash64("").toString(16)).toBe("ef46db3751d8e999");
  expect(plainXxHash64("a").toString(16)).toBe("d24ec4f1a98c6e5b");
  expect(plainXxHash64("abc").toString(16)).toBe("44bc2cf5ad770999");
});
