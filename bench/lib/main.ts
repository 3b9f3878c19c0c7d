/**
 * Runs benchmarks by name.
 *
 *   npm run bench -- workloads manners --json      (the same as: sluice bench workloads manners --json)
 */
import { writeFileSync } from "node:fs";
import { parse } from "node:path";
import type { Benchmark, Row } from "./benchmark.ts";
import { pictureOf } from "./chart.ts";
import { measureAll } from "./measure.ts";
import { BENCHMARKS } from "./registry.ts";
import { plainText, tableOf } from "./table.ts";
import { watcherFor } from "./watch.ts";
import { command, readWords, type Words } from "./words.ts";

const USAGE = `sluice bench [NAME…] [--json] [--plot out.svg] [--processes N]

benchmarks: ${Object.keys(BENCHMARKS).join(", ")}

  --json         one JSON object for each case on standard output
  --plot F       a picture as SVG; with several benchmarks one for each, F with the name added
  --processes N  fresh processes for each case; the best counts
`;

async function runOne(name: string, benchmark: Benchmark, { names, flags, plot, processes }: Words): Promise<boolean> {
  const json = flags.has("json");
  const tell = (row: Row): void => {
    if (json) process.stdout.write(`${JSON.stringify({ event: "bench", ...row })}\n`);
  };
  const rows = await measureAll(name, benchmark, watcherFor(benchmark.cases.length, tell), processes);
  if (!json) process.stdout.write(`\n${name}: ${benchmark.about}\n\n${plainText(tableOf(benchmark, rows))}`);
  if (plot !== undefined) {
    const { dir, name: base, ext } = parse(plot);
    const file = names.length === 1 ? plot : `${dir === "" ? "" : `${dir}/`}${base}-${name}${ext}`;
    writeFileSync(file, await pictureOf(name, benchmark, rows));
    process.stderr.write(`wrote ${file}\n`);
  }
  return rows.every(({ engine, status }) => !engine.startsWith("sluice") || status === "ok");
}

async function main(): Promise<number> {
  const want = readWords({ flags: ["json"], plot: true, names: [] });
  if (want.names.length === 0) {
    process.stdout.write(USAGE);
    return 0;
  }
  let fine = true;
  for (const name of want.names) {
    const { benchmark } = (await BENCHMARKS[name]?.()) ?? {};
    if (benchmark !== undefined) fine = (await runOne(name, benchmark, want)) && fine;
  }
  return fine ? 0 : 1;
}

await command(USAGE, main);
