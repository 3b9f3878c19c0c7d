/** Finds where to go on after a bad statement, so that one mistake does not hide the next. */
import type { Lexeme } from "./lexer.ts";
import type { Lexemes } from "./recogniser.ts";

const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);

type Follows = (next: Lexeme | undefined, afterNext: Lexeme | undefined) => boolean;

/** What follows the word that begins a statement, as far as is needed to tell it from a field of the same name. */
const FOLLOWERS: ReadonlyMap<string, Follows> = new Map<string, Follows>([
  ["type", (next, afterNext) => isName(next) && (afterNext?.text === "(" || afterNext?.text === ":")],
  ["action", (next, afterNext) => isName(next) && afterNext?.text === "("],
  ["rule", isLabel],
  ["condition", (next, afterNext) => isName(next) && (afterNext?.text === "(" || afterNext?.text === ":")],
  ["gate", (next, afterNext) => isLabel(next) && (afterNext?.text === "{" || afterNext?.text === "for")],
  ["flow", (next, afterNext) => isLabel(next) && (afterNext?.text === "{" || afterNext?.text === "for")],
  ["guardian", (next, afterNext) => isLabel(next) && afterNext?.text === "for"],
  ["use", (next) => next?.text === "guardian"],
  ["pipeline", (next, afterNext) => isLabel(next) && afterNext?.text === "for"],
  ["list", (next, afterNext) => isName(next) && afterNext?.text === "="],
  ["query", (next, afterNext) => isName(next) && (afterNext?.text === "(" || afterNext?.text === "{")],
  ["test", (next, afterNext) => isLabel(next) && afterNext?.text === "{"],
  ["import", (next) => next?.type === "text"],
  ["option", isName],
  ["remove", (next) => next?.text === "rule" || next?.text === "fact"],
  ["xuple-space", (next, afterNext) => isName(next) && afterNext?.text === "{"],
]);

/** Words that begin statements, for "did you mean". */
export const STATEMENT_WORDS: readonly string[] = [...FOLLOWERS.keys(), "reset"];

/**
 * The index where the next statement probably begins.
 *
 * It lies at or just before the lexeme that could not be read (an unclosed block swallows the first word of what follows
 * it), and either looks like the beginning of a statement on a line of its own or stands outside all brackets.
 */
export function resumeAt(text: string, lexemes: Lexemes, start: number, failed: number): number {
  let depth = 0;
  for (let index = start; ; index++) {
    const lexeme = lexemes.at(index);
    if (lexeme === undefined) return index;
    if (lexeme.type === "limit") return index + 1;
    if (index > start && index >= failed - 1 && beginsStatement(text, lexemes, start, index, depth)) return index;
    if (OPENING.has(lexeme.text)) depth += 1;
    else if (CLOSING.has(lexeme.text)) depth = Math.max(0, depth - 1);
  }
}

function beginsStatement(text: string, lexemes: Lexemes, start: number, index: number, depth: number): boolean {
  const lexeme = lexemes.at(index);
  if (lexeme === undefined || lexeme.type === "text") return false;
  const column = columnOnOwnLine(text, lexeme.start);
  const follows = FOLLOWERS.get(lexeme.text);
  if (follows !== undefined || lexeme.text === "reset") {
    const shaped = follows === undefined || follows(lexemes.at(index + 1), lexemes.at(index + 2));
    return shaped && (column !== undefined || depth === 0);
  }
  if (column === undefined || !looksLikeFact(lexemes, index)) return false;
  const outer = columnOnOwnLine(text, lexemes.at(start)?.start ?? 0) ?? 0;
  return depth === 0 || column <= outer;
}

function looksLikeFact(lexemes: Lexemes, index: number): boolean {
  if (!isName(lexemes.at(index))) return false;
  const next = lexemes.at(index + 1)?.text;
  return next === "(" || (next === "=" && isName(lexemes.at(index + 2)) && lexemes.at(index + 3)?.text === "(");
}

function isName(lexeme: Lexeme | undefined): boolean {
  return lexeme?.type === "word";
}

function isLabel(lexeme: Lexeme | undefined): boolean {
  return lexeme?.type === "word" || lexeme?.type === "text";
}

/** How far a lexeme is indented, when only blanks stand before it on its line. */
function columnOnOwnLine(text: string, offset: number): number | undefined {
  for (let at = offset - 1; at >= 0; at--) {
    const before = text.charAt(at);
    if (before === "\n") return offset - at - 1;
    if (before !== " " && before !== "\t") return undefined;
  }
  return offset;
}
