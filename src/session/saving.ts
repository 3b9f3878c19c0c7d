/** A snapshot that is being written to a stream. It ends when the last line is written, when the stream fails, or when the session is closed. */
import { sessionClosed } from "./errors.ts";

export class Saving {
  #closed = false;
  #giveUp: ((error: Error) => void) | undefined = undefined;
  #waiting: (() => void)[] = [];

  /** Waits for a line to be written. Throws E535 when the session is closed, whatever the stream does. */
  async written(line: Promise<void>): Promise<void> {
    this.#refuseWhenClosed();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#giveUp = reject;
        line.then(resolve, reject);
      });
    } finally {
      this.#giveUp = undefined;
    }
    this.#refuseWhenClosed();
  }

  /** Gives the snapshot up: the session is closed. */
  close(): void {
    this.#closed = true;
    this.#giveUp?.(sessionClosed());
  }

  /** Waits until it has ended, in whatever way. */
  async ended(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Notes that it has ended. */
  end(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw sessionClosed();
  }
}
