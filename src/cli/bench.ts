/** `sluice bench`: measures sharing on a person's own rules, or runs the benchmarks of a clone, which the package does not contain. */
import { resolve } from "node:path";
import { benchSharing, SHARING_OPTIONS } from "./bench/sharing.ts";
import { EXIT, type Io } from "./io.ts";
import { readArguments, UsageError, wholeNumber } from "./arguments.ts";

export const BENCH_HELP = `Usage: sluice bench sharing FILES [options]
       sluice bench [NAME…] [options]

"bench sharing FILES" measures what sharing nodes is worth for your own rules:
nodes, memory and time with sharing and without, for an eighth, a quarter, half
and all of the rules. It prints the figures with bars and a conclusion, and
writes a plot. Both ways take turns in one process, and must find the same
matches and fire the same rules in the same order.

The facts are those of --facts, or are generated from the types and constants of
the rules.

  --facts FILE      match these facts (repeatable)
  --policy FILE     match facts that may also be of protected types (repeatable)
  --count N         generate about N facts (default 1000)
  --seed N          a different seed generates different facts (default 1)
  --rounds N        measure N times each way; the median counts (default 11)
  -o, --plot FILE   write the plot to FILE; by default my-rules.sharing.svg is
                    written next to my-rules.tsd
  --root DIR        also allow imports from DIR (repeatable)
  --functions FILE  a JavaScript module with the functions that the rules
                    declare (repeatable)
  --json            print one JSON object per line: size, conclusion

"bench NAME" measures Sluice next to hand-written programs and other engines on
the same work. A time counts only when the answer is correct. This needs a clone
of the repository. Without NAME, lists the benchmarks.

  -o, --plot FILE   write a chart as SVG; with several benchmarks, one file
                    each, with the name of the benchmark added
  --processes N     start N fresh processes per case; the best time counts
  --json            print one JSON object per case

Exit codes:
  0  every answer was correct
  1  an answer was wrong, or there are errors in the rules or facts
  2  wrong usage, a file cannot be read or written, or no benchmarks here

Examples:
  sluice bench sharing examples/fraud/rules.tsd --count 200 --rounds 5
  sluice bench workloads --plot workloads.svg
`;

export function benchCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["plot", "processes", ...SHARING_OPTIONS], { o: "plot" });
  const [name, ...more] = parsed.files;
  if (name === "sharing" && more.length > 0) return benchSharing(io, parsed);
  const wrong = SHARING_OPTIONS.find((option) => parsed.values.has(option));
  if (wrong !== undefined) throw new UsageError(`--${wrong} is for your own rules: sluice bench sharing FILES`);
  return benchmarks(io, parsed);
}

function benchmarks(io: Io, parsed: ReturnType<typeof readArguments>): number {
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
