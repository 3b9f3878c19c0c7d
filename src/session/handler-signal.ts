/** The signal of one call of a handler. It remembers that the handler was given up, so that one that reads it late sees it. */
import type { Signal } from "../base/signal.ts";

export class HandlerSignal {
  #controller: AbortController | undefined = undefined;
  /** Why the handler was given up. */
  #given: { readonly reason: unknown } | undefined = undefined;
  #ended = false;

  /** The signal; made when the handler reads it. */
  get signal(): Signal {
    this.#controller ??= new AbortController();
    if (this.#given !== undefined) this.#controller.abort(this.#given.reason);
    return this.#controller.signal;
  }

  /** Aborts the signal, unless the handler has ended. */
  abort(reason: unknown): void {
    if (this.#ended) return;
    this.#given ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Notes that the handler has ended: what ends the run later is no concern of it. */
  end(): void {
    this.#ended = true;
  }
}
