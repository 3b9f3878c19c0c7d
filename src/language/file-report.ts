/** The errors of a table in a file: each names the cell as spreadsheets do, `B3`, and is reported once. */
import type { Code } from "../base/codes.ts";
import type { CsvCell } from "../base/csv.ts";
import { offsetInFile } from "../base/csv.ts";
import { Report } from "../base/diagnostic.ts";
import { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";

/** A cell of a file: both numbers are counted from 1. */
export interface FileCell {
  readonly row: number;
  readonly column: number;
}

interface Placed extends FileCell {
  readonly start: number;
}

export class FileReport extends Report {
  readonly #cells: Placed[] = [];
  readonly #reported = new Set<string>();

  /** Notes where a cell is; cells come in the order of the text. */
  place({ start, quoted }: CsvCell, row: number, column: number): void {
    this.#cells.push({ row, column, start: quoted ? start - 1 : start });
  }

  override error(code: Code, span: Span, message: string, hint?: string): void {
    const cell = this.cellAt(span.start);
    const words = cell === undefined ? message : `${message} (cell ${cellName(cell)})`;
    const key = `${code} ${span.start} ${words}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    super.error(code, span, words, hint);
  }

  /** Returns the cell at an offset; undefined where there is none. */
  cellAt(offset: number): FileCell | undefined {
    let low = 0;
    let high = this.#cells.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cells[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#cells[low - 1];
  }
}

/** Returns the name that spreadsheets give to a cell: `B3`. */
export function cellName({ row, column }: FileCell): string {
  let letters = "";
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCodePoint(0x41 + ((left - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}

/** The errors of the text in one cell, reported at their places in the file. */
export class CellReport extends Report {
  readonly #file: Report;
  readonly #cell: CsvCell;
  constructor(file: Report, cell: CsvCell, from = 0) {
    super(new Source(file.source.file, " ".repeat(from) + cell.text.slice(from)));
    this.#file = file;
    this.#cell = cell;
  }

  override error(code: Code, span: Span, message: string, hint?: string): void {
    const words = message.replace(/^unexpected end of file/u, "unexpected end of the cell");
    this.#file.error(code, this.inFile(span), words, hint);
  }

  /** Returns the place in the file of a place in the cell. */
  inFile({ start, end }: Span): Span {
    const { text } = this.#file.source;
    return { start: offsetInFile(text, this.#cell, start), end: offsetInFile(text, this.#cell, Math.max(start, end)) };
  }
}
