/**
 * How the time to check grows with the size of a file, and what the limits cost.
 *
 *   npm run bench -- parse
 */
import { check } from "../src/index.ts";
import type { Benchmark, Case, Figures } from "./lib/benchmark.ts";

const SIZES = [6_250, 12_500, 25_000, 50_000, 100_000];
const LIMITS = { sourceBytes: 64 * 1024 * 1024 };

const SOURCES: Readonly<Record<string, (size: number) => string>> = {
  facts: (size) =>
    `type Item(#id: string, amount: number, name: string)\n${lines(size, (i) => `Item("i${i}", ${i % 100}, "name ${i}")`)}`,
  mixed: (size) =>
    `type Item(#id: string, amount: number, name: string)\n${lines(size, (i) =>
      i % 10 === 0
        ? `rule r${i} : {a: Item, b: Item} / a.amount > ${i % 50} AND b.name == a.name ==> log(a.id)`
        : `Item(id: "i${i}", amount: ${i % 100}, name: "name ${i}")`,
    )}`,
};

/** Facts with mistakes of many kinds: reading on after a mistake must cost no more than reading. */
const MISTAKEN: Readonly<Record<string, (size: number) => string>> = {
  slips: (size) =>
    `type Item(#id: string, amount: number)\n${lines(size, (i) => `Item("i${i}", ${i % 100}${SLIPS[i % SLIPS.length]}`)}`,
};

/** Ends of a fact, each but the first a mistake of another kind. */
const SLIPS = [")", ");", ",)", "", ' "x")', "))"];

/** Sources that a limit stops: the time is that to the error. */
const STOPPED: Readonly<Record<string, { readonly size: number; readonly source: string }>> = {
  parentheses: { size: 1_000_000, source: "(".repeat(1_000_000) },
  nots: { size: 1_000_000, source: `type P(a: bool)\nrule r : {p: P} / ${"!".repeat(1_000_000)}p.a ==> log("x")\n` },
  comments: { size: 40_000, source: "/* ".repeat(40_000) },
};

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

function measure(source: string, good: boolean): Figures {
  const start = performance.now();
  const { diagnostics } = check(source, { limits: LIMITS });
  const ms = performance.now() - start;
  const errors = diagnostics.some(({ severity }) => severity === "error");
  if (errors === good) throw new Error(good ? "the source has errors" : "the mistakes were not found");
  return { ms, megabytes: process.resourceUsage().maxRSS / 1024 };
}

export const benchmark: Benchmark = {
  about: "checking source text (size: statements; below them, signs that a limit stops)",
  processes: 5,
  shows: "ms",
  picture: "curves",
  figures: [
    { key: "ms", title: "check", unit: "ms" },
    { key: "megabytes", title: "memory", unit: "MB" },
  ],
  cases: [
    ...Object.entries(SOURCES).flatMap(([work, source]) =>
      SIZES.map((size): Case => ({ work, size, engine: "sluice", measure: () => measure(source(size), true) })),
    ),
    ...Object.entries(MISTAKEN).flatMap(([work, source]) =>
      SIZES.map((size): Case => ({ work, size, engine: "sluice", measure: () => measure(source(size), false) })),
    ),
    ...Object.entries(STOPPED).map(([work, { size, source }]): Case => ({
      work,
      size,
      engine: "sluice",
      measure: () => measure(source, false),
    })),
  ],
};
