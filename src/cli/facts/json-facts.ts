/** Reads facts in JSON, `{"Person": [{…}, {…}], "Order": {…}}`, and in NDJSON, the same on each line. */
import type { FactSink, FileFact, Part } from "./file-fact.ts";
import { dataOf, type JsonEntry, type JsonNode, JsonReader, type JsonSpan } from "./json-reader.ts";
import type { Line } from "./lines.ts";
import { type Mistake, quote, type Range, within } from "./mistake.ts";

/** Returns the line and column of an offset in the text. */
export type Position = (offset: number) => { readonly line: number; readonly column: number };

const SHAPE = 'group facts by type, for example {"Person": [{"id": "p1"}]}';

/** Reads one JSON text with facts by type. */
export function readJsonFacts(text: string, position: Position, sink: FactSink): void {
  new Document(text, "file", position, sink).read();
}

export function readNdjsonFacts(lines: Iterable<Line>, sink: FactSink): void {
  for (const { number, text } of lines) {
    if (text.trim() === "") continue;
    const position: Position = (offset) => ({ line: number, column: offset + 1 });
    new Document(text, "line", position, sink).read();
  }
}

/** Returns whether a line is a whole JSON object. */
export function isWholeObject(text: string): boolean {
  let mistakes = 0;
  const reader = new JsonReader(text, () => (mistakes += 1), "line");
  return reader.peek() === "{" && reader.value(32) !== undefined && reader.end() && mistakes === 0;
}

class Document {
  readonly #reader: JsonReader;
  readonly #position: Position;
  readonly #sink: FactSink;
  #mistakes = 0;

  constructor(text: string, whole: "file" | "line", position: Position, sink: FactSink) {
    this.#position = position;
    this.#sink = sink;
    this.#reader = new JsonReader(text, (complaint, span) => this.#mistake(complaint, span), whole);
  }

  read(): void {
    const types = new Set<string>();
    const next = this.#reader.peek();
    if (next !== "{" && next !== "") return this.#wrongShape();
    const whole = this.#reader.object((type, span) => {
      if (types.has(type))
        this.#mistake({ code: "E404", message: `duplicate type ${quote(type)}`, hint: "merge the two lists" }, span);
      types.add(type);
      const admitted = this.#sink.admits(type, this.#range(span));
      return this.#factsOf(type, admitted);
    });
    if (whole) this.#reader.end();
  }

  #wrongShape(): void {
    const node = this.#reader.value(this.#sink.nesting);
    if (node !== undefined) this.#mistake({ code: "E100", message: `unexpected ${kindOf(node)}`, hint: SHAPE }, node);
  }

  /** Reads a list of facts, or a single one. */
  #factsOf(type: string, admitted: boolean): boolean {
    if (this.#reader.peek() !== "[") return this.#fact(type, admitted);
    return this.#reader.list(() => this.#fact(type, admitted));
  }

  #fact(type: string, admitted: boolean): boolean {
    const before = this.#mistakes;
    const node = this.#reader.value(this.#sink.nesting);
    if (node === undefined) return false;
    if (!admitted) return true;
    if (node.kind !== "object") {
      const hint = `for example {"${type}": [{"name": "Ann"}]}`;
      this.#mistake({ code: "E407", message: `expected an object with the fields of ${type}`, hint }, node);
    } else {
      this.#sink.fact(this.#given(type, node, this.#mistakes > before));
    }
    return true;
  }

  #given(type: string, node: JsonNode & { readonly kind: "object" }, faulty: boolean): FileFact {
    const fields = dataOf(node) as Readonly<Record<string, unknown>>;
    let entries: ReadonlyMap<string, JsonEntry> | undefined;
    const entry = (name: string): JsonEntry | undefined =>
      (entries ??= new Map(node.entries.map((one) => [one.name, one]))).get(name);
    const range = (part?: Part): Range =>
      this.#range(part === undefined ? node : (spanOf(entry(part.field), part) ?? node));
    return { type, fields, faulty, ...this.#position(node.start), range };
  }

  #mistake(complaint: Mistake, span: JsonSpan): void {
    this.#mistakes += 1;
    this.#sink.report(complaint, this.#range(span));
  }

  #range({ start, end }: JsonSpan): Range {
    const from = this.#position(start);
    const to = this.#position(end);
    return { ...within(from.line, from.column), endLine: to.line, endColumn: to.column };
  }
}

/** Returns where a part of a fact is; the nearest value around it that the file has. */
function spanOf(entry: JsonEntry | undefined, { of, path = [] }: Part): JsonSpan | undefined {
  let [span, node]: [JsonSpan | undefined, JsonNode | undefined] = [
    of === "name" ? entry?.nameSpan : entry?.value,
    entry?.value,
  ];
  for (const step of path) {
    const inner = node?.kind === "object" ? node.entries.find(({ name }) => name === step) : undefined;
    node = node?.kind === "list" && typeof step === "number" ? node.items[step] : inner?.value;
    if (node === undefined) return span;
    span = of === "name" && inner !== undefined ? inner.nameSpan : node;
  }
  return span;
}

function kindOf(node: JsonNode): string {
  if (node.kind !== "plain") return node.kind;
  return typeof node.value === "string" ? "string" : String(node.value);
}
