/** What a table gives when certain rows apply, as a text to compare: two outcomes with the same text are the same for every input. */
import { deepText, type Value } from "../../base/value.ts";
import { combined } from "../decide.ts";
import type { RowOutput, TableData } from "../table.ts";

/** Returns a text that is equal for two computed outputs only if their values are. */
type ComputedText = (index: number) => string;

/** Returns what the rows that apply give together; `computed` is a text for each output that is no constant. */
export function outcomeOf(table: TableData, rows: readonly number[], computed: ComputedText): string {
  const { policy } = table;
  if (policy === "unique" && rows.length > 1) return "clash";
  const counted = policy === "first" ? rows.slice(0, 1) : rows;
  if (counted.length === 0 && policy !== "sum" && policy !== "list") return "nothing";
  return JSON.stringify(
    (table.outputs ?? [null]).map((_, output) => {
      const given = counted.flatMap((row) => table.rows[row]?.outputs[output] ?? []);
      return outputText(policy, given, computed);
    }),
  );
}

/** Returns whether two rows give different constants for an output. */
export function contradict({ rows }: TableData, first: number, second: number): boolean {
  return (rows[first]?.outputs ?? []).some((one, output) => {
    const other = rows[second]?.outputs[output];
    return other !== undefined && "value" in one && "value" in other && deepText(one.value) !== deepText(other.value);
  });
}

function outputText(policy: TableData["policy"], given: readonly RowOutput[], computed: ComputedText): string {
  const values = given.flatMap((one) => ("value" in one ? [one.value] : []));
  const texts = given.flatMap((one) => ("computed" in one ? [computed(one.computed)] : []));
  switch (policy) {
    case "first":
    case "unique":
      return [...values.map(deepText), ...texts].join();
    case "any": {
      const constants = new Set(values.map(deepText));
      return constants.size > 1 ? "clash" : [...constants, ...new Set(texts.sort())].join();
    }
    case "list":
      return given.map((one) => ("value" in one ? deepText(one.value) : computed(one.computed))).join();
    case "sum":
      return [together(policy, values), ...texts.sort()].join();
    case "min":
    case "max":
      return [...(values.length === 0 ? [] : [together(policy, values)]), ...new Set(texts.sort())].join();
  }
}

function together(policy: "sum" | "min" | "max", values: readonly Value[]): string {
  const value = combined(
    policy,
    values.map((one) => ({ sure: true, value: one })),
  );
  return value === undefined ? "unknown" : deepText(value);
}
