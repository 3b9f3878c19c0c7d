/** A progress line on the terminal for work that takes long. Never part of output that is piped or stored. */
import type { Io } from "./io.ts";
import { ERASE, RETURN } from "./paint.ts";

/** The milliseconds before the line appears, and between two updates. */
const DELAY = 1000;
const INTERVAL = 100;

export class Progress {
  readonly #io: Io;
  readonly #enabled: boolean;
  #next: number;
  #shown = false;

  constructor(io: Io, enabled: boolean) {
    this.#io = io;
    this.#enabled = enabled && io.terminal;
    this.#next = this.#enabled ? io.now() + DELAY : 0;
  }

  /** Counts a step. Calls `words` only when the line is printed. */
  tick(words: () => string): void {
    if (!this.#enabled) return;
    const now = this.#io.now();
    if (now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#io.err(`${RETURN}${words()} …${ERASE}`);
    this.#shown = true;
  }

  /** Removes the line. Call it before printing anything else. */
  clear(): void {
    if (this.#shown) this.#io.err(`${RETURN}${ERASE}`);
    this.#shown = false;
  }
}
