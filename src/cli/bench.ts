/** `sluice bench`: runs the benchmarks of a clone of the repository. The package does not contain them. */
import { resolve } from "node:path";
import { EXIT, type Io } from "./io.ts";
import { readArguments, wholeNumber } from "./arguments.ts";

export const BENCH_HELP = `Usage: sluice bench [NAME…] [options]

Measures Sluice next to hand-written programs and other engines on the same
work. A time counts only when the answer is correct. Needs a clone of the
repository. Without NAME, lists the benchmarks.

Options:
  --plot FILE     write a chart as SVG; with several benchmarks, one file each,
                  with the name of the benchmark added
  --processes N   start N fresh processes per case; the best time counts
  --json          print one JSON object per case

Exit codes:
  0  every answer of Sluice was correct
  1  an answer was wrong
  2  wrong usage, or no benchmarks here

Example:
  sluice bench workloads --plot workloads.svg
`;

export function benchCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["plot", "processes"]);
  const processes = wholeNumber(parsed, "processes", 1);
  const exit = io.benchmarks?.([
    ...parsed.files,
    ...(parsed.flags.has("json") ? ["--json"] : []),
    ...(parsed.values.get("plot") ?? []).flatMap((file) => ["--plot", resolve(file)]),
    ...(processes === undefined ? [] : ["--processes", String(processes)]),
  ]);
  if (exit !== undefined) return exit;
  io.err("sluice: the package contains no benchmarks; run this command in a clone of the repository\n");
  return EXIT.usage;
}
