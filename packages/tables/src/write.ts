/** Writes a sheet as XLSX: all cells are texts or plain numbers, never formulas, and what is typed into them stays a text. */
import { XlsxError } from "./error.ts";
import { isPlainNumber } from "./number.ts";
import { columnName, MOST, type WrittenSheet } from "./sheet.ts";
import { encodeText, escapeXml } from "./text.ts";
import { zip } from "./zip.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Returns a workbook with one sheet: a bold header that stays in view, columns as wide as their cells, and the outputs in a colour of
 * their own, after a line.
 *
 * @throws XlsxError when a spreadsheet cannot hold the sheet.
 */
export function writeSheet(sheet: WrittenSheet): Uint8Array {
  refuseTooLarge(sheet);
  const texts = new SharedTexts();
  const body = sheetXml(sheet, texts);
  const parts: readonly (readonly [path: string, xml: string])[] = [
    ["[Content_Types].xml", CONTENT_TYPES],
    ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
    ["xl/workbook.xml", workbook(sheetName(sheet.name))],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ["worksheet", "worksheets/sheet1.xml"],
        ["styles", "styles.xml"],
        ["sharedStrings", "sharedStrings.xml"],
      ]),
    ],
    ["xl/styles.xml", STYLES],
    ["xl/sharedStrings.xml", texts.xml()],
    ["xl/worksheets/sheet1.xml", body],
  ];
  return zip(new Map(parts.map(([path, xml]) => [path, DECLARATION + xml])));
}

function refuseTooLarge({ rows }: WrittenSheet): void {
  if (rows.length > MOST.rows)
    throw new XlsxError(`the table has ${rows.length} rows; a spreadsheet holds ${MOST.rows}`);
  for (const [row, cells] of rows.entries()) {
    if (cells.length > MOST.columns)
      throw new XlsxError(`the table has ${cells.length} columns; a spreadsheet holds ${MOST.columns}`);
    const column = cells.findIndex(({ length }) => length > MOST.characters);
    if (column >= 0)
      throw new XlsxError(
        `cell ${columnName(column)}${row + 1} has ${cells[column]?.length} characters; a cell of a spreadsheet holds ${MOST.characters}`,
      );
  }
}

/** Returns a name that spreadsheets accept for a sheet. */
function sheetName(name: string): string {
  const plain = name.replaceAll(/[[\]:*?/\\]|^'|'$/g, "_");
  const short = plain.length <= MOST.nameCharacters ? plain : [...plain].slice(0, 15).join("");
  if (short === "") return "table";
  return short.toLowerCase() === "history" ? `${short}_` : short; // a name that Excel keeps for itself
}

/** The texts of a workbook, each once. */
class SharedTexts {
  readonly #places = new Map<string, number>();
  #uses = 0;

  /** Returns the place of a text. */
  place(text: string): number {
    this.#uses += 1;
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }

  xml(): string {
    const items = [...this.#places.keys()].map(
      (text) => `<si><t xml:space="preserve">${escapeXml(encodeText(text))}</t></si>`,
    );
    return `<sst xmlns="${MAIN}" count="${this.#uses}" uniqueCount="${items.length}">${items.join("")}</sst>`;
  }
}

// ---------------------------------------------------------------- the sheet

/** Where a cell stands: each kind has a style of its own. */
const KINDS = ["input", "first output", "output"] as const;

/** The styles of cells in styles.xml: 0 is that of other cells, then one of each kind for the header, for texts and for numbers. */
const STYLE = { header: 1, text: 1 + KINDS.length, number: 1 + 2 * KINDS.length } as const;

function styleOf(what: keyof typeof STYLE, column: number, firstOutput: number): number {
  const kind = column < firstOutput ? "input" : column === firstOutput ? "first output" : "output";
  return STYLE[what] + KINDS.indexOf(kind);
}

function sheetXml({ rows, firstOutput }: WrittenSheet, texts: SharedTexts): string {
  const lines = rows.map((cells, row) => {
    const written = cells.map((text, column) => {
      const place = `r="${columnName(column)}${row + 1}"`;
      if (row > 0 && isPlainNumber(text))
        return `<c ${place} s="${styleOf("number", column, firstOutput)}"><v>${text}</v></c>`;
      const style = styleOf(row === 0 ? "header" : "text", column, firstOutput);
      return `<c ${place} s="${style}" t="s"><v>${texts.place(text)}</v></c>`;
    });
    return `<row r="${row + 1}">${written.join("")}</row>`;
  });
  const widths = widthsOf(rows);
  const columns = widths.map((width, column) => {
    const at = column + 1;
    return `<col min="${at}" max="${at}" width="${width}" style="${styleOf("text", column, firstOutput)}" customWidth="1"/>`;
  });
  const all = `A1:${columnName(Math.max(0, widths.length - 1))}${MOST.rows}`;
  return [
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    columns.length === 0 ? "" : `<cols>${columns.join("")}</cols>`,
    `<sheetData>${lines.join("")}</sheetData>`,
    `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
  ].join("");
}

const NARROWEST = 8;
const WIDEST = 60;

/** Returns the width of each column in characters. */
function widthsOf(rows: WrittenSheet["rows"]): number[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [column, text] of cells.entries()) {
      let width = widths[column] ?? NARROWEST;
      for (const line of text.split("\n")) width = Math.max(width, Math.min(WIDEST, line.length + 3));
      widths[column] = width;
    }
  }
  return widths;
}

// ---------------------------------------------------------------- the other parts

const CONTENT_TYPES = `<Types xmlns="${PACKAGE}/content-types">${[
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
  `<Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/>`,
].join("")}</Types>`;

function relations(list: readonly (readonly [type: string, target: string])[]): string {
  const items = list.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${items.join("")}</Relationships>`;
}

function workbook(name: string): string {
  const sheet = `<sheet name="${escapeXml(encodeText(name))}" sheetId="1" r:id="rId1"/>`;
  const views = "<bookViews><workbookView/></bookViews>";
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${views}<sheets>${sheet}</sheets></workbook>`;
}

const FILLS = ["D9E1F2", "C6E0B4", "F3F9EE"] as const;
/** The format "Text": what is typed stays as it is. */
const TEXT_FORMAT = 49;

/** A style by its font (1 is bold), fill (from 2 on the colours above), border (1 is a line on the left) and number format. */
function cellStyle(font: number, fill: number, border: number, format: number): string {
  const ids = `numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"`;
  const applies = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"';
  return `<xf ${ids} ${applies}><alignment vertical="top" wrapText="1"/></xf>`;
}

const CELL_STYLES = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  cellStyle(1, 2, 0, TEXT_FORMAT),
  cellStyle(1, 3, 1, TEXT_FORMAT),
  cellStyle(1, 3, 0, TEXT_FORMAT),
  ...[TEXT_FORMAT, 0].flatMap((format) => [
    cellStyle(0, 0, 0, format),
    cellStyle(0, 4, 1, format),
    cellStyle(0, 4, 0, format),
  ]),
];

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const NO_LINES = "<right/><top/><bottom/><diagonal/>";
const STYLES = `<styleSheet xmlns="${MAIN}">${[
  `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`,
  `<fills count="${FILLS.length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>`,
  ...FILLS.map((colour) => `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/></patternFill></fill>`),
  `</fills><borders count="2"><border><left/>${NO_LINES}</border>`,
  `<border><left style="medium"><color rgb="FF808080"/></left>${NO_LINES}</border></borders>`,
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${CELL_STYLES.length}">${CELL_STYLES.join("")}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
].join("")}</styleSheet>`;
