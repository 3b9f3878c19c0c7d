/** All benchmarks by name. Each is loaded only when it is asked for. */
import type { Benchmark } from "./benchmark.ts";

export const BENCHMARKS: Readonly<Record<string, () => Promise<{ readonly benchmark: Benchmark }>>> = {
  workloads: () => import("../workloads.ts"),
  manners: () => import("../manners.ts"),
  waltz: () => import("../waltz.ts"),
  waltzdb: () => import("../waltzdb.ts"),
  peers: () => import("../peers.ts"),
  sharing: () => import("../sharing.ts"),
  scale: () => import("../scale.ts"),
  latency: () => import("../latency.ts"),
  guardian: () => import("../guardian.ts"),
  gates: () => import("../gates.ts"),
  trace: () => import("../trace.ts"),
  why: () => import("../why.ts"),
  logical: () => import("../logical.ts"),
  micro: () => import("../micro.ts"),
  memory: () => import("../memory.ts"),
  open: () => import("../open.ts"),
  parse: () => import("../parse.ts"),
  snapshot: () => import("../snapshot.ts"),
  query: () => import("../query.ts"),
  subscribe: () => import("../subscribe.ts"),
  import: () => import("../import.ts"),
};
