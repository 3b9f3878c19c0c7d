/** The command line as a process of its own, in a folder that is removed again. It is bundled once for all test files of a run. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

export interface RealCli {
  /** Where the test may put files. */
  readonly folder: string;
  /** The file that Node runs. */
  readonly program: string;
  start(args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Runs a shell command line in which `sluice` is the command. */
  shell(line: string): Promise<{ readonly exit: number | null; readonly out: string; readonly err: string }>;
  readonly remove: () => void;
}

export async function realCli(): Promise<RealCli> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
  const program = await cliProgram();
  const start = (args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
    spawn(process.execPath, [program, ...args], { cwd: folder, ...options });
  const shell: RealCli["shell"] = (line) => {
    const sluice = `"${process.execPath}" "${program}"`;
    const child = spawn("bash", ["-c", `set -o pipefail; sluice() { ${sluice} "$@"; }; ${line}`], { cwd: folder });
    return finished(child);
  };
  return { folder, program, start, shell, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the bundled command line, which the first who asks for it makes. Two workers may both make it; one file remains. */
async function cliProgram(): Promise<string> {
  const folder = join(process.env["SLUICE_RUN_FOLDER"] ?? "", "dist/cli");
  const program = join(folder, "main.mjs");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  copyFileSync("package.json", join(folder, "../../package.json"));
  const outfile = join(folder, `main-${process.pid}.mjs`);
  await build({
    entryPoints: ["src/cli/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  renameSync(outfile, program);
  return program;
}

function finished(child: ChildProcess): Promise<{ exit: number | null; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (err += data.toString()));
  return new Promise((resolve) => child.on("close", (exit) => resolve({ exit, out, err })));
}
