/**
 * Writes bench/results/REPORT.md and its pictures.
 *
 *   npm run bench:report                   measures everything
 *   npm run bench:report -- peers scale    measures these, and writes the report with what was kept of the others
 *   npm run bench:report -- sessions       measures what the goals of sessions and of the package need, in one sitting
 *   npm run bench:report -- none           measures nothing, writes the report again
 */
import type { Benchmark } from "./benchmark.ts";
import { pictureOf } from "./chart.ts";
import { goalTable } from "./goals.ts";
import { measureAll } from "./measure.ts";
import { BENCHMARKS } from "./registry.ts";
import { SESSION_BENCHES } from "./session-goals.ts";
import { keep, kept, type Measured, writeResult } from "./results.ts";
import { markdown, tableOf } from "./table.ts";
import { watcherFor } from "./watch.ts";
import { command, readWords } from "./words.ts";

/** The benchmarks of the goals of sessions and of the package. */
const SITTING = SESSION_BENCHES.filter((name) => Object.hasOwn(BENCHMARKS, name));

const USAGE = `npm run bench:report -- [NAME…] [--processes N]

benchmarks: ${Object.keys(BENCHMARKS).join(", ")}; sessions: ${SITTING.join(", ")}; none measures nothing
`;

async function main(): Promise<number> {
  const { names: given, processes } = readWords({ names: ["none", "sessions"] });
  const chosen = given.flatMap((name) => (name === "none" ? [] : name === "sessions" ? SITTING : [name]));
  const names = given.length === 0 ? Object.keys(BENCHMARKS) : [...new Set(chosen)];
  for (const name of names) {
    const benchmark = await benchmarkOf(name);
    if (benchmark === undefined) continue;
    process.stderr.write(`${name} …\n`);
    keep(name, benchmark, await measureAll(name, benchmark, watcherFor(benchmark.cases.length), processes));
  }
  const all = kept();
  const sections: string[] = [];
  for (const name of Object.keys(BENCHMARKS)) {
    const measured = all.find(({ bench }) => bench === name);
    const benchmark = await benchmarkOf(name);
    if (measured === undefined || benchmark === undefined) continue;
    writeResult(`${name}.svg`, await pictureOf(name, benchmark, measured.rows));
    sections.push(sectionOf(name, benchmark, measured));
  }
  writeResult("REPORT.md", `${headOf(all)}${sections.join("")}`);
  process.stdout.write("wrote bench/results/REPORT.md\n");
  return 0;
}

async function benchmarkOf(name: string): Promise<Benchmark | undefined> {
  return (await BENCHMARKS[name]?.())?.benchmark;
}

function headOf(measured: readonly Measured[]): string {
  const machines = [...new Set(measured.map(({ machine }) => Object.values(machine).join(", ")))];
  return `# Benchmarks

Written by \`npm run bench:report\`. Every figure is the best of the fresh processes that its section names, and counts only
because the answer was right: how often rules fired, and on what. Read times as ratios: the machine is shared.

Machine: ${machines.join("; ")}.

## Where we stand

${markdown(goalTable(measured))}
`;
}

function sectionOf(name: string, benchmark: Benchmark, { commit, rows, versions = {} }: Measured): string {
  const others = Object.entries(versions).map(([engine, version]) => `${engine} ${version}`);
  return `## ${name}

${benchmark.about[0]?.toUpperCase()}${benchmark.about.slice(1)}. ${processesOf(rows)}, commit ${commit}.${others.length === 0 ? "" : ` Versions: ${others.join(", ")}.`}

![${name}](${name}.svg)

${markdown(tableOf(benchmark, rows))}
`;
}

/** A case that has no answer is not tried again. */
function processesOf(rows: Measured["rows"]): string {
  const most = Math.max(...rows.map(({ processes }) => processes));
  return most === 1 ? "One process for each case" : `${most} processes for each case`;
}

await command(USAGE, main);
