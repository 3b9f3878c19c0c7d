/** Reads the sheets of an XLSX file, by whichever program it was written, as texts. */
import { damaged, XlsxError } from "./error.ts";
import { SheetReader } from "./sheet-reader.ts";
import type { ReadSheet } from "./sheet.ts";
import { type DateStyle, dateStyles } from "./styles.ts";
import { decodeText } from "./text.ts";
import { readXml, type XmlListener } from "./xml.ts";
import { Archive } from "./zip.ts";

/** The bytes that a file may have when it is unpacked. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Returns the names of the sheets, in the order of their tabs.
 *
 * @throws XlsxError when the file is no workbook.
 */
export function sheetNames(bytes: Uint8Array): readonly string[] {
  return new Workbook(bytes).sheets.map(({ name }) => name);
}

/**
 * Returns a sheet by its name.
 *
 * @throws XlsxError when the file is no workbook, or has no such sheet.
 */
export function readSheet(bytes: Uint8Array, name: string): ReadSheet {
  return new Workbook(bytes).read(name);
}

interface Relation {
  readonly type: string;
  readonly path: string;
}

class Workbook {
  readonly sheets: readonly { readonly name: string; readonly path: string }[];
  readonly #archive: Archive;
  readonly #relations: ReadonlyMap<string, Relation>;
  readonly #from1904: boolean;

  constructor(bytes: Uint8Array) {
    this.#archive = new Archive(bytes, MOST_BYTES);
    const main = [...this.#relationsOf("").values()].find(({ type }) => type === "officeDocument");
    if (main === undefined) throw new XlsxError("is not an .xlsx file");
    this.#relations = this.#relationsOf(main.path);
    const sheets: { name: string; path: string }[] = [];
    let from1904 = false;
    this.#read(main.path, {
      open: (element, attributes) => {
        if (element === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes.get("date1904") ?? "");
        if (element !== "sheet") return;
        const { type, path } = this.#relations.get(attributes.get("id") ?? "") ?? {};
        if (type === "worksheet" && path !== undefined)
          sheets.push({ name: decodeText(attributes.get("name") ?? ""), path });
      },
      text() {},
      close() {},
    });
    if (sheets.length === 0) throw new XlsxError("has no sheets");
    this.sheets = sheets;
    this.#from1904 = from1904;
  }

  read(name: string): ReadSheet {
    const sheet = this.sheets.find((one) => one.name === name);
    if (sheet === undefined) throw new XlsxError(`has no sheet "${name}"`);
    const reader = new SheetReader(this.#texts(), this.#styles(), this.#from1904);
    this.#read(sheet.path, reader);
    return reader.result();
  }

  /** Returns the texts that cells share. */
  #texts(): readonly string[] {
    const path = this.#pathOf("sharedStrings");
    const texts: string[] = [];
    if (path === undefined) return texts;
    let text = "";
    let isText = false;
    let isSpoken = false;
    this.#read(path, {
      open(name) {
        if (name === "si") text = "";
        if (name === "rPh") isSpoken = true; // how it is pronounced
        isText = name === "t" && !isSpoken;
      },
      text(words) {
        if (isText) text += words;
      },
      close(name) {
        isText = false;
        if (name === "rPh") isSpoken = false;
        if (name === "si") texts.push(decodeText(text));
      },
    });
    return texts;
  }

  #styles(): readonly (DateStyle | undefined)[] {
    const path = this.#pathOf("styles");
    return path === undefined ? [] : dateStyles(path, this.#file(path));
  }

  #pathOf(wanted: string): string | undefined {
    return [...this.#relations.values()].find(({ type }) => type === wanted)?.path;
  }

  /** Returns what a part refers to, by name; `""` is the whole file. */
  #relationsOf(part: string): ReadonlyMap<string, Relation> {
    const slash = part.lastIndexOf("/") + 1;
    const folder = part.slice(0, slash);
    const found = new Map<string, Relation>();
    const path = `${folder}_rels/${part.slice(slash)}.rels`;
    if (part === "" && this.#archive.file(path) === undefined) throw new XlsxError("is not an .xlsx file");
    this.#read(path, {
      open(name, attributes) {
        if (name !== "Relationship" || attributes.get("TargetMode") === "External") return;
        const type = attributes.get("Type") ?? "";
        const target = attributes.get("Target") ?? "";
        found.set(attributes.get("Id") ?? "", {
          type: type.slice(type.lastIndexOf("/") + 1),
          path: joined(folder, target),
        });
      },
      text() {},
      close() {},
    });
    return found;
  }

  #read(path: string, listener: XmlListener): void {
    readXml(path, this.#file(path), listener);
  }

  #file(path: string): Uint8Array {
    const bytes = this.#archive.file(path);
    if (bytes === undefined) throw damaged(`"${path}" is missing`);
    return bytes;
  }
}

/** Returns the path of a target that is named from a folder; a leading slash names it from the root. */
function joined(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
