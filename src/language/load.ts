/** Reads the files of a program: those named, and what they import, each once. */
import { Report } from "../base/diagnostic.ts";
import type { Limits } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import type { LoadedFile } from "./check/program.ts";
import { decode } from "./decode.ts";
import { parseSource } from "./parse.ts";

/** Text, or bytes that must be UTF-8. */
export type SourceText = string | Uint8Array;

export interface SourceFile {
  readonly file: string;
  readonly source: SourceText;
}

/** Gives the text of an imported file, or undefined when it cannot be read. */
export type ReadFile = (file: string) => SourceText | undefined;

/**
 * All files in the order in which their statements count: what a file imports comes before the file itself.
 * Cycles are allowed: a file that is already being read is not read again.
 */
export function loadFiles(entries: readonly SourceFile[], read: ReadFile | undefined, limits: Limits): LoadedFile[] {
  const started = new Set<string>();
  const loaded: LoadedFile[] = [];

  function load(file: string, source: SourceText): void {
    started.add(file);
    const report = decode(file, source);
    const parsed = parseSource(report, { limits });
    let allImported = true;
    for (const decl of parsed.declarations) {
      if (decl.kind === "import" && !follow(report, decl.path.value, decl.path.span)) allImported = false;
    }
    const unread = { names: parsed.unread?.names ?? [], more: true };
    loaded.push({ file: allImported ? parsed : { ...parsed, unread }, report });
  }

  /** False when the file cannot be read. */
  function follow(from: Report, path: string, span: Span): boolean {
    const file = resolvePath(from.source.file, path);
    if (started.has(file)) return true;
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

  for (const { file, source } of entries) if (!started.has(file)) load(file, source);
  return loaded;
}

/** `rules/a.tsd` and `../b.tsd` give `b.tsd`. */
function resolvePath(from: string, path: string): string {
  if (path.startsWith("/")) return path;
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
      else parts.push(part);
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
