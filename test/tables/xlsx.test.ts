/** Sheets as XLSX files: any texts come back as they were, files of other programs are read, and nothing in a file is trusted. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSheet, sheetNames, writeSheet, XlsxError } from "../../packages/tables/src/index.ts";
import { decodeText, encodeText } from "../../packages/tables/src/text.ts";
import { Archive, zip } from "../../packages/tables/src/zip.ts";
import { runs } from "../support/cases.ts";
import { type CellXml, workbookOf } from "../support/workbook.ts";

/** What spreadsheets and XML are known to change. */
const TRICKY = [
  ...["", " ", "  x  ", "\n", "\r", "\r\n", "\t", "a\nb", "\u0000", "\u000b", "\u001f", "\u007f", "\u0085", "\u2028"],
  ...["\ufffe", "\uffff", "\ufeff", "\ud800", "\udc00", "\udc00\ud800", "😀", "é", "e\u0301", "_x000B_", "_x000b_"],
  ...["_x005F_", "_x0041", "_", "x0041_", "_x", "<", ">", "&", "&amp;", '"', "'", "]]>", "<!--", "=1+1", "+1", "-1"],
  ...["-", "@2026-01-01", "1", "007", "1.0", "1.", ".5", "-0", "0.1", "1e5", "1e+21", "123456789012345678", "0x10"],
  ...["Infinity", "NaN", "TRUE", "true", "#N/A", "2026-01-01", "1/2", "10%", "1,5", "0.30000000000000004", "'1"],
];
const text = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc.array(fc.constantFrom(...TRICKY), { maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.array(fc.nat(0xffff), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  fc.double().map(String),
);
const sheets = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { maxLength: 6 });

describe("writing and reading gives the same rows", () => {
  test("whatever their texts are", () => {
    fc.assert(
      fc.property(sheets, fc.nat(5), (rows, firstOutput) => {
        expect(readSheet(writeSheet({ name: "t", rows, firstOutput }), "t")).toEqual({ rows, faults: [] });
      }),
      { numRuns: runs(3000) },
    );
  });

  test("a text of every character", () => {
    fc.assert(
      fc.property(text, (one) => {
        const stored = encodeText(one);
        expect(stored.isWellFormed()).toBe(true);
        // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(stored).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/u);
        expect(decodeText(stored)).toBe(one);
      }),
      { numRuns: runs(5000) },
    );
  });

  test("the longest text that a spreadsheet holds; a longer one is refused with its cell", () => {
    const rows = [["h"], ["\u000b".repeat(32_767)]];
    expect(readSheet(writeSheet({ name: "t", rows, firstOutput: 0 }), "t").rows).toEqual(rows);
    const long = [["h"], ["a", "x".repeat(32_768)]];
    expect(() => writeSheet({ name: "t", rows: long, firstOutput: 0 })).toThrow(
      "cell B2 has 32768 characters; a cell of a spreadsheet holds 32767",
    );
    const wide = [Array.from({ length: 16_385 }, () => "x")];
    expect(() => writeSheet({ name: "t", rows: wide, firstOutput: 0 })).toThrow("16385 columns");
  });

  test("the same sheet gives the same bytes", () => {
    const bytes = (): Uint8Array => writeSheet({ name: "t", rows: [["a"], ["1"]], firstOutput: 0 });
    expect(bytes()).toEqual(bytes());
  });

  test("names that spreadsheets refuse are changed", () => {
    const nameOf = (name: string): string | undefined => sheetNames(writeSheet({ name, rows: [], firstOutput: 0 }))[0];
    expect(["a", "History", "a/b", "", "_x0041_", '<&">'].map(nameOf)).toEqual([
      "a",
      "History_",
      "a_b",
      "table",
      "_x0041_",
      '<&">',
    ]);
    expect(nameOf("x".repeat(40))?.length).toBeLessThanOrEqual(31);
  });
});

describe("what is in the file", () => {
  const written = new Archive(
    writeSheet({
      name: "t",
      rows: [
        ["a", "|| b"],
        ["=1+1", "0.5"],
        ["007", "true"],
      ],
      firstOutput: 1,
    }),
    1e6,
  );
  const part = (name: string): string => new TextDecoder().decode(written.file(name));
  const sheet = part("xl/worksheets/sheet1.xml");
  const shared = [...part("xl/sharedStrings.xml").matchAll(/<t[^>]*>([^<]*)<\/t>/gu)].map(([, words]) => words);

  test("texts are texts, never formulas; plain numbers are numbers", () => {
    expect(sheet).not.toContain("<f");
    expect(shared).toEqual(["a", "|| b", "=1+1", "007", "true"]);
    expect(sheet.match(/<c [^>]*t="s"/gu)).toHaveLength(5);
    expect(sheet).toMatch(/<c r="B2" s="\d+"><v>0\.5<\/v><\/c>/u);
  });

  test("the header stays in view; header, inputs, outputs and the first output look different", () => {
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    const styles = [...sheet.matchAll(/<c r="(\w+)" s="(\d+)"/gu)].map(([, , style]) => style);
    const looks = part("xl/styles.xml").match(/(?<=<cellXfs.*)<xf [^>]*>/gu) ?? [];
    const [a1, b1, a2, b2, , b3] = styles.map((style) => looks[Number(style)]);
    expect(new Set([a1, b1, a2, b2, b3]).size).toBe(5);
    expect([a1, b1].every((look) => look?.includes('fontId="1"'))).toBe(true);
    expect([b1, b2, b3].every((look) => look?.includes('borderId="1"'))).toBe(true);
  });
});

describe("files of other programs", () => {
  const cells = (...given: readonly CellXml[]): unknown => {
    const { rows, faults } = readSheet(workbookOf(given), "s");
    return faults.length > 0 ? faults.map(({ cell, message }) => `${cell} ${message}`) : rows[0];
  };

  test("texts in the cell, with parts of several looks, as the result of a formula, and how they are spoken", () => {
    expect(
      cells(
        { type: "inlineStr", inside: "<is><t>a</t></is>" },
        { type: "inlineStr", inside: '<is><r><rPr><b/></rPr><t xml:space="preserve">b </t></r><r><t>c</t></r></is>' },
        { type: "str", inside: "<f>A1</f><v>d</v>" },
        { type: "str", inside: "<f>A1</f><v></v>" },
        { type: "s", inside: "<v>0</v>" },
        { type: "s", inside: "<v>1</v>" },
      ),
    ).toEqual(["a", "b c", "d", "", "shared", "漢字"]);
  });

  test("numbers, also as other programs print them, and booleans", () => {
    const number = (v: string): CellXml => ({ inside: `<v>${v}</v>` });
    expect(cells(...["1.1000000000000001", "1E3", "-2", "15.0", "1e21", "1e-7"].map(number))).toEqual([
      ...["1.1", "1000", "-2", "15", "1e+21", "1e-7"],
    ]);
    expect(cells({ type: "b", inside: "<v>1</v>" }, { type: "b", inside: "<v>0</v>" })).toEqual(["true", "false"]);
    expect(cells({ inside: "<f>1+1</f><v>2</v>" })).toEqual(["2"]);
  });

  test("dates, by the style of the cell", () => {
    const [day, custom, elapsed] = [1, 2, 3];
    const on = (style: number, v: number): CellXml => ({ style, inside: `<v>${v}</v>` });
    expect(cells(on(day, 46_053), on(custom, 1), on(day, 59), on(day, 61), on(0, 46_053))).toEqual([
      ...["@2026-01-31", "@1900-01-01", "@1900-02-28", "@1900-03-01", "46053"],
    ]);
    expect(
      cells({ type: "d", inside: "<v>2026-01-31</v>" }, { type: "d", inside: "<v>2026-01-31T00:00:00</v>" }),
    ).toEqual([...["@2026-01-31", "@2026-01-31"]]);
    expect(readSheet(workbookOf([on(day, 0)], { from1904: true }), "s").rows).toEqual([["@1904-01-01"]]);
    expect(
      cells(on(day, 60), on(day, 46_053.5), on(elapsed, 0.5), on(day, 3e6), { type: "d", inside: "<v>12:00:00</v>" }),
    ).toEqual([
      "A1 this cell shows a date that does not exist",
      "B1 this cell shows a date with a time",
      "C1 this cell shows a time of day",
      "D1 this cell shows a date that does not exist",
      "E1 this cell shows a time of day",
    ]);
  });

  test("errors, and formulas that were never computed, have no text", () => {
    expect(
      cells({ type: "e", inside: "<v>#DIV/0!</v>" }, { inside: "<f>1+1</f>" }, { inside: "<f>1+1</f><v/>" }),
    ).toEqual(["A1 this cell shows #DIV/0!", "B1 this formula has no value yet", "C1 this formula has no value yet"]);
  });

  test("rows and cells without a name are in order; those that are left out are empty", () => {
    const rows =
      "<row><c><v>1</v></c><c><v>2</v></c></row><row r='3'><c r='C3'><v>3</v></c></row><row><c/><c><v>4</v></c></row>";
    expect(readSheet(workbookOf(rows), "s").rows).toEqual([["1", "2"], [], ["", "", "3"], ["", "4"]]);
  });

  test("comments, prefixes, CDATA and character references", () => {
    const rows =
      '<x:row><!-- a < b --><x:c t="inlineStr"><x:is><x:t><![CDATA[<&]]>&#65;&#x1F600;&lt;</x:t></x:is></x:c></x:row>';
    expect(readSheet(workbookOf(rows), "s").rows).toEqual([["<&A😀<"]]);
  });
});

describe("nothing in a file is trusted", () => {
  const refused = (file: Uint8Array, words: RegExp | string): void =>
    expect(() => readSheet(file, sheetNames(file)[0] ?? "")).toThrow(words);

  test("other files are none", () => {
    refused(new Uint8Array(), "is not an .xlsx file");
    refused(new TextEncoder().encode("a,b\n".repeat(100)), "is not an .xlsx file");
    refused(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]), "has a password, or is an old .xls file");
    refused(zip(new Map([["a", "b"]])), "is not an .xlsx file");
  });

  test("a document type defines nothing", () => {
    refused(workbookOf('<!DOCTYPE a [<!ENTITY b "c">]><row/>'), "is not XML of a spreadsheet");
    refused(workbookOf("<row><c><v>&b;</v></c></row>"), 'has an "&" that means nothing');
  });

  test("what does not fit together is damaged", () => {
    refused(workbookOf("<row><c></row></c>"), "ends an element that is not open");
    refused(workbookOf("<row>"), "is damaged");
    refused(workbookOf('<row><c t="s"><v>99</v></c></row>'), "it has no text 99");
    refused(workbookOf('<row><c t="q"><v>9</v></c></row>'), 'unknown type "q"');
    refused(workbookOf('<row r="1048577"/>'), "it has a row 1048577");
    refused(workbookOf('<row><c r="XFE1"><v>1</v></c></row>'), "it has a cell XFE1");
    refused(workbookOf("<row><c><v>one</v></c></row>"), '"one" is not a number');
  });

  test("a small file does not become a large one", () => {
    refused(workbookOf(`<row>${" ".repeat(70 * 1024 * 1024)}</row>`), "is too large when it is unpacked");
    const text = `<si><t>${"x".repeat(1_000_000)}</t></si>`;
    const cell = '<c t="s"><v>2</v></c>';
    refused(
      workbookOf(`<row>${cell.repeat(100)}</row>`, { texts: text }),
      "it has more than 16777216 characters and cells",
    );
    const far = Array.from({ length: 2000 }, (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`);
    refused(workbookOf(far.join("")), "it has more than 16777216 characters and cells");
  });

  test("bytes that are changed, cut or added end in rows or in a message", () => {
    const good = writeSheet({
      name: "t",
      rows: [
        ["a", "b"],
        ["1", "x"],
      ],
      firstOutput: 1,
    });
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(good.length), (changes, length) => {
        const bytes = Uint8Array.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        for (const file of [bytes, bytes.subarray(0, length)]) {
          try {
            for (const name of sheetNames(file)) readSheet(file, name);
          } catch (error) {
            expect(error).toBeInstanceOf(XlsxError);
          }
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
