/** What gates, guardians and pipelines say when a run has ended, a row for each. */
import type { RunResult } from "../index.ts";
import { gateCells } from "./decide/gate-text.ts";
import type { Paint } from "./paint.ts";
import { decisionCells, verdictCells } from "./run/verdict-text.ts";

export function outcomeRows(paint: Paint, { gates, verdicts, decisions }: RunResult): string[][] {
  return [
    ...gates.map((answer) => ["gate", ...gateCells(paint, answer)]),
    ...verdicts.map((answer) => ["guardian", ...verdictCells(paint, answer)]),
    ...decisions.flatMap((answer) => ("pipeline" in answer ? [["pipeline", ...decisionCells(paint, answer)]] : [])),
  ];
}
