/** Reads files that the user names: any file, pipe or device, but never more than the limit. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Code } from "../index.ts";
import { systemCode } from "./system-errors.ts";

/** A file that is not read, though the system would. */
export class ReadRefused extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Large enough that decoding and cutting into lines is not done in crumbs. */
const CHUNK = 1 << 20;

/** A line, or a JSON file without line breaks, may be so long: about what one string can hold. */
const LONGEST_LINE = 500_000_000;

/** The same for pipes and devices, which may have no end. */
const LONGEST_PIPED_LINE = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** All bytes of a file, `-` for standard input. The size of a regular file is looked at before it is read. */
export function readUpTo(file: string, limit: number): Uint8Array {
  return withFile(file, (descriptor) => {
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.size > limit)
      throw tooLarge(`has ${stats.size} bytes, more than the limit of ${limit}`);
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (const piece of piecesOf(descriptor)) {
      size += piece.length;
      if (size > limit) throw tooLarge(`has more than ${limit} bytes`);
      pieces.push(piece.slice());
    }
    return Buffer.concat(pieces);
  });
}

/** Piece by piece, for files of lines that need not fit into memory. The memory of a piece is used again for the next. */
export function* readLines(file: string): Iterable<Uint8Array> {
  const descriptor = openFile(file);
  try {
    const longest = fstatSync(descriptor).isFile() ? LONGEST_LINE : LONGEST_PIPED_LINE;
    let line = 0;
    for (const piece of piecesOf(descriptor)) {
      const end = piece.lastIndexOf(LINE_FEED);
      line = end < 0 ? line + piece.length : piece.length - end - 1;
      if (line > longest) throw tooLarge(`has a line of more than ${longest} bytes`);
      yield piece;
    }
  } finally {
    closeFile(descriptor);
  }
}

function tooLarge(what: string): ReadRefused {
  return new ReadRefused("E302", `the file ${what}`, "split it into several files, or name the right one");
}

function withFile<Result>(file: string, work: (descriptor: number) => Result): Result {
  const descriptor = openFile(file);
  try {
    return work(descriptor);
  } finally {
    closeFile(descriptor);
  }
}

function openFile(file: string): number {
  return file === "-" ? 0 : openSync(file, "r");
}

function closeFile(descriptor: number): void {
  if (descriptor !== 0) closeSync(descriptor);
}

function* piecesOf(descriptor: number): Iterable<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  for (let size = readSome(descriptor, buffer); size > 0; size = readSome(descriptor, buffer)) {
    yield buffer.subarray(0, size);
  }
}

/** A pipe that has nothing yet is asked again a little later. */
function readSome(descriptor: number, buffer: Uint8Array): number {
  for (;;) {
    try {
      return readSync(descriptor, buffer);
    } catch (error) {
      const code = systemCode(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      pause();
    }
  }
}

export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
