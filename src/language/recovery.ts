/** Finds where to continue after a bad statement, so that one mistake does not hide the next. */
import { OpenBrackets, openerOf } from "./brackets.ts";
import type { Lexeme } from "./lexer.ts";
import { OPERATORS } from "./lexemes.ts";
import { KEYWORDS, type Lexemes } from "./recogniser.ts";

type Follows = (next: Lexeme | undefined, afterNext: Lexeme | undefined) => boolean;

/** What follows the name of a type. */
const TYPE_FOLLOWERS = new Set(["(", ":", "="]);

/** What follows the keyword of a statement, as far as needed to distinguish it from a field of the same name. */
const FOLLOWERS: ReadonlyMap<string, Follows> = new Map<string, Follows>([
  ["type", (next, afterNext) => isName(next) && TYPE_FOLLOWERS.has(afterNext?.text ?? "")],
  ["protected", (next, afterNext) => next?.text === "type" && isName(afterNext)],
  ["private", (next, afterNext) => isWordOfStatement(next) && isLabel(afterNext)],
  ["action", (next, afterNext) => isName(next) && afterNext?.text === "("],
  ["rule", isLabel],
  ["condition", (next, afterNext) => isName(next) && (afterNext?.text === "(" || afterNext?.text === ":")],
  ["gate", (next, afterNext) => isLabel(next) && (afterNext?.text === "{" || afterNext?.text === "for")],
  ["flow", (next, afterNext) => isLabel(next) && (afterNext?.text === "{" || afterNext?.text === "for")],
  ["guardian", (next, afterNext) => isLabel(next) && afterNext?.text === "for"],
  ["use", (next) => next?.text === "guardian"],
  ["pipeline", (next, afterNext) => isLabel(next) && afterNext?.text === "for"],
  ["record", (next, afterNext) => isName(next) && afterNext?.text === "("],
  ["list", (next, afterNext) => isName(next) && afterNext?.text === "="],
  ["const", (next, afterNext) => isName(next) && afterNext?.text === "="],
  ["param", (next, afterNext) => isName(next) && afterNext?.text === ":"],
  ["function", (next, afterNext) => isName(next) && afterNext?.text === "("],
  ["query", (next, afterNext) => isName(next) && (afterNext?.text === "(" || afterNext?.text === "{")],
  ["table", (next, afterNext) => isName(next) && afterNext?.text === "("],
  ["test", (next, afterNext) => isLabel(next) && afterNext?.text === "{"],
  ["import", (next, afterNext) => next?.type === "text" || (isName(next) && afterNext?.text === ".")],
  ["option", isName],
  ["remove", (next) => next?.text === "rule" || next?.text === "fact"],
  ["xuple-space", (next, afterNext) => isName(next) && afterNext?.text === "{"],
]);

function isWordOfStatement(lexeme: Lexeme | undefined): boolean {
  return lexeme !== undefined && FOLLOWERS.has(lexeme.text);
}

/** Words that begin statements, for "did you mean". */
export const STATEMENT_WORDS: readonly string[] = [...FOLLOWERS.keys(), "reset"];

/**
 * How far the bracket that closes a bad statement is searched: the most tokens, and the most lines that could begin the
 * next statement. A file of bad statements must not take quadratic time.
 */
const LOOK_AHEAD = { lexemes: 2000, lines: 100 };

/**
 * Returns the index where the next statement probably begins: at or just before the token that could not be parsed, or
 * further back where a bracket was left open and the statements after it were taken for its content.
 *
 * Inside brackets only a word that begins statements, on a line of its own, counts at once. What looks like a fact may
 * be an action: it counts when it is not indented more than the bad statement, and inside brackets when they are not
 * closed.
 */
