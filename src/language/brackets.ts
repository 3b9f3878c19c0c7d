/** Brackets: which are open, and which close which. */
import type { Lexeme } from "./lexer.ts";

const OPENERS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

const CLOSERS: ReadonlyMap<string, string> = new Map([...OPENERS].map(([closer, opener]) => [opener, closer]));

/** Returns the bracket that closes this one. */
export function closerOf(opener: Lexeme): string {
  return CLOSERS.get(opener.text) ?? "";
}

/** Returns the bracket that this one closes, if it closes one. */
export function openerOf({ type, text }: Lexeme): string | undefined {
  return type === "symbol" ? OPENERS.get(text) : undefined;
}

/** The open brackets. A closing bracket also closes those left open inside it; one too many closes nothing. */
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
