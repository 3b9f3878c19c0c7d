/** Tests the labels that name facts in sentences. */
import { expect, test } from "vitest";
import { factLabel } from "../../src/base/fact-label.ts";
import { keyedId, keylessId } from "../../src/base/identity.ts";

test.each([
  [keyedId("Order", ["o1"]), "Order o1"],
  [keyedId("Order", ["o_1"]), "Order o_1"],
  [keyedId("Order", ["my order"]), 'Order "my order"'],
  [keyedId("Order", [""]), 'Order ""'],
  [keyedId("Order", ["a/b"]), 'Order "a/b"'],
  [keyedId("Order", ["50%~"]), 'Order "50%~"'],
  [keyedId("Release", ["r-42"]), "Release r-42"],
  [keyedId("Reading", [7]), "Reading 7"],
  [keyedId("Order", ["@1x"]), "Order @1x"],
  [keyedId("Line", ["o1", 3]), "Line o1/3"],
  [keyedId("Line", ["o_1", true]), "Line o_1/true"],
  [keylessId("Alert", 12), "Alert #12"],
  ["nothing like an id", "nothing like an id"],
])("%s is called %s", (id, label) => {
  expect(factLabel(id)).toBe(label);
});
