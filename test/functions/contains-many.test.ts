/** Tests `contains any` and `contains all` on long lists: the same answers as item by item, in linear time. */
import { describe, expect, test } from "vitest";
import { contains, containsAll, containsAny } from "../../src/functions/operator/contains.ts";
import type { Truth } from "../../src/base/truth.ts";
import type { Value } from "../../src/base/value.ts";

const LENGTH = 60;
const numbers = (from: number, length = LENGTH): Value[] => Array.from({ length }, (_, at) => from + at);

const LISTS: readonly (readonly [name: string, list: readonly Value[]])[] = [
  ["numbers", numbers(0)],
  ["other numbers", numbers(1000)],
  ["numbers that overlap", numbers(59)],
  ["the same numbers as strings", numbers(0).map(String)],
  ["0 and false", [...numbers(1), 0, false]],
  ["-0", [...numbers(5000), -0]],
  ["a list among numbers", [...numbers(2000), [1]]],
  ["lists", numbers(0).map((one) => [one])],
  ["objects", numbers(0).map((one) => ({ one }))],
];

function anyOf(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
}

function allOf(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
}

describe.each(LISTS)("in %s", (_, whole) => {
  test.each(LISTS)("%s", (_name, parts) => {
    const each = parts.map((part) => contains(whole, part));
    expect(containsAny(whole, parts)).toBe(anyOf(each));
    expect(containsAll(whole, parts)).toBe(allOf(each));
  });
});

test("each item is read a few times, not once for every part", () => {
  const readsFor = (length: number): number => {
    let reads = 0;
    const counting = new Proxy(numbers(0, length), {
      get: (of, key) => {
        reads += 1;
        return Reflect.get(of, key) as unknown;
      },
    });
    containsAny(counting, numbers(length, length));
    return reads;
  };
  expect(readsFor(2000)).toBeLessThan(2.1 * readsFor(1000));
});
