/** Where a command puts a file that it made: `-o FILE`, or standard output. */
import { printable } from "../index.ts";
import type { Io } from "./io.ts";
import { systemReason } from "./system-errors.ts";
import { UsageError } from "./arguments.ts";

/** `-` and no file at all are standard output. What is made to be read has no hidden characters in a file either. */
export function writeOutput(io: Io, file: string | undefined, text: string): void {
  if (file === undefined || file === "-") io.out(text);
  else writeFile(io, file, printable(text));
}

export function writeFile(io: Io, file: string, text: string): void {
  try {
    io.write(file, text);
  } catch (error) {
    throw new UsageError(`"${file}" cannot be written: ${systemReason(error, "there is no such folder")}`);
  }
}
