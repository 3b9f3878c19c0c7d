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
    [
      "waiting in every place",
      "gate g { require wait until x + 1 min and not wait until (y) or at least 1 of (wait until wait, wait until until) }",
    ],
    [
      "windows after every pattern",
      "query q { A() within 1 day after x a: A within x + 1 min before y by a.b not B(c) within 1 min after x, (C() or D() within 2 h before y) exists (A() within z after y) where exists A() within 1 min after x and y }",
    ],
    [
      "windows in gates and aggregates",
      "gate g { require at least 2 of a: A(x) within 2 days after r.at : a.ok and COUNT(p: P / p.x == 1 within 1 day after y by p.z) > 1 and EXISTS(p: P within 1 day after y) }",
    ],
    [
      "a window after a test that ends in a pattern",
      "query q { where COUNT(a: A / exists B() over last 1 day) > 1 and EXISTS(a: A / a.x and not exists b: B within x after y by b.z over last 1 h) and sum(a: A / (exists B()) over last 1 h ; a.x) > 1 }",
    ],
    [
      "windows of evidence",
      "condition c : x.y from every latest x: T(x.z == 1) within 1 day after y by x.at per x.name",
    ],
    [
      "names called within, after and before",
      "query q { A(), within(x), after(y) where within > after within: before(within.after) before: within }",
    ],
    ["a window in parentheses", "query q { A() within (x) after (y) B() where x, within (y) after (z) }"],
    [
      "names called wait and until",
      "query q { where wait until: T(wait.until) where wait until(x) wait: until(until) where wait, until in wait(until) }",
    ],
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
    [
      "a row of a query after every element",
      "query q { x: T q in f(1) where a q in g(q.p) n: count() from y: T r in h() A() s in i(), (t in j() or u in k()) }",
    ],
    [
      "a row in parentheses",
      "query q { not (q in f(x)) exists (q in f(x), A()) where not (q in f(x)), (q in f(1)) where b in c (q in d) }",
    ],
    ["a row called like a choice", "query q { where if(a) then in f(1) else in g(2) if in h(3) }"],
    [
      "items after every element",
      "query q { x: T l in x.y where a l in [a, b] n: count() from y: T m in (a or b) A() l in x[0].y l in f(x)[0] l in f(x).y B(), (l in a or m in b.c, (C() or D())) not (l in a) exists (l in a.b A()) let p = q r in s.t u in f(1) p: T over last 5 min by p.x l in t.u q: T within d after t l in [x for x in y if x] l in COLLECT(o: T / o.x ; o.y) l in (f(x)) }",
    ],
    [
      "items called like the words of the grammar",
      "query q { where a date in b let is = is is in is.in over: T over in over.last where if if in then then in else by in by.by from: T from in from where x in y z in [w] where a not (is in b) }",
    ],
    [
      "items in a step",
      "pipeline p for q: Q { step a NOTE when o: O, l in o.lines, where l.x, m in l.y, not (n in m) unless x in y }",
    ],
    ["a choice in a choice", "query q { where if a then if b then c else d else if e then f else g A() }"],
    ["a choice before then", "rule r { when where if (a) then (b) else (c) then then(d), else(e) if(f) }"],
    [
      "patterns of types called then and else",
      "rule r { when T() then() o: Order then: T(x) where if(a), then(b), else(c) then then(d), else(e), p.x = if(a), then(b), else(c) }",
    ],
    ["an assignment of a choice", "rule r { when then p.x = if (a) then (b) else (c) p.y = if(d) then.x = 3 }"],
    ["a call of a function called if before then", "rule r { when where if (a) then log(1), else(b), then(c) }"],
    ["a field called if", "rule r { when where if - 3 > 2 then if.then = if if then then else else }"],
    [
      "a choice before else",
      'pipeline p for q: Q { before if a then b else allow else ALLOW before if (a) else ERROR "x" }',
    ],
    [
      "a let in every place of a rule",
      "rule r { when let a = b T() let let = a, (A() or B() let c = d) not (let e = f) then let g = let let.x = g let(h) }",
    ],
    [
      "windows in every place of a rule",
      "query q { p: T over last 5 min q: T(x == 1) over last 3 by q.at T() over last d * 2 by by not T() over last 5 min, (A() or B() over last 2 by over) n: count() from p: T over last last forall (t: T over last 2 days : t.x) where exists T() over last 1 h and COUNT(o: over / o.last over last 2 h by o.by ; o.x) > SUM(over: last over last over) h: Host let over = last exists (p: T over last 5 min by p.at) }",
    ],
    [
      "windows where facts are judged",
      "gate g for over: last over last 5 min { require at least 2 of a: A over last 2 days : a.ok and at least 1 of all A(x == 1) over last (d + 5 min) : x require exists T() over last 3 by over }",
    ],
    ["a window before from", "condition c : x.y from every latest x: T(x.z == 1) over last 5 min by x.at per x.name"],
    [
      "a window in a step",
      "pipeline p for q: Q over last 5 min by q.at { step a NOTE when e: E(x == 1) over last 2 s by e.at, f: F over last 2 otherwise ALLOW }",
    ],
    [
      "a window of using",
      'guardian g for d: D { check c using e: E over last 5 min risk high { need x as "a" do A } }',
    ],
    [
      "a window in a call, and a key",
      "query q { where f(exists P() over last d by x) and g(a + b by c) or h((exists P() over last d) by x) n: last(x by y) from P() over last d by y }",
    ],
    ["times of facts", "type T(#id: string, @at: instant, @ from: date? = x, at: T[])"],
    ["a let before a let", "query q { where let let x = let let let = x T() }"],
    ["a condition with a let", "condition c : let a = b let let = a where let from t: T(x)"],
    ["lets in a gate", "gate g { require let let let = 1 let x = let on pass then let y = let }"],
    ["lets in a guardian", 'guardian g for d: D { track let let let = 1 check c { let x = let need x as "a" do A } }'],
    [
      "lets in a pipeline",
      "pipeline p for q: Q { step a ALLOW let let let = 1 step b ALLOW let x = 1 otherwise ALLOW let }",
    ],
    ["a let in a step", "pipeline p for q: Q { step a ALLOW when k: K, let x = k.y, where x otherwise ALLOW }"],
    ["a range of durations", "query q { where a in 1 min..2 h and b in [1 day..b) }"],
    ["a range of sums", "query q { where a + 1 in b - 1..c * 2 and d not in [1..x) or e in [f..g] }"],
    ["ranges before patterns", "query q { where a in 1..b T() where a in [1..b) T() }"],
    ["templates", 'query q { where $"{a}{b} {{ {$"{c}"}" == $"" T() }'],
    [
      "tests on items",
      "gate g { require any(a in x) and any(a in x : b) or all(x in [a, b] : any(y in x.z : y in x)) }",
    ],
    [
      "comprehensions",
      "query q { where [for for for in for] == [a for of in for if if] and b in [{a: if} for if in x if if] T() }",
    ],
    [
      "items and their fields",
      "query q { where a[0] == b.c[d][1].e.f and g(h)[0].i.j in [k[1]..l[2][3]) and (m)[n].in[0] contains all [o] T() let p = q(r).s }",
    ],
    ["an item of a cast, and a cast of an item", "query q { where (number) [x] == (number) x[0] and (number.x)[1] }"],
    ["an item before a list", "query q { where x in [a] and x in a[b] and x contains any [b][0] and p.in [0] }"],
    [
      "a choice between items",
      "rule r { when where if [a] contains 1 then if[0] else [b][0] then p.x = if[0] p.y = then[1] }",
    ],
    [
      "a step whose condition begins with a list",
      "pipeline p for q: Q { step a ALLOW when [1] contains x step b NOTE x[0] unless [1] == y }",
    ],
    ["a constant called const", "const const = const"],
    [
      "stated values of functions",
      "test t { given given(given) = given given given = given(1) given f() = {a: [1]} expect no effect f(1) given f(x) = y }",
    ],
    ["a function called function", "function function(function: function?): function? = function(function)"],
    ["an alias called type", 'type type = "a" | "b"'],
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

