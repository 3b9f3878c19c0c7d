/** Tests programs that were once ambiguous or misread: each has exactly one reading, the one that a reader expects. */
import { describe, expect, test } from "vitest";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import { countReadings } from "../../src/language/parse.ts";
import { printFile } from "../../src/language/print.ts";
import { read, readWell, withoutSpans } from "../support/trees.ts";

const readings = (text: string): number[] => countReadings(new Report(new Source("test.tsd", text)));
const canonical = (text: string): string => printFile({ declarations: readWell(text), comments: [] });

describe("one reading", () => {
  test.each([
    ["a cast of a call at the end of a test", "query q { where x > (number) length(y) A() }"],
    ["a cast of a call that is assigned", "rule r { when then p.x = (number) length(y) log(1) }"],
    ["two requirements without a test", "gate g { require require }"],
    ["a step called like a keyword after one without a value", "pipeline p for q: Q { step a ALLOW step when BLOCK }"],
    ["an end after a step without a value", "pipeline p for q: Q { step a ALLOW step otherwise ALLOW }"],
    ["a border after one without a value", "pipeline p for q: Q { before x else ALLOW before (y) else ALLOW }"],
    ["a condition in parentheses after a step without a value", "pipeline p for q: Q { step a ALLOW when (x or y) }"],
    [
      "an exception in parentheses after a step without a value",
      "pipeline p for q: Q { step a ALLOW unless (x) or y }",
    ],
    ["a condition that begins with a minus", "pipeline p for q: Q { step a NOTE when -x > 1 unless (y) }"],
    ["a value called when", "pipeline p for q: Q { step a NOTE (when(x) + 1) when (y) otherwise ANSWER (unless.x) }"],
    ["a gate with a quoted operator for a name", 'gate g { require gate "contains"((string) passes) passes }'],
    ["an operator between a variable called gate and a cast", "gate g { require gate contains (string) passes }"],
    ["names that are keywords elsewhere", "query q { from: sum(x) from from: from(when.then is missing) where is }"],
    ["a protected type called protected", "protected type protected(#protected: string, type: protected?)"],
    [
      "a variable and a field called protected",
      "query q { protected: T(protected.protected > 1) where protected.type }",
    ],
    [
      "a closed population",
      "gate g { require at least 2 of all v: V(v.x == 1) : ok(v) and at least 1 of all T() : x }",
    ],
    ["a closed population before a list", "gate g { require at least 2 of all v: V : all(v, x) or all(y) }"],
    ["the newest of each group", "condition c : x.y from every latest x: T(x.z == 1) by x.at per x.name"],
    [
      "groups called like the words",
      "condition c : per.by from any latest per: by(per.per == by) by per.by per per.per",
    ],
    ["a closed population in a list", "gate g { require all(at least 1 of all v: V : v.x > 1, any(y, z)) }"],
    [
      "lines whose tests and actions are called like their parts",
      'guardian g for d: D { track report report all check c { need says says "s" as "a" do says, do warn do as "a" says "s" } }',
    ],
    [
      "the parts of a line in any order",
      'guardian g for d: D { check c { need x as "a" says "s" do A need x do A says "s" as "a" need x says "s" do A as "a" need x as "a" do A says "s" need x do A as "a" says "s" need x says "s" as "a" do A need x do A as "a" warn x says "s" as "a" } }',
    ],
    ["an insertion of a type called logical", "rule r { when then insert logical(x) insert logical logical(y) }"],
  ])("%s", (_name, text) => {
    expect(readings(text)).toEqual([1]);
    expect(withoutSpans(readWell(canonical(text)))).toEqual(withoutSpans(readWell(text)));
  });
});

test("when and unless begin the condition of a step, also before parentheses", () => {
  const [pipeline] = readWell("pipeline p for q: Q { step a ALLOW when (x or y) step b NOTE unless (z) }");
  const items = pipeline?.kind === "pipeline" ? pipeline.items : [];
  expect(items).toMatchObject([
    { name: { name: "a" }, value: null, when: { kind: "test-condition", test: { kind: "logic" } }, unless: null },
    { name: { name: "b" }, value: null, when: null, unless: { kind: "path" } },
  ]);
});

