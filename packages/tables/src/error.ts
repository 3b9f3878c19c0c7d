/** A file that cannot be read, or a sheet that cannot be written. The message follows the name of the file: `is not an .xlsx file`. */
export class XlsxError extends Error {
  override readonly name: string = "XlsxError";
}

/** Returns the error for a file whose parts do not fit together. */
export function damaged(how: string): XlsxError {
  return new XlsxError(`is damaged: ${how}`);
}
