/** The errors of all facts files: the first 100 in full, and exact counts of the others, in bounded memory. */
import type { Diagnostic } from "../../index.ts";
import { type Omitted, SHOWN, Tally } from "../report.ts";

/** The errors of one file. */
export interface FileMistakes {
  /** The number of errors so far. */
  readonly count: number;
  add(diagnostic: Diagnostic, type: string | undefined): void;
  /** Ends the file. Call it after the last error. */
  end(): void;
}

export class Mistakes {
  readonly shown: Diagnostic[] = [];
  readonly #tally = new Tally();
  #count = 0;

  /** The number of errors, shown or not. */
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
