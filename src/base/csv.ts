/**
 * CSV as in RFC 4180: cells are separated by commas, a cell with a comma, a quote or a line break is in quotes, and a quote inside is
 * doubled. Lines end in LF or CRLF. Writing and reading again gives the same cells.
 */

/** A cell with its place in the text. */
export interface CsvCell {
  /** What it holds, without quotes around it. */
  readonly text: string;
  /** Where its content begins and ends in the file, without the quotes around it. */
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** A line that has a cell; `line` is its number among the lines with cells, counted from 1, as a spreadsheet shows it. */
export interface CsvRow {
  readonly cells: readonly CsvCell[];
  readonly line: number;
  /** Whether something is wrong with it. */
  readonly isFaulty: boolean;
}

/** What is wrong with a text: `start` and `end` are its place. */
export interface CsvFault {
  readonly what: "unclosed quote" | "text after quote" | "quote in cell";
  readonly start: number;
  readonly end: number;
}

/** Reads all rows, and everything that is wrong. Rows without any content are left out. */
export function readCsv(text: string): { readonly rows: readonly CsvRow[]; readonly faults: readonly CsvFault[] } {
  const rows: CsvRow[] = [];
  const faults: CsvFault[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  for (let line = 1; at < text.length; line++) {
    const cells: CsvCell[] = [];
    const before = faults.length;
    for (;;) {
      const { cell, next } = text[at] === '"' ? quotedCell(text, at, faults) : plainCell(text, at, faults);
      cells.push(cell);
      at = next;
      if (text[at] !== ",") break;
      at += 1;
    }
    at = afterLineEnd(text, at);
    if (faults.length > before || cells.some((cell) => cell.text.trim() !== ""))
      rows.push({ cells, line, isFaulty: faults.length > before });
  }
  return { rows, faults };
}

/** Returns the offset after a line end; the same offset where there is none. */
function afterLineEnd(text: string, at: number): number {
  if (text.startsWith("\r\n", at)) return at + 2;
  return text[at] === "\n" || text[at] === "\r" ? at + 1 : at;
}

interface Read {
  readonly cell: CsvCell;
  readonly next: number;
}

function plainCell(text: string, start: number, faults: CsvFault[]): Read {
  const next = endOfCell(text, start);
  const content = text.slice(start, next);
  const quote = content.indexOf('"');
  if (quote >= 0) faults.push({ what: "quote in cell", start: start + quote, end: start + quote + 1 });
  return { cell: { text: content, start, end: next, quoted: false }, next };
}

function quotedCell(text: string, quote: number, faults: CsvFault[]): Read {
  const start = quote + 1;
  let end = text.indexOf('"', start);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) {
    faults.push({ what: "unclosed quote", start: quote, end: start });
    return { cell: cellIn(text, start, text.length), next: text.length };
  }
  const next = endOfCell(text, end + 1);
  if (text.slice(end + 1, next).trim() !== "") faults.push({ what: "text after quote", start: end + 1, end: next });
  return { cell: cellIn(text, start, end), next };
}

function cellIn(text: string, start: number, end: number): CsvCell {
  return { text: text.slice(start, end).replaceAll('""', '"'), start, end, quoted: true };
}

function endOfCell(text: string, from: number): number {
  END_OF_CELL.lastIndex = from;
  return END_OF_CELL.exec(text)?.index ?? text.length;
}

const END_OF_CELL = /[,\r\n]/gu;

/** Returns the offset in the file of an offset in the content of a cell. */
export function offsetInFile(text: string, { start, end, quoted }: CsvCell, offset: number): number {
  if (!quoted) return Math.min(start + offset, end);
  let at = start;
  for (let left = offset; left > 0 && at < end; left--) at += text[at] === '"' ? 2 : 1;
  return at;
}

/** Returns rows as CSV, each line with its end. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("");
}

/** Quotes what would be read as something else: also an empty only cell, and spaces that programs remove. */
function cellText(text: string): string {
  return /[",\r\n]|^\s|\s$|^$|^\ufeff/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
