/**
 * Fills the placeholders of reasons and sentences. Values that are filled in stay data: they are never searched for
 * placeholders.
 */
import type { Maybe, Value } from "../base/value.ts";

/** The most characters of a reason or sentence. */
const MAX_LENGTH = 2000;

type Pieces = readonly (string | { readonly value: Maybe })[];

/** Fills in a reason: a code that programs read. */
export function fillIn(pieces: Pieces): string {
  return filledWith(pieces, shown);
}

/** Fills in a sentence, which people read: a list is written as `"Summary" and "Risks"`. */
export function fillInWords(pieces: Pieces): string {
  return filledWith(pieces, spoken);
}

function filledWith(pieces: Pieces, words: (value: Maybe) => string): string {
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : words(piece.value))).join("");
  return text.length > MAX_LENGTH ? `${wellFormed(text.slice(0, MAX_LENGTH))}…` : text;
}

function spoken(value: Maybe): string {
  if (!Array.isArray(value)) return shown(value);
  const items = (value as readonly Value[]).map((one) => JSON.stringify(one));
  const last = items.pop();
  if (last === undefined) return "nothing";
  return items.length === 0 ? last : `${items.join(", ")} and ${last}`;
}

/** Returns a string as it is, and a list as `['Summary', 'Risks']`. */
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

/** Returns the text without half of a surrogate pair, which a cut may leave at its end. */
function wellFormed(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
