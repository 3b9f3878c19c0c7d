/**
 * Loading the package: how much processor time it takes to import an entry, to require it, and to print the version, beside a
 * Node that loads nothing; and how large an entry is with all that it loads. It measures dist/, which is built first.
 *
 *   npm run bench -- import
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type Benchmark, type Case, type Figures, WrongAnswer } from "./lib/benchmark.ts";

const ROUNDS = 15;

/** The words after `node` for each work; the first loads nothing. */
const WORKS: Readonly<Record<string, readonly string[]>> = {
  "nothing (ESM)": importing(""),
  "import sluice": importing("index.js"),
  "import sluice/runtime": importing("runtime.js"),
  "import sluice/tools": importing("tools.js"),
  "import sluice/node": importing("node.js"),
  "require sluice": ["-e", `require(${JSON.stringify(resolve("dist/cjs/index.js"))})`],
  "sluice --version": [resolve("dist/cli/main.js"), "--version"],
};

const ENTRIES: Readonly<Record<string, string>> = {
  "import sluice": "index.js",
  "import sluice/runtime": "runtime.js",
  "import sluice/tools": "tools.js",
  "import sluice/node": "node.js",
};

function importing(file: string): readonly string[] {
  const code = file === "" ? "" : `import ${JSON.stringify(resolve("dist", file))};`;
  return ["--input-type=module", "-e", code];
}

/** Builds dist/ from the sources of now. */
function build(): void {
  process.stderr.write("building dist …\n");
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("dist could not be built");
}

function measure(work: string): Figures {
  if (!existsSync("dist/index.js")) throw new WrongAnswer("there is no dist/: run npm run build");
  const size = sizeOf(ENTRIES[work]);
  const own = WORKS[work] ?? [];
  const times: number[] = [];
  const over: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = processorTime(importing(""));
    const time = processorTime(own);
    times.push(time);
    over.push(time - bare);
  }
  return { cpu: median(times), over: median(over), ...size };
}

/** Returns the processor time of a process in milliseconds, user and system: what the children of this one used more. */
function processorTime(words: readonly string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null';
  const { stderr, status } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...words], {
    encoding: "utf8",
  });
  const [user = NaN, system = NaN] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  if (status !== 0 || Number.isNaN(user + system)) throw new WrongAnswer(stderr.split("\n")[0] ?? "it failed");
  return (user + system) * 1000;
}

/** Returns the bytes of an entry and of all files that it imports, as they are and compressed. */
function sizeOf(entry: string | undefined): Figures {
  if (entry === undefined) return {};
  const open = [join("dist", entry)];
  const seen = new Set<string>();
  let bytes = 0;
  let gzip = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file);
    bytes += text.length;
    gzip += gzipSync(text, { level: 9 }).length;
    for (const [, specifier = ""] of text.toString().matchAll(/(?:from|import)"(\.[^"]+)"/gu)) {
      open.push(join(dirname(file), specifier));
    }
  }
  return { bytes, gzip };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

export const benchmark: Benchmark = {
  about: "loading the package (processor time of a process, and how much more than one that loads nothing)",
  processes: 1,
  prepare: build,
  shows: "over",
  picture: "works",
  figures: [
    { key: "cpu", title: "processor time", unit: "ms" },
    { key: "over", title: "over bare Node", unit: "ms" },
    { key: "bytes", title: "size", unit: "B" },
    { key: "gzip", title: "gzip", unit: "B" },
  ],
  cases: Object.keys(WORKS).map((work): Case => ({ work, size: 1, engine: "sluice", measure: () => measure(work) })),
};
