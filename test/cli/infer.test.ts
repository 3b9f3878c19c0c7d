/** Tests `sluice infer`: what it declares, and that the facts it has read load with it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support/cases.ts";
import { runCli } from "../support/io.ts";

const infer = (facts: unknown): string => runCli(["infer", "f.json"], { "f.json": JSON.stringify(facts) }).out;

describe("declarations", () => {
  test("nested objects are records, times are times, and what is missing somewhere is optional", () => {
    const facts = {
      Order: [
        {
          id: "o1",
          lines: [
            { sku: "a", qty: 2 },
            { sku: "b", qty: 1, due: "2026-01-02" },
          ],
          to: { country: "FR" },
        },
        { id: "o2", lines: [], at: "2026-01-02T03:04:05+01:00", to: null, mixed: 1 },
        { id: "o3", lines: [], "x y": 1, mixed: "a", from: { country: "DE" } },
      ],
    };
    expect(infer(facts)).toBe(`record Line(sku: string, qty: number, due: date?)

record To(country: string)

type Order(#id: string, lines: Line[], to: To?, at: instant?, mixed: any?, from: To?, ...)
`);
  });

  test("a null in a list is no reason to stop", () => {
    expect(infer({ T: [{ a: [1, null], b: [null, { x: [null] }] }] })).toBe(`record B(x: any[])

type T(a: number[], b: B[])
`);
  });

  test("a key has no equal values, and a union many of few", () => {
    const states = Array.from({ length: 30 }, (_, n) => ({
      id: n % 29,
      state: n % 2 === 0 ? "open" : "paid",
      code: `c${n}`,
    }));
    expect(infer({ T: states })).toBe('type T(id: number, state: "open" | "paid", #code: string)\n');
    expect(infer({ T: states.slice(0, 10) })).toBe("type T(#id: number, state: string, code: string)\n");
  });

  test("one wrong date makes strings of all, and names that cannot be written are refused or ignored", () => {
    expect(infer({ T: [{ d: "2026-02-28" }, { d: "2026-02-30" }] })).toBe("type T(d: string)\n");
    expect(infer({ T: { in: { in: 1, "a-b c": 2 }, where: { in: 1 } } })).toContain("type T(in: any, where: TWhere)");
    const ran = runCli(["infer", "f.json"], { "f.json": '{"a b": [{}], "insert": [{}]}' });
    expect([ran.exit, ran.out]).toEqual([1, ""]);
    expect(ran.err).toContain('f.json:1:2  error E201  "a b" cannot be the name of a type');
  });

  test("NDJSON is read as well", () => {
    const files = { "f.ndjson": '{"T": {"id": 1}}\n{"T": {"id": 2}}\n{"U": {"t": "2026-01-01"}}\n' };
    expect(runCli(["infer", "f.ndjson"], files).out).toBe("type T(#id: number)\n\ntype U(t: date)\n");
  });
});

const NAMES = [
  ...[
    "id",
    "a",
    "b",
    "in",
    "type",
    "where",
    "Lines",
    "s",
    "x y",
    "é",
    "e\u0301",
    "date",
    "Date",
    "string",
    "String",
    "Any",
  ],
  ...[
    "duration",
    "instant",
    "Instant",
    "bool",
    "boolean",
    "object",
    "key",
    "code",
    "T_id",
    "tid",
    "ID",
    "Id",
    "not",
    "all",
  ],
  ...[
    "insert",
    "Insert",
    "require",
    "true",
    "null",
    "now",
    "today",
    "toString",
    "constructor",
    "__proto__",
    "prototype",
  ],
  ...[
    "_id_",
    "hasOwnProperty",
    "",
    "1",
    "1a",
    "a-b",
    "l'age",
    "a.b",
    "#id",
    "@at",
    "?",
    "ﬁ",
    "K",
    "а",
    "TWhere",
    "Where",
  ],
  ...[
    "Record2",
    "T",
    "Order",
    "line",
    "lines",
    "ies",
    "cities",
    "record",
    "list",
    "if",
    "let",
    "min",
    "h",
    "5 min",
    "GateResult",
  ],
];
const name = fc.constantFrom(...NAMES);
const plain = fc.oneof(
  fc.constantFrom("", "a", "2026-01-02", "2026-02-30", "2026-01-02T03:04:05Z", "2026-01-02T03:04Z", "0001-01-01"),
  fc.constantFrom(
    0,
    1,
    -1.5,
    true,
    false,
    -0,
    1e308,
    2 ** 53,
    0.1,
    "0",
    "true",
    " ",
    "null",
    "PT5M",
    "P1M",
    "P1D",
    "PT1H30M",
  ),
  fc.constantFrom(
    "T~1",
    "Order~a",
    "a b",
    "\u0000",
    "\u202e",
    "\r\n",
    '"',
    "\\",
    "2026-01-02T03:04:05.000Z",
    "2026-01-02T04:04:05+01:00",
  ),
  fc.constantFrom(
    "2026-01-02T03:04:05.1234567Z",
    "2026-01-02t03:04:05z",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z",
    "2026-01-02 03:04:05Z",
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.dictionary(name, fc.option(tie("value"), { nil: null }), { maxKeys: 3 }) },
  ),
}));
const facts = fc.dictionary(
  fc.oneof(fc.constantFrom("T", "Order", "Line", "date", "A", "Record2"), name),
  fc.oneof(
    fc.array(fc.dictionary(name, fc.option(value, { nil: null }), { maxKeys: 5 }), { maxLength: 4 }),
    fc.array(fc.dictionary(fc.constantFrom("id", "key", "to"), plain, { maxKeys: 2 }), { maxLength: 40 }),
  ),
  { maxKeys: 3 },
);

test("the facts load with what was inferred from them", () => {
  const property = fc.property(facts, (given) => {
    const files = { "f.json": JSON.stringify(given) };
    const { exit, out, err } = runCli(["infer", "f.json"], files);
    // Names that no type or field can have are refused.
    if (/cannot be the name of a type|is a reserved field name|equals another type after/u.test(err)) return;
    expect(exit, err).toBe(0);
    const program = { ...files, "t.tsd": out };
    expect(runCli(["check", "t.tsd"], program)).toMatchObject({ exit: 0, err: "" });
    const ran = runCli(["run", "t.tsd", "--facts", "f.json"], program);
    expect({ err: ran.err, exit: ran.exit }, out).toEqual({ err: "", exit: 0 });
  });
  fc.assert(property, { numRuns: runs(1000) });
});
