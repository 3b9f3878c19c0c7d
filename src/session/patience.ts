/** How long a run waits for handlers: until their time is over, its signal is aborted, or the session is closed. */
import type { Signal } from "../base/signal.ts";
import { abandon } from "../base/host-result.ts";
import { HandlerTimeout, SessionError } from "./errors.ts";
import { HandlerSignal } from "./handler-signal.ts";

/** Options of {@link Session.runAsync} about waiting. */
export interface WaitOptions {
  /**
   * Ends the run when it is aborted: the firing that is under way is not made, no further handler of it is called, and the run
   * rejects with E524.
   */
  readonly signal?: Signal;
  /**
   * The milliseconds that each handler may take. Default: no limit. A handler that takes longer fails its firing (E523);
   * what it does afterwards changes nothing.
   */
  readonly handlerTimeout?: number;
}

/** The longest time of a timer, in milliseconds: a longer one would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Thrown inside a run that is given up; the runner turns it into the error of the run. */
export class GivenUp {
  readonly why: "aborted" | "closed";
  readonly cause: unknown;

  constructor(why: "aborted" | "closed", cause?: unknown) {
    this.why = why;
    this.cause = cause;
  }
}

export class Patience {
  readonly #timeout: number | undefined;
  readonly #signal: Signal | undefined;
  readonly #aborted = (): void => this.#end(new GivenUp("aborted", this.#signal?.reason));
  #over: GivenUp | undefined = undefined;
  /** Ends the wait that is under way. */
  #stop: ((error: unknown) => void) | undefined = undefined;
  /** The signal of the handler that is called now. */
  #handler: HandlerSignal | undefined = undefined;

  constructor(options: WaitOptions) {
    checkWaitOptions(options);
    const { signal, handlerTimeout } = options;
    this.#timeout = handlerTimeout === undefined ? undefined : Math.min(handlerTimeout, LONGEST_TIMER);
    this.#signal = signal;
    if (signal?.aborted === true) this.#aborted();
    else signal?.addEventListener("abort", this.#aborted, { once: true });
  }

  /** Returns the signal of the handler that is called next. */
  newSignal(): HandlerSignal {
    this.#handler = new HandlerSignal();
    if (this.#over !== undefined) this.#handler.abort(this.#over.cause);
    return this.#handler;
  }

  /** Throws when the run is to end now. */
  refuseWhenOver(): void {
    if (this.#over !== undefined) throw this.#over; // oxlint-disable-line typescript/only-throw-error -- the runner makes the error
  }

  /** Waits until a handler settles. Throws what it rejects with, a HandlerTimeout, or GivenUp. */
  async wait(returned: PromiseLike<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      this.refuseWhenOver();
      await new Promise((resolve, reject) => {
        this.#stop = reject;
        const ms = this.#timeout;
        if (ms !== undefined) timer = setTimeout(() => this.#giveUpHandler(new HandlerTimeout(ms)), ms);
        returned.then(resolve, reject);
      });
    } finally {
      if (timer !== undefined) clearTimeout(timer);
      this.#stop = undefined;
      abandon(returned);
    }
  }

  /** Ends the run because the session is closed. */
  close(): void {
    this.#end(new GivenUp("closed"));
  }

  /** Frees what it listens to. */
  dispose(): void {
    try {
      this.#signal?.removeEventListener("abort", this.#aborted);
    } catch {
      // a signal of the host's own that fails must not keep the run from ending
    }
  }

  #end(over: GivenUp): void {
    this.#over ??= over;
    this.#giveUpHandler(this.#over);
  }

  #giveUpHandler(error: unknown): void {
    this.#handler?.abort(error instanceof GivenUp ? error.cause : error);
    this.#stop?.(error);
  }
}

/** Throws E407 for options of the wrong type. */
export function checkWaitOptions({ signal, handlerTimeout }: WaitOptions): void {
  if (handlerTimeout !== undefined && !(handlerTimeout > 0)) {
    throw new SessionError("E407", "handlerTimeout must be a number of milliseconds above 0");
  }
  if (signal !== undefined && !isSignal(signal)) throw new SessionError("E407", "signal must be an AbortSignal");
}

function isSignal(signal: unknown): signal is Signal {
  if (typeof signal !== "object" || signal === null || !("aborted" in signal)) return false;
  const { addEventListener, removeEventListener } = signal as Partial<Signal>;
  return typeof addEventListener === "function" && typeof removeEventListener === "function";
}
