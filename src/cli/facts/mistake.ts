/** A mistake in a file of facts, and how files of facts report one. */
import type { Code, Diagnostic } from "../../index.ts";

/** Lines and columns from 1; the end is where the next character would stand. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What is wrong, without the place. */
export interface Mistake {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** `type` is that of the fact, where the program declares it. */
export type Report = (complaint: Mistake, range: Range, type?: string) => void;

export function diagnosticOf(file: string, { code, message, hint }: Mistake, range: Range): Diagnostic {
  const base = { file, ...range, severity: "error", code, message } as const;
  return hint === undefined ? base : { ...base, hint };
}

/** A stretch inside one line. */
export function within(line: number, column: number, length = 1): Range {
  return { line, column, endLine: line, endColumn: column + length };
}

const SHOWN = 40;

/** What the user wrote, in quotes, shortened so that no message grows with the data. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
