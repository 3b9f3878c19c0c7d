/** Diagnostics about a source text: data, never thrown. */
import type { Code } from "./codes.ts";
import type { Source } from "./source.ts";
import type { Span } from "./span.ts";

/** The severity of a diagnostic. */
export type Severity = "error" | "warning" | "note";

/** An error, warning or note about a source text. The span ends before `endColumn` in line `endLine`. */
export interface Diagnostic {
  /** The file name. */
  readonly file: string;
  /** The first line, counted from 1. */
  readonly line: number;
  /** The first column, counted from 1 in UTF-16 units. */
  readonly column: number;
  /** The last line, counted from 1. */
  readonly endLine: number;
  /** The column after the last character, counted from 1 in UTF-16 units. */
  readonly endColumn: number;
  /** How serious it is. Only errors keep a program from being compiled. */
  readonly severity: Severity;
  /** The stable code. */
  readonly code: Code;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. Absent when there is nothing to suggest. */
  readonly hint?: string;
  /** A change of the text that does it. Absent when there is none that is certain. */
  readonly fix?: Fix;
}

/** A change of a source text that an editor can offer. */
export interface Fix {
  /** What it does, for a menu: `remove "let net"`. */
  readonly title: string;
  /** The parts of the text that are replaced. They do not overlap. */
  readonly edits: readonly TextEdit[];
}

/** A part of a source text, in lines and columns as those of a diagnostic, and the text in its place. */
export interface TextEdit {
  /** The first line, counted from 1. */
  readonly line: number;
  /** The first column, counted from 1 in UTF-16 units. */
  readonly column: number;
  /** The last line, counted from 1. */
  readonly endLine: number;
  /** The column after the last character, counted from 1 in UTF-16 units. */
  readonly endColumn: number;
  /** The new text. */
  readonly text: string;
}

/** The most characters of a message or hint that are shown; it may quote what a user wrote. */
const MAX_TEXT_LENGTH = 2048;

/** Collects the diagnostics of one source text, in the order in which they are found. */
export class Report {
  readonly source: Source;
  readonly diagnostics: Diagnostic[] = [];

  constructor(source: Source) {
    this.source = source;
  }

  error(code: Code, span: Span, message: string, hint?: string): void {
    this.diagnostics.push(diagnostic(this.source, "error", code, span, message, hint));
  }

  warning(code: Code, span: Span, message: string, hint?: string, fix?: Fix): void {
    const made = diagnostic(this.source, "warning", code, span, message, hint);
    this.diagnostics.push(fix === undefined ? made : { ...made, fix });
  }

  /** Returns a fix that replaces one part of the text. */
  fix(title: string, span: Span, text: string): Fix {
    const { line, column, endLine, endColumn } = placeOf(this.source, span);
    return { title, edits: [{ line, column, endLine, endColumn, text }] };
  }

  note(code: Code, span: Span, message: string, hint?: string): void {
    this.diagnostics.push(diagnostic(this.source, "note", code, span, message, hint));
  }
}

function diagnostic(
  source: Source,
  severity: Severity,
  code: Code,
  span: Span,
  message: string,
  hint: string | undefined,
): Diagnostic {
  return diagnosticAt(placeOf(source, span), severity, code, message, hint);
}

function placeOf(source: Source, span: Span): Place {
  const start = source.position(span.start);
  const end = source.position(Math.max(span.start, span.end));
  return { file: source.file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

/** A place in a source text: what a diagnostic is about. */
type Place = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** Returns a warning about a place whose source text is not at hand. */
export function warningAt(place: Place, code: Code, message: string, hint: string | undefined): Diagnostic {
  return diagnosticAt(place, "warning", code, message, hint);
}

function diagnosticAt(
  { file, line, column, endLine, endColumn }: Place,
  severity: Severity,
  code: Code,
  message: string,
  hint: string | undefined,
): Diagnostic {
  const base = { file, line, column, endLine, endColumn, severity, code, message: clip(message) };
  return hint === undefined ? base : { ...base, hint: clip(hint) };
}

/** Returns the diagnostics in the order of the source; two at one location keep the order in which they were found. */
export function inSourceOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column);
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => one.severity === "error");
}

function clip(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}
