/** Reads imported files: only regular `.tsd` files, and `.csv` files of tables, below the folders that a program may use. */
import { refuseUnknownOptions } from "./known-options.ts";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { DEFAULT_LIMITS, type ReadFile, type Unread } from "../index.ts";
import { realPathWithin } from "./within.ts";

/** Options of {@link importReader}. */
export interface ImportOptions {
  /** The largest file that is read, in bytes. Default: 4 MiB. */
  readonly limit?: number;
  /** What the message suggests for a file outside the folders. */
  readonly hint?: string;
}

/**
 * Creates a reader for {@link CheckOptions.read} that reads regular `.tsd` and `.csv` files below the given folders. Links are
 * resolved before a path is checked.
 *
 * @example
 * ```ts
 * import { importReader } from "sluice/node";
 *
 * const { diagnostics } = check('import "missing.tsd"', { file: "rules/main.tsd", read: importReader(["rules"]) });
 * diagnostics.map((one) => one.code); // => ["E701"]
 * ```
 */
export function importReader(folders: readonly string[], options: ImportOptions = {}): ReadFile {
  refuseUnknownOptions(options, { limit: true, hint: true });
  const { limit = DEFAULT_LIMITS.sourceBytes, hint = `imports must be inside ${folders.join(", ")}` } = options;
  const read = (file: string): ReturnType<ReadFile> => {
    try {
      const path = realPathWithin(file, folders);
      if (path === undefined) return unread("E702", "is outside the program's folders", hint);
      if (!ENDINGS.some((ending) => [file, path].every((name) => name.endsWith(ending)))) return NOT_RULES;
      return readRegular(path, limit);
    } catch {
      return undefined;
    }
  };
  const identity = (file: string): string | undefined => {
    try {
      return realPathWithin(file, folders);
    } catch {
      return undefined;
    }
  };
  return Object.assign(read, { identity });
}

/** The endings of rule files, and of files with the rows of tables. A link cannot change one into the other. */
const ENDINGS = [".tsd", ".csv"];

const NOT_RULES = unread("E701", "cannot be imported: it is not a .tsd file", "import a .tsd file");
const NOT_REGULAR = unread("E703", "is not a regular file", "import a file, not a folder, pipe or device");

function unread(code: Unread["code"], message: string, hint: string): Unread {
  return { code, message, hint };
}

/** Neither waits for a pipe nor follows a link that came since the path was resolved. Not there on every system. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** The file is judged by its open descriptor, so that it cannot be exchanged between the look and the reading. */
function readRegular(path: string, limit: number): Uint8Array | Unread {
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isFile() || !isSame(opened, lstatSync(path))) return NOT_REGULAR;
    const bytes = opened.size > limit ? undefined : bytesUpTo(descriptor, limit);
    if (bytes !== undefined) return bytes;
    const size = Math.max(opened.size, limit + 1);
    const message = `has ${size === opened.size ? "" : "at least "}${size} bytes; the limit is ${limit}`;
    return unread("E302", message, "split it into several files and import them, or load the facts from a data file");
  } finally {
    closeSync(descriptor);
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Undefined when there is more. */
function bytesUpTo(descriptor: number, limit: number): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = new Uint8Array(Math.min(1 << 16, limit + 1 - size));
    const count = readSync(descriptor, piece);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    size += count;
    if (size > limit) return undefined;
  }
}
