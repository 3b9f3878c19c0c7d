/** Brackets: which are open, and which belongs to which. */
import type { Lexeme } from "./lexer.ts";

const OPENERS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

const CLOSERS: ReadonlyMap<string, string> = new Map([...OPENERS].map(([closer, opener]) => [opener, closer]));

/** The bracket that closes this one. */
export function closerOf(opener: Lexeme): string {
  return CLOSERS.get(opener.text) ?? "";
}

/** The bracket that this one closes, if it closes one. */
export function openerOf({ type, text }: Lexeme): string | undefined {
  return type === "symbol" ? OPENERS.get(text) : undefined;
}

/** The brackets that are open; a closing one also closes what was forgotten inside, and one too many closes nothing. */
export class OpenBrackets {
  readonly #open: Lexeme[] = [];

  get count(): number {
    return this.#open.length;
  }

  get innermost(): Lexeme | undefined {
    return this.#open.at(-1);
  }

  has(opener: string): boolean {
    return this.#open.some((one) => one.text === opener);
  }

  take(lexeme: Lexeme): void {
    const opener = openerOf(lexeme);
    if (opener !== undefined) {
      if (this.has(opener)) this.#open.length = this.#open.findLastIndex((one) => one.text === opener);
    } else if (lexeme.type === "symbol" && CLOSERS.has(lexeme.text)) {
      this.#open.push(lexeme);
    }
  }
}
