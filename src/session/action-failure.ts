/** How an action fails inside a run. */

/** An action that failed; the run turns it into an ActionError. */
export class ActionFailure {
  readonly action: string;
  readonly cause: unknown;

  constructor(action: string, cause: unknown) {
    this.action = action;
    this.cause = cause;
  }
}
