/**
 * Waltz: line drawings labelled by propagation, cold and warm.
 *
 *   npm run bench -- waltz
 */
import type { Benchmark } from "./lib/benchmark.ts";
import { wholeProgram } from "./lib/program-cases.ts";

export const benchmark: Benchmark = wholeProgram(
  "waltz",
  "Waltz: line drawings labelled by propagation (size: drawings)",
  [12, 25, 37, 50, 200],
);
