/** Which styles of a workbook show numbers as dates or times. */
import { readXml } from "./xml.ts";

/** `date`: a day, perhaps with a time. `time`: hours, minutes, seconds or months without a day. */
export type DateStyle = "date" | "time";

/** Returns for each style of cells whether it shows a date. */
export function dateStyles(part: string, bytes: Uint8Array): readonly (DateStyle | undefined)[] {
  const formats = new Map<number, string>();
  const styles: (DateStyle | undefined)[] = [];
  let inCells = false;
  readXml(part, bytes, {
    open(name, attributes) {
      if (name === "cellXfs") inCells = true;
      if (name === "numFmt") formats.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
      if (name === "xf" && inCells) styles.push(styleOf(Number(attributes.get("numFmtId") ?? 0), formats));
    },
    text() {},
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return styles;
}

function styleOf(id: number, formats: ReadonlyMap<number, string>): DateStyle | undefined {
  const format = formats.get(id);
  if (format !== undefined) return styleOfFormat(format);
  if (TIMES.some(([from, to]) => id >= from && id <= to)) return "time";
  return DATES.some(([from, to]) => id >= from && id <= to) ? "date" : undefined;
}

/** The numbers of formats that every spreadsheet has. */
const DATES: readonly (readonly [from: number, to: number])[] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [36, 36],
  [50, 54],
  [57, 58],
];
const TIMES: readonly (readonly [from: number, to: number])[] = [
  [18, 21],
  [32, 35],
  [45, 47],
  [55, 56],
];

function styleOfFormat(format: string): DateStyle | undefined {
  // The format of positive numbers, without what is shown as it is: quoted text, escaped characters, colours and languages.
  const [codes = ""] = format.replaceAll(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, "").split(";");
  if (/[yd]/i.test(codes)) return "date";
  return /[hms]/i.test(codes) && !/general/i.test(codes) ? "time" : undefined;
}
