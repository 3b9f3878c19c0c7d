/** Tests in which order the patterns of a rule are joined, what decides it, and how many matches it makes. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SIGNATURES } from "../../bench/data/junctions.ts";
import { compile, type CompileOptions, type Program } from "../../src/index.ts";
import { importReader } from "../../src/node/index.ts";
import { ordersOf } from "../support/join-programs.ts";

const TYPES = `type A(k: number, x: number = 0, tag: string = "")
type B(k: number, j: number = 0, x: number = 0, tag: string = "")
type C(j: number, i: number = 0, x: number = 0, tag: string = "")
type D(i: number, x: number = 0, tag: string = "")
type Item(sku: number, q: number)
record Line(sku: number, q: number)
type Order(#id: number, up: Order?, lines: Line[], spot: Line)
type Stage(value: string)
`;
const LINKED = "patterns that share a test follow each other";

const ruleOf = (when: string, name = "r"): string => `rule "${name}" { when\n${when}\nthen log("${name}") }\n`;

const programOf = (when: string, options: CompileOptions = {}): Program => compile(`${TYPES}${ruleOf(when)}`, options);

/** The order of the patterns of the rule; undefined where it is the written one. */
const joined = (when: string): string | undefined => orderOf(programOf(when), "r");

function orderOf(program: Program, rule: string): string | undefined {
  const order = program.network().rules.find(({ name }) => name === rule)?.joined;
  return order === undefined ? undefined : `${order.patterns.join(" ")}: ${order.because}`;
}

/** What the nodes of the chains do, without tests of single facts and without ends. */
const chainOf = (program: Program): string[] =>
  program.network().nodes.flatMap(({ kind, text }) => (kind === "alpha" || kind === "terminal" ? [] : [text]));

test("a group begins with the pattern that has most equalities with constants", () => {
  expect(joined('a: A b: B(k == a.k) c: C(j == b.j) d: D(i == c.i, tag == "t")')).toBe(
    "d c b a: d is compared with a constant",
  );
  expect(joined('a: A(tag == "t") b: B(k == a.k) c: C(j == b.j, tag == "t", x == 1)')).toBe(
    "c b a: c is compared with a constant",
  );
  expect(joined('a: A(x > 1, tag != "u") b: B(k == a.k) c: C(j == b.j)')).toBeUndefined();
});

test("no pattern is joined that shares no test with those before while one is left that does", () => {
  expect(joined("a: A c: C b: B(k == a.k, j == c.j)")).toBe(`a b c: ${LINKED}`);
  expect(joined("a: A d: D b: B(k == a.k) c: C(i == d.i)")).toBe(`a b d c: ${LINKED}`);
});

test("of patterns that share a test, those with a key are first", () => {
  expect(joined("a: A d: D(x < a.x) c: C(i == d.i) b: B(k == a.k, j == c.j)")).toBe(`a b c d: ${LINKED}`);
});

test("a pattern that is linked only through a third one waits for it", () => {
  expect(joined("o: Order i: Item j: Item(sku == o.spot.sku, q == i.q)")).toBe(`o j i: ${LINKED}`);
  expect(joined('a: A b: B c: C(j == a.k + b.j, tag == "t")')).toBe("c a b: c is compared with a constant");
});

test("two patterns, and patterns that share no test, stay as they are written", () => {
  expect(joined('a: A b: B(k == a.k, tag == "t")')).toBeUndefined();
  expect(joined('a: A(x > 1) b: B s: Stage(value == "x")')).toBeUndefined();
});

test("a stage stays at its place", () => {
  expect(joined('s: Stage(value == "x") a: A b: B(k == a.k) c: C(j == b.j, tag == "t")')).toBe(
    "s c b a: c is compared with a constant",
  );
  expect(joined('a: A(x == 1) s: Stage(value == "x") b: B(k == a.k)')).toBeUndefined();
});

test("a where takes part, and is tested as soon as it can be", () => {
  const when = 'a: A c: C where a.k == c.j and a.x > 1 b: B(k == a.k) d: D(i == c.i, tag == "t") where b.x < d.x';
  expect(joined(when)).toBe("d c a b: d is compared with a constant");
  expect(chainOf(programOf(when))).toEqual([
    "D[]",
    "C[$2.i == $1.i]",
    "A[$3.k == $2.j]",
    "B[$4.k == $3.k, $1.x > $4.x]",
  ]);
});

