/** Tests the benchmark harness: what it prints, what it compares, and what `sluice bench` says. */
import { expect, test } from "vitest";
import { type Benchmark, type Row, verify, WrongAnswer } from "../../bench/lib/benchmark.ts";
import { pictureOf } from "../../bench/lib/chart.ts";
import { BENCHMARKS } from "../../bench/lib/registry.ts";
import { repeat, repeatSlowly } from "../../bench/lib/repeat.ts";
import { markdown, plainText, ratioOf, tableOf } from "../../bench/lib/table.ts";
import { translate } from "../../bench/peers/clips/translate.ts";
import { declarationsOf } from "../../bench/peers/clips/tree.ts";
import { readWords } from "../../bench/lib/words.ts";
import { runCli } from "../support/io.ts";

function row(engine: string, warm: number | undefined, more: Partial<Row> = {}): Row {
  const figures: Row["figures"] = warm === undefined ? {} : { warm };
  return { bench: "b", work: "W", size: 1000, engine, status: "ok", figures, median: figures, processes: 1, ...more };
}

const BENCHMARK: Benchmark = {
  about: "something",
  picture: "works",
  versus: "warm",
  figures: [{ key: "warm", title: "warm", unit: "ms" }],
  cases: [],
};
const ROWS = [
  row("sluice", 30),
  row("hand", 10),
  row("other", undefined, { status: "too long", note: "stopped after 20 s" }),
];

test("a table shows the ratio to the hand-written program, and why there is no time", () => {
  expect(plainText(tableOf(BENCHMARK, ROWS))).toBe(`work   size  engine  warm ms  × hand
────  ─────  ──────  ───────  ──────
W     1,000  sluice     30.0    3.00
W     1,000  hand       10.0
W     1,000  other   too long: stopped after 20 s
`);
  expect(markdown(tableOf(BENCHMARK, ROWS)).split("\n")[2]).toBe("| W | 1,000 | sluice | 30.0 | 3.00 |");
});

test("a ratio is taken in the same work and size only", () => {
  const [sluice = row("sluice", 0)] = ROWS;
  expect(ratioOf(sluice, ROWS, "warm")).toBe(3);
  expect(ratioOf(row("sluice", 30, { size: 5 }), ROWS, "warm")).toBeUndefined();
});

test("a wrong answer is an error before its time counts", () => {
  const wrong = { make: () => 1, work: () => ({ firings: 2 }), expected: { firings: 3 }, maxRounds: 0 };
  expect(() => repeat(wrong)).toThrow(WrongAnswer);
  expect(() => verify({ firings: 3 }, { firings: 3, checksum: 1 })).toThrow("checksum undefined instead of 1");
});

test("an engine that may be slow is verified and warmed up like any other", async () => {
  let rounds = 0;
  const work = async (): Promise<{ firings: number }> => ({ firings: ++rounds });
  await expect(repeatSlowly({ make: () => 1, work, expected: { firings: 1 } })).rejects.toThrow(
    "firings 2 instead of 1",
  );
  rounds = 0;
  await repeatSlowly({
    make: () => 1,
    work: async () => ({ ...(await work()), firings: 0 }),
    expected: { firings: 0 },
  });
  expect(rounds).toBe(30);
});

test("a picture names its engines and its unit, and leaves out what has no time", async () => {
  const svg = await pictureOf("b", BENCHMARK, ROWS);
  expect(svg).toMatch(/^<svg /u);
  for (const words of ["sluice", "hand", "warm (ms)", "something"]) expect(svg).toContain(words);
  expect(svg).not.toContain("other");
});

test("figures of one work stand beside each other, and a number below 1 is written out", async () => {
  const figures = ["p50", "p99"].map((key) => ({ key, title: `title ${key}`, unit: "µs" as const }));
  const rows = [row("sluice", undefined, { figures: { p50: 0.02, p99: 3 } })];
  const svg = await pictureOf("b", { ...BENCHMARK, shows: ["p50", "p99"], figures }, rows);
  for (const words of ["title p50", "title p99", ">µs<", ">0.01<"]) expect(svg).toContain(words);
});

test.each(Object.keys(BENCHMARKS))("%s has cases, and shows a figure that it has", async (name) => {
  const { benchmark } = (await BENCHMARKS[name]?.()) ?? { benchmark: BENCHMARK };
  expect(benchmark.cases.length).toBeGreaterThan(0);
  const keys = benchmark.figures.map(({ key }) => key);
  for (const shown of [benchmark.shows ?? benchmark.versus].flat()) expect(keys).toContain(shown);
});

test("rules are written for CLIPS with bound slots, so that it can hash its joins", () => {
  const rules = `type A(x: number, y: string = "n") type B(x: number, z: number)
rule r salience 5 { when a: A(y == "k" OR y == "l") b: B(x == a.x, z > 3) not A(x != b.z) then a.y = "m" insert B(x: a.x, z: b.z + 1) }`;
  expect(translate(declarationsOf(rules))).toBe(
    "(deftemplate A (slot x) (slot y (default n)))\n(deftemplate B (slot x) (slot z))\n" +
      "(defrule r (declare (salience 5)) ?a <- (A (x ?a-x) (y k|l)) ?b <- (B (z ?b-z&:(> ?b-z 3)) (x ?a-x)) " +
      "(not (A (x ~?b-z))) => (modify ?a (y m)) (assert (B (x ?a-x) (z (+ ?b-z 1)))))\n",
  );
});

test("words that are not understood are refused before anything is measured", () => {
  const understood = { flags: ["json"], plot: true, names: ["none"] };
  const read = (...args: string[]): unknown => readWords(understood, args);
  expect(read("waltz", "none", "--json")).toMatchObject({ names: ["waltz", "none"], flags: new Set(["json"]) });
  expect(() => read("waltzer")).toThrow('no benchmark "waltzer"');
  expect(() => read("constructor")).toThrow('no benchmark "constructor"');
  expect(() => read("\u001b[2J")).toThrow('no benchmark "\\u001b[2J"');
  expect(() => read("waltz", "--plot", "nowhere/at/all.svg")).toThrow('no folder "nowhere/at" for the picture');
  expect(() => read("waltz", "--processes", "0")).toThrow("--processes takes a positive integer");
  expect(() => readWords({}, ["waltz"])).toThrow();
  expect(() => readWords({ names: [] }, ["--plot", "out.svg"])).toThrow();
});

test("sluice bench hands its words to the benchmarks of the clone", () => {
  const heard: string[] = [];
  const benchmarks = (words: readonly string[]): number => {
    heard.push(...words);
    return 0;
  };
  expect(runCli(["bench", "waltz", "--json", "--processes", "2"], {}, { benchmarks }).exit).toBe(0);
  expect(heard).toEqual(["waltz", "--json", "--processes", "2"]);
});

test("sluice bench says plainly that a package has no benchmarks", () => {
  expect(runCli(["bench", "waltz"])).toMatchObject({
    exit: 2,
    err: "sluice: the package contains no benchmarks; run this command in a clone of the repository\n",
  });
});
