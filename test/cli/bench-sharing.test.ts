/** Tests `sluice bench sharing FILES`: figures, conclusions, generated facts and the plot. Times are given by the tests. */
import { expect, test } from "vitest";
import { conclusionOf, isClear, megabytes, milliseconds } from "../../src/cli/bench/conclusion.ts";
import { generatedFacts } from "../../src/cli/bench/facts.ts";
import { type Size, spread } from "../../src/cli/bench/measure.ts";
import { sharingPlot } from "../../src/cli/bench/plot.ts";
import { sharingText } from "../../src/cli/bench/text.ts";
import { widthOf } from "../../src/cli/columns.ts";
import type { Io } from "../../src/cli/io.ts";
import { compile } from "../../src/index.ts";
import { type Ran, runCli } from "../support/io.ts";

const TYPES = `type Person(#id: string, age: number, status: string, tag: string?)
type Order(#num: string, buyer: Person, total: number, code: string)
type Note(person: string, text: string)
`;
const RULES = `${TYPES}
rule a { when p: Person(age > 18) then log(p.id) }
rule b { when p: Person(18 < age) o: Order(buyer == p, total > 100) then log(o.num) }
rule c { when q: Person(age > 18) o: Order(o.buyer == q, total > 100) not Note(person == q.id) then log(o.num) }
rule d { when p: Person(status == "VIP" or age > 65) then insert Note(person: p.id, text: "old") }
rule e { when p: Person(age > 65 or status == "VIP") then log(p.id) }
`;

/** A clock that goes on by a millisecond, and a heap that never grows. */
function world(): Partial<Io> {
  let time = 0;
  return { now: () => (time += 1), heap: () => 1_000_000 };
}

function bench(args: readonly string[], files: Record<string, string> = {}, more: Partial<Io> = {}): Ran {
  const all = { "rules.tsd": RULES, ...files };
  return runCli(["bench", "sharing", "rules.tsd", ...args], all, { ...world(), ...more });
}

test("the nodes are those of the network, for a growing part of the rules, and answers are compared", () => {
  const { exit, out } = bench(["--json", "--count", "60", "--rounds", "3"]);
  expect(exit).toBe(0);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown> & { shared: Size["shared"]; apart: Size["apart"] });
  const sizes = events.filter(({ event }) => event === "size");
  expect(sizes.map(({ rules }) => rules)).toEqual([1, 2, 3, 5]);
  expect(sizes.every(({ same }) => same === true)).toBe(true);
  const { nodes, without } = compile(RULES).sharing();
  expect([sizes.at(-1)?.shared.nodes, sizes.at(-1)?.apart.nodes]).toEqual([nodes, without]);
  expect(events.at(-1)).toMatchObject({ event: "conclusion", same: true, plot: "rules.sharing.svg" });
});

