/** Shows diagnostics: as text for people, as one JSON object per line for programs. */
import { type Code, CODES, type Diagnostic, renderDiagnostic, type Severity, type SourceFile } from "../index.ts";
import type { Io } from "./io.ts";
import { painter } from "./paint.ts";

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
}

/** The most diagnostics that are shown; the others are counted. */
export const SHOWN = 100;

/** A count of diagnostics that are not shown, by severity, code and type. */
export interface Omitted {
  readonly severity: Severity;
  readonly code: Code;
  /** The type of the facts with the error. */
  readonly type?: string;
  readonly count: number;
}

/** Counts diagnostics by severity, code and type. */
export class Tally {
  readonly #counts = new Map<string, Omitted>();

  add({ severity, code }: Diagnostic, type?: string): void {
    const key = `${severity} ${code} ${type ?? ""}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { severity, code, ...(type === undefined ? {} : { type }), count });
  }

  /** Returns the counts, the most frequent first. */
  counts(): Omitted[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }
}

/** Shows diagnostics, and counts of those beyond the first 100; `more` are counts of diagnostics that were not kept. */
export function showDiagnostics(
  io: Io,
  diagnostics: readonly Diagnostic[],
  texts: Texts,
  json: boolean,
  more: readonly Omitted[] = [],
): Counts {
  const { shown, omitted } = firstOf(diagnostics);
  const paint = painter(io.color);
  for (const one of shown) {
    const diagnostic = texts.placed(one);
    if (json) io.out(`${JSON.stringify({ event: "diagnostic", ...diagnostic })}\n`);
    else io.err(`${renderDiagnostic(diagnostic, texts.of(diagnostic.file), { paint })}\n`);
  }
  const counts = [...omitted, ...more];
  if (counts.length > 0 && json) io.out(`${JSON.stringify(omittedEvent(shown.length, counts))}\n`);
  else if (counts.length > 0) io.err(`${omittedText(counts).join("\n")}\n`);
  const count = (severity: Severity): number => diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count("error"), warnings: count("warning") };
}

/** Returns the first 100 in their order; errors come before warnings when there are more. */
export function firstOf(diagnostics: readonly Diagnostic[]): {
  readonly shown: readonly Diagnostic[];
  readonly omitted: readonly Omitted[];
} {
  if (diagnostics.length <= SHOWN) return { shown: diagnostics, omitted: [] };
  const errors = diagnostics.filter((one) => one.severity === "error");
  const others = diagnostics.filter((one) => one.severity !== "error");
  const chosen = new Set([...errors, ...others].slice(0, SHOWN));
  const omitted = new Tally();
  for (const one of diagnostics) if (!chosen.has(one)) omitted.add(one);
  return { shown: diagnostics.filter((one) => chosen.has(one)), omitted: omitted.counts() };
}

function omittedEvent(shown: number, counts: readonly Omitted[]): object {
  return { event: "diagnostics", shown, omitted: totalOf(counts), counts };
}

/** Returns how many more there are, and of what kinds. */
export function omittedText(counts: readonly Omitted[]): string[] {
  const width = Math.max(...counts.map(({ count }) => numberText(count).length));
  const rows = counts.map(
    ({ severity, code, type, count }) =>
      `${numberText(count).padStart(width + 2)} × ${severity} ${code}  ${CODES[code]}${type === undefined ? "" : ` (${type})`}`,
  );
  return [`… and ${numberText(totalOf(counts))} more:`, ...rows];
}

function totalOf(counts: readonly Omitted[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function numberText(count: number): string {
  return count.toLocaleString("en");
}

/** A range of a file. */
export type Place = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** The source texts for showing lines of errors; each is decoded once, when it is needed. */
export class Texts {
  readonly #sources = new Map<string, string | Uint8Array>();
  readonly #made = new Map<string, Place>();

  add(files: readonly SourceFile[]): this {
    for (const { file, source } of files) this.#sources.set(file, source);
    return this;
  }

  /** Notes that a file was made from another: nobody can look into it, so its errors are shown at a place of that one. */
  addMade(file: string, from: Place): void {
    this.#made.set(file, from);
  }

  /** Returns a diagnostic at a place that the reader can see. */
  placed(diagnostic: Diagnostic): Diagnostic {
    const from = this.#made.get(diagnostic.file);
    return from === undefined ? diagnostic : { ...diagnostic, ...from };
  }

  /** Returns the names of all files that were read. */
  files(): string[] {
    return [...this.#sources.keys()];
  }

  of(file: string): string | undefined {
    const source = this.#sources.get(file);
    if (source === undefined || typeof source === "string") return source;
    const text = new TextDecoder("utf-8").decode(source);
    this.#sources.set(file, text);
    return text;
  }
}

export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
