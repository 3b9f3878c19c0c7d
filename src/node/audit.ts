/** Node adapter: writes the decisions of pipelines to files. */
import { refuseUnknownOptions } from "./known-options.ts";
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { Audit } from "../index.ts";
import { appendLine, type LineFiles } from "./audit-line.ts";
import { realPathWithin } from "./within.ts";

/** Options of {@link fileAudit}. */
export interface FileAuditOptions {
  /** Further folders that programs may write audit files to. */
  readonly roots?: readonly string[];
  /**
   * Whether to return only when the line is on the disk. Default: true. False is faster, and the last lines are lost
   * when the machine stops.
   */
  readonly sync?: boolean;
}

/**
 * Creates an {@link Audit} that appends lines to files below a folder, and returns when each line is on the disk. A
 * line that could not be written whole throws, and is marked as torn before the next one is written.
 *
 * @param folder - The folder that audit files are relative to; it is created when it does not exist. Default: the current
 *   folder.
 * @throws Error when the folder cannot be created.
 *
 * @example
 * ```ts
 * import { fileAudit } from "sluice/node";
 *
 * const source = 'type Request(#id: string) pipeline "p" for q: Request { audit to "decisions.ndjson" otherwise FORWARD "desk" }';
 * const session = compile(source).session({ audit: fileAudit("logs") });
 * ```
 */
export function fileAudit(folder = ".", options: FileAuditOptions = {}): Audit {
  refuseUnknownOptions(options, { roots: true, sync: true });
  const { roots = [], sync = true } = options;
  createFolder(folder);
  return (file, line) => {
    const path = auditPath(folder, file, roots);
    if (path === undefined) throw new Error("it is outside the audit folder");
    appendLine(FILES, path, line, sync);
  };
}

/** Creates the folder that the host names, so that the first decision can be written. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`fileAudit: the folder "${folder}" cannot be created: ${why}`, { cause: error });
  }
}

/** Where `audit to` writes; undefined when that is outside the folder and the roots. An absolute path must be below a root. */
export function auditPath(folder: string, file: string, roots: readonly string[]): string | undefined {
  return realPathWithin(resolve(folder, file), isAbsolute(file) ? roots : [folder, ...roots]);
}

/** Neither waits for a reader of a pipe nor follows a link that came since the path was resolved. Not there on every system. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | O_NONBLOCK | O_NOFOLLOW;

const FILES: LineFiles = {
  open: (path) => openSync(path, APPEND, 0o666),
  isRegular: (descriptor) => fstatSync(descriptor).isFile(),
  size: (descriptor) => fstatSync(descriptor).size,
  read: (descriptor, buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
  write: (descriptor, bytes) => writeSync(descriptor, bytes),
  flush: fsyncSync,
  flushFolder: (path) => flushFolder(dirname(path)),
  close: closeSync,
};

/** Some systems cannot open a folder: there the entry is written without being asked. */
function flushFolder(folder: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