test("people read bars that fit, a conclusion, and where the plot is", () => {
  for (const columns of [60, 80, 160]) {
    const { out, written } = bench(["--count", "60", "--rounds", "3"], {}, { columns });
    for (const line of out.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    expect(out).toContain("rules.tsd: 60 generated facts (seed 1), medians of 3 rounds");
    expect(out.replaceAll("\n", " ")).toContain(
      "With sharing, your 5 rules need 13 nodes instead of 21: sharing saves 38 %.",
    );
    expect(out.replaceAll("\n", " ")).toMatch(
      /Both ways give the same \d+ matches and the same \d+ firings in the same order/u,
    );
    expect(out).toContain("plot: rules.sharing.svg");
    expect([...written.keys()]).toEqual(["rules.sharing.svg"]);
  }
});

test("rules can be taken out whatever their names are", () => {
  const program = compile(
    'type A(#id: string) rule "\\u{1b}[2J" { when a: A then halt } rule b { when a: A then halt } rule "c\\"{{" { when a: A then halt }',
  );
  const names = program.network().rules.map(({ name }) => name);
  expect(names[0]).toBe("\u001b[2J");
  for (const name of names) expect(program.without(name).network().rules).toHaveLength(2);
  expect(program.without(names).network().rules).toEqual([]);
});

test("facts can be given, and the plot can go elsewhere", () => {
  const facts = JSON.stringify({ Person: [{ id: "p", age: 44, status: "x" }] });
  const { out, written } = bench(["--facts", "f.json", "-o", "p.svg", "--rounds", "3"], { "f.json": facts });
  expect(out).toContain("rules.tsd: 1 given fact,");
  expect(out).toContain("the same 1 match and the same 1 firing in the same");
  expect(written.get("p.svg")).toContain("<svg ");
});

test("rules that share nothing, and time that cannot be told apart, are said to be so", () => {
  const { out } = runCli(
    ["bench", "sharing", "r.tsd", "--count", "5", "--rounds", "3"],
    { "r.tsd": `${TYPES}rule a { when p: Person(age > 18) then log(p.id) }` },
    world(),
  );
  expect(out).toContain("Your rules have no node in common: your 1 rule needs 3 nodes either way.");
  expect(out).toContain("takes about the same time: the difference is within noise.");
});

test("where memory cannot be measured, it is left out", () => {
  const { out } = bench(["--count", "9", "--rounds", "3"], {}, { heap: undefined });
  expect(out).toContain("nodes\n");
  expect(out).not.toContain("memory");
});

test.each([
  [["bench", "sharing", "none.tsd"], 2, "none.tsd"],
  [["bench", "sharing", "types.tsd"], 2, "no rules to measure"],
  [["bench", "sharing", "bad.tsd"], 1, "error"],
  [["bench", "sharing", "rules.tsd", "--rounds", "1"], 2, "--rounds must be an integer of at least 3"],
  [["bench", "sharing", "rules.tsd", "--processes", "1"], 2, "--processes is for the benchmarks of a clone"],
  [
    ["bench", "sharing", "rules.tsd", "--facts", "f.json", "--count", "3"],
    2,
    "--count and --seed are for generated facts",
  ],
  [["bench", "waltz", "--facts", "f.json"], 2, "--facts is for your own rules: sluice bench sharing FILES"],
])("%j is refused in words", (args, exit, words) => {
  const files = { "rules.tsd": RULES, "types.tsd": TYPES, "bad.tsd": "rule {", "f.json": "{}" };
  const ran = runCli(args, files, world());
  expect(ran.err).toContain(words);
  expect(ran.exit).toBe(exit);
});

test("generated facts are the same for the same seed, reach the rules, and join", () => {
  const program = compile(RULES);
  const facts = generatedFacts(program, 300, 1);
  expect(facts).toEqual(generatedFacts(program, 300, 1));
  expect(facts).not.toEqual(generatedFacts(program, 300, 2));
  expect(facts.length).toBeGreaterThan(250);
  const session = program.session({ facts: "none" });
  for (const { type, fields } of facts) session.assert(type, fields);
  for (const rule of ["a", "b", "c", "d"]) expect(session.matches(rule).length, rule).toBeGreaterThan(0);
  expect(session.matches("a").length).toBeLessThan(100);
});

test("an open program gets facts with the fields that its rules read", () => {
  const program = compile('rule r { when p: Person(age > 18, status == "VIP") o: Order(buyer == p.id) then log(1) }');
  const facts = generatedFacts(program, 200, 1);
  expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(["Person", "Order"]));
  const session = program.session();
  for (const { type, fields } of facts) session.assert(type, fields);
  expect(session.matches("r").length).toBeGreaterThanOrEqual(0);
});

const figures = (nodes: number, bytes: number, ms: number): Size["shared"] => ({ nodes, bytes, ms });
const SIZE: Size = {
  rules: 120,
  facts: 1000,
  matches: 7,
  firings: 3,
  stopped: undefined,
  shared: figures(61, 1_000_000, 4),
  apart: figures(240, 2_000_000, 10),
  ratio: { low: 0.38, median: 0.4, high: 0.43 },
  difference: undefined,
};

test("the conclusion claims no more than was measured", () => {
  expect(conclusionOf([SIZE])).toEqual([
    "With sharing, your 120 rules need 61 nodes instead of 240: sharing saves 75 %.",
    "Matching 1,000 facts takes 0.40 of the time.",
    "A session with these facts takes 0.95 MB instead of 1.91 MB, 0.50 of the memory.",
    "Both ways give the same 7 matches and the same 3 firings in the same order.",
  ]);
  expect(isClear({ low: 0.8, median: 0.9, high: 1.1 })).toBe(false);
  expect(isClear({ low: 0.95, median: 0.97, high: 0.98 })).toBe(false);
  expect(isClear({ low: 1.1, median: 1.2, high: 1.3 })).toBe(true);
  const slower = {
    ...SIZE,
    shared: figures(61, 1_000_000, 12),
    ratio: { low: 1.1, median: 1.25, high: 1.3 },
    stopped: "E510",
  };
  expect(conclusionOf([slower]).join(" ")).toContain("takes 1.20 times as long");
  expect(conclusionOf([slower]).join(" ")).toContain("(both stop with E510)");
  expect(conclusionOf([{ ...SIZE, difference: "x" }]).at(-1)).toContain("This is a bug in Sluice");
  expect(conclusionOf([])).toEqual([]);
});

