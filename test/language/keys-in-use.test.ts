/** The keys of facts that a program states: with several key fields, facts are the same when all of them are. */
import { expect, test } from "vitest";
import { check } from "../../src/index.ts";

const codes = (facts: string): readonly string[] =>
  check(`type Seat(#row: string, #place: number)\n${facts}`).diagnostics.map(({ code }) => code);

test.each([
  ['Seat("a", 1) Seat("a", 2)', []],
  ['Seat("a", 1) Seat("b", 1)', []],
  ['Seat("a~1", 2) Seat("a", 12)', []],
  ['Seat("a", 1) Seat(place: 1, row: "a")', ["E410"]],
])("%s", (facts, expected) => {
  expect(codes(facts)).toEqual(expected);
});
