/** Tests the ordering of numbers below a limit: all three algorithms sort correctly and leave nothing behind. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Ranks } from "../../src/rete/ranks.ts";

const some = (limit: number, most: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.nat(limit - 1), { maxLength: most, size: "max" });

test.each([
  ["few", 40, 16],
  ["many of few", 300, 200],
  ["many of very many", 50_000, 60],
])("%s", (_, limit, most) => {
  fc.assert(
    fc.property(some(limit, most), some(limit, most), (first, second) => {
      const ranks = new Ranks(limit);
      for (const numbers of [first, second]) {
        ranks.size = 0;
        for (const number of numbers) ranks.add(number);
        ranks.sort();
        expect([...ranks.ranks.subarray(0, ranks.size)]).toEqual([...numbers].sort((a, b) => a - b));
      }
    }),
  );
});
