/** Compiles rule files, and compiles them again whenever one of them changes. */
import { dirname } from "node:path";
import {
  CompileError,
  compileFiles,
  type CompileOptions,
  type Program,
  type ReadFile,
  type SourceFile,
} from "../index.ts";
import { ChangedFiles } from "./changed-files.ts";
import { importReader } from "./imports.ts";
import { refuseUnknownOptions } from "./known-options.ts";

/** Options of {@link watch}: those of {@link compileFiles}, and how files are watched. */
export interface WatchOptions extends Omit<CompileOptions, "file" | "read"> {
  /** Folders besides those of the files from which files may be imported. */
  readonly roots?: readonly string[];
  /** The time between two looks at the files, in milliseconds. Default: 200. */
  readonly interval?: number;
}

/** What {@link watch} found: a program, or the errors in the rules. */
export type WatchedProgram =
  | { readonly program: Program; readonly error?: undefined }
  | { readonly program?: undefined; readonly error: CompileError };

/** Files that are watched until it is closed. */
export interface Watching {
  /** The files that are looked at: the given ones, and those that they import. */
  readonly files: readonly string[];
  /** Stops watching. The listener is not called again. */
  close(): void;
}

/**
 * Compiles rule files and the files that they import, and compiles them again whenever one of them changes. The listener is
 * called at once, and after every change. Pass the program to {@link Session.reload} to continue with the new rules.
 *
 * Watching keeps the process alive until it is closed.
 *
 * @param files - The rule files. They import from their own folders and from `roots`.
 * @param listener - Receives the program, or the error when the rules have errors or a file cannot be read.
 *
 * @example
 * ```ts
 * import { watch } from "sluice/node";
 *
 * const seen: unknown[] = [];
 * const watching = watch(["rules/missing.tsd"], ({ program, error }) => seen.push(program ?? error.code));
 * watching.close();
 * seen; // => ["E701"]
 * ```
 */
export function watch(
  files: readonly string[],
  listener: (found: WatchedProgram) => void,
  options: WatchOptions = {},
): Watching {
  refuseUnknownOptions(options, {
    functions: true,
    params: true,
    paramTexts: true,
    limits: true,
    hash: true,
    joinOrder: true,
    roots: true,
    interval: true,
  });
  const { roots = [], interval = 200, ...compiling } = options;
  const fromDisk = importReader([...files.map((file) => dirname(file)), ...roots]);
  let imported = new Set<string>();
  const read: ReadFile = Object.assign(
    (file: string) => {
      imported.add(file);
      return fromDisk(file);
    },
    { identity: fromDisk.identity },
  );
  const list = (): readonly string[] => [...new Set([...files, ...imported])];
  const compile = (): WatchedProgram => {
    imported = new Set();
    try {
      return {
        program: compileFiles(
          files.map((file) => sourceOf(file, fromDisk)),
          { ...compiling, read },
        ),
      };
    } catch (error) {
      if (error instanceof CompileError) return { error };
      throw error;
    }
  };
  const changed = new ChangedFiles(list);
  let isOpen = true;
  const look = (): void => {
    let found: WatchedProgram | undefined;
    changed.during(() => (found = compile()));
    if (found !== undefined) listener(found);
  };
  const timer = setInterval(() => {
    if (isOpen && changed.any) look();
  }, interval);
  try {
    look();
  } catch (error) {
    clearInterval(timer);
    throw error;
  }
  return {
    get files() {
      return list();
    },
    close: () => {
      isOpen = false;
      clearInterval(timer);
    },
  };
}

function sourceOf(file: string, read: ReadFile): SourceFile {
  const source = read(file);
  if (typeof source === "string" || source instanceof Uint8Array) return { file, source };
  const { code, message, hint } = source ?? UNREADABLE;
  const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1, severity: "error" } as const;
  throw new CompileError([{ ...place, code, message, hint }]);
}

const UNREADABLE = { code: "E701", message: "cannot read the file", hint: "check the path" } as const;
