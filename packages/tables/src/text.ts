/**
 * Any text as characters that XML 1.0 can carry. What it cannot carry is written as spreadsheets do, `_x000B_`, and a text that looks like
 * that has its underscore written so. Invariant: `decodeText(encodeText(text))` is the text.
 */

/** What XML cannot carry, or changes: control characters, a carriage return, half a surrogate pair, and two that are no characters. */
const NOT_IN_XML =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\0-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns a text as it is stored in a cell. */
export function encodeText(text: string): string {
  // Also without the last underscore: it may become one when the character after it is written in this way.
  const plain = text.replaceAll(/_(?=x[0-9A-Fa-f]{4})/g, "_x005F_");
  return plain.replaceAll(NOT_IN_XML, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
}

/** Returns the text that is stored in a cell. */
export function decodeText(stored: string): string {
  if (!stored.includes("_x")) return stored;
  return stored.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns characters as they are written in XML, in an attribute too. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}
