/** Finds and reads the rule files on a command line. */
import { dirname } from "node:path";
import { DEFAULT_LIMITS, type Diagnostic, type ReadFile, type SourceFile, type Unread } from "../index.ts";
import { ReadRefused } from "./bounded-read.ts";
import { EXIT, type Io } from "./io.ts";
import { systemReason } from "./system-errors.ts";
import type { Texts } from "./report.ts";
import { UsageError } from "./arguments.ts";

export interface Sources {
  readonly files: readonly SourceFile[];
  /** Files that could not be read. */
  readonly unreadable: readonly Diagnostic[];
  /** The folders of the files that are named: what they import must be below one of them. */
  readonly folders: readonly string[];
}

export function readSources(io: Io, paths: readonly string[]): Sources {
  if (paths.length === 0) throw new UsageError("no files; name .tsd files, a folder, or - for standard input");
  const files: SourceFile[] = [];
  const unreadable: Diagnostic[] = [];
  const folders = new Set<string>();
  const tryTo = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      unreadable.push(cannotRead(path, error));
    }
  };
  const read = (path: string): void =>
    tryTo(path, () =>
      files.push({ file: path === "-" ? "<stdin>" : path, source: io.read(path, DEFAULT_LIMITS.sourceBytes) }),
    );
  /** Reads a file below a folder that the user named. Links and pipes in it are treated as if rules imported them. */
  const readBelow = (folder: string, file: string): void => {
    const source = io.imports([folder, ...io.roots])(file);
    if (typeof source === "string" || source instanceof Uint8Array) files.push({ file, source });
    else unreadable.push(refusedFile(file, source));
  };
  for (const path of paths) {
    tryTo(path, () => {
      const below = io.filesBelow(path);
      folders.add(path === "-" ? "." : below === undefined ? dirname(path) : path);
      if (below === undefined) return read(path);
      if (below.length === 0) unreadable.push(unread(path, "the folder contains no .tsd files"));
      for (const file of below) readBelow(path, file);
    });
  }
  return { files, unreadable, folders: [...folders] };
}

export const IMPORT_HINT =
  "imports must be below the folders of the files on the command line; allow another folder with --root DIR";

/** Returns a reader of imports from the folders of the files on the command line and those that `--root` allows. */
export function readImport(io: Io, { folders }: Sources): ReadFile {
  return io.imports([...folders, ...io.roots]);
}

/** Wraps a reader so that imported texts are kept, and errors in them can be shown with their lines. */
export function remembering(texts: Texts, read: ReadFile): ReadFile {
  const remembered = (file: string): ReturnType<ReadFile> => {
    const source = read(file);
    if (typeof source === "string" || source instanceof Uint8Array) texts.add([{ file, source }]);
    return source;
  };
  return Object.assign(remembered, { identity: read.identity });
}

export function cannotRead(file: string, error: unknown): Diagnostic {
  if (error instanceof ReadRefused)
    return { ...atStart(file), code: error.code, message: error.message, hint: error.hint };
  return unread(file, `cannot read the file: ${systemReason(error, "no such file")}`);
}

function refusedFile(file: string, refused: Unread | undefined): Diagnostic {
  if (refused === undefined) return unread(file, "cannot read the file");
  const { code, message, hint } = refused;
  return { ...atStart(file), code, message: `the file ${message}`, hint };
}

function unread(file: string, message: string): Diagnostic {
  return { ...atStart(file), code: "E701", message, hint: "check the path" };
}

function atStart(file: string): Omit<Diagnostic, "code" | "message"> {
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1, severity: "error" };
}

/** Returns the exit code: a file that cannot be read is wrong usage; one that is too large is an error in the program. */
export function exitOf(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.some(({ code }) => NOT_READ.has(code)) ? EXIT.usage : EXIT.fault;
}

const NOT_READ: ReadonlySet<string> = new Set(["E701", "E702", "E703"]);
