/** Whether an input passes a cell: true, false, or unknown where the input is missing or cannot be compared. */
import { not, type Truth } from "../base/truth.ts";
import { equal, type Maybe, order } from "../base/value.ts";
import type { Cell, CellComparator, CellTest, Plain } from "./table.ts";

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
      return compared(test.op, input, test.value);
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
  const above = compared(">=", input, from);
  const below = compared(open ? "<" : "<=", input, to);
  if (above === false || below === false) return false;
  return above === undefined || below === undefined ? undefined : true;
}

function compared(op: CellComparator, input: Maybe, value: Plain): Truth {
  if (op === "==") return equal(input, value);
  if (op === "!=") return not(equal(input, value));
  const difference = order(input, value);
  if (difference === undefined) return undefined;
  switch (op) {
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}
