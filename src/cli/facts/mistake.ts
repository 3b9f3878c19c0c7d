/** Errors in facts files, and how they are reported. */
import type { Code, Diagnostic } from "../../index.ts";

/** A range of a file. Lines and columns count from 1; the end is exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** An error without its place. */
export interface Mistake {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Reports an error; `type` is the type of the fact, when the program declares it. */
export type Report = (complaint: Mistake, range: Range, type?: string) => void;

export function diagnosticOf(file: string, { code, message, hint }: Mistake, range: Range): Diagnostic {
  const base = { file, ...range, severity: "error", code, message } as const;
  return hint === undefined ? base : { ...base, hint };
}

/** Returns a range inside one line. */
export function within(line: number, column: number, length = 1): Range {
  return { line, column, endLine: line, endColumn: column + length };
}

const SHOWN = 40;

/** Returns a text in quotes, shortened so that no message grows with the data. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
