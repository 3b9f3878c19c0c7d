/** Tests the labels that name facts in sentences. */
import { expect, test } from "vitest";
import { factLabel } from "../../src/base/fact-label.ts";
import { keyedId, keylessId, singleKeyedId } from "../../src/base/identity.ts";

test.each([
  [singleKeyedId("Order", "o1"), "Order o1"],
  [singleKeyedId("Order", "o_1"), "Order o_1"],
  [singleKeyedId("Order", "my order"), 'Order "my order"'],
  [singleKeyedId("Order", ""), 'Order ""'],
  [singleKeyedId("Order", "a/b"), 'Order "a/b"'],
  [singleKeyedId("Order", "50%~"), 'Order "50%~"'],
  [singleKeyedId("Release", "r-42"), "Release r-42"],
  [singleKeyedId("Reading", 7), "Reading 7"],
  [singleKeyedId("Order", "@1x"), "Order @1x"],
  [keyedId("Line", ["o1", 3]), "Line o1/3"],
  [keyedId("Line", ["o_1", true]), "Line o_1/true"],
  [keylessId("Alert", 12), "Alert #12"],
  ["nothing like an id", "nothing like an id"],
])("%s is called %s", (id, label) => {
  expect(factLabel(id)).toBe(label);
});
