/** Measures the cases of a benchmark, each in child processes of its own. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { type Benchmark, BUILT, type Case, type Figures, type Row } from "./benchmark.ts";
import type { Said } from "./child.ts";
import { ROOT } from "./files.ts";
import { withGrowth } from "./growth.ts";

const CHILD = fileURLToPath(new URL("child.js", import.meta.url));
/** Threads that make machine code and collect garbage beside the one that is measured: with more than cores they slow it down. */
const HELPERS = Math.max(1, availableParallelism() - 1);
const FLAGS = ["--expose-gc", "--max-old-space-size=6144", `--v8-pool-size=${HELPERS}`];
const SECONDS = 300;
const PROCESSES = 3;

export interface Watcher {
  /** Before each process. */
  begun(what: Case, process: number, processes: number): void;
  /** When all processes of all engines that do the same work are through. */
  done(row: Row): void;
}

export async function measureAll(
  name: string,
  benchmark: Benchmark,
  watcher: Watcher,
  processes: number = benchmark.processes ?? PROCESSES,
): Promise<Row[]> {
  benchmark.prepare?.();
  const rows: Row[] = [];
  for (const group of groups(benchmark.cases)) {
    for (const measured of await measureGroup(name, group, processes, watcher)) {
      const row = withGrowth(benchmark.growth, measured, rows);
      watcher.done(row);
      rows.push(row);
    }
  }
  return rows;
}

interface Numbered {
  readonly index: number;
  readonly what: Case;
}

/** Engines that do the same work take turns, so that a busy minute of the machine does not hit one of them alone. */
async function measureGroup(name: string, group: Numbered[], processes: number, watcher: Watcher): Promise<Row[]> {
  const said = group.map((): Said[] => []);
  for (let round = 1; round <= processes; round++) {
    for (const [position, { index, what }] of group.entries()) {
      const before = said[position] ?? [];
      if (before.some(({ status }) => status !== "ok")) continue;
      watcher.begun(what, round, processes);
      before.push(await measureOnce(name, index, what.seconds ?? SECONDS));
    }
  }
  return group.map(({ what }, position) => rowOf(name, what, said[position] ?? []));
}

function groups(cases: readonly Case[]): Numbered[][] {
  const byWork = new Map<string, Numbered[]>();
  for (const [index, what] of cases.entries()) {
    const key = `${what.work} ${what.size}`;
    byWork.set(key, [...(byWork.get(key) ?? []), { index, what }]);
  }
  return [...byWork.values()];
}

async function measureOnce(name: string, index: number, seconds: number): Promise<Said> {
  const child = spawn(process.execPath, [...FLAGS, CHILD, name, String(index)], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  let late = false;
  const stop = (): NodeJS.Timeout =>
    setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, seconds * 1000);
  let timer = stop();
  child.stdout.on("data", (data: Buffer) => {
    const text = data.toString();
    out += text;
    if (!text.includes(BUILT)) return;
    clearTimeout(timer);
    timer = stop();
  });
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  if (late) return { status: "too long", note: `stopped after ${seconds} s`, figures: {} };
  const line = out.trimEnd().split("\n").at(-1) ?? "";
  if (line.startsWith('{"status"')) return JSON.parse(line) as Said;
  return { status: "failed", note: reason(err), figures: {} };
}

function reason(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/iu.test(line))?.slice(0, 100) ?? lines[0]?.slice(0, 100) ?? "the process ended";
}

function rowOf(bench: string, { work, size, engine }: Case, said: readonly Said[]): Row {
  const bad = said.find(({ status }) => status !== "ok");
  const all = bad === undefined ? said.map(({ figures }) => figures) : [];
  return {
    bench,
    work,
    size,
    engine,
    status: bad?.status ?? "ok",
    ...(bad?.note === undefined ? {} : { note: bad.note }),
    figures: eachFigure(all, (values) => values[0] ?? 0),
    median: eachFigure(all, (values) => values[values.length >> 1] ?? 0),
    processes: said.length,
  };
}

/** Of the values of every figure in ascending order. */
function eachFigure(all: readonly Figures[], choose: (sorted: readonly number[]) => number): Figures {
  const keys = [...new Set(all.flatMap((figures) => Object.keys(figures)))];
  return Object.fromEntries(
    keys.map((key) => [key, choose(all.flatMap((figures) => figures[key] ?? []).sort((a, b) => a - b))]),
  );
}
