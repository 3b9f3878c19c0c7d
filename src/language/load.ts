/** Reads the files of a program: those named, and what they import, each once. */
import { Report } from "../base/diagnostic.ts";
import type { Limits } from "../base/limits.ts";
import { finish, type Steps } from "../base/slices.ts";
import type { Span } from "../base/span.ts";
import type { LoadedFile } from "./check/program.ts";
import { decode } from "./decode.ts";
import { renamingInner } from "./inner-names.ts";
import { readingSource } from "./parse.ts";
import { nameRules } from "./unnamed.ts";

/** A source text: a string, or bytes that must be UTF-8. */
export type SourceText = string | Uint8Array;

/** A file of a program. */
export interface SourceFile {
  /** The file name, used in messages and to resolve imports. */
  readonly file: string;
  /** The text. */
  readonly source: SourceText;
}

/** The files that come with the package, by the name in `use`. */
export type Shipped = ReadonlyMap<string, string>;

export const SHIPPED = "sluice:guardian/";

/** Why an imported file is not read. */
export interface Unread {
  /** The code of the diagnostic. */
  readonly code: "E302" | "E701" | "E702" | "E703";
  /** The reason, to follow the name of the file: `is not a regular file`. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** Reads an imported file: returns its text, or why it is not read; undefined when it cannot be read. */
export type ReadFile = (file: string) => SourceText | Unread | undefined;

/**
 * Returns all files in the order in which their statements count: imports come before the file that imports them.
 * Cycles are allowed: a file that is already being read is not read again.
 */
export function loadFiles(
  entries: readonly SourceFile[],
  read: ReadFile | undefined,
  limits: Limits,
  shipped: Shipped = new Map(),
): LoadedFile[] {
  return finish(loadingFiles(entries, read, limits, shipped));
}

/** Does the same in steps, one for each statement. */
export function* loadingFiles(
  entries: readonly SourceFile[],
  read: ReadFile | undefined,
  limits: Limits,
  shipped: Shipped = new Map(),
): Steps<LoadedFile[]> {
  const started = new Set<string>();
  const loaded: LoadedFile[] = [];

  function* load(file: string, source: SourceText, depth: number, isShipped = false): Steps<void> {
    started.add(plainPath(file));
    const report = decode(file, source);
    const parsed = yield* readingSource(report, { limits });
    let allImported = true;
    for (const decl of parsed.declarations) {
      if (decl.kind === "import") {
        const isRead = yield* follow(report, decl.path.value, decl.path.span, depth);
        if (!isRead) allImported = false;
      }
      if (decl.kind === "use") yield* use(decl.name.name.toLowerCase(), depth);
    }
    const unread = { names: parsed.unread?.names ?? [], more: true };
    loaded.push({ file: allImported ? parsed : { ...parsed, unread }, report, shipped: isShipped });
  }

  /** Loads a file of the package. An unknown name is reported later, when names are collected. */
  function* use(name: string, depth: number): Steps<void> {
    const text = shipped.get(name);
    const file = `${SHIPPED}${name}.tsd`;
    if (text !== undefined && !started.has(plainPath(file))) yield* load(file, text, depth + 1, true);
  }

  /** Loads an imported file; returns false when it is not read. */
  function* follow(from: Report, path: string, span: Span, depth: number): Steps<boolean> {
    const file = resolvePath(from.source.file, path);
    if (started.has(plainPath(file))) return true;
    if (depth >= limits.importNesting) {
      const message = `"${path}" is not imported: imports are nested more than ${limits.importNesting} levels deep`;
      from.error("E704", span, message, "import it from a file closer to the entry file");
      return false;
    }
    const source = read?.(file) ?? unreadable(read);
    if (isUnread(source)) {
      from.error(source.code, span, `file "${path}" ${source.message}`, source.hint);
      return false;
    }
    yield* load(file, source, depth + 1);
    return true;
  }

  for (const { file, source } of entries) if (!started.has(plainPath(file))) yield* load(file, source, 0);
  const renamed: LoadedFile["file"][] = [];
  for (const { file } of loaded) renamed.push(yield* renamingInner(file));
  yield;
  const named = nameRules(renamed);
  yield;
  return loaded.map((one, index) => ({ ...one, file: named[index] ?? one.file }));
}

function unreadable(read: ReadFile | undefined): Unread {
  const hint =
    read === undefined
      ? 'pass "read" to compile, such as importReader(["rules"]) from sluice/node'
      : "the path is relative to the importing file";
  return { code: "E701", message: "cannot be read", hint };
}

function isUnread(source: SourceText | Unread): source is Unread {
  return typeof source === "object" && "code" in source;
}

/** Resolves an import: `rules/a.tsd` and `../b.tsd` give `b.tsd`. */
function resolvePath(from: string, path: string): string {
  return path.startsWith("/") ? path : plainPath([...from.split("/").slice(0, -1), path].join("/"));
}

/** Returns the normal form of a path: without `.`, and without `..` where the parent is known. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}
