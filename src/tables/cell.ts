/** Whether an input passes a cell: true, false, or unknown where the input is missing or cannot be compared. */
import { compareBy } from "../base/comparator.ts";
import { not, type Truth } from "../base/truth.ts";
import { equal, type Maybe } from "../base/value.ts";
import type { Cell, CellTest, Plain } from "./table.ts";

/** Returns whether an input passes a cell. */
export function cellTruth(cell: Cell, input: Maybe): Truth {
  if (cell === null) return true;
  let result: Truth = false;
  for (const test of cell) {
    const truth = testTruth(test, input);
    if (truth === true) return true;
    if (truth === undefined) result = undefined;
  }
  return result;
}

function testTruth(test: CellTest, input: Maybe): Truth {
  switch (test.op) {
    case "among":
      return isAmong(test.values, input);
    case "not among":
      return not(isAmong(test.values, input));
    case "within":
      return isWithin(test, input);
    case "outside":
      return not(isWithin(test, input));
    default:
      return compareBy(test.op, input, test.value);
  }
}

function isAmong(values: readonly Plain[], input: Maybe): Truth {
  let result: Truth = false;
  for (const value of values) {
    const truth = equal(input, value);
    if (truth === true) return true;
    if (truth === undefined) result = undefined;
  }
  return result;
}

function isWithin(
  { from, to, open }: { readonly from: Plain; readonly to: Plain; readonly open: boolean },
  input: Maybe,
): Truth {
  const above = compareBy(">=", input, from);
  const below = compareBy(open ? "<" : "<=", input, to);
  if (above === false || below === false) return false;
  return above === undefined || below === undefined ? undefined : true;
}
