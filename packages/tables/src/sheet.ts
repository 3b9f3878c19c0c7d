/** A sheet as plain data, and how big it may be. */

/** A sheet to write. */
export interface WrittenSheet {
  /** The name on the tab. What spreadsheets refuse in a name is replaced. */
  readonly name: string;
  /** The rows, each a list of cells. The first row is the header. */
  readonly rows: readonly (readonly string[])[];
  /** The column of the first output, counted from 0; it and those after it get a colour of their own. */
  readonly firstOutput: number;
}

/** A sheet that was read. */
export interface ReadSheet {
  /** The rows from the first on, each a list of cells. A row or cell that is not in the file is empty. */
  readonly rows: readonly (readonly string[])[];
  /** The cells that have no text, in the order of the rows. They are empty in `rows`. */
  readonly faults: readonly CellFault[];
}

/** What is wrong with a cell. */
export interface CellFault {
  /** Counted from 1. */
  readonly row: number;
  /** Counted from 1. */
  readonly column: number;
  /** The name of the cell: `B3`. */
  readonly cell: string;
  /** What is wrong, about the cell: `this cell shows #N/A`. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** What spreadsheets hold at most. */
export const MOST = { rows: 1_048_576, columns: 16_384, characters: 32_767, nameCharacters: 31 } as const;

/** Returns the name of a column, counted from 0: `A`, `AB`. */
export function columnName(column: number): string {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCodePoint(0x41 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** Returns the place of a cell from its name, `B3`, counted from 0; undefined when it is none. */
export function cellPlace(name: string): { readonly row: number; readonly column: number } | undefined {
  const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/u.exec(name) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.codePointAt(0) ?? 0) - 0x40;
  const row = Number(digits);
  return row > MOST.rows || column > MOST.columns ? undefined : { row: row - 1, column: column - 1 };
}
