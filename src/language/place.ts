/**
 * Combines printed items with the comments around them.
 *
 * An item is anything with its own place: a line of a block, a list element, one part of a long condition. Comments
 * before it go above it; a comment after it goes to the end of its line; a comment inside it that no inner item takes
 * goes to one of these two places.
 */
import type { Span } from "../base/span.ts";
import { CLOSING, type Comments, isInline } from "./comments.ts";
import { aside, type Doc, group, hardline, indent, join, line, remark, softline } from "./layout.ts";
import type { Comment } from "./lexer.ts";

interface Spanned {
  readonly span: Span;
}

/** One line of a block. */
export interface Row {
  readonly doc: Doc;
  /** True when the author left an empty line before it. */
  readonly apart: boolean;
}

/** Where comments go: on separate lines above the item, or at the end of its line. */
interface Arranged {
  readonly above: readonly Comment[];
  readonly behind: readonly Comment[];
}

/** Decides where comments go. Only the last comment of a line may be one that ends it; earlier ones go above. */
export function arrange(comments: readonly Comment[]): Arranged {
  let cut = comments.length - 1;
  for (let before = comments[cut - 1]; before !== undefined && isInline(before); before = comments[cut - 1]) cut -= 1;
  return { above: comments.slice(0, Math.max(0, cut)), behind: comments.slice(Math.max(0, cut)) };
}

/**
 * Takes the comments left inside an item, and those after it on its line. When the item is the last of its
 * surroundings, those after it belong to them.
 */
function takeAround(comments: Comments, span: Span, limit: number, closer?: RegExp): readonly Comment[] {
  if (span.end >= limit) return [];
  return [...comments.takeBefore(span.end), ...comments.takeTrailing(span.end, limit, closer)];
}

