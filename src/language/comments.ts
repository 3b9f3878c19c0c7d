/**
 * Hands out the comments of a file, in order, to whatever is printed next.
 *
 * Every comment is taken exactly once, so none is lost and none is written twice. A tree without a source text has no
 * comments, and its spans say nothing.
 */
import type { Comment } from "./lexer.ts";

export class Comments {
  readonly #all: readonly Comment[];
  readonly #text: string;
  #next = 0;
  #raised: Comment[] = [];

  constructor(all: readonly Comment[], text: string) {
    this.#all = all;
    this.#text = text;
  }

  /** Takes the waiting comments that begin before an offset. */
  takeBefore(offset: number): readonly Comment[] {
    const from = this.#next;
    while (this.waitsBefore(offset)) this.#next += 1;
    return this.#all.slice(from, this.#next);
  }

  waitsBefore(offset: number): boolean {
    return (this.#all[this.#next]?.span.start ?? Infinity) < offset;
  }

  /**
   * Takes the waiting comments that follow an item on its line and begin before `limit`: at most a separator is
   * between, and nothing comes after them on the line, except `closer`.
   */
  takeTrailing(end: number, limit: number, closer: RegExp = NOTHING): readonly Comment[] {
    let index = this.#next;
    let at = end;
    for (let comment = this.#all[index]; comment !== undefined; comment = this.#all[index]) {
      if (comment.span.start >= limit || !this.#onlyBetween(at, comment.span.start, /^[ \t,]*$/u)) break;
      at = comment.span.end;
      index += 1;
      if (isLineComment(comment)) break;
    }
    if (index === this.#next || !closer.test(this.#restOfLine(at))) return [];
    const taken = this.#all.slice(this.#next, index);
    this.#next = index;
    return taken;
  }

  /** Passes comments to the enclosing item: they have no line of their own where they were taken. */
  raise(comments: readonly Comment[]): void {
    this.#raised.push(...comments);
  }

  /** Returns the result of `print`, and the comments that were raised meanwhile. */
  collect<Printed>(print: () => Printed): { readonly printed: Printed; readonly raised: readonly Comment[] } {
    const outer = this.#raised;
    this.#raised = [];
    const printed = print();
    const raised = this.#raised;
    this.#raised = outer;
    return { printed, raised };
  }

  /** Returns whether what follows a comment begins on the line where the comment ends. */
  isFollowedOnItsLine(comment: Comment, offset: number): boolean {
    return this.#onlyBetween(comment.span.end, offset, /^[^\n]*$/u);
  }

  isAloneOnItsLine(comment: Comment): boolean {
    const lineStart = this.#text.lastIndexOf("\n", comment.span.start - 1) + 1;
    return this.#onlyBetween(lineStart, comment.span.start, /^\s*$/u);
  }

  /** Returns whether the author left an empty line before an offset. */
  blankLineBefore(offset: number): boolean {
    let breaks = 0;
    for (let at = offset - 1; at >= 0 && breaks < 2; at--) {
      const character = this.#text.charAt(at);
      if (character === "\n") breaks += 1;
      else if (character.trim() !== "") return false;
    }
    return breaks === 2;
  }

  /** Returns the position of a word or bracket outside comments. It must exist, with no identical text before it. */
  find(wanted: "then" | "{" | "}" | ")", from: number): number {
    let index = this.#next;
    while ((this.#all[index - 1]?.span.end ?? 0) > from) index -= 1;
    let found = indexOf(this.#text, wanted, from);
    for (
      let comment = this.#all[index];
      comment !== undefined && comment.span.start < found;
      comment = this.#all[++index]
    ) {
      if (comment.span.end > found) found = indexOf(this.#text, wanted, comment.span.end);
    }
    return found;
  }

  #onlyBetween(from: number, to: number, shape: RegExp): boolean {
    return from <= to && shape.test(this.#text.slice(from, to));
  }

  #restOfLine(from: number): string {
    const end = this.#text.indexOf("\n", from);
    return this.#text.slice(from, end < 0 ? undefined : end);
  }
}

const NOTHING = /^\s*$/u;
/** Matches a closing bracket, which may follow a comment that belongs to the last item of a block. */
export const CLOSING: RegExp = /^\s*(?:[)\]}]|$)/u;

function indexOf(text: string, wanted: string, from: number): number {
  const pattern = new RegExp(wanted === "then" ? "\\bthen\\b" : `\\${wanted}`, "giu");
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function isLineComment(comment: Comment): boolean {
  return !comment.text.startsWith("/*");
}

/** Returns whether code may follow the comment on the same line. */
export function isInline(comment: Comment): boolean {
  return comment.text.startsWith("/*") && !comment.text.includes("\n");
}
