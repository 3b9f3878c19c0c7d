/** Text from outside made safe to print: control characters become visible marks. */
import { printable } from "../index.ts";

/** Replaces a character that is not shown. */
const HIDDEN = "\u00b7";

/** Returns the text with control characters replaced, so that data cannot steer a terminal. Line breaks stay. */
export function visible(text: string): string {
  return printable(text, HIDDEN);
}

/** Returns the same on one line: a name from outside cannot start a line of its own. */
export function oneLine(text: string): string {
  return printable(text, HIDDEN).replace(/\n+/gu, HIDDEN);
}
