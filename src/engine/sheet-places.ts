/** Errors in the CSV text of a sheet at the cells of the sheet, where people look for them: no one has seen that text. */
import { readCsv } from "../base/csv.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { Source } from "../base/source.ts";
import { cellName, type FileCell } from "../language/file-report.ts";

interface PlacedCell extends FileCell {
  readonly line: number;
  readonly character: number;
}

export class SheetPlaces {
  readonly #sheet: string;
  /** In the order of the text. */
  readonly #cells: readonly PlacedCell[];

  constructor(csv: string, sheet: string) {
    this.#sheet = sheet;
    const source = new Source("", csv);
    this.#cells = readCsv(csv).rows.flatMap(({ cells, line: row }) =>
      cells.map(({ start, quoted }, at) => {
        const { line, column } = source.position(quoted ? start - 1 : start);
        return { row, column: at + 1, line, character: column };
      }),
    );
  }

  /** Returns an error of the text as one of its cell: line and column are the row and column of the sheet. */
  placed(one: Diagnostic): Diagnostic {
    const cell = this.#cells.findLast(
      ({ line, character }) => line < one.line || (line === one.line && character <= one.column),
    );
    const { row, column } = cell ?? { row: 1, column: 1 };
    const message = `${one.message.replace(/ \(cell [A-Z]+\d+\)$/u, "")} (sheet "${this.#sheet}", cell ${cellName({ row, column })})`;
    return { ...one, line: row, column, endLine: row, endColumn: column + 1, message };
  }
}
