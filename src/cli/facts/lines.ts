/**
 * Turns the bytes of a file into lines of text, a piece at a time, so that a file of any size can be read.
 *
 * A line break is one byte that is part of no other character, so every line can be decoded separately; while all bytes are
 * valid, many lines are decoded at once.
 */
import { type Report, within } from "./mistake.ts";

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Without the line break; the CR of a CRLF is kept. */
  readonly text: string;
}

const LINE_BREAK = 0x0a;
const BYTE_ORDER_MARK = "\ufeff";

export interface LineReading {
  readonly report: Report;
  /** Called with the text of every line, also of one that is not UTF-8. */
  see(text: string): void;
}

/** Yields the lines of a file, also the text after the last line break. Ends at the first byte that is not UTF-8, and reports it. */
export function* linesOf(chunks: Iterable<Uint8Array>, context: LineReading): Iterable<Line> {
  let number = 0;
  for (const block of wholeLines(chunks)) {
    for (const bytes of decodable(block)) {
      const decodedText = decoded(bytes);
      if (decodedText === undefined) return notUtf8(bytes, number + 1, context);
      for (const line of decodedText.split("\n")) {
        number += 1;
        const text = number === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
        context.see(text);
        yield { number, text };
      }
    }
  }
}

/** Yields the same bytes, split at line breaks; the breaks at the splits are left out. */
function* wholeLines(chunks: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_BREAK);
    if (end >= 0) {
      yield joined([...rest, chunk.subarray(0, end)]);
      rest = [];
    }
    // A copy, because the reader of the file may reuse the memory for the next piece.
    rest.push(chunk.slice(end + 1));
  }
  yield joined(rest);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Yields the block as it is, or line by line when something in it is not UTF-8, so that the lines before that are read. */
function* decodable(block: Uint8Array): Iterable<Uint8Array> {
  if (decoded(block) !== undefined) return yield block;
  let start = 0;
  for (let end = block.indexOf(LINE_BREAK); end >= 0; end = block.indexOf(LINE_BREAK, start)) {
    yield block.subarray(start, end);
    start = end + 1;
  }
  yield block.subarray(start);
}

function decoded(bytes: Uint8Array, stream = false): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

function notUtf8(bytes: Uint8Array, line: number, context: LineReading): void {
  const byte = validLength(bytes);
  const before = decoded(bytes.subarray(0, byte)) ?? "";
  const value = (bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const utf16 = line === 1 && byte === 0 && /^F[EF]$/u.test(value) ? "; this looks like UTF-16" : "";
  const message = `byte ${byte + 1} of the line (0x${value}) is not UTF-8${utf16}`;
  context.report({ code: "E104", message, hint: "save the file as UTF-8" }, within(line, before.length + 1));
  context.see(new TextDecoder().decode(bytes));
}

/** Returns the length of the longest prefix that is UTF-8, by binary search. */
function validLength(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (decoded(bytes.subarray(0, middle), true) === undefined) invalid = middle;
    else valid = middle;
  }
  while (decoded(bytes.subarray(0, valid)) === undefined) valid -= 1;
  return valid;
}
