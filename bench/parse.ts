/**
 * How the time to check grows with the size of a file, and what the limits cost.
 *
 *   npm run bench -- parse
 *
 * Each measurement runs in a fresh child process, so that memory and warm-up are its own.
 */
import { spawnSync } from "node:child_process";
import { check } from "../src/index.ts";

const SIZES = [6_250, 12_500, 25_000, 50_000, 100_000];
const LIMITS = { sourceBytes: 64 * 1024 * 1024 };
const REPEATS = 3;

interface Measured {
  readonly ms: number;
  readonly megabytes: number;
}

const INPUTS: Readonly<Record<string, (size: number) => string>> = {
  facts: (size) =>
    `type Item(#id: string, amount: number, name: string)\n${lines(size, (i) => `Item("i${i}", ${i % 100}, "name ${i}")`)}`,
  mixed: (size) =>
    `type Item(#id: string, amount: number, name: string)\n${lines(size, (i) =>
      i % 10 === 0
        ? `rule r${i} : {a: Item, b: Item} / a.amount > ${i % 50} AND b.name == a.name ==> log(a.id)`
        : `Item(id: "i${i}", amount: ${i % 100}, name: "name ${i}")`,
    )}`,
  slips: (size) =>
    `type Item(#id: string, amount: number)\n${lines(size, (i) => `Item("i${i}", ${i % 100}${SLIPS[i % SLIPS.length]}`)}`,
  parentheses: () => "(".repeat(1_000_000),
  nots: () => `type P(a: bool)\nrule r : {p: P} / ${"!".repeat(1_000_000)}p.a ==> log("x")\n`,
  comments: () => "/* ".repeat(40_000),
};

/** Ends of a fact, each but the first a mistake of another kind. */
const SLIPS = [")", ");", ",)", "", ' "x")', "))"];

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

function measureHere(input: string, size: number): Measured {
  const source = INPUTS[input]?.(size) ?? "";
  const start = performance.now();
  const work = process.cpuUsage();
  check(source, { limits: LIMITS });
  const { user, system } = process.cpuUsage(work);
  // Waiting for a shared machine is no work; collecting garbage beside the work is no time.
  return {
    ms: Math.min(performance.now() - start, (user + system) / 1000),
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** The best of several fresh processes: the machine is shared, and noise only ever adds. */
function measure(input: string, size: number): Measured {
  const runs = Array.from({ length: REPEATS }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, [process.argv[1] ?? "", "--child", input, String(size)], {
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as Measured;
  });
  return { ms: Math.min(...runs.map((run) => run.ms)), megabytes: Math.min(...runs.map((run) => run.megabytes)) };
}

function main(): void {
  console.log("statements   facts ms  x    MB   mixed ms  x    MB   slips ms  x    MB");
  let before: Readonly<Record<string, Measured>> | undefined;
  for (const size of SIZES) {
    const now = { facts: measure("facts", size), mixed: measure("mixed", size), slips: measure("slips", size) };
    const cells = (["facts", "mixed", "slips"] as const).map((input) => {
      const last = before?.[input];
      const growth = last === undefined ? "   " : (now[input].ms / last.ms).toFixed(1);
      return `${now[input].ms.toFixed(0).padStart(8)} ${growth.padStart(4)} ${now[input].megabytes.toFixed(0).padStart(4)}`;
    });
    console.log(`${String(size).padStart(10)} ${cells.join("  ")}`);
    before = now;
  }
  for (const input of ["parentheses", "nots", "comments"]) {
    console.log(`${input.padEnd(12)} ${measure(input, 0).ms.toFixed(0)} ms to the error`);
  }
}

if (process.argv[2] === "--child") {
  console.log(JSON.stringify(measureHere(process.argv[3] ?? "", Number(process.argv[4]))));
} else {
  main();
}