const shown = (sizes: readonly Size[], always: readonly string[] = []): string =>
  sharingText({ outColor: false, columns: 100 } as Io, sizes, always);

test("the ratios are the quotients of the figures beside them, and small differences are noise", () => {
  const near = { ...SIZE, rules: 60, shared: figures(30, 1_960_000, 2.02), apart: figures(60, 2_000_000, 2.58) };
  const text = shown([{ ...near, ratio: { low: 0.8, median: 0.88, high: 0.9 } }, SIZE]);
  expect(text).toMatch(/ 60 rules {2}sharing {3}2\.02 ms {2}█+ × 0\.78\n/u);
  expect(text).toMatch(/ 60 rules {2}sharing {2}1\.87 MB {2}█+ within noise\n/u);
  expect(text).toContain("× is the figure with sharing divided by the figure without.");
  const unclear = { ...near, shared: figures(30, 1_000_000, 2.6), ratio: { low: 0.8, median: 0.88, high: 0.9 } };
  expect(conclusionOf([unclear])).toContain(
    "Matching 1,000 facts takes about the same time: the difference is within noise.",
  );
});

test("differences between two equal networks are noise, however large they look", () => {
  const same: Size = { ...SIZE, apart: { ...SIZE.apart, nodes: SIZE.shared.nodes } };
  const words = conclusionOf([same]).join(" ");
  expect(words).toContain("about the same time");
  expect(words).toContain("about the same memory");
});

test("the figures of a chart have one unit", () => {
  const small = { ...SIZE, rules: 60, shared: figures(30, 50_000, 900), apart: figures(60, 60_000, 1100) };
  const text = shown([small, SIZE]);
  expect(text).toMatch(/ 49 kB [^]* 59 kB [^]* 977 kB [^]* 1,953 kB /u);
  expect(text).not.toContain("MB  ");
  expect(text).toMatch(/ 900\.00 ms [^]* 1100\.00 ms [^]* 4\.00 ms /u);
});

test("what is measured whatever the number of rules is said", () => {
  expect(shown([SIZE])).not.toContain("every row");
  expect(shown([SIZE], ["gates"])).toContain("Gates are in every row, whatever the number of rules.");
  expect(shown([SIZE], ["gates", "guardians", "flows"])).toContain("Gates, guardians and flows are in every row");
  const gate = `gate "ok" for p: Person { require p.age > 18 }`;
  expect(bench(["--count", "9", "--rounds", "3"], { "rules.tsd": RULES + gate }).out).toContain(
    "Gates are in every row",
  );
});

test("numbers have units that fit them", () => {
  expect([megabytes(500), megabytes(50_000), megabytes(5e6), megabytes(5e7)]).toEqual([
    "1 kB",
    "49 kB",
    "4.77 MB",
    "47.7 MB",
  ]);
  expect([milliseconds(0.5), milliseconds(55), milliseconds(5500)]).toEqual(["0.50 ms", "55.0 ms", "5.50 s"]);
  expect(spread([5, 1, 3, 2, 4])).toEqual({ low: 2, median: 3, high: 4 });
});

test("the plot is well-formed, has a dark side, and escapes what it is given", () => {
  const svg = sharingPlot([{ ...SIZE, rules: 60 }, SIZE], {
    title: 'a<b>&"\u202e.tsd',
    source: "1,000 generated facts",
  });
  expect(svg).toContain("prefers-color-scheme:dark");
  expect(svg).toContain("a&lt;b&gt;&amp;&quot;");
  expect(svg).not.toContain("\u202e");
  const tags = [...svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/gu)];
  const open: string[] = [];
  for (const [, close, name = "", single] of tags) {
    if (close === "/") expect(open.pop()).toBe(name);
    else if (single !== "/") open.push(name);
  }
  expect(open).toEqual([]);
  expect(sharingPlot([SIZE], { title: "one", source: "" })).not.toContain("NaN");
});
