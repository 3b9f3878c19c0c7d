/** Tests work in slices. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finish, Slices, sorted, type Steps } from "../../src/base/slices.ts";

function* counting(steps: number, done: number[]): Steps<number> {
  for (let at = 0; at < steps; at++) {
    done.push(at);
    yield;
  }
  return steps;
}

test("work pauses after at most 1,000 steps, also across pieces of work", async () => {
  const done: number[] = [];
  const slices: number[] = [];
  const work = new Slices(() => {
    slices.push(done.length);
    return Promise.resolve();
  });
  expect(await work.run(counting(2_500, done))).toBe(2_500);
  expect(await work.run(counting(700, done))).toBe(700);
  const sizes = slices.map((end, at) => end - (slices[at - 1] ?? 0));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  expect(slices.length).toBeGreaterThanOrEqual(3);
});

test("work that fails ends with its error", async () => {
  function* failing(): Steps<void> {
    yield;
    throw new Error("no");
  }
  await expect(new Slices().run(failing())).rejects.toThrow("no");
});

test("sorting in steps gives what sort gives", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }), fc.nat({ max: 60 }), (items, copies) => {
      const many = Array.from({ length: copies }, () => items).flat();
      expect(finish(sorted(many, (a, b) => a - b))).toEqual([...many].sort((a, b) => a - b));
    }),
    { numRuns: 200 },
  );
});
