/** Workbooks as other programs write them: with other paths and styles, and whatever XML a test puts into the sheet. */
import { zip } from "../../packages/tables/src/zip.ts";

/** A cell: its attributes, and the XML inside it. */
export interface CellXml {
  readonly type?: string;
  readonly style?: number;
  readonly inside: string;
}

interface WorkbookOptions {
  readonly from1904?: boolean;
  /** XML of more texts that cells share, from number 2 on. */
  readonly texts?: string;
  /** The names of the sheets, all with the same rows. */
  readonly names?: readonly string[];
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TEXTS = "<si><t>shared</t></si><si><t>漢字</t><rPh><t>かんじ</t></rPh></si>";
/** Style 1 is a date, 2 one of a format of its own, 3 elapsed hours. */
const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;

/** Returns a workbook with the cells in one row, or with the XML of all rows. */
export function workbookOf(given: readonly CellXml[] | string, options: WorkbookOptions = {}): Uint8Array {
  const { from1904 = false, texts = "", names = ["s"] } = options;
  const cells = typeof given === "string" ? [] : given.map(cellXml);
  const rows = typeof given === "string" ? given : `<row>${cells.join("")}</row>`;
  const sheets = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`);
  return zip(
    new Map([
      ["_rels/.rels", relations([["a", "officeDocument", "/book/main.xml"]])],
      [
        "book/main.xml",
        `<workbook xmlns:r="${OFFICE}"><workbookPr date1904="${Number(from1904)}"/><sheets>${sheets.join("")}</sheets></workbook>`,
      ],
      [
        "book/_rels/main.xml.rels",
        relations([
          ["t", "sharedStrings", "../texts.xml"],
          ["f", "styles", "./look/styles.xml"],
          ...names.map((_, at) => [`s${at}`, "worksheet", `sheet${at}.xml`] as const),
        ]),
      ],
      ["texts.xml", `<?xml version="1.0"?>\n<sst>${TEXTS}${texts}</sst>`],
      ["book/look/styles.xml", STYLES],
      ...names.map((_, at): [string, string] => [
        `book/sheet${at}.xml`,
        `<x:worksheet><sheetData>${rows}</sheetData></x:worksheet>`,
      ]),
    ]),
  );
}

function cellXml({ type, style, inside }: CellXml): string {
  const attributes = [type === undefined ? "" : ` t="${type}"`, style === undefined ? "" : ` s='${style}'`];
  return `<c${attributes.join("")}>${inside}</c>`;
}

function relations(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  const items = list.map(([id, type, to]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${to}"/>`);
  return `<Relationships>${items.join("")}</Relationships>`;
}