export function resumeAt(text: string, lexemes: Lexemes, start: number, failed: number): number {
  const outer = columnOnOwnLine(text, lexemes.at(start)?.start ?? 0) ?? 0;
  const open = new OpenBrackets();
  let suspects: number[] = [];
  for (let index = start; ; index++) {
    const lexeme = lexemes.at(index);
    const [suspect] = suspects;
    if (lexeme === undefined) return suspect ?? index;
    if (lexeme.type === "limit") return index + 1;
    const column = columnOnOwnLine(text, lexeme.start);
    const reached = index > start && index >= failed - 1;
    const alone = column !== undefined || open.count === 0;
    if (reached && alone && isStatementWord(lexemes, index)) return suspect ?? index;
    if (index > start && column !== undefined && column <= outer) {
      const begins = beginsWithoutWord(lexemes, index);
      const goesOn = GOES_ON.has(lexemes.at(index - 1)?.text ?? "");
      if (open.count === 0 && reached && !goesOn && (begins || followsEnd(lexemes, index))) return index;
      if (open.count > 0 && begins) suspects.push(index);
    }
    const tooFar = index > Math.max(failed, suspect ?? index) + LOOK_AHEAD.lexemes;
    if (suspect !== undefined && (tooFar || suspects.length > LOOK_AHEAD.lines)) return suspect;
    open.take(lexeme);
    if (open.count === 0) suspects = [];
  }
}

/** Returns whether a word that begins statements is there, followed by what must follow it. */
function isStatementWord(lexemes: Lexemes, index: number): boolean {
  const lexeme = lexemes.at(index);
  if (lexeme === undefined || lexeme.type === "text") return false;
  if (lexeme.text === "reset") return true;
  return FOLLOWERS.get(lexeme.text)?.(lexemes.at(index + 1), lexemes.at(index + 2)) ?? false;
}

/**
 * Returns whether a fact, with or without a name, a rule without one, or a statement with a mistyped first word begins
 * there.
 */
function beginsWithoutWord(lexemes: Lexemes, index: number): boolean {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((offset) => lexemes.at(index + offset));
  if (first?.text === "{") return isName(second) && third?.text === ":";
  if (first?.text === "assert") return second?.text === "(";
  if (first?.type !== "word") return false;
  if (isLabel(second) && !KEYWORDS.has(first.text)) return third !== undefined && AFTER_LABEL.has(third.text);
  return second?.text === "(" || (second?.text === "=" && isName(third) && fourth?.text === "(");
}

/**
 * Returns whether this keyword follows the end of a statement; one that may continue it, such as `from`, counts only
 * after a block.
 */
function followsEnd(lexemes: Lexemes, index: number): boolean {
  const [before, first] = [lexemes.at(index - 1), lexemes.at(index)];
  if (before === undefined || first?.type !== "word") return false;
  const ended = before.type === "text" || before.type === "number" || openerOf(before) !== undefined;
  return ended && (!KEYWORDS.has(first.text) || (before.text === "}" && first.text !== "then"));
}

/** The tokens that cannot end a statement. */
const GOES_ON = new Set([",", "==>", "and", "or", "not"]);

const AFTER_LABEL = new Set(["(", "{", ":", "=", "for"]);

/**
 * Returns whether this is a name, or a reserved word in its place; `type in (…)` and `gate and (…)` continue with a
 * test.
 */
function isName(lexeme: Lexeme | undefined): boolean {
  if (lexeme?.type === "word" || lexeme?.type === "verb") return true;
  return lexeme?.type === "reserved" && !OPERATORS.has(lexeme.text);
}

function isLabel(lexeme: Lexeme | undefined): boolean {
  return isName(lexeme) || lexeme?.type === "text";
}

/** Returns the indentation of a token, when only blanks are before it on its line. */
function columnOnOwnLine(text: string, offset: number): number | undefined {
  for (let at = offset - 1; at >= 0; at--) {
    const before = text.charAt(at);
    if (before === "\n") return offset - at - 1;
    if (before !== " " && before !== "\t") return undefined;
  }
  return offset;
}
