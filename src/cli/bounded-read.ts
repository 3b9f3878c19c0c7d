/** Reads files that the user names: any file, pipe or device, but never more than the limit. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Code } from "../index.ts";
import { systemCode } from "./system-errors.ts";

/** A file that the system would read and Sluice does not. */
export class ReadRefused extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The bytes read at a time: large enough that decoding and splitting into lines are cheap. */
const CHUNK = 1 << 20;

/** The longest line, or JSON file without line breaks, in bytes: about what one string can hold. */
const LONGEST_LINE = 500_000_000;

/** The same for pipes and devices, which may never end. */
const LONGEST_PIPED_LINE = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Returns all bytes of a file, `-` for standard input. The size of a regular file is checked before it is read. */
export function readUpTo(file: string, limit: number): Uint8Array {
  return withFile(file, (descriptor) => {
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.size > limit) throw tooLarge(`has ${stats.size} bytes; the limit is ${limit}`);
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

/** Yields a file piece by piece, for files larger than memory. The next piece reuses the memory of the last one. */
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
  return new ReadRefused("E302", `the file ${what}`, "split it into several files");
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

/** Reads the next bytes; waits for a pipe that has none yet. */
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

/** Waits 10 milliseconds. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
