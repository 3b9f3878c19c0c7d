/** What was measured, kept in bench/results/data: one file for each benchmark, with the machine and the commit. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Benchmark, Row } from "./benchmark.ts";
import { readJson, ROOT } from "./files.ts";

export const RESULTS = "bench/results";
const DATA = `${RESULTS}/data`;

export interface Measured {
  readonly bench: string;
  readonly machine: Machine;
  readonly commit: string;
  /** Of other engines. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/** With a plus when there are changes that are in no commit. */
export function thisCommit(): string {
  try {
    const commit = git("rev-parse", "--short", "HEAD");
    return git("status", "--porcelain", "--", "src", "bench", `:!${RESULTS}`) === "" ? commit : `${commit}+`;
  } catch {
    return "unknown";
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

export function keep(bench: string, { versions }: Pick<Benchmark, "versions">, rows: readonly Row[]): void {
  const others = versions === undefined ? {} : { versions: versions() };
  const measured: Measured = { bench, machine: thisMachine(), commit: thisCommit(), ...others, rows };
  writeResult(`data/${bench}.json`, `${JSON.stringify(measured, null, 1)}\n`);
}

export function kept(): readonly Measured[] {
  const folder = join(ROOT, DATA);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readJson(`${DATA}/${name}`) as Measured);
}

export function writeResult(name: string, text: string): void {
  mkdirSync(join(ROOT, DATA), { recursive: true });
  writeFileSync(join(ROOT, RESULTS, name), text);
}
