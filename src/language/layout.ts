/**
 * Fits text into lines.
 *
 * A `Doc` has the possible line breaks; `render` chooses. A group is written on one line when it fits there, otherwise
 * each of its own lines is broken (those of inner groups are decided again, one by one). A remark is written at the end
 * of the current line, whatever follows on that line, so that a `//` never hides code.
 */
import { unreachable } from "../base/invariant.ts";

export type Doc = string | readonly Doc[] | Group | Indent | Line | Remark | Aside;

interface Group {
  readonly kind: "group";
  readonly content: Doc;
  readonly broken: boolean;
}
interface Indent {
  readonly kind: "indent";
  readonly content: Doc;
}
interface Line {
  readonly kind: "line";
  /** The text when the line is not broken; undefined when it is always broken. */
  readonly flat: string | undefined;
}
interface Remark {
  readonly kind: "remark";
  readonly text: string;
}
interface Aside {
  readonly kind: "aside";
  readonly text: string;
}

/** A space, or a line break. */
export const line: Doc = { kind: "line", flat: " " };
/** Nothing, or a line break. */
export const softline: Doc = { kind: "line", flat: "" };
/** Always a line break. */
export const hardline: Doc = { kind: "line", flat: undefined };

export function group(content: Doc): Doc {
  return { kind: "group", content, broken: mustBreak(content) };
}

export function indent(content: Doc): Doc {
  return { kind: "indent", content };
}

/** Returns a remark, which is written at the end of the line and does not count towards the width. */
export function remark(text: string): Doc {
  return { kind: "remark", text };
}

/** Returns text that is printed in place without counting towards the width: what follows may be on the same line. */
export function aside(text: string): Doc {
  return { kind: "aside", text };
}

export function join(items: readonly Doc[], separator: Doc): Doc {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

function mustBreak(doc: Doc): boolean {
  if (typeof doc === "string") return doc.includes("\n");
  if (isList(doc)) return doc.some(mustBreak);
  switch (doc.kind) {
    case "group":
      return doc.broken;
    case "indent":
      return mustBreak(doc.content);
    case "line":
      return doc.flat === undefined;
    case "remark":
      return true;
    case "aside":
      return false;
    default:
      return unreachable(doc);
  }
}

function isList(doc: Exclude<Doc, string>): doc is readonly Doc[] {
  return Array.isArray(doc);
}

const STEP = 4;

interface Task {
  readonly doc: Doc;
  readonly indent: number;
  readonly flat: boolean;
}

export function render(doc: Doc, width: number): string {
  return new Renderer(width).render(doc);
}

class Renderer {
  readonly #width: number;
  /** The tasks that are still to be written, the next one last. */
  readonly #tasks: Task[] = [];
  readonly #remarks: string[] = [];
  readonly #lines: string[] = [];
  #line = "";
  #column = 0;

  constructor(width: number) {
    this.#width = width;
  }

  render(doc: Doc): string {
    this.#tasks.push({ doc, indent: 0, flat: false });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#perform(task);
    this.#endLine();
    return this.#lines.join("\n");
  }

  #perform(task: Task): void {
    const { doc } = task;
    if (typeof doc === "string") this.#write(doc);
    else if (isList(doc)) pushAll(this.#tasks, doc, task);
    else if (doc.kind === "group") this.#tasks.push({ ...task, doc: doc.content, flat: task.flat || this.#fits(task) });
    else if (doc.kind === "indent") this.#tasks.push({ ...task, doc: doc.content, indent: task.indent + STEP });
    else if (doc.kind === "remark") this.#remarks.push(doc.text);
    else if (doc.kind === "aside") this.#write(` ${doc.text}`);
    else if (task.flat) this.#write(doc.flat ?? " ");
    else this.#newLine(task.indent);
  }

  #write(text: string): void {
    this.#line += text;
    const lastBreak = text.lastIndexOf("\n");
    this.#column = lastBreak < 0 ? this.#column + text.length : text.length - lastBreak - 1;
  }

  #newLine(indentation: number): void {
    this.#endLine();
    this.#line = " ".repeat(indentation);
    this.#column = indentation;
  }

  /** Removes blanks at the end of a line, except before trailing comments. */
  #endLine(): void {
    this.#lines.push([this.#line.trimEnd(), ...this.#remarks.splice(0)].join(" "));
  }

  /** Returns whether a group, and what follows it up to the next possible line break, fits on the current line. */
  #fits(task: Task): boolean {
    if (typeof task.doc === "string" || isList(task.doc) || task.doc.kind !== "group" || task.doc.broken) return false;
    let room = this.#width - this.#column;
    const ahead: Task[] = [{ ...task, doc: task.doc.content, flat: true }];
    for (let rest = this.#tasks.length; room >= 0;) {
      const next = ahead.pop() ?? this.#tasks[--rest];
      if (next === undefined) return true;
      const { doc } = next;
      if (typeof doc === "string") room -= doc.length;
      else if (isList(doc)) pushAll(ahead, doc, next);
      else if (doc.kind === "group") ahead.push({ ...next, doc: doc.content, flat: next.flat && !doc.broken });
      else if (doc.kind === "indent") ahead.push({ ...next, doc: doc.content });
      else if (doc.kind === "line" && (!next.flat || doc.flat === undefined)) return true;
      else if (doc.kind === "line") room -= doc.flat?.length ?? 0;
    }
    return false;
  }
}

/** Pushes the items in reverse, so that the first is taken next. */
function pushAll(tasks: Task[], docs: readonly Doc[], like: Task): void {
  for (let index = docs.length - 1; index >= 0; index--) {
    const doc = docs[index];
    if (doc !== undefined) tasks.push({ ...like, doc });
  }
}