describe("a statement ends before the next one", () => {
  test.each([
    ["a condition before a fact called from", "condition c : x\nfrom = T(1)"],
    ["a condition before a fact of type is", "condition c : x\nis(1)"],
    ["evidence before a fact called per", "condition c : x from latest t: T by t.at\nper = T(1)"],
    ["evidence before a fact of type per", "condition c : x from latest t: T by t.at\nper(1)"],
    ["evidence before a fact called by", "condition c : x from t: T\nby = T(1)"],
    ["an assignment before a fact of type matches", "rule r : {p: P} / ==> p.x = y\nmatches(1)"],
    ["a variable called gate before a fact", "condition c : x == gate\nfoo(1)"],
    ["a reset before a fact called reset", "reset\nreset = T(1)"],
    ["a condition before a protected type", "condition c : x\nprotected type T(a: number)"],
    ["an assignment before a protected type", "rule r : {p: P} / ==> p.x = y\nprotected type T(a: number)"],
    ["a fact called protected before a type", "protected = T(1)\ntype T(a: number)"],
    ["a fact of type protected before a protected type", "protected(1)\nprotected type protected(a: number)"],
    ["a test that ends in a variable called protected", "condition c : x == protected\nprotected type T(a: number)"],
    ["an option before a protected type", "option order written\nprotected type T(a: number)"],
  ])("%s", (_name, text) => {
    expect(readings(text)).toEqual([1, 1]);
    expect(readWell(text)).toHaveLength(2);
  });
});

describe("a number", () => {
  test.each([
    ["minus zero has no sign", "list l = [-0]", [0]],
    ["a minus before a number is part of it", "list l = [-5, - 5]", [-5, -5]],
  ])("%s", (_name, text, wanted) => {
    const [list] = readWell(text);
    const values = list?.kind === "list-decl" ? list.items.map((item) => item.kind === "number" && item.value) : [];
    expect(values).toEqual(wanted);
  });

  test("minus zero is a number wherever a number stands", () => {
    expect(withoutSpans(readWell("option limit -0"))).toEqual(withoutSpans(readWell("option limit 0")));
    expect(withoutSpans(readWell("rule r salience -0 { when then }"))).toEqual(
      withoutSpans(readWell("rule r salience 0 { when then }")),
    );
  });
});

describe("what was read ahead", () => {
  test("is not read a second time when a fact takes the direct path", () => {
    const { comments, report } = read("condition c : x\nis() /* once */ 1e400");
    expect(comments.map((one) => one.text)).toEqual(["/* once */"]);
    expect(report.diagnostics.filter((one) => one.code === "E110")).toHaveLength(1);
  });

  test("an old comment begins its line, also behind a fact on the direct path", () => {
    expect(read('T("a") # no').comments).toEqual([]);
    expect(read('T("a")\n # yes').comments.map((one) => one.text)).toEqual(["# yes"]);
  });
});

describe("a span covers all words of its construct", () => {
  test.each([
    ["gate g(x) passes", "condition c : gate g(x) passes"],
    ["step a BLOCK", "pipeline p for q: Q { step a BLOCK otherwise ERROR }"],
    ["otherwise ERROR", "pipeline p for q: Q { step a BLOCK otherwise ERROR }"],
    ["expect gate g() is hold", "test t { expect gate g() is hold }"],
    ["not (A(), B())", "query q { not (A(), B()) }"],
  ])("%s", (wanted, text) => {
    expect(JSON.stringify(spansOf(readWell(text)).map(([start, end]) => text.slice(start, end)))).toContain(wanted);
  });
});

function spansOf(tree: unknown): [number, number][] {
  if (typeof tree !== "object" || tree === null) return [];
  const inner = Object.values(tree).flatMap(spansOf);
  if (!("span" in tree)) return inner;
  const { start, end } = tree.span as { start: number; end: number };
  return [[start, end], ...inner];
}
