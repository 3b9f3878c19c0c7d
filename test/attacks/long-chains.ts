/** Expressions that nest without brackets, far beyond the limit and just within it, for every command that reads a program. */
import { type Attack, times } from "./case.ts";

const TYPES = `type R(#id: string, n: number, ok: bool, next: any?)
`;

function computed(expr: string): string {
  return `${TYPES}rule r { when r: R then let z = ${expr} log(z) }
R("a", 1, true)
`;
}

function tested(expr: string): string {
  return `${TYPES}rule r { when r: R where ${expr} then log(r.id) }
R("a", 1, true)
`;
}

function elseIfs(count: number): string {
  return `if r.n > 0 then 1 ${times(count, (index) => `else if r.n > ${index} then ${index}`, " ")} else 0`;
}

const TOO_DEEP: readonly (readonly [name: string, source: () => string])[] = [
  ["5,000 else if", () => computed(elseIfs(5000))],
  ["5,000 else if in a test", () => tested(`(${elseIfs(5000)}) > 0`)],
  ["3,000 if inside each other", () => computed(`${"if r.ok then ".repeat(3000)}1 ${"else 0 ".repeat(3000)}`)],
  ["a path of 20,000 fields", () => computed(`r${".next".repeat(20_000)}`)],
  ["a path of 20,000 fields in a test", () => tested(`r${".next".repeat(20_000)} == 1`)],
  ["20,000 items of items", () => computed(`r.next${"[0]".repeat(20_000)}`)],
  ["20,000 fields of a value", () => computed(`first([r.next])${".a".repeat(20_000)}`)],
  [
    "a function with 3,000 else if",
    () => `${TYPES}function f(r: R): number = ${elseIfs(3000)}
rule r { when r: R where f(r) > 0 then log(r.id) }`,
  ],
];

const JUST_WITHIN: readonly (readonly [name: string, source: () => string])[] = [
  ["590 else if", () => computed(elseIfs(590))],
  ["590 else if in a test", () => tested(`(${elseIfs(590)}) > 0`)],
  ["a path of 590 fields in a test", () => tested(`r${".next".repeat(590)} == 1`)],
  ["250 calls inside each other", () => tested(`${"abs(1 + ".repeat(250)}r.n${")".repeat(250)} > 0`)],
];

const COMMANDS: readonly (readonly [exit: number, ...args: readonly string[]])[] = [
  [0, "check", "a.tsd"],
  [0, "run", "a.tsd"],
  [0, "prove", "a.tsd", "--cases", "2"],
  [0, "why", "a.tsd", "r"],
  [0, "graph", "a.tsd"],
  [0, "types", "a.tsd"],
];

export const LONG_CHAIN_ATTACKS: readonly Attack[] = [
  ...TOO_DEEP.map(([name, source]) => ({
    name,
    args: ["check", "a.tsd"],
    files: () => ({ "a.tsd": source() }),
    exit: 1,
    says: "error E301  this statement is nested more than 600 levels deep",
  })),
  ...JUST_WITHIN.flatMap(([name, source]) =>
    COMMANDS.map(([exit, ...args]) => ({
      name: `${name}: ${args[0] ?? ""}`,
      args,
      files: () => ({ "a.tsd": source() }),
      exit,
    })),
  ),
];