test("patterns need no variables", () => {
  const when = 'A() b: B(x == 1) C(j == b.j, tag == "t", x == 2) D(i == b.j)';
  expect(joined(when)).toBe("A C b D: C is compared with a constant");
  const { layouts } = programOf(when).network().rules[0] ?? {};
  expect(layouts?.[0]?.facts).toEqual([1, 3, 2, 4]);
  expect(layouts?.[0]?.bindings.map(({ name }) => name)).toEqual(["b"]);
});

test("tests that follow references are made once their facts are there", () => {
  const when = "o: Order p: Order(up.spot.q == o.spot.sku) q: Order(spot.sku == p.spot.sku, up == o, spot.q == 3)";
  expect(joined(when)).toBe("q o p: q is compared with a constant");
  expect(chainOf(programOf(when))).toEqual([
    "Order[]",
    "Order[$2#id == $1.up]",
    "Order[$3.spot.sku == $1.spot.sku]",
    "Order $3.up",
    "$2.spot.sku == ($3.up->$4.spot).q",
  ]);
});

test("elements of lists stay where they are written, and patterns after them can be linked to them", () => {
  const when = "o: Order l in o.lines i: Item j: Item(sku == l.sku, q == i.q)";
  expect(joined(when)).toBe("o j i: j shares a test with what is before it");
  const { layouts } = programOf(when).network().rules[0] ?? {};
  expect(layouts?.[0]?.order).toEqual([1, 2, 4, 3]);
});

test("patterns after a not are ordered among themselves", () => {
  expect(joined("a: A not D(i == a.k) b: B c: C(i == a.k, j == b.j)")).toBe(
    "a c b: c shares a test with what is before it",
  );
});

test("what can be reported, or depends on its place, stays as it is written", () => {
  const chain = (test: string): string => `a: A b: B(k == a.k) c: C(j == b.j, ${test}, tag == "t")`;
  expect(joined(chain("x == 10 * b.x"))).toBe("c b a: c is compared with a constant");
  expect(joined(chain("x == abs(b.x)"))).toBe("c b a: c is compared with a constant");
  expect(joined(chain("x == 10 / b.x"))).toBeUndefined();
  const calls = compile(`${TYPES}function twice(x: number): number\n${ruleOf(chain("x == twice(b.x)"))}`);
  expect(orderOf(calls, "r")).toBeUndefined();
  expect(joined(chain("exists D(i == b.k)"))).toBeUndefined();
  expect(joined(`a: A b: B(k == a.k) c: C(j == b.j, tag == "t") over last 2`)).toBeUndefined();
});

test("the slash form is ordered as well", () => {
  const test = 'a.k == b.k and b.j == c.j and c.i == d.i and d.tag == "t"';
  const program = compile(`${TYPES}rule r : {a: A, b: B, c: C, d: D} / ${test} ==> log("r")`);
  expect(orderOf(program, "r")).toBe("d c b a: d is compared with a constant");
});

test("a control fact stays last", () => {
  const when = 's: Stage(value == "x") a: A b: B(k == a.k) c: C(j == b.j, tag == "t")';
  const program = compile(`${TYPES}rule "r" { when ${when} then s.value = "y" }`);
  expect(orderOf(program, "r")).toBe("c b a s: c is compared with a constant");
});

test("option order written leaves patterns as they are written", () => {
  const when = 'a: A b: B(k == a.k) c: C(j == b.j, tag == "t")';
  const chosen = compile(`option order chosen\n${TYPES}${ruleOf(when)}`);
  const written = compile(`option order "Written"\n${TYPES}${ruleOf(when)}`);
  expect(orderOf(chosen, "r")).toBe("c b a: c is compared with a constant");
  expect(orderOf(written, "r")).toBeUndefined();
  expect(chainOf(written)).toEqual(chainOf(programOf(when, { joinOrder: "written" })));
});

// ---------------------------------------------------------------- other rules

const SHORT = ruleOf('c: C(tag == "t") d: D(i == c.i)', "short");
const LONG = ruleOf('b: B c: C(j == b.j, tag == "t") d: D(i == c.i)', "long");

test("a join that another rule has is preferred", () => {
  expect(orderOf(compile(`${TYPES}${LONG}`), "long")).toBe("c b d: c is compared with a constant");
  expect(orderOf(compile(`${TYPES}${SHORT}${LONG}`), "long")).toBe("c d b: c is compared with a constant");
  const shared = compile(`${TYPES}${SHORT}${LONG}`).sharing();
  expect(shared.network.filter(({ rules }) => rules.length === 2).map(({ text }) => text)).toContain("D[$2.i == $1.i]");
});

