/**
 * Runs benchmarks by name.
 *
 *   npm run bench -- workloads manners --json
 */
import { writeFileSync } from "node:fs";
import { parse } from "node:path";
import { parseArgs } from "node:util";
import type { Benchmark, Row } from "./benchmark.ts";
import { pictureOf } from "./chart.ts";
import { measureAll } from "./measure.ts";
import { BENCHMARKS } from "./registry.ts";
import { plainText, tableOf } from "./table.ts";
import { watcherFor } from "./watch.ts";

const USAGE = `npm run bench -- [NAME…] [--json] [--plot out.svg] [--processes N]

benchmarks: ${Object.keys(BENCHMARKS).join(", ")}

  --json         one JSON object for each case on standard output
  --plot F       a picture as SVG; with several benchmarks one for each, F with the name added
  --processes N  fresh processes for each case; the best counts
`;

interface Wanted {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly plot: string | undefined;
  readonly processes: number | undefined;
}

function wanted(): Wanted {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean" }, plot: { type: "string" }, processes: { type: "string" } },
  });
  for (const name of positionals) if (!(name in BENCHMARKS)) throw new Error(`there is no benchmark "${name}"`);
  const processes = values.processes === undefined ? undefined : Number(values.processes);
  if (processes !== undefined && !(Number.isInteger(processes) && processes > 0)) {
    throw new Error(`--processes takes a whole number from 1 on, not "${values.processes}"`);
  }
  return { names: positionals, json: values.json ?? false, plot: values.plot, processes };
}

async function runOne(name: string, benchmark: Benchmark, { names, json, plot, processes }: Wanted): Promise<boolean> {
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
  const want = wanted();
  if (want.names.length === 0) {
    process.stdout.write(USAGE);
    return 2;
  }
  let fine = true;
  for (const name of want.names) {
    const { benchmark } = (await BENCHMARKS[name]?.()) ?? {};
    if (benchmark !== undefined) fine = (await runOne(name, benchmark, want)) && fine;
  }
  return fine ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
