/** Escapes text for XML, in attributes and between tags. */
import { printable } from "../index.ts";

// oxlint-disable-next-line no-control-regex -- these cannot stand in XML, not even escaped
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;
const LONELY = /[\ud800-\udfff]/gu;
const NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

export function escapeXml(text: string): string {
  const named = text
    .replace(FORBIDDEN, "\ufffd")
    .replace(LONELY, "\ufffd")
    .replace(/[&<>"'\n\r\t]/gu, (character) => NAMES[character] ?? character);
  return printable(named);
}