test("a rule that is added later follows the orders that are there, and keeps its own when another rule goes", () => {
  const short = compile(`${TYPES}${SHORT}`);
  short.network();
  const both = short.extend(LONG);
  expect(both.network()).toEqual(compile(`${TYPES}${SHORT}${LONG}`).network());
  const long = both.without("short");
  expect(orderOf(long, "long")).toBe("c d b: c is compared with a constant");
  expect(chainOf(long)).toEqual(["C[]", "D[$2.i == $1.i]", "B[$3.j == $1.j]"]);
  expect(long.without("long").network().nodes).toEqual([]);
});

test("a rule that is joined in another order after a reload is the same rule: it does not fire again", () => {
  const [both, long] = [compile(`${TYPES}${SHORT}${LONG}`), compile(`${TYPES}${LONG}`)];
  expect(orderOf(both, "long")).not.toEqual(orderOf(long, "long"));
  const session = both.session({ id: "s" });
  session.assert("B", { k: 1, j: 1 });
  session.assert("C", { j: 1, i: 1, tag: "t" });
  session.assert("D", { i: 1 });
  expect(session.run().fired.map(({ rule }) => rule)).toEqual(["short", "long"]);
  session.assert("B", { k: 2, j: 1 });
  for (const next of [long, both, compile(`option order written\n${TYPES}${LONG}`), long]) {
    const counts = session.counters();
    session.reload(next);
    expect(session.matches("long")).toHaveLength(2);
    expect(session.counters().facts).toBe(counts.facts);
  }
  expect(session.run().fired.map(({ bindings }) => bindings["b"])).toEqual(["B~@2"]);
});

// ---------------------------------------------------------------- how many matches

const STEPS = [0, 1, 2, 3, 4, 5];

/** Six patterns in a row, each linked to the next; the last of them is compared with a constant. */
function rowOf(order: readonly number[]): string {
  const types = STEPS.map((step) => `type P${step}(#id: number, next: number, hot: bool = false)\n`);
  const patterns = order.map((step, at) => {
    const before = order.slice(0, at);
    const tests = [
      ...(before.includes(step - 1) ? [`id == p${step - 1}.next`] : []),
      ...(before.includes(step + 1) ? [`next == p${step + 1}.id`] : []),
      ...(step === 5 ? ["hot == true"] : []),
    ];
    return `p${step}: P${step}(${tests.join(", ")})`;
  });
  return `${types.join("")}rule "row" { when ${patterns.join("\n")} then log(p0.id) }`;
}

/** How many matches there are of all nodes when the facts of all types are there. */
function matchesMade(program: Program, n: number): number {
  const session = program.session();
  for (const step of STEPS) {
    for (let id = 0; id < n; id++) session.assert(`P${step}`, { id, next: (id * 7 + 3) % n, hot: id % 10 === 0 });
  }
  expect(session.matches("row")).toHaveLength(n / 10);
  return session.counters().matches;
}

test("six patterns in a row make as few matches in each of the 720 orders in which they can be written", () => {
  const made = ordersOf(6).map((order) => matchesMade(compile(rowOf(order)), 50));
  const best = Math.min(...made);
  expect(made).toHaveLength(720);
  expect(Math.max(...made)).toBe(best);
  expect(best).toBeLessThanOrEqual(50);
});

test("as written, most of these orders make many more", () => {
  const options = { joinOrder: "written" } as const;
  const apart = matchesMade(compile(rowOf([0, 2, 4, 1, 3, 5]), options), 20);
  expect(apart).toBeGreaterThan(8000);
});

// ---------------------------------------------------------------- programs of the project

function programsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsd"))
    .map((file) => join(folder, file));
}

const nodesOf = (file: string, options: CompileOptions): number => {
  const read = importReader([dirname(file)]);
  const program = compile(readFileSync(file, "utf8"), { file, read, functions: SIGNATURES, ...options });
  return program.network().nodes.filter(({ kind }) => kind !== "alpha" && kind !== "terminal").length;
};

test.each([...programsIn("bench/programs"), ...programsIn("examples")])(
  "%s has no more nodes than as written",
  (file) => {
    expect(nodesOf(file, {})).toBeLessThanOrEqual(nodesOf(file, { joinOrder: "written" }));
  },
);
