/** A line on the terminal that says how far the work is, when it takes long. Never part of what is piped or kept. */
import type { Io } from "./io.ts";
import { ERASE, RETURN } from "./paint.ts";

/** Nothing is shown before this many milliseconds, and then not more often than every tenth of a second. */
const PATIENCE = 1000;
const INTERVAL = 100;

export class Progress {
  readonly #io: Io;
  readonly #enabled: boolean;
  #next: number;
  #shown = false;

  constructor(io: Io, enabled: boolean) {
    this.#io = io;
    this.#enabled = enabled && io.terminal;
    this.#next = this.#enabled ? io.now() + PATIENCE : 0;
  }

  /** One step was made; the words are asked for only when they are shown. */
  tick(words: () => string): void {
    if (!this.#enabled) return;
    const now = this.#io.now();
    if (now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#io.err(`${RETURN}${words()} …${ERASE}`);
    this.#shown = true;
  }

  /** To be called before anything else is printed. */
  clear(): void {
    if (this.#shown) this.#io.err(`${RETURN}${ERASE}`);
    this.#shown = false;
  }
}
