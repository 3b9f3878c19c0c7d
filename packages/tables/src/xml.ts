/**
 * Reads XML 1.0 as spreadsheets write it: elements, attributes and text, without a document type, so that nothing in a file can be defined,
 * loaded or repeated. Names are given without their prefix.
 */
import { damaged } from "./error.ts";

/** Hears what is in a document, in its order. */
export interface XmlListener {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

const TAG = /<(\/?)([^\s/>"'=<&!?]+)((?:\s+[^\s=/>"'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
/** What is skipped, and what comes at its end. */
const SKIPPED: readonly (readonly [begin: string, end: string])[] = [
  ["<?", "?>"],
  ["<!--", "-->"],
];
const RAW = "<![CDATA[";

/** Reads a document. `part` is its name, for messages. */
export function readXml(part: string, bytes: Uint8Array, listener: XmlListener): void {
  const text = decoded(part, bytes);
  const open: string[] = [];
  let roots = 0;
  const heard = (words: string): void => {
    if (open.length > 0) listener.text(words);
    else if (words.trim() !== "") throw damaged(`"${part}" has text outside its root element`);
  };
  for (let at = 0; at < text.length;) {
    if (text[at] !== "<") {
      const end = endAt(text, "<", at) ?? text.length;
      heard(unescaped(part, text.slice(at, end)));
      at = end;
      continue;
    }
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped !== undefined) {
      at = closed(part, endAt(text, skipped[1], at)) + skipped[1].length;
      continue;
    }
    if (text.startsWith(RAW, at)) {
      const end = closed(part, endAt(text, "]]>", at));
      heard(text.slice(at + RAW.length, end));
      at = end + 3;
      continue;
    }
    TAG.lastIndex = at;
    const found = TAG.exec(text);
    if (found === null) throw damaged(`"${part}" is not XML of a spreadsheet at character ${at + 1}`);
    const [whole, ending, written = "", attributes = "", alone] = found;
    const name = localName(written);
    if (ending === "/") {
      if (open.pop() !== name || attributes !== "" || alone === "/")
        throw damaged(`"${part}" ends an element that is not open`);
      listener.close(name);
    } else {
      if (open.length === 0) roots += 1;
      listener.open(name, attributesOf(part, attributes));
      if (alone === "/") listener.close(name);
      else open.push(name);
    }
    at += whole.length;
  }
  if (open.length > 0 || roots !== 1) throw damaged(`"${part}" ends too early`);
}

/** Returns the text with line ends as XML has them. */
function decoded(part: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    throw damaged(`"${part}" is not UTF-8`);
  }
}

function endAt(text: string, words: string, from: number): number | undefined {
  const end = text.indexOf(words, from);
  return end < 0 ? undefined : end;
}

function closed(part: string, end: number | undefined): number {
  if (end === undefined) throw damaged(`"${part}" ends too early`);
  return end;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function attributesOf(part: string, written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", double, single] of written.matchAll(ATTRIBUTE))
    found.set(localName(name), unescaped(part, double ?? single ?? ""));
  return found;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function unescaped(part: string, text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w{1,8}));|&/g,
    (_, decimal?: string, hex?: string, name?: string) => {
      const point = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      const one = name === undefined ? (point <= 0x10ffff ? String.fromCodePoint(point) : undefined) : NAMED.get(name);
      if (one === undefined) throw damaged(`"${part}" has an "&" that means nothing`);
      return one;
    },
  );
}
