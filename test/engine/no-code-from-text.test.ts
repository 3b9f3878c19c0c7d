/** Tests that the test run itself forbids code generation from strings, so no test can pass with `eval` or `new Function`. */
import { expect, test } from "vitest";

test("the suite runs where no code can be made from text", () => {
  // oxlint-disable-next-line no-new-func typescript/no-implied-eval -- that it throws is the point
  expect(() => new Function("return 1")).toThrow(EvalError);
});