/** Returns the text of a comment. An old `#` becomes `//`: inside a statement it could be read as the mark of a key. */
export function commentWords(comment: Comment): string {
  return comment.text.replace(/^#/u, "//").replaceAll("\r\n", "\n");
}

function hanging(comments: readonly Comment[]): Doc {
  return comments.map((comment) => remark(commentWords(comment)));
}

// ---------------------------------------------------------------- lines of a block

export function rowsOf<Item extends Spanned>(
  comments: Comments,
  items: readonly Item[],
  limit: number,
  print: (item: Item, index: number) => Doc,
): Row[] {
  return items.flatMap((item, index) => itemRows(comments, item.span, limit, () => print(item, index)));
}

/** Returns an item on its line, with the comments above it on theirs. */
function itemRows(comments: Comments, span: Span, limit: number, print: () => Doc): Row[] {
  const rows = commentRows(comments, comments.takeBefore(span.start));
  const { printed, raised } = comments.collect(print);
  const around = arrange(takeAround(comments, span, limit, CLOSING));
  const above = [...raised, ...around.above];
  const apart = comments.blankLineBefore(span.start);
  for (const comment of above) rows.push({ doc: commentWords(comment), apart: apart && comment === above[0] });
  rows.push({ doc: [printed, hanging(around.behind)], apart: apart && above.length === 0 });
  return rows;
}

function commentRows(comments: Comments, taken: readonly Comment[]): Row[] {
  return taken.map((comment) => ({
    doc: commentWords(comment),
    apart: comments.blankLineBefore(comment.span.start),
  }));
}

/** Returns rows below each other, with an empty line where the author left one. */
export function stack(rows: readonly Row[]): Doc {
  return rows.flatMap((row, index) =>
    index === 0 ? [row.doc] : row.apart ? [hardline, hardline, row.doc] : [hardline, row.doc],
  );
}

/**
 * Returns a header, which ends in a space, followed by a block in braces. `from` is where its last item ends in the
 * source, before the brace; `end` is after the closing brace.
 */
export function block(comments: Comments, header: Doc, from: number, end: number, body: () => readonly Row[]): Doc {
  const open = comments.find("{", from);
  const { above, behind } = arrange([...comments.takeBefore(open), ...comments.takeTrailing(open + 1, end, CLOSING)]);
  const rows = [...commentRows(comments, above), ...body(), ...commentRows(comments, comments.takeBefore(end))];
  if (rows.length === 0 && behind.length === 0) return [header, "{}"];
  const inner = rows.length === 0 ? [] : indent([hardline, stack(rows)]);
  return [header, "{", hanging(behind), inner, hardline, "}"];
}

/** Returns `when` or `then` on a line of its own, with its rows below it, up to `limit`. */
export function section(
  comments: Comments,
  word: string,
  at: number,
  limit: number,
  body: () => readonly Row[],
): Row[] {
  const above = commentRows(comments, comments.takeBefore(at));
  const behind = comments.takeTrailing(at + word.length, limit);
  const rows = [...body(), ...commentRows(comments, comments.takeBefore(limit))];
  const inner = rows.length === 0 ? [] : indent([hardline, stack(rows)]);
  return [...above, { doc: [word, hanging(behind), inner], apart: false }];
}

// ---------------------------------------------------------------- items in a line

/** An item of a line with its comments; those that need lines of their own are separate, for the caller to place. */
interface Placed {
  readonly above: readonly Comment[];
  readonly doc: Doc;
}

function place(comments: Comments, one: Part, limit: number): Placed {
  const before = comments.takeBefore(one.span.start);
  const { printed, raised } = comments.collect(one.print);
  const around = arrange(takeAround(comments, one.span, limit));
  const inline = before.filter((each) => isInline(each) && comments.isFollowedOnItsLine(each, one.span.start));
  return {
    above: [...before.filter((each) => !inline.includes(each)), ...raised, ...around.above],
    doc: [one.word, inline.map((each) => [commentWords(each), " "]), printed, hanging(around.behind)],
  };
}

/** One part of a line that may be broken before each part: `and b`, `==> log(x)`. */
export interface Part {
  readonly span: Span;
  /** The text before the part on its line. */
  readonly word: string;
  readonly print: () => Doc;
}

/** Returns a part after a possible line break. Comments that need their own lines go before its keyword. */
export function part(comments: Comments, one: Part, limit: number, before: Doc = line): Doc {
  const { above, doc } = place(comments, one, limit);
  if (above.length === 0) return [before, doc];
  return [before === line ? hardline : before, above.map((comment) => [commentWords(comment), hardline]), doc];
}

/** Returns parts one after the other; when they do not fit, each but the first begins a line of its own, indented. */
export function parts(comments: Comments, items: readonly Part[], limit: number): Doc {
  const [first, ...others] = items;
  if (first === undefined) return [];
  const { above, doc } = place(comments, first, limit);
  comments.raise(above);
  return group([doc, indent(others.map((one) => part(comments, one, limit)))]);
}

/** Returns parts between brackets, on one line or one below the other; `end` is after the closing bracket. */
export function enclosed(
  comments: Comments,
  [open, close]: readonly [string, string],
  items: readonly Part[],
  end: number,
  padding: Doc = softline,
): Doc {
  const docs = items.map((one, index) => part(comments, one, end, index === 0 ? [] : line));
  const left = comments.takeBefore(end);
  if (items.length === 0) return [open, onlyComments(left), close];
  return group([open, indent([padding, docs, leftOver(comments, left)]), padding, close]);
}

function onlyComments(left: readonly Comment[]): Doc {
  if (left.every(isInline)) return join(left.map(commentWords), " ");
  return [indent([hardline, join(left.map(commentWords), hardline)]), hardline];
}

/** Returns comments between the last item and the closing bracket; nothing may follow one that ends its line. */
function leftOver(comments: Comments, left: readonly Comment[]): Doc {
  return left.map((comment, index) => {
    const before = left[index - 1];
    const inline =
      isInline(comment) && !comments.isAloneOnItsLine(comment) && (before === undefined || isInline(before));
    return inline ? aside(commentWords(comment)) : [hardline, commentWords(comment)];
  });
}

/** Returns items between brackets with commas between them. */
export function bracketed<Item extends Spanned>(
  comments: Comments,
  brackets: readonly [string, string],
  items: readonly Item[],
  end: number,
  print: (item: Item) => Doc,
): Doc {
  const [only, second] = items;
  if (only !== undefined && second === undefined && hugs(only) && !comments.waitsBefore(end)) {
    return [brackets[0], print(only), brackets[1]];
  }
  return enclosed(comments, brackets, listed(items, print), end);
}

/** Returns items as parts, a comma after each but the last. */
export function listed<Item extends Spanned>(items: readonly Item[], print: (item: Item) => Doc): Part[] {
  const last = items.length - 1;
  return items.map((item, index) => ({
    span: item.span,
    word: "",
    print: () => (index === last ? print(item) : [print(item), ","]),
  }));
}

/** Returns whether a single item gains nothing from a line of its own. */
function hugs(item: Spanned): boolean {
  return "kind" in item && typeof item.kind === "string" && HUGGED.has(item.kind);
}

const HUGGED: ReadonlySet<string> = new Set(["text", "number", "bool", "path", "list", "object", "call"]);
