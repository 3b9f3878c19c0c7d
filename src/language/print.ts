/**
 * Prints a tree as text in the one canonical layout.
 *
 * Parsing the result gives the same tree, and every comment of the source is in it. A tree that was made without a
 * source has no comments, and its spans are not used.
 */
import { refuseUnknownOptions } from "../base/known-options.ts";
import type { Source } from "../base/source.ts";
import type { Declaration } from "./ast.ts";
import { Comments } from "./comments.ts";
import { type Doc, remark, render } from "./layout.ts";
import type { Comment } from "./lexer.ts";
import { arrange, commentWords } from "./place.ts";
import { declaration as declarationDoc } from "./print-declaration.ts";

/** The input of the printer: a parsed file, or statements that were made without a source. */
export interface PrintedFile {
  readonly declarations: readonly Declaration[];
  readonly comments: readonly Comment[];
  readonly source?: Source;
}

export interface PrintOptions {
  /** Decides which statements are kept as written in the source. */
  readonly verbatim?: (declaration: Declaration) => boolean;
  /** Decides which statements are left out, except for their comments. */
  readonly dropped?: (declaration: Declaration) => boolean;
}

const WIDTH = 100;

/**
 * Prints a syntax tree in the canonical layout. Parsing the result gives the same tree, and all comments of the source
 * are kept.
 */
export function printFile(file: PrintedFile, options: PrintOptions = {}): string {
  refuseUnknownOptions(options, { verbatim: true, dropped: true });
  return new FilePrinter(file, options).print();
}

/** A statement or a comment; the separator between two of them is decided when all are known. */
interface Paragraph {
  readonly text: string;
  /** The kind of the statement; null for comments. */
  readonly kind: string | null;
  /** True when the author left an empty line before it. */
  readonly apart: boolean;
}

class FilePrinter {
  readonly #file: PrintedFile;
  readonly #options: PrintOptions;
  readonly #comments: Comments;
  readonly #paragraphs: Paragraph[] = [];

  constructor(file: PrintedFile, options: PrintOptions) {
    this.#file = file;
    this.#options = options;
    this.#comments = new Comments(file.comments, file.source?.text ?? "");
  }

  print(): string {
    for (const one of this.#file.declarations) {
      if (this.#options.dropped?.(one) === true) this.#drop(one);
      else if (this.#options.verbatim?.(one) === true) this.#copy(one);
      else this.#write(one);
    }
    this.#remarks(this.#comments.takeBefore(Infinity));
    return assemble(this.#paragraphs);
  }

  #write(one: Declaration): void {
    this.#remarks(this.#comments.takeBefore(headOf(one)));
    const { printed, raised } = this.#comments.collect(() => declarationDoc(this.#comments, one));
    this.#statement(one, printed, [...raised, ...this.#comments.takeBefore(one.span.end)]);
  }

  #copy(one: Declaration): void {
    this.#remarks(this.#comments.takeBefore(one.span.start));
    const { start, end } = one.span;
    this.#comments.takeBefore(end);
    this.#statement(one, (this.#file.source?.text ?? "").slice(start, end).replaceAll("\r\n", "\n"), []);
  }

  #drop(one: Declaration): void {
    this.#remarks(this.#comments.takeBefore(one.span.end));
    this.#remarks(this.#comments.takeTrailing(one.span.end, Infinity));
  }

  #remarks(comments: readonly Comment[]): void {
    for (const comment of comments) {
      const apart = this.#comments.blankLineBefore(comment.span.start);
      this.#paragraphs.push({ text: comment.text.replaceAll("\r\n", "\n"), kind: null, apart });
    }
  }

  #statement(one: Declaration, doc: Doc, inner: readonly Comment[]): void {
    const { above, behind } = arrange([...inner, ...this.#comments.takeTrailing(one.span.end, Infinity)]);
    const text = render([doc, behind.map((comment) => remark(commentWords(comment)))], WIDTH);
    const apart = this.#comments.blankLineBefore(one.span.start);
    for (const comment of above) {
      this.#paragraphs.push({ text: commentWords(comment), kind: null, apart: apart && comment === above[0] });
    }
    this.#paragraphs.push({ text, kind: kindOf(one), apart: apart && above.length === 0 });
  }
}

/**
 * Returns the offset up to which comments are printed above the statement: those between its first words have no better
 * place.
 */
function headOf(one: Declaration): number {
  if (one.kind === "rule") return one.body.kind === "slash" ? one.body.span.start : one.name.span.start;
  return "name" in one && one.name !== null ? Math.max(one.span.start, one.name.span.start) : one.span.start;
}

function kindOf(one: Declaration): string {
  return one.kind === "remove-rule" || one.kind === "remove-fact" ? "remove" : one.kind;
}

function assemble(paragraphs: readonly Paragraph[]): string {
  let text = "";
  let previous: Paragraph | undefined;
  for (let from = 0; from < paragraphs.length;) {
    let to = from;
    while (to < paragraphs.length - 1 && paragraphs[to]?.kind === null) to += 1;
    const cluster = paragraphs.slice(from, to + 1);
    const statement = cluster.at(-1);
    const forced = previous !== undefined && statement !== undefined && needsGap(previous, statement);
    for (const [index, one] of cluster.entries()) {
      if (text !== "" && (one.apart || (index === 0 && forced))) text += "\n";
      text += `${one.text}\n`;
    }
    previous = statement;
    from = to + 1;
  }
  return text;
}

/** Returns whether a blank line separates two paragraphs: statements of different kinds, and those of several lines. */
function needsGap(above: Paragraph, below: Paragraph): boolean {
  const isOther = below.kind !== null && above.kind !== below.kind;
  return isOther || above.text.includes("\n") || (below.kind !== null && below.text.includes("\n"));
}
