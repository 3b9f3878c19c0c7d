/** Rejects sources that must not be parsed at all, before any other work. */
import type { Report } from "../base/diagnostic.ts";
import type { Limits } from "../base/limits.ts";

/** Characters that change the direction in which text is shown: a reader would see other text than the parser reads. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function screen(report: Report, limits: Limits): boolean {
  return withinSize(report, limits) && wellFormed(report) && withoutDirectionControls(report);
}

function withinSize(report: Report, limits: Limits): boolean {
  const { text } = report.source;
  if (text.length * 3 <= limits.sourceBytes) return true;
  const bytes = text.length > limits.sourceBytes ? text.length : new TextEncoder().encode(text).length;
  if (bytes <= limits.sourceBytes) return true;
  report.error(
    "E302",
    { start: 0, end: 0 },
    `this source has ${bytes} bytes; the limit is ${limits.sourceBytes}`,
    "split it into several files and import them, or load the facts from a data file",
  );
  return false;
}

function wellFormed(report: Report): boolean {
  const { text } = report.source;
  const nul = text.indexOf("\0");
  const half = text.isWellFormed() ? -1 : loneSurrogate(text);
  const at = nul < 0 ? half : half < 0 ? nul : Math.min(nul, half);
  if (at < 0) return true;
  const byte = new TextEncoder().encode(text.slice(0, at)).length;
  const what = at === nul ? "NUL character" : "unpaired surrogate";
  const utf16 = at === nul && text.charAt(at + 2) === "\0" ? "; this looks like UTF-16" : "";
  report.error("E104", { start: at, end: at + 1 }, `${what} at byte ${byte}${utf16}`, "save the file as UTF-8");
  return false;
}

function loneSurrogate(text: string): number {
  return text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
}

function withoutDirectionControls(report: Report): boolean {
  const at = report.source.text.search(DIRECTION_CONTROLS);
  if (at < 0) return true;
  const point = report.source.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  report.error(
    "E105",
    { start: at, end: at + 1 },
    `text-direction control character U+${point}`,
    `remove it; inside a string write it as \\u{${point}}`,
  );
  return false;
}
