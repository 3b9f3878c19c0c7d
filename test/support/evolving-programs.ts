/** Programs that evolve: versions of one program that differ in rules and in types, and what a host does between them. */
import * as fc from "fast-check";
import { compile, CompileError, type Migrations, type Program } from "../../src/index.ts";

/** One version: how the types are declared, and which rules there are. */
export interface Version {
  /** The key of `A`. */
  readonly key: keyof typeof KEYS;
  readonly x: keyof typeof X;
  readonly y: keyof typeof Y;
  readonly t: keyof typeof T;
  readonly ref: keyof typeof REFS;
  /** How `B` is declared; `gone` leaves it out. */
  readonly b: "keyed" | "keyless" | "wide" | "gone";
  readonly rules: readonly number[];
  /** Another text of the rules with the same names. */
  readonly changed: boolean;
}

const X = {
  none: "",
  number: "x: number",
  optional: "x: number?",
  default: "x: number = 1",
  string: "x: string",
  any: "x: any?",
};
const Y = {
  none: "",
  bool: "y: bool = true",
  maybe: "y: bool?",
  list: "y: string[] = []",
  numbers: "y: number[] = [1, 2]",
  choice: 'y: "red" | "green" = "red"',
  wider: 'y: "red" | "green" | "blue" = "blue"',
  marks: "y: 1 | 2 = 2",
  named: "y: Marks = 2",
};
/** Times are written in a form that is not the one in which they are kept. */
const T = {
  none: "",
  date: "t: date = @2026-11-16",
  instant: "t: instant = @2026-11-16T09:30:00+01:00",
  duration: "t: duration = 90 min",
  maybe: "t: instant?",
  dates: "t: date[] = [@2026-11-16]",
  text: 't: string = "2026-11-16"',
  required: "t: date",
};
const REFS = { none: "", one: "b: B?", list: "b: B[] = []" };
const KEYS = {
  date: "id: number, #day: date = @2026-01-02",
  number: "#id: number",
  string: "#id: string",
  none: "id: number",
  pair: '#id: number, #kind: string = "k"',
};
const B = {
  keyed: "type B(#n: number)",
  keyless: "type B(n: number)",
  wide: 'type B(#n: number, note: string = "new")',
  gone: "",
};

const RULES: readonly ((version: Version) => string)[] = [
  ({ changed }) => `rule first { when a: A(${changed ? "id > 2" : "id > 1"}) then log(a.id) }`,
  () => `rule plain { when a: A(id < 3) not B(n == 7) then insert B(n: 7) }`,
  ({ changed }) => `rule logical { when a: A then insert logical B(n: ${changed ? 2 : 1}) }`,
  () => `rule joined { when a: A b: B(n > 0) then log(b.n) }`,
  () => `rule absent { when a: A not B(n == 7) then log("none") }`,
  () => `rule large salience 5 { when a: A(x > 1) then log(a.x) }`,
  () => `rule counted { when n: count(b.n) from b: B then log(n) }`,
  () => `rule marked { when a: A(y) then log(a.id) }`,
  () => `rule late group "late" { when a: A then log("late") }`,
  () => `rule call { when b: B(n == 2) then focus("late") }`,
  () => `rule refers { when a: A(a.b.n > 0) then log("refers") }`,
  () => `rule listed { when b: B a: A(a.b contains b) then log(b.n) }`,
  () => `rule due { when a: A(t <= now) then log(a.id) insert logical B(n: 6) }`,
  () => `rule young { when a: A(t > today) then log(a.id) }`,
  () => `rule long { when a: A(t > 1 hour) then log(a.t) }`,
  () => `rule timed { when a: A other: A(other.t == a.t, other.id > a.id) then log(other.id) }`,
  () => `rule coloured { when a: A(y == "red") then log(a.y) }`,
  () => `rule marks { when a: A(y in [1, 2]) then log(a.y) }`,
  () => `rule doubled { when a: A let twice = a.id * 2 where twice > 4 then log(twice) }`,
  () => `rule chained { when b: B(n < 4) not B(n > 8) then insert logical B(n: 3) }`,
  () => `rule put { when a: A(id == 2) then xuple("jobs", B(n: 5)) }`,
  () => `rule grows no-loop { when a: A(x == 1) then update a { x: 2 } }`,
  () => `gate "open" for a: A { require exists B(n == 1) }`,
  () => `A(id: 5) rule five { when a: A(id == 5) then log("five") }`,
  () => `B(n: 4) rule none { when not A(id == 5) then insert B(n: 8) }`,
  () => `rule passed { when g: GateResult(outcome == "pass") then log("passed") }`,
];

