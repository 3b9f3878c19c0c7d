/** Reads the files of a program: those named, and what they import, each once. */
import { Report } from "../base/diagnostic.ts";
import type { Limits } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import type { LoadedFile } from "./check/program.ts";
import { decode } from "./decode.ts";
import { readSource } from "./parse.ts";
import { nameRules } from "./unnamed.ts";

/** Text, or bytes that must be UTF-8. */
export type SourceText = string | Uint8Array;

export interface SourceFile {
  readonly file: string;
  readonly source: SourceText;
}

/** What comes with the package, by the name it is used by. */
export type Shipped = ReadonlyMap<string, string>;

export const SHIPPED = "sluice:guardian/";

/** Gives the text of an imported file, or undefined when it cannot be read. */
export type ReadFile = (file: string) => SourceText | undefined;

/**
 * All files in the order in which their statements count: what a file imports comes before the file itself.
 * Cycles are allowed: a file that is already being read is not read again.
 */
export function loadFiles(
  entries: readonly SourceFile[],
  read: ReadFile | undefined,
  limits: Limits,
  shipped: Shipped = new Map(),
): LoadedFile[] {
  const started = new Set<string>();
  const loaded: LoadedFile[] = [];

  function load(file: string, source: SourceText, isShipped = false): void {
    started.add(plainPath(file));
    const report = decode(file, source);
    const parsed = readSource(report, { limits });
    let allImported = true;
    for (const decl of parsed.declarations) {
      if (decl.kind === "import" && !follow(report, decl.path.value, decl.path.span)) allImported = false;
      if (decl.kind === "use") use(decl.name.name.toLowerCase());
    }
    const unread = { names: parsed.unread?.names ?? [], more: true };
    loaded.push({ file: allImported ? parsed : { ...parsed, unread }, report, shipped: isShipped });
  }

  /** An unknown name is reported when names are collected. */
  function use(name: string): void {
    const text = shipped.get(name);
    const file = `${SHIPPED}${name}.tsd`;
    if (text !== undefined && !started.has(plainPath(file))) load(file, text, true);
  }

  /** False when the file cannot be read. */
  function follow(from: Report, path: string, span: Span): boolean {
    const file = resolvePath(from.source.file, path);
    if (started.has(plainPath(file))) return true;
    const source = read?.(file);
    if (source === undefined) {
      const hint =
        read === undefined ? "pass a function that reads files" : "the path is relative to the file that imports";
      from.error("E701", span, `the file "${path}" cannot be read`, hint);
      return false;
    }
    load(file, source);
    return true;
  }

  for (const { file, source } of entries) if (!started.has(plainPath(file))) load(file, source);
  const named = nameRules(loaded.map(({ file }) => file));
  return loaded.map((one, index) => ({ ...one, file: named[index] ?? one.file }));
}

/** `rules/a.tsd` and `../b.tsd` give `b.tsd`. */
function resolvePath(from: string, path: string): string {
  return path.startsWith("/") ? path : plainPath([...from.split("/").slice(0, -1), path].join("/"));
}

/** One way to write a path: without `.`, and without `..` where what it leaves is known. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}
