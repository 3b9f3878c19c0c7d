/**
 * Every file or folder of the project that a document names exists. A path is written in full (`src/rete/join.ts`), from its
 * room (`rete/join.ts`), or as the name of a file (`join.ts`); `(new)` after it means that somebody is to make it. Pages of docs/api are generated and not looked at.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf } from "../support/anchors.ts";

const ROOMS = readdirSync("src", { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const TREES = ["src", "test", "bench", "scripts", "docs", "grammar", "examples"];
const NAMES = new Set(
  TREES.flatMap((tree) => readdirSync(tree, { recursive: true, encoding: "utf8" }).map((name) => basename(name))),
);

const documents = [
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("api/"))
    .map((name) => `docs/${name}`),
  ...["CONTRIBUTING.md", "SECURITY.md", "README.md"].filter((name) => existsSync(name)),
];

/** Why a path in code marks does not lead anywhere; undefined when it does, or is no path of the project. */
function fault(code: string): string | undefined {
  const path = code.replace(/\/$/u, "");
  if (!/^[\w./-]+$/u.test(path) || path.startsWith("/") || path.startsWith("..")) return undefined;
  const [first = ""] = path.split("/");
  const exists = (full: string): string | undefined => (existsSync(full) ? undefined : `${full} does not exist`);
  if (TREES.includes(first) && path.includes("/")) return exists(path);
  if (ROOMS.includes(first) && path.includes("/"))
    return existsSync(`src/${path}`) || existsSync(`src/${path}.ts`) ? undefined : `src/${path} does not exist`;
  if (/^[\w-]+\.ts$/u.test(path)) return NAMES.has(path) ? undefined : `no file is called ${path}`;
  if (/^[a-z-]+\/[\w/-]+\.ts$/u.test(path)) return `${path} is in no room`;
  return undefined;
}

test.each(documents)("%s names only what exists", (file) => {
  const text = readFileSync(file, "utf8").replace(/^```[^]*?^```$/gmu, "");
  const faults = [...text.matchAll(/`([^`\n]+)`(?! \(new\))/gu)].flatMap(([, code = ""]) => fault(code) ?? []);
  expect(faults).toEqual([]);
});

test.each(documents)("%s links only to what exists", (file) => {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const text = readFileSync(file, "utf8").replace(/^```[^]*?^```$/gmu, "");
  for (const [, target = "", anchor] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([\w-]+))?\)/gu)) {
    const path = target === "" ? file : join(folder, target);
    expect(existsSync(path), `${file} links to ${target}`).toBe(true);
    if (anchor !== undefined && path.endsWith(".md")) {
      expect(anchorsOf(readFileSync(path, "utf8")), `${file} links to ${target}#${anchor}`).toContain(anchor);
    }
  }
});
