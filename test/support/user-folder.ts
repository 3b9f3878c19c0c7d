/** A folder of a user who has installed the package "sluice" and compiles with tsc. The package is the source itself. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";

export interface UserFolder {
  write(files: Readonly<Record<string, string>>): void;
  /** Returns what the compiler says about a file: `line: message`. All programs that were written so far are compiled in one run. */
  refusals(file: string): readonly string[];
  remove(): void;
}

const OPTIONS = [
  "--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2024 --module nodenext",
  "--types node --typeRoots ../@types --allowImportingTsExtensions --verbatimModuleSyntax --pretty false",
].flatMap((line) => line.split(" "));

export function userFolder(): UserFolder {
  const folder = mkdtempSync(join(resolve("node_modules"), ".user-"));
  mkdirSync(join(folder, "node_modules/sluice"), { recursive: true });
  symlinkSync(resolve("src"), join(folder, "node_modules/sluice/src"));
  const programs = new Set<string>();
  let compiled: ReadonlyMap<string, readonly string[]> | undefined;
  const write = (files: Readonly<Record<string, string>>): void => {
    compiled = undefined;
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(folder, file), text);
      if (/(?<!\.d)\.ts$/u.test(file)) programs.add(file);
    }
  };
  write({
    "package.json": '{ "type": "module" }',
    "node_modules/sluice/package.json": JSON.stringify({
      name: "sluice",
      type: "module",
      exports: {
        ".": "./src/index.ts",
        "./node": "./src/node/index.ts",
        "./runtime": "./src/runtime.ts",
        "./regex": "./src/regex.ts",
        "./tools": "./src/tools.ts",
      },
    }),
  });
  return {
    write,
    refusals: (file) => {
      compiled ??= refusals(folder, [...programs]);
      return compiled.get(file) ?? [];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Compiles the files and returns the refusals of each. An error in any other file, such as the package, fails the test. */
function refusals(folder: string, files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const ran = spawnSync(process.execPath, [tsc, ...OPTIONS, ...files], { cwd: folder, encoding: "utf8" });
  const places = [...ran.stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gmu)];
  expect(places.length > 0, ran.stdout + ran.stderr).toBe(ran.status !== 0);
  const found = new Map(files.map((file): [string, string[]] => [file, []]));
  for (const [, file = "", line, message] of places) {
    expect(files, ran.stdout).toContain(file);
    found.get(file)?.push(`${line}: ${message}`);
  }
  return found;
}
