/** Shows diagnostics: as text for people, as one JSON object per line for programs. */
import { type Diagnostic, renderDiagnostic, type SourceFile } from "../index.ts";
import type { Io } from "./io.ts";

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
}

/** So many are shown with their lines; a long list is easier to read, and much faster to make, without. */
const WITH_LINES = 100;

export function showDiagnostics(io: Io, diagnostics: readonly Diagnostic[], texts: Texts, json: boolean): Counts {
  for (const [index, diagnostic] of diagnostics.entries()) {
    const text = index < WITH_LINES ? texts.of(diagnostic.file) : undefined;
    if (json) io.out(`${JSON.stringify({ event: "diagnostic", ...diagnostic })}\n`);
    else io.err(`${renderDiagnostic(diagnostic, text, { color: io.color })}\n`);
  }
  const count = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count("error"), warnings: count("warning") };
}

/** The texts that frames are cut from, decoded once and only when asked for. */
export class Texts {
  readonly #sources = new Map<string, string | Uint8Array>();

  add(files: readonly SourceFile[]): this {
    for (const { file, source } of files) this.#sources.set(file, source);
    return this;
  }

  /** The names of all files that were read. */
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
