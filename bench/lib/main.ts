/**
 * Runs benchmarks by name.
 *
 *   npm run bench -- workloads manners --json
 */
import { parseArgs } from "node:util";
import type { Row } from "./benchmark.ts";
import { measureAll, type Watcher } from "./measure.ts";
import { BENCHMARKS } from "./registry.ts";
import { plainText, tableOf } from "./table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, processes: { type: "string" } },
});

const terminal = process.stderr.isTTY;

const watcher: Watcher = {
  begun: ({ work, size, engine }, round, processes) => {
    const words = `${work} ${size} on ${engine}, process ${round} of ${processes}`;
    if (terminal) process.stderr.write(`\r${words} …\u001b[K`);
  },
  done: (row: Row) => {
    if (terminal) process.stderr.write("\r\u001b[K");
    if (values.json) process.stdout.write(`${JSON.stringify({ event: "bench", ...row })}\n`);
  },
};

for (const name of positionals) {
  const benchmark = (await BENCHMARKS[name]?.())?.benchmark;
  if (benchmark === undefined) {
    process.stderr.write(`there is no benchmark "${name}"; there is ${Object.keys(BENCHMARKS).join(", ")}\n`);
    process.exit(2);
  }
  const processes = values.processes === undefined ? undefined : Number(values.processes);
  const rows = await measureAll(name, benchmark, watcher, processes);
  if (!values.json) process.stdout.write(`\n${name}: ${benchmark.about}\n\n${plainText(tableOf(benchmark, rows))}`);
}
