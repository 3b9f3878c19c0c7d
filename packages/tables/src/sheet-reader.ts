/** Hears the XML of a sheet, and gives its cells as texts. */
import { damaged, XlsxError } from "./error.ts";
import { dateShown } from "./number.ts";
import { type CellFault, cellPlace, columnName, MOST, type ReadSheet } from "./sheet.ts";
import type { DateStyle } from "./styles.ts";
import { decodeText } from "./text.ts";
import type { XmlListener } from "./xml.ts";

/** Characters and cells that a sheet may have: a text that cells share counts for each of them. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** A cell while it is read. */
interface Cell {
  readonly row: number;
  readonly column: number;
  readonly type: string;
  readonly style: number;
  /** What stands in `v`, and in `t` of a cell with a text of its own; undefined where there is none. */
  value: string | undefined;
  text: string | undefined;
  hasFormula: boolean;
}

/** What a cell holds; undefined when it is empty. */
type Content = { readonly text: string } | { readonly message: string; readonly hint: string } | undefined;

export class SheetReader implements XmlListener {
  readonly #texts: readonly string[];
  readonly #styles: readonly (DateStyle | undefined)[];
  readonly #from1904: boolean;
  readonly #rows: string[][] = [];
  readonly #faults: CellFault[] = [];
  #left = MOST_CHARACTERS;
  #cell: Cell | undefined = undefined;
  #row = -1;
  #column = -1;
  #inside = "";
  #isSpoken = false;

  constructor(texts: readonly string[], styles: readonly (DateStyle | undefined)[], from1904: boolean) {
    this.#texts = texts;
    this.#styles = styles;
    this.#from1904 = from1904;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#inside = name;
    const cell = this.#cell;
    switch (name) {
      case "row":
        this.#row = this.#rowOf(attributes.get("r"));
        this.#column = -1;
        break;
      case "c":
        this.#cell = this.#begin(attributes);
        break;
      case "f":
        if (cell !== undefined) cell.hasFormula = true;
        break;
      case "v":
        if (cell !== undefined) cell.value = "";
        break;
      case "t":
        if (cell !== undefined) cell.text ??= "";
        break;
      case "rPh": // how the text is pronounced
        this.#isSpoken = true;
        break;
    }
  }

  text(words: string): void {
    const cell = this.#cell;
    if (cell === undefined) return;
    if (this.#inside === "v") cell.value = (cell.value ?? "") + words;
    if (this.#inside === "t" && !this.#isSpoken) cell.text = (cell.text ?? "") + words;
  }

  close(name: string): void {
    this.#inside = "";
    if (name === "rPh") this.#isSpoken = false;
    if (name !== "c" || this.#cell === undefined) return;
    this.#put(this.#cell);
    this.#cell = undefined;
  }

  /** Returns what was read. */
  result(): ReadSheet {
    const rows = Array.from({ length: this.#rows.length }, (_, row) => this.#rows[row] ?? []);
    const faults = this.#faults.toSorted((a, b) => a.row - b.row || a.column - b.column);
    return { rows, faults };
  }

  #rowOf(written: string | undefined): number {
    if (written === undefined) return this.#row + 1;
    const row = /^[1-9]\d{0,6}$/.test(written) ? Number(written) : Infinity;
    if (row > MOST.rows) throw damaged(`it has a row ${written}`);
    return row - 1;
  }

  #begin(attributes: ReadonlyMap<string, string>): Cell {
    const written = attributes.get("r");
    const place = written === undefined ? { row: this.#row, column: this.#column + 1 } : cellPlace(written);
    if (place === undefined || place.row < 0 || place.row >= MOST.rows || place.column >= MOST.columns)
      throw damaged(`it has a cell ${written ?? "outside the sheet"}`);
    this.#column = place.column;
    const type = attributes.get("t") ?? "n";
    return {
      ...place,
      type,
      style: Number(attributes.get("s") ?? 0),
      value: undefined,
      text: undefined,
      hasFormula: false,
    };
  }

  #put(cell: Cell): void {
    const { row, column } = cell;
    const content = this.#contentOf(cell);
    if (content === undefined) return;
    const cells = (this.#rows[row] ??= []);
    const text = "text" in content ? content.text : "";
    this.#left -= text.length + 1 + Math.max(0, column - cells.length);
    if (this.#left < 0) throw new XlsxError(`is too large: it has more than ${MOST_CHARACTERS} characters and cells`);
    while (cells.length < column) cells.push("");
    cells[column] = text;
    if (!("text" in content))
      this.#faults.push({ row: row + 1, column: column + 1, cell: `${columnName(column)}${row + 1}`, ...content });
  }

  #contentOf({ type, style, value, text, hasFormula }: Cell): Content {
    if (hasFormula && (value === undefined || (value === "" && type !== "str")))
      return {
        message: "this formula has no value yet",
        hint: "open the file in a spreadsheet program and save it, or write the value in place of the formula",
      };
    if (type === "inlineStr") return text === undefined ? undefined : { text: decodeText(text) };
    if (value === undefined) return undefined;
    switch (type) {
      case "s":
        return this.#shared(value);
      case "str":
        return { text: decodeText(value) };
      case "b":
        return { text: value === "1" || value === "true" ? "true" : "false" };
      case "e":
        return { message: `this cell shows ${value}`, hint: "write a value" };
      case "d":
        return isoDate(value);
      case "n":
        return this.#number(value, this.#styles[style]);
      default:
        throw damaged(`it has a cell of the unknown type "${type}"`);
    }
  }

  #shared(value: string): Content {
    const text = /^\d+$/.test(value) ? this.#texts[Number(value)] : undefined;
    if (text === undefined) throw damaged(`it has no text ${value}`);
    return { text };
  }

  #number(value: string, style: DateStyle | undefined): Content {
    if (value.trim() === "") return undefined;
    const number = Number(value);
    if (!Number.isFinite(number)) throw damaged(`"${value}" is not a number`);
    if (style === undefined) return { text: String(number) };
    const shown = dateShown(number, style, this.#from1904);
    return "day" in shown ? { text: `@${shown.day}` } : notADay(shown.instead);
  }
}

function isoDate(value: string): Content {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(.*))?$/.exec(value) ?? [];
  if (day === undefined) return notADay("a time of day");
  return time === undefined || /^00:00:00(?:\.0*)?$/.test(time) ? { text: `@${day}` } : notADay("a date with a time");
}

function notADay(what: string): Content {
  return {
    message: `this cell shows ${what}`,
    hint: "format the cell as text and write a value of the language, such as @2026-01-31 or @2026-01-31T12:00:00Z",
  };
}
