/** The outcomes of gates, guardians and pipelines at the end of a run, a row for each. */
import type { RunResult } from "../index.ts";
import { gateCells } from "./decide/gate-text.ts";
import { type FactNaming, factName } from "./fact-names.ts";
import type { Paint } from "./paint.ts";
import { decisionCells, verdictCells } from "./run/verdict-text.ts";

/** Returns a row for each outcome; `nameOf` turns the ids of subjects into names. */
export function outcomeRows(
  paint: Paint,
  { gates, verdicts, decisions }: RunResult,
  nameOf: FactNaming = factName,
): string[][] {
  return [
    ...gates.map((answer) => ["gate", ...gateCells(paint, answer, nameOf)]),
    ...verdicts.map((answer) => ["guardian", ...verdictCells(paint, answer, nameOf)]),
    ...decisions.flatMap((answer) =>
      "pipeline" in answer ? [["pipeline", ...decisionCells(paint, answer, nameOf)]] : [],
    ),
  ];
}
