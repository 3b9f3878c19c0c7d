/**
 * Reads JSON strictly, with the place of every value.
 *
 * `JSON.parse` gives no line and column, keeps the last of two equal names, and rounds numbers silently. This reader stops at
 * a syntax error and reports what it expected; it reports duplicate names and numbers that a double cannot hold, and goes
 * on reading.
 *
 * A method that returns undefined or false has reported why.
 */
import { type Mistake, quote } from "./mistake.ts";
import { notFinite, numberProblem } from "./number.ts";

export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

export interface JsonEntry {
  readonly name: string;
  readonly nameSpan: JsonSpan;
  readonly value: JsonNode;
}

export type JsonNode = JsonSpan &
  (
    | { readonly kind: "plain"; readonly value: string | number | boolean | null }
    | { readonly kind: "list"; readonly items: readonly JsonNode[] }
    | { readonly kind: "object"; readonly entries: readonly JsonEntry[] }
  );

export type JsonReport = (complaint: Mistake, span: JsonSpan) => void;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const NUMBER_LIKE = /[+-]?[\d.][\w.+-]*/uy;
const BLANKS = /[ \t\r\n]*/uy;
const WORD = /[\p{L}\p{N}_$]+|"[^"\n]*"?|[^]/uy;
const KEYWORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NOT_FINITE = /^-?(?:nan|inf|infinity)$/iu;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const ENDS = {
  file: "a JSON file has one value; use NDJSON (.ndjson) for one object per line",
  line: "write one object per line",
  cell: "write one list per cell",
};

export class JsonReader {
  readonly #text: string;
  readonly #report: JsonReport;
  /** What the text is a whole of. */
  readonly #whole: "file" | "line" | "cell";
  #at = 0;
  #depth = 0;
  #limit = 0;
  /** The offsets of the open brackets. */
  readonly #open: number[] = [];

  constructor(text: string, report: JsonReport, whole: "file" | "line" | "cell") {
    this.#text = text;
    this.#report = report;
    this.#whole = whole;
  }

  /** Returns the next character that is not blank; "" at the end. */
  peek(): string {
    this.#skip();
    return this.#text.charAt(this.#at);
  }

  /** Reads a value with at most `limit` levels of lists and objects below the outermost. */
  value(limit: number): JsonNode | undefined {
    this.#depth = -1;
    this.#limit = limit;
    return this.#value();
  }

