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

/** Drawn in few boxes, several arrows lead from the types to the gates, and one leads back. */
const GATES_AND_RULES = `type R(#id: string, ok: bool)
condition good(r: R) : r.ok == true
gate g for r: R { require good(r) and not exists GateResult(gate == "h") }
gate h for r: R { require r.ok == false }
rule a { when r: R(ok == true) x: GateResult(gate == "g") then print("x") }
rule b { when x: GateResult(gate == "h") then print("x") }
R("a", true)`;

export const GRAPH_ATTACKS: readonly Attack[] = [
  ...PROGRAMS.flatMap(([name, source]) =>
    ["svg", "dot", "mermaid"].map((format) => ({
      name: `graph --format ${format} of ${name}`,
      args: ["graph", "a.tsd", "--format", format],
      files: () => ({ "a.tsd": source() }),
      exit: 0,
      says: "boxes and arrows; ",
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
  ...[1, 2, 5, 8, 12, 16].map((most) => ({
    name: `graph --most ${most} of the release gate`,
    args: ["graph", "examples/release-gate/rules.tsd", "--most", String(most)],
    files: () => ({}),
    exit: 0,
  })),
  ...[1, 5, 10].map((most) => ({
    name: `graph --most ${most} of gates that read results of gates`,
    args: ["graph", "a.tsd", "--most", String(most)],
    files: () => ({ "a.tsd": GATES_AND_RULES }),
    exit: 0,
  })),
];
