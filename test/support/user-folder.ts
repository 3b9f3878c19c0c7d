/** A folder of a user who has installed the package "sluice" and compiles with tsc. The package is the source itself. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";

export interface UserFolder {
  write(files: Readonly<Record<string, string>>): void;
  /** What the compiler says about a file: `line: message`. */
  refusals(file: string): string[];
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
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  };
  write({
    "package.json": '{ "type": "module" }',
    "node_modules/sluice/package.json": JSON.stringify({
      name: "sluice",
      type: "module",
      exports: { ".": "./src/index.ts", "./node": "./src/node/index.ts" },
    }),
  });
  return {
    write,
    refusals: (file) => refusals(folder, file),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function refusals(folder: string, file: string): string[] {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, ...OPTIONS, file], { cwd: folder });
    return [];
  } catch (error) {
    const output = String((error as { stdout: Buffer }).stdout);
    const places = [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gmu)];
    expect(new Set(places.map((place) => place[1])), output).toEqual(new Set([file]));
    return places.map((place) => `${place[2]}: ${place[3]}`);
  }
}
