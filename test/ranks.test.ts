/** Numbers below a limit are put in order, whichever of the three ways suits how many there are. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Ranks } from "../src/rete/ranks.ts";

const some = (limit: number, most: number): fc.Arbitrary<{ limit: number; numbers: number[] }> =>
  fc.record({
    limit: fc.constant(limit),
    numbers: fc.uniqueArray(fc.nat(limit - 1), { minLength: 0, maxLength: most }),
  });

test.each([
  ["few", some(40, 16)],
  ["many of few", some(300, 200)],
  ["many of very many", some(50_000, 60)],
])("%s", (_, cases) => {
  fc.assert(
    fc.property(cases, fc.boolean(), ({ limit, numbers }, twice) => {
      const ranks = new Ranks(limit);
      for (let time = 0; time < (twice ? 2 : 1); time++) {
        ranks.size = 0;
        for (const number of numbers) ranks.add(number);
        ranks.sort();
        expect([...ranks.ranks.subarray(0, ranks.size)]).toEqual([...numbers].sort((a, b) => a - b));
      }
    }),
  );
});
