/** XLSX files, through the package `@sluice/tables`. It is loaded when a command needs it: most installations do without. */
import type { Diagnostic } from "../index.ts";
import { sheetCsv, type TableSheet } from "../tools.ts";
import { UsageError } from "./arguments.ts";
import type { Io } from "./io.ts";
import { systemCode } from "./system-errors.ts";

const PACKAGE = "@sluice/tables";

/** What the package exports. It is not imported here, so that its types are not needed either; a test compares them. */
export interface Spreadsheets {
  readonly sheetNames: (bytes: Uint8Array) => readonly string[];
  readonly readSheet: (bytes: Uint8Array, name: string) => SheetContent;
  readonly writeSheet: (sheet: SheetToWrite) => Uint8Array;
  readonly XlsxError: new (message: string) => Error;
}

interface SheetToWrite {
  readonly name: string;
  readonly rows: TableSheet;
  readonly firstOutput: number;
}

interface SheetContent {
  readonly rows: TableSheet;
  readonly faults: readonly CellFault[];
}

interface CellFault {
  readonly row: number;
  readonly column: number;
  readonly cell: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Returns the package.
 *
 * @throws UsageError when it is not installed.
 */
export async function loadSpreadsheets(io: Io): Promise<Spreadsheets> {
  try {
    return (await io.package(PACKAGE)) as unknown as Spreadsheets;
  } catch (error) {
    if (systemCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(`.xlsx files need the package ${PACKAGE}; install it beside sluice: npm install ${PACKAGE}`);
  }
}

/** Returns a table as the bytes of an XLSX file. */
export function xlsxBytes(
  { writeSheet, XlsxError }: Spreadsheets,
  file: string,
  name: string,
  rows: TableSheet,
): Uint8Array {
  try {
    return writeSheet({ name, rows, firstOutput: outputsFrom(rows) });
  } catch (error) {
    if (!(error instanceof XlsxError)) throw error;
    throw new UsageError(`cannot write "${file}": ${error.message}; export the table as .csv`);
  }
}

/** Returns the column of the first output, which the header marks. */
function outputsFrom(rows: TableSheet): number {
  return rows[0]?.findIndex((cell) => cell.startsWith("||")) ?? 0;
}

/** A sheet of a file, and its cells that have no text. */
export interface SheetRead {
  readonly csv: string;
  readonly sheet?: string;
  readonly faults: readonly Diagnostic[];
}

/**
 * Reads the sheet of a table: the one that is asked for, else the one with the name of the table, else the only one.
 *
 * @throws UsageError when the file is no workbook, or it is unclear which sheet is meant.
 */
export function xlsxSheet(
  { sheetNames, readSheet, XlsxError }: Spreadsheets,
  file: string,
  bytes: Uint8Array,
  table: string,
  asked: string | undefined,
): SheetRead {
  try {
    const sheet = sheetOf(file, sheetNames(bytes), table, asked);
    const { rows, faults } = readSheet(bytes, sheet);
    return { csv: sheetCsv(squared(rows)), sheet, faults: faults.map((one) => faultAt(file, sheet, one)) };
  } catch (error) {
    if (error instanceof XlsxError) throw new UsageError(`"${file}" ${error.message}`);
    throw error;
  }
}

function sheetOf(file: string, names: readonly string[], table: string, asked: string | undefined): string {
  const wanted = asked ?? (names.includes(table) ? table : undefined);
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const listed = names.map((name) => `"${name}"`).join(", ");
  if (wanted !== undefined) throw new UsageError(`"${file}" has no sheet "${wanted}"; its sheets: ${listed}`);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(`"${file}" has no sheet "${table}"; name one of its sheets with --sheet: ${listed}`);
}

/** Returns rows as wide as the header, or wider where there is something: spreadsheets leave out empty cells, and keep some. */
function squared(rows: TableSheet): TableSheet {
  const width = filled(rows[0] ?? []);
  return rows.map((cells) => {
    const length = Math.max(1, width, filled(cells));
    return Array.from({ length }, (_, column) => cells[column] ?? "");
  });
}

/** Returns the number of cells up to the last one that is not empty. */
function filled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== "") + 1;
}

function faultAt(file: string, sheet: string, { row, column, cell, message, hint }: CellFault): Diagnostic {
  const place = { file, line: row, column, endLine: row, endColumn: column + 1 };
  return { ...place, severity: "error", code: "E100", message: `${message} (sheet "${sheet}", cell ${cell})`, hint };
}
