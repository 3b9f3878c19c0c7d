/** Runs the command line in memory and keeps what it printed. */
import { readUpTo } from "../../src/cli/bounded-read.ts";
import { main } from "../../src/cli/cli.ts";
import type { Io } from "../../src/cli/io.ts";
import { loadModule } from "../../src/cli/load-module.ts";
import { filesBelow, isFolder } from "../../src/cli/rule-files.ts";
import { IMPORT_HINT } from "../../src/cli/sources.ts";
import * as tables from "../../packages/tables/src/index.ts";
import { importReader } from "../../src/node/index.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The texts that were written, by file. */
  readonly written: ReadonlyMap<string, string>;
  /** The files that were written as bytes. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

/** `files` stands in front of the real files; `-` is standard input. `more` replaces parts of the world. */
export function runCli(args: readonly string[], files: Files = {}, more: Partial<Io> = {}): Ran {
  return runWith((io) => atOnce(main(io, args, "0.0.0")), files, more);
}

/** The same for commands that take their time. */
export async function runCliAsync(args: readonly string[], files: Files = {}, more: Partial<Io> = {}): Promise<Ran> {
  const exits: Promise<number>[] = [];
  let latest = (): Omit<Ran, "exit"> => ({ out: "", err: "", written: new Map(), bytes: new Map() });
  runWith(
    (io, soFar) => {
      latest = soFar;
      exits.push(Promise.resolve(main(io, args, "0.0.0")));
      return 0;
    },
    files,
    more,
  );
  const [exit = 0] = await Promise.all(exits);
  return { exit, ...latest() };
}

function given(files: Files, file: string): Uint8Array | undefined {
  const source = files[file];
  return typeof source === "string" ? new TextEncoder().encode(source) : source;
}

function atOnce(exit: number | Promise<number>): number {
  if (typeof exit === "number") return exit;
  throw new Error("this command takes its time: use runCliAsync");
}

/** The same for a part of the command line: `work` gives the exit code, and may ask what was printed so far. */
export function runWith(
  work: (io: Io, soFar: () => Omit<Ran, "exit">) => number,
  files: Files = {},
  more: Partial<Io> = {},
): Ran {
  const written = new Map<string, string>();
  const bytes = new Map<string, Uint8Array>();
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => (out += text),
    err: (text) => (err += text),
    read: (file, limit) => given(files, file) ?? readUpTo(file, limit),
    imports: (folders) => {
      const read = importReader(folders, { hint: IMPORT_HINT });
      return Object.assign((file: string) => given(files, file) ?? read(file), { identity: read.identity });
    },
    chunks: (file) => [io.read(file, Infinity)],
    roots: [],
    params: {},
    functions: {},
    module: loadModule,
    package: () => Promise.resolve(tables),
    clock: undefined,
    write: (file, content) => {
      if (typeof content === "string") written.set(file, content);
      else bytes.set(file, content);
    },
    create: (file, text) => written.set(file, text),
    append: (file, text) => void written.set(file, (written.get(file) ?? "") + text),
    filesBelow,
    isFolder,
    now: () => 0,
    wallTime: () => 0,
    dialogue: () => Promise.reject(new Error("this test gives no lines")),
    watch: () => Promise.reject(new Error("this test changes no files")),
    color: false,
    outColor: false,
    terminal: false,
    interactive: false,
    ...more,
  };
  const exit = work(io, () => ({ out, err, written, bytes }));
  return { exit, out, err, written, bytes };
}
