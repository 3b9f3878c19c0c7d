/**
 * The name that a statement which could not be read was going to declare.
 *
 * It is recorded, so that a mistake in one declaration is reported once and not for every use of the name.
 */
import { nearest } from "../base/nearest.ts";
import type { Lexeme } from "./lexer.ts";
import type { Lexemes } from "./recogniser.ts";
import { STATEMENT_WORDS } from "./recovery.ts";

/** The kinds of declarations, by the word that begins them; a named fact has no word. */
const DECLARING = [
  "type",
  "action",
  "rule",
  "condition",
  "gate",
  "flow",
  "guardian",
  "pipeline",
  "record",
  "list",
  "const",
  "param",
  "function",
  "query",
  "table",
  "test",
  "xuple-space",
] as const;

export interface BrokenName {
  /** The kind of declaration; `any` when the first word of the statement begins none. */
  readonly kind: (typeof DECLARING)[number] | "fact" | "any";
  readonly name: string;
}

/** The names that a file was going to declare and does not. */
export interface Unread {
  readonly names: readonly BrokenName[];
  /** True when a part of the file or an import was skipped: other names may be declared there. */
  readonly more: boolean;
}

/** Returns the name that the bad statement at `start` declares, if it declares one. */
export function brokenName(lexemes: Lexemes, start: number): BrokenName | undefined {
  const first = lexemes.at(start);
  const second = lexemes.at(start + 1);
  if (first?.text === "protected" && second?.text === "type") return brokenName(lexemes, start + 1);
  if (first === undefined || second === undefined) return undefined;
  if (first.text === "private" && STATEMENT_WORDS.includes(second.text)) return brokenName(lexemes, start + 1);
  if (first.type === "word" && second.text === "=") return { kind: "fact", name: String(first.value) };
  if (!NAMING.has(second.type)) return undefined;
  const word = statementWord(first);
  const kind = word === undefined && first.type === "word" ? "any" : DECLARING.find((one) => one === word);
  return kind === undefined ? undefined : { kind, name: String(second.value) };
}

/** Returns whether the bad statement at `start` would have imported names, which are now unknown. */
export function bringsNames(lexemes: Lexemes, start: number): boolean {
  const first = lexemes.at(start);
  const second = lexemes.at(start + 1);
  if (first === undefined) return false;
  if (first.text === "import" || first.text === "use") return second?.text !== "(" && second?.text !== "=";
  const word = statementWord(first);
  if (second?.type === "bad" && DECLARING.some((one) => one === word)) return true; // rule "its name, never closed
  return (word === "import" && second?.type === "text") || (word === "use" && second?.text === "guardian");
}

const NAMING: ReadonlySet<Lexeme["type"]> = new Set(["word", "verb", "reserved", "text"]);

/** Returns the keyword of a statement, also for a mistyped one: `type`, `tpye`. */
function statementWord({ type, text }: Lexeme): string | undefined {
  if (type !== "word") return undefined;
  return STATEMENT_WORDS.includes(text) ? text : nearest(text, STATEMENT_WORDS);
}
