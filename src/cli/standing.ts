/** What gates, guardians and pipelines say when a run has ended, a row for each. */
import type { RunResult } from "../index.ts";
import { gateCells } from "./decide/words.ts";
import type { Paint } from "./paint.ts";
import { decisionCells, verdictCells } from "./run/verdict-words.ts";

export function standingRows(paint: Paint, { gates, verdicts, decisions }: RunResult): string[][] {
  return [
    ...gates.map((answer) => ["gate", ...gateCells(paint, answer)]),
    ...verdicts.map((answer) => ["guardian", ...verdictCells(paint, answer)]),
    ...decisions.flatMap((answer) => ("pipeline" in answer ? [["pipeline", ...decisionCells(paint, answer)]] : [])),
  ];
}
