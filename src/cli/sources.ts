/** Finds and reads the files that a command line names. */
import type { Diagnostic, SourceFile } from "../index.ts";
import type { Io } from "./io.ts";
import { reasonOf } from "./reasons.ts";
import type { Texts } from "./report.ts";
import { UsageError } from "./usage.ts";

export interface Sources {
  readonly files: readonly SourceFile[];
  /** Files that could not be read. */
  readonly unreadable: readonly Diagnostic[];
}

export function readSources(io: Io, paths: readonly string[]): Sources {
  if (paths.length === 0) throw new UsageError("no file given; name .tsd files or a folder, or - for standard input");
  const files: SourceFile[] = [];
  const unreadable: Diagnostic[] = [];
  const tryTo = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      unreadable.push(cannotRead(path, error));
    }
  };
  const read = (path: string): void =>
    tryTo(path, () => files.push({ file: path === "-" ? "<stdin>" : path, source: io.read(path) }));
  for (const path of paths) {
    tryTo(path, () => {
      const below = io.filesBelow(path);
      if (below?.length === 0) unreadable.push(unread(path, "there is no .tsd file in this folder"));
      else (below ?? [path]).forEach(read);
    });
  }
  return { files, unreadable };
}

/** For imports: undefined when a file cannot be read, which the checker reports at the import. */
export function readImport(io: Io): (file: string) => Uint8Array | undefined {
  return (file) => {
    try {
      return io.read(file);
    } catch {
      return undefined;
    }
  };
}

/** Keeps what was imported, so that mistakes in it can be shown with their lines. */
export function remembering(
  texts: Texts,
  read: (file: string) => Uint8Array | undefined,
): (file: string) => Uint8Array | undefined {
  return (file) => {
    const source = read(file);
    if (source !== undefined) texts.add([{ file, source }]);
    return source;
  };
}

export function cannotRead(file: string, error: unknown): Diagnostic {
  return unread(file, `the file cannot be read: ${reasonOf(error, "there is no such file")}`);
}

function unread(file: string, message: string): Diagnostic {
  const at = { file, line: 1, column: 1, endLine: 1, endColumn: 1, severity: "error", code: "E701" } as const;
  return { ...at, message, hint: "check the path" };
}
