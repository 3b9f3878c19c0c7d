/**
 * Appends whole lines to a file that may be full, torn, or shared with other processes.
 *
 * A line is one write at the end of the file. What an earlier write left unfinished is closed with a mark before the next
 * line, never cut off: another process may have written after it.
 */

/** The parts of the file system that are used; tests replace them with ones that fail. */
export interface LineFiles {
  /** For reading and appending; creates the file. Must not wait for a pipe. */
  open(path: string): number;
  isRegular(descriptor: number): boolean;
  size(descriptor: number): number;
  /** Fills the buffer from a position and gives the number of bytes. */
  read(descriptor: number, buffer: Uint8Array, position: number): number;
  /** One write at the end; gives the number of bytes that were written. */
  write(descriptor: number, bytes: Uint8Array): number;
  /** Returns when the file is on the disk. */
  flush(descriptor: number): void;
  /** The same for the entry of a new file in its folder. */
  flushFolder(path: string): void;
  close(descriptor: number): void;
}

/** A line that ends so was not written whole: it is no decision, even if what stands before the mark can be read. */
export const TORN = " #torn: incomplete line, not a decision";

const LINE_FEED = 0x0a;

/** Returns when the line is in the file, whole and at the beginning of a line; throws otherwise. `line` ends with a line feed. */
export function appendLine(files: LineFiles, path: string, line: string, flush: boolean): void {
  const descriptor = files.open(path);
  try {
    if (!files.isRegular(descriptor)) throw new Error("it is not a regular file");
    const before = files.size(descriptor);
    const bytes = new TextEncoder().encode(isTorn(files, descriptor, before) ? `${TORN}\n${line}` : line);
    const written = files.write(descriptor, bytes);
    if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
    if (files.size(descriptor) !== before + written) refuseGlued(files, descriptor, before, line);
    if (flush) files.flush(descriptor);
    if (flush && before === 0) files.flushFolder(path);
  } finally {
    files.close(descriptor);
  }
}

function isTorn(files: LineFiles, descriptor: number, size: number): boolean {
  if (size === 0) return false;
  return bytesAt(files, descriptor, size - 1, size)[0] !== LINE_FEED;
}

/** Another process wrote between the look at the end and the write: its own unfinished line may stand before ours. */
function refuseGlued(files: LineFiles, descriptor: number, from: number, line: string): void {
  const start = Math.max(0, from - 1);
  const text = new TextDecoder().decode(bytesAt(files, descriptor, start, files.size(descriptor)));
  if (from > 0 || !text.startsWith(line)) {
    if (!text.includes(`\n${line}`)) throw new Error("another process left an incomplete line before it");
  }
}

function bytesAt(files: LineFiles, descriptor: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, end - start));
  for (let at = 0; at < bytes.length;) {
    const count = files.read(descriptor, bytes.subarray(at), start + at);
    if (count === 0) throw new Error("the file shrank during the write");
    at += count;
  }
  return bytes;
}
