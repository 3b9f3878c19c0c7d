/**
 * What a statement that could not be read was going to declare.
 *
 * The name is remembered, so that a slip in one declaration is one mistake and not one for every use of the name.
 */
import { nearest } from "../base/nearest.ts";
import type { Lexeme } from "./lexer.ts";
import type { Lexemes } from "./recogniser.ts";
import { STATEMENT_WORDS } from "./recovery.ts";

/** The kinds of things that have names, by the word that declares them; a named fact has no word. */
const DECLARING = [
  "type",
  "action",
  "rule",
  "condition",
  "gate",
  "flow",
  "guardian",
  "pipeline",
  "list",
  "query",
  "test",
  "xuple-space",
] as const;

export interface BrokenName {
  /** `any`: the word that should say it is none that begins a statement. */
  readonly kind: (typeof DECLARING)[number] | "fact" | "any";
  readonly name: string;
}

/** What a file was going to declare and does not. */
export interface Unread {
  readonly names: readonly BrokenName[];
  /** A part of the file was skipped, or something it imports: other names may be declared there. */
  readonly more: boolean;
}

/** The name that the bad statement at `start` declares, if it does. */
export function brokenName(lexemes: Lexemes, start: number): BrokenName | undefined {
  const first = lexemes.at(start);
  const second = lexemes.at(start + 1);
  if (first?.text === "protected" && second?.text === "type") return brokenName(lexemes, start + 1);
  if (first === undefined || second === undefined) return undefined;
  if (first.type === "word" && second.text === "=") return { kind: "fact", name: String(first.value) };
  if (!NAMING.has(second.type)) return undefined;
  const word = statementWord(first);
  const kind = word === undefined && first.type === "word" ? "any" : DECLARING.find((one) => one === word);
  return kind === undefined ? undefined : { kind, name: String(second.value) };
}

/** Whether the bad statement at `start` would have brought names from elsewhere, which are now unknown. */
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

/** `type`, and also `tpye`. */
function statementWord({ type, text }: Lexeme): string | undefined {
  if (type !== "word") return undefined;
  return STATEMENT_WORDS.includes(text) ? text : nearest(text, STATEMENT_WORDS);
}
