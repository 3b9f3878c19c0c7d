/**
 * Brings a source text into the canonical layout.
 *
 * A text with syntax errors stays as it is. Older spellings stay as they are too, statement by statement, unless they are
 * to be rewritten; then a type that is declared a second time in the same words is left out, but not its comments.
 */
import { type Diagnostic, hasErrors } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { DEFAULT_LIMITS } from "../base/limits.ts";
import type { Declaration } from "./ast.ts";
import type { LoadedFile } from "./check/program.ts";
import { isHashComment, legacyUses } from "./legacy.ts";
import type { Comment } from "./lexer.ts";
import { loadFiles, plainPath, type SourceFile, type SourceText } from "./load.ts";
import type { ParsedFile } from "./parse.ts";
import { printFile } from "./print.ts";

export interface FormatOptions {
  /** The name of the source in diagnostics. */
  readonly file?: string;
  /** Rewrite older spellings. */
  readonly migrate?: boolean;
}

export interface Formatted {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function formatSource(source: SourceText, options: FormatOptions = {}): Formatted {
  const [formatted] = formatFiles([{ file: options.file ?? "rules.tsd", source }], options);
  return must(formatted, "a file");
}

/** Several files of one program, not necessarily all: rules without a name are numbered over all of them. */
export function formatFiles(files: readonly SourceFile[], options: Omit<FormatOptions, "file"> = {}): Formatted[] {
  const given = new Map(files.map(({ file, source }) => [plainPath(file), source]));
  const loaded = loadFiles(files, (file) => given.get(plainPath(file)) ?? "", DEFAULT_LIMITS);
  const read = new Map(loaded.map((one) => [plainPath(one.report.source.file), one]));
  return files.map(({ file, source }) =>
    formatted(must(read.get(plainPath(file)), "a file that was read"), source, options),
  );
}

function formatted({ file, report }: LoadedFile, source: SourceText, options: FormatOptions): Formatted {
  const { diagnostics } = report;
  if (hasErrors(diagnostics)) {
    const text = typeof source === "string" ? source : new TextDecoder("utf-8").decode(source);
    return { text, diagnostics };
  }
  return { text: options.migrate === true ? migrated(file) : kept(file), diagnostics };
}

function migrated(file: ParsedFile): string {
  const repeated = repeatedTypes(file.declarations);
  const comments = file.comments.map(modern);
  return printFile({ ...file, comments }, { dropped: (one) => repeated.has(one) });
}

function modern(comment: Comment): Comment {
  return isHashComment(comment) ? { ...comment, text: `//${comment.text.slice(1)}` } : comment;
}

function kept(file: ParsedFile): string {
  const repeated = repeatedTypes(file.declarations);
  const hashed = withHashInside(file);
  return printFile(file, {
    verbatim: (one) => repeated.has(one) || hashed.has(one) || legacyUses(one).length > 0,
  });
}

/** The statements with an old comment inside; both lists are in the order of the source. */
function withHashInside(file: ParsedFile): ReadonlySet<Declaration> {
  const hashes = file.comments.filter(isHashComment);
  const found = new Set<Declaration>();
  let next = 0;
  for (const one of file.declarations) {
    while ((hashes[next]?.span.start ?? Infinity) < one.span.start) next += 1;
    if ((hashes[next]?.span.start ?? Infinity) < one.span.end) found.add(one);
  }
  return found;
}

/** The types that are declared again as they were: those whose canonical text is the same. */
function repeatedTypes(declarations: readonly Declaration[]): ReadonlySet<Declaration> {
  const seen = new Set<string>();
  const repeated = new Set<Declaration>();
  for (const one of declarations) {
    if (one.kind !== "type") continue;
    const text = printFile({ declarations: [one], comments: [] });
    if (seen.has(text)) repeated.add(one);
    seen.add(text);
  }
  return repeated;
}
