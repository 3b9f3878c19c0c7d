/** Node adapter: writes the decisions of pipelines to files. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { Audit } from "../index.ts";
import { appendLine, type LineFiles } from "./audit-line.ts";
import { realPathWithin } from "./within.ts";

export interface FileAuditOptions {
  /** Folders beside the first one that programs may write to. */
  readonly roots?: readonly string[];
  /** False returns before the line is on the disk: faster, and the last lines are lost when the machine stops (true). */
  readonly sync?: boolean;
}

/**
 * Appends each line and returns when it is on the disk. Files are named relative to the folder and must stay below it. A
 * line that could not be written whole throws, and is marked as torn before the next one is written.
 */
export function fileAudit(folder = ".", { roots = [], sync = true }: FileAuditOptions = {}): Audit {
  return (file, line) => {
    const path = auditPath(folder, file, roots);
    if (path === undefined) throw new Error("it is outside the folder that decisions are written to");
    appendLine(FILES, path, line, sync);
  };
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
