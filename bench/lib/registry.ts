/** All benchmarks by name. Each is loaded only when it is asked for. */
import type { Benchmark } from "./benchmark.ts";

export const BENCHMARKS: Readonly<Record<string, () => Promise<{ readonly benchmark: Benchmark }>>> = {
  workloads: () => import("../workloads.ts"),
};
