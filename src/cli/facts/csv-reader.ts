/**
 * Reads CSV as in RFC 4180: cells are separated by commas, a cell with a comma, a quote or a line break is in quotes, and a
 * quote inside is doubled. Lines may end in LF or CRLF.
 */
import type { Line } from "./lines.ts";
import { quote, type Report, within } from "./mistake.ts";

export interface Cell {
  readonly text: string;
  readonly quoted: boolean;
  readonly line: number;
  readonly column: number;
  /** Characters in the file, quotes included; to the end of the line for a cell of several lines. */
  readonly width: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Whether an error was reported in it. */
  readonly faulty: boolean;
}

/** Yields the rows of a file; skips blank lines. */
export function* rowsOf(lines: Iterable<Line>, report: Report): Iterable<Row> {
  const reader = new RowReader(lines, report);
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield row;
}

class RowReader {
  readonly #lines: Iterator<Line>;
  readonly #report: Report;
  #number = 0;
  #text = "";
  #at = 0;
  #faulty = false;

  constructor(lines: Iterable<Line>, report: Report) {
    this.#lines = lines[Symbol.iterator]();
    this.#report = report;
  }

  next(): Row | undefined {
    do {
      if (!this.#nextLine()) return undefined;
    } while (this.#text.trim() === "");
    this.#faulty = false;
    const cells = [this.#cell()];
    while (this.#text[this.#at] === ",") {
      this.#at += 1;
      cells.push(this.#cell());
    }
    return { cells, faulty: this.#faulty };
  }

  #nextLine(): boolean {
    const { done, value } = this.#lines.next();
    if (done === true) return false;
    this.#number = value.number;
    this.#text = value.text.endsWith("\r") ? value.text.slice(0, -1) : value.text;
    this.#at = 0;
    return true;
  }

  /** Reads a cell, up to a comma or the end of the line. */
  #cell(): Cell {
    return this.#text[this.#at] === '"' ? this.#quotedCell() : this.#plainCell();
  }

  #plainCell(): Cell {
    const start = this.#at;
    const comma = this.#text.indexOf(",", start);
    this.#at = comma < 0 ? this.#text.length : comma;
    const text = this.#text.slice(start, this.#at);
    if (text.includes('"')) {
      const hint = 'quote the whole cell, and write "" for a quote inside it';
      this.#mistake("unexpected quote in a cell", hint, start + text.indexOf('"'), 1);
    }
    return { text, quoted: false, line: this.#number, column: start + 1, width: Math.max(1, text.length) };
  }

  #quotedCell(): Cell {
    const [line, start] = [this.#number, this.#at];
    const opened = within(line, start + 1, this.#text.length - start);
    const pieces: string[] = [];
    this.#at += 1;
    for (let closed = false; !closed;) {
      const end = this.#text.indexOf('"', this.#at);
      if (end < 0) {
        pieces.push(this.#text.slice(this.#at), "\n");
        if (this.#nextLine()) continue;
        const message = "unclosed quote";
        this.#report({ code: "E102", message, hint: 'close it with "' }, opened);
        this.#faulty = true;
        this.#at = this.#text.length;
        break;
      }
      pieces.push(this.#text.slice(this.#at, end));
      closed = this.#text[end + 1] !== '"';
      if (!closed) pieces.push('"');
      this.#at = end + (closed ? 1 : 2);
    }
    this.#refuseTail();
    const width = line === this.#number ? this.#at - start : opened.endColumn - opened.column;
    return { text: pieces.join(""), quoted: true, line, column: start + 1, width };
  }

  #refuseTail(): void {
    const comma = this.#text.indexOf(",", this.#at);
    const tail = this.#text.slice(this.#at, comma < 0 ? undefined : comma);
    if (tail.trim() !== "") {
      const hint = 'write "" for a quote inside a cell';
      this.#mistake(`unexpected ${quote(tail)} after a closing quote`, hint, this.#at, tail.length);
    }
    this.#at += tail.length;
  }

  #mistake(message: string, hint: string, at: number, length: number): void {
    this.#faulty = true;
    this.#report({ code: "E100", message, hint }, within(this.#number, at + 1, length));
  }
}
