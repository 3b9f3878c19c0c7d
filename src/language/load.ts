/** Reads the files of a program: those named, and what they import, each once. */
import { Report } from "../base/diagnostic.ts";
import type { Limits } from "../base/limits.ts";
import { finish, SmallSteps, type Steps } from "../base/slices.ts";
import type { Span } from "../base/span.ts";
import type { Declaration, TableDecl } from "./ast.ts";
import { decode } from "./decode.ts";
import { FileReport } from "./file-report.ts";
import { renamingInner } from "./inner-names.ts";
import type { LoadedFile } from "./loaded-file.ts";
import { readingSource } from "./parse.ts";
import { plainPath, resolvePath } from "./path.ts";
import { tableFromFile } from "./table-file.ts";
import { namingRules } from "./unnamed.ts";

/** A source text: a string, or bytes that must be UTF-8. */
export type SourceText = string | Uint8Array;

/** A file of a program. */
export interface SourceFile {
  /** The file name, used in messages and to resolve imports. */
  readonly file: string;
  /** The text. */
  readonly source: SourceText;
  /** True for statements that are added to a program, which know the names of its modules as they are outside: {@link Program.extend}. */
  readonly added?: boolean;
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

/** Reads imported files. */
export interface ReadFile {
  /** Returns the text of a file, or why it is not read; undefined when it cannot be read. */
  (file: string): SourceText | Unread | undefined;
  /**
   * Returns what all paths of one file have in common, such as its path with links resolved; undefined where only the path itself
   * tells. Without it, a file that is imported by two paths is two modules.
   */
  readonly identity?: ((file: string) => string | undefined) | undefined;
}

/** Returns a reader in the place of another: it tells files apart in the same way. */
export function readingLike(like: ReadFile | undefined, read: (file: string) => ReturnType<ReadFile>): ReadFile {
  return Object.assign(read, { identity: like?.identity });
}

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
  const identityOf = (file: string): string => read?.identity?.(file) ?? plainPath(file);
  const named = new Map<string, SourceFile>();
  for (const entry of entries) if (!named.has(identityOf(entry.file))) named.set(identityOf(entry.file), entry);
  const loaded: LoadedFile[] = [];
  const tableFiles = new Map<string, FileReport>();
  /** The paths of each file that was begun, by its identity: the one that it is known by, and others that lead to it. */
  const paths = new Map<string, Set<string>>();

  function* load(file: string, identity: string, source: SourceText, depth: number, isShipped = false): Steps<void> {
    paths.set(identity, new Set([plainPath(file)]));
    const report = decode(file, source);
    const parsed = yield* readingSource(report, { limits });
    let allImported = true;
    const declarations: Declaration[] = [];
    const small = new SmallSteps();
    for (const decl of parsed.declarations) {
      declarations.push(decl.kind === "table" ? tableIn(report, decl) : decl);
      if (decl.kind !== "fact" || small.isDue()) yield;
      if (decl.kind === "import") {
        const isRead = yield* follow(report, decl.path.value, decl.path.span, depth);
        if (!isRead) allImported = false;
      }
      if (decl.kind === "use") yield* use(decl.name.name.toLowerCase(), depth);
    }
    const unread = { names: parsed.unread?.names ?? [], more: true };
    const whole = parsed.declarations.some(({ kind }) => kind === "table") ? { ...parsed, declarations } : parsed;
    loaded.push({
      file: allImported ? whole : { ...whole, unread },
      report,
      shipped: isShipped,
      imported: !named.has(identity),
      ...(named.get(identity)?.added === true ? { added: true } : {}),
    });
  }

  /** Loads a file of the package. An unknown name is reported later, when names are collected. */
  function* use(name: string, depth: number): Steps<void> {
    const text = shipped.get(name);
    const file = `${SHIPPED}${name}.tsd`;
    if (text !== undefined && !paths.has(file)) yield* load(file, file, text, depth + 1, true);
  }

  /** Returns a table with the columns and rows of its file; as it is when they are not read. */
  function tableIn(report: Report, decl: TableDecl): TableDecl {
    if (decl.from === null) return decl;
    const { value: path, span } = decl.from.path;
    const file = resolvePath(report.source.file, path);
    const identity = identityOf(file);
    const known = tableFiles.get(identity);
    paths.get(identity)?.add(file);
    if (known !== undefined) return tableFromFile(decl, known, limits);
    const source = path.endsWith(".csv") ? (read?.(file) ?? unreadable(read)) : NOT_A_TABLE;
    if (isUnread(source)) {
      report.error(source.code, span, `file "${path}" ${source.message}`, source.hint);
      return decl;
    }
    const decoded = decode(file, source);
    const inFile = new FileReport(decoded.source);
    inFile.diagnostics.push(...decoded.diagnostics);
    tableFiles.set(identity, inFile);
    paths.set(identity, new Set([file]));
    const data = { source: decoded.source, declarations: [], comments: [] };
    loaded.push({ file: data, report: inFile, isTable: true, imported: true });
    return tableFromFile(decl, inFile, limits);
  }

  /** Loads an imported file; returns false when it is not read. */
  function* follow(from: Report, path: string, span: Span, depth: number): Steps<boolean> {
    const file = resolvePath(from.source.file, path);
    const identity = identityOf(file);
    const known = paths.get(identity);
    known?.add(plainPath(file));
    if (known !== undefined) return true;
    if (depth >= limits.importNesting) {
      const message = `"${path}" is not imported: imports are nested more than ${limits.importNesting} levels deep`;
      from.error("E704", span, message, "import it from a file closer to the entry file");
      return false;
    }
    const entry = named.get(identity);
    const source = path.endsWith(".csv") ? NOT_RULES : (entry?.source ?? read?.(file) ?? unreadable(read));
    if (isUnread(source)) {
      from.error(source.code, span, `file "${path}" ${source.message}`, source.hint);
      return false;
    }
    yield* load(entry?.file ?? file, identity, source, depth + 1);
    paths.get(identity)?.add(plainPath(file));
    return true;
  }

  for (const [identity, { file, source }] of named) {
    if (!paths.has(identity)) yield* load(file, identity, source, 0);
  }
  const renamed: LoadedFile["file"][] = [];
  for (const { file } of loaded) renamed.push(yield* renamingInner(file));
  yield;
  const numbered = yield* namingRules(renamed);
  yield;
  const others = otherPaths(paths);
  return loaded.map((one, index) => {
    const file = numbered[index] ?? one.file;
    const otherwise = others.get(plainPath(file.source.file));
    return { ...one, file: otherwise === undefined ? file : { ...file, otherPaths: otherwise } };
  });
}

/** Returns the further paths of the files that several paths lead to, by the path that each is known by. */
function otherPaths(paths: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, readonly string[]>();
  for (const [known = "", ...more] of paths.values()) if (more.length > 0) others.set(known, more);
  return others;
}

const NOT_RULES: Unread = {
  code: "E701",
  message: "cannot be imported: it is not a .tsd file",
  hint: 'the rows of a table are read with: table name from "rows.csv" unique',
};
const NOT_A_TABLE: Unread = {
  code: "E701",
  message: "cannot be read: it is not a .csv file",
  hint: "name a .csv file",
};

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
