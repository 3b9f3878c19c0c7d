/** `sluice bench`: the benchmarks of a clone of the repository. The package does not carry them. */
import { resolve } from "node:path";
import { EXIT, type Io } from "./io.ts";
import { readArguments, wholeNumber } from "./arguments.ts";

export const BENCH_HELP = `sluice bench [NAME…] [--json] [--plot F] [--processes N]

Measures Sluice, beside programs written by hand and other engines, on the same work. Every time counts only when the
answer is right. Works in a clone of the repository; without a name it lists the benchmarks.

  --json         one JSON object for each case on standard output
  --plot F       a picture as SVG; with several benchmarks one for each, F with the name added
  --processes N  fresh processes for each case; the best counts

Exit: 0 every answer of Sluice was right, 1 one was not, 2 wrong usage, or no benchmarks here.

Example:  sluice bench workloads --plot workloads.svg
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
  io.err("the benchmarks are not part of the package: run this in a clone of the repository\n");
  return EXIT.usage;
}
