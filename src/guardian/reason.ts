/** Fills the holes of a reason. What is filled in stays data: it is never read as a text with holes again. */
import type { Maybe, Value } from "../base/value.ts";

/** Reasons stay short, whatever a value holds. */
const LONGEST = 2000;

export function fillIn(pieces: readonly (string | { readonly value: Maybe })[]): string {
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : shown(piece.value))).join("");
  return text.length > LONGEST ? `${wellFormed(text.slice(0, LONGEST))}…` : text;
}

/** Texts as they are; lists as `['Summary', 'Risks']`. */
function shown(value: Maybe): string {
  if (value === undefined) return "unknown";
  if (typeof value !== "object") return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${(value as readonly Value[]).map(item).join(", ")}]`;
}

function item(value: Value): string {
  if (typeof value !== "string") return shown(value);
  const inside = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inside}'`;
}

/** A cut may leave half of a character. */
function wellFormed(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
