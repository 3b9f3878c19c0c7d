/** Networks that are too large to draw. */
import type { Attack } from "./case.ts";
import { deepGate, longGuardian, longPipeline, manyRules, manyTypes, orGroups, wideGate } from "./programs.ts";

const PROGRAMS: readonly (readonly [name: string, source: () => string])[] = [
  ["12 or groups", () => orGroups(12)],
  ["1,000 rules over the same types", () => manyRules(1000)],
  ["1,000 rules over types of their own", () => manyTypes(1000)],
  ["a gate with 1,000 leaves", () => wideGate(1000)],
  ["a guardian with 500 lines", () => longGuardian(500)],
  ["a pipeline with 500 steps", () => longPipeline(500)],
];

export const GRAPH_ATTACKS: readonly Attack[] = [
  ...PROGRAMS.flatMap(([name, source]) =>
    ["svg", "dot", "mermaid"].map((format) => ({
      name: `graph --format ${format} of ${name}`,
      args: ["graph", "a.tsd", "--format", format],
      files: () => ({ "a.tsd": source() }),
      exit: 0,
      says: "boxes and arrows are drawn as",
      most: 400_000,
    })),
  ),
  {
    name: "graph of a gate with 32 levels",
    args: ["graph", "a.tsd"],
    files: () => ({ "a.tsd": deepGate(32) }),
    exit: 0,
    most: 400_000,
  },
];
