/** The mistakes of all files of facts: the first in full, and exact counts of the others, in memory that does not grow. */
import type { Diagnostic } from "../../index.ts";
import { type Omitted, SHOWN, Tally } from "../report.ts";

/** The mistakes of one file. */
export interface FileMistakes {
  /** All of them so far. */
  readonly count: number;
  add(diagnostic: Diagnostic, type: string | undefined): void;
  /** To be called when the file is read. */
  end(): void;
}

export class Mistakes {
  readonly shown: Diagnostic[] = [];
  readonly #tally = new Tally();
  #count = 0;

  /** All of them, shown or not. */
  get count(): number {
    return this.#count;
  }

  get omitted(): readonly Omitted[] {
    return this.#tally.counts();
  }

  beginFile(): FileMistakes {
    const before = this.#count;
    const found: Diagnostic[] = [];
    const countOf = (): number => this.#count - before;
    return {
      get count() {
        return countOf();
      },
      add: (diagnostic, type) => {
        this.#count += 1;
        if (this.shown.length + found.length < SHOWN) found.push(diagnostic);
        else this.#tally.add(diagnostic, type);
      },
      end: () => {
        this.shown.push(...found.sort((a, b) => a.line - b.line || a.column - b.column));
      },
    };
  }
}
