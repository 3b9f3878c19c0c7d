/** Turns bytes into text, or reports the first byte that is not UTF-8. */
import { Report } from "../base/diagnostic.ts";
import { Source } from "../base/source.ts";

/** Returns a report on the text. When the bytes are not UTF-8 it holds that error, and its text is empty. */
export function decode(file: string, source: string | Uint8Array): Report {
  if (typeof source === "string") return new Report(new Source(file, withLineFeeds(source)));
  try {
    return new Report(new Source(file, withLineFeeds(new TextDecoder("utf-8", { fatal: true }).decode(source))));
  } catch {
    return refused(file, source);
  }
}

/**
 * Returns the text with line feeds in place of single carriage returns, so that no comment runs on to the end of the
 * file.
 */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/gu, "\n") : text;
}

function refused(file: string, bytes: Uint8Array): Report {
  const byte = firstBadByte(bytes);
  const before = new TextDecoder("utf-8").decode(bytes.subarray(0, byte));
  const report = new Report(new Source(file, ""));
  const located = new Report(new Source(file, `${before}\ufffd`));
  const value = (bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const utf16 = byte === 0 && (bytes[0] === 0xff || bytes[0] === 0xfe) ? "; this looks like UTF-16" : "";
  const span = { start: before.length, end: before.length + 1 };
  located.error("E104", span, `byte ${byte} (0x${value}) is not UTF-8${utf16}`, "save the file as UTF-8");
  report.diagnostics.push(...located.diagnostics);
  return report;
}

/** Returns the length of the longest valid prefix. */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Returns the number of bytes of the character at `at`; 0 when it is malformed. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0) return 0;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}
