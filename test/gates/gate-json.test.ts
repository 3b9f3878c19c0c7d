/** Tests requirements as RET JSON: read strictly, written back unchanged, and usable as gates of a program. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compile,
  evaluateGate,
  evaluateGateColumns,
  gateFromJson,
  GateJsonError,
  gateRequirement,
  gateSource,
  gateToJson,
  type RetJson,
} from "../../src/index.ts";
import { runs } from "../support/cases.ts";

const json: fc.Arbitrary<RetJson> = fc.letrec<{ tree: RetJson }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ Condition: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ And: fc.array(tie("tree"), { maxLength: 3 }) }),
    fc.record({ Or: fc.array(tie("tree"), { maxLength: 3 }) }),
    fc.record({ Not: tie("tree") }),
    fc
      .tuple(fc.array(tie("tree"), { minLength: 1, maxLength: 3 }), fc.nat(2))
      .map(([reqs, n]) => ({ RequireGroup: { min: 1 + (n % reqs.length), reqs } })),
  ),
})).tree;

test("what is read is written back the same", () => {
  fc.assert(
    fc.property(json, (one) => {
      expect(gateToJson(gateFromJson(JSON.stringify(one)))).toEqual(one);
    }),
    { numRuns: runs(2000), seed: 5 },
  );
});

test("many cases side by side give what each gives by itself, in both logics", () => {
  const truth = fc.constantFrom(true, false, undefined);
  const columns = fc.array(fc.record({ a: truth, b: truth, c: truth, d: truth }), { minLength: 1, maxLength: 70 });
  fc.assert(
    fc.property(json, columns, fc.constantFrom("kleene" as const, "bochvar" as const), (one, rows, logic) => {
      const requirement = gateFromJson(one);
      const column = (name: "a" | "b" | "c" | "d"): (boolean | undefined)[] => rows.map((row) => row[name]);
      const all = { a: column("a"), b: column("b"), c: column("c"), d: column("d") };
      expect(evaluateGateColumns(requirement, all, rows.length, { logic })).toEqual(
        rows.map((row) => evaluateGate(requirement, row, { logic })),
      );
    }),
    { numRuns: runs(2000), seed: 6 },
  );
});

test("all() of nothing is true, any() of nothing is false, a condition that is not named is unknown", () => {
  expect(evaluateGate(gateFromJson({ And: [] }), {})).toBe(true);
  expect(evaluateGate(gateFromJson({ Or: [] }), {})).toBe(false);
  expect(evaluateGate(gateFromJson({ Condition: "a" }), {})).toBe(undefined);
  expect(evaluateGate(gateFromJson({ Condition: "constructor" }), {})).toBe(undefined);
});

test.each([
  ["no JSON", "{", "$: invalid JSON"],
  ["another key", { And: [], Or: [] }, "$: a requirement must be an object with one key, found the keys And, Or"],
  ["an unknown operator", { Xor: [] }, '$: unknown key "Xor": expected And'],
  ["a key that stands twice", '{"Condition": "a", "Condition": "b"}', '$: duplicate key "Condition"'],
  ["one spelt in two ways", '{"Or": [{"Condition": "a"}], "\\u004fr": []}', '$: duplicate key "Or"'],
  ["one further inside", '{"And": [{"RequireGroup": {"min": 2, "min": 1, "reqs": [{"Condition": "a"}]}}]}', '"min"'],
  ["no list", { And: { Condition: "a" } }, "$.And: must be a list"],
  ["an empty name", { And: [{ Condition: " " }] }, "$.And[0].Condition: must be the name"],
  ["no object", 1, "$: a requirement must be an object with one key"],
  ["a list without gates", [], "$: the list of gates is empty"],
  ["no group", { RequireGroup: 2 }, '$.RequireGroup: must be an object with "min" and "reqs"'],
  ["a group with more", { RequireGroup: { min: 1, reqs: [], max: 2 } }, '$.RequireGroup: unknown key "max"'],
  ["a minimum of 0", { RequireGroup: { min: 0, reqs: [] } }, "$.RequireGroup.min: must be an integer of 1 or more"],
  ["a minimum too large", { RequireGroup: { min: 2, reqs: [{ Condition: "a" }] } }, "must be at most 1"],
])("%s is refused, with the place", (_name, given, message) => {
  expect(() => gateFromJson(given)).toThrow(message);
  expect(() => gateFromJson(given)).toThrow(GateJsonError);
});

test("keys may stand again in other objects, and quotes and braces in names are no keys", () => {
  const text = '{"And": [{"Condition": "a\\"{\\"b\\": 1}"}, {"Condition" : "Condition"}, {"And": []}]}';
  expect(gateToJson(gateFromJson(text))).toEqual(JSON.parse(text));
});

test("32 levels are read and 33 are not, and a million do not overflow", () => {
  const nested = (depth: number): RetJson => (depth === 0 ? { Condition: "a" } : { Not: nested(depth - 1) });
  expect(gateFromJson(nested(32)).kind).toBe("not");
  expect(() => gateFromJson(nested(33))).toThrow("nested more than 32 levels deep");
  const deep = `${'{"Not":'.repeat(1_000_000)}{"Condition":"a"}${"}".repeat(1_000_000)}`;
  expect(() => gateFromJson(deep)).toThrow("nested more than 32 levels deep");
});

const PROGRAM = `
type R(#id: string, env: string) type T(r: string, ok: bool) type Stop(id: string)
condition tested(r: R) : t.ok from t: T(t.r == r.id)
condition stopped : exists Stop()
gate "deploy" for r: R(r.env != "test") { logic bochvar require tested(r) and (r.env == "live" or not stopped) }
R(id: "r1", env: "live") T(r: "r1", ok: true)
`;

test("the requirement of a gate can be written, and read into a program again", () => {
  const program = compile(PROGRAM);
  const written = gateToJson(gateRequirement(program, "deploy"));
  expect(written).toEqual({
    And: [{ Condition: "tested(r)" }, { Or: [{ Condition: 'r.env == "live"' }, { Not: { Condition: "stopped" } }] }],
  });
  const source = gateSource(program, gateFromJson(written), { name: "again", like: "deploy" });
  const session = program.extend(source).session();
  expect(session.gate("again")).toMatchObject({ subject: "R~r1", outcome: session.gate("deploy").outcome });
});

test("a name alone is asked about the subject, and empty lists have their values", () => {
  const program = compile(PROGRAM);
  const requirement = gateFromJson({ And: [{ Condition: "tested" }, { And: [] }, { Not: { Or: [] } }] });
  const source = gateSource(program, requirement, { name: "new", like: "deploy" });
  expect(program.extend(source).session().gate("new").outcome).toBe("pass");
});

test.each(["a) or (true", "true } gate h { require true", "tested(r) or true", "// nothing", ""])(
  "a text that is more than one condition is refused: %s",
  (text) => {
    const program = compile(PROGRAM);
    const add = (): string => gateSource(program, { kind: "condition", name: text }, { name: "x", like: "deploy" });
    expect(add).toThrow(GateJsonError);
    expect(add).toThrow(expect.objectContaining({ code: "E542" }));
  },
);

test.each([null, "unknown", "false", 1, {}])("a value that is neither true nor false is unknown: %j", (value) => {
  const values = { a: value as unknown as boolean };
  for (const json of [{ Condition: "a" }, { Not: { Condition: "a" } }]) {
    expect(evaluateGate(gateFromJson(json), values)).toBeUndefined();
    expect(evaluateGateColumns(gateFromJson(json), { a: [values.a] }, 1)).toEqual([undefined]);
  }
});
