/** Renders a diagnostic for a person: location, message, source line, and a mark under the words it is about. */
import { refuseUnknownOptions } from "./known-options.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { printable, printableLine } from "./printable.ts";
import { Source } from "./source.ts";

/** Options of {@link renderDiagnostic}. */
export interface FrameOptions {
  /** Whether to use the colour codes of terminals. Default: false. */
  readonly color?: boolean;
  /** Colours words in another way than with terminal codes. */
  readonly paint?: (color: FrameColor, words: string) => string;
}

type FrameColor = keyof typeof CODES;

const MAX_LINE_WIDTH = 120;
const CODES = { bold: "1", faint: "2", red: "31", yellow: "33", cyan: "36" } as const;
const COLORS: Readonly<Record<Severity, FrameColor>> = { error: "red", warning: "yellow", note: "cyan" };

/**
 * Renders a diagnostic for a terminal: its place, the message, the source line, and a mark under the words it is about.
 *
 * @param text - The source text. Without it, only the first line is rendered.
 *
 * @example
 * ```ts
 * const source = "type Person(#id: string)\nrule r { when p: Person(agee > 18) then log(p.id) }\n";
 * for (const one of check(source, { file: "rules.tsd" }).diagnostics) console.log(renderDiagnostic(one, source));
 * ```
 */
export function renderDiagnostic(diagnostic: Diagnostic, text: string | undefined, options: FrameOptions = {}): string {
  refuseUnknownOptions(options, { color: true, paint: true });
  const paint =
    options.paint ?? ((color, words) => (options.color === true ? `\u001b[${CODES[color]}m${words}\u001b[0m` : words));
  const { file, line, column, severity, code, message } = diagnostic;
  const hint = diagnostic.hint === undefined ? undefined : onOneLine(diagnostic.hint);
  const place = file === "" ? "" : `${paint("bold", `${onOneLine(file)}:${line}:${column}`)}  `;
  const head = `${place}${paint(COLORS[severity], `${severity} ${code}`)}  ${onOneLine(message)}`;
  if (text === undefined) return hint === undefined ? head : `${head}\n      = ${hint}`;
  const shown = window(new Source(file, text).line(line), diagnostic);
  const number = String(line).padStart(5);
  const mark = paint(COLORS[severity], "^".repeat(shown.width));
  const advice = hint === undefined ? "" : ` ${hint}`;
  return `${head}\n${paint("faint", `${number} |`)} ${shown.text}\n${paint("faint", "      |")} ${" ".repeat(shown.indent)}${mark}${advice}`;
}

interface Window {
  readonly text: string;
  readonly indent: number;
  readonly width: number;
}

/** Returns the part of a line that holds the marked words, with its width on a screen. */
function window(line: string, diagnostic: Diagnostic): Window {
  const start = Math.min(diagnostic.column - 1, line.length);
  const oneLine = diagnostic.endLine === diagnostic.line;
  const end = oneLine ? Math.min(diagnostic.endColumn - 1, line.length) : line.length;
  const from = line.length <= MAX_LINE_WIDTH ? 0 : Math.max(0, Math.min(start - 40, line.length - MAX_LINE_WIDTH));
  const to = Math.min(line.length, from + MAX_LINE_WIDTH);
  const before = from > 0 ? "…" : "";
  const after = to < line.length ? "…" : "";
  const indent = before.length + displayWidth(visible(line.slice(from, start)));
  const width = Math.max(1, displayWidth(visible(line.slice(start, Math.min(Math.max(end, start), to)))));
  return { text: `${before}${visible(line.slice(from, to))}${after}`, indent, width };
}

/**
 * Returns the text with tabs as blanks and control characters as a mark, so that columns align and nothing controls the
 * terminal.
 */
function visible(text: string): string {
  return printable(text.replaceAll("\t", "    "), HIDDEN);
}

function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Returns the width in columns: two for East Asian wide characters, zero for combining marks. */
function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/**
 * Returns the message on one line without control characters: data that it quotes cannot start a line or control a
 * terminal.
 */
function onOneLine(message: string): string {
  return printableLine(message, HIDDEN);
}

/** Replaces a character that is not shown. */
const HIDDEN = "\u00b7";
