/**
 * Miss Manners: guests around a table, by depth-first search, cold and warm.
 *
 *   npm run bench -- manners
 */
import type { Benchmark } from "./lib/benchmark.ts";
import { wholeProgram } from "./lib/program-cases.ts";

export const benchmark: Benchmark = wholeProgram(
  "manners",
  "Miss Manners: guests around a table, by depth-first search (size: guests)",
  [16, 32, 64, 128],
);
