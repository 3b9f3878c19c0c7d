/** Programs in which every part uses the one before twice, so that the last one written out has two to the power of their number. */
import { type Attack, times } from "./case.ts";

const TYPES = `type R(#id: string, n: number, ok: bool)
type E(#id: string, r: string, ok: bool)
`;
/** Makes the checker read the last of a row. */
const USES = `
rule uses { when r: R then log(r.id) }
type Last(#id: string, value: A999)
`;
const FACTS = `R("a", 1, true)
E("e", "a", true)
`;

/** Conditions with evidence; each asks the one before about the evidence and in its pattern. */
function conditionsWithEvidence(count: number): string {
  const condition = (index: number): string =>
    `condition c${index + 1}(r: R) : e.ok and c${index}(r) from e: E(e.r == r.id and c${index}(r))`;
  return `${TYPES}condition c0(r: R) : e.ok from e: E(e.r == r.id)
${times(count, condition)}
gate g for r: R { require c${count}(r) }
${FACTS}`;
}

/** Conditions without evidence, asked by a gate. */
function conditions(count: number): string {
  const condition = (index: number): string =>
    `condition c${index + 1}(r: R) : c${index}(r) and (r.n > ${index} or c${index}(r))`;
  return `${TYPES}condition c0(r: R) : r.ok
${times(count, condition)}
gate g for r: R { require c${count}(r) }
${FACTS}`;
}

/** Conditions whose argument grows. */
function growingArguments(count: number): string {
  return `${TYPES}condition c0(a: number) : a > 0
${times(count, (index) => `condition c${index + 1}(a: number) : c${index}(a + a)`)}
rule r { when r: R where c${count}(r.n) then log(r.id) }
${FACTS}`;
}

/** A decision table whose outputs and columns name the parameter twice, called with a call of itself. */
function tableCalls(count: number): string {
  return `${TYPES}table t(a: number) first {
    | a   | a + 1 || v: number |
    | > 5 | -     || 1         |
    | -   | -     || a + 1     |
}
rule r { when r: R where ${"t(".repeat(count)}r.n${").v".repeat(count)} > 0 then log(r.id) }
${FACTS}`;
}

/** Many gates, each almost as large as one may be. */
function manyGates(count: number): string {
  const gate = (index: number): string => `gate g${index} for r: R { require c8(r) or r.n > ${index} }`;
  return `${conditions(8)}${times(count, gate)}`;
}

/** Constants that hold the one before twice. */
function constants(count: number): string {
  return `${TYPES}const A0 = [1]
${times(count, (index) => `const A${index + 1} = [A${index}, A${index}]`)}
rule r { when r: R then let all = A${count} log(all) }
${FACTS}`;
}

/** Queries that use the one before twice. */
function queries(count: number): string {
  const query = (index: number): string =>
    `query q${index + 1}(x: number) { a in q${index}(x) not (b in q${index}(x + 1)) }`;
  return `${TYPES}query q0(x: number) { r: R(n > x) }
${times(count, query)}
rule r { when q in q${count}(1) then log("x") }
${FACTS}`;
}

/** `count` declarations that each use the one before; with `back`, the last comes first. */
function row(count: number, back: boolean, declaration: (index: number) => string): string {
  return `${TYPES}${times(count, (index) => declaration(back ? count - 1 - index : index))}`;
}

const ROWS: readonly (readonly [name: string, declaration: (index: number) => string, says: string])[] = [
  ["records", (at) => `record A${at}(a: ${at === 0 ? "number" : `A${at - 1}`})`, "declarations in a row"],
  ["types", (at) => `type A${at} = ${at === 0 ? '"a" | "b"' : `A${at - 1}`}`, "declarations in a row"],
  ["constants", (at) => `const A${at} = ${at === 0 ? "1" : `A${at - 1}`}`, "constants in a row"],
  ["lists", (at) => `const A${at} = [${at === 0 ? "1" : `A${at - 1}`}]`, "is nested more than 256 levels deep"],
  [
    "queries",
    (at) => `query q${at}(x: number) { ${at === 0 ? "r: R(n > x)" : `r in q${at - 1}(x)`} }`,
    "queries in a row",
  ],
];

function refused(name: string, source: () => string, says: string): Attack {
  return { name, args: ["check", "a.tsd"], files: () => ({ "a.tsd": source() }), exit: 1, says };
}

export const WRITTEN_OUT_ATTACKS: readonly Attack[] = [
  {
    name: "7 conditions with evidence, each used twice by the next",
    args: ["decide", "a.tsd"],
    files: () => ({ "a.tsd": conditionsWithEvidence(7) }),
    exit: 0,
    says: "pass",
  },
  refused(
    "50 conditions with evidence, each used twice by the next",
    () => conditionsWithEvidence(50),
    "grows by more than 100000 parts",
  ),
  refused("50 conditions, each used twice by the next", () => conditions(50), "grows by more than 100000 parts"),
  refused("conditions whose argument doubles 50 times", () => growingArguments(50), "error E307"),
  refused("a table called with calls of itself, 30 deep", () => tableCalls(30), 'error E307  rule "r" grows'),
  refused("50 constants that hold the one before twice", () => constants(50), 'error E307  constant "A16"'),
  refused("50 queries that use the one before twice", () => queries(50), "rows of queries add more than 10000 parts"),
  ...ROWS.flatMap(([name, declaration, says]) =>
    [false, true].map((back) =>
      refused(
        `a row of 1,000 ${name}${back ? ", the last first" : ""}`,
        () => `${row(1000, back, declaration)}${USES}`,
        says,
      ),
    ),
  ),
  refused(
    "1,000 gates, each almost too large",
    () => manyGates(1000),
    "is the one with which this program has more than 2000000 parts",
  ),
  refused(
    "a row of 20,000 conditions",
    () => `${TYPES}condition c0(r: R) : r.ok
${times(20_000, (index) => `condition c${index + 1}(r: R) : c${index}(r)`)}`,
    "uses more than 256 conditions and functions in a row",
  ),
  refused(
    "a row of 20,000 conditions, the last first",
    () => `${TYPES}${times(20_000, (index) => `condition c${20_000 - index}(r: R) : c${19_999 - index}(r)`)}
condition c0(r: R) : r.ok`,
    "uses more than 256 conditions and functions in a row",
  ),
];
