/** The base class of errors that a call of the library throws. It is here so that every room can refuse its own options. */
import type { Code } from "./codes.ts";

/** The base class of errors of a session: a stable code, a message, and a hint what to do. */
export class SessionError extends Error {
  /** The stable code, such as `E401`. All codes are in {@link CODES}. */
  readonly code: Code;
  /** What to do about it; undefined when there is nothing to suggest. */
  readonly hint: string | undefined;

  /**
   * Creates the error.
   *
   * @internal
   */
  constructor(code: Code, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}
