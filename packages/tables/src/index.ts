/**
 * XLSX files of one text per cell: what `sluice table export` writes and `sluice table import` reads.
 *
 * Invariant: `readSheet(writeSheet({ name, rows }), name).rows` are the same rows, whatever texts are in them.
 */
export type { CellFault, ReadSheet, WrittenSheet } from "./sheet.ts";
export { XlsxError } from "./error.ts";
export { readSheet, sheetNames } from "./read.ts";
export { writeSheet } from "./write.ts";
