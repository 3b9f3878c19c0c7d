/**
 * WaltzDB: line drawings labelled with a database of labels, cold and warm.
 *
 *   npm run bench -- waltzdb
 */
import type { Benchmark } from "./lib/benchmark.ts";
import { wholeProgram } from "./lib/program-cases.ts";

export const benchmark: Benchmark = wholeProgram(
  "waltzdb",
  "WaltzDB: line drawings labelled with a database of labels (size: drawings)",
  [4, 8, 16],
);