/** Returns the text of a version. */
export function sourceOfVersion(version: Version): string {
  const { key, x, y, t, ref, b, rules } = version;
  const fields = [KEYS[key], X[x], Y[y], T[t], REFS[ref]].filter((field) => field !== "");
  const space = b === "gone" ? "" : "xuple-space jobs { selection: fifo }";
  const types = ["type Marks = 1 | 2", `type A(${fields.join(", ")})`, B[b], "action log(what: any)", space].join("\n");
  const texts = rules.map((at) => RULES[at]?.(version) ?? "");
  return [types, ...texts.filter((text) => fits(types, text))].join("\n");
}

const fitting = new Map<string, boolean>();

/** Whether a rule can be written with these types: few combinations would be programs otherwise. */
function fits(types: string, rule: string): boolean {
  const source = `${types}\n${rule}`;
  let isFitting = fitting.get(source);
  if (isFitting === undefined) fitting.set(source, (isFitting = compiled(source) !== undefined));
  return isFitting;
}

const programs = new Map<string, Program | undefined>();

/** The program of a version; undefined when its rules do not fit its types. */
export function programOf(version: Version): Program | undefined {
  const source = sourceOfVersion(version);
  if (!programs.has(source)) programs.set(source, compiled(source));
  return programs.get(source);
}

function compiled(source: string): Program | undefined {
  try {
    return compile(source);
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}

/** Functions that convert any fact of another version. */
export function migrationsTo({ key, x, t }: Version): Migrations {
  return {
    A(old) {
      const { id: before } = old;
      const id = typeof before === "string" ? Number(before.slice(1)) : Number(before);
      if (id === 4) return null;
      const value = Number(old["x"] ?? 1) || 1;
      return {
        id: key === "string" ? `a${id}` : id,
        ...(x === "none" ? {} : { x: x === "string" ? String(value) : value }),
        ...(t === "required" ? { t: "2026-11-17" } : {}),
      };
    },
    B: (old) => ({ n: old["n"] }),
  };
}

/** What a host does. */
export type Deed =
  | { readonly is: "assert"; readonly type: "A" | "B"; readonly n: number; readonly x: number | string | undefined }
  | { readonly is: "update" | "retract"; readonly n: number }
  | { readonly is: "run" | "step" | "take" }
  | { readonly is: "advance"; readonly day: number }
  | { readonly is: "reload"; readonly version: Version; readonly converts: boolean };

function namesOf<Table extends object>(table: Table): (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[];
}

const version: fc.Arbitrary<Version> = fc.record({
  key: fc.constantFrom<Version["key"]>("number", "number", "number", "string", "none", "pair", "date"),
  x: fc.constantFrom<Version["x"]>("none", "number", "optional", "default", "string", "any"),
  y: fc.constantFrom(...namesOf(Y)),
  t: fc.constantFrom("none", ...namesOf(T)),
  ref: fc.constantFrom(...namesOf(REFS)),
  b: fc.constantFrom<Version["b"]>("keyed", "keyed", "keyless", "wide", "gone"),
  rules: fc.uniqueArray(fc.nat({ max: RULES.length - 1 }), { maxLength: 6 }),
  changed: fc.boolean(),
});

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant("assert" as const),
      type: fc.constantFrom("A", "A", "B"),
      n: fc.integer({ min: 1, max: 6 }),
      x: fc.constantFrom(undefined, 1, 2, "one"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constantFrom("update", "retract"), n: fc.nat({ max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constantFrom("run", "step", "take") }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("advance" as const), day: fc.integer({ min: 10, max: 20 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant("reload" as const), version, converts: fc.boolean() }),
  },
);

/** A version to begin with, and what follows; at least one reload. */
export const EVOLUTION: fc.Arbitrary<{ readonly first: Version; readonly deeds: readonly Deed[] }> = fc.record({
  first: version,
  deeds: fc
    .tuple(fc.array(deed, { maxLength: 8 }), version, fc.boolean(), fc.array(deed, { maxLength: 8 }))
    .map(([before, next, converts, after]) => [
      ...before,
      { is: "reload" as const, version: next, converts },
      ...after,
    ]),
});
