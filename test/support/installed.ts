/**
 * The package "sluice" as a reader has it after `npm install`: bundled once into a folder of its own, so that a page of the
 * documentation can run `npx sluice …` and `node main.mjs` in a real shell.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { build } from "esbuild";

export type Files = ReadonlyMap<string, string>;

export interface Installed {
  /** Runs lines of a shell in a folder with exactly these files; returns what was printed and the files afterwards. */
  shell(lines: string, folder: string, files: Files): { readonly output: string; readonly files: Files };
  remove(): void;
}

export async function installed(): Promise<Installed> {
  const root = mkdtempSync(join(tmpdir(), "sluice-reader-"));
  const home = join(root, "node_modules/sluice");
  mkdirSync(home, { recursive: true });
  const { version, exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "sluice", version, type: "module", exports, bin }));
  await build({
    entryPoints: {
      index: "src/index.ts",
      runtime: "src/runtime.ts",
      regex: "src/regex.ts",
      tools: "src/tools.ts",
      node: "src/node/index.ts",
      "cli/main": "src/cli/main.ts",
    },
    outdir: join(home, "dist"),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire as _require } from "node:module"; const require = _require(import.meta.url);',
    },
    logLevel: "error",
  });
  const commands = join(root, "bin");
  mkdirSync(commands);
  writeFileSync(
    join(commands, "npx"),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${home}/dist/cli/main.js" "$@"\n`,
  );
  chmodSync(join(commands, "npx"), 0o755);
  return {
    shell: (lines, folder, files) => shell(root, lines, folder, files),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What is printed must not depend on the machine: no colours, no options of Node, `npx` and the library from the bundle. */
function shell(root: string, lines: string, folder: string, files: Files): { output: string; files: Files } {
  const work = mkdtempSync(join(root, "work-"));
  try {
    for (const [file, text] of files) {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), text);
    }
    mkdirSync(join(work, folder), { recursive: true });
    const path = [join(root, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const ran = spawnSync("bash", ["-c", `exec 2>&1\n${lines}`], {
      cwd: join(work, folder),
      env: { ...process.env, PATH: path, NO_COLOR: "1", NODE_OPTIONS: "" },
      encoding: "utf8",
      timeout: 60_000,
    });
    return { output: ran.stdout, files: filesIn(work) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
