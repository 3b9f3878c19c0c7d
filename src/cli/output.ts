/** Writes what a command makes to `-o FILE` or to standard output. */
import { printable } from "../index.ts";
import type { Io } from "./io.ts";
import { systemReason } from "./system-errors.ts";
import { UsageError } from "./arguments.ts";

/** Writes a text for people to a file; `-` and undefined are standard output. Hidden characters are replaced in files too. */
export function writeOutput(io: Io, file: string | undefined, text: string): void {
  if (file === undefined || file === "-") io.out(text);
  else writeFile(io, file, printable(text));
}

export function writeFile(io: Io, file: string, content: string | Uint8Array): void {
  try {
    io.write(file, content);
  } catch (error) {
    throw new UsageError(`cannot write "${file}": ${systemReason(error, "no such folder")}`);
  }
}
