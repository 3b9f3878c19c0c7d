/** A session for facts alone: it has the types of its program, and runs nothing. */
import { expect, test } from "vitest";
import { compile, factSession } from "../../src/index.ts";

test("sessions for facts alone have the types of their own program", () => {
  const numbers = factSession(compile("type Order(#id: string, day: number)"));
  const dates = factSession(compile("type Order(#id: string, day: date)"));
  numbers.assert("Order", { id: "o1", day: 3 });
  dates.assert("Order", { id: "o1", day: "2026-11-16" });
  expect(numbers.facts().map(({ fields }) => fields)).toEqual([{ id: "o1", day: 3 }]);
  expect(dates.facts().map(({ fields }) => fields)).toEqual([{ id: "o1", day: "2026-11-16" }]);
});
