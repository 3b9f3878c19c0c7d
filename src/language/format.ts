/**
 * Brings a source text into the canonical layout.
 *
 * A source with syntax errors stays as it is. Old syntax stays too, statement by statement, unless it is to be
 * rewritten; then a type that is declared again in the same words, and a built-in action that is declared, is left out,
 * but not its comments.
 */
import { refuseUnknownOptions } from "../base/known-options.ts";
import { type Diagnostic, hasErrors } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { DEFAULT_LIMITS } from "../base/limits.ts";
import type { Declaration, RemoveRuleDecl } from "./ast.ts";
import { declaresBuiltIn, isHashComment, legacyUses } from "./legacy.ts";
import type { Comment } from "./lexer.ts";
import type { LoadedFile } from "./loaded-file.ts";
import { loadFiles, type SourceFile, type SourceText } from "./load.ts";
import { plainPath } from "./path.ts";
import { closed, noteClosed } from "./migrate.ts";
import type { ParsedFile } from "./parse.ts";
import { restartsIn } from "./restart.ts";
import { printFile } from "./print.ts";

/** Options of {@link format}. */
export interface FormatOptions {
  /** The file name that diagnostics show. Default: `rules.tsd`. */
  readonly file?: string;
  /** Whether to rewrite older spellings. Default: false. */
  readonly migrate?: boolean;
}

/** The result of formatting one file. */
export interface Formatted {
  /** The formatted text. */
  readonly text: string;
  /** The syntax errors; with `migrate`, also a note for each quorum over facts that was closed (W103). */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a source text in the canonical layout. A source with syntax errors is returned unchanged.
 *
 * @example
 * ```ts
 * format("type   Person( #id:string,age : number )").text; // => "type Person(#id: string, age: number)\n"
 * ```
 */
export function formatSource(source: SourceText, options: FormatOptions = {}): Formatted {
  refuseUnknownOptions(options, { file: true, migrate: true });
  const { file = "rules.tsd", ...rest } = options;
  const [formatted] = formatFiles([{ file, source }], rest);
  return must(formatted, "a file");
}

/** Formats several files of one program. Rules without a name are numbered across all of them. */
export function formatFiles(files: readonly SourceFile[], options: Omit<FormatOptions, "file"> = {}): Formatted[] {
  refuseUnknownOptions(options, { migrate: true });
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
  if (options.migrate !== true) return { text: kept(file), diagnostics };
  noteClosed(file, report);
  return { text: migrated(file), diagnostics };
}

function migrated(file: ParsedFile): string {
  const declarations = withRemovals(file.declarations).map(closed);
  const repeated = repeatedTypes(declarations);
  const comments = file.comments.map(modern);
  return printFile(
    { ...file, declarations, comments },
    { dropped: (one) => repeated.has(one) || declaresBuiltIn(one) },
  );
}

/**
 * Returns the statements with `remove rule` for each rule that a `reset` makes forgotten because its names start again; then
 * that is not needed any more. Where other names than those of rules are used again, nothing is changed.
 */
function withRemovals(declarations: readonly Declaration[]): readonly Declaration[] {
  const restarts = restartsIn(declarations);
  if (restarts.some(({ forgotten }) => forgotten.some(({ kind }) => !REMOVABLE.has(kind)))) return declarations;
  const removals = new Map(
    restarts.map(({ reset, forgotten }) => [reset as Declaration, removalsOf(forgotten, reset)]),
  );
  return declarations.flatMap((one) => [...(removals.get(one) ?? []), one]);
}

const REMOVABLE: ReadonlySet<Declaration["kind"]> = new Set(["rule", "fact", "remove-rule", "remove-fact"]);

function removalsOf(forgotten: readonly Declaration[], { span: { start } }: Declaration): RemoveRuleDecl[] {
  const removed = new Set(forgotten.flatMap((one) => (one.kind === "remove-rule" ? [one.rule.name] : [])));
  const span = { start, end: start };
  return forgotten.flatMap((one) =>
    one.kind === "rule" && !removed.has(one.name.name)
      ? [{ kind: "remove-rule", rule: { ...one.name, span }, span }]
      : [],
  );
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

/** Returns the statements with an old comment inside; both lists are in the order of the source. */
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

/** Returns the types that are declared again with the same canonical text. */
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
