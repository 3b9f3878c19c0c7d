/** The staging of the batch or firing that is under way; undefined when there is none. */
import type { Staging } from "./staging.ts";

export class OpenStaging {
  staging: Staging | undefined = undefined;

  /** Does the work with its changes going into the staging. */
  collect<Result>(staging: Staging, work: () => Result): Result {
    const outer = this.staging;
    this.staging = staging;
    try {
      return work();
    } finally {
      this.staging = outer;
    }
  }
}
