/** Questions about programs and facts of extreme size and shape. */
import { type Attack, times } from "./case.ts";
import { deepGate, longGuardian, longPipeline, orGroups, wideGate } from "./programs.ts";

/** A rule whose patterns share no test, with a condition that nothing fulfils. */
function unrelated(patterns: number, facts: number): string {
  const each = times(patterns, (index) => `a${index}: A(v >= ${index})`, " ");
  const sum = times(patterns, (index) => `a${index}.v`, " + ");
  return `type A(#n: number, v: number)
rule r { when ${each} where ${sum} < 0 then print("x") }
${times(facts, (index) => `A(${index}, ${index})`)}`;
}

function chain(length: number): string {
  return `type C(#n: number)
C(0)
rule next { when c: C(n < ${length}) then insert C(c.n + 1) }`;
}

/** Values that are far too long to print. */
function longValues(): string {
  return `type T(#id: string, text: string, items: string[])
T("a", "${"x".repeat(200_000)}", [${times(20_000, (index) => `"${index}"`, ", ")}])
rule r { when t: T(text == "y") then print(t.text) }
rule s { when t: T(id == "a") then print(t.id) }`;
}

export const EXPLAIN_ATTACKS: readonly Attack[] = [
  {
    name: "why of a rule with 10 or groups",
    args: ["why", "a.tsd", "r"],
    files: () => ({ "a.tsd": orGroups(10) }),
    exit: 0,
  },
  {
    name: "why of a rule with 30 patterns over 30 facts",
    args: ["why", "a.tsd", "r"],
    files: () => ({ "a.tsd": unrelated(30, 1) }),
    exit: 0,
  },
  {
    name: "why of the end of a chain of 5,000 firings",
    args: ["why", "a.tsd", "C~5000"],
    files: () => ({ "a.tsd": chain(5000) }),
    exit: 0,
    says: "has a longer history, which is not shown",
  },
  {
    name: "why of a gate with 300 leaves",
    args: ["why", "a.tsd", "g"],
    files: () => ({ "a.tsd": wideGate(300) }),
    exit: 0,
  },
  {
    name: "why of a gate with 32 levels",
    args: ["why", "a.tsd", "g"],
    files: () => ({ "a.tsd": deepGate(32) }),
    exit: 0,
  },
  {
    name: "why of a guardian with 300 lines",
    args: ["why", "a.tsd", "g"],
    files: () => ({ "a.tsd": longGuardian(300) }),
    exit: 0,
  },
  {
    name: "why of a pipeline with 500 steps",
    args: ["why", "a.tsd", "p"],
    files: () => ({ "a.tsd": longPipeline(500) }),
    exit: 0,
    most: 200_000,
  },
  {
    name: "why of a rule over long values",
    args: ["why", "a.tsd", "r"],
    files: () => ({ "a.tsd": longValues() }),
    exit: 0,
  },
  {
    name: "why of a firing over long values",
    args: ["why", "a.tsd", "s"],
    files: () => ({ "a.tsd": longValues() }),
    exit: 0,
  },
  {
    name: "why of a fact with long values",
    args: ["why", "a.tsd", "T~a"],
    files: () => ({ "a.tsd": longValues() }),
    exit: 0,
  },
  {
    name: "why with few steps",
    args: ["why", "a.tsd", "g", "--steps", "3"],
    files: () => ({ "a.tsd": wideGate(10) }),
    exit: 0,
    says: "stopped after 3 steps: there may be others",
  },
  {
    name: "why --json over long values",
    args: ["why", "a.tsd", "r", "--json"],
    files: () => ({ "a.tsd": longValues() }),
    exit: 0,
    most: 1_000_000, // the edits as data keep the values whole
  },
];

export const PROVE_ATTACKS: readonly Attack[] = [
  {
    name: "prove of a rule with 30 patterns that share no test",
    args: ["prove", "a.tsd", "--cases", "5"],
    files: () => ({ "a.tsd": unrelated(30, 10) }),
    exit: 0,
    says: "using at most 1 fact of each type at a time",
  },
  {
    name: "prove that stops",
    args: ["prove", "a.tsd", "--steps", "1000"],
    files: () => ({ "a.tsd": unrelated(3, 10) }),
    exit: 5,
    says: "stopped after 1,000 steps",
  },
  {
    name: "prove of a rule with 8 or groups",
    args: ["prove", "a.tsd", "--cases", "2"],
    files: () => ({ "a.tsd": orGroups(8) }),
    exit: 0,
  },
];
