/** Connects the commands to real files and streams, and runs a command line. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileAudit, importReader } from "../node/index.ts";
import { pause, readLines, readUpTo } from "./bounded-read.ts";
import { main } from "./cli.ts";
import { liveBytes } from "./heap.ts";
import { loadModule, loadPackage } from "./load-module.ts";
import { withSafeOutput } from "./safe-output.ts";
import { EXIT, type Io } from "./io.ts";
import { systemCode, systemReason } from "./system-errors.ts";
import { filesBelow, isFolder } from "./rule-files.ts";
import { IMPORT_HINT } from "./sources.ts";
import { dialogue, watch } from "./terminal.ts";

const io: Io = {
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
  read: readUpTo,
  imports: (folders) => importReader(folders, { hint: IMPORT_HINT }),
  chunks: readLines,
  write: (file, content) => writeFileSync(file, content),
  create: (file, text) => writeFileSync(file, text, { flag: "wx", mode: 0o600 }),
  append: (file, text, roots) => fileAudit(".", { roots })(file, text),
  filesBelow,
  isFolder,
  benchmarks,
  heap: liveBytes,
  roots: [],
  clock: undefined,
  params: {},
  functions: {},
  module: loadModule,
  package: loadPackage,
  now: () => performance.now(),
  wallTime: () => Date.now(),
  color: process.stderr.isTTY && !process.env["NO_COLOR"],
  outColor: process.stdout.isTTY && !process.env["NO_COLOR"],
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  terminal: process.stderr.isTTY,
  interactive: process.stdin.isTTY && process.stdout.isTTY,
  dialogue,
  watch,
};

/** The exit code of a program that ended because its reader went away, as shells report it. It is no outcome; in particular not a pass. */
const NOBODY_READS = 141;

/** Writes synchronously, so that nothing is lost when the process ends. A reader that went away (`| head`) ends the process quietly. */
function writeAll(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(stream, bytes, at);
    } catch (error) {
      if (systemCode(error) === "EAGAIN") pause();
      else giveUpWriting(stream, error);
    }
  }
}

function giveUpWriting(stream: 1 | 2, error: unknown): never {
  if (systemCode(error) === "EPIPE") process.exit(NOBODY_READS);
  if (stream === 1)
    writeAll(2, `sluice: cannot write to standard output: ${systemReason(error, "it does not exist")}\n`);
  process.exit(EXIT.usage);
}

function benchmarks(words: readonly string[]): number | undefined {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const script = join(root, "scripts/bench.mjs");
  if (!existsSync(script)) return undefined;
  return spawnSync(process.execPath, [script, "main", ...words], { cwd: root, stdio: "inherit" }).status ?? 1;
}

/** Reports a bug of Sluice with its stack, and ends the process. */
function lastResort(error: unknown): never {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  withSafeOutput(io).err(
    `sluice: internal error. This is a bug in Sluice; please report it with the following text.\n${words}\n`,
  );
  process.exit(EXIT.fault);
}

process.on("uncaughtException", lastResort);
process.on("unhandledRejection", lastResort);

/** Runs the command line of the process and sets its exit code. */
export async function start(version: string): Promise<void> {
  try {
    process.exitCode = await main(io, process.argv.slice(2), version);
  } catch (error) {
    lastResort(error);
  }
}
