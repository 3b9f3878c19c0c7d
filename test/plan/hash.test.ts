/** Tests the hash that names nodes: XXH64 with known values, and the same numbers before and after WebAssembly takes over. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import xxhash from "xxhash-wasm";
import { expect, test } from "vitest";
import { plainXxHash64 } from "../../src/base/xxhash64.ts";
import { startWebAssembly, xxHash64 } from "../../src/plan/hash.ts";

const wasm = await xxhash();
const h64 = (text: string): bigint => wasm.h64(text);

test("known values of XXH64 with seed 0", () => {
  expect(plainXxHash64("").toString(16)).toBe("ef46db3751d8e999");
  expect(plainXxHash64("a").toString(16)).toBe("d24ec4f1a98c6e5b");
  expect(plainXxHash64("abc").toString(16)).toBe("44bc2cf5ad770999");
  expect(plainXxHash64("Nobody inspects the spammish repetition").toString(16)).toBe("fbcea83c8a378bf1");
});

test("the plain version gives what the WebAssembly gives, for every length around a stripe", () => {
  for (let length = 0; length <= 200; length++) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 31 + length * 7) % 90))).join("");
    expect(plainXxHash64(text), text).toBe(h64(text));
  }
});

test("the plain version gives what the WebAssembly gives, for random strings", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400, unit: "binary" }),
    fc.string({ maxLength: 40, unit: "grapheme" }),
    fc.string({ minLength: 1000, maxLength: 3000 }),
  );
  fc.assert(
    fc.property(text, (one) => plainXxHash64(one) === h64(one)),
    { numRuns: 5000 },
  );
});

test("texts that collide have the same hash in both versions", () => {
  const file = new URL("../data/xxh64-collisions.json", import.meta.url);
  const { strings } = JSON.parse(readFileSync(file, "utf8")) as { readonly strings: readonly string[] };
  expect(strings.length).toBeGreaterThan(1);
  for (const text of strings) expect(plainXxHash64(text)).toBe(h64(text));
});

test("texts of unpaired surrogates have the same hash in both versions", () => {
  for (const text of ["\ud800", "a\udc00b", "\ud800\ud800".repeat(30)]) expect(plainXxHash64(text)).toBe(h64(text));
});

test("a hash is there before the WebAssembly, and is the same when that takes over", async () => {
  const texts = ["Order[.total > 100]", "x".repeat(500), "Straße~ß"];
  const hashes = (): bigint[] => texts.map((text) => xxHash64(text));
  const before = hashes();
  await startWebAssembly();
  expect(hashes()).toEqual(before);
  expect(texts.map((text) => h64(text))).toEqual(before);
});
