/**
 * Converts a cell to the type of its field. A cell that does not fit stays a string: the check of the fact reports it.
 *
 * An empty cell is a missing value; `""` in a string field is an empty string. Without a declared type, an unquoted cell that
 * looks like a number, or is true or false, becomes one.
 */
import type { SchemaType } from "../../index.ts";
import type { Cell } from "./csv-reader.ts";
import { dataOf, JsonReader } from "./json-reader.ts";
import type { Mistake } from "./mistake.ts";
import { notFinite, numberProblem } from "./number.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/iu;

export interface CellReading {
  /** Returns the kind of the key of a type, which references to it use. */
  keyKind(type: string): SchemaType["kind"] | undefined;
  /** The deepest nesting of a list. */
  readonly nesting: number;
  readonly report: (complaint: Mistake) => void;
}

export function valueOf(cell: Cell, type: SchemaType, reading: CellReading): unknown {
  const isText = type.kind === "string" || (type.kind === "union" && !hasNumbers(type)) || type.kind === "any";
  if (cell.text === "" && !(cell.quoted && isText)) return undefined;
  switch (type.kind) {
    case "number":
      return numberIn(cell.text, reading);
    case "bool":
      return boolIn(cell.text);
    case "list":
      return jsonIn(cell.text, "[", [], reading);
    case "record":
      return jsonIn(cell.text, "{", {}, reading);
    case "ref":
      return referenceIn(cell.text, reading.keyKind(type.type), reading);
    case "union":
      return hasNumbers(type) ? numberIn(cell.text, reading) : cell.text;
    case "any":
      return cell.quoted ? cell.text : undeclared(cell.text, reading);
    default:
      return cell.text;
  }
}

/** Returns whether a union is one of numbers. */
function hasNumbers({ options }: Extract<SchemaType, { kind: "union" }>): boolean {
  return typeof options[0] === "number";
}

function numberIn(text: string, { report }: CellReading): unknown {
  const written = text.trim();
  if (NOT_FINITE.test(written)) {
    report(notFinite(written));
    return 0;
  }
  if (!NUMBER.test(written)) return text;
  const problem = numberProblem(written, Number(written));
  if (problem === undefined) return Number(written);
  report(problem);
  return 0;
}

function boolIn(text: string): unknown {
  const word = text.trim().toLowerCase();
  return word === "true" || word === "false" ? word === "true" : text;
}

/** Returns a list or object in JSON; `empty` where it has a mistake, which is reported. */
function jsonIn(text: string, opening: "[" | "{", empty: unknown, { nesting, report }: CellReading): unknown {
  if (!text.trimStart().startsWith(opening)) return text;
  const reader = new JsonReader(text, report, "cell");
  const node = reader.value(nesting - 1);
  return node !== undefined && reader.end() ? dataOf(node) : empty;
}

function referenceIn(text: string, keyKind: string | undefined, reading: CellReading): unknown {
  if (keyKind === "number") return numberIn(text, reading);
  return keyKind === "bool" ? boolIn(text) : text;
}

/** Converts a cell without a declared type. `007` and `1,000` stay strings: only the usual spelling of a number is one. */
function undeclared(text: string, reading: CellReading): unknown {
  if (text === "true" || text === "false") return text === "true";
  return String(Number(text)) === text && NUMBER.test(text) ? numberIn(text, reading) : text;
}
