/** Where a command puts a file that it made: `-o FILE`, or standard output. */
import type { Io } from "./io.ts";
import { UsageError } from "./usage.ts";

/** `-` and no file at all are standard output. */
export function writeOutput(io: Io, file: string | undefined, text: string): void {
  if (file === undefined || file === "-") io.out(text);
  else writeFile(io, file, text);
}

export function writeFile(io: Io, file: string, text: string): void {
  try {
    io.write(file, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UsageError(`"${file}" cannot be written: ${REASONS.get(code) ?? code}`);
  }
}

const REASONS = new Map([
  ["ENOENT", "there is no such folder"],
  ["EACCES", "permission denied"],
  ["EISDIR", "it is a folder"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
]);