test("a window belongs to the pattern before it, unless that is in parentheses", () => {
  const tests = ["exists B() over last 1 h", "(exists B()) over last 1 h", "exists B() within x after y"].map(
    (text) => {
      const [query] = readWell(`query q { where EXISTS(a: A / ${text}) }`);
      return query?.kind === "query" && query.elements[0]?.kind === "where" ? query.elements[0].test : undefined;
    },
  );
  expect(tests).toMatchObject([
    { test: { kind: "exists", pattern: { type: { name: "B" }, window: { kind: "window" } } } },
    { test: { kind: "exists" }, window: { kind: "window" } },
    { test: { kind: "exists", pattern: { tests: [{ kind: "within", type: { name: "B" } }] } } },
  ]);
  expect(tests[0]).not.toHaveProperty("window");
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
    ["a condition that is a variable called let before a fact", "condition c : let\nx = T(1)"],
    ["an action that names a value before a fact", "rule r : {p: P} / ==> let x = y\nT(1)"],
    ["a condition before a constant", "condition c : x\nconst y = 1"],
    ["a constant before a fact of type is", "const x = y\nis(1)"],
    ["a constant before a fact", "const x = y\nT(1)"],
    ["an alias before a fact", "type X = Y\nT(1)"],
    ["a parameter called param before a fact", "param param: param\nparam = param(param: 1)"],
    ["a parameter before a rule without a name", 'param a: "x" | "y" = b {p: P} / ==> log(1)'],
    ["a parameter of a list before a rule without a name", "param c: T[] {p: P} / ==> log(1)"],
    ["a function before a fact called function", "function f(): number\nfunction = function(1)"],
    ["a function before a rule without a name", 'function f(a: "x" | "y" = b): "x" | "y" {p: P} / ==> log(1)'],
    ["a function of a list before a fact", "function f(a: number): T[]\nT(1)"],
    ["a function that is a choice before a fact", "function f(a: number): T? = if a then b else c\nT(1)"],
    ["a function that is a variable before a fact called function", "function f(): T = x\nfunction = T(1)"],
    ["a type that expires before a fact", "type T(#id: string, @at: instant) expires 1 hour expires = T(1)"],
    ["a union before a fact", "type X = 1 | -2\nT(1)"],
    ["a fact called const before a fact", "const = T(1)\nconst(1)"],
    ["a test that ends in a variable called if before a fact", "condition c : x == if\nT(1)"],
    ["a test that is a variable called if before a fact", "condition c : if\nT(1)"],
    [
      "a table before a table",
      'table t(a: A, b: number) first { | a.x | b || r: number | s: ("a" | "b") | | "x", not "y" | -1 || 1 | f(x) | | - | [1..2) || -1 | (a || b) | }\ntable table(table: table) collect list { | table || number | | in x, > 1, 1..2, not in [1] || 1 | }',
    ],
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
    const values =
      list?.kind === "const" && list.value.kind === "list"
        ? list.value.items.map((item) => item.kind === "number" && item.value)
        : [];
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
