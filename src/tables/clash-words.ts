/** What is wrong where rows apply at the same time although the hit policy of the table does not allow it, in words. */
import type { TableData } from "./table.ts";

/** The most rows that are named. */
const MOST_NAMED = 3;

/** Returns what happened, as a predicate after the name of the table, and what to do. Rows are counted from 1. */
export function clashWords({ policy }: TableData, rows: readonly number[]): readonly [how: string, hint: string] {
  const numbers = rows.slice(0, MOST_NAMED).map((row) => String(row + 1));
  const more = rows.length > MOST_NAMED ? `, and ${rows.length - MOST_NAMED} more` : "";
  const named = `rows ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1) ?? ""}${more}`;
  return policy === "unique"
    ? [`is not unique: ${named} apply`, 'change the rows so that one applies, or write "first" in place of "unique"']
    : [`is contradictory: ${named} apply and give different values`, "make the rows give the same values"];
}
