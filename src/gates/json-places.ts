/**
 * Finds places in JSON: where the value at a path (`$.And[1].Not`) or a key stands, which key an object has twice, and
 * where a text stops being JSON. `JSON.parse` gives no places and silently keeps the last of two equal keys.
 */
import { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";
import { GateJsonError, type JsonPlace } from "./ret-json.ts";

/** Throws E542 with its place when a text is not JSON, or an object in it has a key twice. */
export function refuseInvalidJson(text: string): void {
  new Scan(text, () => undefined).document();
}

/**
 * Returns where the value at a path of a JSON text stands, such as the `path` of a {@link GateJsonError}. For an object or
 * a list it is the opening bracket. Undefined when there is no such value.
 *
 * @param key - One of the keys of the value; its place is returned instead.
 *
 * @example
 * ```ts
 * placeInJson('{ "And": [{ "Condition": "tested" }] }', "$.And[0].Condition")?.column; // => 26
 * ```
 */
export function placeInJson(text: string, path: string, key?: string): JsonPlace | undefined {
  let found: Span | undefined;
  const scan = new Scan(text, (at, span, of) => {
    if (at === path && of === key) found ??= span;
  });
  try {
    scan.document();
  } catch (error) {
    if (!(error instanceof GateJsonError)) throw error;
  }
  return found === undefined ? undefined : placeOf(text, found);
}

function placeOf(text: string, { start, end }: Span): JsonPlace {
  const source = new Source("", text);
  const [from, to] = [source.position(start), source.position(end)];
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

/** Is called for each value, and with `key` for each key of the object at the path. */
type Visit = (path: string, span: Span, key?: string) => void;

const BLANKS = /[ \t\r\n]*/uy;
const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"/uy;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** The most levels of a requirement below its root. */
export const MAX_DEPTH = 32;

/** The most levels of lists and objects: more than such a requirement can have in any envelope. */
const MAX_NESTING = 8 * MAX_DEPTH;

class Scan {
  readonly #text: string;
  readonly #visit: Visit;
  #at = 0;

  constructor(text: string, visit: Visit) {
    this.#text = text;
    this.#visit = visit;
  }

  document(): void {
    this.#value("$", 0);
    if (this.#next() !== "") this.#fail("$", "invalid JSON: expected the end of the document");
  }

  #value(path: string, depth: number): void {
    const next = this.#next();
    const start = this.#at;
    if (depth > MAX_NESTING) this.#fail("$", `nested more than ${MAX_DEPTH} levels deep`);
    if (next === "{" || next === "[") {
      this.#visit(path, { start, end: start + 1 });
      if (next === "{") this.#object(path, depth);
      else this.#list(path, depth);
      return;
    }
    if (next === '"') this.#string();
    else if (this.#match(OTHER) === "") this.#fail("$", "invalid JSON: expected a value");
    this.#visit(path, { start, end: this.#at });
  }

  #object(path: string, depth: number): void {
    const keys = new Set<string>();
    this.#items("}", () => {
      if (this.#next() !== '"') this.#fail("$", "invalid JSON: expected a key in double quotes");
      const start = this.#at;
      const key = this.#string();
      const span = { start, end: this.#at };
      if (keys.has(key)) throw this.#error(path, `duplicate key ${JSON.stringify(key)}`, span);
      keys.add(key);
      this.#visit(path, span, key);
      if (this.#next() !== ":") this.#fail("$", 'invalid JSON: expected ":" after the key');
      this.#at += 1;
      this.#value(`${path}.${key}`, depth + 1);
    });
  }

  #list(path: string, depth: number): void {
    let index = 0;
    this.#items("]", () => {
      this.#value(`${path}[${index}]`, depth + 1);
      index += 1;
    });
  }

  /** Reads items with commas between them, from the opening bracket to the closing one. */
  #items(close: string, item: () => void): void {
    this.#at += 1;
    if (this.#next() !== close) {
      item();
      while (this.#next() === ",") {
        this.#at += 1;
        if (this.#next() === close) this.#fail("$", "invalid JSON: remove the comma before it");
        item();
      }
    }
    if (this.#next() !== close) this.#fail("$", `invalid JSON: expected "," or "${close}"`);
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    try {
      return JSON.parse(this.#match(STRING)) as string;
    } catch {
      this.#at = start;
      return this.#fail("$", "invalid JSON: the string is not closed, or has an invalid character or escape");
    }
  }

  #match(shape: RegExp): string {
    shape.lastIndex = this.#at;
    const [written = ""] = shape.exec(this.#text) ?? [];
    this.#at += written.length;
    return written;
  }

  /** Returns the next character that is not blank; "" at the end. */
  #next(): string {
    this.#match(BLANKS);
    return this.#text.charAt(this.#at);
  }

  #fail(path: string, message: string): never {
    const last = this.#text.trimEnd().length;
    const start = Math.min(this.#at, last);
    throw this.#error(path, message, { start, end: Math.min(start + 1, last) });
  }

  #error(path: string, message: string, span: Span): GateJsonError {
    return new GateJsonError(path, message).locate(placeOf(this.#text, span));
  }
}