  /** Reads an object; `visit` is called before each value and must read it. */
  object(visit: (name: string, span: JsonSpan) => boolean): boolean {
    return this.#bracketed("{", "}", "entry", () => {
      const start = this.#at;
      const name = this.#name();
      if (name === undefined) return false;
      const span = { start, end: this.#at };
      return this.#symbol(":", '":" and a value') && visit(name, span);
    });
  }

  /** Reads a list; `visit` is called before each item and must read it. */
  list(visit: () => boolean): boolean {
    return this.#bracketed("[", "]", "item", visit);
  }

  /** Reports anything but blanks that follows. */
  end(): boolean {
    if (this.peek() === "") return true;
    return this.#unexpected(ENDS[this.#whole]);
  }

  // ---------------------------------------------------------------- values

  #value(): JsonNode | undefined {
    const next = this.peek();
    const start = this.#at;
    if (next === '"') {
      const text = this.#quoted();
      return text === undefined ? undefined : { kind: "plain", value: text, start, end: this.#at };
    }
    if (next === "{") return this.#nested(() => this.#objectNode(start));
    if (next === "[") return this.#nested(() => this.#listNode(start));
    return /[\d+.-]/u.test(next) ? this.#number(start) : this.#keyword(start);
  }

  #nested(read: () => JsonNode | undefined): JsonNode | undefined {
    if (this.#depth >= this.#limit) {
      const message = `nested more than ${this.#limit} levels deep`;
      this.#report({ code: "E301", message, hint: "flatten the value" }, { start: this.#at, end: this.#at + 1 });
      return undefined;
    }
    this.#depth += 1;
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #objectNode(start: number): JsonNode | undefined {
    const entries: JsonEntry[] = [];
    const names = new Set<string>();
    const whole = this.object((name, nameSpan) => {
      const value = this.#value();
      if (value === undefined) return false;
      if (names.has(name)) this.#report(duplicateField(name), nameSpan);
      else entries.push({ name, nameSpan, value });
      names.add(name);
      return true;
    });
    return whole ? { kind: "object", entries, start, end: this.#at } : undefined;
  }

  #listNode(start: number): JsonNode | undefined {
    const items: JsonNode[] = [];
    const whole = this.list(() => {
      const item = this.#value();
      if (item !== undefined) items.push(item);
      return item !== undefined;
    });
    return whole ? { kind: "list", items, start, end: this.#at } : undefined;
  }

  #number(start: number): JsonNode | undefined {
    const written = match(NUMBER, this.#text, start);
    const meant = match(NUMBER_LIKE, this.#text, start);
    if (written === "" || written.length < meant.length) return this.#oddNumber(start, meant);
    this.#at = start + written.length;
    const value = Number(written);
    const problem = numberProblem(written, value);
    if (problem !== undefined) this.#report(problem, { start, end: this.#at });
    return { kind: "plain", value: problem === undefined ? value : 0, start, end: this.#at };
  }

  #oddNumber(start: number, meant: string): JsonNode | undefined {
    const word = meant === "" ? `-${match(WORD, this.#text, start + 1)}` : meant;
    if (NOT_FINITE.test(word)) return this.#notFinite(start, word);
    const hint = "start with a digit or -, without leading zeros, and write digits on both sides of the decimal point";
    const end = start + Math.max(1, meant.length);
    this.#report({ code: "E100", message: `${quote(word)} is not a JSON number`, hint }, { start, end });
    return undefined;
  }

  #keyword(start: number): JsonNode | undefined {
    const word = match(WORD, this.#text, start);
    const value = KEYWORDS.get(word);
    if (value !== undefined) {
      this.#at = start + word.length;
      return { kind: "plain", value, start, end: this.#at };
    }
    if (NOT_FINITE.test(word)) return this.#notFinite(start, word);
    this.#unexpected(hintForValue(word));
    return undefined;
  }

  #notFinite(start: number, word: string): JsonNode {
    this.#at = start + word.length;
    const span = { start, end: this.#at };
    this.#report(notFinite(word), span);
    return { kind: "plain", value: 0, ...span };
  }

  // ---------------------------------------------------------------- strings

  #name(): string | undefined {
    if (this.peek() === '"') return this.#quoted();
    this.#unexpected("put names in double quotes");
    return undefined;
  }

  #quoted(): string | undefined {
    const start = this.#at + 1;
    let at = start;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
      if (code === BACKSLASH || code < 0x20) break;
    }
    return this.#quotedWithEscapes(start, at);
  }

  #quotedWithEscapes(start: number, firstOdd: number): string | undefined {
    const pieces = [this.#text.slice(start, firstOdd)];
    let at = firstOdd;
    while (at < this.#text.length && this.#text.charCodeAt(at) >= 0x20) {
      const character = this.#text.charAt(at);
      if (character === '"') {
        this.#at = at + 1;
        return pieces.join("");
      }
      const piece = character === "\\" ? this.#escape(at) : { text: character, length: 1 };
      if (piece === undefined) return undefined;
      pieces.push(piece.text);
      at += piece.length;
    }
    return this.#notClosed(start - 1, at);
  }

  #escape(at: number): { readonly text: string; readonly length: number } | undefined {
    const letter = this.#text.charAt(at + 1);
    const known = ESCAPES.get(letter);
    if (known !== undefined) return { text: known, length: 2 };
    const hex = this.#text.slice(at + 2, at + 6);
    if (letter === "u" && /^[\da-fA-F]{4}$/u.test(hex)) {
      return { text: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 };
    }
    const hint = 'use \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits; write \\\\ for a backslash';
    const written = letter === "u" ? `\\u${hex}` : `\\${letter}`;
    this.#report(
      { code: "E100", message: `invalid escape "${written}"`, hint },
      { start: at, end: at + written.length },
    );
    return undefined;
  }

  #notClosed(start: number, at: number): undefined {
    const character = this.#text.charAt(at);
    if (character === "" || character === "\n" || character === "\r") {
      const hint = 'close it with "; write \\n for a line break in a string';
      this.#report({ code: "E102", message: "unclosed string", hint }, { start, end: at });
      return undefined;
    }
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    const message = `unexpected control character U+${code} in a string`;
    const hint = character === "\t" ? "write it as \\t" : `write it as \\u${code}`;
    this.#report({ code: "E100", message, hint }, { start: at, end: at + 1 });
    return undefined;
  }

  // ---------------------------------------------------------------- symbols

  #bracketed(open: string, close: string, what: string, visit: () => boolean): boolean {
    if (!this.#symbol(open, `"${open}"`)) return false;
    this.#open.push(this.#at - 1);
    if (this.peek() === close) return this.#close();
    for (;;) {
      if (!visit()) return false;
      const next = this.peek();
      if (next === close) return this.#close();
      if (!this.#symbol(",", `"," or "${close}"`)) return false;
      if (this.peek() === close) return this.#unexpected(`remove the comma after the last ${what}`);
    }
  }

  #close(): true {
    this.#at += 1;
    this.#open.pop();
    return true;
  }

  #symbol(symbol: string, words: string): boolean {
    if (this.peek() !== symbol) return this.#unexpected(`expected ${words}`);
    this.#at += 1;
    return true;
  }

  #unexpected(hint: string): false {
    if (this.peek() === "") return this.#unexpectedEnd();
    const word = match(WORD, this.#text, this.#at);
    const comment = /^\/[/*]/u.test(this.#text.slice(this.#at, this.#at + 2));
    const advice = comment ? "remove the comment: JSON has none" : word === "'" ? "use double quotes" : hint;
    const span = { start: this.#at, end: this.#at + word.length };
    const shown = quote(word.replaceAll('"', "") || word);
    this.#report({ code: "E100", message: `unexpected ${shown}`, hint: advice }, span);
    return false;
  }

  #unexpectedEnd(): false {
    const open = this.#open.at(-1);
    const message = `unexpected end of ${this.#whole}`;
    const hint = open === undefined ? "expected a value" : `"${this.#text[open]}" ${this.#lineOf(open)}is not closed`;
    const end = this.#text.trimEnd().length;
    this.#report({ code: "E101", message, hint }, { start: Math.max(0, end - 1), end });
    return false;
  }

  #lineOf(offset: number): string {
    return this.#whole !== "file" ? "" : `on line ${this.#text.slice(0, offset).split("\n").length} `;
  }

  #skip(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > 0x20) return;
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
  }
}

function match(shape: RegExp, text: string, at: number): string {
  shape.lastIndex = at;
  return shape.exec(text)?.[0] ?? "";
}

export function duplicateField(name: string): Mistake {
  return { code: "E404", message: `duplicate field ${quote(name)}`, hint: "remove one of them" };
}

function hintForValue(word: string): string {
  if (word === "None" || word === "nil" || word === "undefined") return "write null for a missing value";
  if (KEYWORDS.has(word.toLowerCase())) return `write ${word.toLowerCase()}`;
  return /^[\p{L}_$]/u.test(word) ? "put strings in double quotes" : "expected a value";
}

/** Returns the plain data of a value. */
export function dataOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "plain":
      return node.value;
    case "list":
      return node.items.map(dataOf);
    case "object":
      return Object.fromEntries(node.entries.map(({ name, value }) => [name, dataOf(value)]));
  }
}
