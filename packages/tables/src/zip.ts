/**
 * ZIP archives as spreadsheets write them: entries that are stored or deflated, without encryption. Reading trusts nothing: sizes and
 * checksums must agree, and all entries together may not grow beyond a limit.
 */
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { damaged, XlsxError } from "./error.ts";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
/** 1980-01-01, the first day that the format has: the same sheet gives the same bytes at any time. */
const DATE = 0x21;
/** Names are UTF-8. */
const UTF8 = 0x800;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** Returns an archive of files, by name. */
export function zip(files: ReadonlyMap<string, string>): Uint8Array {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of files) {
    const name = Buffer.from(path);
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0); // version 2.0 is enough to read it
    about.writeUInt16LE(UTF8, 2);
    about.writeUInt16LE(DEFLATED, 4);
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(crc32(data), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(data.length, 18);
    about.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const local = [number(LOCAL, 4), about, name, packed];
    central.push(number(CENTRAL, 4), number(20, 2), about, rest, name);
    parts.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

interface Entry {
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The files of an archive; each is unpacked when it is asked for. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Bytes that may still be unpacked. */
  #left: number;

  /** @throws XlsxError when the bytes are no archive. */
  constructor(bytes: Uint8Array, limit: number) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = limit;
    this.#entries = directoryOf(this.#bytes);
  }

  /** Returns the bytes of a file; undefined when there is none of that name. */
  file(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.size > this.#left) throw new XlsxError("is too large when it is unpacked");
    this.#left -= entry.size;
    try {
      const data = this.#unpacked(entry);
      if (data.length === entry.size && crc32(data) === entry.checksum) return data;
    } catch (error) {
      if (error instanceof XlsxError) throw error;
      // zlib, or an offset outside the file
    }
    throw damaged(`"${name}" cannot be unpacked`);
  }

  #unpacked({ method, packed, size, offset }: Entry): Buffer {
    const bytes = this.#bytes;
    if (bytes.readUInt32LE(offset) !== LOCAL) throw damaged("a file is not where its directory says");
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const data = bytes.subarray(start, start + packed);
    if (method === STORED) return data;
    if (method !== DEFLATED) throw damaged(`it is packed in a way (${method}) that spreadsheets do not use`);
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  }
}

function directoryOf(bytes: Buffer): ReadonlyMap<string, Entry> {
  if (bytes.length >= 8 && bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new XlsxError("is not an .xlsx file: it has a password, or is an old .xls file");
  try {
    return entriesOf(bytes, endOf(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw damaged("its directory ends too early");
    throw error;
  }
}

/** Returns where the end record begins: the last one, before a comment. */
function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at--) if (bytes.readUInt32LE(at) === END) return at;
  throw new XlsxError("is not an .xlsx file");
}

function entriesOf(bytes: Buffer, end: number): ReadonlyMap<string, Entry> {
  const count = bytes.readUInt16LE(end + 10);
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = count; left > 0; left--) {
    if (bytes.readUInt32LE(at) !== CENTRAL) throw damaged("its directory has an entry that is none");
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new XlsxError("has a password");
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString("utf8");
    if (entries.has(name)) throw damaged(`it has two files "${name}"`);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
